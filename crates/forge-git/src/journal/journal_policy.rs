use std::collections::BTreeMap;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::journal::task_journal::JOURNAL_REF_PREFIX;
use crate::refs::object_id::ObjectId;
use crate::repo::repo_lock::LockedRepo;

/// Which entries are kept. The newest entry of a task is always kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalPolicy {
    /// How many entries of each task are kept, the newest first.
    pub entries: usize,
    /// Only entries since this time are kept, in seconds since 1970 (UTC).
    pub since: i64,
}

impl LockedRepo {
    /// Deletes the entries of all journals that the policy does not keep, and returns how many.
    pub async fn prune_journals(&self, policy: JournalPolicy) -> Result<usize, GitError> {
        let list = GitCommand::read(self.repo(), "for-each-ref")
            .args(["--format=%(refname) %(objectname) %(committerdate:unix)", JOURNAL_REF_PREFIX])
            .run()
            .await?;
        let list = String::from_utf8_lossy(&list);
        let mut journals: BTreeMap<&str, Vec<(u64, &str, ObjectId, i64)>> = BTreeMap::new();
        for line in list.lines() {
            let mut words = line.split(' ');
            let (Some(name), Some(id), Some(at)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            let Some((journal, number)) = name.rsplit_once('/') else { continue };
            if let (Ok(number), Ok(id), Ok(at)) = (number.parse(), ObjectId::new(id), at.parse()) {
                journals.entry(journal).or_default().push((number, name, id, at));
            }
        }
        let mut commands = String::new();
        let mut count = 0;
        for entries in journals.values_mut() {
            entries.sort_by_key(|(number, ..)| std::cmp::Reverse(*number));
            for (place, (_, name, id, at)) in entries.iter().enumerate().skip(1) {
                if place >= policy.entries || *at < policy.since {
                    commands.push_str(&format!("delete {name} {id}\n"));
                    count += 1;
                }
            }
        }
        if count > 0 {
            // Its input replaces the handle of Forge's lock on stdin. If Forge dies, git continues without the lock;
            // each deletion names the expected value, so entries that must stay are safe.
            GitCommand::write_refs(self, "update-ref")?
                .arg("--stdin")
                .input(commands)
                .run()
                .await?;
        }
        Ok(count)
    }
}
