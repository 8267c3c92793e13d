//! The usual course of a task, for tests in which it is only the way to something else. A verb that cannot do what it
//! says panics.

use crate::world::World;
use forge_domain::task::{ReviewConfig, Snapshot};
use forge_domain::workflow::{Kind, RoleName, StateName};
use forge_domain::{Actor, AgentId, Assignee, Command, ProjectId, Reset, TaskId};
use forge_engine::NewTask;
use std::path::PathBuf;

impl World {
    /// What to ask for to get a task of that title.
    pub fn titled(title: &str) -> NewTask {
        NewTask { title: title.to_owned(), ..NewTask::default() }
    }

    /// The same for one that has to pass checks.
    pub fn checked(title: &str, ci_steps: &[&str]) -> NewTask {
        let ci_steps = ci_steps.iter().map(|step| (*step).to_owned()).collect();
        let review_config = Some(ReviewConfig { ci_steps, ..ReviewConfig::default() });
        NewTask { review_config, ..Self::titled(title) }
    }

    /// The project "Board", with the default workflow.
    pub async fn board(&self) -> ProjectId {
        self.project("Board", Self::workflow("default")).await.expect("a project")
    }

    /// The task as it is now.
    pub async fn now(&self, task: TaskId) -> Snapshot {
        self.engine().task(task).await.expect("the task")
    }

    /// Where the task is worked on.
    pub async fn directory(&self, task: TaskId) -> PathBuf {
        self.now(task).await.workspace.expect("the task has a workspace").path.into()
    }

    /// A task claimed by an agent with this script; nothing has been carried out yet.
    pub async fn claimed(
        &self,
        project: ProjectId,
        asked: NewTask,
        name: &str,
        script: &str,
    ) -> TaskId {
        let agent = self.agent(name, script).await.expect("an agent");
        let task = self.task(project, asked).await.expect("a task");
        self.claim(task, agent).await.expect("the task can be claimed");
        task
    }

    /// The board's task "Work", after a turn of the agent "coder" with this script.
    pub async fn worked(&self, script: &str) -> TaskId {
        self.worked_on(Self::titled("Work"), script).await
    }

    /// The same with another task.
    pub async fn worked_on(&self, asked: NewTask, script: &str) -> TaskId {
        let project = self.board().await;
        let task = self.claimed(project, asked, "coder", script).await;
        self.settle().await.expect("everything is carried out");
        task
    }

    /// Has the task claimed by somebody, whether or not it has been before.
    async fn claim_for(&self, task: TaskId, claimer: Assignee) -> Snapshot {
        self.carried_out(task, Command::Claim { claimer }).await
    }

    /// The same for the agent of that name; one that is not there yet does nothing.
    pub async fn claim_again(&self, task: TaskId, name: &str) -> Snapshot {
        let id = self.agent(name, "").await.expect("an agent");
        self.claim_for(task, Assignee::Agent { id }).await
    }

    /// The same for the person who acts.
    pub async fn claim_by_hand(&self, task: TaskId) -> Snapshot {
        let Actor::User { id } = Self::person() else { panic!("a person acts") };
        self.claim_for(task, Assignee::User { id }).await
    }

    /// Gives the coder's role to another agent.
    pub async fn reassign(&self, task: TaskId, agent: AgentId, reset: Reset) -> Snapshot {
        let (role, assignee) = (RoleName::new("coder"), Assignee::Agent { id: agent });
        self.carried_out(task, Command::Assign { role, assignee, reset }).await
    }

    /// Moves the task, whatever state it is in; nothing has been carried out yet.
    pub async fn ask_to_move(&self, task: TaskId, to: &str) {
        let version = self.now(task).await.version;
        let command = Command::Move { to: StateName::new(to), version, reason: None };
        self.engine().handle(Self::person(), task, command).await.expect("the task can be moved");
    }

    /// Moves the task, whatever state it is in.
    pub async fn move_to(&self, task: TaskId, to: &str) -> Snapshot {
        self.ask_to_move(task, to).await;
        self.settle().await.expect("everything is carried out");
        self.now(task).await
    }

    /// Moves a task that has been reviewed to where its workflow merges; what becomes of it there.
    pub async fn landed(&self, task: TaskId) -> Snapshot {
        let workflow = self.engine().workflow(&self.now(task).await.workflow).await;
        let workflow = workflow.expect("the task's workflow");
        let merging = workflow.states().find(|state| state.kind() == Kind::Merge);
        self.move_to(task, merging.expect("the workflow merges").name.as_str()).await
    }

    /// Carries everything out until a program has written to `$HOME/up`, then cancels the task.
    pub async fn cancelled_once_up(&self, task: TaskId) -> Snapshot {
        let cancel = || async {
            let cancel = Command::Cancel { reason: None };
            self.engine().handle(Self::person(), task, cancel).await.expect("nobody refuses");
        };
        self.once_up(cancel).await;
        self.now(task).await
    }

    /// Carries everything out until a program has written to `$HOME/up`, does something, and carries out the rest.
    pub async fn once_up<F: Future<Output = ()>>(&self, deed: impl FnOnce() -> F) {
        let pipe = self.home().join("up");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let engine = self.engine().clone();
        let draining = tokio::spawn(async move { engine.drain().await });
        tokio::fs::read(&pipe).await.expect("a program writes");
        deed().await;
        draining.await.expect("it ends").expect("everything is carried out");
        self.settle().await.expect("everything is carried out");
    }

    async fn carried_out(&self, task: TaskId, command: Command) -> Snapshot {
        self.engine().handle(Self::person(), task, command).await.expect("nobody refuses");
        self.settle().await.expect("everything is carried out");
        self.now(task).await
    }

    /// What the setup of the task's workspace has said.
    pub fn setup_log(&self, task: TaskId) -> String {
        let log = std::fs::read(self.engine().home().log(task.uuid())).expect("a log");
        String::from_utf8_lossy(&log).into_owned()
    }
}
