use std::collections::BTreeMap;

use crate::command::Command;
use crate::error::GitError;
use crate::journal::JOURNALS;
use crate::lock::LockedRepo;
use crate::object_id::ObjectId;

/// Which entries are kept. The newest of a task always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalPolicy {
    /// So many of each task, the newest ones.
    pub entries: usize,
    /// Only those written since, in seconds since 1970 (UTC).
    pub since: i64,
}

impl LockedRepo {
    /// Forgets the entries of all journals that the policy does not keep: how many.
    pub async fn prune_journals(&self, policy: JournalPolicy) -> Result<usize, GitError> {
        let list = Command::read(self.repo(), "for-each-ref")
            .args(["--format=%(refname) %(objectname) %(committerdate:unix)", JOURNALS])
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
            // Its input takes the place of our lock's handle. Should we die, it goes on without the lock: each deletion
            // names what it saw, and what is to be kept stays so.
            Command::write_refs(self, "update-ref")?.arg("--stdin").input(commands).run().await?;
        }
        Ok(count)
    }
}
