use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::beneath::{Beneath, EscapeError};
use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::worktree::Worktree;

/// The file that says which ignored files of the person's checkout a new worktree gets (W-13).
pub const INCLUDE_FILE: &str = ".worktreeinclude";

const LONGEST: u64 = 64 * 1024;

/// The patterns of a `.worktreeinclude`, in gitignore syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludeList {
    text: Vec<u8>,
}

/// Why the list, or what it names, could not be brought in.
#[derive(Debug, thiserror::Error)]
pub enum IncludeError {
    /// It is no plain file of a sane size.
    #[error("{} cannot be used: it {problem}", path.display())]
    Unusable {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Git or the disk failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl From<EscapeError> for IncludeError {
    fn from(error: EscapeError) -> Self {
        Self::Git(error.into())
    }
}

impl IncludeList {
    /// What it says, byte for byte.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The patterns, as git itself reads such a file: no comments, no empty lines, no spaces at the end.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = OsString> + '_ {
        self.text
            .split(|byte| *byte == b'\n')
            .map(|line| trimmed(line.strip_suffix(b"\r").unwrap_or(line)))
            .filter(|line| !line.is_empty() && !line.starts_with(b"#") && !line.contains(&0))
            .map(|line| OsString::from_vec(line.to_vec()))
    }
}

/// Without the spaces at its end, but for one that a backslash keeps.
fn trimmed(line: &[u8]) -> &[u8] {
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
    /// The list that holds for this worktree: the one in the person's checkout, else the one in the commit it began at.
    /// `None` when there is neither, or nobody has the repository checked out, so that there is nothing to copy.
    pub async fn include_list(&self, base: &ObjectId) -> Result<Option<IncludeList>, IncludeError> {
        let Some(person) = self.repo().work_tree() else { return Ok(None) };
        if let Some(list) = load(person)? {
            return Ok(Some(list));
        }
        // Whether to ask git is told by the files that were checked out; what the list says is not.
        if !self.ground()?.has(INCLUDE_FILE.as_ref()) {
            return Ok(None);
        }
        let blob = format!("{base}:{INCLUDE_FILE}");
        let outcome =
            Command::read(self.repo(), "cat-file").args(["blob", &blob]).outcome().await?;
        if outcome.code() != Some(0) {
            return Ok(None);
        }
        checked(outcome.stdout().to_vec(), &self.path().join(INCLUDE_FILE)).map(Some)
    }
}

fn load(person: &Path) -> Result<Option<IncludeList>, IncludeError> {
    let path = person.join(INCLUDE_FILE);
    let unusable = |problem: String| IncludeError::Unusable { path: path.clone(), problem };
    let file = match Beneath::root(person)?.open_file(Path::new(INCLUDE_FILE)) {
        Ok(file) => file,
        Err(error) if error.is_missing() => return Ok(None),
        Err(EscapeError::NotADirectory(_)) => {
            return Err(unusable("is a symlink; put a plain file there".to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return Err(unusable("is no plain file; put one there".to_owned()));
    }
    let mut text = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut text).map_err(GitError::file("read", &path))?;
    checked(text, &path).map(Some)
}

fn checked(text: Vec<u8>, path: &Path) -> Result<IncludeList, IncludeError> {
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
