//! Which two bytes something can begin with: most of a stream is passed by at a glance.

const WORDS: usize = 256 * 256 / 64;

/// The first two bytes of some patterns.
#[derive(Debug)]
pub(crate) struct Beginnings {
    /// A bit for each pair.
    pairs: Vec<u64>,
    firsts: Box<[bool; 256]>,
}

impl Beginnings {
    /// Those of these patterns, each of two bytes at least.
    pub(crate) fn of<'p>(patterns: impl Iterator<Item = &'p [u8]>) -> Self {
        let (mut pairs, mut firsts) = (vec![0; WORDS], Box::new([false; 256]));
        for pattern in patterns {
            if let [one, two, ..] = pattern
                && let Some(first) = firsts.get_mut(usize::from(*one))
                && let Some(word) = pairs.get_mut(place(*one, *two) / 64)
            {
                *first = true;
                *word |= 1 << (place(*one, *two) % 64);
            }
        }
        Self { pairs, firsts }
    }

    /// How many bytes there are before the first place where a pattern may begin. The last byte alone may be one.
    pub(crate) fn free(&self, bytes: &[u8]) -> usize {
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
        let place = place(one, two);
        self.pairs.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

fn place(one: u8, two: u8) -> usize {
    usize::from(one) << 8 | usize::from(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_5_only_where_a_pattern_may_begin_is_looked() {
        let begins = Beginnings::of([b"sk-".as_slice(), b"\xff\xffx"].into_iter());
        for (bytes, free) in [
            (b"".as_slice(), 0),
            (b"plain words ask", 13),
            (b"plain words", 10),
            (b"plain word", 10),
            (b"sk", 0),
            (b"s", 0),
            (b"\xfe\xff\xff", 1),
        ] {
            assert_eq!(begins.free(bytes), free, "{bytes:?}");
        }
    }
}
