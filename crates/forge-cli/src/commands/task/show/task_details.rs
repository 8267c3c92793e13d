//! What `forge task show` reads about a task.

use forge_api::{
    ActionView, DiffScope, DiffView, Execution, OriginKind, PageQuery, Review, RoleAssignee,
    SubtaskInfo, SubtaskMode, Task, TaskWaiting, UsageSum, WorkspaceView,
};
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::{fetch_executions, last_execution};
use crate::lookup::fetch_assignee_name;

/// A task with everything around it that the caller may read.
pub(crate) struct TaskDetails {
    pub(crate) task: Task,
    /// What it waits for; the token of an execution may not read it.
    pub(crate) why: Option<TaskWaiting>,
    pub(crate) actions: Vec<ActionView>,
    pub(crate) reviews: Vec<Review>,
    pub(crate) last_execution: Option<Execution>,
    /// The name of the agent or user of the last execution.
    pub(crate) worker: Option<String>,
    pub(crate) workspace: Option<WorkspaceView>,
    pub(crate) diff: Option<DiffView>,
    pub(crate) usage: Option<UsageSum>,
    /// Its roles with their holders, the tasks it waits for, its parent and its subtasks.
    pub(crate) relations: Vec<(String, String)>,
}

impl TaskDetails {
    pub(crate) async fn load(client: &ApiClient, task: Task) -> Result<Self, CliError> {
        let id = task.id;
        let (tasks, workspaces, all) = (client.tasks(), client.workspaces(), PageQuery::default());
        let (why, actions, reviews, executions, workspace, diff, usage, parts) = tokio::join!(
            tasks.fetch_wait(id),
            tasks.fetch_actions(id),
            tasks.fetch_reviews(id, &all),
            fetch_executions(client, id),
            workspaces.fetch(id),
            workspaces.fetch_diff(id, DiffScope::All),
            client.usage().fetch_for_task(id),
            tasks.fetch_subtasks(id, &all),
        );
        let last_execution = last_execution(executions?);
        let worker = match last_execution.as_ref().and_then(worker_of) {
            Some(worker) => Some(fetch_assignee_name(client, worker).await),
            None => None,
        };
        let relations = load_relations(client, &task, &parts?.items).await;
        Ok(Self {
            why: why.ok(),
            actions: actions?.items,
            reviews: reviews?.items,
            last_execution,
            worker,
            // A task that was never claimed has neither workspace nor changes.
            workspace: workspace.ok(),
            diff: diff.ok(),
            usage: usage.ok(),
            relations,
            task,
        })
    }
}

pub(crate) fn worker_of(execution: &Execution) -> Option<RoleAssignee> {
    let agent = execution.agent_id.map(RoleAssignee::Agent);
    agent.or_else(|| execution.user_id.map(RoleAssignee::User))
}

async fn load_relations(client: &ApiClient, task: &Task, parts: &[Task]) -> Vec<(String, String)> {
    let mut relations = Vec::new();
    for (role, holder) in &task.roles {
        relations.push((role.clone(), fetch_assignee_name(client, *holder).await));
    }
    for other in &task.dependencies {
        relations.push(("waits for".to_owned(), fetch_key(client, *other).await));
    }
    if let (Some(parent), Some(part)) = (task.parent, &task.subtask) {
        let parent = fetch_key(client, parent).await;
        let line = format!("{parent}{}{}", describe_place(part), describe_outcome(part));
        relations.push(("part of".to_owned(), line));
    }
    for (name, other) in task_links(task) {
        relations.push((name.to_owned(), fetch_key(client, other).await));
    }
    relations.extend(parts.iter().map(|part| {
        let how = part.subtask.as_ref();
        let place = how.map(describe_place).unwrap_or_default();
        let outcome = how.map(describe_outcome).unwrap_or_default();
        let line = format!("{} {}{place}{outcome}: {}", part.key, part.status, part.title);
        ("subtask".to_owned(), line)
    }));
    relations
}

/// The tasks that revert or fix this one, or that it reverts or fixes.
fn task_links(task: &Task) -> Vec<(&'static str, Uuid)> {
    let origin = task.origin.as_ref().map(|origin| {
        let name = match origin.kind {
            OriginKind::Revert => "reverts",
            OriginKind::Fix => "fixes",
        };
        (name, origin.task_id)
    });
    let reverted = task.reverted_by.map(|by| ("reverted by", by));
    let fixed = task.regression.as_ref().map(|broken| ("fixed by", broken.fix_id));
    [origin, reverted, fixed].into_iter().flatten().collect()
}

/// The key of another task; the token of an execution may read its own task only, so it sees the identifier.
async fn fetch_key(client: &ApiClient, task: Uuid) -> String {
    client.tasks().fetch(task).await.map_or_else(|_| task.to_string(), |task| task.key)
}

fn describe_place(part: &SubtaskInfo) -> String {
    match (part.mode, part.order) {
        (SubtaskMode::OrderedTurn, Some(order)) => format!(", turn {order}"),
        _ => String::new(),
    }
}

fn describe_outcome(part: &SubtaskInfo) -> String {
    match &part.commit {
        Some(commit) => format!(", commit {}", commit.get(..10).unwrap_or(commit)),
        None if part.no_changes => ", no changes".to_owned(),
        None => String::new(),
    }
}
