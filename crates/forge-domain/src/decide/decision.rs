//! Decides about a command: returns a decision or a refusal.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::EffectReport;
use crate::task::{ExecutionOverrides, TaskSnapshot};
use crate::workflow::Workflow;
use crate::{
    Assignee, CommandEnvelope, DecisionFacts, PlannedEffect, RecordedEvent, Refusal, TaskCommand,
    TaskEvent,
};

/// The result of a command: events, the resulting snapshot, and the effects to perform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The task after the command.
    pub snapshot: TaskSnapshot,
    /// Events in order; empty when the command changed nothing.
    pub events: Vec<RecordedEvent>,
    /// Effects in the order in which they were planned.
    pub effects: Vec<PlannedEffect>,
    /// Whether earlier effects that have not started and yield to a move ([`crate::Effect::yields_to_a_move`]) are
    /// superseded.
    pub supersedes: bool,
}

/// Decides about a command. Total and deterministic: every command in every state gets an answer, and the same one each
/// time.
pub fn decide(
    workflow: &Workflow,
    task: &TaskSnapshot,
    facts: &DecisionFacts,
    envelope: &CommandEnvelope,
) -> Result<Decision, Refusal> {
    let mut draft = DecisionBuilder::new(workflow, task, facts, envelope)?;
    match &envelope.command {
        TaskCommand::Update(patch) => draft.update(patch)?,
        TaskCommand::Claim { claimer } => draft.claim(*claimer, &ExecutionOverrides::default())?,
        TaskCommand::ClaimWithOverrides { agent, overrides } => {
            draft.claim(Assignee::Agent { id: *agent }, overrides)?;
        }
        TaskCommand::Move { to, version, reason } => {
            draft.move_to(to, *version, reason.as_deref())?
        }
        TaskCommand::Complete { version, reason } => draft.complete(*version, reason.as_deref())?,
        TaskCommand::Cancel { reason } => draft.cancel(reason.as_deref())?,
        TaskCommand::Assign { role, assignee, reset } => draft.assign(role, *assignee, *reset)?,
        TaskCommand::ReleaseRoles { holder } => draft.release_roles(*holder)?,
        TaskCommand::FollowUp { role, agent, session, message } => {
            draft.follow_up(role, *agent, session.as_deref(), message)?;
        }
        TaskCommand::HandOff { message } => draft.hand_off(message)?,
        TaskCommand::ParkHandedOff => draft.park_handed_off()?,
        TaskCommand::Steer { execution, message, live } => {
            draft.steer(*execution, message, *live)?
        }
        TaskCommand::Ask { text, is_awaited } => draft.ask(text, *is_awaited)?,
        TaskCommand::Answer { number, text, live } => draft.answer(*number, text, *live)?,
        TaskCommand::ReceiveAnswer { number } => draft.receive_answer(*number)?,
        TaskCommand::GiveVerdict { execution, verdict } => {
            draft.give_verdict(*execution, verdict)?
        }
        TaskCommand::Approve { attempt, reason } => draft.approve(*attempt, reason.as_deref())?,
        TaskCommand::Reject { attempt, reason } => draft.reject(*attempt, reason)?,
        TaskCommand::StopRun { execution, reason } => {
            draft.stop_run(*execution, reason.as_deref())?
        }
        TaskCommand::Restart { execution } => draft.restart(*execution)?,
        TaskCommand::MarkFailed { execution, reason } => {
            draft.mark_failed(*execution, reason.as_deref())?;
        }
        TaskCommand::Rebase { message } => draft.rebase(message.as_deref())?,
        TaskCommand::AcceptLanded { reason } => draft.accept_landed(reason.as_deref())?,
        TaskCommand::Revert { by } => draft.revert(*by)?,
        TaskCommand::Regress { reason, checks, fix } => draft.regress(reason, checks, *fix)?,
        TaskCommand::ResetWorkspace => draft.reset_workspace()?,
        TaskCommand::CleanWorkspace => draft.clean_workspace()?,
        TaskCommand::Archive => draft.archive(true),
        TaskCommand::Unarchive => draft.archive(false),
        TaskCommand::AddDependency { on } => draft.add_dependency(*on)?,
        TaskCommand::RemoveDependency { on } => draft.remove_dependency(*on)?,
        TaskCommand::AddTurn { turn } => draft.add_turn(*turn)?,
        TaskCommand::BeginTurn => draft.start_turn()?,
        TaskCommand::EndTurn { cancel } => draft.end_turn(*cancel)?,
        TaskCommand::Comment { body, parent } => draft.comment(body, *parent)?,
        TaskCommand::Report(report) => draft.report(report)?,
    }
    draft.report_to_parent(task);
    Ok(draft.finish())
}

impl DecisionBuilder<'_> {
    fn report(&mut self, report: &EffectReport) -> Result<(), Refusal> {
        match report {
            EffectReport::WorkspaceReady { execution, workspace } => {
                self.workspace_ready(*execution, workspace)
            }
            EffectReport::WorkspaceMade { execution, workspace } => {
                self.workspace_made(*execution, workspace)
            }
            EffectReport::SetupEnded { execution, stopped } => {
                self.setup_ended(*execution, *stopped)
            }
            EffectReport::RunStarted { execution, process } => {
                self.run_started(*execution, process)
            }
            EffectReport::RunEnded { execution, result } => self.run_ended(*execution, result),
            EffectReport::Silence { execution, silence } => {
                self.silence_changed(*execution, *silence)
            }
            EffectReport::RunDue => self.start_postponed(),
            EffectReport::SteerDelivered { .. } => Ok(()),
            EffectReport::TurnChanged { ended } => self.turn_changed(*ended),
            EffectReport::TurnRefused { turn, message } => {
                self.turn_refused(*turn, message);
                Ok(())
            }
            EffectReport::TurnBegun => {
                self.turn_started();
                Ok(())
            }
            EffectReport::ParentTold => Ok(()),
            EffectReport::Stopped { mark } => self.stop_completed(*mark),
            EffectReport::ChecksEnded {
                review,
                commit,
                results,
                setup_failed,
                receipt,
                taken_from,
            } => {
                let origin = (receipt.clone(), *taken_from);
                self.checks_ended(*review, commit, results, *setup_failed, origin)
            }
            EffectReport::NoChanges { review, commit, answer, refused } => {
                self.stop_unchanged_review(*review, commit, answer, refused);
                Ok(())
            }
            EffectReport::LandingEnded { visit, result } => self.landing_ended(*visit, result),
            EffectReport::PullRequestSeen { pull_request } => {
                self.record_pull_request(pull_request);
                Ok(())
            }
            EffectReport::LandedOutside { message, details } => {
                self.landed_outside(message, details)
            }
            EffectReport::WorkspaceSetAside => {
                self.emit(TaskEvent::WorkspaceRemoving);
                Ok(())
            }
            EffectReport::WorkspaceCleaned { branch_deleted, warnings } => {
                let warnings = warnings.clone();
                self.emit(TaskEvent::WorkspaceCleaned {
                    branch_deleted: *branch_deleted,
                    warnings,
                });
                Ok(())
            }
            EffectReport::CleaningFailed { error } => {
                self.emit(TaskEvent::WorkspaceError { error: error.clone() });
                Ok(())
            }
            EffectReport::Rebased { visit, workspace, result, message } => {
                self.rebase_ended(*visit, workspace, result, message.as_deref())
            }
            EffectReport::Inverted { workspace, result } => self.revert_applied(workspace, result),
            EffectReport::LandingVerified { result } => {
                self.emit(TaskEvent::TaskVerified { result: result.clone() });
                Ok(())
            }
            EffectReport::LandingDue { visit } => self.try_landing_again(*visit),
            EffectReport::VerificationWaits | EffectReport::RebaseWaits => Ok(()),
            EffectReport::WorktreeReset => {
                self.emit(TaskEvent::WorkspaceReset);
                Ok(())
            }
            EffectReport::WorkspaceRenewed { workspace, warnings } => {
                self.workspace_renewed(workspace, warnings)
            }
            EffectReport::WorkspaceRecovered => {
                if self.task.workspace.is_some() || self.task.turn().is_some() {
                    self.emit(TaskEvent::WorkspaceRecovered);
                }
                Ok(())
            }
            EffectReport::JournalRecorded { entry, reason, differs } => {
                let (entry, reason, differs) = (*entry, reason.clone(), *differs);
                self.emit(TaskEvent::JournalRecorded { entry, reason, differs });
                Ok(())
            }
            EffectReport::WorkspaceRestored { entry, branch_moved, base, conflicts } => {
                let (entry, branch_moved) = (*entry, *branch_moved);
                let (base, conflicts) = (base.clone(), conflicts.clone());
                self.emit(TaskEvent::WorkspaceRestored { entry, branch_moved, base, conflicts });
                Ok(())
            }
            EffectReport::EffectFailed { visit, trouble, message, details } => {
                self.effect_failed(*visit, *trouble, message, details)
            }
        }
    }
}
