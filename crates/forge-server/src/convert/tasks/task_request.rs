//! Converts requests to create and change tasks.

use std::collections::BTreeMap;

use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, RepoId, TaskId, TaskPatch};
use forge_engine::{StartPlacement, TaskSpec};

use crate::convert::executions::usage::domain_budget;
use crate::convert::tasks::subtask::requested_subtask;
use crate::convert::tasks::task::{domain_kind, row_version};
use crate::convert::tasks::task_config::{domain_merge_config, domain_review_config};
use crate::convert::text::{check_labels, check_text};
use crate::error::api_error::ApiError;

/// Converts a request to create a task; the route looks up the holders of its roles.
pub(crate) fn new_task(
    asked: forge_api::NewTask,
    roles: BTreeMap<RoleName, Assignee>,
) -> Result<TaskSpec, ApiError> {
    let subtask = requested_subtask(&asked)?;
    let review_config = asked.review_config.map(domain_review_config).transpose()?;
    Ok(TaskSpec {
        title: asked.title,
        description: check_text("description", asked.description.unwrap_or_default())?,
        repo_id: asked.repo_id.map(RepoId::new),
        kind: domain_kind(asked.kind.unwrap_or_default()),
        priority: asked.priority.unwrap_or_default(),
        labels: check_labels("labels", asked.labels)?,
        review_config,
        merge_config: domain_merge_config(asked.merge_config.unwrap_or_default()),
        roles,
        dependencies: asked.dependencies.into_iter().map(TaskId::new).collect(),
        parent: asked.parent.map(TaskId::new),
        subtask,
        placement: match asked.queue {
            Some(true) => StartPlacement::Queue,
            Some(false) => StartPlacement::InitialState,
            None => StartPlacement::QueueIfDispatched,
        },
        origin: None,
        budget: domain_budget(asked.budget),
        metadata: asked.metadata,
    })
}

/// Converts a request to change a task. `default_review` is the project's review configuration.
pub(crate) fn task_patch(
    asked: forge_api::TaskPatch,
    default_review: forge_api::ReviewConfig,
) -> Result<TaskPatch, ApiError> {
    let description = asked.description.map(Option::unwrap_or_default);
    let review = asked.review_config.map(|config| config.unwrap_or(default_review));
    let merge = asked.merge_config.map(Option::unwrap_or_default);
    Ok(TaskPatch {
        version: Some(row_version(asked.version)),
        title: asked.title,
        description: description.map(|text| check_text("description", text)).transpose()?,
        priority: asked.priority,
        labels: asked.labels.map(|given| check_labels("labels", given)).transpose()?,
        review_config: review.map(domain_review_config).transpose()?,
        merge_config: merge.map(domain_merge_config),
        budget: asked.budget.map(domain_budget),
        metadata: asked.metadata,
    })
}
