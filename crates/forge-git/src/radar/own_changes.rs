use std::collections::{HashMap, HashSet};

use crate::command::git_error::GitError;
use crate::radar::pair_merge::PairMerge;
use crate::radar::pair_result::{MergeSide, PairResult};
use crate::radar::path_changes;
use crate::radar::path_changes::PathChanges;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// What each side of some pairs changed itself. A younger branch contains what its target got meanwhile, and a merge
/// with an older branch can conflict over exactly that. Such a conflict is between the older branch and the target,
/// not between the two branches.
#[derive(Debug)]
pub(crate) struct OwnChanges {
    changes: HashMap<(ObjectId, ObjectId), PathChanges>,
}

impl OwnChanges {
    /// Loads the changes for all pairs, many with one git process.
    pub(crate) async fn load(repo: &Repo, trials: &[PairMerge]) -> Result<Self, GitError> {
        let mut wanted = HashSet::new();
        for trial in trials {
            match forks(&trial.one, &trial.other) {
                Some([one, other]) => {
                    wanted.insert((one.clone(), trial.one.content.clone()));
                    wanted.insert((other.clone(), trial.other.content.clone()));
                    if one != other {
                        wanted.insert((one.clone(), other.clone()));
                    }
                }
                None => {
                    if let Some(base) = only_base(trial) {
                        wanted.insert((base.clone(), trial.one.content.clone()));
                        wanted.insert((base.clone(), trial.other.content.clone()));
                    }
                }
            }
        }
        let wanted: Vec<_> = wanted.into_iter().collect();
        Ok(Self { changes: path_changes::load_changes(repo, &wanted).await? })
    }

    /// Whether the two sides cannot conflict in anything that both changed.
    pub(crate) fn cannot_conflict(&self, trial: &PairMerge) -> bool {
        let since = match forks(&trial.one, &trial.other) {
            Some(forks) => Some(forks),
            None => only_base(trial).map(|base| [base, base]),
        };
        since.is_some_and(|[one, other]| {
            let one = self.changes_since(one, &trial.one.content);
            let other = self.changes_since(other, &trial.other.content);
            one.zip(other).is_some_and(|(one, other)| one.cannot_conflict(other))
        })
    }

    /// Whether a merge of the two also includes changes that only their target made.
    pub(crate) fn may_include_target_changes(&self, trial: &PairMerge) -> bool {
        forks(&trial.one, &trial.other)
            .is_some_and(|forks| forks.iter().any(|fork| Some(*fork) != only_base(trial)))
    }

    /// Removes files from a conflict that only one of the two sides changed.
    pub(crate) fn keep_own_conflicts(
        &self,
        one: &MergeSide,
        other: &MergeSide,
        meeting: PairResult,
    ) -> PairResult {
        let PairResult::Conflict { files } = meeting else { return meeting };
        let Some([fork_one, fork_other]) = forks(one, other) else {
            return PairResult::Conflict { files };
        };
        let own = self
            .changes_since(fork_one, &one.content)
            .zip(self.changes_since(fork_other, &other.content));
        let Some((own_one, own_other)) = own else { return PairResult::Conflict { files } };
        // After a rename, a conflict can have a path that neither side changed.
        let renamed = own_one.may_rename() || own_other.may_rename();
        let of_target = self.changes_since(fork_one, fork_other);
        let is_own = |file: &String| {
            let by_both = own_one.touches(file) && own_other.touches(file);
            by_both || (renamed && !of_target.is_some_and(|target| target.touches(file)))
        };
        let named = !files.is_empty();
        let files: Vec<String> = files.into_iter().filter(is_own).collect();
        if named && files.is_empty() { PairResult::Clean } else { PairResult::Conflict { files } }
    }

    fn changes_since(&self, base: &ObjectId, content: &ObjectId) -> Option<&PathChanges> {
        self.changes.get(&(base.clone(), content.clone()))
    }
}

fn forks<'s>(one: &'s MergeSide, other: &'s MergeSide) -> Option<[&'s ObjectId; 2]> {
    Some([one.fork.as_ref()?, other.fork.as_ref()?])
}

fn only_base(trial: &PairMerge) -> Option<&ObjectId> {
    trial.bases.iter().next().filter(|_| trial.bases.len() == 1)
}
