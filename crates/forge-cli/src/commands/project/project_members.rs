//! The commands `forge project members`, `add-member` and `remove-member`.

use clap::Subcommand;
use forge_api::{NewMember, PageQuery};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::{fetch_project, fetch_user};
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::truncation_note;

/// Members of a project
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectMembersSubcommand {
    /// List the users who may see and change a project; admins always may
    Members {
        /// Name or identifier
        project: String,
    },
    /// Let a user see and change a project
    AddMember {
        /// Project name or identifier
        project: String,
        /// Name of the user
        user: String,
    },
    /// Remove a user from a project; `me` to leave it
    RemoveMember {
        /// Project name or identifier
        project: String,
        /// Name of the user
        user: String,
    },
}

impl ProjectMembersSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::Members { project } => list(context, &project).await,
            Self::AddMember { project, user } => {
                let project = fetch_project(&client, &project).await?;
                let user_id = fetch_user(&client, &user).await?.id;
                let member = client.members().add(project.id, &NewMember { user_id }).await?;
                context.output.print_result(&member, || {
                    format!("Added {} to {}", one_line(&member.name), one_line(&project.name))
                })
            }
            Self::RemoveMember { project, user } => {
                let project = fetch_project(&client, &project).await?;
                let user = fetch_user(&client, &user).await?;
                client.members().remove(project.id, user.id).await?;
                context.output.print_result(&user, || {
                    format!("Removed {} from {}", one_line(&user.name), one_line(&project.name))
                })
            }
        }
    }
}

async fn list(context: &CliContext, project: &str) -> Result<(), CliError> {
    let client = context.client()?;
    let project = fetch_project(&client, project).await?;
    let page = collect_pages(1000, async |page: PageQuery| {
        client.members().fetch_page(project.id, &page).await
    })
    .await?;
    let mut table = TextTable::new(&["name", "since"]);
    for member in &page.items {
        table.row([
            (TextStyle::Bold, &member.name),
            (TextStyle::Dim, &context.now.ago(&member.created_at)),
        ]);
    }
    context.output.print_table(&page, &table)?;
    if let Some(text) = truncation_note(&page) {
        context.output.print_note(text);
    }
    if page.items.is_empty() {
        context
            .output
            .print_note("No member; only admins see it. Add one with `forge project add-member`.");
    }
    Ok(())
}
