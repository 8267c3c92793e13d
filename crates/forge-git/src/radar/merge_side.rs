use std::collections::BTreeMap;

use crate::command::git_error::GitError;
use crate::journal::journal_entry::{JournalEntry, JournalReason};
use crate::journal::task_journal::{JOURNAL_REF_PREFIX, Journal};
use crate::radar::pair_result::MergeSide;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_lookup;
use crate::repo::repository::Repo;

impl Repo {
    /// The number of the newest journal entry of each task. Read from files where references are stored in files, so
    /// that unchanged tasks start no git process.
    pub async fn newest_entries(
        &self,
        tasks: &[String],
    ) -> Result<BTreeMap<String, u64>, GitError> {
        let mut found = BTreeMap::new();
        let Some(packed) = ref_lookup::packed_numbers(self.common_dir(), JOURNAL_REF_PREFIX) else {
            for task in tasks {
                let Ok(journal) = Journal::for_task(self, task) else { continue };
                if let Some(entry) = journal.load_newest().await? {
                    found.insert(task.clone(), entry.number);
                }
            }
            return Ok(found);
        };
        for task in tasks {
            let directory = self.common_dir().join(format!("{JOURNAL_REF_PREFIX}{task}"));
            let loose = std::fs::read_dir(directory).into_iter().flatten().flatten();
            let loose = loose.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
            if let Some(newest) = loose.chain(packed.get(task).copied()).max() {
                found.insert(task.clone(), newest);
            }
        }
        Ok(found)
    }

    /// A target as one side of a merge with a branch that may land on it.
    pub async fn target_side(&self, tip: &ObjectId) -> Result<MergeSide, GitError> {
        let tree = self.tree_of(tip).await?;
        Ok(MergeSide { head: tip.clone(), content: tip.clone(), tree, fork: None })
    }

    /// A task's branch as one side of a merge: its committed files, or the files last saved on top of the same
    /// commit.
    pub async fn task_side(
        &self,
        head: &ObjectId,
        task: &str,
        entry: Option<u64>,
    ) -> Result<MergeSide, GitError> {
        if let Some(number) = entry
            && let Some(entry) = self.load_entry_on(head, task, number).await?
        {
            return Ok(MergeSide {
                head: head.clone(),
                content: entry.commit,
                tree: entry.tree,
                fork: None,
            });
        }
        let tree = self.tree_of(head).await?;
        Ok(MergeSide { head: head.clone(), content: head.clone(), tree, fork: None })
    }

    async fn load_entry_on(
        &self,
        head: &ObjectId,
        task: &str,
        number: u64,
    ) -> Result<Option<JournalEntry>, GitError> {
        let Ok(journal) = Journal::for_task(self, task) else { return Ok(None) };
        let entry = journal.load_entry(number).await?;
        Ok(entry.filter(|entry| {
            entry.has_files
                && entry.has_changes
                && entry.head.as_ref() == Some(head)
                // The agent or the user discarded this content.
                && !matches!(entry.reason, JournalReason::BeforeReset | JournalReason::BeforeRestore)
        }))
    }
}
