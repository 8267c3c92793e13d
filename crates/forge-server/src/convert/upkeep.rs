//! Looking after workspaces (W-7, W-10).

use forge_api::{CleanVerdict, Cleaned, SizeClass};
use forge_engine::{Orphan, Removal, Verdict};

use super::time::rfc3339;

/// A directory of no live task.
pub(crate) fn orphan(orphan: &Orphan) -> forge_api::Orphan {
    forge_api::Orphan {
        path: orphan.path.to_string_lossy().into_owned(),
        reason: orphan.cause.to_string(),
        size: match orphan.extent.size {
            forge_engine::SizeClass::Empty => SizeClass::Empty,
            forge_engine::SizeClass::Small => SizeClass::Small,
            forge_engine::SizeClass::Medium => SizeClass::Medium,
            forge_engine::SizeClass::Large => SizeClass::Large,
        },
        last_change_at: orphan.extent.changed_at.map(rfc3339),
        git_record_in: orphan.recorded_by.clone(),
    }
}

/// The same, in a list of what goes and what stays.
pub(crate) fn left_alone(orphan: &Orphan) -> Cleaned {
    let path = orphan.path.to_string_lossy().into_owned();
    let why = format!("{}; look at it and remove it by hand", orphan.cause);
    Cleaned {
        task_id: None,
        key: None,
        path,
        verdict: CleanVerdict::Orphan,
        why,
        saved_under: None,
    }
}

/// What a removal would do.
pub(crate) fn removal(removal: Removal) -> Cleaned {
    let (verdict, why) = match removal.verdict {
        Verdict::Goes { why } => (CleanVerdict::WouldBeRemoved, why),
        Verdict::Blocked { by } => (CleanVerdict::Blocked, by),
    };
    Cleaned {
        task_id: Some(removal.task.id.uuid()),
        key: Some(removal.task.key().to_string()),
        path: removal.path,
        verdict,
        why,
        saved_under: removal.saved_under,
    }
}
