//! Creates and edits tasks.

use crate::admin::merge_config;
use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::event_log::append_first_events;
use crate::command::facts::check_agents;
use crate::command::lookup::require_found;
use crate::command::needs_person::{append_notifications, record_person_wait};
use crate::command::subtask_parent::SubtaskParent;
use crate::dispatch::update_waiting_queue;
use forge_domain::task::{MergeConfig, OriginTask, ReviewConfig, TaskKind, TaskSnapshot};
use forge_domain::workflow::RoleName;
use forge_domain::{
    Actor, Assignee, Budget, CommandEnvelope, CreateTask, ProjectId, Refusal, RepoId,
    SubtaskRequest, TaskCommand, TaskId, TaskPatch, create,
};
use forge_store::tables::effects::{EffectRow, LeaseRequest};
use forge_store::{Tx, tables};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The state in which a new task starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StartPlacement {
    /// The initial state of the workflow.
    #[default]
    InitialState,
    /// The claimable queue.
    Queue,
    /// The claimable queue if the project has dispatch switched on, because dispatch looks only there.
    QueueIfDispatched,
}

/// A task to be created.
#[derive(Debug, Clone, Default)]
pub struct TaskSpec {
    pub title: String,
    /// The prompt text.
    pub description: String,
    /// The repository; by default the project's primary one.
    pub repo_id: Option<RepoId>,
    pub kind: TaskKind,
    /// Higher values go first.
    pub priority: i32,
    pub labels: BTreeSet<String>,
    /// Its checks; by default the project's.
    pub review_config: Option<ReviewConfig>,
    pub merge_config: MergeConfig,
    /// Initial assignment of roles.
    pub roles: BTreeMap<RoleName, Assignee>,
    /// Tasks that must finish first.
    pub dependencies: BTreeSet<TaskId>,
    /// The parent task.
    pub parent: Option<TaskId>,
    /// How it belongs to its parent (T-17).
    pub subtask: SubtaskRequest,
    /// Where it starts.
    pub placement: StartPlacement,
    /// The landed task that it reverts or fixes, if any.
    pub origin: Option<OriginTask>,
    /// The budget of its agents (E-8).
    pub budget: Budget,
    /// Free data of clients.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

impl Commands {
    /// Creates a task in a project (T-1).
    pub async fn create_task(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: TaskSpec,
    ) -> Result<TaskSnapshot, EngineError> {
        merge_config::check(&asked.merge_config)?;
        self.faults.reach("command.received").await?;
        let envelope = Arc::new(self.envelope(actor, asked));
        let commands = self.clone();
        let created = self.db.write(move |tx| {
            let (commands, envelope) = (commands.clone(), envelope.clone());
            Box::pin(
                async move { Box::pin(commands.create_in(tx, project, &envelope, None)).await },
            )
        });
        let (snapshot, _) = created.await?;
        self.faults.reach("command.committed").await?;
        Ok(snapshot)
    }

    /// Changes a task's own fields (T-1), under the rules for a new task.
    pub async fn edit_task(
        &self,
        actor: Actor,
        task: TaskId,
        patch: TaskPatch,
    ) -> Result<TaskSnapshot, EngineError> {
        if let Some(config) = &patch.merge_config {
            merge_config::check(config)?;
        }
        let edited = self.handle(actor, task, TaskCommand::Update(patch)).await?;
        self.follow_ups.trains.replan_all();
        Ok(edited)
    }

    pub(crate) async fn create_in(
        &self,
        tx: &mut Tx,
        project: ProjectId,
        envelope: &CommandEnvelope<TaskSpec>,
        lease_request: Option<&LeaseRequest>,
    ) -> Result<(TaskSnapshot, Vec<EffectRow>), EngineError> {
        let asked = &envelope.command;
        // This lock keeps the project's workflow until the task is written.
        let project_row = require_found(
            tables::projects::load_with_shared_lock(tx, project).await?,
            "project",
            project,
        )?;
        let repo_id = match asked.repo_id {
            Some(id) => {
                let repo =
                    tables::repos::load_in(tx, id).await?.filter(|repo| repo.project_id == project);
                Some(require_found(repo, "repository of this project", id)?.id)
            }
            None => tables::repos::primary_of_in(tx, project).await?.map(|repo| repo.id),
        };
        check_related_tasks(tx, project, asked).await?;
        let holders: Vec<Assignee> = asked.roles.values().copied().collect();
        check_agents(tx, project, &holders).await?;
        // Lock the parent before the counter, in the same order as every other transaction.
        let family = SubtaskParent::load(tx, asked).await?;
        let workflow = match family.workflow()? {
            Some((hash, definition)) => {
                tables::workflows::put(tx, &hash, &definition).await?;
                self.workflows.load_in(tx, &hash).await?
            }
            None => self.workflows.load_in(tx, &project_row.workflow).await?,
        };
        let review_config = match &asked.review_config {
            Some(config) => config.clone(),
            None => project_row.settings.default_review_config()?.clone(),
        };
        let queued = match asked.placement {
            StartPlacement::InitialState => false,
            StartPlacement::Queue => true,
            StartPlacement::QueueIfDispatched => project_row.settings.dispatch()?.enabled,
        };
        let reserved = tables::counters::advance(tx, project, 1, 1).await?;
        let mut command = CreateTask {
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
            queued,
            origin: asked.origin.clone(),
            metadata: asked.metadata.clone(),
        };
        family.make_subtask(&mut command)?;
        let (id, at, actor) = (envelope.id, envelope.at, envelope.actor.clone());
        let decision = create(&workflow, &CommandEnvelope { id, at, actor, command })?;
        let task = decision.snapshot;
        tables::tasks::insert(tx, &task).await?;
        append_first_events(tx, project, task.id, &reserved, &envelope.actor, &decision.events)
            .await?;
        let leased =
            tables::effects::insert_planned(tx, &task, &decision.effects, lease_request).await?;
        update_waiting_queue(tx, &workflow, &task, &decision.events).await?;
        record_person_wait(tx, &workflow, &task, None).await?;
        let (actor, events) = (&envelope.actor, &decision.events);
        append_notifications(tx, &workflow, &task, actor, events, None).await?;
        self.inform_parent(tx, family, &task, envelope).await?;
        Ok((task, leased))
    }
}

const TURNS_ARE_NOT_WAITED_FOR: &str =
    "a task cannot wait for an ordered turn; let it wait for the turn's parent";

/// T-16: dependencies and parent belong to the same project. A new task cannot close a cycle.
async fn check_related_tasks(
    tx: &mut Tx,
    project: ProjectId,
    asked: &TaskSpec,
) -> Result<(), EngineError> {
    let wanted: Vec<TaskId> = asked.dependencies.iter().copied().chain(asked.parent).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let known = tables::tasks::load_many_in(tx, &wanted).await?;
    for id in wanted {
        let other = require_found(known.iter().find(|task| task.id == id), "task", id)?;
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
