//! Detects a submission without changes (E-6).

use crate::effects::{EffectContext, EffectError};
use crate::gate::checks::Gate;
use forge_domain::task::{ExecutionPurpose, OrderedTurn};
use forge_domain::{EffectReport, ExecutionEnding, ExecutionResult, ReviewId};
use forge_git::{ObjectId, Repo};
use forge_store::tables;

impl Gate {
    /// The report of a review without changes. `None` if there are changes or none are required.
    pub(crate) async fn report_no_changes(
        &self,
        effect: &EffectContext,
        review: ReviewId,
        repo: &Repo,
        commit: &ObjectId,
    ) -> Result<Option<EffectReport>, EffectError> {
        if effect.task.review_config.allow_no_changes {
            return Ok(None);
        }
        let workflow = self.records.workflow(&effect.task.workflow).await?;
        if !workflow.reviews_claimed_work(&effect.task.state)
            || changes(effect, repo, commit).await?
        {
            return Ok(None);
        }
        // A person who submits no changes, or stops the execution to do so, decided that on purpose.
        let Some(ExecutionResult { tail: answer, told, .. }) =
            self.last_work_of_agent(effect).await?
        else {
            return Ok(None);
        };
        let (commit, refused) = (commit.to_string(), told.refused);
        Ok(Some(EffectReport::NoChanges { review, commit, answer, refused }))
    }

    /// The result of the last work execution, if an agent ran it to its own end.
    async fn last_work_of_agent(
        &self,
        effect: &EffectContext,
    ) -> Result<Option<ExecutionResult>, EffectError> {
        let all = tables::executions::list_of_task(&self.db, effect.task.id).await?;
        let last = all.into_iter().rev().find(|run| run.purpose == ExecutionPurpose::Work);
        let outcome = last.filter(|run| run.agent_id.is_some()).and_then(|run| run.outcome);
        Ok(outcome.filter(|outcome| outcome.ending != ExecutionEnding::Stopped))
    }
}

/// Whether the task's commit differs from its base. Merging the target in is not a change.
async fn changes(
    effect: &EffectContext,
    repo: &Repo,
    commit: &ObjectId,
) -> Result<bool, EffectError> {
    let turn = effect.task.turn().and_then(|turn: &OrderedTurn| turn.base.clone());
    let recorded = match turn {
        Some(base) => base,
        None => effect.workspace()?.base.clone(),
    };
    let base =
        ObjectId::new(recorded).map_err(|error| EffectError::workspace(error.to_string()))?;
    let tree = repo.tree_of(commit).await?;
    if *commit == base || tree == repo.tree_of(&base).await? {
        return Ok(false);
    }
    if effect.task.turn().is_some() {
        return Ok(true);
    }
    let Ok((_, tip)) = effect.load_target(repo).await else {
        // The landing reports a missing target.
        return Ok(true);
    };
    match repo.merge_base(&tip, commit).await? {
        // If the target already contains the commit, the landing decides.
        Some(fork) if fork != *commit => Ok(repo.tree_of(&fork).await? != tree),
        _ => Ok(true),
    }
}
