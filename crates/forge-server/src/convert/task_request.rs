//! New tasks and changes to tasks, as clients ask for them.

use std::collections::BTreeMap;

use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, RepoId, TaskId, TaskPatch};
use forge_engine::NewTask;

use super::subtask::asked_subtask;
use super::task::{asked_kind, asked_version};
use super::task_config::{asked_merge_config, asked_review_config};
use super::text::{free, labels};
use super::usage::asked_budget;
use crate::failure::Failure;

/// A new task; who holds its roles is looked up by the route.
pub(crate) fn new_task(
    asked: forge_api::NewTask,
    roles: BTreeMap<RoleName, Assignee>,
) -> Result<NewTask, Failure> {
    let subtask = asked_subtask(&asked)?;
    let review_config = asked.review_config.map(asked_review_config).transpose()?;
    Ok(NewTask {
        title: asked.title,
        description: free("description", asked.description.unwrap_or_default())?,
        repo_id: asked.repo_id.map(RepoId::new),
        kind: asked_kind(asked.kind.unwrap_or_default()),
        priority: asked.priority.unwrap_or_default(),
        labels: labels("labels", asked.labels)?,
        review_config,
        merge_config: asked_merge_config(asked.merge_config.unwrap_or_default()),
        roles,
        dependencies: asked.dependencies.into_iter().map(TaskId::new).collect(),
        parent: asked.parent.map(TaskId::new),
        subtask,
        origin: None,
        budget: asked_budget(asked.budget),
        metadata: asked.metadata,
    })
}

/// A change. `default_review` is what the project gives tasks that have no checks of their own.
pub(crate) fn task_patch(
    asked: forge_api::TaskPatch,
    default_review: forge_api::ReviewConfig,
) -> Result<TaskPatch, Failure> {
    let description = asked.description.map(Option::unwrap_or_default);
    let review = asked.review_config.map(|config| config.unwrap_or(default_review));
    let merge = asked.merge_config.map(Option::unwrap_or_default);
    Ok(TaskPatch {
        version: Some(asked_version(asked.version)),
        title: asked.title,
        description: description.map(|text| free("description", text)).transpose()?,
        priority: asked.priority,
        labels: asked.labels.map(|given| labels("labels", given)).transpose()?,
        review_config: review.map(asked_review_config).transpose()?,
        merge_config: merge.map(asked_merge_config),
        budget: asked.budget.map(asked_budget),
        metadata: asked.metadata,
    })
}
