//! The tasks of a demonstration as they stand.

use std::sync::Arc;

use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::workflow::{Behaviour, Standing, Workflow};
use forge_domain::{Assignee, ProjectId};
use forge_engine::{Engine, EngineError};
use forge_store::tables::Page;
use forge_store::tables::tasks::{self, TaskFilter};

use super::marker::scene_of;
use super::story::STORY;

/// More tasks than people add to a demonstration by hand.
const ALL: u32 = 1000;

#[derive(Debug)]
pub(super) struct Board {
    workflow: Arc<Workflow>,
    /// The first made first.
    pub(super) tasks: Vec<Snapshot>,
}

impl Board {
    pub(super) async fn load(engine: &Engine, project: ProjectId) -> Result<Self, EngineError> {
        let workflow = engine.workflow(&engine.project(project).await?.workflow).await?;
        let mut filter = TaskFilter::new(project);
        filter.include_archived = true;
        let (tasks, _) = tasks::list(engine.db(), &filter, &Page::first(ALL)).await?;
        Ok(Self { workflow, tasks })
    }

    /// The task of a part of the story.
    pub(super) fn scene(&self, name: &str) -> Option<&Snapshot> {
        self.tasks.iter().find(|task| scene_of(task) == Some(name))
    }

    /// The tasks that can begin, each with who is to do it.
    pub(super) fn ready(&self) -> impl Iterator<Item = (&Snapshot, Assignee)> {
        self.tasks.iter().filter_map(|task| Some((task, self.awaited(task)?)))
    }

    /// Every part of the story has been made, and nothing goes on by itself any more.
    pub(super) fn is_over(&self) -> bool {
        let moving = |task: &Snapshot| task.activity.is_some() || task.run.is_some();
        STORY.iter().all(|scene| self.scene(scene.name).is_some())
            && !self.tasks.iter().any(moving)
            && self.ready().next().is_none()
    }

    /// Who is to begin with the task now, if anybody.
    fn awaited(&self, task: &Snapshot) -> Option<Assignee> {
        let scene = STORY.iter().find(|scene| scene_of(task) == Some(scene.name))?;
        let waits = match self.behaviour(task)? {
            Behaviour::Queue { .. } => true,
            // Its agent went down with the server again and again, and is not to blame for that.
            Behaviour::Hold { .. } => {
                let trouble = task.annotation.as_ref().map(|annotation| annotation.kind);
                trouble == Some(AnnotationType::ExecutionLost)
            }
            _ => false,
        };
        let free = task.run.is_none() && task.activity.is_none() && task.archived_at.is_none();
        let landed = task.dependencies.iter().all(|id| {
            let other = self.tasks.iter().find(|other| other.id == *id);
            other.is_some_and(|other| other.standing == Standing::Succeeded)
        });
        let begun = scene.begins_after.is_none_or(|name| self.has_begun(name));
        let holder = *task.roles.get(&self.workflow.claim_role()?)?;
        (waits && free && landed && begun && holder.agent().is_some()).then_some(holder)
    }

    /// Its workspace is there, or never will be.
    fn has_begun(&self, scene: &str) -> bool {
        let Some(task) = self.scene(scene) else { return true };
        let rests = matches!(
            self.behaviour(task),
            None | Some(Behaviour::Hold { .. } | Behaviour::Terminal { .. })
        );
        task.workspace.is_some() || rests
    }

    fn behaviour(&self, task: &Snapshot) -> Option<&Behaviour> {
        Some(&self.workflow.state(&task.state)?.behaviour)
    }

    /// The rules it follows.
    pub(super) fn workflow(&self) -> &Workflow {
        &self.workflow
    }
}
