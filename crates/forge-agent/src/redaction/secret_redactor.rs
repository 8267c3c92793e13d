//! Keeps secrets out of logs (E-5): known values, and text with the shape of a token.

use crate::redaction::secret_patterns::SecretPatterns;

const MASK: &[u8] = b"[redacted]";
/// Shorter values would match too often.
const SHORTEST_VALUE: usize = 6;
/// How many bytes may be held back undecided.
const LONGEST_HELD: usize = 8 * 1024;
const KEY_BEGINS: &[u8] = b"-----BEGIN ";
const KEY_ENDS: &[u8] = b"PRIVATE KEY-----";
/// No private key is longer; a longer text is not a key.
const LONGEST_KEY: usize = 16 * 1024;

/// A kind of token: its prefix, and the minimum number of further characters.
#[derive(Debug)]
struct TokenShape {
    prefix: &'static [u8],
    least: usize,
    dots: usize,
}

const fn token_shape(prefix: &'static str, least: usize) -> TokenShape {
    TokenShape { prefix: prefix.as_bytes(), least, dots: 0 }
}

/// Longer prefixes come before their own prefixes.
const SHAPES: [TokenShape; 21] = [
    token_shape("sk-ant-", 16),
    token_shape("sk-proj-", 16),
    token_shape("sk-", 20),
    token_shape("github_pat_", 20),
    token_shape("ghp_", 20),
    token_shape("gho_", 20),
    token_shape("ghu_", 20),
    token_shape("ghs_", 20),
    token_shape("ghr_", 20),
    token_shape("glpat-", 16),
    token_shape("xoxb-", 16),
    token_shape("xoxp-", 16),
    token_shape("xoxa-", 16),
    token_shape("npm_", 30),
    token_shape("hf_", 30),
    token_shape("AKIA", 16),
    token_shape("ASIA", 16),
    token_shape("AIza", 30),
    token_shape("sgamp_", 20),
    // Forge's own tokens.
    token_shape("fg_", 40),
    TokenShape { prefix: b"eyJ", least: 30, dots: 2 },
];

/// Replaces secrets in a stream of bytes, however it is split into chunks.
#[derive(Debug)]
pub struct SecretRedactor {
    patterns: SecretPatterns,
    held: Vec<u8>,
    /// The last two bytes before those held.
    before: [u8; 2],
    state: RedactorState,
}

#[derive(Debug, Clone, Copy)]
enum RedactorState {
    Plain,
    /// The rest of a token whose mask is already written.
    Token {
        dots: bool,
    },
    /// The rest of a private key, and how many of its bytes have passed.
    Key(usize),
}

/// Result of matching at one position.
enum SecretMatch {
    Nothing,
    /// More bytes are needed.
    Undecided,
    /// A secret: its length so far, and the state after it.
    Secret(usize, RedactorState),
}

impl SecretRedactor {
    /// A redactor for these values and for token shapes. Values shorter than 6 bytes are ignored: they would match
    /// too often.
    pub fn new<I>(values: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut known: Vec<Vec<u8>> = Vec::new();
        for value in values {
            let value = value.as_ref();
            // A JSON stream contains the value in its JSON encoding.
            let escaped = serde_json::Value::from(value).to_string();
            let inner = escaped.trim_matches('"').as_bytes().to_vec();
            known.extend([value.as_bytes().to_vec(), inner]);
        }
        known.retain(|value| value.len() >= SHORTEST_VALUE);
        let prefixes = SHAPES.iter().map(|shape| shape.prefix).chain([KEY_BEGINS]).collect();
        Self {
            patterns: SecretPatterns::new(known, prefixes),
            held: Vec::new(),
            before: [0; 2],
            state: RedactorState::Plain,
        }
    }

    /// Takes bytes and appends everything decided so far to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.held.extend_from_slice(bytes);
        self.process(out, false);
    }

    /// Appends the bytes held back; the stream is over.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        self.process(out, true);
    }

    /// Redacts a whole text.
    pub fn redact(self, text: &str) -> String {
        let mut out = Vec::with_capacity(text.len());
        let mut stream = self;
        stream.push(text.as_bytes(), &mut out);
        stream.finish(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    fn process(&mut self, out: &mut Vec<u8>, last: bool) {
        let held = std::mem::take(&mut self.held);
        let mut rest = held.as_slice();
        // Length of the end of the bytes that more bytes may complete to a pattern; the end of the stream has none.
        let mut unfinished = if last { 0 } else { self.patterns.unfinished_len(rest) };
        while let Some((&byte, tail)) = rest.split_first() {
            match self.state {
                RedactorState::Token { dots } if is_token_byte(byte, dots) => {
                    self.remember(byte);
                    rest = tail;
                    continue;
                }
                RedactorState::Token { .. } => self.state = RedactorState::Plain,
                RedactorState::Key(passed) if passed < LONGEST_KEY => {
                    if rest.starts_with(KEY_ENDS) {
                        rest = rest.get(KEY_ENDS.len()..).unwrap_or_default();
                        self.state = RedactorState::Plain;
                        self.before = *b"--";
                        continue;
                    }
                    if !last && KEY_ENDS.starts_with(rest) {
                        break;
                    }
                    self.state = RedactorState::Key(passed + 1);
                    rest = tail;
                    continue;
                }
                RedactorState::Key(_) => self.state = RedactorState::Plain,
                RedactorState::Plain => {}
            }
            if unfinished > rest.len() {
                unfinished = self.patterns.unfinished_len(rest);
            }
            let free = self.patterns.complete_pattern_offset(rest).min(rest.len() - unfinished);
            if let Some((passed, others)) = rest.split_at_checked(free).filter(|_| free > 0) {
                out.extend_from_slice(passed);
                self.remember_all(passed);
                rest = others;
                continue;
            }
            match self.match_at(rest, last) {
                SecretMatch::Nothing => {
                    out.push(byte);
                    self.remember(byte);
                    rest = tail;
                }
                SecretMatch::Undecided => break,
                SecretMatch::Secret(length, state) => {
                    out.extend_from_slice(MASK);
                    self.state = state;
                    self.before = [0, b'x'];
                    rest = rest.get(length..).unwrap_or_default();
                }
            }
        }
        self.held = rest.to_vec();
    }

    fn remember(&mut self, byte: u8) {
        self.before = [self.before[1], byte];
    }

    fn remember_all(&mut self, bytes: &[u8]) {
        for byte in bytes.get(bytes.len().saturating_sub(2)..).unwrap_or_default() {
            self.remember(*byte);
        }
    }

    fn match_at(&self, rest: &[u8], last: bool) -> SecretMatch {
        if !last && self.patterns.begins_longer_value(rest) {
            return SecretMatch::Undecided;
        }
        if let Some(length) = self.patterns.value_len_at(rest) {
            return SecretMatch::Secret(length, RedactorState::Plain);
        }
        if let Some(found) = match_private_key(rest, last) {
            return found;
        }
        if self.inside_word() {
            return SecretMatch::Nothing;
        }
        SHAPES.iter().find_map(|shape| shape.match_at(rest, last)).unwrap_or(SecretMatch::Nothing)
    }

    /// Whether the position continues a word: `task-…` holds no token. The `n` of an escaped line end is not a word.
    fn inside_word(&self) -> bool {
        let [earlier, previous] = self.before;
        let escape = earlier == b'\\' && b"nrtbf".contains(&previous);
        previous.is_ascii_alphanumeric() && !escape
    }
}

impl TokenShape {
    fn match_at(&self, rest: &[u8], last: bool) -> Option<SecretMatch> {
        let Some(body) = rest.strip_prefix(self.prefix) else {
            return (!last && self.prefix.starts_with(rest)).then_some(SecretMatch::Undecided);
        };
        let (mut length, mut dots) = (0, 0);
        for &byte in body.iter().take(LONGEST_HELD) {
            if length >= self.least && dots >= self.dots {
                break;
            }
            if !is_token_byte(byte, self.dots > 0) {
                return None;
            }
            dots += usize::from(byte == b'.');
            length += 1;
        }
        if length >= self.least && dots >= self.dots {
            let state = RedactorState::Token { dots: self.dots > 0 };
            return Some(SecretMatch::Secret(self.prefix.len() + length, state));
        }
        (!last && body.len() < LONGEST_HELD).then_some(SecretMatch::Undecided)
    }
}

fn match_private_key(rest: &[u8], last: bool) -> Option<SecretMatch> {
    let Some(body) = rest.strip_prefix(KEY_BEGINS) else {
        return (!last && KEY_BEGINS.starts_with(rest)).then_some(SecretMatch::Undecided);
    };
    for start in 0..=body.len().min(32) {
        let here = body.get(start..).unwrap_or_default();
        if here.starts_with(KEY_ENDS) {
            let length = KEY_BEGINS.len() + start + KEY_ENDS.len();
            return Some(SecretMatch::Secret(length, RedactorState::Key(0)));
        }
        if !last && KEY_ENDS.starts_with(here) {
            return Some(SecretMatch::Undecided);
        }
        if !here.first().is_some_and(|byte| byte.is_ascii_uppercase() || *byte == b' ') {
            break;
        }
    }
    None
}

fn is_token_byte(byte: u8, dots: bool) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || (dots && byte == b'.')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use proptest::prelude::*;

    const VALUES: [&str; 4] = ["hunter2-hunter2", "hunter2", "line\nbreak\"quote", "abc"];

    fn pieces(text: &[u8], cuts: &[usize]) -> Vec<u8> {
        let mut redactor = SecretRedactor::new(VALUES);
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
        SecretRedactor::new(VALUES).redact(text)
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
        let mut redactor = SecretRedactor::new(VALUES);
        let mut out = Vec::new();
        redactor.push(b"sk-", &mut out);
        for _ in 0..1000 {
            redactor.push(&[b'a'; 1000], &mut out);
            assert!(redactor.held.len() <= LONGEST_HELD + 1000);
        }
        redactor.push(b" end", &mut out);
        redactor.finish(&mut out);
        assert_eq!(out, b"[redacted] end");
        let mut redactor = SecretRedactor::new(VALUES);
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
