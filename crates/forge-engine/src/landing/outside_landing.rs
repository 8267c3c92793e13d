//! Work that reached its target without the gate (W-19). The engine looks for it before every landing on that target
//! and at the task's own gate, and lets a person decide. It moves and deletes nothing.

use crate::command::errors::EngineError;
use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, TASK_TRAILER};
use crate::engine::Engine;
use crate::landing::land::LandingIntent;
use crate::landing::train::{LandingCandidate, LandingMode, LandingSettings};
use crate::workspace::locate::branch_of;
use forge_domain::task::{AnnotationType, TaskActivity, TaskSnapshot};
use forge_domain::{Actor, EffectReport, TaskCommand, TaskId};
use forge_git::{BranchName, ObjectId, Repo};
use forge_store::tables;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A task's commits on its target without a recorded landing.
#[derive(Debug)]
struct OutsideLanding {
    target: BranchName,
    /// The commits, newest first.
    commits: Vec<ObjectId>,
    /// The target before the newest commit and the commits that follow it.
    before: Option<ObjectId>,
}

impl OutsideLanding {
    fn message(&self, key: &str) -> String {
        let Self { target, commits, .. } = self;
        let first = commits.first().map(ToString::to_string).unwrap_or_default();
        format!(
            "{target} holds work of {key} that Forge did not land ({} commit(s), the last is {first}); look at it, then \
             `forge task accept-landed {key}` keeps it, or `forge task revert {key}` takes it back through the gate",
            commits.len()
        )
    }

    fn details(&self) -> serde_json::Value {
        json!({
            "target": self.target.to_string(),
            "commit": self.commits.first().map(ToString::to_string),
            "commits": self.commits.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "before": self.before.as_ref().map(ToString::to_string),
        })
    }
}

impl EffectRun<'_> {
    /// Fails if the target already contains commits made in the task's workspace.
    pub(crate) async fn check_landed_outside(&self, repo: &Repo) -> Result<(), EffectError> {
        let Ok((target, tip)) = self.engine.load_target(&self.task, repo).await else {
            // The landing reports a missing target.
            return Ok(());
        };
        let found = self.engine.find_outside_landing(repo, &self.task, &target, &tip).await?;
        self.fail_if_found(found)
    }

    /// Fails if the task's changes reached the target by commits that no landing made.
    pub(crate) async fn check_content_outside(
        &self,
        repo: &Repo,
        target: &BranchName,
        cargo: &LandingCandidate,
    ) -> Result<(), EffectError> {
        if LandingSettings::of(&self.project.settings)?.mode == LandingMode::PullRequest {
            return Ok(());
        }
        let Some(tip) = repo.tip(target).await? else { return Ok(()) };
        let Some(base) = repo.merge_base(&tip, &cargo.head).await? else { return Ok(()) };
        let bringing = repo.commits_with_same_content(&base, &cargo.head, &tip).await?;
        if bringing.is_empty() {
            return Ok(());
        }
        let said = repo.trailers_since(&base, &tip, TASK_TRAILER, &[]).await?;
        let said: BTreeMap<String, String> =
            said.into_iter().map(|(commit, task)| (commit.to_string(), task)).collect();
        let mut commits = Vec::new();
        for commit in bringing {
            let task = said.get(commit.as_str());
            if !self.is_recorded_landing(repo, &commit, task).await? {
                commits.push(commit);
            }
        }
        let Some(last) = commits.first() else { return Ok(()) };
        let before = repo.first_parent_before(last, &commits).await?;
        self.fail_if_found(Some(OutsideLanding { target: target.clone(), commits, before }))
    }

    fn fail_if_found(&self, found: Option<OutsideLanding>) -> Result<(), EffectError> {
        let Some(found) = found else { return Ok(()) };
        Err(EffectError::NeedsPerson {
            trouble: AnnotationType::LandedOutside,
            message: found.message(&self.task.key().to_string()),
            details: found.details(),
        })
    }

    /// Whether a commit is a recorded or journalled landing of the task that its trailer names.
    async fn is_recorded_landing(
        &self,
        repo: &Repo,
        commit: &ObjectId,
        task: Option<&String>,
    ) -> Result<bool, EffectError> {
        let task = task.and_then(|task| task.parse::<TaskId>().ok());
        let Some(task) = task else { return Ok(false) };
        let mut landed: Vec<String> = Vec::new();
        if let Some(task) = tables::tasks::load(self.engine.db(), task).await? {
            landed.extend(task.post_landing.landed.and_then(|landed| landed.commit));
        }
        for step in tables::effects::list_of_task(self.engine.db(), task).await? {
            let intent = step.journal.as_deref().filter(|_| step.open);
            let intent = intent.and_then(|text| serde_json::from_str::<LandingIntent>(text).ok());
            landed.extend(intent.map(|intent| intent.new));
        }
        for landed in landed.into_iter().filter_map(|landed| ObjectId::new(landed).ok()) {
            if landed == *commit || repo.is_ancestor(commit, &landed).await.unwrap_or(false) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reports outside landings of every other live task on this target, before anything lands there.
    pub(crate) async fn raise_outside_landings(
        &self,
        repo: &Repo,
        target: &BranchName,
    ) -> Result<(), EffectError> {
        let Some(tip) = repo.tip(target).await? else { return Ok(()) };
        let mut tasks = self.engine.load_live_tasks_of_repo(&self.task).await?;
        tasks.retain(|task| task.workspace.as_ref().is_some_and(|found| branch_of(found).is_ok()));
        let places = tasks.iter().filter_map(|task| {
            let workspace = task.workspace.as_ref()?;
            Some((branch_of(workspace).ok()?, PathBuf::from(&workspace.path)))
        });
        // Check all branches with one git call first: usually there is nothing.
        let made_into = repo.branches_with_commits_in(&tip, &places.collect::<Vec<_>>()).await?;
        for (task, _) in tasks.into_iter().zip(made_into).filter(|(_, made_into)| *made_into) {
            // A landing in progress runs this check itself.
            let lands = matches!(
                task.activity,
                Some(
                    TaskActivity::Landing | TaskActivity::Stopping { .. } | TaskActivity::Rebasing
                )
            );
            if task.id == self.task.id || lands || task.outside_landing().is_some() {
                continue;
            }
            let Ok((own_target, _)) = self.engine.load_target(&task, repo).await else { continue };
            if own_target != *target {
                continue;
            }
            let found = self.engine.find_outside_landing(repo, &task, target, &tip).await?;
            if let Some(found) = found {
                let message = found.message(&task.key().to_string());
                tracing::warn!(task = %task.id, %target, "work reached its target without a recorded landing");
                let report = EffectReport::LandedOutside { message, details: found.details() };
                let actor = Actor::system(self.row.effect.name());
                self.engine.handle(actor, task.id, TaskCommand::Report(report)).await?;
            }
        }
        Ok(())
    }
}

impl Engine {
    /// The unfinished tasks of the task's repository that have a workspace, this task included. Also tasks of other
    /// projects with the same repository: earlier versions allowed that.
    pub(crate) async fn load_live_tasks_of_repo(
        &self,
        task: &TaskSnapshot,
    ) -> Result<Vec<TaskSnapshot>, EngineError> {
        let rows = tables::repos::list_all(self.db()).await?;
        let own = rows.iter().find(|row| Some(row.id) == task.repo_id);
        let Some(path) = own.and_then(|own| own.path.clone()) else { return Ok(Vec::new()) };
        let mut tasks = Vec::new();
        for row in rows.iter().filter(|row| row.path.as_ref() == Some(&path)) {
            let live = tables::tasks::list_live_with_workspace(self.db(), row.project_id).await?;
            tasks.extend(live.into_iter().filter(|other| other.repo_id == Some(row.id)));
        }
        Ok(tasks)
    }

    async fn find_outside_landing(
        &self,
        repo: &Repo,
        task: &TaskSnapshot,
        target: &BranchName,
        tip: &ObjectId,
    ) -> Result<Option<OutsideLanding>, EffectError> {
        let Some(workspace) = task.workspace.as_ref().filter(|found| !found.is_plain()) else {
            return Ok(None);
        };
        if task.pull_request.is_some() {
            return Ok(None);
        }
        let (Ok(branch), Ok(base)) = (branch_of(workspace), ObjectId::new(&*workspace.base)) else {
            return Ok(None);
        };
        let made = repo.load_commits_created(&branch, Path::new(&workspace.path)).await?;
        if made.is_empty() || repo.tree_of(&base).await.is_err() {
            return Ok(None);
        }
        let landed = task.post_landing.landed.as_ref().and_then(|landed| landed.commit.clone());
        let landed = landed.and_then(|landed| ObjectId::new(landed).ok());
        let commits = repo.commits_not_in(tip, &base, landed.as_ref()).await?;
        let commits: Vec<_> = commits.into_iter().filter(|one| made.contains(one)).collect();
        let Some(last) = commits.first() else { return Ok(None) };
        let before = repo.first_parent_before(last, &commits).await?;
        Ok(Some(OutsideLanding { target: target.clone(), commits, before }))
    }
}
