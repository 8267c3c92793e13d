//! `forge project members`, `add-member`, `remove-member`

use clap::Subcommand;
use forge_api::{NewMember, PageQuery};
use forge_client::collect;

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{fetch_project, fetch_user};
use crate::paint::Ink;
use crate::table::{Table, one_line};
use crate::words::{more, time};

/// Members of a project
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectMembers {
    /// List who may see and change a project; admins always may
    Members {
        /// Name or identifier
        project: String,
    },
    /// Let a user see and change a project
    AddMember {
        /// The project, by name or identifier
        project: String,
        /// The user's name
        user: String,
    },
    /// Take a project from a user; `me` to leave it
    RemoveMember {
        /// The project, by name or identifier
        project: String,
        /// The user's name
        user: String,
    },
}

impl ProjectMembers {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        match self {
            Self::Members { project } => list(context, &project).await,
            Self::AddMember { project, user } => {
                let project = fetch_project(&client, &project).await?;
                let user_id = fetch_user(&client, &user).await?.id;
                let member = client.add_member(project.id, &NewMember { user_id }).await?;
                context.output.result(&member, || {
                    format!("Added {} to {}", one_line(&member.name), one_line(&project.name))
                })
            }
            Self::RemoveMember { project, user } => {
                let project = fetch_project(&client, &project).await?;
                let user = fetch_user(&client, &user).await?;
                client.remove_member(project.id, user.id).await?;
                context.output.result(&user, || {
                    format!("Removed {} from {}", one_line(&user.name), one_line(&project.name))
                })
            }
        }
    }
}

async fn list(context: &Context, project: &str) -> Result<(), Failure> {
    let client = context.client()?;
    let project = fetch_project(&client, project).await?;
    let page = collect(1000, async |page: PageQuery| client.fetch_members(project.id, &page).await)
        .await?;
    let mut table = Table::new(&["name", "since"]);
    for member in &page.items {
        table.row([(Ink::Strong, &member.name), (Ink::Faint, &time(&member.created_at))]);
    }
    context.output.table(&page, &table)?;
    if let Some(text) = more(&page) {
        context.output.note(text);
    }
    if page.items.is_empty() {
        context
            .output
            .note("No member; only admins see it. Add one with `forge project add-member`.");
    }
    Ok(())
}
