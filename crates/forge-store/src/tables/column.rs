//! Conversion of the domain's types to and from columns.

use std::fmt;
use std::str::FromStr;

use forge_domain::workflow::{RoleName, StateName, WorkflowHash};
use forge_domain::{
    AgentId, ChecksHash, CommentId, EffectId, ExecutionId, ProjectId, RepoId, ReviewId, TaskId,
    Timestamp, TokenId, UserId, WebhookId,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::row::DbRow;
use crate::store_error::StoreError;
use crate::value::SqlValue;

macro_rules! as_text {
    ($($type:ty),* $(,)?) => {$(
        impl From<$type> for SqlValue {
            fn from(value: $type) -> Self {
                value.to_string().into()
            }
        }
        impl From<Option<$type>> for SqlValue {
            fn from(value: Option<$type>) -> Self {
                value.map(|value| value.to_string()).into()
            }
        }
    )*};
}

as_text!(
    AgentId,
    CommentId,
    EffectId,
    ExecutionId,
    ProjectId,
    RepoId,
    ReviewId,
    TaskId,
    TokenId,
    UserId,
    WebhookId,
    &RoleName,
    &StateName,
    &WorkflowHash,
    &ChecksHash,
);

impl From<Timestamp> for SqlValue {
    fn from(value: Timestamp) -> Self {
        value.millis().into()
    }
}

impl From<Option<Timestamp>> for SqlValue {
    fn from(value: Option<Timestamp>) -> Self {
        value.map(Timestamp::millis).into()
    }
}

/// JSON for a TEXT column.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::statement)
}

/// The serde name of an enum variant, for a TEXT column that is compared.
pub(crate) fn word<T: Serialize>(value: T) -> Result<String, StoreError> {
    match serde_json::to_value(value).map_err(StoreError::statement)? {
        serde_json::Value::String(word) => Ok(word),
        other => {
            Err(StoreError::statement(format!("only a plain variant is one word, not {other}")))
        }
    }
}

/// Converts a counter to a database integer. Real values never reach the limit.
pub(crate) fn count(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl DbRow {
    pub(crate) fn at(&self, column: &str) -> Result<Timestamp, StoreError> {
        Ok(Timestamp::from_millis(self.get(column)?))
    }

    /// A time, or NULL.
    pub(crate) fn maybe_at(&self, column: &str) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.get::<Option<i64>>(column)?.map(Timestamp::from_millis))
    }

    /// An id, or NULL.
    pub(crate) fn maybe_parse<T>(&self, column: &str) -> Result<Option<T>, StoreError>
    where
        T: FromStr,
        T::Err: fmt::Display,
    {
        self.get::<Option<String>>(column)?
            .map(|text| text.parse().map_err(|error| StoreError::corrupt(column, error)))
            .transpose()
    }

    /// JSON, or NULL.
    pub(crate) fn maybe_json<T: DeserializeOwned>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        self.get::<Option<String>>(column)?
            .map(|text| {
                serde_json::from_str(&text).map_err(|error| StoreError::corrupt(column, error))
            })
            .transpose()
    }

    /// Reads a value that [`word`] wrote.
    pub(crate) fn word<T: DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        named(column, self.get(column)?)
    }

    /// Reads a value that [`word`] wrote, or NULL.
    pub(crate) fn maybe_word<T: DeserializeOwned>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        self.get::<Option<String>>(column)?.map(|text| named(column, text)).transpose()
    }

    /// A count that is never negative.
    pub(crate) fn count<T: TryFrom<i64>>(&self, column: &str) -> Result<T, StoreError> {
        let value: i64 = self.get(column)?;
        T::try_from(value)
            .map_err(|_| StoreError::corrupt(column, format!("{value} is out of range")))
    }
}

fn named<T: DeserializeOwned>(column: &str, text: String) -> Result<T, StoreError> {
    serde_json::from_value(serde_json::Value::String(text))
        .map_err(|error| StoreError::corrupt(column, error))
}
