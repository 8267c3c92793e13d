//! New tasks.

use super::family::Family;
use super::landing;
use crate::engine::{Engine, Inner};
use crate::errors::EngineError;
use crate::lookup::found;
use crate::scheduling::line_up;
use forge_domain::task::{MergeConfig, Origin, ReviewConfig, Snapshot, TaskKind};
use forge_domain::workflow::RoleName;
use forge_domain::{
    Actor, AskedSubtask, Assignee, Budget, Command, Create, Envelope, ProjectId, Refusal, RepoId,
    TaskId, TaskPatch, create,
};
use forge_store::tables::effects::{EffectRow, Taker};
use forge_store::tables::events::NewEvent;
use forge_store::{Tx, tables};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A task to be made.
#[derive(Debug, Clone, Default)]
pub struct NewTask {
    /// Short label.
    pub title: String,
    /// The prompt.
    pub description: String,
    /// The repository; the project's primary one when absent.
    pub repo_id: Option<RepoId>,
    /// What it is for.
    pub kind: TaskKind,
    /// Higher goes first.
    pub priority: i32,
    /// Free labels.
    pub labels: BTreeSet<String>,
    /// How it is checked; the project's default when absent.
    pub review_config: Option<ReviewConfig>,
    /// How it lands.
    pub merge_config: MergeConfig,
    /// Who holds which role from the start.
    pub roles: BTreeMap<RoleName, Assignee>,
    /// What must end first.
    pub dependencies: BTreeSet<TaskId>,
    /// The task it is part of.
    pub parent: Option<TaskId>,
    /// How it is part of it (T-17).
    pub subtask: AskedSubtask,
    /// The task that it takes back or mends, if it was made for that.
    pub origin: Option<Origin>,
    /// What its agents may use (E-8).
    pub budget: Budget,
    /// Whatever clients keep here.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

impl Engine {
    /// Makes a task on a board (T-1).
    pub async fn create_task(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: NewTask,
    ) -> Result<Snapshot, EngineError> {
        landing::check(&asked.merge_config)?;
        self.0.faults.reach("command.received").await?;
        let envelope = Arc::new(self.envelope(actor, asked));
        let inner = self.0.clone();
        let (snapshot, _) = self
            .0
            .db
            .write(move |tx| {
                let (inner, envelope) = (inner.clone(), envelope.clone());
                Box::pin(
                    async move { Box::pin(inner.create_in(tx, project, &envelope, None)).await },
                )
            })
            .await?;
        self.0.faults.reach("command.committed").await?;
        Ok(snapshot)
    }
}

impl Engine {
    /// Changes a task's own fields (T-1), by the rules of a new one.
    pub async fn edit_task(
        &self,
        actor: Actor,
        task: TaskId,
        patch: TaskPatch,
    ) -> Result<Snapshot, EngineError> {
        if let Some(config) = &patch.merge_config {
            landing::check(config)?;
        }
        let edited = self.handle(actor, task, Command::Update(patch)).await?;
        self.replan_lines();
        Ok(edited)
    }
}

impl Inner {
    pub(crate) async fn create_in(
        &self,
        tx: &mut Tx,
        project: ProjectId,
        envelope: &Envelope<NewTask>,
        taker: Option<&Taker>,
    ) -> Result<(Snapshot, Vec<EffectRow>), EngineError> {
        let asked = &envelope.command;
        // The task's workflow is the project's until the task is written.
        let board = found(tables::projects::enter(tx, project).await?, "project", project)?;
        let repo_id = match asked.repo_id {
            Some(id) => {
                let repo =
                    tables::repos::load_in(tx, id).await?.filter(|repo| repo.project_id == project);
                Some(found(repo, "repository of this project", id)?.id)
            }
            None => tables::repos::primary_of_in(tx, project).await?.map(|repo| repo.id),
        };
        check_relatives(tx, project, asked).await?;
        // Locked before anything is counted: whoever else takes both takes them in this order.
        let family = Family::load(tx, asked).await?;
        let workflow = match family.workflow()? {
            Some((hash, definition)) => {
                tables::workflows::put(tx, &hash, &definition).await?;
                self.workflows.load_in(tx, &hash).await?
            }
            None => self.workflows.load_in(tx, &board.workflow).await?,
        };
        let review_config = match &asked.review_config {
            Some(config) => config.clone(),
            None => default_review_config(&board.settings),
        };
        let reserved = tables::counters::advance(tx, project, 1, 1).await?;
        let mut command = Create {
            project_id: project,
            repo_id,
            number: reserved.first_number,
            kind: asked.kind,
            title: asked.title.clone(),
            description: asked.description.clone(),
            priority: asked.priority,
            labels: asked.labels.clone(),
            review_config,
            merge_config: asked.merge_config.clone(),
            roles: asked.roles.clone(),
            dependencies: asked.dependencies.clone(),
            parent: None,
            subtask: None,
            budget: asked.budget,
            origin: asked.origin.clone(),
            metadata: asked.metadata.clone(),
        };
        family.join(&mut command)?;
        let (id, at, actor) = (envelope.id, envelope.at, envelope.actor.clone());
        let decision = create(&workflow, &Envelope { id, at, actor, command })?;
        let task = decision.snapshot;
        tables::tasks::insert(tx, &task).await?;
        let events =
            decision.events.iter().map(NewEvent::of_task).collect::<Result<Vec<_>, _>>()?;
        tables::events::append_at(
            tx,
            project,
            reserved.first_seq,
            &envelope.actor,
            Some(task.id),
            &events,
        )
        .await?;
        let taken = tables::effects::plan(tx, &task, &decision.effects, taker).await?;
        line_up(tx, &workflow, &task, &decision.events).await?;
        self.tell_family(tx, family, &task, envelope).await?;
        Ok((task, taken))
    }
}

const TURNS_ARE_NOT_WAITED_FOR: &str =
    "nobody waits for an ordered turn; let the task wait for the turn's parent";

/// T-16: what a new task waits for or belongs to is of the same project. A new task cannot close a circle.
async fn check_relatives(
    tx: &mut Tx,
    project: ProjectId,
    asked: &NewTask,
) -> Result<(), EngineError> {
    let wanted: Vec<TaskId> = asked.dependencies.iter().copied().chain(asked.parent).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let known = tables::tasks::load_many_in(tx, &wanted).await?;
    for id in wanted {
        let other = found(known.iter().find(|task| task.id == id), "task", id)?;
        if asked.dependencies.contains(&id) && other.turn().is_some() {
            return Err(Refusal::DependencyScope(TURNS_ARE_NOT_WAITED_FOR).into());
        }
        if other.project_id != project {
            return Err(Refusal::DependencyScope(
                "a task can only wait for a task of the same project",
            )
            .into());
        }
    }
    if asked.parent.is_some_and(|parent| asked.dependencies.contains(&parent)) {
        return Err(Refusal::DependencyScope(
            "a task and its own parent cannot wait for each other",
        )
        .into());
    }
    Ok(())
}

/// How tasks of a project are checked that say nothing about it.
pub(crate) fn default_review_config(settings: &serde_json::Value) -> ReviewConfig {
    settings
        .get("default_review_config")
        .and_then(|value| serde_json::from_value(value.clone()).ok())
        .unwrap_or_default()
}
