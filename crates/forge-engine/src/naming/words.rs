//! What stands for the placeholders of a template.

use super::slug::slug;
use forge_domain::Timestamp;
use forge_domain::task::Snapshot;

/// One value for each placeholder. Each is made of ASCII letters, digits and single dashes, begins and ends with a
/// letter or digit, and is at most 40 bytes long: what else a name has is written in its template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(super) project: String,
    pub(super) task: String,
    pub(super) number: String,
    pub(super) slug: String,
    pub(super) agent: String,
    pub(super) variant: String,
    pub(super) hash: String,
    pub(super) id: String,
    pub(super) timestamp: String,
}

impl Words {
    /// Of a task, on a board, for whoever works on it, at a time.
    pub(crate) fn of(task: &Snapshot, board: &str, worker: &str, at: Timestamp) -> Self {
        let id = task.id.to_string();
        // The end of the id is random; its beginning is the time.
        let hash = id.get(id.len().saturating_sub(8)..).unwrap_or(&id).to_owned();
        Self {
            project: slug(board, "project"),
            task: task.key().to_string(),
            number: task.number.to_string(),
            slug: slug(&task.title, "task"),
            agent: slug(worker, "nobody"),
            variant: "1".to_owned(),
            hash,
            id,
            timestamp: compact(at),
        }
    }

    /// Values as awkward as they get: a template that survives all of these survives every task.
    pub(super) fn extremes() -> [Self; 3] {
        let all = |word: &str, number: &str| Self {
            project: word.to_owned(),
            task: format!("T-{number}"),
            number: number.to_owned(),
            slug: word.to_owned(),
            agent: word.to_owned(),
            variant: number.to_owned(),
            hash: "0123abcd".to_owned(),
            id: "01890000-0000-7000-8000-00000123abcd".to_owned(),
            timestamp: "20260101-000000".to_owned(),
        };
        // A title can be the one word that git reserves for its own lock files.
        [all("a", "1"), all(&"x".repeat(40), "9223372036854775807"), all("lock", "1")]
    }
}

fn compact(at: Timestamp) -> String {
    let time =
        jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    time.strftime("%Y%m%d-%H%M%S").to_string()
}
