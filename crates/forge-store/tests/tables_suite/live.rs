//! The tasks that go on when a workflow is replaced (F-5).

use std::collections::BTreeMap;
use std::sync::Arc;

use forge_domain::workflow::{Standing, StateName, WorkflowHash};
use forge_store::tables::tasks;
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{Board, at, commit};

both_databases! {
    /// F-5: every task that has not ended is counted once and read once, archived ones too, however many there are.
    async fn f_5_live_tasks_are_walked_in_batches(database: Arc<TestDatabase>) {
        let board = Board::open(&database).await;
        let mut many: Vec<_> = (0..1_203).map(|n| board.draft(&format!("task {n}")).snapshot).collect();
        for (n, task) in many.iter_mut().enumerate() {
            task.state = StateName::new(if n % 3 == 0 { "a" } else { "b" });
            task.standing = match n {
                100..200 => Standing::Succeeded,
                200..300 => Standing::Ended,
                300..400 => Standing::Submitted,
                _ => Standing::Open,
            };
            task.archived_at = (n % 2 == 0).then_some(at(5));
            if n == 1_000 {
                task.workflow = WorkflowHash::new("another");
            }
        }
        let live: Vec<_> = many.iter().enumerate().filter(|(n, _)| !(100..300).contains(n) && *n != 1_000).collect();
        let mut held = BTreeMap::new();
        for (_, task) in &live {
            *held.entry(task.state.clone()).or_insert(0) += 1;
        }
        let expected: Vec<_> = live.iter().map(|(_, task)| task.number).collect();
        let (project, hash) = (board.project, board.workflow().hash().clone());
        commit!(board.db, (many), |tx| async {
            for task in &many {
                tasks::insert(tx, task).await?;
            }
            Ok::<_, forge_store::StoreError>(())
        });
        let (found, walked) = commit!(board.db, (hash), |tx| async {
            let held = tasks::lock_live(tx, project, &hash).await?;
            let (mut walked, mut last) = (Vec::new(), 0);
            loop {
                let batch = tasks::live_after(tx, project, &hash, last).await?;
                let Some(end) = batch.last() else { break };
                last = end.number;
                assert!(batch.len() <= 500, "a batch is small");
                walked.extend(batch.iter().map(|task| task.number));
            }
            Ok::<_, forge_store::StoreError>((held, walked))
        });
        assert_eq!((found, walked), (held, expected));
    }
}
