//! JSON text in a canonical form.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write as _};

/// A value as JSON with sorted object keys and no spaces: equal content gives equal text.
///
/// Whether a `serde_json` object sorts its keys or keeps insertion order depends on a feature that any dependency can
/// enable. Text that is compared, hashed or promised to programs is therefore made here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanonicalJson(String);

impl CanonicalJson {
    /// The canonical form of a value.
    pub fn of(mut value: Value) -> Self {
        value.sort_all_objects();
        Self(value.to_string())
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The SHA-256 of the text, in hex.
    pub fn digest(&self) -> String {
        Sha256::digest(&self.0).iter().fold(String::new(), |mut hex, byte| {
            // Writing to a String cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

impl fmt::Display for CanonicalJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn read(text: &str) -> CanonicalJson {
        CanonicalJson::of(serde_json::from_str(text).expect("JSON"))
    }

    /// The sort also reaches nested lists and objects.
    #[test]
    fn equal_keys_in_any_order_give_one_text_and_digest() {
        let one = read(r#"{"b": {"y": 1, "x": [{"d": null, "c": "é"}]}, "a": [2, 1]}"#);
        let other = read(r#"{"a": [2, 1], "b": {"x": [{"c": "é", "d": null}], "y": 1}}"#);
        assert_eq!(one.as_str(), r#"{"a":[2,1],"b":{"x":[{"c":"é","d":null}],"y":1}}"#);
        assert_eq!(one, other);
        assert_eq!(one.digest(), other.digest());
        assert_ne!(one.digest(), read(r#"{"a": [1, 2], "b": {}}"#).digest());
    }

    #[test]
    fn the_digest_is_the_sha_256_of_the_text() {
        let empty = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!(read("{}").digest(), empty);
    }
}
