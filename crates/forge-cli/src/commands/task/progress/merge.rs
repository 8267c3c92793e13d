//! The command `forge merge`.

use std::path::Path;

use clap::Args;
use forge_api::{
    CompleteTask, DirtyCounts, ErrorCode, OutcomeView, PageQuery, RoleAssignee, StateKind, Task,
    TransitionRequest, TransitionResponse, WorkspaceView,
};
use forge_client::{ApiClient, TransitionWait, collect_pages};

use crate::cli_error::CliError;
use crate::commands::task::gate::review_attempts::describe_attempt;
use crate::commands::task::progress::merge_step::{MergeStage, MergeStep};
use crate::commands::task::progress::task_follower::TaskFollower;
use crate::commands::task::task_outcome;
use crate::commands::workspace::list::describe_changes;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::lookup::fetch_assignee_name;
use crate::terminal::next_steps;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// More workspaces than any server keeps.
const MOST_WORKSPACES: usize = 10_000;

/// Land the workspace you stand in
///
/// For a task that you hold: hands in your commits, waits for the gate, and lands the branch once the gate has passed. It
/// commits nothing by itself. When it stops on the way it says why and what to do next; the task stays where it is, so
/// the command can be repeated. The exit code is 0 when the branch has landed, 7 when a person has to act, else 1.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// What was done, for the history
    #[arg(long, short)]
    reason: Option<String>,
}

impl MergeArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let workspace = fetch_workspace_here(&client).await?;
        let task = client.tasks().fetch(workspace.task_id).await?;
        let mut follower = TaskFollower::start(&client, &task).await?;
        let state = follower.state()?;
        let at_work = state.kind == StateKind::Work;
        check_holder(&client, &task, state.role.as_deref().filter(|_| at_work)).await?;
        if at_work {
            check_committed(&task, &workspace)?;
        }
        let merge = WorkspaceMerge { context, client: &client, reason: self.reason };
        merge.run(&mut follower).await
    }
}

/// One landing, step by step.
struct WorkspaceMerge<'a> {
    context: &'a CliContext,
    client: &'a ApiClient,
    reason: Option<String>,
}

impl WorkspaceMerge<'_> {
    async fn run(&self, follower: &mut TaskFollower<'_>) -> Result<(), CliError> {
        let (mut stage, mut reported) = (MergeStage::Open, None);
        loop {
            let state = follower.state()?;
            let now = MergeStage::of(state.kind);
            if now < stage {
                return self.stop(follower, stage.refusal()).await;
            }
            stage = now;
            match MergeStep::of(&follower.task, state) {
                MergeStep::Complete => {
                    stage = follower.stage_of(state.targets.done.as_deref());
                    self.complete(follower).await?;
                }
                MergeStep::Wait => {
                    if reported.as_ref() != Some(&follower.task.status) {
                        reported = Some(follower.task.status.clone());
                        self.report(follower, "waits for the server");
                    }
                    follower.next().await?;
                }
                MergeStep::MoveOn(target) => {
                    stage = follower.stage_of(Some(&target));
                    self.move_on(follower, target).await?;
                }
                MergeStep::Finished => return self.finish(follower),
                MergeStep::Stop => return self.stop(follower, "has not landed").await,
            }
        }
    }

    async fn complete(&self, follower: &mut TaskFollower<'_>) -> Result<(), CliError> {
        self.report(follower, "hands in the work and runs the checks");
        let task = &follower.task;
        let request = CompleteTask { version: Some(task.version), reason: self.reason.clone() };
        let answer =
            self.client.tasks().complete(task.id, &request, TransitionWait::UntilDone).await?;
        if let TransitionResponse::Gate { review, .. } = &answer {
            self.note(&describe_attempt(self.context, review, None));
        }
        follower.refresh().await
    }

    async fn move_on(
        &self,
        follower: &mut TaskFollower<'_>,
        target: String,
    ) -> Result<(), CliError> {
        self.report(follower, &format!("passed; moves on to {}", one_line(&target)));
        let task = &follower.task;
        let request = TransitionRequest {
            status: target,
            version: Some(task.version),
            reason: self.reason.clone(),
        };
        self.client.tasks().move_to(task.id, &request, TransitionWait::UntilDone).await?;
        follower.refresh().await
    }

    fn finish(&self, follower: &TaskFollower<'_>) -> Result<(), CliError> {
        let task = &follower.task;
        let outcome = task_outcome::outcome_lines(task);
        self.context
            .output
            .print_result(task, || format!("{}  {}{outcome}", task.key, one_line(&task.status)))?;
        match follower.state()?.outcome {
            Some(OutcomeView::Failure | OutcomeView::Cancelled) => {
                Err(CliError::already_printed(CliExit::Unsuccessful))
            }
            Some(OutcomeView::Success) | None => Ok(()),
        }
    }

    /// Says why the landing does not go on, and what to do.
    async fn stop(&self, follower: &TaskFollower<'_>, what: &str) -> Result<(), CliError> {
        let task = &follower.task;
        let why = follower.fetch_wait().await?;
        self.context.output.print_result(task, || {
            let key = self.context.output.styled(TextStyle::Bold, &task.key);
            let mut text = format!("{key}  {}  {what}\n", one_line(&task.status));
            text.push_str(&next_steps::wrap_lines(&one_line(&why.message), |line| {
                format!("  {line}\n")
            }));
            text.push_str(&next_steps::list_files(&why.files));
            text.push_str(&next_steps::list_steps(self.context, &why.next));
            text
        })?;
        let needs_person = why.person_reason.is_some() && task.error_annotation.is_none();
        let exit = if needs_person { CliExit::NeedsPerson } else { CliExit::Refused };
        Err(CliError::already_printed(exit))
    }

    fn report(&self, follower: &TaskFollower<'_>, what: &str) {
        let task = &follower.task;
        self.note(&format!("{}  {}  {what}", task.key, one_line(&task.status)));
    }

    fn note(&self, text: &str) {
        self.context.output.print_note(text.trim_end());
    }
}

/// The workspace that contains the current directory.
async fn fetch_workspace_here(client: &ApiClient) -> Result<WorkspaceView, CliError> {
    let here = Path::new(".").canonicalize()?;
    let list = async |page: PageQuery| client.workspaces().fetch_page(&page).await;
    let workspaces = collect_pages(MOST_WORKSPACES, list).await?.items;
    let contains_here = |workspace: &WorkspaceView| {
        Path::new(&workspace.path).canonicalize().is_ok_and(|path| here.starts_with(path))
    };
    workspaces.into_iter().find(contains_here).ok_or_else(|| {
        CliError::usage(format!("{} is in no workspace of a task", here.display()))
            .hint("claim a task with `forge task claim T-12` and change to its worktree")
            .hint("`forge task checkout T-12` prints where it is")
    })
}

/// Only the user who holds the task lands it this way: the role of the work while it is done, later any role.
async fn check_holder(client: &ApiClient, task: &Task, role: Option<&str>) -> Result<(), CliError> {
    let me = client.accounts().fetch_me().await?.user.map(|user| RoleAssignee::User(user.id));
    let mut roles = task.roles.iter().filter(|(name, _)| role.is_none_or(|role| *name == role));
    if roles.any(|(_, holder)| Some(*holder) == me) {
        return Ok(());
    }
    let mut names = Vec::new();
    for holder in task.roles.values() {
        names.push(fetch_assignee_name(client, *holder).await);
    }
    let holder = if names.is_empty() {
        "is held by no user".to_owned()
    } else {
        format!("is held by {}", names.join(", "))
    };
    Err(CliError::refused(ErrorCode::Forbidden, format!("{} {holder}", task.key))
        .hint(format!("take it over with `forge task assign {} ROLE --user me`", task.key)))
}

/// What is not committed would not land.
fn check_committed(task: &Task, workspace: &WorkspaceView) -> Result<(), CliError> {
    let is_dirty = |dirty: DirtyCounts| dirty.staged + dirty.modified + dirty.untracked > 0;
    if let Some(dirty) = workspace.dirty.filter(|dirty| is_dirty(*dirty)) {
        return Err(CliError::local(format!(
            "{} has uncommitted work: {}",
            task.key,
            describe_changes(dirty)
        ))
        .hint("commit it, or remove it; `forge merge` commits nothing by itself"));
    }
    if workspace.ahead == Some(0) && !task.review_config.allow_no_changes {
        return Err(CliError::local(format!(
            "the branch of {} has no commit of its own; there is nothing to land",
            task.key
        ))
        .hint("commit your work first")
        .hint(format!("or end the task with `forge task cancel {}`", task.key)));
    }
    Ok(())
}
