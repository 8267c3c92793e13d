//! Deserialisation that says where it failed and which fields nobody asked for.

use serde::Deserializer;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment, Track};

/// The value, with the names of everything in the input that the type does not know.
pub(crate) struct Strict<T> {
    pub(crate) value: T,
    pub(crate) unknown: Vec<String>,
}

/// Why there is no value.
pub(crate) struct Misfit<E> {
    pub(crate) path: String,
    pub(crate) error: E,
    /// Unknown fields that were met first: a misspelt required field shows up here.
    pub(crate) unknown: Vec<String>,
}

/// Reads a `T`, collecting unknown fields instead of stopping at the first.
pub(crate) fn read<'de, T, D>(input: D) -> Result<Strict<T>, Misfit<D::Error>>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let mut unknown = Vec::new();
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(input, &mut track);
    let outcome = serde_ignored::deserialize(tracked, |path| unknown.push(path.to_string()));
    match outcome {
        Ok(value) => Ok(Strict { value, unknown }),
        Err(error) => Err(Misfit {
            path: spelled(&track.path(), &error),
            error,
            unknown,
        }),
    }
}

/// A missing field has no place of its own in the input, so serde reports the object around it.
fn spelled(path: &Path, error: &impl std::fmt::Display) -> String {
    let mut segments: Vec<String> = path
        .iter()
        .filter(|segment| !matches!(segment, Segment::Unknown))
        .map(ToString::to_string)
        .collect();
    let message = error.to_string();
    let missing = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split('`').next());
    segments.extend(missing.map(str::to_owned));
    if segments.is_empty() {
        ".".to_owned()
    } else {
        segments.join(".")
    }
}
