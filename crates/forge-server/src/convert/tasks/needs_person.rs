//! Converts tasks that wait for a person.

use forge_api::{NeedsPerson, NextStep};
use forge_domain::Timestamp;
use forge_engine::PersonTask;

use crate::convert::time::{rfc3339, seconds_between};

/// Converts a task that waits for a person.
pub(crate) fn needs_person(found: &PersonTask, now: Timestamp) -> NeedsPerson {
    let PersonTask { task, project_name, project_slug, since, wait, next } = found;
    NeedsPerson {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        title: task.title.clone(),
        status: task.state.to_string(),
        project_id: task.project_id.uuid(),
        project_name: project_name.clone(),
        project_slug: project_slug.clone(),
        reason: wait.person.map(forge_domain::PersonReason::code).unwrap_or_default(),
        message: wait.message.clone(),
        files: wait.files.clone(),
        since: rfc3339(*since),
        age_seconds: seconds_between(*since, now),
        next: next.iter().map(next_step).collect(),
    }
}

/// Converts a suggested action.
pub(crate) fn next_step(step: &forge_domain::NextStep) -> NextStep {
    NextStep { label: step.label.clone(), command: step.command.clone() }
}
