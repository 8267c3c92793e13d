use std::collections::{BTreeSet, HashMap};

use crate::command::git_error::GitError;
use crate::radar::head_ancestry::{HeadAncestry, bases_of_pair};
use crate::radar::own_changes::OwnChanges;
use crate::radar::pair_merge;
use crate::radar::pair_merge::PairMerge;
use crate::radar::pair_result::{MergeSide, PairResult};
use crate::radar::pair_result_cache::{PairKey, PairResultCache};
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// The results of checking some pairs.
#[derive(Debug, Default)]
pub struct PairReport {
    /// The results in the order of the request; `None` where git could not merge the two at all.
    pub results: Vec<Option<PairResult>>,
    /// How the results were found.
    pub stats: PairCheckStats,
}

/// How the results of a check were found.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PairCheckStats {
    /// Pairs that were requested.
    pub requested: usize,
    /// Results that came from the cache.
    pub cached: usize,
    /// Pairs that cannot conflict, because their changes do not touch.
    pub disjoint: usize,
    /// Pairs that git merged.
    pub merged: usize,
}

impl Repo {
    /// Checks whether these pairs conflict (M-14); a pair consists of indexes into `sides`. Checks nothing out and
    /// leaves nothing in the repository. Without pairs, starts no process.
    pub async fn check_pairs(
        &self,
        sides: &[MergeSide],
        pairs: &[(usize, usize)],
        memory: &mut PairResultCache,
    ) -> Result<PairReport, GitError> {
        let mut sighting = PairReport {
            results: vec![None; pairs.len()],
            stats: PairCheckStats { requested: pairs.len(), ..PairCheckStats::default() },
        };
        let mut open = Vec::new();
        for (place, (one, other)) in pairs.iter().enumerate() {
            let (Some(one_side), Some(other_side)) = (sides.get(*one), sides.get(*other)) else {
                continue;
            };
            // Equal trees need no merge.
            if one_side.tree == other_side.tree {
                sighting.stats.disjoint += 1;
                sighting.set_result(place, PairResult::Clean);
            } else {
                open.push((place, *one, *other));
            }
        }
        if open.is_empty() {
            return Ok(sighting);
        }
        let mut trials = Vec::new();
        for (place, bases) in self.bases_of_sides(sides, &open).await? {
            let Some((one, other)) = pairs.get(place).and_then(|(one, other)| {
                Some((sides.get(*one)?.clone(), sides.get(*other)?.clone()))
            }) else {
                continue;
            };
            match memory.get(&PairKey::of(&one, &other, &bases)) {
                Some(known) => {
                    sighting.stats.cached += 1;
                    sighting.set_result(place, known.clone());
                }
                None => trials.push(PairMerge { pair_index: place, one, other, bases }),
            }
        }
        let keys: HashMap<usize, PairKey> = trials
            .iter()
            .map(|trial| (trial.pair_index, PairKey::of(&trial.one, &trial.other, &trial.bases)))
            .collect();
        let blame = OwnChanges::load(self, &trials).await?;
        let (apart, trials): (Vec<_>, Vec<_>) =
            trials.into_iter().partition(|trial| blame.cannot_conflict(trial));
        sighting.stats.disjoint += apart.len();
        sighting.stats.merged = trials.len();
        let blamed: HashMap<usize, [MergeSide; 2]> = trials
            .iter()
            .filter(|trial| blame.may_include_target_changes(trial))
            .map(|trial| (trial.pair_index, [trial.one.clone(), trial.other.clone()]))
            .collect();
        let merged = pair_merge::merge_pairs(self, trials).await?;
        let merged = merged.into_iter().map(|(place, meeting)| match blamed.get(&place) {
            Some([one, other]) => (place, blame.keep_own_conflicts(one, other, meeting)),
            None => (place, meeting),
        });
        let apart = apart.into_iter().map(|trial| (trial.pair_index, PairResult::Clean));
        for (place, meeting) in apart.chain(merged) {
            if let Some(key) = keys.get(&place) {
                memory.insert(key.clone(), meeting.clone());
            }
            sighting.set_result(place, meeting);
        }
        Ok(sighting)
    }

    /// The fork point of each branch and its target, `(head, target)`; `None` if there is no single best common
    /// ancestor.
    pub async fn load_forks(
        &self,
        branches: &[(ObjectId, ObjectId)],
    ) -> Result<Vec<Option<ObjectId>>, GitError> {
        let pairs: Vec<_> =
            branches.iter().enumerate().map(|(place, (one, other))| (place, one, other)).collect();
        let mut forks = vec![None; branches.len()];
        for (place, bases) in self.bases_of_pairs(&pairs).await? {
            if let (Some(slot), 1) = (forks.get_mut(place), bases.len()) {
                *slot = bases.into_iter().next();
            }
        }
        Ok(forks)
    }

    async fn bases_of_sides(
        &self,
        sides: &[MergeSide],
        open: &[(usize, usize, usize)],
    ) -> Result<Vec<(usize, BTreeSet<ObjectId>)>, GitError> {
        let pairs: Vec<_> = open
            .iter()
            .filter_map(|(place, one, other)| {
                Some((*place, &sides.get(*one)?.head, &sides.get(*other)?.head))
            })
            .collect();
        self.bases_of_pairs(&pairs).await
    }

    /// The best common ancestors of pairs of commits, each with the pair's index.
    async fn bases_of_pairs(
        &self,
        pairs: &[(usize, &ObjectId, &ObjectId)],
    ) -> Result<Vec<(usize, BTreeSet<ObjectId>)>, GitError> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let heads: BTreeSet<&ObjectId> =
            pairs.iter().flat_map(|(_, one, other)| [*one, *other]).collect();
        let heads: Vec<ObjectId> = heads.into_iter().cloned().collect();
        let places: HashMap<&ObjectId, usize> =
            heads.iter().enumerate().map(|(place, head)| (head, place)).collect();
        let ancestry = HeadAncestry::load(self, &heads).await?;
        let mut known: HashMap<(&ObjectId, &ObjectId), BTreeSet<ObjectId>> = HashMap::new();
        let mut found = Vec::new();
        for (place, one, other) in pairs {
            let bases = match (&ancestry, known.get(&(*one, *other))) {
                (_, Some(bases)) => bases.clone(),
                (Some(ancestry), None) => match (places.get(one), places.get(other)) {
                    (Some(one), Some(other)) => ancestry.bases(*one, *other),
                    _ => continue,
                },
                (None, None) => bases_of_pair(self, one, other).await?,
            };
            known.insert((one, other), bases.clone());
            found.push((*place, bases));
        }
        Ok(found)
    }
}

impl PairReport {
    fn set_result(&mut self, place: usize, meeting: PairResult) {
        if let Some(slot) = self.results.get_mut(place) {
            *slot = Some(meeting);
        }
    }
}
