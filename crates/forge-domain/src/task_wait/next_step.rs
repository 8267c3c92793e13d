//! Next steps for a task, as command lines.

use crate::dispatch::DispatchBlocker;
use crate::task::TaskSnapshot;
use crate::task_wait::commands::{TaskCommandLines, quoted};
use crate::task_wait::guidance::NextStepKind;
use crate::task_wait::wait::TaskWait;
use crate::workflow::{StateBehaviour, StateName, Workflow};
use crate::{Actor, BudgetOwner, TaskAction, TaskActionKind, allowed_actions};

/// Maximum number of steps that are shown.
const MOST_STEPS: usize = 4;
const MOST_MOVES: usize = 2;

/// A next step for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    /// Label for the user.
    pub label: String,
    /// The command line of the step.
    pub command: String,
}

impl NextStep {
    fn new(label: impl Into<String>, command: impl Into<String>) -> Self {
        Self { label: label.into(), command: command.into() }
    }

    /// The next steps that this actor can take now, best first.
    pub fn of(
        workflow: &Workflow,
        task: &TaskSnapshot,
        wait: &TaskWait,
        actor: &Actor,
        commands: TaskCommandLines<'_>,
    ) -> Vec<Self> {
        let allowed = allowed_actions(workflow, task, actor);
        let choice = NextStepSelector { workflow, task, allowed: &allowed, commands };
        let mut steps: Vec<Self> = Vec::new();
        for step in wait.steps.iter().flat_map(|kind| choice.steps(*kind)) {
            if steps.len() < MOST_STEPS && !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps
    }

    /// The next step about a reason why the scheduler does not assign a task; `None` if waiting is enough, or the task
    /// itself says it.
    pub fn about(reason: &DispatchBlocker, task: &TaskSnapshot, project: &str) -> Option<Self> {
        let slug = quoted(project);
        let commands = TaskCommandLines::new(task);
        Some(match reason {
            DispatchBlocker::ProjectPaused => {
                Self::new("Resume the project", format!("forge project resume {slug}"))
            }
            DispatchBlocker::DispatchOff => {
                Self::new("Switch dispatch on", format!("forge dispatch on {slug}"))
            }
            DispatchBlocker::DispatchPaused => {
                Self::new("Resume dispatch", "forge dispatch resume")
            }
            DispatchBlocker::NoRepository => {
                Self::new("Add a repository", format!("forge repo add PATH -p {slug}"))
            }
            DispatchBlocker::NoAgent { .. } => {
                Self::new("Add an agent", "forge agent add NAME --kind KIND")
            }
            DispatchBlocker::AgentPaused { agents } => {
                let name = agents.first()?;
                Self::new(format!("Resume {name}"), format!("forge agent resume {}", quoted(name)))
            }
            DispatchBlocker::ProgramMissing { agents } => {
                let name = quoted(agents.first()?);
                Self::new("Change its command", format!("forge agent edit {name} -- COMMAND"))
            }
            DispatchBlocker::BudgetExhausted(overspent) => raise_budget(commands, overspent.owner),
            DispatchBlocker::Dependency { tasks } => {
                let other = tasks.first()?;
                Self::new(format!("See why {other} is not finished"), format!("forge why {other}"))
            }
            _ => return None,
        })
    }
}

fn raise_budget(commands: TaskCommandLines<'_>, owner: BudgetOwner) -> NextStep {
    match owner {
        BudgetOwner::Task => {
            NextStep::new("Raise the task's budget", commands.about("budget", "--usd DOLLARS"))
        }
        BudgetOwner::Project => {
            let command = commands.about_project("budget --usd DOLLARS", true);
            NextStep::new("Raise the project's budget", command)
        }
    }
}

/// Selects next steps among the allowed actions.
struct NextStepSelector<'a> {
    workflow: &'a Workflow,
    task: &'a TaskSnapshot,
    allowed: &'a [TaskAction],
    commands: TaskCommandLines<'a>,
}

impl NextStepSelector<'_> {
    fn steps(&self, kind: NextStepKind) -> Vec<NextStep> {
        let show = |label: &str, words: &str, rest: &str| {
            vec![NextStep::new(label, self.commands.about(words, rest))]
        };
        match kind {
            NextStepKind::Answer => {
                self.action("Answer it", |action| matches!(action, TaskActionKind::Answer { .. }))
            }
            NextStepKind::Approve => {
                self.action("Approve", |action| matches!(action, TaskActionKind::Approve { .. }))
            }
            NextStepKind::Reject => self
                .action("Send it back", |action| matches!(action, TaskActionKind::Reject { .. })),
            NextStepKind::Claim => {
                self.action("Claim it for an agent", |action| *action == TaskActionKind::Claim)
            }
            NextStepKind::ClaimSelf => self.claim_for_self(),
            NextStepKind::MoveOn => self.move_on(),
            NextStepKind::Move => self.moves(),
            NextStepKind::Restart => {
                let is = |action: &TaskActionKind| matches!(action, TaskActionKind::Restart { .. });
                self.action("Restart the run", is)
            }
            NextStepKind::Rebase => {
                let label = "Merge the target in and send it back to work";
                self.action(label, |action| *action == TaskActionKind::Rebase)
            }
            NextStepKind::AcceptLanded => {
                self.action("Accept it as landed", |action| *action == TaskActionKind::AcceptLanded)
            }
            NextStepKind::Revert => {
                self.action("Revert", |action| *action == TaskActionKind::Revert)
            }
            NextStepKind::Assign => {
                let is = |action: &TaskActionKind| matches!(action, TaskActionKind::Assign { .. });
                self.action("Assign another agent", is)
            }
            NextStepKind::ResetWorkspace => {
                let is = |action: &TaskActionKind| *action == TaskActionKind::ResetWorkspace;
                self.action("Reset the workspace", is)
            }
            NextStepKind::Steer => {
                let is = |action: &TaskActionKind| matches!(action, TaskActionKind::Steer { .. });
                self.action("Send the agent a message", is)
            }
            NextStepKind::StopRun => {
                let is = |action: &TaskActionKind| matches!(action, TaskActionKind::StopRun { .. });
                self.action("Stop the execution", is)
            }
            NextStepKind::Unarchive => {
                self.action("Unarchive", |action| *action == TaskActionKind::Unarchive)
            }
            NextStepKind::RaiseBudget => vec![raise_budget(self.commands, self.budget_owner())],
            NextStepKind::ReadLog => show("Read the log", "task log", ""),
            NextStepKind::FollowLog => show("Follow the log", "task log", "-f"),
            NextStepKind::FollowChecks => show("Follow the checks", "task review", "--log -f"),
            NextStepKind::ReadReview => show("Read what the gate found", "task review", ""),
            NextStepKind::ReadDiff => show("Read the diff", "task diff", ""),
            NextStepKind::ReadSetup => show("Read what the setup printed", "workspace setup", ""),
            NextStepKind::ReadEffects => show("See what failed", "task effects", ""),
            NextStepKind::ShowTask => show("Show the task", "task show", ""),
            NextStepKind::ShowTrain => {
                let command = self.commands.about_project("train status", false);
                vec![NextStep::new("Show the merge train", command)]
            }
            NextStepKind::ShowCheckout => self.show_checkout(),
            NextStepKind::ShowRepoConfig => self.about_repository("See what changed", "config"),
            NextStepKind::AcceptRepoConfig => {
                self.about_repository("Accept the change (admins)", "accept-config")
            }
        }
    }

    fn action(&self, label: &str, is: impl Fn(&TaskActionKind) -> bool) -> Vec<NextStep> {
        let found = self.allowed.iter().find(|action| is(&action.kind));
        let command = found.and_then(|action| self.commands.of_action(&action.kind));
        command.map(|command| NextStep::new(label, command)).into_iter().collect()
    }

    fn claim_for_self(&self) -> Vec<NextStep> {
        let may = self.allowed.iter().any(|action| action.kind == TaskActionKind::Claim);
        let step = || NextStep::new("Claim it yourself", self.commands.about("task claim", ""));
        may.then(step).into_iter().collect()
    }

    /// Along the edge for success of the current state.
    fn move_on(&self) -> Vec<NextStep> {
        let state = self.workflow.state(&self.task.state);
        let target = state.and_then(|state| match &state.behaviour {
            StateBehaviour::Work { done, .. } => Some(done),
            StateBehaviour::Gate { pass, .. } => Some(pass),
            _ => None,
        });
        target.map(|target| self.move_to(target.name())).unwrap_or_default()
    }

    /// The first moves to work, review or landing, then moves into a queue.
    fn moves(&self) -> Vec<NextStep> {
        let fault = self.workflow.fault();
        let targets = self.allowed.iter().filter_map(|action| match &action.kind {
            TaskActionKind::Move { to } if to != fault.name() => Some(to),
            _ => None,
        });
        let is_queue = |name: &StateName| {
            let state = self.workflow.state(name);
            state.is_some_and(|state| matches!(state.behaviour, StateBehaviour::Queue { .. }))
        };
        let (queues, others): (Vec<_>, Vec<_>) = targets.partition(|name| is_queue(name));
        let claimable_first = |name: &&StateName| {
            !self.workflow.state(name).is_some_and(crate::workflow::WorkflowState::is_claimable)
        };
        let mut queues = queues;
        queues.sort_by_key(claimable_first);
        let targets = others.into_iter().chain(queues).take(MOST_MOVES);
        targets.flat_map(|name| self.move_to(name)).collect()
    }

    fn move_to(&self, target: &StateName) -> Vec<NextStep> {
        let label = format!("Move it to {target}");
        self.action(&label, |action| matches!(action, TaskActionKind::Move { to } if to == target))
    }

    fn budget_owner(&self) -> BudgetOwner {
        let details = self.task.annotation.as_ref().map(|trouble| &trouble.details);
        let owner = details.map(|details| details["budget"]["owner"].clone());
        let owner = owner.and_then(|owner| serde_json::from_value(owner).ok());
        owner.unwrap_or(BudgetOwner::Task)
    }

    /// A command line about the repository that the task's annotation names.
    fn about_repository(&self, label: &str, verb: &str) -> Vec<NextStep> {
        let details = self.task.annotation.as_ref().map(|trouble| &trouble.details);
        let name = details.and_then(|details| details["repository"].as_str());
        let step = |name: &str| {
            let words = format!("repo {verb} --repo {}", quoted(name));
            NextStep::new(label, self.commands.about_project(&words, true))
        };
        name.map(step).into_iter().collect()
    }

    fn show_checkout(&self) -> Vec<NextStep> {
        let details = self.task.annotation.as_ref().map(|trouble| &trouble.details);
        let checkout = details.and_then(|details| details["checkout"].as_str());
        let step = |path: &str| {
            let command = format!("git -C {} status", quoted(path));
            NextStep::new("Commit or move the files in the checkout", command)
        };
        checkout.map(step).into_iter().collect()
    }
}
