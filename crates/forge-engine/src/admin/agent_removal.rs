//! Removes an agent. Its row stays, because executions, comments and events name it; its name can be given again.

use crate::admin::agent::{Agents, event, event_stream_of};
use crate::admin::project;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_domain::task::TaskSnapshot;
use forge_domain::{Actor, AgentId, Assignee, ProjectId, TaskCommand, TaskId, Timestamp};
use forge_store::{Tx, tables};
use std::sync::Arc;

/// How many executions an error names.
const NAMED: usize = 10;

/// Where an agent is named, as read before the transaction.
#[derive(Debug)]
struct AgentMentions {
    /// Projects whose default reviewer it is.
    projects: Vec<ProjectId>,
    /// Open tasks in which it holds a role.
    tasks: Vec<TaskId>,
}

impl Agents {
    /// Removes an agent without open executions: from dispatch, from the roles of open tasks, and as fallback and
    /// default reviewer.
    pub async fn remove_agent(&self, actor: Actor, id: AgentId) -> Result<(), EngineError> {
        self.records.agent(id).await?;
        let holder = Assignee::Agent { id };
        let projects = tables::projects::all(&self.db).await?;
        let reviews = |row: &&tables::projects::ProjectRow| {
            row.settings.or_defaults().default_reviewer == Some(holder)
        };
        let mentions = Arc::new(AgentMentions {
            projects: projects.iter().filter(reviews).map(|row| row.id).collect(),
            tasks: tables::tasks::open_with_role_of(&self.db, id).await?,
        });
        let (now, inner) = (self.clock.now(), self.clone());
        self.db
            .write(move |tx| {
                let (actor, inner, mentions) = (actor.clone(), inner.clone(), mentions.clone());
                Box::pin(async move { inner.remove_agent_in(tx, &actor, id, &mentions, now).await })
            })
            .await
    }

    /// Locks projects, tasks and agent in the order of all other transactions; the counters, which each event locks,
    /// come last.
    async fn remove_agent_in(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        id: AgentId,
        mentions: &AgentMentions,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let holder = Assignee::Agent { id };
        let mut projects = Vec::new();
        for project in &mentions.projects {
            projects.extend(tables::projects::lock(tx, *project).await?);
        }
        let mut tasks: Vec<TaskSnapshot> = Vec::new();
        for task in &mentions.tasks {
            tasks.extend(tables::tasks::lock(tx, *task).await?);
        }
        // A claim locks this row as well, so no execution of the agent is opened from here on.
        let agent = require_found(tables::agents::lock(tx, id).await?, "agent", id)?;
        let limit = u32::try_from(NAMED + 1).unwrap_or(u32::MAX);
        let mut executions = tables::agents::list_open_executions(tx, id, limit).await?;
        if !executions.is_empty() {
            let more = executions.len() > NAMED;
            executions.truncate(NAMED);
            return Err(EngineError::AgentInUse { name: agent.name, executions, more });
        }
        tables::agents::remove(tx, id, now).await?;
        for mut row in projects {
            if row.settings.clear_default_reviewer(holder) {
                row.updated_at = now;
                // The row is locked, so its version is still current.
                tables::projects::update(tx, &row).await?;
                row.version += 1;
                let changed = project::event("project.updated", &row, now);
                append_events(tx, row.id, actor, &[changed]).await?;
            }
        }
        for task in &tasks {
            let command = TaskCommand::ReleaseRoles { holder };
            let envelope = self.commands.envelope(actor.clone(), command);
            self.commands.apply_in(tx, task, &envelope, None).await?;
        }
        let removed = event("agent.removed", &agent, now);
        append_events(tx, event_stream_of(&agent), actor, &[removed]).await?;
        Ok(())
    }
}
