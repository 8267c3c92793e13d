//! Deserialization that reports the position of an error and all unknown fields.

use serde::Deserializer;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment, Track};

/// The value, with the names of all unknown fields in the input.
pub(crate) struct StrictValue<T> {
    pub(crate) value: T,
    pub(crate) unknown: Vec<String>,
}

/// Why the input cannot be read.
pub(crate) struct StrictReadError<E> {
    pub(crate) path: String,
    pub(crate) error: E,
    /// Unknown fields before the error: a misspelt required field shows up here.
    pub(crate) unknown: Vec<String>,
}

/// Reads a `T`, collecting unknown fields instead of stopping at the first.
pub(crate) fn read_strict<'de, T, D>(input: D) -> Result<StrictValue<T>, StrictReadError<D::Error>>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let mut unknown = Vec::new();
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(input, &mut track);
    let outcome = serde_ignored::deserialize(tracked, |path| unknown.push(ignored_path(&path)));
    match outcome {
        Ok(value) => Ok(StrictValue { value, unknown }),
        Err(error) => {
            Err(StrictReadError { path: error_path(&track.path(), &error), error, unknown })
        }
    }
}

/// Formats names and indexes only: optional and newtype wrappers mean nothing to the sender.
fn ignored_path(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path as At;
    let below = |parent: &At<'_>, name: &str| match ignored_path(parent) {
        above if above.is_empty() => name.to_owned(),
        above => format!("{above}.{name}"),
    };
    match path {
        At::Root => String::new(),
        At::Seq { parent, index } => below(parent, &index.to_string()),
        At::Map { parent, key } => below(parent, key),
        At::Some { parent } | At::NewtypeStruct { parent } | At::NewtypeVariant { parent } => {
            ignored_path(parent)
        }
    }
}

/// serde reports the enclosing object for a missing or duplicate field; this appends the field's name.
fn error_path(path: &Path, error: &impl std::fmt::Display) -> String {
    let mut segments: Vec<String> = path
        .iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { variant } => Some(variant.clone()),
            Segment::Unknown => None,
        })
        .collect();
    let message = error.to_string();
    let field = ["missing field `", "duplicate field `"]
        .iter()
        .find_map(|prefix| message.strip_prefix(prefix))
        .and_then(|rest| rest.split('`').next());
    segments.extend(field.map(str::to_owned));
    if segments.is_empty() { ".".to_owned() } else { segments.join(".") }
}
