//! Builds the landing candidate of a task: its commit message, signature, changed paths and required checks.

use crate::admin::default_review_config;
use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use crate::landing::train::{LandingCandidate, LandingChecks};
use forge_domain::Assignee;
use forge_git::{ObjectId, Repo, indent_scissors_lines};
use forge_store::tables;

impl EffectRun<'_> {
    pub(crate) async fn build_candidate(
        &self,
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
        let fork = self.find_rewritten_fork(repo, &base, tip, &head).await?;
        let paths = repo.changed_paths(fork.as_ref().unwrap_or(&base), &head).await?;
        let trailers = self.trailers().await?;
        let body = self.task.description.trim();
        let mut message = format!("{} ({})\n\n", self.task.title, self.task.key());
        if !body.is_empty() {
            message.push_str(&indent_scissors_lines(body));
            message.push_str("\n\n");
        }
        message.push_str(&trailers);
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let repo = self.engine.load_repo_row(&self.task).await?.id;
        let strategy = self.task.merge_config.strategy;
        let checks = self.landing_checks()?;
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

    /// The commit at which the branch started, if the target was rewritten and no longer contains it. Commits before it
    /// were never reviewed as this task's work and were removed from the target, so they must not land again.
    async fn find_rewritten_fork(
        &self,
        repo: &Repo,
        base: &ObjectId,
        tip: &ObjectId,
        head: &ObjectId,
    ) -> Result<Option<ObjectId>, EffectError> {
        let began = self.task.workspace.as_ref().and_then(|found| ObjectId::new(&*found.base).ok());
        let Some(began) = began.filter(|began| began != base && began != tip) else {
            return Ok(None);
        };
        if self.engine.load_given_base(&self.task, repo).await?.as_ref() == Some(&began) {
            // A task forked from a journal entry lands the saved files as its own work.
            return Ok(None);
        }
        if repo.tree_of(&began).await.is_err() {
            // The base was adopted from elsewhere, or pruned.
            return Ok(None);
        }
        let is_own =
            repo.is_ancestor(base, &began).await? && repo.is_ancestor(&began, head).await?;
        Ok(Some(began).filter(|_| is_own))
    }

    /// The checks of a landing. `None` if neither project nor task has any, or if a person overrode the gate (M-4).
    fn landing_checks(&self) -> Result<Option<LandingChecks>, EffectError> {
        if self.task.gate.is_overridden() {
            return Ok(None);
        }
        let default = default_review_config(&self.project.settings);
        let config = LandingChecks::config_of(&default, &self.task.review_config);
        let hashed = config.map(|config| {
            let hash = self.engine.checks_of(&self.project, &config)?;
            Ok::<_, EffectError>(LandingChecks { config, hash })
        });
        hashed.transpose()
    }

    /// The trailers that record who did and who reviewed the work.
    async fn trailers(&self) -> Result<String, EffectError> {
        let mut trailers = format!("Forge-Task: {}\n", self.task.id);
        if let Some(run) = &self.task.last_run {
            trailers.push_str(&format!("Forge-Execution: {}\n", run.execution));
        }
        if self.task.holder.and_then(|holder| holder.agent()).is_some() {
            let name = self.author().await?.split_whitespace().collect::<Vec<_>>().join(" ");
            trailers.push_str(&format!("Forge-Agent: {name}\n"));
        }
        if let Some(approval) = &self.task.gate.approval {
            let name = self.load_assignee_name(approval.by).await?;
            let word = if approval.overrides { "Overridden-by" } else { "Reviewed-by" };
            trailers.push_str(&format!("{word}: {name}\n"));
        }
        Ok(trailers)
    }

    /// The name in one line, with white space collapsed.
    async fn load_assignee_name(&self, who: Assignee) -> Result<String, EffectError> {
        let db = self.engine.db();
        let name = match who {
            Assignee::Agent { id } => tables::agents::load(db, id).await?.map(|agent| agent.name),
            Assignee::User { id } => tables::users::load(db, id).await?.map(|user| user.name),
        };
        let name = name.unwrap_or_else(|| "unknown".to_owned());
        Ok(name.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
