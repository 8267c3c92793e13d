//! Ages in the fewest letters.

use jiff::Timestamp;

/// The age of a moment, such as `4m`; empty if the moment is not known.
pub(crate) fn relative_age(now: Timestamp, since: Option<Timestamp>) -> String {
    let Some(since) = since else { return String::new() };
    let seconds = now.as_second().saturating_sub(since.as_second()).max(0);
    match seconds {
        0..=59 => "now".to_owned(),
        60..=3599 => format!("{}m", seconds / 60),
        3600..=86_399 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}
