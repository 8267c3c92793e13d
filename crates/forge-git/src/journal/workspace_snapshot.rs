use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::index::private_index::PrivateIndex;
use crate::journal::snapshot_builder::{SnapshotBuilder, SnapshotNeeds, SnapshotTree};
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::{BranchName, RefName};
use crate::repo::repo_lock::LockedRepo;
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::{DirectoryName, WorkspaceRoot};
use crate::worktree::worktree_handle::Worktree;
use crate::worktree::worktree_record::WorktreeRecord;

/// A workspace whose content can be saved, whatever state an agent left it in: only the repository, the root and the
/// name come from Forge's records.
#[derive(Debug, Clone)]
pub struct SnapshotSource {
    pub(crate) repo: Repo,
    root: WorkspaceRoot,
    name: DirectoryName,
    record: Option<PathBuf>,
    branch: BranchName,
}

/// The whole content of a workspace as objects that no reference names yet.
#[derive(Debug)]
pub(crate) struct WorkspaceSnapshot {
    /// The tree of the files, or of HEAD if there are no files.
    pub(crate) tree: ObjectId,
    /// The commit that HEAD is on.
    pub(crate) head: Option<ObjectId>,
    /// Whether the files differ from that commit.
    pub(crate) has_changes: bool,
    /// The reference that HEAD names, or a note that it names none.
    pub(crate) head_ref: String,
    /// The tree of staged content that is neither in HEAD nor in the files.
    pub(crate) staged: Option<ObjectId>,
    /// Commits that the agent left behind and that no other reference names.
    pub(crate) unreferenced_commits: Vec<ObjectId>,
    /// Paths that could not be read, or the reason why there are no files.
    pub(crate) skipped: Vec<String>,
    /// Whether the tree is that of the files.
    pub(crate) has_files: bool,
    /// An index of exactly these files, if the caller needs one.
    pub(crate) index: Option<PrivateIndex>,
}

/// What a snapshot starts from, the fastest first and the most robust last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SnapshotStart {
    Index,
    Head,
    Empty,
}

impl SnapshotSource {
    /// The workspace of this name, whether or not its directory or git's record exists.
    pub async fn find(
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        branch: &BranchName,
    ) -> Result<Self, GitError> {
        let record = WorktreeRecord::find(repo, &root.directory(name)).await?;
        Ok(Self {
            repo: repo.clone(),
            root: root.clone(),
            name: name.clone(),
            record: record.map(|record| record.git_dir().to_owned()),
            branch: branch.clone(),
        })
    }

    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Saves everything as objects while an agent may work: its index is copied, not locked. `None` if there is
    /// neither a file nor a commit.
    pub(crate) async fn snapshot(
        &self,
        need: SnapshotNeeds,
    ) -> Result<Option<WorkspaceSnapshot>, GitError> {
        let (on, head) = self.head().await?;
        let strays = self.find_unreferenced_commits(head.as_ref()).await;
        let ground = match self.root.open_directory(&self.name) {
            Ok(ground) => ground,
            Err(error)
                if error.is_missing() || matches!(error, PathEscapeError::NotADirectory(_)) =>
            {
                let Some(head) = head else { return Ok(None) };
                return Ok(Some(WorkspaceSnapshot {
                    tree: self.repo.tree_of(&head).await?,
                    head: Some(head),
                    has_changes: false,
                    head_ref: on,
                    staged: None,
                    unreferenced_commits: strays,
                    skipped: vec![error.to_string()],
                    has_files: false,
                    index: None,
                }));
            }
            Err(error) => return Err(error.into()),
        };
        let mut failure = None;
        for start in [SnapshotStart::Index, SnapshotStart::Head, SnapshotStart::Empty] {
            match Box::pin(self.build_tree(&ground, start, head.as_ref(), need)).await {
                Ok(gathered) => {
                    return Ok(Some(WorkspaceSnapshot {
                        tree: gathered.tree,
                        head,
                        has_changes: gathered.has_changes,
                        head_ref: on,
                        staged: gathered.staged,
                        unreferenced_commits: strays,
                        skipped: gathered.skipped,
                        has_files: true,
                        index: gathered.index,
                    }));
                }
                // If git cannot read the index, or its objects are gone, try the next start instead of losing the
                // files.
                Err(error @ (GitError::Failed { .. } | GitError::File { .. })) => {
                    tracing::info!(%error, ?start, "snapshot attempt failed");
                    failure = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(failure.unwrap_or_else(|| GitError::unexpected("write-tree", b"")))
    }

    /// The reference that HEAD names, or a note, and its commit.
    async fn head(&self) -> Result<(String, Option<ObjectId>), GitError> {
        let Some(git_dir) = self.usable_record() else {
            return Ok(("no record".to_owned(), self.repo.tip(&self.branch).await?));
        };
        let text = std::fs::read(git_dir.join("HEAD")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().next().unwrap_or_default();
        let on = line.strip_prefix("ref: ").map_or("no branch", str::trim);
        if let Some(id) = self.read_loose_tip(on) {
            return Ok((on.escape_debug().to_string(), Some(id)));
        }
        let outcome = GitCommand::read_record(&self.repo, &git_dir, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", "HEAD^{commit}"])
            .output()
            .await?;
        let id = String::from_utf8_lossy(outcome.stdout());
        let id = (outcome.code() == Some(0)).then(|| ObjectId::new(id.trim_end()).ok()).flatten();
        Ok((on.escape_debug().to_string(), id))
    }

    /// The commit of a branch in a loose reference file; git need not run.
    fn read_loose_tip(&self, name: &str) -> Option<ObjectId> {
        let name = RefName::new(name).ok()?;
        name.branch()?;
        let text = std::fs::read_to_string(self.repo.common_dir().join(name.as_str())).ok()?;
        ObjectId::new(text.trim_end()).ok()
    }

    /// The git directory of the worktree, if git would accept it.
    fn usable_record(&self) -> Option<PathBuf> {
        let record = self.record.clone()?;
        let head = std::fs::read(record.join("HEAD")).unwrap_or_default();
        let id = ObjectId::new(String::from_utf8_lossy(head.trim_ascii())).is_ok();
        (id || head.starts_with(b"ref: refs/")).then_some(record)
    }

    /// Commits that HEAD was on and that no reference of Forge contains any more: the agent moved away from them.
    async fn find_unreferenced_commits(&self, head: Option<&ObjectId>) -> Vec<ObjectId> {
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
        let list = GitCommand::read(&self.repo, "rev-list")
            .args(["--ignore-missing", "--parents", "--stdin"])
            .input(input)
            .run()
            .await;
        let list = match list {
            Ok(list) => list,
            Err(error) => {
                tracing::warn!(%error, "could not search for unreferenced commits");
                return Vec::new();
            }
        };
        let list = String::from_utf8_lossy(&list);
        let below: BTreeSet<&str> = list.lines().flat_map(|line| line.split(' ').skip(1)).collect();
        let tips = list.lines().filter_map(|line| line.split(' ').next());
        tips.filter(|tip| !below.contains(tip)).filter_map(|tip| ObjectId::new(tip).ok()).collect()
    }

    async fn build_tree(
        &self,
        ground: &ConfinedDir,
        start: SnapshotStart,
        head: Option<&ObjectId>,
        need: SnapshotNeeds,
    ) -> Result<SnapshotTree, GitError> {
        let git_dir = self.usable_record().unwrap_or_else(|| self.repo.common_dir().to_owned());
        let index = match (start, &self.record) {
            (SnapshotStart::Index, Some(record)) => PrivateIndex::copy_of(record).await?,
            _ => PrivateIndex::empty(&git_dir)?,
        };
        let gathering = SnapshotBuilder {
            repo: &self.repo,
            git_dir,
            directory: ground,
            index,
            skipped: Vec::new(),
        };
        let from = if start == SnapshotStart::Head { head } else { None };
        Box::pin(gathering.build(from, head, need)).await
    }
}

impl Worktree {
    /// This worktree as the source of a snapshot.
    pub fn snapshot_source(&self) -> SnapshotSource {
        SnapshotSource {
            repo: self.repo().clone(),
            root: self.root().clone(),
            name: self.name().clone(),
            record: Some(self.git_dir().to_owned()),
            branch: self.branch().clone(),
        }
    }
}

impl LockedRepo {
    /// Points a Forge reference to a commit, so that git does not collect the commit. Can be repeated.
    pub async fn pin_commit(&self, name: &RefName, commit: &ObjectId) -> Result<(), GitError> {
        self.drop_ref_lock(name).await?;
        GitCommand::write_refs(self, "update-ref")?
            .arg(name.as_str())
            .arg(commit.as_str())
            .run()
            .await?;
        Ok(())
    }
}
