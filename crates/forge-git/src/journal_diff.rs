use crate::command::Command;
use crate::diff::{Diff, DiffLimits, FLAGS, sections};
use crate::diff_entry::Entry;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::repo::Repo;
use crate::snapshot::Site;

impl Repo {
    /// What differs between two trees or commits.
    pub async fn diff_trees(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        limits: DiffLimits,
    ) -> Result<Diff, GitError> {
        let compare = || {
            Command::read(self, "diff-tree")
                .arg("-r")
                .args(FLAGS)
                .args([old.as_str(), new.as_str()])
        };
        let list = compare().args(["--raw", "--numstat", "-z", "--"]).run().await?;
        let mut entries = Entry::parse_all(&list)?;
        let mut diff = Diff { truncated: entries.len() > limits.files, ..Diff::default() };
        entries.truncate(limits.files);
        let shown: Vec<&Entry> = entries.iter().filter(|entry| entry.has_text()).collect();
        let patch = match shown.is_empty() {
            true => Some(Vec::new()),
            false => {
                let patch = compare()
                    .args(["-p", "--"])
                    .args(shown.iter().flat_map(|entry| entry.paths()))
                    .output_limit(limits.total_bytes)
                    .run()
                    .await;
                match patch {
                    Err(GitError::Process(forge_proc::CaptureError::TooMuchOutput { .. })) => None,
                    other => Some(other?),
                }
            }
        };
        diff.truncated |= patch.is_none();
        let mut texts = patch.as_deref().map(sections).map(Vec::into_iter);
        for entry in entries {
            let count = if entry.has_text() { entry.sections() } else { 0 };
            let text = texts.as_mut().map(|texts| texts.by_ref().take(count).flatten().collect());
            let text: Option<Vec<u8>> = text;
            let file = entry.into_file(text.as_deref(), limits.file_bytes);
            diff.truncated |= file.truncated;
            diff.files.push(file);
        }
        Ok(diff)
    }

    /// The tree without a file.
    pub async fn empty_tree(&self) -> Result<ObjectId, GitError> {
        Command::write_objects(self, "hash-object")
            .args(["-t", "tree", "-w", "--stdin"])
            .input("")
            .object_id()
            .await
    }
}

impl Site {
    /// The tree of the files as they are, or of the head where there are none; `None` where there is nothing at all.
    pub async fn tree(&self) -> Result<Option<ObjectId>, GitError> {
        Ok(Box::pin(self.snapshot()).await?.map(|snapshot| snapshot.tree))
    }
}
