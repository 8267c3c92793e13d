use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::journal::journal_entry::{JournalEntry, JournalReason, entry_message};
use crate::journal::snapshot_builder::SnapshotNeeds;
use crate::journal::workspace_snapshot::{SnapshotSource, WorkspaceSnapshot};
use crate::merge::commit_identity::CommitSignature;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_lookup;
use crate::refs::ref_lookup::RefLookup;
use crate::refs::ref_name::{RefName, RefNameError};
use crate::repo::repo_lock::{LockedRepo, RepoLocks};
use crate::repo::repository::Repo;

/// The prefix of all journal references.
pub(crate) const JOURNAL_REF_PREFIX: &str = "refs/forge/journal/";

/// The saved states of one task's workspace (W-14): commits under `refs/forge/journal/<task>/<n>`. The parents of an
/// entry are the commit that HEAD was on, the staged tree, and commits that the agent left behind, so that git does
/// not collect anything that the entry needs. The previous entry is not a parent, so it can be pruned.
#[derive(Debug, Clone)]
pub struct Journal {
    repo: Repo,
    task: String,
}

/// The metadata of a new journal entry.
#[derive(Debug, Clone)]
pub struct JournalEntryMetadata {
    /// Why it is written.
    pub reason: JournalReason,
    /// The execution that it is written for.
    pub execution: Option<String>,
    /// Who writes it, and when.
    pub signature: CommitSignature,
}

/// The outcome of saving a workspace's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalWriteOutcome {
    /// A new entry was written.
    Written(JournalEntry),
    /// The newest entry holds the same state.
    Unchanged(JournalEntry),
    /// There is neither a file nor a commit to save.
    Empty,
}

impl JournalWriteOutcome {
    /// The entry that holds the current state.
    pub fn entry(&self) -> Option<&JournalEntry> {
        match self {
            Self::Written(entry) | Self::Unchanged(entry) => Some(entry),
            Self::Empty => None,
        }
    }
}

impl Journal {
    /// The journal of a task.
    pub fn for_task(repo: &Repo, task: &str) -> Result<Self, RefNameError> {
        RefName::new(format!("{JOURNAL_REF_PREFIX}{task}/1"))?;
        Ok(Self { repo: repo.clone(), task: task.to_owned() })
    }

    /// The repository that holds it.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// All entries, oldest first.
    pub async fn load_entries(&self) -> Result<Vec<JournalEntry>, GitError> {
        let list = GitCommand::read(&self.repo, "for-each-ref")
            .arg(JournalEntry::FORMAT)
            .arg(format!("{JOURNAL_REF_PREFIX}{}/", self.task))
            .run()
            .await?;
        JournalEntry::parse_all(&list)
    }

    pub(crate) async fn load_entry(&self, number: u64) -> Result<Option<JournalEntry>, GitError> {
        let list = GitCommand::read(&self.repo, "for-each-ref")
            .arg(JournalEntry::FORMAT)
            .arg(self.reference(number))
            .run()
            .await?;
        Ok(JournalEntry::parse_all(&list)?.pop())
    }

    /// Saves the state of a workspace while an agent may work there; its index and branch are not touched. Holds the
    /// repository's lock only for the last, short part.
    pub async fn save_workspace(
        &self,
        locks: &RepoLocks,
        site: &SnapshotSource,
        note: &JournalEntryMetadata,
    ) -> Result<JournalWriteOutcome, GitError> {
        let (snapshot, newest) =
            tokio::join!(Box::pin(site.snapshot(SnapshotNeeds::TreeOnly)), self.load_newest());
        match snapshot? {
            Some(snapshot) => Box::pin(self.write_entry(locks, &snapshot, note, newest?)).await,
            None => Ok(JournalWriteOutcome::Empty),
        }
    }

    pub(crate) async fn load_newest(&self) -> Result<Option<JournalEntry>, GitError> {
        Ok(self.load_entries().await?.pop())
    }

    fn number_after(newest: Option<&JournalEntry>) -> u64 {
        newest.map_or(1, |entry| entry.number + 1)
    }

    /// Whether no entry was written since `newest` was read. The newest entry is never pruned.
    fn is_still_newest(&self, newest: Option<&JournalEntry>) -> bool {
        let next = RefName::new(self.reference(Self::number_after(newest)));
        next.is_ok_and(|next| {
            ref_lookup::look_up_ref(self.repo.common_dir(), &next) == RefLookup::Missing
        })
    }

    pub(crate) async fn write_entry(
        &self,
        locks: &RepoLocks,
        snapshot: &WorkspaceSnapshot,
        note: &JournalEntryMetadata,
        mut newest: Option<JournalEntry>,
    ) -> Result<JournalWriteOutcome, GitError> {
        let mut parents: Vec<ObjectId> = snapshot.head.iter().cloned().collect();
        if let Some(staged) = &snapshot.staged {
            let kept = self.repo.commit_tree(staged, &parents, "Staged\n", &note.signature).await?;
            parents.push(kept);
        }
        parents.extend(snapshot.unreferenced_commits.iter().cloned());
        let locked = locks.acquire(&self.repo).await?;
        if !self.is_still_newest(newest.as_ref()) {
            newest = self.load_newest().await?;
        }
        let number = Self::number_after(newest.as_ref());
        if let Some(newest) = newest.filter(|newest| newest.is_same(snapshot)) {
            return Ok(JournalWriteOutcome::Unchanged(newest));
        }
        let (reason, execution) = (note.reason, note.execution.as_deref());
        let text = entry_message(&self.task, number, reason, execution, snapshot);
        let commit =
            self.repo.commit_tree(&snapshot.tree, &parents, &text, &note.signature).await?;
        self.create_reference(&locked, number, &commit).await?;
        Ok(JournalWriteOutcome::Written(JournalEntry {
            number,
            commit,
            tree: snapshot.tree.clone(),
            at: note.signature.at,
            reason,
            execution: note.execution.clone(),
            head_ref: snapshot.head_ref.clone(),
            head: snapshot.head.clone(),
            staged: snapshot.staged.clone(),
            has_changes: snapshot.has_changes,
            has_files: snapshot.has_files,
            skipped: snapshot.skipped.clone(),
        }))
    }

    async fn create_reference(
        &self,
        locked: &LockedRepo,
        number: u64,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let name = self.reference(number);
        if let Ok(reference) = RefName::new(&*name) {
            locked.drop_ref_lock(&reference).await?;
            if ref_lookup::create_ref(self.repo.common_dir(), &reference, commit) {
                return Ok(());
            }
        }
        GitCommand::write_refs(locked, "update-ref")?
            .arg(name)
            .arg(commit.as_str())
            // An empty old value: the reference must not exist yet.
            .arg("")
            .run()
            .await?;
        Ok(())
    }

    /// The commit that another task can start from to get this entry's files on top of its commit (W-14).
    pub async fn fork_base(
        &self,
        entry: &JournalEntry,
        signature: &CommitSignature,
    ) -> Result<ObjectId, GitError> {
        match &entry.head {
            Some(head) if !entry.has_changes => Ok(head.clone()),
            head => {
                let parents: Vec<ObjectId> = head.iter().cloned().collect();
                let text = format!("Begin with entry {} of {}\n", entry.number, self.task);
                self.repo.commit_tree(&entry.tree, &parents, &text, signature).await
            }
        }
    }

    fn reference(&self, number: u64) -> String {
        format!("{JOURNAL_REF_PREFIX}{}/{number}", self.task)
    }
}
