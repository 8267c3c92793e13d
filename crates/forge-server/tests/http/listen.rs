//! Connections over a real socket: SPEC S-7, E-13 and the limits of S-6.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::routing::get;
use forge_server::{ConnectionLimits, HttpListener, event_stream};
use futures::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

struct Served {
    address: SocketAddr,
    stop: CancellationToken,
    ended: JoinHandle<()>,
}

async fn serve(routes: Router, limits: ConnectionLimits, stop: CancellationToken) -> Served {
    let any = "127.0.0.1:0".parse().expect("an address");
    let listener = HttpListener::bind(any).await.expect("a free port");
    let address = listener.address();
    let ended = tokio::spawn(listener.serve(routes, limits, stop.clone()));
    Served { address, stop, ended }
}

async fn connect(served: &Served, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(served.address).await.expect("connected");
    stream.write_all(text.as_bytes()).await.expect("sent");
    stream
}

async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset after the answer still means that the server ended the connection.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).expect("UTF-8")
}

const ASK: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const ASK_AND_CLOSE: &str = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

fn short() -> ConnectionLimits {
    ConnectionLimits { header_time: Duration::from_millis(100), ..ConnectionLimits::default() }
}

#[tokio::test]
async fn s_7_1_port_0_chooses_a_port_and_the_peer_is_known() {
    let peer = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string();
    let routes = Router::new().route("/", get(peer));
    let served = serve(routes, ConnectionLimits::default(), CancellationToken::new()).await;
    assert_ne!(served.address.port(), 0);
    let stream = connect(&served, ASK_AND_CLOSE).await;
    let us = stream.local_addr().expect("an address").to_string();
    let answer = rest(stream).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with(&us), "{answer}");
}

#[tokio::test]
async fn an_address_in_use_is_reported() {
    let served = serve(Router::new(), short(), CancellationToken::new()).await;
    let refused = HttpListener::bind(served.address).await.expect_err("taken");
    let message = refused.to_string();
    assert!(
        message.contains(&served.address.to_string()) && message.contains("--bind"),
        "{message}"
    );
}

#[tokio::test]
async fn s_6_a_client_with_slow_headers_is_disconnected() {
    let routes = Router::new().route("/", get(async || "hello"));
    let served = serve(routes, short(), CancellationToken::new()).await;
    let mut stream = connect(&served, "GET / HTTP/1.1\r\n").await;
    let (mut reading, mut writing) = stream.split();
    let drip = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        loop {
            ticks.tick().await;
            if writing.write_all(b"x: y\r\n").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let mut bytes = Vec::new();
    tokio::select! {
        _ = reading.read_to_end(&mut bytes) => {}
        () = drip => {}
    }
    assert!(!String::from_utf8_lossy(&bytes).contains("hello"));
    assert!(rest(connect(&served, ASK_AND_CLOSE).await).await.ends_with("hello"));
}

#[tokio::test]
async fn s_6_headers_are_bounded() {
    let routes = Router::new().route("/", get(async || "hello"));
    let served = serve(routes, ConnectionLimits::default(), CancellationToken::new()).await;
    let large = format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "y".repeat(40_000));
    let answer = rest(connect(&served, &large).await).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test]
async fn s_6_connections_over_the_cap_wait_for_a_free_slot() {
    let routes = Router::new().route("/", get(async || "hello"));
    let limits = ConnectionLimits { connections: 1, ..ConnectionLimits::default() };
    let served = serve(routes, limits, CancellationToken::new()).await;
    let mut first = connect(&served, ASK).await;
    let mut byte = [0];
    first.read_exact(&mut byte).await.expect("the first is answered");
    let mut second = connect(&served, ASK_AND_CLOSE).await;
    let waiting = tokio::time::timeout(Duration::from_millis(50), second.read_exact(&mut byte));
    assert!(waiting.await.is_err(), "the second must wait");
    drop(first);
    assert!(rest(second).await.ends_with("hello"));
}

#[tokio::test]
async fn e_13_running_requests_end_and_idle_connections_close() {
    let (entered, leave) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let marks = (Arc::clone(&entered), Arc::clone(&leave));
    let slow = async move || {
        marks.0.notify_one();
        marks.1.notified().await;
        "finished"
    };
    let routes = Router::new().route("/", get(slow)).route("/idle", get(async || "idle"));
    let served = serve(routes, ConnectionLimits::default(), CancellationToken::new()).await;
    let mut idle = connect(&served, "GET /idle HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut byte = [0];
    idle.read_exact(&mut byte).await.expect("answered");
    let running = connect(&served, ASK).await;
    entered.notified().await;
    served.stop.cancel();
    assert!(rest(idle).await.ends_with("idle"));
    leave.notify_one();
    assert!(rest(running).await.ends_with("finished"));
    served.ended.await.expect("it ends");
    assert!(TcpStream::connect(served.address).await.is_err());
}

#[tokio::test]
async fn e_13_requests_beyond_the_grace_time_are_aborted() {
    let entered = Arc::new(Notify::new());
    let mark = Arc::clone(&entered);
    let endless = async move || {
        mark.notify_one();
        std::future::pending::<&'static str>().await
    };
    let limits =
        ConnectionLimits { grace: Duration::from_millis(50), ..ConnectionLimits::default() };
    let routes = Router::new().route("/", get(endless));
    let served = serve(routes, limits, CancellationToken::new()).await;
    let stream = connect(&served, ASK).await;
    entered.notified().await;
    served.stop.cancel();
    served.ended.await.expect("it ends");
    assert_eq!(rest(stream).await, "");
}

#[tokio::test]
async fn e_13_event_streams_end_at_once() {
    let stop = CancellationToken::new();
    let ending = stop.clone();
    let events = async move || event_stream(None, stream::pending(), ending.clone());
    let limits =
        ConnectionLimits { grace: Duration::from_secs(3600), ..ConnectionLimits::default() };
    let routes = Router::new().route("/", get(events));
    let served = serve(routes, limits, stop).await;
    let mut stream = connect(&served, ASK).await;
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.expect("the stream began");
    served.stop.cancel();
    served.ended.await.expect("it ends");
    assert!(rest(stream).await.ends_with("0\r\n\r\n"));
}

/// Idle connections of one address leave slots for others.
#[tokio::test]
async fn issue_13_21_one_address_cannot_hold_all_connections() {
    let routes = Router::new().route("/", get(async || "hello"));
    let limits = ConnectionLimits { connections: 8, ..ConnectionLimits::default() };
    let served = serve(routes, limits, CancellationToken::new()).await;
    let mut held = Vec::new();
    for _ in 0..6 {
        let mut stream = connect(&served, ASK).await;
        let mut byte = [0];
        stream.read_exact(&mut byte).await.expect("within its share an address is answered");
        held.push(stream);
    }
    let refused = rest(connect(&served, "").await).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("throttled"), "{refused}");
    for header in ["opener", "resource"] {
        let header = format!("\r\ncross-origin-{header}-policy: same-origin\r\n");
        assert!(refused.contains(&header), "{header} in {refused}");
    }
    assert!(refused.contains("\r\nx-content-type-options: nosniff\r\n"), "{refused}");
    let elsewhere = tokio::net::TcpSocket::new_v4().expect("a socket");
    elsewhere.bind("127.0.0.2:0".parse().expect("an address")).expect("another loopback address");
    let mut other = elsewhere.connect(served.address).await.expect("connected");
    other.write_all(ASK_AND_CLOSE.as_bytes()).await.expect("sent");
    assert!(rest(other).await.ends_with("hello"), "another address finds a slot");
    drop(held);
}
