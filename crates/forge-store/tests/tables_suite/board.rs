//! A project with the default workflow, to which tests add tasks.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use forge_domain::project::StoredSettings;
use forge_domain::task::{MergeConfig, ReviewConfig, TaskKind, TaskSnapshot};
use forge_domain::workflow::{DEFAULT, Workflow, template};
use forge_domain::{
    Actor, CommandEnvelope, CommandId, CreateTask, Decision, DecisionFacts, ProjectId, TaskCommand,
    Timestamp, WorkspaceType, create, decide,
};
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::{effects, events, projection, projects, tasks, workflows};
use forge_store::{Db, StoreError, Tx};
use forge_testkit::database::TestDatabase;
use futures::future::BoxFuture;
use uuid::Uuid;

/// Runs `$body` in one write; the names in the parentheses are cloned into it.
macro_rules! commit {
    ($db:expr, ($($captured:ident),*), |$tx:ident| $body:expr) => {{
        $(let $captured = $captured.clone();)*
        $crate::board::written(&$db, move |$tx| {
            $(let $captured = $captured.clone();)*
            Box::pin(async move { $body.await })
        }).await
    }};
}
pub(crate) use commit;

pub(crate) async fn written<T, F>(db: &Db, work: F) -> T
where
    T: Send + 'static,
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + Sync + 'static,
{
    db.write(work).await.expect("a write")
}

pub(crate) fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// The n-th id, shaped like a UUIDv7.
pub(crate) fn id(n: u64) -> Uuid {
    Uuid::from_u64_pair(n << 16 | 0x7000, 0x8000_0000_0000_0000 | n)
}

pub(crate) fn person() -> Actor {
    Actor::User { id: forge_domain::UserId::new(id(1)) }
}

pub(crate) struct TestBoard {
    pub(crate) db: Db,
    pub(crate) project: ProjectId,
    workflow: Workflow,
    next_number: AtomicI64,
    next_command: AtomicU64,
}

impl TestBoard {
    pub(crate) async fn open(database: &TestDatabase) -> Self {
        Self::add(database.open().await, 1).await
    }

    /// Another project in the same database.
    pub(crate) async fn add(db: Db, n: u64) -> Self {
        let definition = template(DEFAULT).expect("the default workflow");
        let text = serde_json::to_string(&definition).expect("JSON");
        let workflow = Workflow::compile(definition).expect("a sound workflow");
        let row = project(n, &workflow);
        let hash = workflow.hash().clone();
        commit!(db, (row, hash, text), |tx| async {
            workflows::put(tx, &hash, &text).await?;
            projects::insert(tx, &row).await
        });
        Self {
            db,
            project: row.id,
            workflow,
            next_number: AtomicI64::new(1),
            next_command: AtomicU64::new(n << 20),
        }
    }

    pub(crate) fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// A task that is not stored yet.
    pub(crate) fn draft(&self, title: &str) -> Decision {
        let number = self.next_number.fetch_add(1, Ordering::SeqCst);
        let command = CreateTask {
            origin: None,
            project_id: self.project,
            repo_id: None,
            number,
            kind: TaskKind::Task,
            title: title.to_owned(),
            description: String::new(),
            priority: 0,
            labels: Default::default(),
            review_config: ReviewConfig::default(),
            merge_config: MergeConfig::default(),
            roles: Default::default(),
            dependencies: Default::default(),
            parent: None,
            subtask: None,
            budget: forge_domain::Budget::default(),
            queued: false,
            metadata: Default::default(),
        };
        create(&self.workflow, &self.envelope(command, number)).expect("a task")
    }

    /// Stores a task with the given edits.
    pub(crate) async fn task(
        &self,
        title: &str,
        edit: impl FnOnce(&mut TaskSnapshot),
    ) -> TaskSnapshot {
        let mut task = self.draft(title).snapshot;
        edit(&mut task);
        commit!(self.db, (task), |tx| tasks::insert(tx, &task));
        task
    }

    pub(crate) async fn put(&self, task: &TaskSnapshot) {
        let task = task.clone();
        commit!(self.db, (task), |tx| tasks::put(tx, &task));
    }

    /// Stores a decision as the engine does, in one transaction.
    pub(crate) async fn commit(&self, decision: &Decision, now: i64) -> TaskSnapshot {
        let decision = decision.clone();
        commit!(self.db, (decision), |tx| async {
            let task = &decision.snapshot;
            tasks::put(tx, task).await?;
            let appended: Vec<_> =
                decision.events.iter().map(events::NewEvent::of_task).collect::<Result<_, _>>()?;
            events::append(tx, task.project_id, &person(), Some(task.id), &appended).await?;
            projection::record(tx, task, &decision.events, &person()).await?;
            if decision.supersedes {
                effects::supersede(tx, task.id, at(now)).await?;
            }
            effects::insert_planned(tx, task, &decision.effects, None).await
        });
        decision.snapshot
    }

    /// Decides and commits.
    pub(crate) async fn order(
        &self,
        task: &TaskSnapshot,
        command: TaskCommand,
        now: i64,
    ) -> TaskSnapshot {
        let facts =
            DecisionFacts { has_repository: true, same_project: true, ..DecisionFacts::default() };
        let envelope = self.envelope(command, now);
        let decision = decide(&self.workflow, task, &facts, &envelope).expect("a decision");
        self.commit(&decision, now).await
    }

    pub(crate) fn envelope<C>(&self, command: C, now: i64) -> CommandEnvelope<C> {
        let n = self.next_command.fetch_add(1, Ordering::SeqCst);
        CommandEnvelope { id: CommandId::new(id(n)), at: at(now), actor: person(), command }
    }
}

fn project(n: u64, workflow: &Workflow) -> ProjectRow {
    ProjectRow {
        id: ProjectId::new(id(n)),
        ordinal: 0,
        name: format!("Project {n}"),
        slug: format!("project-{n}"),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: workflow.hash().clone(),
        settings: StoredSettings::parse(r#"{ "metadata": { "colour": "grün" } }"#).unwrap(),
        paused_at: None,
        version: 1,
        created_at: at(1),
        updated_at: at(1),
    }
}
