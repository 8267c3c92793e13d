use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::value::SqlValue;

/// Position of the end of a page: the sort order of the list and the last row's values in that order. Clients see it as
/// an opaque token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageCursor {
    #[serde(rename = "s")]
    sort: String,
    #[serde(rename = "v")]
    values: Vec<CursorValue>,
}

/// One value of a cursor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CursorValue {
    /// A number or a time.
    Int(i64),
    /// A text or an id.
    Text(String),
}

/// Why a token is not a cursor of this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// Not a token that Forge issued.
    #[error(
        "this is not a cursor; use the one of the previous page, unchanged, or leave it out for the first page"
    )]
    Malformed,
    /// A cursor of the same list in another order.
    #[error(
        "this cursor belongs to another sort order; leave it out to begin with the first page of this one"
    )]
    OtherSort,
}

impl PageCursor {
    /// Longest possible cursor; longer input is not decoded.
    const MAX_LENGTH: usize = 4096;

    /// The cursor after a row with these values, in a list with this sort order.
    pub fn new(sort: impl Into<String>, values: impl IntoIterator<Item = CursorValue>) -> Self {
        Self { sort: sort.into(), values: values.into_iter().collect() }
    }

    /// The values in sort order.
    pub fn values(&self) -> &[CursorValue] {
        &self.values
    }

    /// Encodes the cursor as an opaque token that is safe in a URL.
    pub fn encode(&self) -> String {
        let values: Vec<serde_json::Value> = self
            .values
            .iter()
            .map(|value| match value {
                CursorValue::Int(value) => (*value).into(),
                CursorValue::Text(value) => value.as_str().into(),
            })
            .collect();
        URL_SAFE_NO_PAD.encode(serde_json::json!({"s": self.sort, "v": values}).to_string())
    }

    /// Decodes a token from a client. It must belong to the sort order and have one value per sort column.
    pub fn decode(word: &str, sort: &str, columns: usize) -> Result<Self, CursorError> {
        if word.len() > Self::MAX_LENGTH {
            return Err(CursorError::Malformed);
        }
        let bytes = URL_SAFE_NO_PAD.decode(word).map_err(|_| CursorError::Malformed)?;
        let cursor: Self = serde_json::from_slice(&bytes).map_err(|_| CursorError::Malformed)?;
        if cursor.sort != sort {
            return Err(CursorError::OtherSort);
        }
        if cursor.values.len() != columns {
            return Err(CursorError::Malformed);
        }
        Ok(cursor)
    }
}

impl From<i64> for CursorValue {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<String> for CursorValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<&CursorValue> for SqlValue {
    fn from(value: &CursorValue) -> Self {
        match value {
            CursorValue::Int(value) => (*value).into(),
            CursorValue::Text(value) => value.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_2_a_cursor_is_decoded_as_encoded() {
        let cursor = PageCursor::new(
            "-updated",
            [i64::MIN.into(), "naïve/ид→".to_owned().into(), i64::MAX.into()],
        );
        let word = cursor.encode();
        assert!(
            word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'),
            "{word}"
        );
        assert_eq!(PageCursor::decode(&word, "-updated", 3), Ok(cursor));
    }

    #[test]
    fn t_2_a_cursor_of_another_sort_or_shape_is_refused() {
        let word = PageCursor::new("title", [1.into()]).encode();
        assert_eq!(PageCursor::decode(&word, "-title", 1), Err(CursorError::OtherSort));
        assert_eq!(PageCursor::decode(&word, "title", 2), Err(CursorError::Malformed));
    }

    #[test]
    fn t_2_invalid_text_is_no_cursor() {
        let json = |text: &str| URL_SAFE_NO_PAD.encode(text);
        let words = [
            String::new(),
            "%%%".to_owned(),
            "aGVsbG8".to_owned(),
            "é".to_owned(),
            "A".repeat(1_000_000),
            json("[]"),
            json("{\"s\":\"title\"}"),
            json("{\"s\":\"title\",\"v\":[1.5]}"),
            json("{\"s\":\"title\",\"v\":[null]}"),
            json("{\"s\":\"title\",\"v\":[18446744073709551615]}"),
            json("{\"s\":\"title\",\"v\":[1],\"x\":2}"),
            json(&format!("{}1{}", "[".repeat(2000), "]".repeat(2000))),
            URL_SAFE_NO_PAD.encode([0xff, 0xfe]),
        ];
        for word in words {
            assert_eq!(
                PageCursor::decode(&word, "title", 1),
                Err(CursorError::Malformed),
                "{word:.60}"
            );
        }
    }
}
