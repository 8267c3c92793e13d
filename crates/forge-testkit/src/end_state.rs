//! The end state of a scenario: compared between runs, and free of leftovers.

use crate::engine_fixture::EngineFixture;
use forge_domain::ProjectId;
use forge_store::tables;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that must be the same however often the engine died during the scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EndState {
    /// End state of each task, by title.
    pub tasks: BTreeMap<String, TaskEndState>,
    /// Subjects on the target branch, newest first.
    pub landed: Vec<String>,
    /// Files on the target branch.
    pub tree: Vec<String>,
    /// Branches that are left.
    pub branches: Vec<String>,
    /// Checkouts that are left: the user's own. Pooled worktrees do not count.
    pub checkouts: usize,
    /// Pooled worktrees: ready and not ready.
    pub waiting: (usize, usize),
    /// Uncommitted changes in the user's checkout.
    pub person: String,
    /// Number of pending effects.
    pub open_steps: i64,
    /// Number of ports that tasks hold.
    pub ports: usize,
    /// Directories under the workspace root.
    pub workspaces: Vec<String>,
    /// Whether `git fsck` finds no problem.
    pub sound: bool,
    /// Living processes that carry a mark of this fixture's executions and reviews.
    pub processes: Vec<u32>,
}

/// The end state of one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskEndState {
    pub state: String,
    pub trouble: Option<String>,
    /// Whether an execution is open.
    pub running: bool,
    /// Whether an effect is in progress.
    pub busy: bool,
    /// The workspace, if it exists.
    pub workspace: Option<String>,
    /// Whether replaying its events gives the same state.
    pub replays: bool,
}

impl EngineFixture {
    /// The current state of the project.
    pub async fn end_state(&self, project: ProjectId) -> EndState {
        let db = self.engine().db();
        let filter = tables::tasks::TaskFilter::new(project);
        let found = tables::tasks::list(db, &filter, &tables::PageRequest::first(100))
            .await
            .expect("the tasks")
            .0;
        let mut tasks = BTreeMap::new();
        let mut marks = Vec::new();
        for task in found {
            let rows = tables::events::of_task(db, task.id).await.expect("the task's events");
            let recorded: Vec<_> =
                rows.into_iter().map(|row| row.recorded().expect("a task's event")).collect();
            let replays = forge_domain::replay(&recorded).as_ref() == Some(&task);
            let executions =
                tables::executions::list_of_task(db, task.id).await.expect("executions");
            marks.extend(executions.iter().map(|execution| execution.id.to_string()));
            let reviews = tables::reviews::list_of_task(db, task.id).await.expect("reviews");
            marks.extend(reviews.iter().map(|review| review.id.to_string()));
            let trace = TaskEndState {
                state: task.state.to_string(),
                trouble: task.annotation.as_ref().map(|trouble| format!("{:?}", trouble.kind)),
                running: task.run.is_some(),
                busy: task.activity.is_some(),
                workspace: task
                    .workspace
                    .as_ref()
                    .map(|workspace| format!("{:?}", workspace.status)),
                replays,
            };
            tasks.insert(task.title, trace);
        }
        let repository = &self.repository;
        let branches = repository.git(&["branch", "--format=%(refname:short)"]).await;
        let tree = repository.git(&["ls-tree", "-r", "main"]).await;
        let pool = self.pool();
        let ready = pool.iter().filter(|(_, ready)| *ready).count();
        let checkouts = repository.git(&["worktree", "list"]).await;
        EndState {
            tasks,
            landed: repository.subjects("main").await,
            tree: tree.lines().map(str::to_owned).collect(),
            branches: branches.lines().map(str::to_owned).collect(),
            checkouts: checkouts.lines().filter(|line| !line.contains("/.pool/")).count(),
            waiting: (ready, pool.len() - ready),
            person: repository.git(&["status", "--porcelain"]).await,
            open_steps: tables::effects::count_open(db).await.expect("the steps"),
            ports: tables::ports::all(db).await.expect("the ports").len(),
            workspaces: list_directory(&self.workspaces()),
            sound: repository.try_git(&["fsck", "--no-dangling"]).await.0,
            processes: marked_processes(&marks),
        }
    }
}

fn list_directory(directory: &std::path::Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Living processes whose environment carries one of the marks.
fn marked_processes(marks: &[String]) -> Vec<u32> {
    let entries: Vec<_> = marks.iter().map(|mark| format!("FORGE_MARK={mark}")).collect();
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let carries = |pid: u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|entry| entries.iter().any(|mark| mark.as_bytes() == entry))
    };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .filter(|pid| carries(*pid))
        .collect()
}
