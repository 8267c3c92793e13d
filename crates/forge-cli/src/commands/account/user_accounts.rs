//! The commands `forge user list`, `add` and `remove`.

use clap::{Args, Subcommand};
use forge_api::{NewUser, PageQuery, SecretString, User, UserLink, UserRole};
use forge_client::{ApiClient, collect_pages};
use serde_json::json;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::fetch_user;
use crate::terminal::confirm::confirm;
use crate::terminal::secret_prompt::read_secret;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::{truncation_note, wire_name};

const MOST_USERS: usize = 2000;

/// Accounts of users
#[derive(Debug, Subcommand)]
pub(crate) enum UserAccountsSubcommand {
    /// List all users
    #[command(visible_alias = "ls")]
    List,
    Add(UserAddArgs),
    /// Make a new link with which a user sets a password
    ///
    /// Only for admins. It works once, for three days, and ends the user's earlier links.
    Link {
        /// Name of the user
        name: String,
    },
    /// Remove a user; sessions and tokens end at once
    ///
    /// Only for admins, and not for your own account. The history stays and shows the name, which can be given again.
    #[command(visible_alias = "rm")]
    Remove {
        /// Name of the user
        name: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

/// Create a user
///
/// Only for admins. Prints a link with which the user sets a password and signs in; it works once, for three days. With
/// --password you choose the password instead: typed without echo, or piped in.
#[derive(Debug, Args)]
pub(crate) struct UserAddArgs {
    /// Name that the user signs in with
    name: String,
    /// Make the user an admin, who sees every project and manages users
    #[arg(long)]
    admin: bool,
    /// Set the password now, instead of making a link
    #[arg(long)]
    password: bool,
}

impl UserAccountsSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        match self {
            Self::List => list(context).await,
            Self::Add(add) => add.run(context).await,
            Self::Link { name } => {
                let client = context.client()?;
                let user = fetch_user(&client, &name).await?;
                let link = client.users().create_link(user.id).await?;
                print_link(context, &client, &link, "New link for")
            }
            Self::Remove { name, yes } => {
                let client = context.client()?;
                let user = fetch_user(&client, &name).await?;
                let shown = one_line(&user.name);
                if !yes {
                    confirm(&format!("Remove the user {shown}? Sessions and tokens end at once."))
                        .await?;
                }
                client.users().remove(user.id).await?;
                context.output.print_result(&user, || format!("Removed user {shown}"))
            }
        }
    }
}

impl UserAddArgs {
    async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let password = if self.password { Some(ask_password(&self.name).await?) } else { None };
        let role = if self.admin { UserRole::Admin } else { UserRole::Member };
        let has_password = password.is_some();
        let request = NewUser { name: self.name, password, role: Some(role) };
        let user = client.users().create(&request).await?;
        if has_password {
            context.output.print_result(&user, || describe_created(&user))?;
        } else {
            let link = client.users().create_link(user.id).await?;
            print_link(context, &client, &link, "Created user")?;
        }
        if role == UserRole::Member {
            context.output.print_note(&format!(
                "Next: `forge project add-member PROJECT {}` lets the user see a project.",
                one_line(&user.name)
            ));
        }
        Ok(())
    }
}

/// Asks twice on a terminal, so that a typing error is noticed; a pipe is read once.
async fn ask_password(name: &str) -> Result<SecretString, CliError> {
    use std::io::{IsTerminal, stdin};
    let password = read_secret(&format!("Password of {name}")).await?;
    if stdin().is_terminal() && read_secret("The same again").await? != password {
        return Err(
            CliError::usage("the two passwords differ").hint("nothing was created; try again")
        );
    }
    Ok(password)
}

fn describe_created(user: &User) -> String {
    format!("Created user {}, {}", one_line(&user.name), wire_name(&user.role))
}

fn print_link(
    context: &CliContext,
    client: &ApiClient,
    link: &UserLink,
    what: &str,
) -> Result<(), CliError> {
    let url = format!("{}/welcome#code={}", client.url(), link.code.expose());
    let document = json!({ "user": link.user, "url": url, "expires_at": link.expires_at });
    context.output.print_result(&document, || {
        format!(
            "{what} {}. The user sets a password at\n{url}\nThe link works once and expires {}. It signs in, so send it only to them.",
            one_line(&link.user.name),
            context.now.until(&link.expires_at)
        )
    })
}

async fn list(context: &CliContext) -> Result<(), CliError> {
    let client = context.client()?;
    let page =
        collect_pages(MOST_USERS, async |page: PageQuery| client.users().fetch_page(&page).await)
            .await?;
    let mut table = TextTable::new(&["name", "role", "since"]);
    for user in &page.items {
        table.row([
            (TextStyle::Bold, &user.name),
            (TextStyle::Plain, &wire_name(&user.role)),
            (TextStyle::Dim, &context.now.ago(&user.created_at)),
        ]);
    }
    context.output.print_table(&page, &table)?;
    if let Some(text) = truncation_note(&page) {
        context.output.print_note(text);
    }
    Ok(())
}
