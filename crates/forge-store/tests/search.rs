//! Full-text search by the convention of `Dialect::search_condition`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use forge_store::{Db, Migration, Stmt, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use sea_query::Values;

const NOTES: Migration = Migration {
    number: 1,
    name: "notes",
    sql: "
-- sqlite:
CREATE TABLE notes (id BIGINT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE VIRTUAL TABLE notes_search USING fts5 (body, content = 'notes', tokenize = 'unicode61');
CREATE TRIGGER notes_inserted AFTER INSERT ON notes BEGIN
    INSERT INTO notes_search (rowid, body) VALUES (new.rowid, new.body);
END;
-- postgres:
CREATE TABLE notes (
    id BIGINT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    search_vector TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', body)) STORED
);
CREATE INDEX notes_search ON notes USING gin (search_vector);
-- both:
INSERT INTO notes VALUES (1, 'Fix the login form'), (2, 'Login: NOT working (again)'), (3, 'Réparer l''écran');
",
};

async fn search(db: &Db, typed: &str) -> Option<Vec<i64>> {
    let text = db.dialect().search_text(typed)?;
    let condition = db.dialect().search_condition("notes", 1);
    let query = format!("SELECT id FROM notes WHERE {condition} ORDER BY id");
    let query = Stmt::built((query, Values(vec![]))).expect("no values").bind(text);
    let rows = db.fetch_all(query).await.expect("a search");
    Some(rows.iter().map(|row| row.get("id").expect("an id")).collect())
}

both_databases! {
    /// T-2: words are found by their beginnings, in any order and case, and nothing typed is an operator.
    async fn t_2_words_are_found_alike(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let db = Db::open_at(&url, &[NOTES]).await.expect("it opens");
        assert_eq!(search(&db, "login").await, Some(vec![1, 2]));
        assert_eq!(search(&db, "form LOG").await, Some(vec![1]));
        assert_eq!(search(&db, "écran").await, Some(vec![3]));
        assert_eq!(search(&db, "NOT").await, Some(vec![2]));
        assert_eq!(search(&db, "login OR fix").await, Some(vec![]), "`or` is a word that no note has");
        assert_eq!(search(&db, "log* \"(fix' & | ! :* NEAR").await, Some(vec![]));
        assert_eq!(search(&db, "' \" * -- ()").await, None, "no word, no search");
        let all = db.fetch_all(stmt("SELECT id FROM notes")).await.expect("rows");
        assert_eq!(all.len(), 3);
    }
}
