//! A filter by the first two bytes of patterns: most of a stream is skipped without a full comparison.

const WORDS: usize = 256 * 256 / 64;

/// The first two bytes of a set of patterns.
#[derive(Debug)]
pub(crate) struct PrefixFilter {
    /// One bit for each pair.
    pairs: Vec<u64>,
    firsts: Box<[bool; 256]>,
}

impl PrefixFilter {
    /// Builds the filter for these patterns, each of at least two bytes.
    pub(crate) fn new<'p>(patterns: impl Iterator<Item = &'p [u8]>) -> Self {
        let (mut pairs, mut firsts) = (vec![0; WORDS], Box::new([false; 256]));
        for pattern in patterns {
            if let [one, two, ..] = pattern
                && let Some(first) = firsts.get_mut(usize::from(*one))
                && let Some(word) = pairs.get_mut(bit_position(*one, *two) / 64)
            {
                *first = true;
                *word |= 1 << (bit_position(*one, *two) % 64);
            }
        }
        Self { pairs, firsts }
    }

    /// How many bytes precede the first position where a pattern may begin. The last byte alone may begin one.
    pub(crate) fn skippable_len(&self, bytes: &[u8]) -> usize {
        let begun = bytes.windows(2).position(|pair| match pair {
            [one, two] => self.has(*one, *two),
            _ => false,
        });
        begun.unwrap_or_else(|| {
            let last = bytes.last().and_then(|last| self.firsts.get(usize::from(*last)));
            bytes.len() - usize::from(last.is_some_and(|first| *first))
        })
    }

    fn has(&self, one: u8, two: u8) -> bool {
        let place = bit_position(one, two);
        self.pairs.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

fn bit_position(one: u8, two: u8) -> usize {
    usize::from(one) << 8 | usize::from(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_5_positions_where_no_pattern_begins_are_skipped() {
        let begins = PrefixFilter::new([b"sk-".as_slice(), b"\xff\xffx"].into_iter());
        for (bytes, free) in [
            (b"".as_slice(), 0),
            (b"plain words ask", 13),
            (b"plain words", 10),
            (b"plain word", 10),
            (b"sk", 0),
            (b"s", 0),
            (b"\xfe\xff\xff", 1),
        ] {
            assert_eq!(begins.skippable_len(bytes), free, "{bytes:?}");
        }
    }
}
