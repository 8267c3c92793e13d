use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gix_hash::ObjectId as Id;
use gix_object::Kind;
use gix_object::tree::EntryKind;
use rustix::fs::FileType;

use crate::files::object_database::{MOST_BYTES, ObjectDatabase};
use crate::files::unsupported::Unsupported;
use crate::files::{attributes, plain_config};
use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::refs::object_id::ObjectId;

/// With more paths git is faster: it writes many objects at once.
pub(crate) const MOST_PATHS: usize = 1000;
const EXECUTABLE: u32 = 0o100;

/// Changed files of a worktree that are written into a tree; missing files are removed from it.
#[derive(Debug)]
pub(crate) struct TreeUpdate {
    /// The top level of the worktree.
    pub(crate) ground: ConfinedDir,
    pub(crate) paths: Vec<Vec<u8>>,
}

/// The current content of a path.
enum PathContent {
    Nothing,
    Blob(EntryKind, Vec<u8>),
}

impl TreeUpdate {
    /// Writes the tree of these files on top of another, with every object it needs. Git would read and write an index
    /// of all files for that.
    pub(crate) async fn write_tree(
        self,
        common_dir: PathBuf,
        settings_dir: PathBuf,
        base: ObjectId,
    ) -> Result<ObjectId, Unsupported> {
        if self.paths.len() > MOST_PATHS {
            return Err(Unsupported::new("many files changed"));
        }
        let write = move || self.write(&common_dir, &settings_dir, &base);
        let writing = tokio::task::spawn_blocking(write);
        writing.await.map_err(Unsupported::new)?
    }

    fn write(
        &self,
        common_dir: &Path,
        settings_dir: &Path,
        base: &ObjectId,
    ) -> Result<ObjectId, Unsupported> {
        plain_config::check(settings_dir)?;
        self.check_attributes(settings_dir)?;
        let objects = ObjectDatabase::open(common_dir)?;
        let base = Id::from_hex(base.as_str().as_bytes()).map_err(Unsupported::new)?;
        let (mut gone, mut there) = (Vec::new(), Vec::new());
        for path in &self.paths {
            match self.find(path)? {
                PathContent::Nothing => gone.push(path.as_slice()),
                PathContent::Blob(kind, content) => {
                    there.push((path.as_slice(), kind, objects.put(Kind::Blob, &content)?));
                }
            }
        }
        // A file can be where a directory was, and the other way round: what is gone makes room first.
        let tree = objects.edit(&base, &gone, &there)?;
        ObjectId::new(tree.to_string()).map_err(Unsupported::new)
    }

    /// Refuses files that git would convert before it stores them: each directory above a file can have attributes.
    fn check_attributes(&self, settings_dir: &Path) -> Result<(), Unsupported> {
        if let Some(path) = self.paths.iter().find(|path| attributes::is_attributes(path)) {
            return Err(Unsupported::path("what converts files changed", path));
        }
        if let Ok(content) = std::fs::read(settings_dir.join("info/attributes")) {
            attributes::check_storing(&content)?;
        }
        let mut directories = BTreeSet::from([Path::new("")]);
        for path in &self.paths {
            directories.extend(Path::new(OsStr::from_bytes(path)).ancestors().skip(1));
        }
        for directory in directories {
            let file = directory.join(OsStr::from_bytes(attributes::NAME));
            match self.ground.open_file(&file) {
                Ok(mut file) => {
                    let mut content = Vec::new();
                    file.read_to_end(&mut content)?;
                    attributes::check_storing(&content)?;
                }
                Err(PathEscapeError::NotADirectory(_)) => {}
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn find(&self, path: &[u8]) -> Result<PathContent, Unsupported> {
        let whole = Path::new(OsStr::from_bytes(path));
        let name = whole.file_name().ok_or_else(|| Unsupported::path("it has no name", path))?;
        let parent = match whole.parent().filter(|parent| *parent != Path::new("")) {
            None => None,
            Some(parent) => match self.ground.directory(parent) {
                Ok(parent) => Some(parent),
                Err(error) => return expect_missing(error),
            },
        };
        let parent = parent.as_ref().unwrap_or(&self.ground);
        let stat = match parent.stat(name) {
            Ok(stat) => stat,
            Err(error) => return expect_missing(error),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => {
                let target = parent.link_target(name);
                let target = target.ok_or_else(|| Unsupported::path("a link changed", path))?;
                Ok(PathContent::Blob(EntryKind::Link, target.into_os_string().into_encoded_bytes()))
            }
            FileType::RegularFile => {
                let mut content = Vec::new();
                let file = parent.open_file(Path::new(name))?;
                file.take(MOST_BYTES + 1).read_to_end(&mut content)?;
                if u64::try_from(content.len()).is_ok_and(|length| length > MOST_BYTES) {
                    return Err(Unsupported::path("it is too large to be held in memory", path));
                }
                // Only git knows whether it would store these line endings.
                if content.contains(&b'\r') {
                    return Err(Unsupported::path("its lines end in another way", path));
                }
                let executable = stat.st_mode & EXECUTABLE != 0;
                let kind = if executable { EntryKind::BlobExecutable } else { EntryKind::Blob };
                Ok(PathContent::Blob(kind, content))
            }
            _ => Err(Unsupported::path("it is neither a file nor a link", path)),
        }
    }
}

fn expect_missing(error: PathEscapeError) -> Result<PathContent, Unsupported> {
    if error.is_missing() || matches!(error, PathEscapeError::NotADirectory(_)) {
        return Ok(PathContent::Nothing);
    }
    Err(error.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::os::unix::fs::symlink;

    /// A directory with a plain repository in `.git` and a few files.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let home = tempfile::tempdir().expect("a directory");
        let common = home.path().join(".git");
        std::fs::create_dir_all(common.join("objects")).expect("made");
        std::fs::write(common.join("config"), "[core]\n\tfilemode = true\n").expect("written");
        std::fs::create_dir(home.path().join("d")).expect("made");
        std::fs::write(home.path().join("d/file"), "content\n").expect("written");
        symlink("file", home.path().join("d/link")).expect("made");
        (home, common)
    }

    async fn tree(home: &Path, common: &Path, paths: &[&str]) -> Result<ObjectId, Unsupported> {
        let empty = ObjectDatabase::open(common)?.put(Kind::Tree, b"")?;
        let base = ObjectId::new(empty.to_string()).expect("an id");
        let ground = ConfinedDir::open_root(home).expect("opens");
        let paths = paths.iter().map(|path| path.as_bytes().to_vec()).collect();
        TreeUpdate { ground, paths }.write_tree(common.to_owned(), common.to_owned(), base).await
    }

    #[tokio::test]
    async fn w_14_plain_files_need_no_git() {
        let (home, common) = place();
        let written = tree(home.path(), &common, &["d/file", "d/link", "d/none", "none/at/all"])
            .await
            .expect("written");
        let objects = ObjectDatabase::open(&common).expect("opens");
        let names = |id: &Id| -> Vec<_> {
            objects.tree(id).expect("there").into_iter().map(|entry| entry.name).collect()
        };
        let root = Id::from_hex(written.as_str().as_bytes()).expect("an id");
        assert_eq!(names(&root), [b"d".to_vec()]);
        let inner = objects.tree(&root).expect("there")[0].id;
        assert_eq!(names(&inner), [b"file".to_vec(), b"link".to_vec()]);
    }

    #[tokio::test]
    async fn w_5_what_lies_behind_a_link_is_not_taken() {
        let (home, common) = place();
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::write(outside.path().join("secret"), "x").expect("written");
        symlink(outside.path(), home.path().join("out")).expect("made");
        let written = tree(home.path(), &common, &["out/secret"]).await.expect("written");
        assert_eq!(written.as_str(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "nothing");
    }
}
