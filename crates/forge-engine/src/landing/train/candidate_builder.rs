//! Builds the landing candidate of a task: its commit message, signature, changed paths and required checks.

use crate::effects::{EffectContext, EffectError};
use crate::gate::receipts::checks_of;
use crate::landing::train::{LandingCandidate, LandingChecks};
use crate::workspace::restore_entry::load_given_base;
use forge_domain::Assignee;
use forge_git::{ObjectId, Repo, indent_scissors_lines};
use forge_store::{Db, tables};

/// Builds the landing candidates of tasks.
#[derive(Debug, Clone)]
pub(crate) struct CandidateBuilder {
    pub(crate) db: Db,
}

impl CandidateBuilder {
    pub(crate) async fn build_candidate(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        tip: &ObjectId,
        head: ObjectId,
    ) -> Result<LandingCandidate, EffectError> {
        let Some(base) = repo.merge_base(tip, &head).await? else {
            return Err(EffectError::workspace(
                "the branch and its target have no commit in common: the target was replaced by another history; \
                 bring the branch onto it (git rebase --onto) or reset the workspace, then hand the task in again",
            ));
        };
        let fork = find_rewritten_fork(effect, repo, &base, tip, &head).await?;
        let paths = repo.changed_paths(fork.as_ref().unwrap_or(&base), &head).await?;
        let trailers = self.trailers(effect).await?;
        let body = effect.task.description.trim();
        let mut message = format!("{} ({})\n\n", effect.task.title, effect.task.key());
        if !body.is_empty() {
            message.push_str(&indent_scissors_lines(body));
            message.push_str("\n\n");
        }
        message.push_str(&trailers);
        let signature = effect.load_signature().await?;
        let repo = effect.repo_row()?.id;
        let strategy = effect.task.merge_config.strategy;
        let checks = landing_checks(effect)?;
        Ok(LandingCandidate {
            repo,
            head,
            fork,
            paths,
            strategy,
            message,
            trailers,
            signature,
            checks,
        })
    }

    /// The trailers that record who did and who reviewed the work.
    async fn trailers(&self, effect: &EffectContext) -> Result<String, EffectError> {
        let mut trailers = format!("Forge-Task: {}\n", effect.task.id);
        if let Some(run) = &effect.task.last_run {
            trailers.push_str(&format!("Forge-Execution: {}\n", run.execution));
        }
        if effect.task.holder.and_then(|holder| holder.agent()).is_some() {
            let name = effect.load_author().await?.split_whitespace().collect::<Vec<_>>().join(" ");
            trailers.push_str(&format!("Forge-Agent: {name}\n"));
        }
        if let Some(approval) = &effect.task.gate.approval {
            let name = self.load_assignee_name(approval.by).await?;
            let word = if approval.overrides { "Overridden-by" } else { "Reviewed-by" };
            trailers.push_str(&format!("{word}: {name}\n"));
        }
        Ok(trailers)
    }

    /// The name in one line, with white space collapsed.
    async fn load_assignee_name(&self, who: Assignee) -> Result<String, EffectError> {
        let db = &self.db;
        let name = match who {
            Assignee::Agent { id } => tables::agents::load(db, id).await?.map(|agent| agent.name),
            Assignee::User { id } => tables::users::load(db, id).await?.map(|user| user.name),
        };
        let name = name.unwrap_or_else(|| "unknown".to_owned());
        Ok(name.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The commit at which the branch started, if the target was rewritten and no longer contains it. Commits before it
/// were never reviewed as this task's work and were removed from the target, so they must not land again.
async fn find_rewritten_fork(
    effect: &EffectContext,
    repo: &Repo,
    base: &ObjectId,
    tip: &ObjectId,
    head: &ObjectId,
) -> Result<Option<ObjectId>, EffectError> {
    let began = effect.task.workspace.as_ref().and_then(|found| ObjectId::new(&*found.base).ok());
    let Some(began) = began.filter(|began| began != base && began != tip) else {
        return Ok(None);
    };
    if load_given_base(&effect.task, repo).await?.as_ref() == Some(&began) {
        // A task forked from a journal entry lands the saved files as its own work.
        return Ok(None);
    }
    if repo.tree_of(&began).await.is_err() {
        // The base was adopted from elsewhere, or pruned.
        return Ok(None);
    }
    let is_own = repo.is_ancestor(base, &began).await? && repo.is_ancestor(&began, head).await?;
    Ok(Some(began).filter(|_| is_own))
}

/// The checks of a landing. `None` if neither project nor task has any, or if a person overrode the gate (M-4).
fn landing_checks(effect: &EffectContext) -> Result<Option<LandingChecks>, EffectError> {
    if effect.task.gate.is_overridden() {
        return Ok(None);
    }
    let default = effect.project.settings.default_review_config()?;
    let config = LandingChecks::config_of(default, &effect.task.review_config);
    let hashed = config.map(|config| {
        let hash = checks_of(&effect.project, &config)?;
        Ok::<_, EffectError>(LandingChecks { config, hash })
    });
    hashed.transpose()
}
