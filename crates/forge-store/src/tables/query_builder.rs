//! Builds statements of variable shape: lists with filters, inserts of several rows.

use std::fmt::Write as _;

use crate::statement::SqlStatement;
use crate::store_error::StoreError;
use crate::value::SqlValue;

/// Text from the source, and values from anywhere: a value becomes `$n` and never text.
#[derive(Debug)]
pub(crate) struct QueryBuilder {
    text: String,
    values: Vec<SqlValue>,
}

impl QueryBuilder {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { text: text.to_owned(), values: Vec::new() }
    }

    /// Appends text from the source.
    pub(crate) fn text(&mut self, text: &'static str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a value.
    pub(crate) fn value(&mut self, value: impl Into<SqlValue>) -> &mut Self {
        self.values.push(value.into());
        // Writing to a String cannot fail.
        let _ = write!(self.text, "${}", self.values.len());
        self
    }

    /// Appends values in parentheses; a comma precedes every group but the first.
    pub(crate) fn value_group(
        &mut self,
        first: bool,
        values: impl IntoIterator<Item = SqlValue>,
    ) -> &mut Self {
        self.text(if first { "(" } else { ", (" });
        for (place, value) in values.into_iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.value(value);
        }
        self.text(")")
    }

    pub(crate) fn into_stmt(self) -> Result<SqlStatement, StoreError> {
        let empty = SqlStatement::built((self.text, sea_query::Values(Vec::new())))?;
        Ok(self.values.into_iter().fold(empty, SqlStatement::bind))
    }

    /// SQLite: a statement that returns the query plan.
    #[cfg(test)]
    pub(crate) fn into_explain(mut self) -> Result<SqlStatement, StoreError> {
        self.text.insert_str(0, "EXPLAIN QUERY PLAN ");
        self.into_stmt()
    }

    /// PostgreSQL: a statement that returns the query plan with the rows that each part of it read.
    #[cfg(test)]
    pub(crate) fn into_analyze(mut self) -> Result<SqlStatement, StoreError> {
        self.text.insert_str(0, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ");
        self.into_stmt()
    }
}
