//! Finding tasks by their words (T-2).

use std::sync::Arc;

use forge_store::tables::Page;
use forge_store::tables::tasks::{self, TaskFilter};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::Board;

async fn find(board: &Board, text: &str) -> Vec<i64> {
    let filter = TaskFilter { text: Some(text.to_owned()), ..TaskFilter::new(board.project) };
    let (tasks, _) = tasks::list(&board.db, &filter, &Page::first(100))
        .await
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    tasks.iter().map(|task| task.number).collect()
}

both_databases! {
    /// T-2: titles and descriptions are found alike on both engines, by the beginnings of words in any order.
    async fn t_2_words_of_title_and_description(database: Arc<TestDatabase>) {
        let board = Board::open(&database).await;
        board.task("Fix the Login form", |task| task.description = "See src/auth/login_form.rs, v1.20.3".to_owned()).await;
        board.task("ÉCRAN de Zoë", |task| task.description = "mail a.b@example.org and https://example.org/x?y=1".to_owned()).await;
        board.task("İstanbul 🚀 rocket", |task| task.description = "naïve".to_owned()).await;
        for (text, expected) in [
            ("login", vec![1]),
            ("FORM fix", vec![1]),
            ("auth", vec![1]),
            ("login_form.rs", vec![1]),
            ("auth/login", vec![1]),
            ("v1.20", vec![1]),
            ("écran", vec![2]),
            ("ZOË", vec![2]),
            ("example.org", vec![2]),
            ("a.b@example", vec![2]),
            ("istanbul", vec![]),
            ("İstanbul", vec![3]),
            ("NAÏVE", vec![3]),
            ("login rocket", vec![]),
            ("", vec![1, 2, 3]),
            ("   ", vec![1, 2, 3]),
        ] {
            assert_eq!(find(&board, text).await, expected, "{text:?}");
        }
    }

    /// T-2: nothing typed is an operator, an error or the whole list.
    async fn t_2_odd_text_finds_nothing_and_breaks_nothing(database: Arc<TestDatabase>) {
        let board = Board::open(&database).await;
        board.task("plain words", |_| {}).await;
        let long = "x".repeat(100_000);
        let many = "plain ".repeat(10_000);
        for text in [
            "'", "\"", "'; DROP TABLE tasks; --", "words NOT plain", "words OR nothing", "NEAR(plain words)", "title:plain*",
            "plain AND (", "🚀", "* - + ^ : ( ) { }", "!plain & 'words", "words\0", "\u{202e}", "<->", &long,
        ] {
            let found = find(&board, text).await;
            let expected: &[i64] = if text == "words\0" || text == "!plain & 'words" { &[1] } else { &[] };
            assert_eq!(found, expected, "{text:?}");
        }
        assert_eq!(find(&board, &many).await, [1]);
        assert_eq!(find(&board, "plain").await, [1], "the table is still there");
    }

    /// T-2: a description of any size can be stored, and its beginning and its longest words be found.
    async fn t_2_a_huge_description_is_stored_and_found(database: Arc<TestDatabase>) {
        let board = Board::open(&database).await;
        let words: Vec<String> = (0..200_000).map(|n| format!("w{n:x}q")).collect();
        let long = "long".repeat(2000);
        board.task("first", |task| task.description = format!("{long} {}", words.join(" "))).await;
        assert_eq!(find(&board, "w1f4q").await, [1]);
        assert_eq!(find(&board, &long).await, [1]);
    }
}
