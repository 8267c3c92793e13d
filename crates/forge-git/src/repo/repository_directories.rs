use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Alternates of alternates are followed to this depth, as git does.
const MAX_ALTERNATE_DEPTH: usize = 5;

/// All directories that a repository consists of, resolved without running git.
///
/// A registered repository gives a project access to all of them, so each one is checked against what the project may
/// use, not only the path that the user named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryDirectories {
    top: PathBuf,
    git: Vec<PathBuf>,
    alternates: Vec<PathBuf>,
}

impl RepositoryDirectories {
    /// Reads the directories; `None` if the path does not exist.
    pub fn load(path: &Path) -> Option<Self> {
        let top = path.canonicalize().ok()?;
        let git_dir = git_dir_of(&top).unwrap_or_else(|| top.clone());
        let common = resolve_pointer(&git_dir.join("commondir"), &git_dir, "")
            .unwrap_or_else(|| git_dir.clone());
        let objects = common.join("objects").canonicalize().ok();
        let refs = common.join("refs").canonicalize().ok();
        let mut alternates = Vec::new();
        if let Some(objects) = &objects {
            collect_alternates(objects, 0, &mut alternates);
        }
        let mut git = vec![git_dir, common];
        git.extend(objects);
        git.extend(refs);
        git.sort();
        git.dedup();
        Some(Self { top, git, alternates })
    }

    /// The repository's own path: the top of a checkout, or a bare repository.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The directories with its own references and objects.
    pub fn git(&self) -> &[PathBuf] {
        &self.git
    }

    /// All directories, including those of repositories whose objects it borrows.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let own = std::iter::once(&self.top).chain(&self.git);
        own.chain(&self.alternates).map(PathBuf::as_path)
    }

    /// Whether the two repositories share references or objects.
    pub fn shares_with(&self, other: &Self) -> bool {
        let within = |path: &Path| other.git.iter().any(|own| path.starts_with(own));
        self.top == other.top
            || self.git.iter().chain(&self.alternates).any(|path| within(path))
            || within(&self.top)
    }
}

fn git_dir_of(top: &Path) -> Option<PathBuf> {
    let found = top.join(".git");
    if found.is_dir() {
        return found.canonicalize().ok();
    }
    resolve_pointer(&found, top, "gitdir: ")
}

/// The directory that a git file names, relative to `base`.
fn resolve_pointer(file: &Path, base: &Path, prefix: &str) -> Option<PathBuf> {
    let content = std::fs::read(file).ok()?;
    let target = content.strip_prefix(prefix.as_bytes())?.trim_ascii_end();
    base.join(OsStr::from_bytes(target)).canonicalize().ok()
}

fn collect_alternates(objects: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(content) = std::fs::read(objects.join("info/alternates")) else { return };
    for line in content.split(|byte| *byte == b'\n') {
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        // Only git resolves a quoted path. A path that cannot be resolved here is kept as written.
        let named = objects.join(OsStr::from_bytes(unquoted(line)));
        let named = named.canonicalize().unwrap_or(named);
        if found.contains(&named) {
            continue;
        }
        found.push(named.clone());
        if depth < MAX_ALTERNATE_DEPTH {
            collect_alternates(&named, depth + 1, found);
        }
    }
}

fn unquoted(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::fs;

    fn repository(path: &Path) {
        for part in ["objects/info", "refs"] {
            fs::create_dir_all(path.join(part)).unwrap();
        }
    }

    #[test]
    fn s_6_a_repository_is_every_directory_it_reads() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let (own, other) = (base.join("own"), base.join("other"));
        repository(&own.join(".git"));
        repository(&other.join(".git"));
        let load = |path: &Path| RepositoryDirectories::load(path).unwrap();
        assert!(!load(&own).shares_with(&load(&other)));

        std::os::unix::fs::symlink(&other, base.join("link")).unwrap();
        assert!(load(&base.join("link")).shares_with(&load(&other)), "by a symlink");
        assert!(load(&other.join(".git")).shares_with(&load(&other)), "as a bare one");

        let linked = base.join("linked");
        fs::create_dir(&linked).unwrap();
        fs::create_dir_all(other.join(".git/worktrees/linked")).unwrap();
        fs::write(other.join(".git/worktrees/linked/commondir"), "../..\n").unwrap();
        fs::write(linked.join(".git"), "gitdir: ../other/.git/worktrees/linked\n").unwrap();
        assert!(load(&linked).shares_with(&load(&other)), "as one of its worktrees");

        let objects = other.join(".git/objects");
        fs::write(own.join(".git/objects/info/alternates"), format!("{}\n", objects.display()))
            .unwrap();
        assert!(load(&own).shares_with(&load(&other)), "by its objects");
        assert!(!load(&other).shares_with(&load(&own)), "lending is not borrowing");
    }
}
