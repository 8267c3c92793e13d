//! How far somebody has read: a place in each project's sequence.

use std::collections::BTreeMap;

use forge_api::ErrorCode;
use forge_domain::ProjectId;
use forge_store::tables::events::Head;
use serde_json::json;

use crate::events::EventCursor;
use crate::failure::Failure;

/// How a client asks for everything from the beginning.
const BEGINNING: &str = "0";

/// What a client has seen, as its cursor says: the last number by the project's ordinal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Nothing is asked for again: the stream begins now.
    UntilNow,
    /// Up to these, and nothing of projects that are not there.
    UpTo(BTreeMap<i64, i64>),
}

impl Seen {
    /// Reads `ordinal:seq` pairs joined by commas.
    pub(crate) fn parse(cursor: Option<&EventCursor>) -> Result<Self, Failure> {
        let Some(cursor) = cursor else {
            return Ok(Self::UntilNow);
        };
        if cursor.as_str() == BEGINNING {
            return Ok(Self::UpTo(BTreeMap::new()));
        }
        let places: Option<_> = cursor.as_str().split(',').map(place).collect();
        places.map(Self::UpTo).ok_or_else(|| {
            let message = "This is not the id of an event. Send the last id you got, `0` for everything, or nothing to begin now.";
            Failure::new(ErrorCode::InvalidQuery, message)
                .with_details(json!({ "parameter": "after" }))
        })
    }
}

fn place(text: &str) -> Option<(i64, i64)> {
    let (ordinal, seq) = text.split_once(':')?;
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<i64>().ok()).flatten()
    };
    Some((number(ordinal)?, number(seq)?))
}

#[derive(Debug, Clone, Copy)]
struct Place {
    ordinal: i64,
    seq: i64,
}

/// The places of all projects in a stream.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places(BTreeMap<ProjectId, Place>);

impl Places {
    /// Where to begin, by what was seen and where each sequence stands now.
    pub(crate) fn begin(seen: &Seen, now: &[Head]) -> Self {
        let place = |head: &Head| match seen {
            Seen::UntilNow => head.last,
            // A number that was never given out comes from another database; what it hides must not be lost.
            Seen::UpTo(places) => places.get(&head.ordinal).map_or(0, |seq| (*seq).min(head.last)),
        };
        let places = now.iter().map(|head| {
            let seq = place(head).max(head.since);
            (head.project_id, Place { ordinal: head.ordinal, seq })
        });
        Self(places.collect())
    }

    /// Adds what can be seen since, from the first event of it on, and tells whether there was any.
    pub(crate) fn add_new(&mut self, now: &[Head]) -> bool {
        let before = self.0.len();
        for head in now {
            let first = Place { ordinal: head.ordinal, seq: head.since };
            let place = self.0.entry(head.project_id).or_insert(first);
            // Who left and came back has missed what happened in between.
            place.seq = place.seq.max(head.since);
        }
        self.0.len() > before
    }

    /// Forgets what can no longer be seen.
    pub(crate) fn keep(&mut self, now: &[Head]) {
        self.0.retain(|project, _| now.iter().any(|head| head.project_id == *project));
    }

    /// Whether an event may be sent and has not been.
    pub(crate) fn is_ahead(&self, project: ProjectId, seq: i64) -> bool {
        self.0.get(&project).is_some_and(|place| place.seq < seq)
    }

    pub(crate) fn knows(&self, project: ProjectId) -> bool {
        self.0.contains_key(&project)
    }

    /// What to ask the store about.
    pub(crate) fn to_read(&self, wanted: impl Fn(ProjectId) -> bool) -> Vec<(ProjectId, i64)> {
        let places = self.0.iter().filter(|(project, _)| wanted(**project));
        places.map(|(project, place)| (*project, place.seq)).collect()
    }

    /// Notes that an event was read.
    pub(crate) fn advance(&mut self, project: ProjectId, seq: i64) {
        if let Some(place) = self.0.get_mut(&project) {
            place.seq = seq;
        }
    }

    /// The cursor after what was read.
    pub(crate) fn cursor(&self) -> String {
        let mut pairs: Vec<_> = self.0.values().map(|at| (at.ordinal, at.seq)).collect();
        pairs.sort_unstable();
        let pairs: Vec<_> =
            pairs.into_iter().map(|(ordinal, seq)| format!("{ordinal}:{seq}")).collect();
        pairs.join(",")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;

    fn project(n: u128) -> ProjectId {
        ProjectId::new(uuid::Uuid::from_u128(n))
    }

    fn head(n: u128, ordinal: i64, since: i64, last: i64) -> Head {
        Head { project_id: project(n), ordinal, since, last }
    }

    fn seen(text: &str) -> Result<Seen, Failure> {
        Seen::parse(EventCursor::new(text).as_ref())
    }

    #[test]
    fn s_2_a_cursor_is_read_back_as_it_was_written() {
        let now = [head(9, 0, 0, 4), head(3, 2, 0, 7), head(5, 1, 0, 1)];
        let places = Places::begin(&Seen::UntilNow, &now);
        assert_eq!(places.cursor(), "0:4,1:1,2:7");
        let again = Places::begin(&seen("0:4,1:1,2:7").expect("a cursor"), &now);
        assert_eq!(again.cursor(), places.cursor());
    }

    #[test]
    fn s_2_a_project_that_came_later_is_read_from_its_beginning() {
        let now = [head(9, 0, 0, 4), head(3, 1, 0, 7)];
        let places = Places::begin(&seen("0:2").expect("a cursor"), &now);
        assert_eq!(places.cursor(), "0:2,1:0");
    }

    #[test]
    fn s_2_a_place_that_does_not_exist_yet_hides_nothing() {
        let now = [head(3, 1, 0, 7)];
        let places = Places::begin(&seen("1:900").expect("a cursor"), &now);
        assert_eq!(places.cursor(), "1:7");
    }

    #[test]
    fn s_2_what_happened_before_somebody_could_see_it_is_passed_over() {
        let joined = [head(9, 0, 0, 4), head(3, 1, 6, 7)];
        for (text, places) in [("0", "0:0,1:6"), ("0:1,1:2", "0:1,1:6"), ("1:7", "0:0,1:7")] {
            let begun = Places::begin(&seen(text).expect("a cursor"), &joined);
            assert_eq!(begun.cursor(), places);
        }
        let mut places = Places::begin(&Seen::UntilNow, &joined);
        let back = [head(9, 0, 0, 5), head(3, 1, 20, 21), head(5, 2, 3, 3)];
        assert!(places.add_new(&back) && !places.add_new(&back));
        assert_eq!(places.cursor(), "0:4,1:20,2:3");
        assert!(places.is_ahead(project(3), 21) && !places.is_ahead(project(3), 20));
        places.keep(&[head(9, 0, 0, 5)]);
        assert_eq!(places.cursor(), "0:4");
        assert!(!places.is_ahead(project(3), 99));
    }

    #[test]
    fn s_2_other_texts_are_no_cursors() {
        for text in ["1", "1:", ":1", "1:2,", "1:-2", "1:+2", "a:b", "1:2;3:4"] {
            assert!(seen(text).is_err(), "{text}");
        }
        assert_eq!(seen("0").expect("the beginning"), Seen::UpTo(BTreeMap::new()));
    }
}
