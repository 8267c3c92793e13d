//! What a task's branch brings into its target's line: how it is to be committed, and what it has to pass.

use super::Failure;
use super::perform::Step;
use crate::registry::default_review_config;
use crate::train::{Cargo, LandingChecks};
use forge_domain::Assignee;
use forge_git::{ObjectId, Repo, uncut};
use forge_store::tables;

impl Step<'_> {
    pub(super) async fn cargo(
        &self,
        repo: &Repo,
        tip: &ObjectId,
        head: ObjectId,
    ) -> Result<Cargo, Failure> {
        let Some(base) = repo.merge_base(tip, &head).await? else {
            return Err(Failure::workspace(
                "the branch and its target have no commit in common: the target was replaced by another history; \
                 bring the branch onto it (git rebase --onto) or reset the workspace, then hand the task in again",
            ));
        };
        let fork = self.fork(repo, &base, tip, &head).await?;
        let paths = repo.changed_paths(fork.as_ref().unwrap_or(&base), &head).await?;
        let trailers = self.trailers().await?;
        let body = self.task.description.trim();
        let mut message = format!("{} ({})\n\n", self.task.title, self.task.key());
        if !body.is_empty() {
            message.push_str(&uncut(body));
            message.push_str("\n\n");
        }
        message.push_str(&trailers);
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let repo = self.engine.repo_row(&self.task).await?.id;
        let strategy = self.task.merge_config.strategy;
        let checks = self.landing_checks()?;
        Ok(Cargo { repo, head, fork, paths, strategy, message, trailers, signature, checks })
    }

    /// Where the branch began, if its target was rewritten since and has that commit no more. Nobody saw what is before it
    /// as this task's work, and whoever took it out of the target does not want it back.
    async fn fork(
        &self,
        repo: &Repo,
        base: &ObjectId,
        tip: &ObjectId,
        head: &ObjectId,
    ) -> Result<Option<ObjectId>, Failure> {
        let began = self.task.workspace.as_ref().and_then(|found| ObjectId::new(&*found.base).ok());
        let Some(began) = began.filter(|began| began != base && began != tip) else {
            return Ok(None);
        };
        if repo.tree_of(&began).await.is_err() {
            // Adopted from elsewhere, or pruned.
            return Ok(None);
        }
        let is_own =
            repo.is_ancestor(base, &began).await? && repo.is_ancestor(&began, head).await?;
        Ok(Some(began).filter(|_| is_own))
    }

    /// Nothing where neither the project nor the task has any, or a person stands for the work against them (M-4).
    fn landing_checks(&self) -> Result<Option<LandingChecks>, Failure> {
        if self.task.gate.is_overridden() {
            return Ok(None);
        }
        let default = default_review_config(&self.project.settings);
        let config = LandingChecks::config_of(&default, &self.task.review_config);
        let hashed = config.map(|config| {
            let hash = self.engine.checks_of(&self.project, &config)?;
            Ok::<_, Failure>(LandingChecks { config, hash })
        });
        hashed.transpose()
    }

    /// Whose work it is.
    async fn trailers(&self) -> Result<String, Failure> {
        let mut trailers = format!("Forge-Task: {}\n", self.task.id);
        if let Some(run) = &self.task.last_run {
            trailers.push_str(&format!("Forge-Execution: {}\n", run.execution));
        }
        if self.task.holder.and_then(|holder| holder.agent()).is_some() {
            let name = self.author().await?.split_whitespace().collect::<Vec<_>>().join(" ");
            trailers.push_str(&format!("Forge-Agent: {name}\n"));
        }
        if let Some(approval) = &self.task.gate.approval {
            let name = self.name_of(approval.by).await?;
            let word = if approval.overrides { "Overridden-by" } else { "Reviewed-by" };
            trailers.push_str(&format!("{word}: {name}\n"));
        }
        Ok(trailers)
    }

    /// One line, whatever somebody called themselves.
    async fn name_of(&self, who: Assignee) -> Result<String, Failure> {
        let db = self.engine.db();
        let name = match who {
            Assignee::Agent { id } => tables::agents::load(db, id).await?.map(|agent| agent.name),
            Assignee::User { id } => tables::users::load(db, id).await?.map(|user| user.name),
        };
        let name = name.unwrap_or_else(|| "somebody".to_owned());
        Ok(name.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
