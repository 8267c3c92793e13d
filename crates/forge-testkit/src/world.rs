//! A small world: a repository, an engine driven by hand, and verbs that reach a goal from wherever things stand, so
//! that a scenario can be run again after the engine died in the middle of it.

use crate::fault_sweep::FaultSweep;
use crate::hand_clock::HandClock;
use crate::repository::{Repository, search_path};
use forge_domain::task::Snapshot;
use forge_domain::workflow::{Definition, StateName, template};
use forge_domain::{Actor, AgentId, Assignee, Command, ProjectId, TaskId, UserId};
use forge_engine::{
    Clock, Engine, EngineError, Environment, Faults, Home, Ids, Limits, NewAgent, NewProject,
    NewRepo, NewTask, Parts, PoolLimits, ProjectPatch,
};
use forge_git::Git;
use forge_store::{DatabaseUrl, tables};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;

/// Everything a scenario needs.
#[derive(Debug)]
pub struct World {
    directory: PathBuf,
    /// What is there goes with the world, unless somebody else owns the place.
    _own: Option<TempDir>,
    /// The person's repository.
    pub repository: Repository,
    /// The engine's clock.
    pub clock: Arc<HandClock>,
    /// The faults in force.
    pub faults: Arc<FaultSweep>,
    engine: Option<Engine>,
    database: Option<DatabaseUrl>,
    limits: Limits,
}

impl World {
    /// A world without faults on the embedded database.
    pub async fn new() -> Self {
        Self::with(FaultSweep::counting(), None).await
    }

    /// A world with planned faults, on a given database.
    pub async fn with(faults: FaultSweep, database: Option<DatabaseUrl>) -> Self {
        Self::with_pool(faults, database, PoolLimits::NONE).await
    }

    /// The same, with worktrees that wait for tasks.
    pub async fn with_pool(
        faults: FaultSweep,
        database: Option<DatabaseUrl>,
        pool: PoolLimits,
    ) -> Self {
        Self::with_limits(faults, database, Limits { pool, ..Self::limits() }).await
    }

    /// The limits of a world of which nothing else is asked.
    pub fn limits() -> Limits {
        Limits { concurrent_checks: 2, pool: PoolLimits::NONE, ..Limits::default() }
    }

    /// The same, with limits of one's own.
    pub async fn with_limits(
        faults: FaultSweep,
        database: Option<DatabaseUrl>,
        limits: Limits,
    ) -> Self {
        let own = tempfile::tempdir().expect("a temporary directory");
        let world = Self::at(own.path(), faults, database, limits).await;
        Self { _own: Some(own), ..world }
    }

    /// The world in a directory: what another process left there, or a new one. It stays there afterwards.
    pub async fn at(
        place: &Path,
        faults: FaultSweep,
        database: Option<DatabaseUrl>,
        limits: Limits,
    ) -> Self {
        let (directory, path) = (place.to_owned(), place.join("repo"));
        let repository = match path.exists() {
            true => Repository::at(&path),
            false => Repository::create(&path).await,
        };
        let (clock, faults) = (Arc::new(HandClock::new()), Arc::new(faults));
        let engine = start(&directory, &clock, &faults, database.as_ref(), &limits).await;
        let (engine, _own) = (Some(engine), None);
        Self { directory, _own, repository, clock, faults, engine, database, limits }
    }

    /// Runs a scenario until it is through, restarting after a death and repeating after a failure. Its verbs reach
    /// their goals from wherever the last death left things.
    pub async fn through(
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
        if let Some(old) = self.engine.take() {
            old.die().await;
        }
        self.faults = Arc::new(FaultSweep::counting());
        let engine =
            start(&self.directory, &self.clock, &self.faults, self.database.as_ref(), &self.limits)
                .await;
        self.engine = Some(engine);
    }

    /// Stops the engine in order (E-13); the next [`World::restart`] starts another.
    pub async fn stop(&mut self) {
        if let Some(old) = self.engine.take() {
            old.end_within(std::time::Duration::from_secs(60)).await;
        }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("an engine runs except in the middle of a restart")
    }

    /// The person who acts.
    pub fn person() -> Actor {
        Actor::User { id: UserId::new(Uuid::from_u128(7)) }
    }

    /// Carries out everything that is due, moving the clock over waits of up to ten minutes.
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

    /// The project of that name with the repository, made if it is not there.
    pub async fn project(
        &self,
        name: &str,
        workflow: Definition,
    ) -> Result<ProjectId, EngineError> {
        self.project_with(name, workflow, serde_json::json!({})).await
    }

    /// The same, with settings.
    pub async fn project_with(
        &self,
        name: &str,
        workflow: Definition,
        settings: serde_json::Value,
    ) -> Result<ProjectId, EngineError> {
        let slug = name.to_lowercase();
        let project = match tables::projects::by_slug(self.engine().db(), &slug).await? {
            Some(found) => found,
            None => {
                let asked = NewProject {
                    name: name.to_owned(),
                    workspace_type: "git_worktree".to_owned(),
                    workflow,
                    settings,
                };
                self.engine().create_project(Self::person(), asked).await?
            }
        };
        if tables::repos::primary_of(self.engine().db(), project.id).await?.is_none() {
            let asked = NewRepo { path: self.repository.path().to_owned(), name: None };
            self.engine().add_repo(Self::person(), project.id, asked).await?;
        }
        Ok(project.id)
    }

    /// Replaces the settings of a project.
    pub async fn change_settings(&self, project: ProjectId, settings: serde_json::Value) {
        let version = self.engine().project(project).await.expect("the project").version;
        let patch = ProjectPatch { version, name: None, settings: Some(settings) };
        let changed = self.engine().update_project(Self::person(), project, patch).await;
        changed.expect("the settings are taken");
    }

    /// The agent of that name, made if it is not there: a shell script run in the worktree.
    pub async fn agent(&self, name: &str, script: &str) -> Result<AgentId, EngineError> {
        let page = tables::Page::first(100);
        let known = tables::agents::list(self.engine().db(), &page).await?.0;
        if let Some(agent) = known.into_iter().find(|agent| agent.name == name) {
            return Ok(agent.id);
        }
        let asked = NewAgent {
            name: name.to_owned(),
            executor: serde_json::json!({ "kind": "shell", "command": ["sh", "-ec", script] }),
            roles: Vec::new(),
            max_concurrent: 10,
            ephemeral: false,
            fallback: None,
        };
        Ok(self.engine().create_agent(Self::person(), asked).await?.id)
    }

    /// The task of that title, made if it is not there.
    pub async fn task(&self, project: ProjectId, asked: NewTask) -> Result<TaskId, EngineError> {
        match self.find(project, &asked.title).await? {
            Some(task) => Ok(task.id),
            None => Ok(self.engine().create_task(Self::person(), project, asked).await?.id),
        }
    }

    /// The task of that title.
    pub async fn find(
        &self,
        project: ProjectId,
        title: &str,
    ) -> Result<Option<Snapshot>, EngineError> {
        let filter = tables::tasks::TaskFilter::new(project);
        let found =
            tables::tasks::list(self.engine().db(), &filter, &tables::Page::first(100)).await?.0;
        Ok(found.into_iter().find(|task| task.title == title))
    }

    /// Has the task claimed by the agent, unless it has been already.
    pub async fn claim(&self, task: TaskId, agent: AgentId) -> Result<(), EngineError> {
        if self.engine().task(task).await?.visit == 0 {
            let claimer = Assignee::Agent { id: agent };
            self.engine().handle(Self::person(), task, Command::Claim { claimer }).await?;
        }
        Ok(())
    }

    /// Moves the task from one state to another, if it is in the first.
    pub async fn advance(&self, task: TaskId, from: &str, to: &str) -> Result<(), EngineError> {
        let now = self.engine().task(task).await?;
        if now.state.as_str() == from {
            let command =
                Command::Move { to: StateName::new(to), version: now.version, reason: None };
            self.engine().handle(Self::person(), task, command).await?;
        }
        Ok(())
    }

    /// A shipped workflow.
    pub fn workflow(name: &str) -> Definition {
        template(name).expect("a shipped workflow")
    }

    /// The worktrees that wait in pools, each with whether it is ready.
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

    /// What agents know as `$HOME`; the repository is in it.
    pub fn home(&self) -> &Path {
        &self.directory
    }

    /// The lines of a file in [`World::home`]; none if it is not there.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.home().join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Where workspaces are.
    pub fn workspaces(&self) -> PathBuf {
        self.directory.join("data").join("workspaces")
    }
}

async fn start(
    directory: &Path,
    clock: &Arc<HandClock>,
    faults: &Arc<FaultSweep>,
    database: Option<&DatabaseUrl>,
    limits: &Limits,
) -> Engine {
    let home =
        Home::open(&directory.join("data"), || Uuid::from_u128(1)).expect("the data directory");
    let vars = [("PATH".into(), search_path()), ("HOME".into(), directory.as_os_str().to_owned())];
    let parts = Parts {
        home,
        database: database.cloned(),
        workspace_root: None,
        git: Git::locate(&search_path()).expect("git is installed"),
        clock: clock.clone(),
        ids: Ids::Random,
        faults: Faults::planned(faults.clone()),
        environment: Environment::from_vars(vars),
        limits: limits.clone(),
    };
    let engine = Engine::start(parts).await.expect("the engine starts");
    engine.tend_pools().await;
    engine
}
