//! A statement whose shape depends on what is asked: a list with filters, an insert of several rows.

use std::fmt::Write as _;

use crate::dialect::Dialect;
use crate::errors::StoreError;
use crate::statement::Stmt;
use crate::value::Value;

/// Text from the source, and values from anywhere: a value becomes `$n` and never text.
#[derive(Debug)]
pub(crate) struct Assembly {
    text: String,
    values: Vec<Value>,
}

impl Assembly {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { text: text.to_owned(), values: Vec::new() }
    }

    /// Goes on with more text.
    pub(crate) fn text(&mut self, text: &'static str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Goes on with a value.
    pub(crate) fn value(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        // Writing to a String cannot fail.
        let _ = write!(self.text, "${}", self.values.len());
        self
    }

    /// Goes on with values in parentheses; a separating comma comes first unless it is the first group.
    pub(crate) fn group(
        &mut self,
        first: bool,
        values: impl IntoIterator<Item = Value>,
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

    /// Goes on with the condition that a row of the table matches the search.
    pub(crate) fn search(
        &mut self,
        dialect: Dialect,
        table: &'static str,
        query: String,
    ) -> &mut Self {
        self.values.push(query.into());
        self.text.push_str(&dialect.search_condition(table, self.values.len()));
        self
    }

    pub(crate) fn into_stmt(self) -> Result<Stmt, StoreError> {
        let empty = Stmt::built((self.text, sea_query::Values(Vec::new())))?;
        Ok(self.values.into_iter().fold(empty, Stmt::bind))
    }

    #[cfg(test)]
    pub(crate) fn explained(mut self) -> Result<Stmt, StoreError> {
        self.text.insert_str(0, "EXPLAIN QUERY PLAN ");
        self.into_stmt()
    }
}
