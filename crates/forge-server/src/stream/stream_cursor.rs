//! The read position of a stream: one position per project.

use std::collections::BTreeMap;

use forge_api::ErrorCode;
use forge_domain::ProjectId;
use forge_store::tables::events::SequenceHead;
use serde_json::json;

use crate::error::api_error::ApiError;
use crate::stream::sse::EventCursor;

/// The cursor that asks for everything from the beginning.
const BEGINNING: &str = "0";

/// Where a stream starts, from the client's cursor: the last sequence number by the project's ordinal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResumePoint {
    /// Only new events.
    NewEvents,
    /// After these positions, and from the beginning for other projects.
    After(BTreeMap<i64, i64>),
}

impl ResumePoint {
    /// Parses `ordinal:seq` pairs joined by commas.
    pub(crate) fn parse(cursor: Option<&EventCursor>) -> Result<Self, ApiError> {
        let Some(cursor) = cursor else {
            return Ok(Self::NewEvents);
        };
        if cursor.as_str() == BEGINNING {
            return Ok(Self::After(BTreeMap::new()));
        }
        let places: Option<_> = cursor.as_str().split(',').map(parse_position).collect();
        places.map(Self::After).ok_or_else(|| {
            let message = "This is not the id of an event. Send the last id you received, `0` for all events, or nothing to start with new events.";
            ApiError::new(ErrorCode::InvalidQuery, message)
                .with_details(json!({ "parameter": "after" }))
        })
    }
}

fn parse_position(text: &str) -> Option<(i64, i64)> {
    let (ordinal, seq) = text.split_once(':')?;
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<i64>().ok()).flatten()
    };
    Some((number(ordinal)?, number(seq)?))
}

#[derive(Debug, Clone, Copy)]
struct ProjectPosition {
    ordinal: i64,
    seq: i64,
}

/// The positions of all projects in a stream.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamCursor(BTreeMap<ProjectId, ProjectPosition>);

impl StreamCursor {
    /// The start positions, from the client's cursor and the current heads.
    pub(crate) fn begin(seen: &ResumePoint, now: &[SequenceHead]) -> Self {
        let place = |head: &SequenceHead| match seen {
            ResumePoint::NewEvents => head.last,
            // A number that was never assigned comes from another database; limit it, so that no event is skipped.
            ResumePoint::After(places) => {
                places.get(&head.ordinal).map_or(0, |seq| (*seq).min(head.last))
            }
        };
        let places = now.iter().map(|head| {
            let seq = place(head).max(head.since);
            (head.project_id, ProjectPosition { ordinal: head.ordinal, seq })
        });
        Self(places.collect())
    }

    /// Adds projects that became visible, from their first visible event, and returns whether there were any.
    pub(crate) fn add_visible(&mut self, now: &[SequenceHead]) -> bool {
        let before = self.0.len();
        for head in now {
            let first = ProjectPosition { ordinal: head.ordinal, seq: head.since };
            let place = self.0.entry(head.project_id).or_insert(first);
            // A member who left and came back does not get the events in between.
            place.seq = place.seq.max(head.since);
        }
        self.0.len() > before
    }

    /// Removes projects that are no longer visible.
    pub(crate) fn retain_visible(&mut self, now: &[SequenceHead]) {
        self.0.retain(|project, _| now.iter().any(|head| head.project_id == *project));
    }

    /// Whether an event may be sent and has not been sent.
    pub(crate) fn is_unsent(&self, project: ProjectId, seq: i64) -> bool {
        self.0.get(&project).is_some_and(|place| place.seq < seq)
    }

    pub(crate) fn contains_project(&self, project: ProjectId) -> bool {
        self.0.contains_key(&project)
    }

    /// The positions to query the store with.
    pub(crate) fn read_positions(
        &self,
        wanted: impl Fn(ProjectId) -> bool,
    ) -> Vec<(ProjectId, i64)> {
        let places = self.0.iter().filter(|(project, _)| wanted(**project));
        places.map(|(project, place)| (*project, place.seq)).collect()
    }

    /// Records that an event was read.
    pub(crate) fn advance(&mut self, project: ProjectId, seq: i64) {
        if let Some(place) = self.0.get_mut(&project) {
            place.seq = seq;
        }
    }

    /// The cursor of the current positions.
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

    fn head(n: u128, ordinal: i64, since: i64, last: i64) -> SequenceHead {
        SequenceHead { project_id: project(n), ordinal, since, last }
    }

    fn seen(text: &str) -> Result<ResumePoint, ApiError> {
        ResumePoint::parse(EventCursor::new(text).as_ref())
    }

    #[test]
    fn s_2_a_written_cursor_is_parsed_unchanged() {
        let now = [head(9, 0, 0, 4), head(3, 2, 0, 7), head(5, 1, 0, 1)];
        let places = StreamCursor::begin(&ResumePoint::NewEvents, &now);
        assert_eq!(places.cursor(), "0:4,1:1,2:7");
        let again = StreamCursor::begin(&seen("0:4,1:1,2:7").expect("a cursor"), &now);
        assert_eq!(again.cursor(), places.cursor());
    }

    #[test]
    fn s_2_a_project_that_came_later_is_read_from_its_beginning() {
        let now = [head(9, 0, 0, 4), head(3, 1, 0, 7)];
        let places = StreamCursor::begin(&seen("0:2").expect("a cursor"), &now);
        assert_eq!(places.cursor(), "0:2,1:0");
    }

    #[test]
    fn s_2_a_position_that_does_not_exist_yet_skips_no_event() {
        let now = [head(3, 1, 0, 7)];
        let places = StreamCursor::begin(&seen("1:900").expect("a cursor"), &now);
        assert_eq!(places.cursor(), "1:7");
    }

    #[test]
    fn s_2_events_from_before_a_membership_are_skipped() {
        let joined = [head(9, 0, 0, 4), head(3, 1, 6, 7)];
        for (text, places) in [("0", "0:0,1:6"), ("0:1,1:2", "0:1,1:6"), ("1:7", "0:0,1:7")] {
            let begun = StreamCursor::begin(&seen(text).expect("a cursor"), &joined);
            assert_eq!(begun.cursor(), places);
        }
        let mut places = StreamCursor::begin(&ResumePoint::NewEvents, &joined);
        let back = [head(9, 0, 0, 5), head(3, 1, 20, 21), head(5, 2, 3, 3)];
        assert!(places.add_visible(&back) && !places.add_visible(&back));
        assert_eq!(places.cursor(), "0:4,1:20,2:3");
        assert!(places.is_unsent(project(3), 21) && !places.is_unsent(project(3), 20));
        places.retain_visible(&[head(9, 0, 0, 5)]);
        assert_eq!(places.cursor(), "0:4");
        assert!(!places.is_unsent(project(3), 99));
    }

    #[test]
    fn s_2_other_texts_are_not_cursors() {
        for text in ["1", "1:", ":1", "1:2,", "1:-2", "1:+2", "a:b", "1:2;3:4"] {
            assert!(seen(text).is_err(), "{text}");
        }
        assert_eq!(seen("0").expect("the beginning"), ResumePoint::After(BTreeMap::new()));
    }
}
