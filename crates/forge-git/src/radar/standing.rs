use std::collections::BTreeMap;

use crate::error::GitError;
use crate::journal::{JOURNALS, Journal};
use crate::journal_entry::{JournalEntry, JournalReason};
use crate::object_id::ObjectId;
use crate::radar::meeting::Side;
use crate::ref_file;
use crate::repo::Repo;

impl Repo {
    /// The number of the newest entry in each of these tasks' journals. Read from files, where references are kept in
    /// files: nothing is started for tasks that stand where they stood.
    pub async fn newest_entries(
        &self,
        tasks: &[String],
    ) -> Result<BTreeMap<String, u64>, GitError> {
        let mut found = BTreeMap::new();
        let Some(packed) = ref_file::packed_numbers(self.common_dir(), JOURNALS) else {
            for task in tasks {
                let Ok(journal) = Journal::of(self, task) else { continue };
                if let Some(entry) = journal.newest().await? {
                    found.insert(task.clone(), entry.number);
                }
            }
            return Ok(found);
        };
        for task in tasks {
            let directory = self.common_dir().join(format!("{JOURNALS}{task}"));
            let loose = std::fs::read_dir(directory).into_iter().flatten().flatten();
            let loose = loose.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
            if let Some(newest) = loose.chain(packed.get(task).copied()).max() {
                found.insert(task.clone(), newest);
            }
        }
        Ok(found)
    }

    /// How a task's branch stands: its files as committed, or as they were last saved on top of the same commit.
    pub async fn side_of(
        &self,
        head: &ObjectId,
        task: &str,
        entry: Option<u64>,
    ) -> Result<Side, GitError> {
        if let Some(number) = entry
            && let Some(entry) = self.saved_on(head, task, number).await?
        {
            return Ok(Side { head: head.clone(), content: entry.commit, tree: entry.tree });
        }
        let tree = self.tree_of(head).await?;
        Ok(Side { head: head.clone(), content: head.clone(), tree })
    }

    async fn saved_on(
        &self,
        head: &ObjectId,
        task: &str,
        number: u64,
    ) -> Result<Option<JournalEntry>, GitError> {
        let Ok(journal) = Journal::of(self, task) else { return Ok(None) };
        let entry = journal.load_entry(number).await?;
        Ok(entry.filter(|entry| {
            entry.has_files
                && entry.differs
                && entry.head.as_ref() == Some(head)
                // Saved because somebody wanted to be rid of it.
                && !matches!(entry.reason, JournalReason::BeforeReset | JournalReason::BeforeRestore)
        }))
    }
}
