//! The wire format of server-sent events, byte by byte.

use std::time::Duration;

use thiserror::Error;

/// Far more than any Forge event; a larger one means that the sender is not Forge.
const LARGEST_FRAME: usize = 4 * 1024 * 1024;

/// One server-sent event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SseFrame {
    /// Stream position after this event; `None` if the event has no id.
    pub(crate) id: Option<String>,
    /// Type of the event; empty if it has none.
    pub(crate) event: String,
    /// Data of the event.
    pub(crate) data: String,
}

/// An event exceeds the size limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a message is larger than {LARGEST_FRAME} bytes")]
pub(crate) struct FrameSizeError;

/// Parses bytes in pieces of any size into complete events.
#[derive(Debug, Default)]
pub(crate) struct SseFrameReader {
    line: Vec<u8>,
    /// Whether the last byte was a carriage return, so that a line feed now belongs to it.
    after_return: bool,
    id: Option<String>,
    event: String,
    data: Option<String>,
    retry: Option<Duration>,
    began: Option<String>,
}

impl SseFrameReader {
    /// Parses the next piece and returns the events that are complete now.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<Vec<SseFrame>, FrameSizeError> {
        let mut frames = Vec::new();
        for &byte in bytes {
            let joined = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                b'\n' if joined => {}
                b'\n' | b'\r' => frames.extend(self.end_line()),
                _ => self.line.push(byte),
            }
            let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
            if held > LARGEST_FRAME {
                return Err(FrameSizeError);
            }
        }
        Ok(frames)
    }

    /// How long the sender asks a client to wait before it reconnects, if it said so.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Start position of the stream, if the sender gave one before the first event.
    pub(crate) fn start_id(&self) -> Option<&str> {
        self.began.as_deref()
    }

    fn end_line(&mut self) -> Option<SseFrame> {
        let bytes = std::mem::take(&mut self.line);
        if bytes.is_empty() {
            return self.end_frame();
        }
        let line = String::from_utf8_lossy(&bytes);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "event" => value.clone_into(&mut self.event),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "retry" => self.retry = value.parse().map(Duration::from_millis).ok().or(self.retry),
            _ => {}
        }
        None
    }

    fn end_frame(&mut self) -> Option<SseFrame> {
        let (id, event) = (self.id.take(), std::mem::take(&mut self.event));
        let Some(data) = self.data.take() else {
            self.began = self.began.take().or(id);
            return None;
        };
        Some(SseFrame { id, event, data })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_2_the_start_position_is_known_before_the_first_message() {
        let mut reader = SseFrameReader::default();
        let frames = reader.read(b"retry: 2000\nid: 1:6\n\nid: 1:7\ndata: x\n\n").expect("small");
        assert_eq!(frames.len(), 1);
        assert_eq!(reader.start_id(), Some("1:6"));
    }

    const STREAM: &str = "retry: 2000\n\n: still here\n\nid: 1:7\nevent: task.created\ndata: {\"t\":\"ä €\"}\n\n\
                          data: a\r\ndata:b\r\n\r\nevent: lost\n\nid:2\rdata\r\r";

    fn frame(id: Option<&str>, event: &str, data: &str) -> SseFrame {
        SseFrame { id: id.map(str::to_owned), event: event.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn s_2_frames_are_the_same_wherever_the_bytes_are_split() {
        let expected = [
            frame(Some("1:7"), "task.created", "{\"t\":\"ä €\"}"),
            frame(None, "", "a\nb"),
            frame(Some("2"), "", ""),
        ];
        for size in 1..=STREAM.len() {
            let mut reader = SseFrameReader::default();
            let frames: Vec<_> = STREAM
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| reader.read(piece).expect("small frames"))
                .collect();
            assert_eq!(frames, expected, "in pieces of {size}");
            assert_eq!(reader.retry(), Some(Duration::from_secs(2)));
        }
    }

    #[test]
    fn a_message_without_end_is_refused() {
        let mut reader = SseFrameReader::default();
        let piece = vec![b'x'; LARGEST_FRAME];
        assert_eq!(reader.read(&piece), Ok(Vec::new()));
        assert_eq!(reader.read(b"x"), Err(FrameSizeError));
    }
}
