use std::collections::{BTreeSet, HashMap, HashSet};

use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::radar::ancestry::{Ancestry, bases_of_pair};
use crate::radar::changes;
use crate::radar::meeting::{Meeting, Side};
use crate::radar::memory::{Key, MeetingMemory};
use crate::radar::trial::{self, Trial};
use crate::repo::Repo;

/// What came of looking at some pairs.
#[derive(Debug, Default)]
pub struct Sighting {
    /// In the order they were asked for; none where git could not merge the two at all.
    pub meetings: Vec<Option<Meeting>>,
    /// What it took.
    pub effort: Effort,
}

/// How the answers were found.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Pairs that were asked for.
    pub asked: usize,
    /// Known from before.
    pub remembered: usize,
    /// Cannot clash, because nothing that one changed touches what the other did.
    pub apart: usize,
    /// Merged by git.
    pub merged: usize,
}

impl Repo {
    /// Whether these pairs clash (M-14): places in `sides`. Nothing is checked out and nothing is left in the
    /// repository. No pair, no process.
    pub async fn look_at_pairs(
        &self,
        sides: &[Side],
        pairs: &[(usize, usize)],
        memory: &mut MeetingMemory,
    ) -> Result<Sighting, GitError> {
        let mut sighting = Sighting {
            meetings: vec![None; pairs.len()],
            effort: Effort { asked: pairs.len(), ..Effort::default() },
        };
        let mut open = Vec::new();
        for (place, (one, other)) in pairs.iter().enumerate() {
            let (Some(one_side), Some(other_side)) = (sides.get(*one), sides.get(*other)) else {
                continue;
            };
            // Nothing is merged with itself.
            if one_side.tree == other_side.tree {
                sighting.effort.apart += 1;
                sighting.put(place, Meeting::Clean);
            } else {
                open.push((place, *one, *other));
            }
        }
        if open.is_empty() {
            return Ok(sighting);
        }
        let mut trials = Vec::new();
        for (place, bases) in self.bases_of_pairs(sides, &open).await? {
            let Some((one, other)) = pairs.get(place).and_then(|(one, other)| {
                Some((sides.get(*one)?.clone(), sides.get(*other)?.clone()))
            }) else {
                continue;
            };
            match memory.get(&Key::of(&one, &other, &bases)) {
                Some(known) => {
                    sighting.effort.remembered += 1;
                    sighting.put(place, known.clone());
                }
                None => trials.push(Trial { place, one, other, bases }),
            }
        }
        let keys: HashMap<usize, Key> = trials
            .iter()
            .map(|trial| (trial.place, Key::of(&trial.one, &trial.other, &trial.bases)))
            .collect();
        let (apart, trials) = self.set_apart(trials).await?;
        sighting.effort.apart += apart.len();
        sighting.effort.merged = trials.len();
        let merged = trial::run(self, trials).await?;
        let apart = apart.into_iter().map(|place| (place, Meeting::Clean));
        for (place, meeting) in apart.chain(merged) {
            if let Some(key) = keys.get(&place) {
                memory.insert(key.clone(), meeting.clone());
            }
            sighting.put(place, meeting);
        }
        Ok(sighting)
    }

    async fn bases_of_pairs(
        &self,
        sides: &[Side],
        open: &[(usize, usize, usize)],
    ) -> Result<Vec<(usize, BTreeSet<ObjectId>)>, GitError> {
        let involved: BTreeSet<usize> =
            open.iter().flat_map(|(_, one, other)| [*one, *other]).collect();
        let heads: BTreeSet<&ObjectId> =
            involved.iter().filter_map(|place| sides.get(*place)).map(|side| &side.head).collect();
        let heads: Vec<ObjectId> = heads.into_iter().cloned().collect();
        let places: HashMap<&ObjectId, usize> =
            heads.iter().enumerate().map(|(place, head)| (head, place)).collect();
        let head_of = |side: usize| sides.get(side).map(|side| &side.head);
        let ancestry = Ancestry::load(self, &heads).await?;
        let mut known: HashMap<(&ObjectId, &ObjectId), BTreeSet<ObjectId>> = HashMap::new();
        let mut found = Vec::new();
        for (place, one, other) in open {
            let (Some(one), Some(other)) = (head_of(*one), head_of(*other)) else { continue };
            let bases = match (&ancestry, known.get(&(one, other))) {
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

    /// Takes out the pairs that cannot clash.
    async fn set_apart(&self, trials: Vec<Trial>) -> Result<(Vec<usize>, Vec<Trial>), GitError> {
        let only =
            |trial: &Trial| trial.bases.iter().next().filter(|_| trial.bases.len() == 1).cloned();
        let mut wanted = HashSet::new();
        for trial in &trials {
            if let Some(base) = only(trial) {
                wanted.insert((base.clone(), trial.one.content.clone()));
                wanted.insert((base, trial.other.content.clone()));
            }
        }
        let wanted: Vec<_> = wanted.into_iter().collect();
        let changes = changes::load(self, &wanted).await?;
        let (mut apart, mut left) = (Vec::new(), Vec::new());
        for trial in trials {
            let cannot_clash = only(&trial).is_some_and(|base| {
                let one = changes.get(&(base.clone(), trial.one.content.clone()));
                let other = changes.get(&(base, trial.other.content.clone()));
                one.zip(other).is_some_and(|(one, other)| one.cannot_clash(other))
            });
            if cannot_clash {
                apart.push(trial.place);
            } else {
                left.push(trial);
            }
        }
        Ok((apart, left))
    }
}

impl Sighting {
    fn put(&mut self, place: usize, meeting: Meeting) {
        if let Some(slot) = self.meetings.get_mut(place) {
            *slot = Some(meeting);
        }
    }
}
