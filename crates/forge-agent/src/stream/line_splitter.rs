//! Splits bytes into lines and bounds the size of a line.

/// A line and how many of its bytes are omitted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StreamLine {
    pub(crate) text: String,
    pub(crate) omitted: u64,
}

/// Collects bytes until the end of a line. A line longer than `limit` keeps only its head.
#[derive(Debug)]
pub(crate) struct LineSplitter {
    held: Vec<u8>,
    omitted: u64,
    limit: usize,
}

/// How much of an overlong line is kept: it cannot be parsed any more, only shown.
const KEPT_HEAD_BYTES: usize = 4096;

impl LineSplitter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { held: Vec::new(), omitted: 0, limit }
    }

    /// Takes bytes and passes on every complete line.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(StreamLine)) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            if self.held.is_empty() && self.omitted == 0 && line.len() <= self.limit {
                each(StreamLine { text: text_of(line), omitted: 0 });
            } else {
                self.hold(line);
                each(self.take());
            }
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.hold(bytes);
    }

    /// The last line, if it had no line end.
    pub(crate) fn finish(&mut self) -> Option<StreamLine> {
        (!self.held.is_empty()).then(|| self.take())
    }

    fn hold(&mut self, bytes: &[u8]) {
        if self.omitted == 0 && self.held.len() + bytes.len() <= self.limit {
            self.held.extend_from_slice(bytes);
            return;
        }
        let room = KEPT_HEAD_BYTES.saturating_sub(self.held.len()).min(bytes.len());
        self.held.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let surplus = self.held.len().saturating_sub(KEPT_HEAD_BYTES);
        self.held.truncate(KEPT_HEAD_BYTES);
        self.held.shrink_to(KEPT_HEAD_BYTES);
        self.omitted += (surplus + bytes.len() - room) as u64;
    }

    fn take(&mut self) -> StreamLine {
        let bytes = std::mem::take(&mut self.held);
        StreamLine { text: text_of(&bytes), omitted: std::mem::take(&mut self.omitted) }
    }
}

fn text_of(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    String::from_utf8_lossy(line).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn all(chunks: &[&[u8]], limit: usize) -> Vec<(String, u64)> {
        let mut lines = LineSplitter::new(limit);
        let mut seen = Vec::new();
        for chunk in chunks {
            lines.push(chunk, |line| seen.push((line.text, line.omitted)));
        }
        seen.extend(lines.finish().map(|line| (line.text, line.omitted)));
        seen
    }

    #[test]
    fn e_5_half_lines_are_joined_and_bad_bytes_shown() {
        let seen = all(&[b"one\r\ntw", b"o\n\n", b"\xff\xfeend"], 100);
        let expected = [("one", 0), ("two", 0), ("", 0), ("\u{fffd}\u{fffd}end", 0)];
        assert_eq!(seen, expected.map(|(text, omitted)| (text.to_owned(), omitted)));
    }

    #[test]
    fn e_5_an_endless_line_is_bounded() {
        let block = vec![b'x'; 100_000];
        let mut lines = LineSplitter::new(1 << 20);
        for _ in 0..100 {
            lines.push(&block, |_| panic!("has no end yet"));
            assert!(lines.held.capacity() <= 4 << 20);
        }
        let mut seen = Vec::new();
        lines.push(b"\nnext\n", |line| seen.push(line));
        let [long, next] = seen.as_slice() else { panic!("two lines: {}", seen.len()) };
        assert_eq!(
            (long.text.len(), long.omitted),
            (KEPT_HEAD_BYTES, 10_000_000 - KEPT_HEAD_BYTES as u64)
        );
        assert_eq!((next.text.as_str(), next.omitted), ("next", 0));
    }
}
