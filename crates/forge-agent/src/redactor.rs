//! Keeps secrets out of logs (E-5): known values, and whatever has the shape of a token.

use crate::beginnings::Beginnings;

const MASK: &[u8] = b"[redacted]";
/// Shorter values would be found everywhere.
const SHORTEST: usize = 6;
/// How long something may be undecided.
const LONGEST_HELD: usize = 8 * 1024;
const KEY_BEGINS: &[u8] = b"-----BEGIN ";
const KEY_ENDS: &[u8] = b"PRIVATE KEY-----";
/// Nobody's private key is longer; what follows is no key.
const LONGEST_KEY: usize = 16 * 1024;

/// A kind of token: how it begins, and how many more characters it has at least.
#[derive(Debug)]
struct Shape {
    prefix: &'static [u8],
    least: usize,
    dots: usize,
}

const fn shape(prefix: &'static str, least: usize) -> Shape {
    Shape { prefix: prefix.as_bytes(), least, dots: 0 }
}

/// Longer prefixes stand before those they begin with.
const SHAPES: [Shape; 21] = [
    shape("sk-ant-", 16),
    shape("sk-proj-", 16),
    shape("sk-", 20),
    shape("github_pat_", 20),
    shape("ghp_", 20),
    shape("gho_", 20),
    shape("ghu_", 20),
    shape("ghs_", 20),
    shape("ghr_", 20),
    shape("glpat-", 16),
    shape("xoxb-", 16),
    shape("xoxp-", 16),
    shape("xoxa-", 16),
    shape("npm_", 30),
    shape("hf_", 30),
    shape("AKIA", 16),
    shape("ASIA", 16),
    shape("AIza", 30),
    shape("sgamp_", 20),
    // Forge's own.
    shape("fg_", 40),
    Shape { prefix: b"eyJ", least: 30, dots: 2 },
];

/// Replaces secrets in a stream of bytes, however it is cut.
#[derive(Debug)]
pub struct Redactor {
    /// Longest first, so that a value which begins like a shorter one is found whole.
    values: Vec<Vec<u8>>,
    begins: Beginnings,
    held: Vec<u8>,
    /// The last two bytes before those held.
    before: [u8; 2],
    state: State,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Plain,
    /// The rest of a token whose mask is already written.
    Token {
        dots: bool,
    },
    /// The rest of a private key; how much of it has passed.
    Key(usize),
}

/// What stands at a place.
enum Found {
    Nothing,
    /// Only later bytes can tell.
    Undecided,
    /// A secret, so many bytes of it so far, and what comes after.
    Secret(usize, State),
}

impl Redactor {
    /// A redactor of these values and of token shapes. Values of less than 6 bytes are left out: they would be found
    /// everywhere.
    pub fn new<I>(values: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut known: Vec<Vec<u8>> = Vec::new();
        for value in values {
            let value = value.as_ref();
            // In a JSON stream the value stands as JSON writes it.
            let escaped = serde_json::Value::from(value).to_string();
            let inner = escaped.trim_matches('"').as_bytes().to_vec();
            known.extend([value.as_bytes().to_vec(), inner]);
        }
        known.retain(|value| value.len() >= SHORTEST);
        known.sort_by(|one, two| two.len().cmp(&one.len()).then_with(|| one.cmp(two)));
        known.dedup();
        let firsts = known.iter().map(Vec::as_slice).chain(SHAPES.iter().map(|shape| shape.prefix));
        let begins = Beginnings::of(firsts.chain([KEY_BEGINS]));
        Self { values: known, begins, held: Vec::new(), before: [0; 2], state: State::Plain }
    }

    /// Takes bytes and appends to `out` all that can be told apart already.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.held.extend_from_slice(bytes);
        self.work(out, false);
    }

    /// Appends what was held back; the stream is over.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        self.work(out, true);
    }

    /// A whole text at once.
    pub fn redact(self, text: &str) -> String {
        let mut out = Vec::with_capacity(text.len());
        let mut stream = self;
        stream.push(text.as_bytes(), &mut out);
        stream.finish(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    fn work(&mut self, out: &mut Vec<u8>, last: bool) {
        let held = std::mem::take(&mut self.held);
        let mut rest = held.as_slice();
        while let Some((&byte, tail)) = rest.split_first() {
            match self.state {
                State::Token { dots } if is_token(byte, dots) => {
                    self.pass(byte);
                    rest = tail;
                    continue;
                }
                State::Token { .. } => self.state = State::Plain,
                State::Key(passed) if passed < LONGEST_KEY => {
                    if rest.starts_with(KEY_ENDS) {
                        rest = rest.get(KEY_ENDS.len()..).unwrap_or_default();
                        self.state = State::Plain;
                        self.before = *b"--";
                        continue;
                    }
                    if !last && KEY_ENDS.starts_with(rest) {
                        break;
                    }
                    self.state = State::Key(passed + 1);
                    rest = tail;
                    continue;
                }
                State::Key(_) => self.state = State::Plain,
                State::Plain => {}
            }
            let free = self.begins.free(rest);
            if let Some((passed, others)) = rest.split_at_checked(free).filter(|_| free > 0) {
                out.extend_from_slice(passed);
                self.pass_all(passed);
                rest = others;
                continue;
            }
            match self.look(rest, last) {
                Found::Nothing => {
                    out.push(byte);
                    self.pass(byte);
                    rest = tail;
                }
                Found::Undecided => break,
                Found::Secret(length, state) => {
                    out.extend_from_slice(MASK);
                    self.state = state;
                    self.before = [0, b'x'];
                    rest = rest.get(length..).unwrap_or_default();
                }
            }
        }
        self.held = rest.to_vec();
    }

    fn pass(&mut self, byte: u8) {
        self.before = [self.before[1], byte];
    }

    fn pass_all(&mut self, bytes: &[u8]) {
        for byte in bytes.get(bytes.len().saturating_sub(2)..).unwrap_or_default() {
            self.pass(*byte);
        }
    }

    fn look(&self, rest: &[u8], last: bool) -> Found {
        for value in &self.values {
            if rest.starts_with(value) {
                return Found::Secret(value.len(), State::Plain);
            }
            if !last && value.starts_with(rest) {
                return Found::Undecided;
            }
        }
        if let Some(found) = key(rest, last) {
            return found;
        }
        if self.inside_word() {
            return Found::Nothing;
        }
        SHAPES.iter().find_map(|shape| shape.look(rest, last)).unwrap_or(Found::Nothing)
    }

    /// Whether what stands here goes on from a word: `task-…` holds no token. The `n` of an escaped line end is no word.
    fn inside_word(&self) -> bool {
        let [earlier, previous] = self.before;
        let escape = earlier == b'\\' && b"nrtbf".contains(&previous);
        previous.is_ascii_alphanumeric() && !escape
    }
}

impl Shape {
    fn look(&self, rest: &[u8], last: bool) -> Option<Found> {
        let Some(body) = rest.strip_prefix(self.prefix) else {
            return (!last && self.prefix.starts_with(rest)).then_some(Found::Undecided);
        };
        let (mut length, mut dots) = (0, 0);
        for &byte in body.iter().take(LONGEST_HELD) {
            if length >= self.least && dots >= self.dots {
                break;
            }
            if !is_token(byte, self.dots > 0) {
                return None;
            }
            dots += usize::from(byte == b'.');
            length += 1;
        }
        if length >= self.least && dots >= self.dots {
            let state = State::Token { dots: self.dots > 0 };
            return Some(Found::Secret(self.prefix.len() + length, state));
        }
        (!last && body.len() < LONGEST_HELD).then_some(Found::Undecided)
    }
}

fn key(rest: &[u8], last: bool) -> Option<Found> {
    let Some(body) = rest.strip_prefix(KEY_BEGINS) else {
        return (!last && KEY_BEGINS.starts_with(rest)).then_some(Found::Undecided);
    };
    for start in 0..=body.len().min(32) {
        let here = body.get(start..).unwrap_or_default();
        if here.starts_with(KEY_ENDS) {
            let length = KEY_BEGINS.len() + start + KEY_ENDS.len();
            return Some(Found::Secret(length, State::Key(0)));
        }
        if !last && KEY_ENDS.starts_with(here) {
            return Some(Found::Undecided);
        }
        if !here.first().is_some_and(|byte| byte.is_ascii_uppercase() || *byte == b' ') {
            break;
        }
    }
    None
}

fn is_token(byte: u8, dots: bool) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || (dots && byte == b'.')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use proptest::prelude::*;

    const VALUES: [&str; 4] = ["hunter2-hunter2", "hunter2", "line\nbreak\"quote", "abc"];

    fn pieces(text: &[u8], cuts: &[usize]) -> Vec<u8> {
        let mut redactor = Redactor::new(VALUES);
        let mut out = Vec::new();
        let mut start = 0;
        for &cut in cuts {
            redactor.push(&text[start..cut], &mut out);
            start = cut;
        }
        redactor.push(&text[start..], &mut out);
        redactor.finish(&mut out);
        out
    }

    fn redacted(text: &str) -> String {
        Redactor::new(VALUES).redact(text)
    }

    fn sample() -> String {
        let letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";
        format!(
            "x=hunter2-hunter2; y=hunter2.\nkey sk-ant-api03-{letters} and \\nghp_{letters}\" task-{letters}\n\
             jwt eyJ{letters}.eyJ{letters}.{letters}-x end\n\
             -----BEGIN RSA PRIVATE KEY-----\\nMII{letters}\\n-----END RSA PRIVATE KEY-----\\nafter\n\
             -----BEGIN CERTIFICATE-----\n eyJonly AKIA1 abc \"line\\nbreak\\\"quote\" hunter"
        )
    }

    #[test]
    fn e_5_values_and_token_shapes_are_replaced() {
        let letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";
        let expected = format!(
            "x=[redacted]; y=[redacted].\nkey [redacted] and \\n[redacted]\" task-{letters}\n\
             jwt [redacted] end\n\
             [redacted]\\nafter\n\
             -----BEGIN CERTIFICATE-----\n eyJonly AKIA1 abc \"[redacted]\" hunter"
        );
        assert_eq!(redacted(&sample()), expected);
    }

    #[test]
    fn e_5_a_secret_cut_anywhere_is_found() {
        let text = sample();
        let whole = redacted(&text).into_bytes();
        for cut in 0..=text.len() {
            assert_eq!(pieces(text.as_bytes(), &[cut]), whole, "cut at {cut}");
        }
        let every: Vec<usize> = (0..text.len()).collect();
        assert_eq!(pieces(text.as_bytes(), &every), whole);
    }

    #[test]
    fn e_5_an_endless_token_is_not_held() {
        let mut redactor = Redactor::new(VALUES);
        let mut out = Vec::new();
        redactor.push(b"sk-", &mut out);
        for _ in 0..1000 {
            redactor.push(&[b'a'; 1000], &mut out);
            assert!(redactor.held.len() <= LONGEST_HELD + 1000);
        }
        redactor.push(b" end", &mut out);
        redactor.finish(&mut out);
        assert_eq!(out, b"[redacted] end");
        let mut redactor = Redactor::new(VALUES);
        let mut out = Vec::new();
        redactor.push(b"eyJ", &mut out);
        redactor.push(&[b'a'; 100_000], &mut out);
        redactor.finish(&mut out);
        assert_eq!(out.len(), 100_003, "no dots: not a token");
    }

    proptest! {
        #[test]
        fn e_5_cutting_never_changes_the_result(
            parts in proptest::collection::vec("(hunter2|hunt|sk-|-|ghp_[a-z]{18,24}|eyJ|[a-z.]{0,30}|\\\\n| |-----BEGIN |PRIVATE KEY-----)", 0..12),
            seed in any::<prop::sample::Index>(),
        ) {
            let text = parts.concat();
            let cut = seed.index(text.len() + 1);
            prop_assert_eq!(pieces(text.as_bytes(), &[cut]), redacted(&text).into_bytes());
        }
    }
}
