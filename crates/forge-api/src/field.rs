//! Distinguishes a field that is left out from `null` in requests.

use serde::{Deserialize, Deserializer};

/// For `Option<Option<T>>` where `null` has a meaning: absent is `None`, `null` is `Some(None)`.
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// For `Option<T>` where only absence means "leave unchanged": refuses `null` instead of ignoring it.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
