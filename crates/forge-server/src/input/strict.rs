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
    let outcome = serde_ignored::deserialize(tracked, |path| unknown.push(place(&path)));
    match outcome {
        Ok(value) => Ok(Strict { value, unknown }),
        Err(error) => Err(Misfit { path: spelled(&track.path(), &error), error, unknown }),
    }
}

/// Names and positions only: that a field is optional or wrapped is our affair, not the sender's.
fn place(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path as At;
    let below = |parent: &At<'_>, name: &str| match place(parent) {
        above if above.is_empty() => name.to_owned(),
        above => format!("{above}.{name}"),
    };
    match path {
        At::Root => String::new(),
        At::Seq { parent, index } => below(parent, &index.to_string()),
        At::Map { parent, key } => below(parent, key),
        At::Some { parent } | At::NewtypeStruct { parent } | At::NewtypeVariant { parent } => {
            place(parent)
        }
    }
}

/// A field that is missing or there twice is noticed by the object around it, so serde reports that object's place.
fn spelled(path: &Path, error: &impl std::fmt::Display) -> String {
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
