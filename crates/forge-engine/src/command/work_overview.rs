//! The overview of a user's work in all projects (S-4): what waits for a person, is being worked on, is queued, and
//! landed recently.

use std::collections::BTreeMap;

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::command::needs_person::{NeedsPersonList, PersonTask};
use forge_domain::{
    Actor, AgentId, Assignee, NextStep, TaskCommandLines, TaskWait, Timestamp, UserId,
};
use forge_store::Db;
use forge_store::tables::needs_person::NeedsPersonFilter;
use forge_store::tables::overview::{self, OverviewPart, OverviewRow};
use forge_store::tables::{self, PageRequest};
use std::sync::Arc;

/// A task of the overview, with the actor's next steps.
#[derive(Debug, Clone)]
pub struct WorkItem {
    /// The task, and since when it is in its group.
    pub waiting: PersonTask,
    /// The name of the agent or user that holds it.
    pub holder: Option<String>,
}

/// A group of the overview.
#[derive(Debug, Clone, Default)]
pub struct WorkGroup {
    /// Number of tasks, up to the highest that the store counts.
    pub count: u32,
    /// The first of them.
    pub items: Vec<WorkItem>,
}

/// The overview of a user's work.
#[derive(Debug, Clone, Default)]
pub struct WorkGroups {
    pub needs_person: WorkGroup,
    pub working: WorkGroup,
    pub queued: WorkGroup,
    pub landed: WorkGroup,
    /// Number of tasks that are not queued yet.
    pub backlog: u32,
}

/// Reads the overview of a user's work.
#[derive(Debug, Clone)]
pub struct WorkOverviewReader {
    pub(crate) db: Db,
    pub(crate) records: RecordReader,
    pub(crate) needs_person: NeedsPersonList,
    pub(crate) clock: Arc<dyn Clock>,
}

impl WorkOverviewReader {
    /// The overview: at most `limit` tasks in each group, and landings of the last `landed_millis`.
    pub async fn load_overview(
        &self,
        actor: &Actor,
        member: Option<UserId>,
        landed_millis: i64,
        limit: u32,
    ) -> Result<WorkGroups, EngineError> {
        let db = &self.db;
        let since = Timestamp::from_millis(self.clock.now().millis().saturating_sub(landed_millis));
        let filter = NeedsPersonFilter { member, project: None };
        let page = PageRequest::first(limit);
        let (waiting, _) = self.needs_person.list_needs_person(actor, filter, &page).await?;
        let working = overview::working(db, member, limit).await?;
        let queued = overview::queued(db, member, limit).await?;
        let landed = overview::landed(db, member, since, limit).await?;
        let names = HolderNames::load(db).await?;
        Ok(WorkGroups {
            needs_person: WorkGroup {
                count: overview::count_needs_person(db, member).await?,
                items: waiting.into_iter().map(|task| names.item(task)).collect(),
            },
            working: self.group(actor, working, &names).await?,
            queued: self.group(actor, queued, &names).await?,
            landed: self.group(actor, landed, &names).await?,
            backlog: overview::count_backlog(db, member).await?,
        })
    }

    async fn group(
        &self,
        actor: &Actor,
        part: OverviewPart,
        names: &HolderNames,
    ) -> Result<WorkGroup, EngineError> {
        let mut items = Vec::with_capacity(part.rows.len());
        for row in part.rows {
            items.push(names.item(self.describe(actor, row).await?));
        }
        Ok(WorkGroup { count: part.count, items })
    }

    async fn describe(&self, actor: &Actor, row: OverviewRow) -> Result<PersonTask, EngineError> {
        let OverviewRow { task, since, project_name, project_slug } = row;
        let workflow = self.records.workflow(&task.workflow).await?;
        let wait = TaskWait::of(&workflow, &task);
        let commands = TaskCommandLines::new(&task).in_project(&project_slug);
        let next = NextStep::of(&workflow, &task, &wait, actor, commands);
        Ok(PersonTask { task, project_name, project_slug, since, wait, next })
    }
}

/// The names of all agents and users, for the holders of tasks.
struct HolderNames {
    agents: BTreeMap<AgentId, String>,
    users: BTreeMap<UserId, String>,
}

impl HolderNames {
    async fn load(db: &Db) -> Result<Self, EngineError> {
        let agents = tables::agents::all(db).await?.into_iter();
        let users = tables::users::list(db).await?.into_iter();
        Ok(Self {
            agents: agents.map(|agent| (agent.id, agent.name)).collect(),
            users: users.map(|user| (user.id, user.name)).collect(),
        })
    }

    fn item(&self, waiting: PersonTask) -> WorkItem {
        let task = &waiting.task;
        let running = task.run.as_ref().map(|run| &run.assignee);
        // The first role of a workflow's text order is not always the coder, so the last worker has precedence.
        let holder = running.or(task.holder.as_ref()).or_else(|| task.roles.values().next());
        let holder = holder.and_then(|holder| self.name(holder));
        WorkItem { holder, waiting }
    }

    fn name(&self, holder: &Assignee) -> Option<String> {
        let agent = holder.agent().and_then(|id| self.agents.get(&id));
        agent.or_else(|| holder.user().and_then(|id| self.users.get(&id))).cloned()
    }
}
