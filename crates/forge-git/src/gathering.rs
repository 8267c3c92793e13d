use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::beneath::Beneath;
use crate::command::Command;
use crate::error::GitError;
use crate::files::Changed;
use crate::hold::LOCK_FILE;
use crate::index_file::IndexFile;
use crate::object_id::ObjectId;
use crate::private_index::PrivateIndex;
use crate::repo::Repo;

/// How often git is asked to take files before what it cannot take is given up on.
const MOST_TRIES: usize = 100;

/// Files on their way into the object database, by way of an index of our own.
#[derive(Debug)]
pub(crate) struct Gathering<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) git_dir: PathBuf,
    pub(crate) ground: &'a Beneath,
    pub(crate) index: PrivateIndex,
    pub(crate) skipped: Vec<String>,
}

/// What was gathered.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) tree: ObjectId,
    pub(crate) differs: bool,
    pub(crate) staged: Option<ObjectId>,
    pub(crate) skipped: Vec<String>,
    /// An index of exactly these files, if one was wanted.
    pub(crate) index: Option<PrivateIndex>,
}

/// What whoever asks needs besides the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing.
    Tree,
    /// An index of exactly its files.
    Index,
}

impl Gathering<'_> {
    /// Brings the index up to the files and makes its tree; `from` is what an empty one begins with.
    pub(crate) async fn finish(
        mut self,
        from: Option<&ObjectId>,
        head: Option<&ObjectId>,
        need: Need,
    ) -> Result<Gathered, GitError> {
        if let Some(commit) = from {
            self.git("read-tree").arg(commit.as_str()).run().await?;
        }
        let hash = head.map_or(20, |head| head.as_str().len() / 2);
        let known = IndexFile::read(self.index.path(), hash);
        self.watch(&known).await?;
        let (tracked, others, staged, head_tree) = tokio::join!(
            self.list(&["--modified", "--deleted"]),
            self.list(&["--others", "--exclude-standard"]),
            self.staged_tree(&known),
            self.tree_of(head),
        );
        let (staged, head_tree) = (staged?, head_tree?);
        let mut paths: BTreeSet<Vec<u8>> = tracked?.into_iter().collect();
        paths.extend(known.unmerged.iter().cloned());
        let mut nested = Vec::new();
        for path in others? {
            match path.strip_suffix(b"/") {
                Some(repository) => nested.push(repository.to_vec()),
                None => drop(paths.insert(path)),
            }
        }
        for link in &known.links {
            if self.beneath(link).is_ok_and(|inner| inner.has(".git".as_ref())) {
                paths.remove(link);
                nested.push(link.clone());
            }
        }
        paths.extend(self.inside(nested).await?);
        paths.remove(LOCK_FILE.as_bytes());
        let paths: Vec<Vec<u8>> = paths.into_iter().collect();
        let written = match (need, &staged) {
            (_, Some(staged)) if paths.is_empty() => Some(staged.clone()),
            (Need::Tree, Some(staged)) => self.written(staged, &paths).await,
            _ => None,
        };
        let (tree, index) = match written {
            Some(tree) => (tree, (need == Need::Index).then_some(self.index)),
            None => {
                self.take(paths).await?;
                (self.git("write-tree").object_id().await?, Some(self.index))
            }
        };
        let staged = staged.filter(|staged| *staged != tree && Some(staged) != head_tree.as_ref());
        let differs = head_tree.as_ref() != Some(&tree);
        Ok(Gathered { tree, differs, staged, skipped: self.skipped, index })
    }

    /// The tree of these files on top of what is staged, written without git where that gives the same.
    async fn written(&self, staged: &ObjectId, paths: &[Vec<u8>]) -> Option<ObjectId> {
        let ground = self.ground.again().ok()?;
        let changed = Changed { ground, paths: paths.to_vec() };
        let tree = changed.write_tree(self.repo.common_dir().to_owned(), staged.clone()).await;
        tree.inspect_err(|reason| tracing::debug!(%reason, "git makes the tree")).ok()
    }

    fn git(&self, subcommand: &'static str) -> Command {
        let index = self.index.path();
        Command::gather(self.repo, &self.git_dir, self.ground, index, subcommand)
    }

    /// Makes git look at files it was told not to look at, where there are such files.
    async fn watch(&self, known: &IndexFile) -> Result<(), GitError> {
        let there = |path: &&Vec<u8>| {
            self.ground.path().join(OsStr::from_bytes(path)).symlink_metadata().is_ok()
        };
        let hidden: Vec<&[u8]> = known.unwatched.iter().filter(there).map(Vec::as_slice).collect();
        if hidden.is_empty() {
            return Ok(());
        }
        for option in ["--no-assume-unchanged", "--no-skip-worktree"] {
            let update = self.git("update-index").args([option, "-z", "--stdin"]);
            update.input(hidden.join(&0)).run().await?;
        }
        Ok(())
    }

    async fn list(&self, which: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let list = self.git("ls-files").arg("-z").args(which.iter().copied()).run().await?;
        Ok(split(&list))
    }

    /// What the agent staged; none where a merge is in conflict.
    async fn staged_tree(&self, known: &IndexFile) -> Result<Option<ObjectId>, GitError> {
        if let Some(id) = known.tree.as_ref().and_then(|tree| ObjectId::new(tree.as_str()).ok()) {
            return Ok(Some(id));
        }
        if !known.unmerged.is_empty() {
            return Ok(None);
        }
        // A copy, for git writes what it worked out back while others read.
        let second = self.index.second();
        if std::fs::copy(self.index.path(), &second).is_err() {
            return Ok(None);
        }
        let write = Command::gather(self.repo, &self.git_dir, self.ground, &second, "write-tree");
        let tree = write.object_id().await;
        std::fs::remove_file(&second).ok();
        tree.map(Some)
    }

    async fn tree_of(&self, head: Option<&ObjectId>) -> Result<Option<ObjectId>, GitError> {
        match head {
            Some(head) => self.repo.tree_of(head).await.map(Some),
            None => Ok(None),
        }
    }

    fn beneath(&self, path: &[u8]) -> Result<Beneath, GitError> {
        Ok(self.ground.directory(Path::new(OsStr::from_bytes(path)))?)
    }

    /// The files of repositories inside this one: git would keep only the names of their commits.
    async fn inside(&self, mut nested: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, GitError> {
        let mut found = Vec::new();
        while let Some(directory) = nested.pop() {
            let Ok(ground) = self.beneath(&directory) else { continue };
            let empty = self.index.second();
            let files = Command::gather(self.repo, &self.git_dir, &ground, &empty, "ls-files")
                .args(["-z", "--others", "--exclude-standard"])
                .run()
                .await?;
            for file in split(&files) {
                let path = [directory.as_slice(), b"/", &file].concat();
                match path.strip_suffix(b"/") {
                    Some(deeper) => nested.push(deeper.to_vec()),
                    None => found.push(path),
                }
            }
        }
        Ok(found)
    }

    /// Takes files into the index. Git gives up at the first it cannot take, so that one is searched for by halves and
    /// named.
    async fn take(&mut self, paths: Vec<Vec<u8>>) -> Result<(), GitError> {
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
                Err(error @ GitError::Failed { .. }) if tries < MOST_TRIES => {
                    if let [path] = paths.as_slice() {
                        let path = String::from_utf8_lossy(path);
                        tracing::info!(%path, %error, "a file could not be saved");
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

fn split(list: &[u8]) -> Vec<Vec<u8>> {
    list.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect()
}
