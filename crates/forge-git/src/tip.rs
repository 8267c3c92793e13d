use std::io::ErrorKind;
use std::path::Path;

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::ref_name::RefName;
use crate::repo::Repo;
use crate::worktree::Worktree;

/// What a repository's own files say of a reference, without a git process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Looked {
    /// It points here.
    At(ObjectId),
    /// There is no such reference.
    Missing,
    /// The files do not say: another format, a symbolic reference, or something broken. Git knows.
    AskGit,
}

/// Reads a reference as git does: its own file first, then the packed ones. A reference that is being packed is in
/// both for a while, so this order misses none.
pub(crate) fn look_up(common_dir: &Path, name: &RefName) -> Looked {
    if common_dir.join("reftable").exists() {
        return Looked::AskGit;
    }
    match std::fs::read(common_dir.join(name.as_str())) {
        Ok(content) => match object_id(&content) {
            Some(id) => Looked::At(id),
            None => Looked::AskGit,
        },
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::IsADirectory | ErrorKind::NotADirectory
            ) =>
        {
            packed(common_dir, name)
        }
        Err(_) => Looked::AskGit,
    }
}

fn packed(common_dir: &Path, name: &RefName) -> Looked {
    let content = match std::fs::read(common_dir.join("packed-refs")) {
        Ok(content) => content,
        Err(error) if error.kind() == ErrorKind::NotFound => return Looked::Missing,
        Err(_) => return Looked::AskGit,
    };
    let wanted = name.as_str().as_bytes();
    for line in content.split(|byte| *byte == b'\n') {
        let Some(id) = line.strip_suffix(wanted).and_then(|start| start.strip_suffix(b" ")) else {
            continue;
        };
        return object_id(id).map_or(Looked::AskGit, Looked::At);
    }
    Looked::Missing
}

fn object_id(content: &[u8]) -> Option<ObjectId> {
    let text = std::str::from_utf8(content.trim_ascii_end()).ok()?;
    // All zeros is how git writes "nothing", which no reference points to.
    ObjectId::new(text).ok().filter(|id| id.as_str().bytes().any(|digit| digit != b'0'))
}

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
    /// The commit of the worktree's branch, if the worktree is on it and files say so.
    pub(crate) fn look_at_head(&self) -> Option<ObjectId> {
        let head = std::fs::read(self.git_dir().join("HEAD")).ok()?;
        let name = self.branch().to_ref();
        if head.strip_prefix(b"ref: ")?.trim_ascii_end() != name.as_str().as_bytes() {
            return None;
        }
        match look_up(self.repo().common_dir(), &name) {
            Looked::At(id) => Some(id),
            Looked::Missing | Looked::AskGit => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn name(text: &str) -> RefName {
        RefName::new(text).expect("a reference")
    }

    #[test]
    fn w_16_a_reference_is_read_loose_then_packed_and_doubts_go_to_git() {
        let home = tempfile::tempdir().expect("a directory");
        let write = |path: &str, content: &str| {
            let path = home.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            std::fs::write(path, content).expect("written");
        };
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let at = |text: &str| Looked::At(ObjectId::new(text).expect("an id"));
        let look = |text: &str| look_up(home.path(), &name(text));
        assert_eq!(look("refs/heads/main"), Looked::Missing);
        let packed = format!(
            "# pack-refs with: peeled fully-peeled sorted \n{one} refs/heads/main\n{two} refs/heads/x/main\n^{one}\n"
        );
        write("packed-refs", &packed);
        assert_eq!(look("refs/heads/main"), at(&one));
        assert_eq!(look("refs/heads/x/main"), at(&two));
        assert_eq!(look("refs/heads/ain"), Looked::Missing);
        write("refs/heads/main", &format!("{two}\n"));
        assert_eq!(look("refs/heads/main"), at(&two));
        write("refs/heads/main", "ref: refs/heads/other\n");
        assert_eq!(look("refs/heads/main"), Looked::AskGit);
        write("refs/heads/x/y", "");
        assert_eq!(look("refs/heads/x/y"), Looked::AskGit);
        assert_eq!(look("refs/heads/x"), Looked::Missing);
        write("reftable/tables.list", "");
        assert_eq!(look("refs/heads/x/main"), Looked::AskGit);
    }
}
