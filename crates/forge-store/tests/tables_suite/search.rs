//! Finding tasks by their words (T-2).

use std::collections::BTreeSet;
use std::sync::Arc;

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{BoardPhase, StateName};
use forge_store::tables::PageRequest;
use forge_store::tables::tasks::{self, TaskFilter, TaskSortKey};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at};

async fn find(board: &TestBoard, text: &str) -> Vec<i64> {
    let filter = TaskFilter { text: Some(text.to_owned()), ..TaskFilter::new(board.project) };
    let (tasks, _) = tasks::list(&board.db, &filter, &PageRequest::first(100))
        .await
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    tasks.iter().map(|task| task.number).collect()
}

both_databases! {
    /// T-2: titles and descriptions are found alike on both engines, by prefixes of words in any order.
    async fn t_2_words_of_title_and_description(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        board.task("Fix the Login form", |task| task.description = "See src/auth/login_form.rs, v1.20.3".to_owned()).await;
        board.task("ÉCRAN de Zoë", |task| task.description = "mail a.b@example.org and https://example.org/x?y=1".to_owned()).await;
        board.task("İstanbul 🚀 rocket", |task| task.description = "naïve हिन्दी 日本語のテキスト".to_owned()).await;
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
            ("हिन्", vec![3]),
            ("日本語の", vec![3]),
            ("", vec![1, 2, 3]),
            ("   ", vec![1, 2, 3]),
        ] {
            assert_eq!(find(&board, text).await, expected, "{text:?}");
        }
    }

    /// T-2: no search text is an operator, an error or the whole list.
    async fn t_2_odd_text_finds_nothing_and_breaks_nothing(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
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

    /// T-2: a description of any size can be stored, and its beginning and its longest words can be found.
    async fn t_2_a_huge_description_is_stored_and_found(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let words: Vec<String> = (0..200_000).map(|n| format!("w{n:x}q")).collect();
        let long = "long".repeat(2000);
        board.task("first", |task| task.description = format!("{long} {}", words.join(" "))).await;
        assert_eq!(find(&board, "w1f4q").await, [1]);
        assert_eq!(find(&board, &long).await, [1]);
    }

    /// T-2: a changed task is found by its new words and not by its old ones.
    async fn t_2_a_changed_task_is_found_by_its_new_words(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut task = board.task("an old title", |_| {}).await;
        board.task("another old title", |_| {}).await;
        task.title = "a fresh one".to_owned();
        board.put(&task).await;
        assert_eq!(find(&board, "old").await, [2]);
        assert_eq!(find(&board, "fresh").await, [1]);
    }

    /// Issue 13.23: for any words, filter, order and page size, a search finds the same tasks as comparing every task,
    /// in the same order.
    async fn issue_13_23_a_search_finds_what_comparing_every_task_finds(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let elsewhere = TestBoard::add(board.db.clone(), 2).await;
        let mut all = Vec::new();
        for number in 1..=700 {
            let title = words_of(number);
            all.push(board.task(&title, spread).await);
            if number % 70 == 0 {
                elsewhere.task(&title, spread).await;
            }
        }
        let texts = ["every", "e", "third", "t s", "some rare", "rare", "rare every", "a-very-long", LONG, "absent"];
        let filters: [fn(&mut TaskFilter); 5] = [
            |_| {},
            |filter| filter.include_archived = true,
            |filter| filter.status = Some(StateName::new("elsewhere")),
            |filter| filter.phase = Some(BoardPhase::Review),
            |filter| filter.label = Some("bug".to_owned()),
        ];
        for sort in [TaskSortKey::Created, TaskSortKey::Updated, TaskSortKey::Priority] {
            for (place, restrict) in filters.into_iter().enumerate() {
                for text in texts.iter().copied().chain([""]) {
                    let descending = (place + text.len()).is_multiple_of(2);
                    let mut filter = TaskFilter { sort, descending, text: Some(text.to_owned()), ..TaskFilter::new(board.project) };
                    restrict(&mut filter);
                    let expected = compared(&all, &filter);
                    for limit in [7, 300] {
                        if limit == 7 && expected.len() > 60 {
                            continue;
                        }
                        assert_eq!(walked(&board, &filter, limit).await, expected, "{limit} of {filter:?}");
                    }
                }
            }
        }
    }
}

/// Longer than the prefixes in the index.
const LONG: &str = "incomprehensibilities";

fn words_of(number: i64) -> String {
    let mut words = vec!["every".to_owned(), number.to_string()];
    for (word, step) in
        [("third", 3), ("some", 41), ("rare", 230), (LONG, 90), ("incomprehensibility", 5)]
    {
        if number % step == 0 {
            words.push(word.to_owned());
        }
    }
    if number % 100 == 0 {
        words.push("a very-long title".to_owned());
    }
    words.join(" ")
}

/// Few different values, so that many rows tie.
fn spread(task: &mut TaskSnapshot) {
    task.updated_at = at(1000 + task.number * 7 % 50);
    task.priority = i32::try_from(task.number * 3 % 4).expect("small");
    task.archived_at = (task.number % 5 == 0).then(|| at(5));
    if task.number % 60 == 0 {
        task.state = StateName::new("elsewhere");
        task.phase = BoardPhase::Review;
    }
    if task.number % 13 == 0 {
        task.labels.insert("bug".to_owned());
    }
}

fn compared(all: &[TaskSnapshot], filter: &TaskFilter) -> Vec<i64> {
    let text = filter.text.clone().unwrap_or_default();
    let wanted: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut fitting: Vec<&TaskSnapshot> = all
        .iter()
        .filter(|task| filter.include_archived || task.archived_at.is_none())
        .filter(|task| filter.status.as_ref().is_none_or(|state| *state == task.state))
        .filter(|task| filter.phase.is_none_or(|phase| phase == task.phase))
        .filter(|task| filter.label.as_ref().is_none_or(|label| task.labels.contains(label)))
        .filter(|task| {
            let words: BTreeSet<&str> = task.title.split([' ', '-']).collect();
            wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted)))
        })
        .collect();
    fitting.sort_by_key(|task| match filter.sort {
        TaskSortKey::Created => (0, task.number),
        TaskSortKey::Updated => (task.updated_at.millis(), task.number),
        TaskSortKey::Priority => (i64::from(task.priority), -task.number),
    });
    if filter.descending {
        fitting.reverse();
    }
    fitting.iter().map(|task| task.number).collect()
}

async fn walked(board: &TestBoard, filter: &TaskFilter, limit: u32) -> Vec<i64> {
    let (mut numbers, mut page) = (Vec::new(), PageRequest::first(limit));
    loop {
        let (tasks, next) = tasks::list(&board.db, filter, &page).await.expect("a page");
        assert!(next.is_none() || tasks.len() == limit as usize, "a page before the last is full");
        numbers.extend(tasks.iter().map(|task| task.number));
        match next {
            Some(next) => page.after = Some(next),
            None => return numbers,
        }
    }
}
