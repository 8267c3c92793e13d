//! An HTTP client with one connection that stays open.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::bench_error::BenchError;

/// The token of the first admin of a measured server.
pub(crate) const TOKEN: &str = "fg_the-token-of-the-first-admin-of-a-bench";

/// A client with its connection.
#[derive(Debug)]
pub(crate) struct HttpClient {
    address: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
}

impl HttpClient {
    pub(crate) async fn connect(address: SocketAddr) -> Result<Self, BenchError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Self { address, sender })
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn call(
        &mut self,
        method: Method,
        path: &str,
        body: Option<Bytes>,
    ) -> Result<(StatusCode, Bytes), BenchError> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.address.to_string())
            .header("authorization", format!("Bearer {TOKEN}"))
            .header("content-type", "application/json")
            .body(Full::new(body.unwrap_or_default()))?;
        if self.sender.ready().await.is_err() {
            // The server closes idle connections.
            *self = Self::connect(self.address).await?;
            self.sender.ready().await?;
        }
        let (head, body) = self.sender.send_request(request).await?.into_parts();
        Ok((head.status, body.collect().await?.to_bytes()))
    }

    /// Creates a resource, and returns it.
    pub(crate) async fn create(&mut self, path: &str, body: &Value) -> Result<Value, BenchError> {
        let body = Some(Bytes::from(body.to_string()));
        let (status, answer) = self.call(Method::POST, path, body).await?;
        if status != StatusCode::CREATED {
            let said = String::from_utf8_lossy(&answer);
            return Err(format!("POST {path} answered {status}: {said}").into());
        }
        Ok(serde_json::from_slice(&answer)?)
    }
}
