//! A proxy between a client and a real server, for what happens in the middle of a request or between two requests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Passes connections on, and runs a function once, in the middle of the first request that contains a text.
#[derive(Debug)]
pub struct InterceptingProxy {
    url: String,
}

/// How much of the intercepted request reaches the server before the function runs; the rest follows after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassedOn {
    Nothing,
    Half,
    Everything,
}

impl PassedOn {
    fn of(self, length: usize) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Half => length / 2,
            Self::Everything => length,
        }
    }
}

impl InterceptingProxy {
    /// Starts a proxy for the server at this URL. Its threads end with the process of the test.
    pub fn start(
        server: &str,
        text: &str,
        passed_on: PassedOn,
        function: impl FnOnce() + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let server = server.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let (text, function) = (text.to_owned(), Arc::new(Mutex::new(Some(function))));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(upstream) = TcpStream::connect(&server) else { continue };
                let (answers, to_client) = (clone(&upstream), clone(&client));
                std::thread::spawn(move || forward(answers, to_client, |_, _| {}));
                let (text, function) = (text.clone(), Arc::clone(&function));
                std::thread::spawn(move || {
                    forward(client, upstream, |bytes, upstream| {
                        if !String::from_utf8_lossy(bytes).contains(&text) {
                            return;
                        }
                        let function = function.lock().expect("no holder panics").take();
                        if let Some(function) = function {
                            let first = bytes.drain(..passed_on.of(bytes.len()));
                            upstream.write_all(first.as_slice()).expect("the server listens");
                            drop(first);
                            function();
                        }
                    });
                });
            }
        });
        Self { url }
    }

    /// The address for the client.
    pub fn url(&self) -> &str {
        &self.url
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a handle of the same connection")
}

/// Copies until either side ends the connection. `before` sees each part before it is written, and can shorten it.
fn forward(mut from: TcpStream, mut to: TcpStream, before: impl Fn(&mut Vec<u8>, &mut TcpStream)) {
    let mut buffer = [0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut bytes = buffer[..count].to_vec();
        before(&mut bytes, &mut to);
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    // The other side may have closed the connection already.
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
