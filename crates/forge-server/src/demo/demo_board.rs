//! The current tasks of a demonstration.

use std::sync::Arc;

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::workflow::{StateBehaviour, TaskStanding, Workflow};
use forge_domain::{Assignee, ProjectId};
use forge_engine::{Engine, EngineError};
use forge_store::tables::PageRequest;
use forge_store::tables::tasks::{self, TaskFilter};

use crate::demo::demo_marker::scene_of;
use crate::demo::demo_scenes::STORY;

/// More tasks than people add to a demonstration.
const ALL: u32 = 1000;

#[derive(Debug)]
pub(crate) struct DemoBoard {
    workflow: Arc<Workflow>,
    /// In order of creation.
    pub(crate) tasks: Vec<TaskSnapshot>,
}

impl DemoBoard {
    pub(crate) async fn load(engine: &Engine, project: ProjectId) -> Result<Self, EngineError> {
        let workflow =
            engine.records().workflow(&engine.records().project(project).await?.workflow).await?;
        let mut filter = TaskFilter::new(project);
        filter.include_archived = true;
        let (tasks, _) = tasks::list(engine.db(), &filter, &PageRequest::first(ALL)).await?;
        Ok(Self { workflow, tasks })
    }

    /// The task of a scene.
    pub(crate) fn scene(&self, name: &str) -> Option<&TaskSnapshot> {
        self.tasks.iter().find(|task| scene_of(task) == Some(name))
    }

    /// The tasks that can start, each with its assignee.
    pub(crate) fn ready_tasks(&self) -> impl Iterator<Item = (&TaskSnapshot, Assignee)> {
        self.tasks.iter().filter_map(|task| Some((task, self.next_assignee(task)?)))
    }

    /// Whether every scene has a task and nothing continues by itself.
    pub(crate) fn is_over(&self) -> bool {
        let moving = |task: &TaskSnapshot| task.activity.is_some() || task.run.is_some();
        STORY.iter().all(|scene| self.scene(scene.name).is_some())
            && !self.tasks.iter().any(moving)
            && self.ready_tasks().next().is_none()
    }

    /// The assignee that should start the task now, if there is one.
    fn next_assignee(&self, task: &TaskSnapshot) -> Option<Assignee> {
        let scene = STORY.iter().find(|scene| scene_of(task) == Some(scene.name))?;
        let waits = match self.behaviour(task)? {
            StateBehaviour::Queue { .. } => true,
            // The server stopped several times while the agent ran; the agent did not fail.
            StateBehaviour::Hold { .. } => {
                let trouble = task.annotation.as_ref().map(|annotation| annotation.kind);
                trouble == Some(AnnotationType::ExecutionLost)
            }
            _ => false,
        };
        let free = task.run.is_none() && task.activity.is_none() && task.archived_at.is_none();
        let landed = task.dependencies.iter().all(|id| {
            let other = self.tasks.iter().find(|other| other.id == *id);
            other.is_some_and(|other| other.standing == TaskStanding::Succeeded)
        });
        let begun = scene.begins_after.is_none_or(|name| self.has_begun(name));
        let holder = *task.roles.get(&self.workflow.claim_role()?)?;
        (waits && free && landed && begun && holder.agent().is_some()).then_some(holder)
    }

    /// Whether its workspace exists, or will never exist.
    fn has_begun(&self, scene: &str) -> bool {
        let Some(task) = self.scene(scene) else { return true };
        let rests = matches!(
            self.behaviour(task),
            None | Some(StateBehaviour::Hold { .. } | StateBehaviour::Terminal { .. })
        );
        task.workspace.is_some() || rests
    }

    fn behaviour(&self, task: &TaskSnapshot) -> Option<&StateBehaviour> {
        Some(&self.workflow.state(&task.state)?.behaviour)
    }

    /// The workflow of the demonstration.
    pub(crate) fn workflow(&self) -> &Workflow {
        &self.workflow
    }
}
