//! Restores a journal entry, or starts another task from it (W-14).

use crate::admin::TaskSpec;
use crate::command::clock::Clock;
use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::effects::EffectError;
use crate::nodes::data_directory::DataDirectory;
use crate::workspace::journal::{WorkspaceJournals, entry_not_found, journal_of};
use crate::workspace::locate::{branch_of, commit_signature, directory_of, lock_holder};
use crate::workspace::pool::maintain::WorktreePools;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::view::workspace_summary::into_engine_error;
use crate::workspace::workspaces::Workspaces;
use forge_domain::task::{TaskSnapshot, WorkspaceStatus};
use forge_domain::{Actor, EffectReport, ProjectId, Refusal, TaskCommand, TaskId};
use forge_git::{
    BranchOnRestore, JournalEntry, JournalReason, JournalWriteOutcome, LockWait, LockedWorktree,
    ObjectId, RefName, Repo, RepoLocks, RestorePlan, WorkspaceLockError, WorkspaceLockGuard,
    WorkspaceLocks, WorkspaceRoot,
};
use forge_store::{Db, tables};
use serde_json::Value;
use std::sync::Arc;

/// The trailer that names the task of a commit.
const TASK_TRAILER: &str = "Forge-Task";

/// The metadata key that names the base commit of a task's branch.
const BASE: &str = "forge.base";

/// The result of restoring an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreOutcome {
    /// The entry that holds the state before the restore.
    pub saved: Option<JournalEntry>,
    /// Files with conflict markers, between the entry and later landings.
    pub conflicts: Vec<String>,
}

/// Restores journal entries at the request of users.
#[derive(Debug, Clone)]
pub struct JournalRestores {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) commands: Commands,
    pub(crate) journals: WorkspaceJournals,
    pub(crate) pools: WorktreePools,
    pub(crate) records: RecordReader,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) repos: TaskRepos,
    pub(crate) root: WorkspaceRoot,
    pub(crate) workspace_locks: WorkspaceLocks,
    pub(crate) workspaces: Workspaces,
}

impl JournalRestores {
    /// Restores an entry's files into a workspace. If the branch forked from a later target commit than the entry, the
    /// entry's change is applied there. Refused while another process holds the workspace; the current state is
    /// recorded first.
    pub async fn restore_entry(
        &self,
        actor: Actor,
        task: TaskId,
        number: u64,
        pointer: BranchOnRestore,
    ) -> Result<RestoreOutcome, EngineError> {
        let task = self.records.task(task).await?;
        let entry = self.entry(&task, number).await?;
        let workspace = task
            .workspace
            .as_ref()
            .filter(|workspace| workspace.status == WorkspaceStatus::Ready)
            .ok_or_else(|| Refusal::WorkspaceMissing { key: task.key() })?;
        let name = directory_of(workspace).map_err(into_engine_error)?;
        let hold = self.lock_for_user(&name, &actor).await?;
        let restored = async {
            let repo = self.repos.open_task_repo(&task).await?;
            let worktree =
                self.load_verified_worktree(&repo, task.project_id, &hold, workspace).await?;
            // The worktree may have come from the pool.
            self.pools.maintain_pool(task.repo_id);
            let journal = journal_of(task.id, &repo)?;
            let note = self.journals.journal_note(JournalReason::BeforeRestore, None)?;
            let head = worktree.head().await.ok();
            let landings = self.landings_since(&task, &repo, head.as_ref(), &entry).await?;
            let (plan, base) = match (pointer, &entry.head) {
                (BranchOnRestore::MoveToEntry, Some(head)) => {
                    refuse_to_drop(&landings, number)?;
                    let base = self.base_of_entry(&task, &repo, workspace, head).await?;
                    (RestorePlan::as_saved(&entry, pointer), base)
                }
                _ => {
                    let plan = self.plan_restore(&task, &repo, head.as_ref(), &entry).await?;
                    let commits: Vec<_> = landings.into_iter().map(|(commit, _)| commit).collect();
                    let signature = commit_signature("Forge", self.clock.now().millis())?;
                    (repo.keep_landings(plan, &commits, &signature).await?, None)
                }
            };
            let before = worktree.restore(&self.repo_locks, &journal, &plan, &note).await?;
            Ok((before, plan.conflicts(), base))
        };
        let (before, conflicts, base) = restored.await.map_err(into_engine_error)?;
        if let JournalWriteOutcome::Written(before) = &before {
            let (entry, differs) = (before.number, before.has_changes);
            let reason = before.reason.as_str().to_owned();
            let report = EffectReport::JournalRecorded { entry, reason, differs };
            self.commands.handle(actor.clone(), task.id, TaskCommand::Report(report)).await?;
        }
        let (branch_moved, marked) = (pointer == BranchOnRestore::MoveToEntry, conflicts.clone());
        let report = EffectReport::WorkspaceRestored {
            entry: number,
            branch_moved,
            base,
            conflicts: marked,
        };
        self.commands.handle(actor, task.id, TaskCommand::Report(report)).await?;
        Ok(RestoreOutcome { saved: before.entry().cloned(), conflicts })
    }

    async fn plan_restore(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
        head: Option<&ObjectId>,
        entry: &JournalEntry,
    ) -> Result<RestorePlan, EffectError> {
        if head == entry.head.as_ref() {
            return Ok(RestorePlan::as_saved(entry, BranchOnRestore::Keep));
        }
        let (_, tip) = self.repos.load_target(task, repo).await?;
        repo.plan_restore(entry, head, &tip).await?.ok_or_else(|| {
            EffectError::workspace(format!(
                "entry {} and the task's branch have no commit in common; restore it together with its branch \
                 (move_branch), or fork a task from it",
                entry.number
            ))
        })
    }

    /// What other tasks landed on the task's own branch since the entry, oldest first, with their task keys.
    async fn landings_since(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
        head: Option<&ObjectId>,
        entry: &JournalEntry,
    ) -> Result<Vec<(ObjectId, String)>, EffectError> {
        let (Some(head), Some(saved_at)) = (head, &entry.head) else { return Ok(Vec::new()) };
        let Some(workspace) = task.workspace.as_ref().filter(|_| head != saved_at) else {
            return Ok(Vec::new());
        };
        let (_, tip) = self.repos.load_target(task, repo).await?;
        // Commits from the target belong to the target.
        let own = repo.trailers_since(&tip, head, TASK_TRAILER, &[]).await?;
        let since = repo.trailers_since(saved_at, head, TASK_TRAILER, &[]).await?;
        let mut landings = Vec::new();
        for (commit, said) in own.into_iter().rev().filter(|landing| since.contains(landing)) {
            let Ok(id) = said.parse::<TaskId>() else { continue };
            let other = tables::tasks::load(&self.db, id).await?.filter(|_| id != task.id);
            if let Some(other) = other
                && let Some(landed) = &other.post_landing.landed
                && landed.target == workspace.branch
            {
                landings.push((commit, other.key().to_string()));
            }
        }
        Ok(landings)
    }

    /// The fork point of a branch that goes back to an entry's commit, if the recorded one is not in its history.
    async fn base_of_entry(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
        workspace: &forge_domain::task::Workspace,
        head: &ObjectId,
    ) -> Result<Option<String>, EffectError> {
        if let Ok(base) = ObjectId::new(&*workspace.base)
            && repo.is_ancestor(&base, head).await.unwrap_or(false)
        {
            return Ok(None);
        }
        let (_, tip) = self.repos.load_target(task, repo).await?;
        Ok(repo.merge_base(&tip, head).await?.map(|base| base.to_string()))
    }

    /// Creates a task whose workspace starts with an entry's files.
    pub async fn fork_entry(
        &self,
        actor: Actor,
        task: TaskId,
        number: u64,
        title: Option<String>,
    ) -> Result<TaskSnapshot, EngineError> {
        let task = self.records.task(task).await?;
        let entry = self.entry(&task, number).await?;
        let based = async {
            let repo = self.repos.open_task_repo(&task).await?;
            let journal = journal_of(task.id, &repo)?;
            let signature = commit_signature("Forge", self.clock.now().millis())?;
            let base = journal.fork_base(&entry, &signature).await?;
            // Keep a ref: the entry may be pruned before the new task is claimed.
            let name = RefName::new(format!("refs/forge/base/{base}"))
                .map_err(|error| EffectError::workspace(error.to_string()))?;
            self.repo_locks.acquire(&repo).await?.pin_commit(&name, &base).await?;
            Ok::<_, EffectError>(base)
        };
        let base = based.await.map_err(into_engine_error)?;
        let mut metadata = task.metadata.clone();
        metadata.insert(BASE.to_owned(), Value::String(base.to_string()));
        let asked = TaskSpec {
            title: title.unwrap_or_else(|| format!("{} (from entry {number})", task.title)),
            description: task.description.clone(),
            repo_id: task.repo_id,
            kind: task.kind,
            priority: task.priority,
            labels: task.labels.clone(),
            review_config: Some(task.review_config.clone()),
            merge_config: task.merge_config.clone(),
            metadata,
            ..TaskSpec::default()
        };
        self.commands.create_task(actor, task.project_id, asked).await
    }

    async fn entry(&self, task: &TaskSnapshot, number: u64) -> Result<JournalEntry, EngineError> {
        let entries = self.journals.journal_entries(task).await?;
        entries
            .into_iter()
            .find(|entry| entry.number == number)
            .ok_or_else(|| entry_not_found(number))
    }

    async fn lock_for_user(
        &self,
        name: &forge_git::DirectoryName,
        actor: &Actor,
    ) -> Result<WorkspaceLockGuard, EngineError> {
        let execution = match actor {
            Actor::User { id } => format!("restore for {id}"),
            _ => "restore".to_owned(),
        };
        let holder = lock_holder(self.home.node(), execution)?;
        let locks = &self.workspace_locks;
        match locks.acquire(&self.root, name, holder, LockWait::Reject).await {
            Ok(hold) => Ok(hold),
            Err(error @ WorkspaceLockError::Locked { .. }) => {
                let message = error.to_string();
                let WorkspaceLockError::Locked { holder, .. } = error else {
                    return Err(EngineError::Workspace(message));
                };
                Err(EngineError::WorkspaceLocked { message, holder: holder.map(Box::new) })
            }
            Err(WorkspaceLockError::Git(error)) => Err(into_engine_error(error.into())),
        }
    }

    async fn load_verified_worktree(
        &self,
        repo: &Repo,
        project: ProjectId,
        hold: &WorkspaceLockGuard,
        workspace: &forge_domain::task::Workspace,
    ) -> Result<LockedWorktree, EffectError> {
        let branch = branch_of(workspace)?;
        let found = hold.worktree(repo, &branch).await?;
        let worktree = match found.filter(|worktree| worktree.path().exists()) {
            Some(worktree) => worktree,
            None => {
                self.workspaces
                    .recreate_worktree(repo, &self.records.project(project).await?, hold, &branch)
                    .await?
            }
        };
        worktree.verify().await?;
        Ok(worktree)
    }
}

/// The base commit that a task's metadata names instead of its target's tip.
pub(crate) async fn load_given_base(
    task: &TaskSnapshot,
    repo: &Repo,
) -> Result<Option<ObjectId>, EffectError> {
    let Some(given) = task.metadata.get(BASE) else { return Ok(None) };
    let unusable = || {
        EffectError::workspace(format!(
            "the task's metadata has the key {BASE}, but {given} is no commit of its repository; remove it"
        ))
    };
    let id = given.as_str().and_then(|id| ObjectId::new(id).ok()).ok_or_else(unusable)?;
    match repo.is_ancestor(&id, &id).await {
        Ok(true) => Ok(Some(id)),
        _ => Err(unusable()),
    }
}

/// Refuses to move the branch back past landings of other tasks.
fn refuse_to_drop(landings: &[(ObjectId, String)], number: u64) -> Result<(), EffectError> {
    if landings.is_empty() {
        return Ok(());
    }
    let mut keys: Vec<&str> = landings.iter().map(|(_, key)| key.as_str()).collect();
    keys.dedup();
    Err(EffectError::workspace(format!(
        "the branch cannot go back to entry {number}: {} landed on it since; restore the entry without moving the branch, or \
         fork a task from it",
        keys.join(", ")
    )))
}
