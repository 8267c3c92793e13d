//! What is done in the background, each thing once at a time: who asks while it is being done has it done again.

use forge_domain::RepoId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Chore {
    /// Keep a repository's pool.
    Pool(RepoId),
    /// Clear the pools of repositories that nobody has.
    Abandoned,
    /// Clear what a repository left that was taken from its project.
    Removed(RepoId),
    /// Delete what was removed.
    Trash,
}

/// The things under way, and whether they are to be done again.
#[derive(Debug, Default)]
pub(crate) struct Chores {
    under_way: Mutex<HashMap<Chore, bool>>,
    inspected: Mutex<HashSet<RepoId>>,
    /// Whoever holds it may add to a pool: two that look at the room on the disk would both find it.
    pub(super) adding: tokio::sync::Mutex<()>,
}

impl Chores {
    /// True if the caller is to do it now.
    pub(super) fn begin(&self, chore: Chore) -> bool {
        let mut under_way = lock(&self.under_way);
        let asked_before = under_way.get_mut(&chore).map(|again| *again = true).is_some();
        if !asked_before {
            under_way.insert(chore, false);
        }
        !asked_before
    }

    /// True if it is to be done again.
    pub(super) fn end(&self, chore: Chore) -> bool {
        let mut under_way = lock(&self.under_way);
        let again = under_way.insert(chore, false).unwrap_or(false);
        if !again {
            under_way.remove(&chore);
        }
        again
    }

    /// True the first time a repository is asked about: this process has not seen its pool yet.
    pub(super) fn is_new(&self, repo: RepoId) -> bool {
        !lock(&self.inspected).contains(&repo)
    }

    pub(super) fn set_inspected(&self, repo: RepoId) {
        lock(&self.inspected).insert(repo);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_15_what_is_asked_for_while_it_is_done_is_done_once_more() {
        let chores = Chores::default();
        assert!(chores.begin(Chore::Trash));
        assert!(!chores.begin(Chore::Trash) && !chores.begin(Chore::Trash));
        assert!(chores.end(Chore::Trash));
        assert!(!chores.end(Chore::Trash));
        assert!(chores.begin(Chore::Trash));
    }
}
