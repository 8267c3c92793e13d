use crate::command::Command;
use crate::error::GitError;
use crate::index_file::IndexFile;
use crate::object_id::ObjectId;
use crate::ref_file::{self, RefFile};
use crate::ref_name::RefName;
use crate::repo::Repo;
use crate::worktree::Worktree;

impl Repo {
    /// The references below a name, in the order of their names.
    pub async fn refs_below(&self, name: &RefName) -> Result<Vec<(RefName, ObjectId)>, GitError> {
        let output = Command::read(self, "for-each-ref")
            .args(["--format=%(objectname) %(refname)", "--sort=refname"])
            .arg(format!("{name}/"))
            .run()
            .await?;
        let text = String::from_utf8_lossy(&output);
        let read = |line: &str| {
            let (id, name) = line.split_once(' ')?;
            Some((RefName::new(name).ok()?, ObjectId::new(id).ok()?))
        };
        Ok(text.lines().filter_map(read).collect())
    }
}

impl Worktree {
    /// What its index says, if the file can be read without git.
    pub(crate) fn look_at_index(&self) -> Option<IndexFile> {
        let hash = self.look_at_head()?.as_str().len() / 2;
        IndexFile::read_whole(&self.git_dir().join("index"), hash)
    }

    /// The commit of the worktree's branch, if the worktree is on it and files say so.
    pub(crate) fn look_at_head(&self) -> Option<ObjectId> {
        let head = std::fs::read(self.git_dir().join("HEAD")).ok()?;
        let name = self.branch().to_ref();
        if head.strip_prefix(b"ref: ")?.trim_ascii_end() != name.as_str().as_bytes() {
            return None;
        }
        match ref_file::load(self.repo().common_dir(), &name) {
            RefFile::At(id) => Some(id),
            RefFile::Missing | RefFile::Unclear => None,
        }
    }
}
