use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_handle::Worktree;

/// The file that lists which ignored files of the user's checkout a new worktree gets (W-13).
pub const INCLUDE_FILE: &str = ".worktreeinclude";

const LONGEST: u64 = 64 * 1024;

/// The patterns of a `.worktreeinclude`, in gitignore syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludeList {
    text: Vec<u8>,
}

/// Why the list or the files that it names could not be used.
#[derive(Debug, thiserror::Error)]
pub enum IncludeError {
    /// The list is not a regular file, or is too long.
    #[error("{} cannot be used: it {problem}", path.display())]
    Unusable {
        /// The path of the list.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// Git or the disk failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl From<PathEscapeError> for IncludeError {
    fn from(error: PathEscapeError) -> Self {
        Self::Git(error.into())
    }
}

impl IncludeList {
    /// The list's text, byte for byte.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The patterns as git reads such a file: without comments, empty lines and trailing spaces.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = OsString> + '_ {
        self.text
            .split(|byte| *byte == b'\n')
            .map(|line| trim_pattern(line.strip_suffix(b"\r").unwrap_or(line)))
            .filter(|line| !line.is_empty() && !line.starts_with(b"#") && !line.contains(&0))
            .map(|line| OsString::from_vec(line.to_vec()))
    }
}

/// Removes trailing spaces, except one that a backslash escapes.
fn trim_pattern(line: &[u8]) -> &[u8] {
    let mut end = line.len();
    while let Some(rest) = line.get(..end).and_then(|line| line.strip_suffix(b" ")) {
        if rest.ends_with(b"\\") {
            break;
        }
        end = rest.len();
    }
    line.get(..end).unwrap_or(line)
}

impl Worktree {
    /// The list for this worktree: the one in the user's checkout, else the one in the base commit. `None` if neither
    /// exists, or if the repository has no main checkout to copy from.
    pub async fn include_list(&self, base: &ObjectId) -> Result<Option<IncludeList>, IncludeError> {
        let Some(person) = self.repo().work_tree() else { return Ok(None) };
        if let Some(list) = load_list(person)? {
            return Ok(Some(list));
        }
        // The checked-out files tell whether git has to be asked. They do not decide the list's content, because an
        // agent can change them.
        if !self.open_directory()?.contains_name(INCLUDE_FILE.as_ref()) {
            return Ok(None);
        }
        let blob = format!("{base}:{INCLUDE_FILE}");
        let outcome =
            GitCommand::read(self.repo(), "cat-file").args(["blob", &blob]).output().await?;
        if outcome.code() != Some(0) {
            return Ok(None);
        }
        check_length(outcome.stdout().to_vec(), &self.path().join(INCLUDE_FILE)).map(Some)
    }
}

fn load_list(person: &Path) -> Result<Option<IncludeList>, IncludeError> {
    let path = person.join(INCLUDE_FILE);
    let unusable = |problem: String| IncludeError::Unusable { path: path.clone(), problem };
    let file = match ConfinedDir::open_root(person)?.open_file(Path::new(INCLUDE_FILE)) {
        Ok(file) => file,
        Err(error) if error.is_missing() => return Ok(None),
        Err(PathEscapeError::NotADirectory(_)) => {
            return Err(unusable("is a symlink; put a plain file there".to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return Err(unusable("is no plain file; put one there".to_owned()));
    }
    let mut text = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut text).map_err(GitError::file("read", &path))?;
    check_length(text, &path).map(Some)
}

fn check_length(text: Vec<u8>, path: &Path) -> Result<IncludeList, IncludeError> {
    if text.len() as u64 > LONGEST {
        let problem = format!("is longer than {LONGEST} bytes; shorten it");
        return Err(IncludeError::Unusable { path: path.to_owned(), problem });
    }
    Ok(IncludeList { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_13_patterns_are_read_as_git_reads_them() {
        let text = b"# secrets\n.env  \n\n!keep\r\nname\\ \n\\#odd\n  \n".to_vec();
        let patterns: Vec<_> = IncludeList { text }.patterns().collect();
        assert_eq!(patterns, [".env", "!keep", "name\\ ", "\\#odd"]);
    }
}
