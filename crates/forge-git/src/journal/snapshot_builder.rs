use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::files::{TreeUpdate, find_changed_files};
use crate::fs::confined_dir::ConfinedDir;
use crate::index::index_file::IndexFile;
use crate::index::private_index::PrivateIndex;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;
use crate::worktree::special_file::{
    ExpectedFiles, refuse_special_files, run_with_special_file_check,
};
use crate::worktree::workspace_lock::LOCK_FILE;

/// How many times git is started to add files before Forge gives up on the files that git cannot add.
const MAX_ATTEMPTS: usize = 100;

/// Writes a workspace's files into the object database, through a private index.
#[derive(Debug)]
pub(crate) struct SnapshotBuilder<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) git_dir: PathBuf,
    pub(crate) directory: &'a ConfinedDir,
    pub(crate) index: PrivateIndex,
    pub(crate) skipped: Vec<String>,
}

/// The tree and other results of a [`SnapshotBuilder`].
#[derive(Debug)]
pub(crate) struct SnapshotTree {
    pub(crate) tree: ObjectId,
    pub(crate) has_changes: bool,
    pub(crate) staged: Option<ObjectId>,
    pub(crate) skipped: Vec<String>,
    /// An index of exactly these files, if the caller needs one.
    pub(crate) index: Option<PrivateIndex>,
}

/// Results that the caller needs besides the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SnapshotNeeds {
    /// Only the tree.
    TreeOnly,
    /// Also an index of exactly the tree's files.
    TreeAndIndex,
}

impl SnapshotBuilder<'_> {
    /// Updates the index to the current files and writes its tree. An empty index starts from the commit `from`.
    pub(crate) async fn build(
        mut self,
        from: Option<&ObjectId>,
        head: Option<&ObjectId>,
        need: SnapshotNeeds,
    ) -> Result<SnapshotTree, GitError> {
        let hash = head.map_or(20, |head| head.as_str().len() / 2);
        if let Some(commit) = from {
            self.git("read-tree").arg(commit.as_str()).run().await?;
        }
        let known = IndexFile::read(self.index.path(), hash);
        self.compare_hidden_files(&known).await?;
        let (top, index) = (self.directory.path(), self.index.path());
        let look = refuse_special_files(top, index, hash, ExpectedFiles::OpenedByGit);
        let lists = Box::pin(async {
            tokio::try_join!(
                self.list_changed_files(hash),
                self.list_files(&["--others", "--exclude-standard"]),
                self.staged_tree(&known),
                self.tree_of(head),
            )
        });
        let (tracked, others, staged, head_tree) = run_with_special_file_check(look, lists).await?;
        let mut paths: BTreeSet<Vec<u8>> = tracked.into_iter().collect();
        paths.extend(known.unmerged.iter().cloned());
        let mut nested = Vec::new();
        for path in others {
            match path.strip_suffix(b"/") {
                Some(repository) => nested.push(repository.to_vec()),
                None => drop(paths.insert(path)),
            }
        }
        for link in &known.gitlinks {
            if self.open_below(link).is_ok_and(|inner| inner.contains_name(".git".as_ref())) {
                paths.remove(link);
                nested.push(link.clone());
            }
        }
        paths.extend(self.list_nested_files(nested).await?);
        paths.remove(LOCK_FILE.as_bytes());
        let paths: Vec<Vec<u8>> = paths.into_iter().collect();
        let written = match (need, &staged) {
            (_, Some(staged)) if paths.is_empty() => Some(staged.clone()),
            (SnapshotNeeds::TreeOnly, Some(staged)) => {
                self.write_tree_without_git(staged, &paths).await
            }
            _ => None,
        };
        let (tree, index) = match written {
            Some(tree) => (tree, (need == SnapshotNeeds::TreeAndIndex).then_some(self.index)),
            None => {
                self.add_files(paths).await?;
                (self.git("write-tree").output_object_id().await?, Some(self.index))
            }
        };
        let staged = staged.filter(|staged| *staged != tree && Some(staged) != head_tree.as_ref());
        let differs = head_tree.as_ref() != Some(&tree);
        Ok(SnapshotTree { tree, has_changes: differs, staged, skipped: self.skipped, index })
    }

    /// Writes the tree of these files on top of the staged tree without git; `None` where only git can do it.
    async fn write_tree_without_git(
        &self,
        staged: &ObjectId,
        paths: &[Vec<u8>],
    ) -> Option<ObjectId> {
        let ground = self.directory.try_clone().ok()?;
        let changed = TreeUpdate { ground, paths: paths.to_vec() };
        let (common_dir, settings_dir) = (self.repo.common_dir(), self.repo.settings_dir());
        let tree = changed
            .write_tree(common_dir.to_owned(), settings_dir.to_owned(), staged.clone())
            .await;
        tree.inspect_err(|reason| tracing::debug!(%reason, "writing the tree with git")).ok()
    }

    fn git(&self, subcommand: &'static str) -> GitCommand {
        let index = self.index.path();
        GitCommand::read_workspace_files(
            self.repo,
            &self.git_dir,
            self.directory,
            index,
            subcommand,
        )
    }

    /// Clears `assume-unchanged` and `skip-worktree` on existing files, so that git compares them.
    async fn compare_hidden_files(&self, known: &IndexFile) -> Result<(), GitError> {
        let there = |path: &&Vec<u8>| {
            self.directory.path().join(OsStr::from_bytes(path)).symlink_metadata().is_ok()
        };
        let hidden: Vec<&[u8]> =
            known.not_compared.iter().filter(there).map(Vec::as_slice).collect();
        if hidden.is_empty() {
            return Ok(());
        }
        for option in ["--no-assume-unchanged", "--no-skip-worktree"] {
            let update = self.git("update-index").args([option, "-z", "--stdin"]);
            update.input(hidden.join(&0)).run().await?;
        }
        Ok(())
    }

    /// The tracked files that may have changed, without a git process where the index is plain.
    async fn list_changed_files(&self, hash: usize) -> Result<Vec<Vec<u8>>, GitError> {
        if hash == 20
            && let Ok(directory) = self.directory.try_clone()
        {
            match find_changed_files(directory, self.index.path().to_owned()).await {
                Ok(changed) => return Ok(changed),
                Err(reason) => tracing::debug!(%reason, "comparing the files with git"),
            }
        }
        self.list_files(&["--modified", "--deleted"]).await
    }

    async fn list_files(&self, which: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let list = self.git("ls-files").arg("-z").args(which.iter().copied()).run().await?;
        Ok(split_nul(&list))
    }

    /// The tree of the staged files; `None` during a merge conflict.
    async fn staged_tree(&self, known: &IndexFile) -> Result<Option<ObjectId>, GitError> {
        if let Some(id) = known.tree.as_ref().and_then(|tree| ObjectId::new(tree.as_str()).ok()) {
            return Ok(Some(id));
        }
        if !known.unmerged.is_empty() {
            return Ok(None);
        }
        // Use a copy: git writes the computed tree back into the index while other commands read it.
        let second = self.index.second_path();
        if std::fs::copy(self.index.path(), &second).is_err() {
            return Ok(None);
        }
        let write = GitCommand::read_workspace_files(
            self.repo,
            &self.git_dir,
            self.directory,
            &second,
            "write-tree",
        );
        let tree = write.output_object_id().await;
        std::fs::remove_file(&second).ok();
        tree.map(Some)
    }

    async fn tree_of(&self, head: Option<&ObjectId>) -> Result<Option<ObjectId>, GitError> {
        match head {
            Some(head) => self.repo.tree_of(head).await.map(Some),
            None => Ok(None),
        }
    }

    fn open_below(&self, path: &[u8]) -> Result<ConfinedDir, GitError> {
        Ok(self.directory.directory(Path::new(OsStr::from_bytes(path)))?)
    }

    /// Lists the files of nested repositories, because git would store only their commit ids.
    async fn list_nested_files(&self, mut nested: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, GitError> {
        let mut found = Vec::new();
        while let Some(directory) = nested.pop() {
            let Ok(ground) = self.open_below(&directory) else { continue };
            let empty = self.index.second_path();
            let files = GitCommand::read_workspace_files(
                self.repo,
                &self.git_dir,
                &ground,
                &empty,
                "ls-files",
            )
            .args(["-z", "--others", "--exclude-standard"])
            .run()
            .await?;
            for file in split_nul(&files) {
                let path = [directory.as_slice(), b"/", &file].concat();
                match path.strip_suffix(b"/") {
                    Some(deeper) => nested.push(deeper.to_vec()),
                    None => found.push(path),
                }
            }
        }
        Ok(found)
    }

    /// Adds files to the index. Git stops at the first file that it cannot add, so Forge bisects the list to find and
    /// record that file.
    async fn add_files(&mut self, paths: Vec<Vec<u8>>) -> Result<(), GitError> {
        let mut waiting = vec![paths];
        let mut tries = 0;
        while let Some(mut paths) = waiting.pop() {
            if paths.is_empty() {
                continue;
            }
            let taken = self
                .git("update-index")
                .args(["--add", "--remove", "--replace", "-z", "--stdin"])
                .input(paths.join(&0))
                .run()
                .await;
            tries += 1;
            match taken {
                Ok(_) => {}
                Err(error @ GitError::Failed { .. }) if tries < MAX_ATTEMPTS => {
                    if let [path] = paths.as_slice() {
                        let path = String::from_utf8_lossy(path);
                        tracing::info!(%path, %error, "file could not be saved");
                        self.skipped.push(path.into_owned());
                    } else {
                        let second = paths.split_off(paths.len() / 2);
                        waiting.extend([second, paths]);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn split_nul(list: &[u8]) -> Vec<Vec<u8>> {
    list.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect()
}
