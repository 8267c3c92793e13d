//! Converts merge trains and check statistics.

use forge_api::{CheckRecord, MergeTrainEntry, MergeTrainEntryState, MergeTrainStatus};
use forge_domain::ProjectId;
use forge_domain::task::TaskSnapshot;
use forge_domain::train::TrialState;
use forge_engine::MergeTrainView;

use crate::convert::time::rfc3339;

/// Converts a train for members of one project; entries of other projects appear without details.
pub(crate) fn train(
    view: &MergeTrainView,
    project: ProjectId,
    known: &[TaskSnapshot],
) -> MergeTrainStatus {
    let entries = view.entries.iter().map(|entry| {
        let task = known.iter().find(|task| task.id == entry.task && task.project_id == project);
        MergeTrainEntry {
            task_id: entry.task.uuid(),
            key: task.map(|task| task.key().to_string()),
            title: task.map(|task| task.title.clone()),
            state: match view.node {
                Some(_) => MergeTrainEntryState::Unknown,
                None => entry_state(entry.trial_state),
            },
            commit: entry.commit.clone(),
        }
    });
    MergeTrainStatus {
        target: view.target.clone(),
        node: view.node.clone(),
        window: view.window.map(|window| u64::try_from(window).unwrap_or(u64::MAX)),
        entries: entries.collect(),
    }
}

fn entry_state(trial: Option<TrialState>) -> MergeTrainEntryState {
    match trial {
        None => MergeTrainEntryState::Waiting,
        Some(TrialState::Untested | TrialState::Running) => MergeTrainEntryState::Running,
        Some(TrialState::Passed) => MergeTrainEntryState::Passed,
        Some(TrialState::Failed { .. }) => MergeTrainEntryState::Failed,
        Some(TrialState::Conflicts) => MergeTrainEntryState::Clashes,
        Some(TrialState::Empty) => MergeTrainEntryState::Empty,
    }
}

/// Converts the statistics of one check.
pub(crate) fn check(record: forge_engine::CheckLedgerRow) -> CheckRecord {
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    CheckRecord {
        command: record.command,
        runs: count(record.runs),
        failures: count(record.failures),
        flips: count(record.flips),
        last_flip_at: record.last_flip_at.map(rfc3339),
        quarantined_until: record.quarantined_until.map(rfc3339),
    }
}
