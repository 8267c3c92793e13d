//! Dispatches an effect to the feature that performs it.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::execution::executions::Executions;
use crate::execution::ordered_turns::{begin_turn, end_turns, tell_parent};
use crate::gate::checks::Gate;
use crate::landing::land::Landing;
use crate::landing::post_landing::PostLanding;
use crate::workspace::plain_directory::PlainDirectories;
use crate::workspace::plain_effects::PlainEffects;
use crate::workspace::remove_worktree::WorktreeRemover;
use crate::workspace::setup_effect::WorkspaceSetup;
use crate::workspace::workspaces::Workspaces;
use forge_domain::{Effect, EffectReport};

/// The features that perform effects.
#[derive(Debug, Clone)]
pub(crate) struct EffectHandlers {
    pub(crate) workspaces: Workspaces,
    pub(crate) setup: WorkspaceSetup,
    pub(crate) remover: WorktreeRemover,
    pub(crate) executions: Executions,
    pub(crate) gate: Gate,
    pub(crate) landing: Landing,
    pub(crate) post_landing: PostLanding,
    pub(crate) plain_directories: PlainDirectories,
    pub(crate) plain_effects: PlainEffects,
}

impl EffectHandlers {
    pub(crate) async fn perform(
        &self,
        effect: &EffectContext,
    ) -> Result<EffectOutcome, EffectError> {
        if let Some(directory) = self.plain_directories.load_plain_directory(&effect.project)? {
            return Box::pin(self.plain_effects.perform_plain(effect, &directory)).await;
        }
        match &effect.row.effect {
            Effect::PrepareWorkspace { execution } => {
                self.workspaces.prepare_workspace(effect, *execution).await
            }
            Effect::SetUpWorkspace { execution } => {
                self.setup.set_up_workspace(effect, *execution).await
            }
            Effect::RunExecution { execution } => {
                Box::pin(self.executions.run_execution(effect, *execution)).await
            }
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => {
                Ok(EffectOutcome::Report(EffectReport::RunDue))
            }
            Effect::DeliverSteer { execution } => {
                self.executions.deliver_steer(effect, *execution).await
            }
            Effect::TellParent { ended } => tell_parent(effect, *ended).await,
            Effect::BeginTurn { turn } => begin_turn(effect, *turn).await,
            Effect::EndTurns => end_turns(effect).await,
            Effect::Stop { mark } => self.executions.stop_processes(effect, *mark).await,
            Effect::RunChecks { review } => self.gate.run_checks(effect, *review).await,
            Effect::Land { visit } => self.landing.land(effect, *visit).await,
            Effect::CleanWorkspace { retire_branch } => {
                self.remover.clean_workspace(effect, *retire_branch).await
            }
            Effect::Rebase { visit, message } => {
                Box::pin(self.post_landing.perform_rebase(effect, *visit, message.as_deref())).await
            }
            Effect::Revert { commit } => {
                Box::pin(self.post_landing.perform_revert(effect, commit)).await
            }
            Effect::VerifyLanding { commit } => {
                Box::pin(self.post_landing.verify_landing(effect, commit)).await
            }
            Effect::ResetWorktree => self.workspaces.reset_worktree(effect).await,
            Effect::ResetWorkspace => self.remover.reset_workspace(effect).await,
        }
    }
}
