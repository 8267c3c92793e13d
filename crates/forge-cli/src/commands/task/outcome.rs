//! What became of a task's work: how it landed, what was taken away, and what it led to.

use forge_api::{CleanupReport, Landing, LandingOutcome, LandingVerified, OriginKind, Task};

use crate::words::short;

/// As facts with their names.
pub(super) fn facts(task: &Task) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(origin) = &task.origin {
        let name = match origin.kind {
            OriginKind::Revert => "takes back",
            OriginKind::Fix => "mends",
        };
        facts.push((name, origin.task_id.to_string()));
    }
    facts.extend(task.landing.as_ref().map(|landing| ("landed", landed(landing))));
    facts.extend(task.cleanup.as_ref().map(|cleanup| ("cleaned", cleaned(cleanup))));
    facts.extend(task.reverted_by.map(|by| ("reverted by", by.to_string())));
    if let Some(broken) = &task.regression {
        facts.push(("mended by", broken.fix_id.to_string()));
        for check in &broken.checks {
            let log = check.url.as_ref().map(|url| format!(" {url}")).unwrap_or_default();
            facts.push(("failed", format!("{}{log}", check.name)));
        }
    }
    facts
}

/// How it landed and what was taken away, as the end of an answer (SPEC M-10).
pub(super) fn lines(task: &Task) -> String {
    let landing = task.landing.as_ref().map(|landing| format!("\n  landed: {}", landed(landing)));
    let cleanup = task.cleanup.as_ref().map(|cleanup| format!("\n  cleaned: {}", cleaned(cleanup)));
    [landing, cleanup].into_iter().flatten().collect()
}

fn landed(landing: &Landing) -> String {
    let mut text = match (landing.outcome, &landing.commit) {
        (LandingOutcome::Merged, Some(commit)) => {
            format!("{} on {}", short(commit), landing.target)
        }
        _ => format!("nothing to merge, {} had all of it", landing.target),
    };
    text.push_str(match landing.verified {
        Some(LandingVerified::Passed) => ", checks passed there",
        Some(LandingVerified::Failed) => ", checks failed there",
        Some(LandingVerified::Unknown) | None => "",
    });
    text
}

fn cleaned(cleanup: &CleanupReport) -> String {
    let parts = [
        (cleanup.worktree, "worktree"),
        (cleanup.branch, "branch"),
        (cleanup.record, "git's record"),
    ];
    let gone: Vec<_> = parts.iter().filter(|(gone, _)| *gone).map(|(_, part)| *part).collect();
    let mut text = if gone.is_empty() { "nothing".to_owned() } else { gone.join(", ") };
    for warning in &cleanup.warnings {
        text.push_str(&format!("; {warning}"));
    }
    text
}
