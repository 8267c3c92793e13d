//! The values of a template's placeholders.

use crate::workspace::naming::slug::slug;
use forge_domain::Timestamp;
use forge_domain::task::TaskSnapshot;

/// One value per placeholder. Each consists of ASCII letters, digits and single dashes, starts and ends with a letter
/// or digit, and has at most 40 bytes; all other characters come from the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameValues {
    pub(crate) project: String,
    pub(crate) task: String,
    pub(crate) number: String,
    pub(crate) slug: String,
    pub(crate) agent: String,
    pub(crate) variant: String,
    pub(crate) hash: String,
    pub(crate) id: String,
    pub(crate) timestamp: String,
}

impl NameValues {
    /// The values of a task in a project, for the agent or user that works on it, at a time.
    pub(crate) fn from_task(task: &TaskSnapshot, board: &str, worker: &str, at: Timestamp) -> Self {
        let id = task.id.to_string();
        // The end of the id is random; its start is the time.
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

    /// Extreme values: a template that is valid with all of them is valid for every task.
    pub(crate) fn extremes() -> [Self; 3] {
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
        // Git reserves the ending `.lock`, and a title can be that word.
        [all("a", "1"), all(&"x".repeat(40), "9223372036854775807"), all("lock", "1")]
    }
}

fn compact(at: Timestamp) -> String {
    let time =
        jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    time.strftime("%Y%m%d-%H%M%S").to_string()
}
