//! Open tasks when a workflow is replaced (F-5).

use std::collections::BTreeMap;
use std::sync::Arc;

use forge_domain::workflow::{StateName, TaskStanding, WorkflowHash};
use forge_store::tables::tasks;
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit};

both_databases! {
    /// F-5: every open task is counted once and read once, including archived ones, however many there are.
    async fn f_5_open_tasks_are_read_in_batches(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut many: Vec<_> = (0..1_203).map(|n| board.draft(&format!("task {n}")).snapshot).collect();
        for (n, task) in many.iter_mut().enumerate() {
            task.state = StateName::new(if n % 3 == 0 { "a" } else { "b" });
            task.standing = match n {
                100..200 => TaskStanding::Succeeded,
                200..300 => TaskStanding::Ended,
                300..400 => TaskStanding::Submitted,
                _ => TaskStanding::Open,
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
            let held = tasks::lock_open(tx, project, &hash).await?;
            let (mut walked, mut last) = (Vec::new(), 0);
            loop {
                let batch = tasks::open_after(tx, project, &hash, last).await?;
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
