//! The command `forge task assign`.

use clap::{ArgGroup, Args};
use forge_api::{AssignRole, RoleAssignee};

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::lookup::{fetch_agent, fetch_user};
use crate::terminal::text_table::one_line;

/// Assign a role of a task to an agent or a user
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("who").required(true).args(["agent", "user"]),
    override_usage = "forge task assign [OPTIONS] <--agent <AGENT>|--user> <TASK> <ROLE>"
)]
pub(crate) struct TaskAssignArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Role, such as coder or reviewer
    role: String,
    /// Agent that gets the role, by name or identifier
    #[arg(long, short)]
    agent: Option<String>,
    /// User who gets the role, by name; yourself without a name
    #[arg(long, short, num_args = 0..=1, default_missing_value = "me")]
    user: Option<String>,
    /// Discard uncommitted changes, after saving them; commits stay
    #[arg(long)]
    reset_worktree: bool,
    /// Remove the whole workspace, after saving it; the next claim starts from scratch
    #[arg(long)]
    reset_workspace: bool,
}

impl TaskAssignArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let (assignee, name) = match (&self.agent, &self.user) {
            (Some(name), _) => {
                let agent = fetch_agent(&client, name).await?;
                (RoleAssignee::Agent(agent.id), agent.name)
            }
            (None, user) => {
                let user = fetch_user(&client, user.as_deref().unwrap_or("me")).await?;
                (RoleAssignee::User(user.id), user.name)
            }
        };
        let id = self.target.fetch_id(&client).await?;
        let request = AssignRole {
            assignee,
            reset_worktree: self.reset_worktree,
            reset_workspace: self.reset_workspace,
        };
        let task = client.tasks().assign_role(id, &self.role, &request).await?;
        context.output.print_result(&task, || {
            let (status, name) = (one_line(&task.status), one_line(&name));
            format!("{}  {status}  {name} is {}", task.key, one_line(&self.role))
        })
    }
}
