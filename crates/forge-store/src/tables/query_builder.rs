//! Builds statements of variable shape: lists with filters, inserts of several rows.

use std::fmt::Write as _;

use crate::statement::SqlStatement;
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

    pub(crate) fn into_stmt(self) -> SqlStatement {
        SqlStatement::built(self.text, self.values)
    }

    /// SQLite: a statement that returns the query plan.
    #[cfg(test)]
    pub(crate) fn into_explain(mut self) -> SqlStatement {
        self.text.insert_str(0, "EXPLAIN QUERY PLAN ");
        self.into_stmt()
    }

    /// PostgreSQL: a statement that returns the query plan with the rows that each part of it read.
    #[cfg(test)]
    pub(crate) fn into_analyze(mut self) -> SqlStatement {
        self.text.insert_str(0, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ");
        self.into_stmt()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use std::sync::Arc;

    use forge_testkit::both_databases;
    use forge_testkit::database::TestDatabase;

    use super::*;
    use crate::database_url::DatabaseUrl;
    use crate::db::Db;
    use crate::statement::stmt;

    async fn execute(db: &Db, statement: SqlStatement) {
        let written = db.write(move |tx| {
            let statement = statement.clone();
            Box::pin(async move { tx.execute(statement).await })
        });
        written.await.expect("a write");
    }

    both_databases! {
        /// T-2: a filter built at run time has the same text on both engines.
        async fn t_2_built_filters_run_on_both_engines(database: Arc<TestDatabase>) {
            let url: DatabaseUrl = database.address().await.parse().expect("an address");
            let db = Db::open(&url).await.expect("it opens");
            execute(&db, stmt("CREATE TABLE samples (id BIGINT PRIMARY KEY, t TEXT, b BOOLEAN)")).await;
            let mut insert = QueryBuilder::new("INSERT INTO samples (id, t, b) VALUES ");
            for id in 0..10_i64 {
                insert.value_group(id == 0, [id.into(), format!("it's {id}").into(), (id % 2 == 0).into()]);
            }
            execute(&db, insert.into_stmt()).await;
            let mut select = QueryBuilder::new("SELECT id, t FROM samples WHERE b = ");
            let texts = ["it's 4", "it's 5", "it's 6", "it's 8"];
            select.value(true).text(" AND t IN ").value_group(true, texts.map(SqlValue::from));
            select.text(" ORDER BY id DESC LIMIT ").value(2);
            let rows = db.fetch_all(select.into_stmt()).await.expect("rows");
            let ids: Vec<i64> = rows.iter().map(|row| row.get("id").expect("a number")).collect();
            assert_eq!(ids, [8, 6]);
            db.close().await;
        }
    }
}
