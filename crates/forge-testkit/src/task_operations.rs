//! Common task operations for tests that need them only as a setup. An operation that fails panics.

use crate::engine_fixture::EngineFixture;
use forge_domain::task::{ReviewConfig, TaskSnapshot};
use forge_domain::workflow::{RoleName, StateName, WorkflowStateKind};
use forge_domain::{Actor, AgentId, Assignee, ProjectId, ResetScope, TaskCommand, TaskId};
use forge_engine::TaskSpec;
use forge_store::WakeChannel;
use std::path::PathBuf;

impl EngineFixture {
    /// A request for a task with this title.
    pub fn task_request(title: &str) -> TaskSpec {
        TaskSpec { title: title.to_owned(), ..TaskSpec::default() }
    }

    /// The same for a task that must pass checks.
    pub fn checked_task_request(title: &str, ci_steps: &[&str]) -> TaskSpec {
        let ci_steps = ci_steps.iter().map(|step| (*step).to_owned()).collect();
        let review_config = Some(ReviewConfig { ci_steps, ..ReviewConfig::default() });
        TaskSpec { review_config, ..Self::task_request(title) }
    }

    /// The project "Board", with the default workflow.
    pub async fn board_project(&self) -> ProjectId {
        self.project("Board", Self::workflow("default")).await.expect("a project")
    }

    /// The task as it is now.
    pub async fn load_task(&self, task: TaskId) -> TaskSnapshot {
        self.engine().records().task(task).await.expect("the task")
    }

    /// The directory of the task's workspace.
    pub async fn workspace_dir(&self, task: TaskId) -> PathBuf {
        self.load_task(task).await.workspace.expect("the task has a workspace").path.into()
    }

    /// A task claimed by an agent with this script; no effect has been performed yet.
    pub async fn claimed_task(
        &self,
        project: ProjectId,
        asked: TaskSpec,
        name: &str,
        script: &str,
    ) -> TaskId {
        let agent = self.agent(name, script).await.expect("an agent");
        let task = self.task(project, asked).await.expect("a task");
        self.claim(task, agent).await.expect("the task can be claimed");
        task
    }

    /// The board's task "Work", after an execution of the agent "coder" with this script.
    pub async fn worked_task(&self, script: &str) -> TaskId {
        self.work_on(Self::task_request("Work"), script).await
    }

    /// The same for another task.
    pub async fn work_on(&self, asked: TaskSpec, script: &str) -> TaskId {
        let project = self.board_project().await;
        let task = self.claimed_task(project, asked, "coder", script).await;
        self.settle().await.expect("everything is carried out");
        task
    }

    /// Claims the task for an assignee, whether or not it was claimed before.
    async fn claim_for(&self, task: TaskId, claimer: Assignee) -> TaskSnapshot {
        self.handle_and_settle(task, TaskCommand::Claim { claimer }).await
    }

    /// Claims the task for the agent of that name; creates an agent that does nothing if it is missing.
    pub async fn claim_again(&self, task: TaskId, name: &str) -> TaskSnapshot {
        let id = self.agent(name, "").await.expect("an agent");
        self.claim_for(task, Assignee::Agent { id }).await
    }

    /// Claims the task for the acting user.
    pub async fn claim_by_hand(&self, task: TaskId) -> TaskSnapshot {
        let Actor::User { id } = Self::acting_user() else { panic!("a person acts") };
        self.claim_for(task, Assignee::User { id }).await
    }

    /// Gives the coder's role to another agent.
    pub async fn reassign(&self, task: TaskId, agent: AgentId, reset: ResetScope) -> TaskSnapshot {
        let (role, assignee) = (RoleName::new("coder"), Assignee::Agent { id: agent });
        self.handle_and_settle(task, TaskCommand::Assign { role, assignee, reset }).await
    }

    /// Moves the task from any state; no effect has been performed yet.
    pub async fn request_move(&self, task: TaskId, to: &str) {
        let version = self.load_task(task).await.version;
        let command =
            TaskCommand::Move { to: StateName::new(to), version: Some(version), reason: None };
        self.engine()
            .commands()
            .handle(Self::acting_user(), task, command)
            .await
            .expect("the task can be moved");
    }

    /// Moves the task from any state and performs the effects.
    pub async fn move_to(&self, task: TaskId, to: &str) -> TaskSnapshot {
        self.request_move(task, to).await;
        self.settle().await.expect("everything is carried out");
        self.load_task(task).await
    }

    /// Moves a reviewed task to the state where its workflow merges; returns the task afterwards.
    pub async fn land_task(&self, task: TaskId) -> TaskSnapshot {
        let workflow = self.engine().records().workflow(&self.load_task(task).await.workflow).await;
        let workflow = workflow.expect("the task's workflow");
        let merging = workflow.states().find(|state| state.kind() == WorkflowStateKind::Merge);
        self.move_to(task, merging.expect("the workflow merges").name.as_str()).await
    }

    /// Performs effects until a program has written to `$HOME/up`, then cancels the task.
    pub async fn cancel_once_running(&self, task: TaskId) -> TaskSnapshot {
        let cancel = || async {
            let cancel = TaskCommand::Cancel { reason: None };
            self.engine()
                .commands()
                .handle(Self::acting_user(), task, cancel)
                .await
                .expect("the command is accepted");
        };
        self.run_once_running(cancel).await;
        self.load_task(task).await
    }

    /// Performs effects until a program has written to `$HOME/up`, runs `deed`, and performs the rest.
    pub async fn run_once_running<F: Future<Output = ()>>(&self, deed: impl FnOnce() -> F) {
        let pipe = self.home().join("up");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let engine = self.engine().clone();
        let draining = tokio::spawn(async move { engine.drain().await });
        tokio::fs::read(&pipe).await.expect("a program writes");
        deed().await;
        draining.await.expect("it ends").expect("everything is carried out");
        self.settle().await.expect("everything is carried out");
    }

    /// Performs effects until a program has written to this pipe, which is created; the program continues.
    pub async fn perform_until_written(&self, pipe: &str) {
        let pipe = self.home().join(pipe);
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let mut wakes = self.engine().db().subscribe(WakeChannel::Effects);
        let performing = async {
            loop {
                self.engine().tick().await.expect("the effects start");
                wakes.next().await.expect("the database is open");
            }
        };
        tokio::select! {
            biased;
            written = tokio::fs::read(&pipe) => drop(written.expect("a program writes")),
            () = performing => {}
        }
    }

    async fn handle_and_settle(&self, task: TaskId, command: TaskCommand) -> TaskSnapshot {
        self.engine()
            .commands()
            .handle(Self::acting_user(), task, command)
            .await
            .expect("the command is accepted");
        self.settle().await.expect("everything is carried out");
        self.load_task(task).await
    }

    /// The log of the workspace setup.
    pub fn setup_log(&self, task: TaskId) -> String {
        let log = std::fs::read(self.engine().home().log(task.uuid())).expect("a log");
        String::from_utf8_lossy(&log).into_owned()
    }
}
