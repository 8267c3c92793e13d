//! Converts the overview of a user's work.

use forge_api::{WorkOverview, WorkOverviewGroup, WorkOverviewTask};
use forge_domain::Timestamp;
use forge_engine::{WorkGroup, WorkGroups, WorkItem};

use crate::convert::tasks::needs_person::next_step;
use crate::convert::tasks::task_phase::phase;
use crate::convert::time::{rfc3339, seconds_between};

/// Converts the overview.
pub(crate) fn work_overview(found: &WorkGroups, now: Timestamp) -> WorkOverview {
    WorkOverview {
        needs_person: group(&found.needs_person, now),
        working: group(&found.working, now),
        queued: group(&found.queued, now),
        landed: group(&found.landed, now),
        backlog: found.backlog,
    }
}

fn group(found: &WorkGroup, now: Timestamp) -> WorkOverviewGroup {
    let tasks = found.items.iter().map(|item| task(item, now)).collect();
    WorkOverviewGroup { count: found.count, tasks }
}

fn task(item: &WorkItem, now: Timestamp) -> WorkOverviewTask {
    let WorkItem { waiting, holder } = item;
    let task = &waiting.task;
    WorkOverviewTask {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        title: task.title.clone(),
        status: task.state.to_string(),
        phase: phase(task.phase),
        project_name: waiting.project_name.clone(),
        project_slug: waiting.project_slug.clone(),
        holder: holder.clone(),
        reason: waiting.wait.person.map(forge_domain::PersonReason::code),
        message: waiting.wait.message.clone(),
        since: rfc3339(waiting.since),
        age_seconds: seconds_between(waiting.since, now),
        next: waiting.next.iter().map(next_step).collect(),
    }
}
