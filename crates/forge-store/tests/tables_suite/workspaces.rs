//! Tasks by their workspaces (W-16).

use std::sync::Arc;

use forge_domain::UserId;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_store::tables::PageRequest;
use forge_store::tables::tasks::{WORKSPACE_ORDER, list_with_workspace};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, id};

both_databases! {
    /// W-16: every workspace on disk is listed once, by directory; removed ones are not, and other users see none.
    async fn w_16_workspaces_on_disk_are_listed_once(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        for number in 0..7 {
            board.task("t", move |task| {
                let status = match number {
                    0 => WorkspaceStatus::Cleaned,
                    1 => WorkspaceStatus::Error,
                    _ => WorkspaceStatus::Ready,
                };
                task.workspace = Some(Workspace {
                    path: format!("/w/{}", 9 - number / 2),
                    branch: "b".to_owned(),
                    base: "c".to_owned(),
                    status,
                });
            }).await;
        }
        board.task("none", |_| {}).await;
        let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
        loop {
            let (tasks, next) = list_with_workspace(&board.db, None, &page).await.unwrap();
            seen.extend(tasks.into_iter().map(|task| (task.workspace.unwrap().path, task.id.to_string())));
            let Some(next) = next else { break };
            page.after = Some(WORKSPACE_ORDER.cursor(&next.encode()).unwrap());
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.is_sorted() && seen.windows(2).all(|pair| pair[0] != pair[1]), "{seen:?}");
        let stranger = Some(UserId::new(id(99)));
        let (none, _) = list_with_workspace(&board.db, stranger, &PageRequest::first(9)).await.unwrap();
        assert!(none.is_empty());
    }
}
