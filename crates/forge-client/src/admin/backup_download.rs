//! The download of a database copy.

use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH};
use http::{Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use crate::api_client::ApiClient;
use crate::error::ClientError;

/// A server that sends nothing for longer is gone.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// A copy of the database, read piece by piece. An incomplete one ends with an error.
#[derive(Debug)]
pub struct BackupDownload {
    client: ApiClient,
    status: StatusCode,
    body: Incoming,
    name: Option<String>,
    expected: Option<u64>,
    received: u64,
}

impl BackupDownload {
    pub(crate) fn new(client: ApiClient, response: Response<Incoming>) -> Self {
        let (parts, body) = response.into_parts();
        let length = parts.headers.get(CONTENT_LENGTH);
        let expected = length.and_then(|length| length.to_str().ok()?.parse().ok());
        let disposition = parts.headers.get(CONTENT_DISPOSITION);
        let name = disposition.and_then(|value| read_file_name(value.to_str().ok()?));
        Self { client, status: parts.status, body, name, expected, received: 0 }
    }

    /// The name that the server suggests for the file.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The next piece; `None` once the whole copy has arrived.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ClientError> {
        loop {
            let read = tokio::time::timeout(LONGEST_SILENCE, self.body.frame()).await;
            let frame = read.map_err(|_| ClientError::Timeout {
                url: self.client.url().to_string(),
                after: LONGEST_SILENCE,
            })?;
            let Some(frame) = frame else { return self.check_complete().map(|()| None) };
            let frame =
                frame.map_err(|error| ClientError::from_body_error(self.client.url(), &error))?;
            // Trailers contain nothing for this client.
            if let Ok(bytes) = frame.into_data() {
                self.received += bytes.len() as u64;
                return Ok(Some(bytes));
            }
        }
    }

    fn check_complete(&self) -> Result<(), ClientError> {
        match self.expected {
            Some(expected) if expected == self.received => Ok(()),
            _ => Err(self.client.unexpected_answer(
                self.status,
                format!("the copy is incomplete: {} bytes arrived", self.received),
            )),
        }
    }
}

/// The file name in a header. A name that could lead to another directory, or hide the file, is ignored.
fn read_file_name(header: &str) -> Option<String> {
    let (_, rest) = header.split_once("filename=\"")?;
    let (name, _) = rest.split_once('"')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_safe = !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain);
    is_safe.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_6_a_suggested_name_stays_in_its_directory() {
        let read = |name: &str| read_file_name(&format!("attachment; filename=\"{name}\""));
        assert_eq!(read("forge-1.db").as_deref(), Some("forge-1.db"));
        for name in ["../x", "/etc/passwd", ".hidden", "", "a b", "a/../b"] {
            assert_eq!(read(name), None, "{name}");
        }
    }
}
