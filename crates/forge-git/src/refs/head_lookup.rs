use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::regular_file::read_regular;
use crate::index::index_file::IndexFile;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_lookup;
use crate::refs::ref_lookup::RefLookup;
use crate::refs::ref_name::RefName;
use crate::repo::repository::Repo;
use crate::worktree::worktree_handle::Worktree;

impl Repo {
    /// The references below a name, sorted by name.
    pub async fn refs_below(&self, name: &RefName) -> Result<Vec<(RefName, ObjectId)>, GitError> {
        let output = GitCommand::read(self, "for-each-ref")
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
    /// The worktree's index, if the file can be read without git.
    pub(crate) fn read_index_file(&self) -> Option<IndexFile> {
        let hash = self.read_head_from_files()?.as_str().len() / 2;
        IndexFile::read_whole(&self.git_dir().join("index"), hash)
    }

    /// The commit of the worktree's branch, if HEAD is on it and files alone tell the commit.
    pub(crate) fn read_head_from_files(&self) -> Option<ObjectId> {
        let head = read_regular(&self.git_dir().join("HEAD")).ok()?;
        let name = self.branch().to_ref();
        if head.strip_prefix(b"ref: ")?.trim_ascii_end() != name.as_str().as_bytes() {
            return None;
        }
        match ref_lookup::look_up_ref(self.repo().common_dir(), &name) {
            RefLookup::Found(id) => Some(id),
            RefLookup::Missing | RefLookup::Unknown => None,
        }
    }
}
