use crate::command::Command;
use crate::error::GitError;
use crate::gathering::Need;
use crate::journal_entry::{JournalEntry, JournalReason, message};
use crate::lock::{LockedRepo, RepoLocks};
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::ref_file::{self, RefFile};
use crate::ref_name::{NameError, RefName};
use crate::repo::Repo;
use crate::snapshot::{Site, Snapshot};

/// Where all journals are.
pub(crate) const JOURNALS: &str = "refs/forge/journal/";

/// The saved states of one task's workspace (W-14): commits under `refs/forge/journal/<task>/<n>`. An entry's parents
/// are the commit it was on, what was staged, and commits that were left behind, so that nothing it speaks of can be
/// collected as garbage; it does not hold on to the entry before, which can then go.
#[derive(Debug, Clone)]
pub struct Journal {
    repo: Repo,
    task: String,
}

/// What is to be said about an entry.
#[derive(Debug, Clone)]
pub struct JournalNote {
    /// Why it is written.
    pub reason: JournalReason,
    /// On whose behalf.
    pub execution: Option<String>,
    /// Who writes it, and when.
    pub signature: Signature,
}

/// What came of asking for an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It was written.
    New(JournalEntry),
    /// The newest one says the same.
    Same(JournalEntry),
    /// There is neither a file nor a commit.
    Nothing,
}

impl Recorded {
    /// The entry that holds the present state.
    pub fn entry(&self) -> Option<&JournalEntry> {
        match self {
            Self::New(entry) | Self::Same(entry) => Some(entry),
            Self::Nothing => None,
        }
    }
}

impl Journal {
    /// The journal of a task.
    pub fn of(repo: &Repo, task: &str) -> Result<Self, NameError> {
        RefName::new(format!("{JOURNALS}{task}/1"))?;
        Ok(Self { repo: repo.clone(), task: task.to_owned() })
    }

    /// Its repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// All entries, oldest first.
    pub async fn load_entries(&self) -> Result<Vec<JournalEntry>, GitError> {
        let list = Command::read(&self.repo, "for-each-ref")
            .arg(JournalEntry::FORMAT)
            .arg(format!("{JOURNALS}{}/", self.task))
            .run()
            .await?;
        JournalEntry::parse_all(&list)
    }

    /// One entry.
    pub(crate) async fn load_entry(&self, number: u64) -> Result<Option<JournalEntry>, GitError> {
        let list = Command::read(&self.repo, "for-each-ref")
            .arg(JournalEntry::FORMAT)
            .arg(self.reference(number))
            .run()
            .await?;
        Ok(JournalEntry::parse_all(&list)?.pop())
    }

    /// Saves what is in a place, beside whoever works there: neither their index nor their branch is touched. The
    /// repository's lock is held for the last, short part only.
    pub async fn record(
        &self,
        locks: &RepoLocks,
        site: &Site,
        note: &JournalNote,
    ) -> Result<Recorded, GitError> {
        let (snapshot, newest) = tokio::join!(Box::pin(site.snapshot(Need::Tree)), self.newest());
        match snapshot? {
            Some(snapshot) => Box::pin(self.write(locks, &snapshot, note, newest?)).await,
            None => Ok(Recorded::Nothing),
        }
    }

    /// The last entry.
    pub(crate) async fn newest(&self) -> Result<Option<JournalEntry>, GitError> {
        Ok(self.load_entries().await?.pop())
    }

    fn number_after(newest: Option<&JournalEntry>) -> u64 {
        newest.map_or(1, |entry| entry.number + 1)
    }

    /// Whether nobody wrote an entry since the newest was asked for. The newest is never pruned.
    fn is_still_newest(&self, newest: Option<&JournalEntry>) -> bool {
        let next = RefName::new(self.reference(Self::number_after(newest)));
        next.is_ok_and(|next| ref_file::load(self.repo.common_dir(), &next) == RefFile::Missing)
    }

    pub(crate) async fn write(
        &self,
        locks: &RepoLocks,
        snapshot: &Snapshot,
        note: &JournalNote,
        mut newest: Option<JournalEntry>,
    ) -> Result<Recorded, GitError> {
        let mut parents: Vec<ObjectId> = snapshot.head.iter().cloned().collect();
        if let Some(staged) = &snapshot.staged {
            let kept = self.repo.commit_tree(staged, &parents, "Staged\n", &note.signature).await?;
            parents.push(kept);
        }
        parents.extend(snapshot.strays.iter().cloned());
        let locked = locks.acquire(&self.repo).await?;
        if !self.is_still_newest(newest.as_ref()) {
            newest = self.newest().await?;
        }
        let number = Self::number_after(newest.as_ref());
        if let Some(newest) = newest.filter(|newest| newest.is_same(snapshot)) {
            return Ok(Recorded::Same(newest));
        }
        let (reason, execution) = (note.reason, note.execution.as_deref());
        let text = message(&self.task, number, reason, execution, snapshot);
        let commit =
            self.repo.commit_tree(&snapshot.tree, &parents, &text, &note.signature).await?;
        self.name(&locked, number, &commit).await?;
        Ok(Recorded::New(JournalEntry {
            number,
            commit,
            tree: snapshot.tree.clone(),
            at: note.signature.at,
            reason,
            execution: note.execution.clone(),
            on: snapshot.on.clone(),
            head: snapshot.head.clone(),
            staged: snapshot.staged.clone(),
            differs: snapshot.differs,
            has_files: snapshot.has_files,
            skipped: snapshot.skipped.clone(),
        }))
    }

    async fn name(
        &self,
        locked: &LockedRepo,
        number: u64,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let name = self.reference(number);
        if let Ok(reference) = RefName::new(&*name) {
            locked.drop_ref_lock(&reference).await?;
            if ref_file::create(self.repo.common_dir(), &reference, commit) {
                return Ok(());
            }
        }
        Command::write_refs(locked, "update-ref")?
            .arg(name)
            .arg(commit.as_str())
            // Nothing may be there yet.
            .arg("")
            .run()
            .await?;
        Ok(())
    }

    /// The commit that another task can begin with to have this entry's files on top of its commit (W-14).
    pub async fn fork_base(
        &self,
        entry: &JournalEntry,
        signature: &Signature,
    ) -> Result<ObjectId, GitError> {
        match &entry.head {
            Some(head) if !entry.differs => Ok(head.clone()),
            head => {
                let parents: Vec<ObjectId> = head.iter().cloned().collect();
                let text = format!("Begin with entry {} of {}\n", entry.number, self.task);
                self.repo.commit_tree(&entry.tree, &parents, &text, signature).await
            }
        }
    }

    fn reference(&self, number: u64) -> String {
        format!("{JOURNALS}{}/{number}", self.task)
    }
}
