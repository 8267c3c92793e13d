use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::repo::Repo;

const MOST_FILES: usize = 20;
const MOST_HUNKS: usize = 50;
const LONGEST_HUNK: usize = 4096;
const BEGIN: &str = "<<<<<<< ";
const END: &str = ">>>>>>> ";

/// A part of a file that two sides wrote differently, with git's marks around both (M-9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The file, as UTF-8 as far as it is.
    pub file: String,
    /// Both sides.
    pub text: String,
}

impl Repo {
    /// The marked parts of these files in the tree that a merge with conflicts gave; not all where that is much. Files
    /// that one side deleted, and binary ones, have none.
    pub async fn load_hunks(
        &self,
        tree: &ObjectId,
        files: &[String],
    ) -> Result<Vec<Hunk>, GitError> {
        let mut hunks = Vec::new();
        for file in files.iter().take(MOST_FILES) {
            let blob = Command::read(self, "cat-file")
                .args(["blob", "--end-of-options"])
                .arg(format!("{tree}:{file}"))
                .outcome()
                .await?;
            if blob.code() == Some(0) && !blob.stdout().contains(&0) {
                hunks.extend(marked(file, &String::from_utf8_lossy(blob.stdout())));
            }
            if hunks.len() >= MOST_HUNKS {
                break;
            }
        }
        hunks.truncate(MOST_HUNKS);
        Ok(hunks)
    }
}

pub(crate) fn marked(file: &str, content: &str) -> Vec<Hunk> {
    let (mut found, mut open) = (Vec::new(), None::<String>);
    for line in content.split_inclusive('\n') {
        if line.starts_with(BEGIN) && open.is_none() {
            open = Some(String::new());
        }
        if let Some(text) = &mut open {
            if text.len() + line.len() <= LONGEST_HUNK {
                text.push_str(line);
            }
            if line.starts_with(END) {
                found.extend(open.take().map(|text| Hunk { file: file.to_owned(), text }));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_9_only_what_both_sides_wrote_is_told() {
        let content = "a\n<<<<<<< x\nours\n=======\ntheirs\n>>>>>>> y\nb\n<<<<<<< cut\noff\n";
        let hunks = marked("f", content);
        let text = "<<<<<<< x\nours\n=======\ntheirs\n>>>>>>> y\n".to_owned();
        assert_eq!(hunks, [Hunk { file: "f".to_owned(), text }]);
    }
}
