//! Brings a saved state back, or begins another task with it (W-14).

use crate::effects::{Failure, branch_of, directory_of};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::inspect::unreadable;
use crate::journal::missing;
use crate::registry::NewTask;
use forge_domain::task::{Snapshot, WorkspaceStatus};
use forge_domain::{Actor, Command, ProjectId, Refusal, Report, TaskId};
use forge_git::{
    BranchPointer, HeldWorktree, HoldError, JournalEntry, JournalReason, ObjectId, Patience,
    Recorded, RefName, Repo, WorkspaceHold,
};
use serde_json::Value;

/// Where a task's own data says which commit its branch begins at.
const BASE: &str = "forge.base";

impl Engine {
    /// Makes a workspace's files those of an entry. Refused while somebody works there; what is there now becomes an
    /// entry first, which is the answer.
    pub async fn restore_entry(
        &self,
        actor: Actor,
        task: TaskId,
        number: u64,
        pointer: BranchPointer,
    ) -> Result<Option<JournalEntry>, EngineError> {
        let task = self.task(task).await?;
        let entry = self.entry(&task, number).await?;
        let workspace = task
            .workspace
            .as_ref()
            .filter(|workspace| workspace.status == WorkspaceStatus::Ready)
            .ok_or_else(|| Refusal::WorkspaceMissing { key: task.key() })?;
        let name = directory_of(workspace).map_err(unreadable)?;
        let hold = self.take_for_person(&name, &actor).await?;
        let restored = async {
            let repo = self.repo_of(&task).await?;
            let worktree = self.whole_worktree(&repo, task.project_id, &hold, workspace).await?;
            // One that waited may have taken the place of a directory that was gone.
            self.tend_pool(task.repo_id);
            let journal = self.journal_of(task.id, &repo)?;
            let note = self.journal_note(JournalReason::BeforeRestore, None)?;
            let locks = &self.0.repo_locks;
            Ok(worktree.restore(locks, &journal, &entry, pointer, &note).await?)
        };
        let before = restored.await.map_err(unreadable)?;
        if let Recorded::New(before) = &before {
            let (entry, differs) = (before.number, before.differs);
            let reason = before.reason.as_str().to_owned();
            let report = Report::JournalRecorded { entry, reason, differs };
            self.handle(actor.clone(), task.id, Command::Report(report)).await?;
        }
        let branch_moved = pointer == BranchPointer::Follows;
        let report = Report::WorkspaceRestored { entry: number, branch_moved };
        self.handle(actor, task.id, Command::Report(report)).await?;
        Ok(before.entry().cloned())
    }

    /// Makes a task whose workspace begins with the files of an entry.
    pub async fn fork_entry(
        &self,
        actor: Actor,
        task: TaskId,
        number: u64,
        title: Option<String>,
    ) -> Result<Snapshot, EngineError> {
        let task = self.task(task).await?;
        let entry = self.entry(&task, number).await?;
        let based = async {
            let repo = self.repo_of(&task).await?;
            let journal = self.journal_of(task.id, &repo)?;
            let signature = self.signature("Forge", self.now().millis())?;
            let base = journal.fork_base(&entry, &signature).await?;
            // The entry may be pruned before the new task is claimed.
            let name = RefName::new(format!("refs/forge/base/{base}"))
                .map_err(|error| Failure::workspace(error.to_string()))?;
            self.0.repo_locks.acquire(&repo).await?.keep(&name, &base).await?;
            Ok::<_, Failure>(base)
        };
        let base = based.await.map_err(unreadable)?;
        let mut metadata = task.metadata.clone();
        metadata.insert(BASE.to_owned(), Value::String(base.to_string()));
        let asked = NewTask {
            title: title.unwrap_or_else(|| format!("{} (from entry {number})", task.title)),
            description: task.description.clone(),
            repo_id: task.repo_id,
            kind: task.kind,
            priority: task.priority,
            labels: task.labels.clone(),
            review_config: Some(task.review_config.clone()),
            merge_config: task.merge_config.clone(),
            metadata,
            ..NewTask::default()
        };
        self.create_task(actor, task.project_id, asked).await
    }

    /// The commit that a task is to begin at instead of its target's tip, if it says so.
    pub(crate) async fn given_base(
        &self,
        task: &Snapshot,
        repo: &Repo,
    ) -> Result<Option<ObjectId>, Failure> {
        let Some(given) = task.metadata.get(BASE) else { return Ok(None) };
        let unusable = || {
            Failure::workspace(format!(
                "the task's metadata has the key {BASE}, but {given} is no commit of its repository; remove it"
            ))
        };
        let id = given.as_str().and_then(|id| ObjectId::new(id).ok()).ok_or_else(unusable)?;
        match repo.is_ancestor(&id, &id).await {
            Ok(true) => Ok(Some(id)),
            _ => Err(unusable()),
        }
    }

    async fn entry(&self, task: &Snapshot, number: u64) -> Result<JournalEntry, EngineError> {
        let entries = self.journal_entries(task).await?;
        entries.into_iter().find(|entry| entry.number == number).ok_or_else(|| missing(number))
    }

    async fn take_for_person(
        &self,
        name: &forge_git::DirectoryName,
        actor: &Actor,
    ) -> Result<WorkspaceHold, EngineError> {
        let execution = match actor {
            Actor::User { id } => format!("restore for {id}"),
            _ => "restore".to_owned(),
        };
        let holder = self.holder(execution)?;
        let locks = &self.0.workspace_locks;
        match locks.hold(&self.0.root, name, holder, Patience::Reject).await {
            Ok(hold) => Ok(hold),
            Err(error @ HoldError::Held { .. }) => {
                let message = error.to_string();
                let HoldError::Held { holder, .. } = error else {
                    return Err(EngineError::Workspace(message));
                };
                Err(EngineError::WorkspaceLocked { message, holder: holder.map(Box::new) })
            }
            Err(HoldError::Git(error)) => Err(unreadable(error.into())),
        }
    }

    async fn whole_worktree(
        &self,
        repo: &Repo,
        project: ProjectId,
        hold: &WorkspaceHold,
        workspace: &forge_domain::task::Workspace,
    ) -> Result<HeldWorktree, Failure> {
        let branch = branch_of(workspace)?;
        let found = hold.worktree(repo, &branch).await?;
        let worktree = match found.filter(|worktree| worktree.path().exists()) {
            Some(worktree) => worktree,
            None => self.rebuild(repo, &self.project(project).await?, hold, &branch).await?,
        };
        worktree.verify().await?;
        Ok(worktree)
    }
}
