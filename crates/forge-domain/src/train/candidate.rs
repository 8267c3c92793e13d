//! The order of candidates in the train.

use crate::{TaskId, Timestamp};
use std::collections::BTreeSet;

/// Number of landings after which a candidate's priority no longer matters: it goes before every later candidate.
const MOST_OVERTAKINGS: u64 = 20;

/// A task whose branch waits to land.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainCandidate {
    pub task: TaskId,
    /// Candidates with a higher number go first.
    pub priority: i32,
    /// Time at which it joined the train.
    pub joined_at: Timestamp,
    /// Number of other tasks that landed since.
    pub landings_since: u64,
    /// Files that its branch changes.
    pub paths: BTreeSet<String>,
    /// Its fixed position, once its checks have started there. A new candidate before it would invalidate the results.
    pub position: Option<u64>,
    /// Whether its first failure is being retried on the same tree, while other candidates pass it.
    pub is_suspect: bool,
}

/// The candidates in landing order. A suspect and all candidates that share a path with it are left out until its retry
/// has ended. All others are in other lanes and continue.
pub(crate) fn landing_order(candidates: &[TrainCandidate]) -> Vec<&TrainCandidate> {
    let suspects: Vec<&TrainCandidate> =
        candidates.iter().filter(|candidate| candidate.is_suspect).collect();
    let held_up = |candidate: &TrainCandidate| {
        suspects.iter().any(|suspect| {
            suspect.task == candidate.task || !suspect.paths.is_disjoint(&candidate.paths)
        })
    };
    let mut order: Vec<&TrainCandidate> =
        candidates.iter().filter(|candidate| !held_up(candidate)).collect();
    order.sort_by_key(|candidate| {
        let waited_enough = candidate.landings_since >= MOST_OVERTAKINGS;
        let urgency = if waited_enough { i64::MAX } else { i64::from(candidate.priority) };
        (
            candidate.position.unwrap_or(u64::MAX),
            std::cmp::Reverse(urgency),
            candidate.joined_at,
            candidate.task,
        )
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn candidate(number: u128, priority: i32) -> TrainCandidate {
        TrainCandidate {
            task: TaskId::new(Uuid::from_u128(number)),
            priority,
            joined_at: Timestamp::from_millis(i64::try_from(number).unwrap_or_default()),
            landings_since: 0,
            paths: BTreeSet::from([format!("file{number}")]),
            position: None,
            is_suspect: false,
        }
    }

    fn numbers(candidates: &[TrainCandidate]) -> Vec<u128> {
        landing_order(candidates).iter().map(|candidate| candidate.task.uuid().as_u128()).collect()
    }

    #[test]
    fn m_13_urgent_candidates_go_first_then_older_ones() {
        assert_eq!(numbers(&[candidate(1, 0), candidate(2, 0), candidate(3, 5)]), [3, 1, 2]);
    }

    #[test]
    fn m_12_no_candidate_waits_for_ever_behind_urgent_ones() {
        let old = TrainCandidate { landings_since: 20, ..candidate(1, 0) };
        assert_eq!(numbers(&[old, candidate(2, 9), candidate(3, 5)]), [1, 2, 3]);
    }

    #[test]
    fn m_12_a_candidate_under_test_keeps_its_position() {
        let second = TrainCandidate { position: Some(8), ..candidate(2, 5) };
        let first = TrainCandidate { position: Some(7), ..candidate(3, 0) };
        assert_eq!(numbers(&[candidate(1, 9), second, first]), [3, 2, 1]);
    }

    #[test]
    fn m_11_a_suspect_delays_only_its_own_lane() {
        let suspect = TrainCandidate { is_suspect: true, ..candidate(1, 0) };
        let beside =
            TrainCandidate { paths: BTreeSet::from(["file1".to_owned()]), ..candidate(2, 0) };
        assert_eq!(numbers(&[suspect, beside, candidate(3, 0)]), [3]);
    }
}
