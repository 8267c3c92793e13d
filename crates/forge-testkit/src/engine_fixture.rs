//! A complete test fixture: a repository, an engine with a manual clock, and operations that reach their goal from
//! any intermediate state, so that a scenario can be repeated after the engine died in the middle of it.

use crate::fault_sweep::FaultSweep;
use crate::manual_clock::ManualClock;
use crate::test_repository::{TestRepository, search_path};
use forge_domain::project::ProjectSettings;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{StateName, WorkflowDefinition, template};
use forge_domain::{
    Actor, AgentId, Assignee, ProjectId, RepoId, TaskCommand, TaskId, UserId, WorkspaceType,
};
use forge_engine::{
    AgentSpec, Clock, DataDirectory, Engine, EngineError, EngineLimits, EngineParts, FaultPoints,
    IdSource, LocalRepoSpec, PoolLimits, ProjectChange, ProjectSpec, ServerEnvironment, TaskSpec,
};
use forge_git::GitProgram;
use forge_store::{DatabaseUrl, tables};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;

/// Everything that a scenario needs.
#[derive(Debug)]
pub struct EngineFixture {
    directory: PathBuf,
    /// The directory is removed with the fixture, unless the caller owns it.
    _temporary: Option<TempDir>,
    /// The user's repository.
    pub repository: TestRepository,
    pub clock: Arc<ManualClock>,
    /// The faults in force.
    pub faults: Arc<FaultSweep>,
    engine: Option<Engine>,
    database: Option<DatabaseUrl>,
    limits: EngineLimits,
}

impl EngineFixture {
    /// A fixture without faults on the embedded database.
    pub async fn new() -> Self {
        Self::with(FaultSweep::counting(), None).await
    }

    /// A fixture with planned faults, on a given database.
    pub async fn with(faults: FaultSweep, database: Option<DatabaseUrl>) -> Self {
        Self::with_pool(faults, database, PoolLimits::NONE).await
    }

    /// The same, with pooled worktrees.
    pub async fn with_pool(
        faults: FaultSweep,
        database: Option<DatabaseUrl>,
        pool: PoolLimits,
    ) -> Self {
        Self::with_limits(faults, database, EngineLimits { pool, ..Self::limits() }).await
    }

    /// The default limits.
    pub fn limits() -> EngineLimits {
        EngineLimits { concurrent_checks: 2, pool: PoolLimits::NONE, ..EngineLimits::default() }
    }

    /// The same, with other limits.
    pub async fn with_limits(
        faults: FaultSweep,
        database: Option<DatabaseUrl>,
        limits: EngineLimits,
    ) -> Self {
        let own = tempfile::tempdir().expect("a temporary directory");
        let world = Self::at(own.path(), faults, database, limits).await;
        Self { _temporary: Some(own), ..world }
    }

    /// The fixture in a directory: what another process left there, or a new one. The directory stays afterwards.
    pub async fn at(
        place: &Path,
        faults: FaultSweep,
        database: Option<DatabaseUrl>,
        limits: EngineLimits,
    ) -> Self {
        let (directory, path) = (place.to_owned(), place.join("repo"));
        let repository = match path.exists() {
            true => TestRepository::open(&path),
            false => TestRepository::create(&path).await,
        };
        let (clock, faults) = (Arc::new(ManualClock::new()), Arc::new(faults));
        let engine = start_engine(&directory, &clock, &faults, database.as_ref(), &limits).await;
        let (engine, _own) = (Some(engine), None);
        Self { directory, _temporary: _own, repository, clock, faults, engine, database, limits }
    }

    /// Runs a scenario until it completes, restarting after a death and repeating after a failure. Its operations
    /// reach their goals from any state that the last death left.
    pub async fn run_to_completion(
        &mut self,
        scenario: impl AsyncFn(&Self) -> Result<ProjectId, EngineError>,
    ) -> ProjectId {
        let died = self.faults.died();
        for _ in 0..3 {
            let ended = tokio::select! {
                biased;
                () = died.cancelled(), if !died.is_cancelled() => None,
                ended = scenario(self) => Some(ended),
            };
            match ended {
                Some(Ok(project)) => return project,
                Some(Err(EngineError::Planned(_))) => {}
                Some(Err(error)) => panic!("the scenario failed by itself: {error}"),
                None => self.restart().await,
            }
        }
        panic!("the scenario does not get through")
    }

    /// Kills the engine and starts another on the same data, from now on without faults.
    pub async fn restart(&mut self) {
        self.restart_with(FaultSweep::counting()).await;
    }

    /// Kills the engine and starts another on the same data, with other faults.
    pub async fn restart_with(&mut self, faults: FaultSweep) {
        if let Some(old) = self.engine.take() {
            old.die().await;
        }
        self.faults = Arc::new(faults);
        let engine = start_engine(
            &self.directory,
            &self.clock,
            &self.faults,
            self.database.as_ref(),
            &self.limits,
        )
        .await;
        self.engine = Some(engine);
    }

    /// Stops the engine in order (E-13); the next [`EngineFixture::restart`] starts another.
    pub async fn stop(&mut self) {
        if let Some(old) = self.engine.take() {
            old.shutdown().shut_down_within(std::time::Duration::from_secs(60)).await;
        }
    }

    pub fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("an engine runs except in the middle of a restart")
    }

    /// The acting user.
    pub fn acting_user() -> Actor {
        Actor::User { id: UserId::new(Uuid::from_u128(7)) }
    }

    /// Performs everything that is due, advancing the clock over waits of up to ten minutes.
    pub async fn settle(&self) -> Result<(), EngineError> {
        loop {
            self.engine().drain().await?;
            match tables::effects::next_due_at(self.engine().db()).await? {
                Some(next) if next.millis() <= self.clock.now().millis() + 600_000 => {
                    self.clock.advance_to(next);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Settings from their JSON.
    pub fn settings(settings: serde_json::Value) -> ProjectSettings {
        serde_json::from_value(settings).expect("settings of a project")
    }

    /// The project of that name with the repository, created if missing.
    pub async fn project(
        &self,
        name: &str,
        workflow: WorkflowDefinition,
    ) -> Result<ProjectId, EngineError> {
        self.project_with(name, workflow, serde_json::json!({})).await
    }

    /// The same, with settings.
    pub async fn project_with(
        &self,
        name: &str,
        workflow: WorkflowDefinition,
        settings: serde_json::Value,
    ) -> Result<ProjectId, EngineError> {
        let slug = name.to_lowercase();
        let project = match tables::projects::by_slug(self.engine().db(), &slug).await? {
            Some(found) => found,
            None => {
                let asked = ProjectSpec {
                    name: name.to_owned(),
                    workspace_type: WorkspaceType::GitWorktree,
                    workflow,
                    settings: Self::settings(settings),
                };
                self.engine().projects().create_project(Self::acting_user(), asked).await?
            }
        };
        if tables::repos::primary_of(self.engine().db(), project.id).await?.is_none() {
            let asked = LocalRepoSpec { path: self.repository.path().to_owned(), name: None };
            match self.engine().repos().add_repo(Self::acting_user(), project.id, asked).await {
                Err(EngineError::PathNotAllowed { .. }) => {
                    self.share_repository(project.id).await?
                }
                added => drop(added?),
            }
        }
        Ok(project.id)
    }

    /// Gives a project the repository of another, as a database of an earlier version may have it.
    async fn share_repository(&self, project: ProjectId) -> Result<(), EngineError> {
        let rows = tables::repos::list_all(self.engine().db()).await?;
        let mut row = rows.into_iter().next().expect("another project has it");
        row.id = RepoId::new(project.uuid());
        row.project_id = project;
        row.primary = true;
        let written = self.engine().db().write(move |tx| {
            let row = row.clone();
            Box::pin(async move { tables::repos::insert(tx, &row).await })
        });
        Ok(written.await?)
    }

    /// Replaces the settings of a project.
    pub async fn change_settings(&self, project: ProjectId, settings: serde_json::Value) {
        let version = self.engine().records().project(project).await.expect("the project").version;
        let patch = ProjectChange { version, name: None, settings: Some(Self::settings(settings)) };
        let changed =
            self.engine().projects().update_project(Self::acting_user(), project, patch).await;
        changed.expect("the settings are accepted");
    }

    /// The agent of that name, created if missing: a shell script run in the worktree.
    pub async fn agent(&self, name: &str, script: &str) -> Result<AgentId, EngineError> {
        let page = tables::PageRequest::first(100);
        let known = tables::agents::list(self.engine().db(), &page).await?.0;
        if let Some(agent) = known.into_iter().find(|agent| agent.name == name) {
            return Ok(agent.id);
        }
        let asked = AgentSpec {
            name: name.to_owned(),
            executor: serde_json::json!({ "kind": "shell", "command": ["sh", "-ec", script] }),
            roles: Vec::new(),
            max_concurrent: 10,
            ephemeral: false,
            fallback: None,
        };
        Ok(self.engine().agents().create_agent(Self::acting_user(), asked).await?.id)
    }

    /// The task of that title, created if missing.
    pub async fn task(&self, project: ProjectId, asked: TaskSpec) -> Result<TaskId, EngineError> {
        match self.find(project, &asked.title).await? {
            Some(task) => Ok(task.id),
            None => Ok(self
                .engine()
                .commands()
                .create_task(Self::acting_user(), project, asked)
                .await?
                .id),
        }
    }

    /// The task of that title.
    pub async fn find(
        &self,
        project: ProjectId,
        title: &str,
    ) -> Result<Option<TaskSnapshot>, EngineError> {
        let filter = tables::tasks::TaskFilter::new(project);
        let found =
            tables::tasks::list(self.engine().db(), &filter, &tables::PageRequest::first(100))
                .await?
                .0;
        Ok(found.into_iter().find(|task| task.title == title))
    }

    /// Claims the task for the agent, unless it is claimed already.
    pub async fn claim(&self, task: TaskId, agent: AgentId) -> Result<(), EngineError> {
        if self.engine().records().task(task).await?.visit == 0 {
            let claimer = Assignee::Agent { id: agent };
            self.engine()
                .commands()
                .handle(Self::acting_user(), task, TaskCommand::Claim { claimer })
                .await?;
        }
        Ok(())
    }

    /// Moves the task from one state to another, if it is in the first.
    pub async fn move_between(
        &self,
        task: TaskId,
        from: &str,
        to: &str,
    ) -> Result<(), EngineError> {
        let now = self.engine().records().task(task).await?;
        if now.state.as_str() == from {
            let command = TaskCommand::Move {
                to: StateName::new(to),
                version: Some(now.version),
                reason: None,
            };
            self.engine().commands().handle(Self::acting_user(), task, command).await?;
        }
        Ok(())
    }

    /// A built-in workflow.
    pub fn workflow(name: &str) -> WorkflowDefinition {
        template(name).expect("a shipped workflow")
    }

    /// The pooled worktrees, each with whether it is ready.
    pub fn pool(&self) -> Vec<(PathBuf, bool)> {
        let subdirectories = |path: PathBuf| {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).filter(|path| path.is_dir())
        };
        let pools = subdirectories(self.workspaces().join(".pool"));
        let mut members: Vec<_> = pools
            .flat_map(subdirectories)
            .map(|path| (path.clone(), path.with_extension("ready").exists()))
            .collect();
        members.sort();
        members
    }

    /// The agents' `$HOME`; it contains the repository.
    pub fn home(&self) -> &Path {
        &self.directory
    }

    /// The lines of a file in [`EngineFixture::home`]; empty if it is missing.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.home().join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The workspace root.
    pub fn workspaces(&self) -> PathBuf {
        self.directory.join("data").join("workspaces")
    }
}

async fn start_engine(
    directory: &Path,
    clock: &Arc<ManualClock>,
    faults: &Arc<FaultSweep>,
    database: Option<&DatabaseUrl>,
    limits: &EngineLimits,
) -> Engine {
    let home = DataDirectory::open(&directory.join("data"), || Uuid::from_u128(1))
        .expect("the data directory");
    let vars = [("PATH".into(), search_path()), ("HOME".into(), directory.as_os_str().to_owned())];
    let parts = EngineParts {
        home,
        database: database.cloned(),
        workspace_root: None,
        git: GitProgram::locate(&search_path()).expect("git is installed"),
        clock: clock.clone(),
        ids: IdSource::Random,
        faults: FaultPoints::planned(faults.clone()),
        environment: ServerEnvironment::from_vars(vars),
        limits: limits.clone(),
    };
    let engine = Engine::start(parts).await.expect("the engine starts");
    engine.worktree_pools().maintain_pools().await;
    engine
}
