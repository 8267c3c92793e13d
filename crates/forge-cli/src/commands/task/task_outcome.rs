//! The result of a task's work: how it landed, what was cleaned up, and which tasks followed.

use forge_api::{
    ClaimOverrides, CleanupReport, ErrorAnnotation, LandingOutcome, LandingReport, LandingVerified,
    Task,
};

use crate::terminal::next_steps;
use crate::terminal::wire_words::{short_commit, wire_name};

/// The result as named facts.
pub(crate) fn outcome_facts(task: &Task) -> Vec<(&'static str, String)> {
    let mut facts: Vec<_> = task.overrides.values().map(describe_overrides).collect();
    facts.extend(task.landing.as_ref().map(|landing| ("landed", describe_landing(landing))));
    facts.extend(task.cleanup.as_ref().map(|cleanup| ("removed", describe_cleanup(cleanup))));
    if let Some(broken) = &task.regression {
        for check in &broken.checks {
            let log = check.url.as_ref().map(|url| format!(" {url}")).unwrap_or_default();
            facts.push(("failed", format!("{}{log}", check.name)));
        }
    }
    facts
}

/// What the claim changed about the agent's settings.
fn describe_overrides(overrides: &ClaimOverrides) -> (&'static str, String) {
    let parts = [
        overrides.model.as_ref().map(|model| format!("model {model}")),
        overrides.reasoning_effort.map(|effort| format!("effort {}", wire_name(&effort))),
        overrides.permission_policy.map(|policy| format!("policy {}", wire_name(&policy))),
        overrides.deadline_seconds.map(|seconds| format!("deadline {seconds} s")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    ("overrides", parts.join(", "))
}

/// How it landed and what was cleaned up, as the end of an answer (SPEC M-10).
pub(crate) fn outcome_lines(task: &Task) -> String {
    let landing =
        task.landing.as_ref().map(|landing| format!("\n  landed: {}", describe_landing(landing)));
    let cleanup =
        task.cleanup.as_ref().map(|cleanup| format!("\n  removed: {}", describe_cleanup(cleanup)));
    [landing, cleanup].into_iter().flatten().collect()
}

/// The files of a trouble, below its message: those that block a landing, or conflict.
pub(crate) fn trouble_files(trouble: &ErrorAnnotation) -> String {
    let files = trouble.details.get("files").and_then(|files| files.as_array());
    let names = files.into_iter().flatten().filter_map(|file| file.as_str().map(str::to_owned));
    let listed = next_steps::list_files(&names.collect::<Vec<_>>());
    if listed.is_empty() { listed } else { format!("\n{}", listed.trim_end()) }
}

fn describe_landing(landing: &LandingReport) -> String {
    let mut text = match (landing.outcome, &landing.commit) {
        (LandingOutcome::Merged, Some(commit)) => {
            format!("{} on {}", short_commit(commit), landing.target)
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

fn describe_cleanup(cleanup: &CleanupReport) -> String {
    let parts = [
        (cleanup.worktree, "worktree"),
        (cleanup.branch, "branch"),
        (cleanup.record, "git's entry"),
    ];
    let gone: Vec<_> = parts.iter().filter(|(gone, _)| *gone).map(|(_, part)| *part).collect();
    let mut text = if gone.is_empty() { "nothing".to_owned() } else { gone.join(", ") };
    for warning in &cleanup.warnings {
        text.push_str(&format!("; {warning}"));
    }
    text
}
