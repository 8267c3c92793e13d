use std::borrow::Cow;

use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Postgres};

use crate::dialect::{RowLock, SqlDialect};
use crate::store_error::StoreError;
use crate::value::SqlValue;

/// SQL text with `$1…$n`, the same for both engines, and the values bound to it.
#[derive(Clone, Debug)]
pub struct SqlStatement {
    text: Cow<'static, str>,
    values: Vec<SqlValue>,
    lock: RowLock,
}

/// A statement from text in the source. Text made at run time is not accepted, which rules out SQL injection.
pub fn stmt(text: &'static str) -> SqlStatement {
    SqlStatement { text: Cow::Borrowed(text), values: Vec::new(), lock: RowLock::None }
}

impl SqlStatement {
    /// A statement of variable shape: the text comes from the source piece by piece, see `QueryBuilder`.
    pub(crate) fn built(text: String, values: Vec<SqlValue>) -> Self {
        Self { text: Cow::Owned(text), values, lock: RowLock::None }
    }

    /// Binds the next parameter.
    pub fn bind(mut self, value: impl Into<SqlValue>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Locks the rows that a SELECT returns, if the engine has several writers.
    pub fn lock_rows(mut self, lock: RowLock) -> Self {
        self.lock = lock;
        self
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn values(&self) -> &[SqlValue] {
        &self.values
    }

    /// Whether the text is from the source. Only such text is worth a place in the cache of prepared statements.
    pub(crate) fn is_static(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
    }

    pub(crate) fn into_postgres(
        self,
    ) -> Result<Query<'static, Postgres, sqlx::postgres::PgArguments>, StoreError> {
        self.check_arity()?;
        let clause = SqlDialect::Postgres.lock_clause(self.lock);
        let mut query = match self.text {
            Cow::Borrowed(text) if clause.is_empty() => sqlx::query(text),
            Cow::Borrowed(text) => sqlx::query(AssertSqlSafe(format!("{text}{clause}"))),
            Cow::Owned(text) => sqlx::query(AssertSqlSafe(text + clause)).persistent(false),
        };
        for value in self.values {
            query = match value {
                SqlValue::Text(value) => query.bind(value),
                SqlValue::Int(value) => query.bind(value),
                SqlValue::Bool(value) => query.bind(value),
                SqlValue::Real(value) => query.bind(value),
                SqlValue::Bytes(value) => query.bind(value),
            };
        }
        Ok(query)
    }

    /// Checks the number of values. PostgreSQL refuses a missing value; SQLite would silently use NULL.
    pub(crate) fn check_arity(&self) -> Result<(), StoreError> {
        let wanted = highest_parameter(&self.text);
        if wanted == self.values.len() {
            return Ok(());
        }
        Err(StoreError::statement(format!(
            "it has {wanted} parameters and {} values: {}",
            self.values.len(),
            self.text
        )))
    }
}

/// The highest `$n` outside of quotes.
fn highest_parameter(text: &str) -> usize {
    let mut highest = 0;
    let mut quote = None;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'$') => {
                let mut number = 0_usize;
                while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                    number = number.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
                }
                highest = highest.max(number);
            }
            (None, _) => {}
        }
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::highest_parameter;

    #[test]
    fn d_2_parameters_are_counted_outside_of_quotes() {
        assert_eq!(highest_parameter("SELECT 1"), 0);
        assert_eq!(highest_parameter("SELECT $2, $1, $2"), 2);
        assert_eq!(highest_parameter("SELECT '$9', 'it''s $8', \"$7\", $10"), 10);
        assert_eq!(highest_parameter("SELECT $"), 0);
        assert_eq!(highest_parameter("SELECT 'é$3', '→' || $1"), 1);
    }
}
