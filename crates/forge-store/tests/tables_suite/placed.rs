//! Tasks by their workspace on disk (W-10).

use std::sync::Arc;

use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_domain::workflow::TaskStanding;
use forge_store::tables::tasks;
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, commit};

both_databases! {
    /// W-10: a task is found by the path of its workspace while it exists, and ended tasks with one are listed, however
    /// many there are.
    async fn w_10_tasks_are_found_by_the_path_of_their_workspace(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut many: Vec<_> = (0..1_203).map(|n| board.draft(&format!("task {n}")).snapshot).collect();
        for (n, task) in many.iter_mut().enumerate() {
            let status = match n % 3 {
                0 => WorkspaceStatus::Ready,
                1 => WorkspaceStatus::Error,
                _ => WorkspaceStatus::Cleaned,
            };
            task.standing = if n < 1_000 { TaskStanding::Succeeded } else { TaskStanding::Open };
            let (path, branch, base) = (format!("w/{n:04}"), format!("b{n}"), "c0ffee".to_owned());
            task.workspace = Some(Workspace { path, branch, base, status });
        }
        let expected: Vec<_> =
            (0..1_000_usize).filter(|n| n % 3 != 2).map(|n| many[n].number).collect();
        let (first, gone) = (many[0].id, many[2].clone());
        commit!(board.db, (many), |tx| async {
            for task in &many {
                tasks::insert(tx, task).await?;
            }
            Ok::<_, forge_store::StoreError>(())
        });
        let ended = tasks::ended_with_workspace(&board.db).await.expect("a list");
        assert_eq!(ended.iter().map(|task| task.number).collect::<Vec<_>>(), expected);
        let found = tasks::list_at_path(&board.db, "w/0000").await.expect("an answer");
        assert_eq!(found.iter().map(|task| task.id).collect::<Vec<_>>(), [first]);
        let path = &gone.workspace.as_ref().expect("recorded").path;
        assert_eq!(tasks::list_at_path(&board.db, path).await.expect("an answer"), []);
        let mut back = gone.clone();
        back.workspace.as_mut().expect("recorded").status = WorkspaceStatus::Ready;
        commit!(board.db, (back), |tx| async { tasks::put(tx, &back).await });
        assert_eq!(tasks::list_at_path(&board.db, path).await.expect("an answer").len(), 1);
    }
}
