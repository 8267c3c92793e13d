//! Bytes into lines, with a bound on what one line may hold.

/// A line and how much of it is missing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) omitted: u64,
}

/// Collects a line until its end comes. A line longer than `limit` keeps its head only.
#[derive(Debug)]
pub(super) struct Lines {
    held: Vec<u8>,
    omitted: u64,
    limit: usize,
}

/// What of an overlong line is worth keeping: it cannot be parsed any more, only shown.
const HEAD: usize = 4096;

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { held: Vec::new(), omitted: 0, limit }
    }

    /// Takes bytes and hands out every line they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line)) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            if self.held.is_empty() && self.omitted == 0 && line.len() <= self.limit {
                each(Line { text: text_of(line), omitted: 0 });
            } else {
                self.hold(line);
                each(self.take());
            }
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.hold(bytes);
    }

    /// The last line, if it had no end.
    pub(super) fn finish(&mut self) -> Option<Line> {
        (!self.held.is_empty()).then(|| self.take())
    }

    fn hold(&mut self, bytes: &[u8]) {
        if self.omitted == 0 && self.held.len() + bytes.len() <= self.limit {
            self.held.extend_from_slice(bytes);
            return;
        }
        let room = HEAD.saturating_sub(self.held.len()).min(bytes.len());
        self.held.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let surplus = self.held.len().saturating_sub(HEAD);
        self.held.truncate(HEAD);
        self.held.shrink_to(HEAD);
        self.omitted += (surplus + bytes.len() - room) as u64;
    }

    fn take(&mut self) -> Line {
        let bytes = std::mem::take(&mut self.held);
        Line { text: text_of(&bytes), omitted: std::mem::take(&mut self.omitted) }
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
        let mut lines = Lines::new(limit);
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
        let mut lines = Lines::new(1 << 20);
        for _ in 0..100 {
            lines.push(&block, |_| panic!("has no end yet"));
            assert!(lines.held.capacity() <= 4 << 20);
        }
        let mut seen = Vec::new();
        lines.push(b"\nnext\n", |line| seen.push(line));
        let [long, next] = seen.as_slice() else { panic!("two lines: {}", seen.len()) };
        assert_eq!((long.text.len(), long.omitted), (HEAD, 10_000_000 - HEAD as u64));
        assert_eq!((next.text.as_str(), next.omitted), ("next", 0));
    }
}
