//! Applies events to a task's snapshot. Nothing is decided here: an event says what happened, and `apply` records it.

use crate::branch_update::RebaseResult;
use crate::command::TaskPatch;
use crate::event::TaskEvent;
use crate::report::{ExecutionEnding, ExecutionResult, Verdict};
use crate::task::{
    AgentSession, Approval, CleanupRecord, ExecutionPurpose, GateRecord, LandingRecord,
    PendingReturn, Subtask, TaskActivity, TaskExecution, TaskSnapshot, Workspace, WorkspaceStatus,
};
use crate::workflow::{RoleName, TaskStanding};
use crate::{Actor, Assignee, Timestamp};
use serde::{Deserialize, Serialize};

/// An event as stored, with its time and the version of the task after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEvent {
    pub event: TaskEvent,
    pub at: Timestamp,
    /// Version of the task after the command that caused the event.
    pub version: i64,
}

/// Folds a task's events into its snapshot. Returns `None` if the first event is not the task's creation.
pub fn replay<'a>(events: impl IntoIterator<Item = &'a RecordedEvent>) -> Option<TaskSnapshot> {
    let mut snapshot = None;
    for recorded in events {
        match (&mut snapshot, &recorded.event) {
            (None, TaskEvent::TaskCreated(first)) => snapshot = Some((**first).clone()),
            (None, _) => return None,
            (Some(task), event) => {
                apply(task, event, recorded.at);
                task.version = recorded.version;
            }
        }
    }
    snapshot
}

/// Applies one event to the snapshot.
pub fn apply(task: &mut TaskSnapshot, event: &TaskEvent, at: Timestamp) {
    task.updated_at = at;
    match event {
        TaskEvent::TaskCreated(first) => *task = (**first).clone(),
        TaskEvent::TaskUpdated(patch) => update(task, patch),
        TaskEvent::TaskTransitioned {
            to,
            phase,
            standing,
            claimable,
            rejection,
            reason,
            by_person,
            released,
            ..
        } => {
            release_roles(task, released);
            if *by_person {
                task.declined_by.clear();
            }
            task.state = to.clone();
            task.phase = *phase;
            task.standing = *standing;
            task.claimable = *claimable;
            task.visit += 1;
            task.sent_back = *rejection;
            task.lost_runs = 0;
            task.quota_waits = 0;
            task.postponed = None;
            task.answer_turn = None;
            task.in_turns = false;
            if let (true, Some(reason)) = (*rejection, reason) {
                // A person's reason for sending the task back after the gate has passed reaches the coder like the
                // gate's own feedback.
                task.feedback = Some(reason.clone());
            }
        }
        TaskEvent::TaskAdopted {
            workflow,
            to,
            phase,
            standing,
            claimable,
            rejections,
            gate,
            returning,
            ..
        } => {
            if let (Some(waits), Some(state)) = (&mut task.post_landing.returning, returning) {
                waits.to.clone_from(state);
            }
            // The current effects continue, so the visit they belong to stays the current one.
            task.workflow.clone_from(workflow);
            task.gate.state.clone_from(gate);
            task.state.clone_from(to);
            task.phase = *phase;
            task.standing = *standing;
            task.claimable = *claimable;
            task.rejections.clone_from(rejections);
        }
        TaskEvent::TaskAnnotated { annotation } => task.annotation.clone_from(annotation),
        TaskEvent::TaskArchived => task.archived_at = Some(at),
        TaskEvent::TaskUnarchived => task.archived_at = None,
        TaskEvent::TaskAssigned { role, assignee, overrides } => {
            task.roles.insert(role.clone(), *assignee);
            // Overrides belong to one claim: the next holder starts without them.
            task.overrides.remove(role);
            if !overrides.is_empty() {
                task.overrides.insert(role.clone(), overrides.clone());
            }
        }
        TaskEvent::TaskUnassigned { released } => release_roles(task, released),
        TaskEvent::TaskHandedOff { handoff, released } => {
            release_roles(task, released);
            match &handoff.by {
                Actor::Agent { id, .. } => {
                    task.declined_by.insert(*id);
                }
                Actor::User { .. } => task.declined_by.clear(),
                Actor::System { .. } => {}
            }
            task.handoffs.push((**handoff).clone());
        }
        TaskEvent::TaskSubmitted { by } => {
            task.holder = Some(*by);
            task.declined_by.clear();
        }
        TaskEvent::TaskUnpassed => task.review_passed_at = None,
        TaskEvent::DependencyAdded { on } => {
            task.dependencies.insert(*on);
        }
        TaskEvent::DependencyRemoved { on } => {
            task.dependencies.remove(on);
        }
        TaskEvent::TurnAdded { turn } => {
            task.turns.insert(*turn);
        }
        TaskEvent::TurnsBegun => task.in_turns = true,
        TaskEvent::TurnsEnding => task.activity = Some(TaskActivity::EndingTurns),
        TaskEvent::TurnsEnded => task.activity = None,
        TaskEvent::ExecutionCreated(run) => {
            task.activity = Some(TaskActivity::Preparing { execution: run.execution });
            if run.purpose == ExecutionPurpose::Work {
                task.review_passed_at = None;
                task.reviewed = None;
                task.gate.approval = None;
                task.in_turns = false;
            }
            task.gate.verdict = None;
            task.postponed = None;
            task.answer_turn = None;
            task.steers.retain(|steer| !run.steers.contains(&steer.id));
            task.last_run = Some(run.clone());
            task.run = Some(run.clone());
        }
        TaskEvent::ExecutionSteered { steer } => task.steers.push((**steer).clone()),
        TaskEvent::TaskPlanned { plan } => task.plan = Some(plan.clone()),
        TaskEvent::QuestionAsked { question } => {
            task.asked_questions = question.number;
            task.questions.push((**question).clone());
        }
        TaskEvent::QuestionAnswered { number, message, .. } => {
            task.questions.retain(|question| question.number != *number);
            task.steers.extend(message.as_deref().cloned());
        }
        TaskEvent::QuestionReceived { number } => {
            task.steers.retain(|steer| steer.question != Some(*number));
        }
        TaskEvent::QuestionsAwaited { turn } => task.answer_turn = Some(turn.clone()),
        TaskEvent::QuestionsClosed { numbers } => {
            task.questions.retain(|question| !numbers.contains(&question.number));
        }
        TaskEvent::ExecutionPostponed { postponed } => {
            task.postponed = postponed.as_deref().cloned();
        }
        TaskEvent::ExecutionStarted { execution, process } => {
            task.activity =
                process.as_ref().map(|_| TaskActivity::Running { execution: *execution });
        }
        TaskEvent::TaskStopping { mark } => {
            task.activity = Some(TaskActivity::Stopping { mark: *mark })
        }
        TaskEvent::TaskStopped { .. } => task.activity = None,
        TaskEvent::ExecutionFinished { result, .. } => {
            if let Some(run) = task.run.take() {
                remember_session(task, &run, result);
                count_unreadable(task, &run, result);
            }
            record_turn_commits(task, result);
            if matches!(
                task.activity,
                Some(TaskActivity::Preparing { .. } | TaskActivity::Running { .. })
            ) {
                task.activity = None;
            }
            if result.ending == ExecutionEnding::Lost {
                task.lost_runs += 1;
            }
            // An agent session that ends without a successor loses the messages it received, so they stay queued.
            let unavailable = result.told.unavailability().is_some();
            let over = result.ending == ExecutionEnding::Lost || unavailable;
            if !over {
                task.steers.retain(|steer| !result.told.steered.contains(&steer.id));
            }
            if unavailable {
                task.quota_waits += 1;
            }
        }
        TaskEvent::ReviewStarted { review, attempt } => {
            task.review = Some(*review);
            task.attempts = *attempt;
            task.gate = GateRecord { state: Some(task.state.clone()), ..GateRecord::default() };
            task.review_passed_at = None;
            task.reviewed = None;
            task.activity = Some(TaskActivity::Checking { review: *review });
        }
        TaskEvent::ReviewChecked { commit, receipt, .. } => {
            task.activity = None;
            task.gate.receipt.clone_from(receipt);
            task.reviewed = Some(commit.clone());
        }
        TaskEvent::ReviewJudged { verdict, .. } => task.gate.verdict = Some(verdict.clone()),
        TaskEvent::ReviewApproved { by, reason, overrides, .. } => {
            record_approval(task, *by, reason.clone(), *overrides);
            task.review_passed_at = Some(at);
            task.feedback = None;
            if let Some(gate) = &task.gate.state {
                task.rejections.remove(gate);
            }
        }
        TaskEvent::ReviewFinished { verdict, counted, by, .. } => {
            task.review = None;
            task.gate.verdict = None;
            match verdict {
                Some(Verdict::Pass { feedback }) => {
                    if let Some(by) = by {
                        record_approval(task, *by, feedback.clone(), false);
                    }
                    task.review_passed_at = Some(at);
                    task.feedback = None;
                    task.rejections.remove(&task.state);
                }
                Some(Verdict::Fail { feedback }) => task.feedback = Some(feedback.clone()),
                Some(Verdict::Blocked { .. }) | None => {}
            }
            if *counted {
                *task.rejections.entry(task.state.clone()).or_default() += 1;
            }
        }
        TaskEvent::MergeStarted => task.activity = Some(TaskActivity::Landing),
        TaskEvent::MergeFinished { result } => {
            if task.activity == Some(TaskActivity::Landing) {
                task.activity = None;
            }
            if let Some(feedback) = result.feedback() {
                task.feedback = Some(feedback);
            }
            if let Some((commit, target)) = result.landed() {
                let (commit, target) = (commit.map(str::to_owned), target.to_owned());
                task.post_landing.landed = Some(LandingRecord { commit, target, at });
                task.post_landing.returning = None;
            }
        }
        TaskEvent::MergeSentBack { to, conflict, attempt, trial } => {
            task.rejections.insert(task.state.clone(), *attempt);
            let (to, conflict, trial) = (to.clone(), *conflict, trial.clone());
            let before = task.post_landing.returning.take();
            let tried_again = before.is_some_and(|before| before.tried_again);
            task.post_landing.returning =
                Some(PendingReturn { to, conflict, since: at, trial, tried_again });
        }
        TaskEvent::MergeTriedAgain => {
            match task.rejections.get(&task.state) {
                Some(1) => drop(task.rejections.remove(&task.state)),
                Some(count) => drop(task.rejections.insert(task.state.clone(), count - 1)),
                None => {}
            }
            if let Some(returning) = &mut task.post_landing.returning {
                returning.tried_again = true;
            }
        }
        TaskEvent::MergeExhausted { .. } => {
            // A person who moves the task on gives it the full number of attempts again.
            task.rejections.remove(&task.state);
            task.post_landing.returning = None;
        }
        TaskEvent::PullRequestChanged { pull_request } => {
            task.pull_request = Some(pull_request.clone());
        }
        TaskEvent::WorkspaceCreated { workspace } => {
            let same = |old: &Workspace| old.path == workspace.path && old.base == workspace.base;
            if !task.workspace.as_ref().is_some_and(same) {
                // The sessions refer to files that no longer exist.
                task.sessions.clear();
            }
            task.post_landing.cleaned = None;
            task.workspace = Some(workspace.clone());
        }
        TaskEvent::WorkspaceCleaning => task.activity = Some(TaskActivity::Cleaning),
        TaskEvent::WorkspaceRemoving => set_workspace(task, WorkspaceStatus::Cleaned),
        TaskEvent::WorkspaceRebasing => task.activity = Some(TaskActivity::Rebasing),
        TaskEvent::WorkspaceRebased { result } => {
            if task.activity == Some(TaskActivity::Rebasing) {
                task.activity = None;
            }
            if let Some(returning) = &mut task.post_landing.returning {
                returning.tried_again = false;
            }
            if let Some(said) = result.feedback() {
                // A new conflict report replaces the old one; other feedback still counts.
                let before = match result {
                    RebaseResult::Conflict { .. } => None,
                    _ => task.feedback.take(),
                };
                let all: Vec<_> = std::iter::once(said).chain(before).collect();
                task.feedback = Some(all.join("\n\n"));
            }
            task.post_landing.rebased = Some(result.clone());
        }
        TaskEvent::WorkspaceInverted { result } => {
            if task.activity == Some(TaskActivity::Reverting) {
                task.activity = None;
            }
            if let Some(said) = result.feedback() {
                task.feedback = Some(said);
            }
            task.post_landing.inverted = Some(result.clone());
        }
        TaskEvent::TaskReverted { by } => task.post_landing.reverted_by = Some(*by),
        TaskEvent::TaskVerified { result } => task.post_landing.verified = Some(result.clone()),
        TaskEvent::TaskRegressed { regression } => {
            task.post_landing.regression = Some((**regression).clone());
        }
        TaskEvent::WorkspaceCleaned { branch_deleted, warnings } => {
            let (branch, warnings) = (*branch_deleted, warnings.clone());
            task.post_landing.cleaned = Some(CleanupRecord { branch, warnings, at });
            set_workspace(task, WorkspaceStatus::Cleaned);
            end_cleaning(task);
            if *branch_deleted && task.standing != TaskStanding::Succeeded {
                // The commit that the attempt checked is no longer on the branch, so the attempt cannot be approved.
                task.reviewed = None;
                task.gate.approval = None;
            }
            if *branch_deleted && task.standing == TaskStanding::Open {
                // T-14: the workspace was discarded while the task continues; the next claim creates a new one.
                task.workspace = None;
            }
        }
        TaskEvent::WorkspaceError { .. } => {
            set_workspace(task, WorkspaceStatus::Error);
            end_cleaning(task);
        }
        TaskEvent::WorkspaceRecovered => set_workspace(task, WorkspaceStatus::Ready),
        TaskEvent::WorkspaceRestored { base, .. } => {
            if let (Some(base), Some(workspace)) = (base, &mut task.workspace) {
                workspace.base.clone_from(base);
            }
        }
        TaskEvent::EffectFailed { .. } => task.activity = None,
        TaskEvent::WorkspaceReset
        | TaskEvent::ExecutionStalled { .. }
        | TaskEvent::JournalRecorded { .. }
        | TaskEvent::TaskNeedsPerson { .. }
        | TaskEvent::TaskLanded { .. }
        | TaskEvent::TaskFailed { .. }
        | TaskEvent::CommentCreated { .. } => {}
    }
}

/// Removes the holders of roles, with the overrides of their claims.
fn release_roles(task: &mut TaskSnapshot, released: &[RoleName]) {
    for role in released {
        task.roles.remove(role);
        task.overrides.remove(role);
    }
}

/// Remembers the agent's session. A session is continued only if its last execution ended well.
fn remember_session(task: &mut TaskSnapshot, run: &TaskExecution, result: &ExecutionResult) {
    let well =
        result.ending == ExecutionEnding::Exited { code: 0 } && result.told.failure.is_none();
    match (run.assignee.agent(), &result.told.session) {
        (Some(agent), Some(id)) if well => {
            task.sessions.insert(run.role.clone(), AgentSession { agent, id: id.clone() });
        }
        _ => {
            task.sessions.remove(&run.role);
        }
    }
}

/// Counts the judges that gave no verdict. A judge that was stopped or lost is not counted.
fn count_unreadable(task: &mut TaskSnapshot, run: &TaskExecution, result: &ExecutionResult) {
    let cut_off = matches!(
        result.ending,
        ExecutionEnding::Lost | ExecutionEnding::Stopped | ExecutionEnding::Submitted
    ) || result.told.unavailability().is_some();
    let silent = task.gate.verdict.is_none() && result.printed_verdict().is_none();
    if run.purpose == ExecutionPurpose::Judge && silent && !cut_off {
        task.gate.unreadable += 1;
    }
}

fn record_approval(task: &mut TaskSnapshot, by: Assignee, reason: Option<String>, overrides: bool) {
    task.gate.approval = Some(Approval { by, reason, overrides, visit: task.visit });
}

/// Records the commits at which an execution of an ordered turn began and ended.
fn record_turn_commits(task: &mut TaskSnapshot, result: &ExecutionResult) {
    let (Some(Subtask::OrderedTurn(turn)), Some(base), Some(head)) =
        (&mut task.subtask, &result.base, &result.head)
    else {
        return;
    };
    turn.base = Some(turn.commit_base(base).to_owned());
    turn.head = Some(head.clone());
}

fn update(task: &mut TaskSnapshot, patch: &TaskPatch) {
    let TaskPatch {
        version: _,
        title,
        description,
        priority,
        labels,
        review_config,
        merge_config,
        budget,
        metadata,
    } = patch.clone();
    set(&mut task.title, title);
    set(&mut task.description, description);
    set(&mut task.priority, priority);
    set(&mut task.labels, labels);
    set(&mut task.review_config, review_config);
    set(&mut task.merge_config, merge_config);
    set(&mut task.budget, budget);
    set(&mut task.metadata, metadata);
}

fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

fn set_workspace(task: &mut TaskSnapshot, status: WorkspaceStatus) {
    if let Some(workspace) = &mut task.workspace {
        workspace.status = status;
    }
}

fn end_cleaning(task: &mut TaskSnapshot) {
    if task.activity == Some(TaskActivity::Cleaning) {
        task.activity = None;
    }
}
