//! How a fact changes what is known of a task. No decisions here: events say what happened, this writes it down.

use crate::command::TaskPatch;
use crate::event::Event;
use crate::joined::Rebased;
use crate::report::{Ending, RunResult, Verdict};
use crate::task::{
    Activity, Approval, CleanedUp, GateRecord, Landed, Purpose, Run, Session, Snapshot, Subtask,
    Workspace, WorkspaceStatus,
};
use crate::workflow::Standing;
use crate::{Assignee, Timestamp};
use serde::{Deserialize, Serialize};

/// An event as it is stored: with when, and the version the task had afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// What.
    pub event: Event,
    /// When.
    pub at: Timestamp,
    /// The task's version once its command was through.
    pub version: i64,
}

/// The snapshot that a task's events add up to; none if they do not begin with its creation.
pub fn replay<'a>(events: impl IntoIterator<Item = &'a Recorded>) -> Option<Snapshot> {
    let mut snapshot = None;
    for recorded in events {
        match (&mut snapshot, &recorded.event) {
            (None, Event::TaskCreated(first)) => snapshot = Some((**first).clone()),
            (None, _) => return None,
            (Some(task), event) => {
                apply(task, event, recorded.at);
                task.version = recorded.version;
            }
        }
    }
    snapshot
}

/// Writes one event into the snapshot.
pub fn apply(task: &mut Snapshot, event: &Event, at: Timestamp) {
    task.updated_at = at;
    match event {
        Event::TaskCreated(first) => *task = (**first).clone(),
        Event::TaskUpdated(patch) => update(task, patch),
        Event::TaskTransitioned { to, phase, standing, claimable, rejection, reason, .. } => {
            task.state = to.clone();
            task.phase = *phase;
            task.standing = *standing;
            task.claimable = *claimable;
            task.visit += 1;
            task.sent_back = *rejection;
            task.lost_runs = 0;
            task.quota_waits = 0;
            task.postponed = None;
            task.in_turns = false;
            if let (true, Some(reason)) = (*rejection, reason) {
                // A person's word after the gate has passed reaches the coder like the gate's own.
                task.feedback = Some(reason.clone());
            }
        }
        Event::TaskAdopted {
            workflow, to, phase, standing, claimable, rejections, gate, ..
        } => {
            // What is under way goes on, so the visit that its steps belong to is still the present one.
            task.workflow.clone_from(workflow);
            task.gate.state.clone_from(gate);
            task.state.clone_from(to);
            task.phase = *phase;
            task.standing = *standing;
            task.claimable = *claimable;
            task.rejections.clone_from(rejections);
        }
        Event::TaskAnnotated { annotation } => task.annotation.clone_from(annotation),
        Event::TaskArchived => task.archived_at = Some(at),
        Event::TaskUnarchived => task.archived_at = None,
        Event::TaskAssigned { role, assignee } => {
            task.roles.insert(role.clone(), *assignee);
        }
        Event::TaskHandedOff { handoff, released } => {
            for role in released {
                task.roles.remove(role);
            }
            task.handoffs.push((**handoff).clone());
        }
        Event::TaskSubmitted { by } => task.holder = Some(*by),
        Event::TaskUnpassed => task.review_passed_at = None,
        Event::DependencyAdded { on } => {
            task.dependencies.insert(*on);
        }
        Event::DependencyRemoved { on } => {
            task.dependencies.remove(on);
        }
        Event::TurnAdded { turn } => {
            task.turns.insert(*turn);
        }
        Event::TurnsBegun => task.in_turns = true,
        Event::TurnsEnding => task.activity = Some(Activity::EndingTurns),
        Event::TurnsEnded => task.activity = None,
        Event::ExecutionCreated(run) => {
            task.activity = Some(Activity::Preparing { execution: run.execution });
            if run.purpose == Purpose::Work {
                task.review_passed_at = None;
                task.reviewed = None;
                task.gate.approval = None;
                task.in_turns = false;
            }
            task.gate.verdict = None;
            task.postponed = None;
            task.steers.retain(|steer| !run.steers.contains(&steer.id));
            task.last_run = Some(run.clone());
            task.run = Some(run.clone());
        }
        Event::ExecutionSteered { steer } => task.steers.push((**steer).clone()),
        Event::ExecutionPostponed { postponed } => {
            task.postponed = postponed.as_deref().cloned();
        }
        Event::ExecutionStarted { execution, process } => {
            task.activity = process.as_ref().map(|_| Activity::Running { execution: *execution });
        }
        Event::TaskStopping { mark } => task.activity = Some(Activity::Stopping { mark: *mark }),
        Event::TaskStopped { .. } => task.activity = None,
        Event::ExecutionFinished { result, .. } => {
            if let Some(run) = task.run.take() {
                remember_session(task, &run, result);
                count_unreadable(task, &run, result);
            }
            note_turn(task, result);
            if matches!(task.activity, Some(Activity::Preparing { .. } | Activity::Running { .. }))
            {
                task.activity = None;
            }
            if result.ending == Ending::Lost {
                task.lost_runs += 1;
            }
            // A conversation that nobody goes on with has taken what it was told with it.
            let over = result.ending == Ending::Lost || result.told.quota().is_some();
            if !over {
                task.steers.retain(|steer| !result.told.steered.contains(&steer.id));
            }
            if result.told.quota().is_some() {
                task.quota_waits += 1;
            }
        }
        Event::ReviewStarted { review, attempt } => {
            task.review = Some(*review);
            task.attempts = *attempt;
            task.gate = GateRecord { state: Some(task.state.clone()), ..GateRecord::default() };
            task.review_passed_at = None;
            task.reviewed = None;
            task.activity = Some(Activity::Checking { review: *review });
        }
        Event::ReviewChecked { commit, receipt, .. } => {
            task.activity = None;
            task.gate.receipt.clone_from(receipt);
            task.reviewed = Some(commit.clone());
        }
        Event::ReviewJudged { verdict, .. } => task.gate.verdict = Some(verdict.clone()),
        Event::ReviewApproved { by, reason, overrides, .. } => {
            approved(task, *by, reason.clone(), *overrides);
            task.review_passed_at = Some(at);
            task.feedback = None;
            if let Some(gate) = &task.gate.state {
                task.rejections.remove(gate);
            }
        }
        Event::ReviewFinished { verdict, counted, by, .. } => {
            task.review = None;
            task.gate.verdict = None;
            match verdict {
                Some(Verdict::Pass { feedback }) => {
                    if let Some(by) = by {
                        approved(task, *by, feedback.clone(), false);
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
        Event::MergeStarted => task.activity = Some(Activity::Landing),
        Event::MergeFinished { result } => {
            if task.activity == Some(Activity::Landing) {
                task.activity = None;
            }
            if let Some(feedback) = result.feedback() {
                task.feedback = Some(feedback);
            }
            if let Some((commit, target)) = result.landed() {
                let (commit, target) = (commit.map(str::to_owned), target.to_owned());
                task.aftermath.landed = Some(Landed { commit, target, at });
            }
        }
        Event::PullRequestChanged { pull_request } => {
            task.pull_request = Some(pull_request.clone());
        }
        Event::WorkspaceCreated { workspace } => {
            let same = |old: &Workspace| old.path == workspace.path && old.base == workspace.base;
            if !task.workspace.as_ref().is_some_and(same) {
                // What was said is about files that are not there any more.
                task.sessions.clear();
            }
            task.aftermath.cleaned = None;
            task.workspace = Some(workspace.clone());
        }
        Event::WorkspaceCleaning => task.activity = Some(Activity::Cleaning),
        Event::WorkspaceLeaving => set_workspace(task, WorkspaceStatus::Cleaned),
        Event::WorkspaceRebasing => task.activity = Some(Activity::Rebasing),
        Event::WorkspaceRebased { result } => {
            if task.activity == Some(Activity::Rebasing) {
                task.activity = None;
            }
            if let Some(said) = result.feedback() {
                // What conflicted before is said anew; what else was said still counts.
                let before = match result {
                    Rebased::Conflict { .. } => None,
                    _ => task.feedback.take(),
                };
                let all: Vec<_> = std::iter::once(said).chain(before).collect();
                task.feedback = Some(all.join("\n\n"));
            }
            task.aftermath.rebased = Some(result.clone());
        }
        Event::WorkspaceInverted { result } => {
            if task.activity == Some(Activity::Reverting) {
                task.activity = None;
            }
            if let Some(said) = result.feedback() {
                task.feedback = Some(said);
            }
            task.aftermath.inverted = Some(result.clone());
        }
        Event::TaskReverted { by } => task.aftermath.reverted_by = Some(*by),
        Event::TaskVerified { result } => task.aftermath.verified = Some(result.clone()),
        Event::TaskRegressed { regression } => {
            task.aftermath.regression = Some((**regression).clone());
        }
        Event::WorkspaceCleaned { branch_deleted, warnings } => {
            let (branch, warnings) = (*branch_deleted, warnings.clone());
            task.aftermath.cleaned = Some(CleanedUp { branch, warnings, at });
            set_workspace(task, WorkspaceStatus::Cleaned);
            end_cleaning(task);
            if *branch_deleted && task.standing == Standing::Open {
                // T-14: thrown away while the task goes on; the next claim starts afresh.
                task.workspace = None;
            }
        }
        Event::WorkspaceError { .. } => {
            set_workspace(task, WorkspaceStatus::Error);
            end_cleaning(task);
        }
        Event::WorkspaceRecovered => set_workspace(task, WorkspaceStatus::Ready),
        Event::StepFailed { .. } => task.activity = None,
        Event::WorkspaceReset
        | Event::ExecutionStalled { .. }
        | Event::JournalRecorded { .. }
        | Event::WorkspaceRestored { .. }
        | Event::CommentCreated { .. } => {}
    }
}

/// A conversation is gone on with only if the last turn in it came to its end well.
fn remember_session(task: &mut Snapshot, run: &Run, result: &RunResult) {
    let well = result.ending == Ending::Exited { code: 0 } && result.told.failure.is_none();
    match (run.assignee.agent(), &result.told.session) {
        (Some(agent), Some(id)) if well => {
            task.sessions.insert(run.role.clone(), Session { agent, id: id.clone() });
        }
        _ => {
            task.sessions.remove(&run.role);
        }
    }
}

/// Counts the judges that said nothing; those who were not let finish are not at fault.
fn count_unreadable(task: &mut Snapshot, run: &Run, result: &RunResult) {
    let cut_off = matches!(result.ending, Ending::Lost | Ending::Stopped | Ending::Submitted)
        || result.told.quota().is_some();
    let silent = task.gate.verdict.is_none() && result.printed_verdict().is_none();
    if run.purpose == Purpose::Judge && silent && !cut_off {
        task.gate.unreadable += 1;
    }
}

fn approved(task: &mut Snapshot, by: Assignee, reason: Option<String>, overrides: bool) {
    task.gate.approval = Some(Approval { by, reason, overrides, visit: task.visit });
}

/// What a run of a turn began from and left.
fn note_turn(task: &mut Snapshot, result: &RunResult) {
    let (Some(Subtask::OrderedTurn(turn)), Some(base), Some(head)) =
        (&mut task.subtask, &result.base, &result.head)
    else {
        return;
    };
    turn.base = Some(turn.begins_at(base).to_owned());
    turn.head = Some(head.clone());
}

fn update(task: &mut Snapshot, patch: &TaskPatch) {
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

fn set_workspace(task: &mut Snapshot, status: WorkspaceStatus) {
    if let Some(workspace) = &mut task.workspace {
        workspace.status = status;
    }
}

fn end_cleaning(task: &mut Snapshot) {
    if task.activity == Some(Activity::Cleaning) {
        task.activity = None;
    }
}
