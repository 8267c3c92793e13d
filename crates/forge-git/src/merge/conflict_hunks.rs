use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

const MAX_FILES: usize = 20;
const MAX_HUNKS: usize = 50;
const MAX_HUNK_BYTES: usize = 4096;
const BEGIN_MARKER: &str = "<<<<<<< ";
const END_MARKER: &str = ">>>>>>> ";

/// A part of a file that both sides changed, between git's conflict markers (M-9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmergedHunk {
    /// The file's path, lossily converted to UTF-8.
    pub file: String,
    /// The text of both sides with the markers.
    pub text: String,
}

impl Repo {
    /// The conflict hunks of these files in the tree of a conflicting merge, up to a limit. Files that one side
    /// deleted and binary files have none.
    pub async fn load_hunks(
        &self,
        tree: &ObjectId,
        files: &[String],
    ) -> Result<Vec<UnmergedHunk>, GitError> {
        let mut hunks = Vec::new();
        for file in files.iter().take(MAX_FILES) {
            let blob = GitCommand::read(self, "cat-file")
                .args(["blob", "--end-of-options"])
                .arg(format!("{tree}:{file}"))
                .output()
                .await?;
            if blob.code() == Some(0) && !blob.stdout().contains(&0) {
                hunks.extend(parse_conflict_hunks(file, &String::from_utf8_lossy(blob.stdout())));
            }
            if hunks.len() >= MAX_HUNKS {
                break;
            }
        }
        hunks.truncate(MAX_HUNKS);
        Ok(hunks)
    }
}

pub(crate) fn parse_conflict_hunks(file: &str, content: &str) -> Vec<UnmergedHunk> {
    let (mut found, mut open) = (Vec::new(), None::<String>);
    for line in content.split_inclusive('\n') {
        if line.starts_with(BEGIN_MARKER) && open.is_none() {
            open = Some(String::new());
        }
        if let Some(text) = &mut open {
            if text.len() + line.len() <= MAX_HUNK_BYTES {
                text.push_str(line);
            }
            if line.starts_with(END_MARKER) {
                found.extend(open.take().map(|text| UnmergedHunk { file: file.to_owned(), text }));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_9_only_parts_that_both_sides_changed_are_reported() {
        let content = "a\n<<<<<<< x\nours\n=======\ntheirs\n>>>>>>> y\nb\n<<<<<<< cut\noff\n";
        let hunks = parse_conflict_hunks("f", content);
        let text = "<<<<<<< x\nours\n=======\ntheirs\n>>>>>>> y\n".to_owned();
        assert_eq!(hunks, [UnmergedHunk { file: "f".to_owned(), text }]);
    }
}
