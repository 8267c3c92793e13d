//! How a request tells "not mentioned" from `null`.

use serde::{Deserialize, Deserializer};

/// For `Option<Option<T>>` where `null` has a meaning: absent is `None`, `null` is `Some(None)`.
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// For `Option<T>` where only absence means "leave it": `null` is refused rather than silently doing nothing.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
