use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::beneath::{Beneath, EscapeError};
use crate::command::Command;
use crate::error::GitError;
use crate::gathering::{Gathered, Gathering, Need};
use crate::lock::LockedRepo;
use crate::object_id::ObjectId;
use crate::private_index::PrivateIndex;
use crate::record::Record;
use crate::ref_name::{BranchName, RefName};
use crate::repo::Repo;
use crate::root::{DirectoryName, WorkspaceRoot};
use crate::worktree::Worktree;

/// A place whose content can be saved, whatever an agent made of it: only the repository, the root and the name are
/// taken from our records.
#[derive(Debug, Clone)]
pub struct Site {
    pub(crate) repo: Repo,
    root: WorkspaceRoot,
    name: DirectoryName,
    record: Option<PathBuf>,
    branch: BranchName,
}

/// Everything that is in a place, as objects. Nothing names them yet.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The files; the head's where there are none.
    pub(crate) tree: ObjectId,
    /// The commit it is on.
    pub(crate) head: Option<ObjectId>,
    /// Whether the files differ from it.
    pub(crate) differs: bool,
    /// What HEAD says.
    pub(crate) on: String,
    /// What was staged, where it is neither in the head nor in the files.
    pub(crate) staged: Option<ObjectId>,
    /// Commits that were left behind and that nothing else names.
    pub(crate) strays: Vec<ObjectId>,
    /// Paths that could not be read, or the reason why there are no files.
    pub(crate) skipped: Vec<String>,
    /// Whether the tree is that of the files.
    pub(crate) has_files: bool,
    /// An index of exactly these files, where one was needed.
    pub(crate) index: Option<PrivateIndex>,
}

/// What to begin with, from the cheapest to the surest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Index,
    Head,
    Nothing,
}

impl Site {
    /// The workspace of this name, whether or not its directory or git's record of it is there.
    pub async fn find(
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        branch: &BranchName,
    ) -> Result<Self, GitError> {
        let record = Record::find(repo, &root.directory(name)).await?;
        Ok(Self {
            repo: repo.clone(),
            root: root.clone(),
            name: name.clone(),
            record: record.map(|record| record.git_dir().to_owned()),
            branch: branch.clone(),
        })
    }

    /// Its repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Saves everything as objects, beside an agent at work: its index is copied, not locked. `None` when there is
    /// neither a file nor a commit.
    pub(crate) async fn snapshot(&self, need: Need) -> Result<Option<Snapshot>, GitError> {
        let (on, head) = self.head().await?;
        let strays = self.strays(head.as_ref()).await;
        let ground = match self.root.open_directory(&self.name) {
            Ok(ground) => ground,
            Err(error) if error.is_missing() || matches!(error, EscapeError::NotADirectory(_)) => {
                let Some(head) = head else { return Ok(None) };
                return Ok(Some(Snapshot {
                    tree: self.repo.tree_of(&head).await?,
                    head: Some(head),
                    differs: false,
                    on,
                    staged: None,
                    strays,
                    skipped: vec![error.to_string()],
                    has_files: false,
                    index: None,
                }));
            }
            Err(error) => return Err(error.into()),
        };
        let mut failure = None;
        for start in [Start::Index, Start::Head, Start::Nothing] {
            match Box::pin(self.gather(&ground, start, head.as_ref(), need)).await {
                Ok(gathered) => {
                    return Ok(Some(Snapshot {
                        tree: gathered.tree,
                        head,
                        differs: gathered.differs,
                        on,
                        staged: gathered.staged,
                        strays,
                        skipped: gathered.skipped,
                        has_files: true,
                        index: gathered.index,
                    }));
                }
                // An index that git cannot read, or one whose objects are gone, is not worth the files.
                Err(error @ (GitError::Failed { .. } | GitError::File { .. })) => {
                    tracing::info!(%error, ?start, "files could not be saved this way");
                    failure = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(failure.unwrap_or_else(|| GitError::unexpected("write-tree", b"")))
    }

    /// Where HEAD is, in words, and its commit.
    async fn head(&self) -> Result<(String, Option<ObjectId>), GitError> {
        let Some(git_dir) = self.usable_record() else {
            return Ok(("no record".to_owned(), self.repo.tip(&self.branch).await?));
        };
        let text = std::fs::read(git_dir.join("HEAD")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().next().unwrap_or_default();
        let on = line.strip_prefix("ref: ").map_or("no branch", str::trim);
        if let Some(id) = self.loose_tip(on) {
            return Ok((on.escape_debug().to_string(), Some(id)));
        }
        let outcome = Command::read_record(&self.repo, &git_dir, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", "HEAD^{commit}"])
            .outcome()
            .await?;
        let id = String::from_utf8_lossy(outcome.stdout());
        let id = (outcome.code() == Some(0)).then(|| ObjectId::new(id.trim_end()).ok()).flatten();
        Ok((on.escape_debug().to_string(), id))
    }

    /// The commit of the branch, where it stands in a file of its own: git need not be asked.
    fn loose_tip(&self, name: &str) -> Option<ObjectId> {
        let name = RefName::new(name).ok()?;
        name.branch()?;
        let text = std::fs::read_to_string(self.repo.common_dir().join(name.as_str())).ok()?;
        ObjectId::new(text.trim_end()).ok()
    }

    /// The git directory of the worktree, if git would take it for one.
    fn usable_record(&self) -> Option<PathBuf> {
        let record = self.record.clone()?;
        let head = std::fs::read(record.join("HEAD")).unwrap_or_default();
        let id = ObjectId::new(String::from_utf8_lossy(head.trim_ascii())).is_ok();
        (id || head.starts_with(b"ref: refs/")).then_some(record)
    }

    /// Commits that HEAD was on and that neither it nor we name any more: an agent went away from them.
    async fn strays(&self, head: Option<&ObjectId>) -> Vec<ObjectId> {
        const MOST: usize = 1000;
        let Some(record) = &self.record else { return Vec::new() };
        let log = tokio::fs::read(record.join("logs/HEAD")).await.unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let ids: BTreeSet<ObjectId> = log
            .lines()
            .rev()
            .take(MOST)
            .filter_map(|line| ObjectId::new(line.split(' ').nth(1)?).ok())
            .filter(|id| Some(id) != head && !id.as_str().bytes().all(|digit| digit == b'0'))
            .collect();
        if ids.is_empty() {
            return Vec::new();
        }
        let mut input: String = ids.iter().map(|id| format!("{id}\n")).collect();
        input.push_str("--not\n--glob=refs/forge/\n");
        input.extend(head.map(|head| format!("{head}\n")));
        let list = Command::read(&self.repo, "rev-list")
            .args(["--ignore-missing", "--parents", "--stdin"])
            .input(input)
            .run()
            .await;
        let list = match list {
            Ok(list) => list,
            Err(error) => {
                tracing::warn!(%error, "commits that were left behind could not be looked for");
                return Vec::new();
            }
        };
        let list = String::from_utf8_lossy(&list);
        let below: BTreeSet<&str> = list.lines().flat_map(|line| line.split(' ').skip(1)).collect();
        let tips = list.lines().filter_map(|line| line.split(' ').next());
        tips.filter(|tip| !below.contains(tip)).filter_map(|tip| ObjectId::new(tip).ok()).collect()
    }

    async fn gather(
        &self,
        ground: &Beneath,
        start: Start,
        head: Option<&ObjectId>,
        need: Need,
    ) -> Result<Gathered, GitError> {
        let git_dir = self.usable_record().unwrap_or_else(|| self.repo.common_dir().to_owned());
        let index = match (start, &self.record) {
            (Start::Index, Some(record)) => PrivateIndex::copy_of(record).await?,
            _ => PrivateIndex::empty(&git_dir)?,
        };
        let gathering = Gathering { repo: &self.repo, git_dir, ground, index, skipped: Vec::new() };
        let from = if start == Start::Head { head } else { None };
        Box::pin(gathering.finish(from, head, need)).await
    }
}

impl Worktree {
    /// This worktree as a place to save.
    pub fn site(&self) -> Site {
        Site {
            repo: self.repo().clone(),
            root: self.root().clone(),
            name: self.name().clone(),
            record: Some(self.git_dir().to_owned()),
            branch: self.branch().clone(),
        }
    }
}

impl LockedRepo {
    /// Makes a reference of ours name a commit, so that it cannot be lost. Repeating it is fine.
    pub async fn keep(&self, name: &RefName, commit: &ObjectId) -> Result<(), GitError> {
        self.drop_ref_lock(name).await?;
        Command::write_refs(self, "update-ref")?
            .arg(name.as_str())
            .arg(commit.as_str())
            .run()
            .await?;
        Ok(())
    }
}
