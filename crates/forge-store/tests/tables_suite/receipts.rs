//! Receipts of passed checks (M-5).

use std::sync::Arc;

use forge_domain::{CheckOutcome, CheckResult, ChecksHash, ReceiptKey, RepoId};
use forge_store::tables::receipts::{self, ReceiptRow};
use forge_store::tables::repos::{self, RepoRow};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};

async fn repo(board: &TestBoard, n: u64) -> RepoId {
    let repo = RepoRow {
        id: RepoId::new(id(n)),
        project_id: board.project,
        name: format!("repo-{n}"),
        path: Some(format!("/somewhere/{n}")),
        url: None,
        default_branch: "main".to_owned(),
        primary: false,
        created_at: at(1),
    };
    commit!(board.db, (repo), |tx| repos::insert(tx, &repo));
    repo.id
}

fn key(tree: &str, checks: &str) -> ReceiptKey {
    ReceiptKey { tree: tree.to_owned(), checks: ChecksHash::new(checks) }
}

both_databases! {
    /// M-5: a receipt is valid for one tree of one repository under one set of checks, and the first one stays.
    async fn m_5_a_receipt_is_found_by_exactly_its_repository_tree_and_checks(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let (one, two) = (repo(&board, 901).await, repo(&board, 902).await);
        let result = CheckResult {
            command: "make test".to_owned(),
            exit_code: Some(0),
            outcome: CheckOutcome::Passed,
            duration_ms: 12,
            output_tail: "ok\n".to_owned(),
            log: forge_domain::LogSpan { from: 0, to: 3 },
        };
        let first = ReceiptRow {
            repo_id: one,
            key: key("t1", "c1"),
            commit: "c0ffee".to_owned(),
            review_id: None,
            results: vec![result],
            at: at(5),
        };
        commit!(board.db, (first), |tx| receipts::put(tx, &first));
        let second = ReceiptRow { commit: "decaf".to_owned(), at: at(9), ..first.clone() };
        commit!(board.db, (second), |tx| receipts::put(tx, &second));
        let later = database.open().await;
        assert_eq!(receipts::find(&later, one, &key("t1", "c1")).await.unwrap(), Some(first));
        for (repo, key) in [(two, key("t1", "c1")), (one, key("t2", "c1")), (one, key("t1", "c2"))] {
            assert_eq!(receipts::find(&later, repo, &key).await.unwrap(), None, "{key:?}");
        }
    }
}
