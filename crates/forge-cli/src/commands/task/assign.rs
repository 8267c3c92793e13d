//! `forge task assign`

use clap::{ArgGroup, Args};
use forge_api::{AssignRole, Assignee};

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{fetch_agent, fetch_user};
use crate::table::one_line;

/// Give a role of a task to an agent or a user
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("who").required(true).args(["agent", "user"]))]
pub(crate) struct Assign {
    #[command(flatten)]
    target: Target,
    /// The role, such as coder or reviewer
    role: String,
    /// The agent that gets it, by name or identifier
    #[arg(long, short)]
    agent: Option<String>,
    /// The user who gets it, by name; yourself without one
    #[arg(long, short, num_args = 0..=1, default_missing_value = "me")]
    user: Option<String>,
    /// Drop uncommitted changes, after a snapshot; commits stay
    #[arg(long)]
    reset_worktree: bool,
    /// Remove the whole workspace, after a snapshot; the next claim starts afresh
    #[arg(long)]
    reset_workspace: bool,
}

impl Assign {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let (assignee, name) = match (&self.agent, &self.user) {
            (Some(name), _) => {
                let agent = fetch_agent(&client, name).await?;
                (Assignee::Agent(agent.id), agent.name)
            }
            (None, user) => {
                let user = fetch_user(&client, user.as_deref().unwrap_or("me")).await?;
                (Assignee::User(user.id), user.name)
            }
        };
        let id = self.target.fetch_id(&client).await?;
        let request = AssignRole {
            assignee,
            reset_worktree: self.reset_worktree,
            reset_workspace: self.reset_workspace,
        };
        let task = client.assign_role(id, &self.role, &request).await?;
        context.output.result(&task, || {
            let (status, name) = (one_line(&task.status), one_line(&name));
            format!("{}  {status}  {name} is {}", task.key, one_line(&self.role))
        })
    }
}
