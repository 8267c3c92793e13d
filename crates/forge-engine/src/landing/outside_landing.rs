//! Work that reached its target without the gate (W-19). The engine looks for it before every landing on that target
//! and at the task's own gate, and lets a person decide. It moves and deletes nothing.

use crate::effects::{EffectContext, EffectError};
use crate::landing::land::LandingIntent;
use crate::landing::post_landing::revert_effect::TASK_TRAILER;
use crate::landing::train::LandingCandidate;
use crate::workspace::locate::branch_of;
use crate::workspace::task_repos::TaskRepos;
use forge_domain::project::LandingMode;
use forge_domain::task::{AnnotationType, TaskActivity, TaskSnapshot};
use forge_domain::{EffectReport, TaskCommand, TaskId};
use forge_git::{BranchName, ObjectId, Repo};
use forge_store::{Db, tables};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The commits of one task that are on its target although no landing is recorded for them.
#[derive(Debug)]
struct OutsideLanding {
    target: BranchName,
    /// The commits, newest first.
    commits: Vec<ObjectId>,
    /// The newest commit of the target, by first parents, that is older than the newest of `commits` and not one of them.
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

/// Finds outside landings, of the task that lands and of other tasks on the same target.
#[derive(Debug, Clone)]
pub(crate) struct OutsideLandingFinder {
    pub(crate) db: Db,
    pub(crate) repos: TaskRepos,
}

impl OutsideLandingFinder {
    /// Fails if the task's changes reached the target by commits that no landing made.
    pub(crate) async fn check_content_outside(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        target: &BranchName,
        candidate: &LandingCandidate,
    ) -> Result<(), EffectError> {
        if effect.project.settings.landing()?.mode == LandingMode::PullRequest {
            return Ok(());
        }
        let Some(tip) = repo.tip(target).await? else { return Ok(()) };
        let Some(base) = repo.merge_base(&tip, &candidate.head).await? else { return Ok(()) };
        let bringing = repo.commits_with_same_content(&base, &candidate.head, &tip).await?;
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
        fail_if_found(effect, Some(OutsideLanding { target: target.clone(), commits, before }))
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
        if let Some(task) = tables::tasks::load(&self.db, task).await? {
            landed.extend(task.post_landing.landed.and_then(|landed| landed.commit));
        }
        for row in tables::effects::list_of_task(&self.db, task).await? {
            let intent = row.journal.as_deref().filter(|_| row.open);
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
        effect: &EffectContext,
        repo: &Repo,
        target: &BranchName,
    ) -> Result<(), EffectError> {
        let Some(tip) = repo.tip(target).await? else { return Ok(()) };
        let mut tasks = self.repos.load_live_tasks_of_repo(&effect.task).await?;
        tasks.retain(|task| task.workspace.as_ref().is_some_and(|found| branch_of(found).is_ok()));
        let branches = tasks.iter().filter_map(|task| {
            let workspace = task.workspace.as_ref()?;
            Some((branch_of(workspace).ok()?, PathBuf::from(&workspace.path)))
        });
        // Check all branches with one git call first: usually there is nothing.
        let made_into = repo.branches_with_commits_in(&tip, &branches.collect::<Vec<_>>()).await?;
        for (task, _) in tasks.into_iter().zip(made_into).filter(|(_, made_into)| *made_into) {
            // A landing in progress runs this check itself.
            let lands = matches!(
                task.activity,
                Some(
                    TaskActivity::Landing | TaskActivity::Stopping { .. } | TaskActivity::Rebasing
                )
            );
            if task.id == effect.task.id || lands || task.outside_landing().is_some() {
                continue;
            }
            let Ok((own_target, _)) = self.repos.load_target(&task, repo).await else { continue };
            if own_target != *target {
                continue;
            }
            let found = find_outside_landing(repo, &task, target, &tip).await?;
            if let Some(found) = found {
                let message = found.message(&task.key().to_string());
                tracing::warn!(task = %task.id, %target, "work reached its target without a recorded landing");
                let report = EffectReport::LandedOutside { message, details: found.details() };
                let actor = effect.actor();
                effect.commands.handle(actor, task.id, TaskCommand::Report(report)).await?;
            }
        }
        Ok(())
    }
}

/// Fails if the target already contains commits made in the task's workspace.
pub(crate) async fn check_landed_outside(
    effect: &EffectContext,
    repo: &Repo,
) -> Result<(), EffectError> {
    let Ok((target, tip)) = effect.load_target(repo).await else {
        // The landing reports a missing target.
        return Ok(());
    };
    let found = find_outside_landing(repo, &effect.task, &target, &tip).await?;
    fail_if_found(effect, found)
}

fn fail_if_found(effect: &EffectContext, found: Option<OutsideLanding>) -> Result<(), EffectError> {
    let Some(found) = found else { return Ok(()) };
    Err(EffectError::NeedsPerson {
        trouble: AnnotationType::LandedOutside,
        message: found.message(&effect.task.key().to_string()),
        details: found.details(),
    })
}

async fn find_outside_landing(
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
