//! The wire format of server-sent events, byte by byte.

use std::time::Duration;

use thiserror::Error;

/// Far more than any event of ours; a sender that goes beyond is not one.
const LARGEST_FRAME: usize = 4 * 1024 * 1024;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// Where the stream is after this message; `None` if the message did not say.
    pub id: Option<String>,
    /// What kind of message; empty if it did not say.
    pub event: String,
    /// What it says.
    pub data: String,
}

/// A message that never ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a message is larger than {LARGEST_FRAME} bytes")]
pub struct FrameTooLarge;

/// Takes bytes as they come, in pieces of any size, and gives whole messages.
#[derive(Debug, Default)]
pub struct FrameReader {
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed now belongs to it.
    after_return: bool,
    id: Option<String>,
    event: String,
    data: Option<String>,
    retry: Option<Duration>,
    began: Option<String>,
}

impl FrameReader {
    /// Reads the next piece; answers the messages that are whole now.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Vec<Frame>, FrameTooLarge> {
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
                return Err(FrameTooLarge);
            }
        }
        Ok(frames)
    }

    /// How long the sender wants a client to wait before it connects again, if it said so.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Where the stream began, if the sender said so before the first message.
    pub fn began(&self) -> Option<&str> {
        self.began.as_deref()
    }

    fn end_line(&mut self) -> Option<Frame> {
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

    fn end_frame(&mut self) -> Option<Frame> {
        let (id, event) = (self.id.take(), std::mem::take(&mut self.event));
        let Some(data) = self.data.take() else {
            self.began = self.began.take().or(id);
            return None;
        };
        Some(Frame { id, event, data })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_2_where_the_stream_began_is_known_before_its_first_message() {
        let mut reader = FrameReader::default();
        let frames = reader.read(b"retry: 2000\nid: 1:6\n\nid: 1:7\ndata: x\n\n").expect("small");
        assert_eq!(frames.len(), 1);
        assert_eq!(reader.began(), Some("1:6"));
    }

    const STREAM: &str = "retry: 2000\n\n: still here\n\nid: 1:7\nevent: task.created\ndata: {\"t\":\"ä €\"}\n\n\
                          data: a\r\ndata:b\r\n\r\nevent: lost\n\nid:2\rdata\r\r";

    fn frame(id: Option<&str>, event: &str, data: &str) -> Frame {
        Frame { id: id.map(str::to_owned), event: event.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn s_2_frames_are_the_same_wherever_the_bytes_are_split() {
        let expected = [
            frame(Some("1:7"), "task.created", "{\"t\":\"ä €\"}"),
            frame(None, "", "a\nb"),
            frame(Some("2"), "", ""),
        ];
        for size in 1..=STREAM.len() {
            let mut reader = FrameReader::default();
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
        let mut reader = FrameReader::default();
        let piece = vec![b'x'; LARGEST_FRAME];
        assert_eq!(reader.read(&piece), Ok(Vec::new()));
        assert_eq!(reader.read(b"x"), Err(FrameTooLarge));
    }
}
