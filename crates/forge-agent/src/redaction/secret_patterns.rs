//! The search for positions where a secret may begin: known values, and prefixes of tokens and private keys.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind, StartKind};

/// Known values and prefixes in one automaton.
#[derive(Debug)]
pub(crate) struct SecretPatterns {
    automaton: AhoCorasick,
    /// Sorted, so that a search by prefix is a binary search.
    values: Vec<Vec<u8>>,
    prefixes: Vec<&'static [u8]>,
}

impl SecretPatterns {
    pub(crate) fn new(mut values: Vec<Vec<u8>>, prefixes: Vec<&'static [u8]>) -> Self {
        // The first pattern wins: the longest value before its own prefixes, and each value before a token's prefix.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        let patterns = values.iter().map(Vec::as_slice).chain(prefixes.iter().copied());
        #[expect(
            clippy::expect_used,
            reason = "fails only above 2^31 states; output without redaction would be worse"
        )]
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .start_kind(StartKind::Both)
            // Each running execution has a redactor, and a DFA takes many times the memory.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(patterns)
            .expect("the patterns fit into an automaton");
        values.sort_unstable();
        values.dedup();
        Self { automaton, values, prefixes }
    }

    /// How many bytes precede the first complete pattern; all of them if there is none.
    pub(crate) fn complete_pattern_offset(&self, bytes: &[u8]) -> usize {
        self.automaton.find(bytes).map_or(bytes.len(), |found| found.start())
    }

    /// How many bytes at the end begin a pattern that the next bytes may complete.
    pub(crate) fn unfinished_len(&self, bytes: &[u8]) -> usize {
        let longest = bytes.len().min(self.automaton.max_pattern_len().saturating_sub(1));
        let begins_pattern = |&len: &usize| {
            let tail = bytes.get(bytes.len() - len..).unwrap_or_default();
            self.begins_longer_value(tail)
                || self.prefixes.iter().any(|prefix| prefix.starts_with(tail))
        };
        (1..=longest).rev().find(begins_pattern).unwrap_or(0)
    }

    /// Whether a value begins with these bytes and continues after them.
    pub(crate) fn begins_longer_value(&self, bytes: &[u8]) -> bool {
        let next = self.values.partition_point(|value| value.as_slice() <= bytes);
        self.values.get(next).is_some_and(|value| value.starts_with(bytes))
    }

    /// The length of the longest value at the beginning of the bytes.
    pub(crate) fn value_len_at(&self, bytes: &[u8]) -> Option<usize> {
        let found = self.automaton.find(Input::new(bytes).anchored(Anchored::Yes))?;
        let length = found.len();
        let text = bytes.get(..length)?;
        self.values.binary_search_by(|value| value.as_slice().cmp(text)).is_ok().then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns() -> SecretPatterns {
        let values = [b"hunter2".as_slice(), b"hunter2-hunter2", b"\xff\xffx", b"sk-ant"];
        SecretPatterns::new(values.map(<[u8]>::to_vec).into(), vec![b"sk-", b"sk-ant-"])
    }

    #[test]
    fn e_5_positions_where_no_pattern_begins_are_skipped() {
        for (bytes, complete, unfinished) in [
            (b"".as_slice(), 0, 0),
            (b"plain words ask", 15, 2),
            (b"plain words", 11, 1),
            (b"plain word", 10, 0),
            (b"a task-", 4, 3),
            (b"say hunter2", 4, 7),
            (b"say hunter2-hunter2", 4, 7),
            (b"\xfe\xff\xff", 3, 2),
        ] {
            assert_eq!(patterns().complete_pattern_offset(bytes), complete, "{bytes:?}");
            assert_eq!(patterns().unfinished_len(bytes), unfinished, "{bytes:?}");
        }
    }

    #[test]
    fn e_5_the_longest_value_is_found_and_precedes_a_prefix() {
        for (bytes, length) in [
            (b"hunter2-hunter2-".as_slice(), Some(15)),
            (b"hunter2-hunt", Some(7)),
            (b"sk-ant-", Some(6)),
            (b"sk-an", None),
            (b" hunter2", None),
        ] {
            assert_eq!(patterns().value_len_at(bytes), length, "{bytes:?}");
        }
        assert!(patterns().begins_longer_value(b"hunter2"));
        assert!(!patterns().begins_longer_value(b"hunter2-hunter2"));
    }
}
