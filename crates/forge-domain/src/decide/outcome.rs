//! Command in, decision or refusal out.

use super::draft::Draft;
use crate::report::Report;
use crate::task::Snapshot;
use crate::workflow::Workflow;
use crate::{Command, Envelope, Event, Facts, PlannedEffect, Recorded, Refusal};

/// What a command leads to: facts, the snapshot they add up to, and what must be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The task afterwards.
    pub snapshot: Snapshot,
    /// What happened, in order; empty when the command changed nothing.
    pub events: Vec<Recorded>,
    /// What must be done, in order.
    pub effects: Vec<PlannedEffect>,
    /// Whether effects from before this command that have not begun and yield to a move
    /// ([`crate::Effect::yields_to_a_move`]) have lost their point.
    pub supersedes: bool,
}

/// Decides. Total: every command in every state gets an answer, and the same answer each time.
pub fn decide(
    workflow: &Workflow,
    task: &Snapshot,
    facts: &Facts,
    envelope: &Envelope,
) -> Result<Decision, Refusal> {
    let mut draft = Draft::new(workflow, task, facts, envelope)?;
    match &envelope.command {
        Command::Update(patch) => draft.update(patch)?,
        Command::Claim { claimer } => draft.claim(*claimer)?,
        Command::Move { to, version, reason } => draft.move_to(to, *version, reason.as_deref())?,
        Command::Cancel { reason } => draft.cancel(reason.as_deref())?,
        Command::Assign { role, assignee, reset } => draft.assign(role, *assignee, *reset)?,
        Command::FollowUp { role, agent, follow_up } => draft.follow_up(role, *agent, follow_up)?,
        Command::HandOff { message } => draft.hand_off(message)?,
        Command::Steer { execution, message, live } => draft.steer(*execution, message, *live)?,
        Command::GiveVerdict { execution, verdict } => draft.give_verdict(*execution, verdict)?,
        Command::Approve { attempt, reason } => draft.approve(*attempt, reason.as_deref())?,
        Command::Reject { attempt, reason } => draft.reject(*attempt, reason)?,
        Command::StopRun { execution, reason } => draft.stop_run(*execution, reason.as_deref())?,
        Command::Restart { execution } => draft.restart(*execution)?,
        Command::MarkFailed { execution, reason } => {
            draft.mark_failed(*execution, reason.as_deref())?;
        }
        Command::Rebase { message } => draft.rebase(message.as_deref())?,
        Command::Revert { by } => draft.revert(*by)?,
        Command::Regress { reason, checks, fix } => draft.regress(reason, checks, *fix)?,
        Command::ResetWorkspace => draft.reset_workspace()?,
        Command::CleanWorkspace => draft.clean_workspace()?,
        Command::Archive => draft.archive(true),
        Command::Unarchive => draft.archive(false),
        Command::AddDependency { on } => draft.add_dependency(*on)?,
        Command::RemoveDependency { on } => draft.remove_dependency(*on)?,
        Command::AddTurn { turn } => draft.add_turn(*turn)?,
        Command::BeginTurn => draft.begin_turn()?,
        Command::EndTurn { cancel } => draft.end_turn(*cancel)?,
        Command::Comment { body, parent } => draft.comment(body, *parent)?,
        Command::Report(report) => draft.report(report)?,
    }
    draft.tell_parent(task);
    Ok(draft.finish())
}

impl Draft<'_> {
    fn report(&mut self, report: &Report) -> Result<(), Refusal> {
        match report {
            Report::WorkspaceReady { execution, workspace } => {
                self.workspace_ready(*execution, workspace)
            }
            Report::WorkspaceMade { execution, workspace } => {
                self.workspace_made(*execution, workspace)
            }
            Report::SetupEnded { execution, stopped } => self.setup_ended(*execution, *stopped),
            Report::RunStarted { execution, process } => self.run_started(*execution, process),
            Report::RunEnded { execution, result } => self.run_ended(*execution, result),
            Report::Silence { execution, silence } => self.silence(*execution, *silence),
            Report::RunDue => self.begin_postponed(),
            Report::SteerDelivered { .. } => Ok(()),
            Report::TurnChanged { ended } => self.turn_changed(*ended),
            Report::TurnRefused { turn, message } => {
                self.turn_refused(*turn, message);
                Ok(())
            }
            Report::TurnBegun => {
                self.turn_begun();
                Ok(())
            }
            Report::ParentTold => Ok(()),
            Report::Stopped { mark } => self.stopped(*mark),
            Report::ChecksEnded { review, commit, results, setup_failed, receipt, taken_from } => {
                let origin = (receipt.clone(), *taken_from);
                self.checks_ended(*review, commit, results, *setup_failed, origin)
            }
            Report::LandingEnded { visit, result } => self.landing_ended(*visit, result),
            Report::PullRequestSeen { pull_request } => {
                self.pull_request_seen(pull_request);
                Ok(())
            }
            Report::WorkspaceSetAside => {
                self.emit(Event::WorkspaceLeaving);
                Ok(())
            }
            Report::WorkspaceCleaned { branch_deleted, warnings } => {
                let warnings = warnings.clone();
                self.emit(Event::WorkspaceCleaned { branch_deleted: *branch_deleted, warnings });
                Ok(())
            }
            Report::CleaningFailed { error } => {
                self.emit(Event::WorkspaceError { error: error.clone() });
                Ok(())
            }
            Report::Rebased { visit, workspace, result, message } => {
                self.rebased(*visit, workspace, result, message.as_deref())
            }
            Report::Inverted { workspace, result } => self.inverted(workspace, result),
            Report::LandingVerified { result } => {
                self.emit(Event::TaskVerified { result: result.clone() });
                Ok(())
            }
            Report::VerificationWaits => Ok(()),
            Report::WorktreeReset => {
                self.emit(Event::WorkspaceReset);
                Ok(())
            }
            Report::WorkspaceRenewed { workspace, warnings } => {
                self.workspace_renewed(workspace, warnings)
            }
            Report::WorkspaceRecovered => {
                if self.task.workspace.is_some() || self.task.turn().is_some() {
                    self.emit(Event::WorkspaceRecovered);
                }
                Ok(())
            }
            Report::JournalRecorded { entry, reason, differs } => {
                let (entry, reason, differs) = (*entry, reason.clone(), *differs);
                self.emit(Event::JournalRecorded { entry, reason, differs });
                Ok(())
            }
            Report::WorkspaceRestored { entry, branch_moved } => {
                let (entry, branch_moved) = (*entry, *branch_moved);
                self.emit(Event::WorkspaceRestored { entry, branch_moved });
                Ok(())
            }
            Report::StepFailed { visit, trouble, message, details } => {
                self.step_failed(*visit, *trouble, message, details)
            }
        }
    }
}
