//! The command `forge user`.

use std::io::{self, IsTerminal};

use clap::Subcommand;
use forge_api::{ChangePassword, SecretString};
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::account::user_accounts::UserAccountsSubcommand;
use crate::context::CliContext;
use crate::terminal::{secret_prompt, text_source};

/// Users: your own account, and those of others
#[derive(Debug, Subcommand)]
pub(crate) enum UserSubcommand {
    /// Change your password
    ///
    /// Asks for the old and the new password on the terminal, without echo. When standard input is piped, its first
    /// line is the old and its second line the new password. All other browsers are signed out; tokens stay valid.
    Password {
        /// You have no password yet: ask only for the new one
        #[arg(long)]
        first: bool,
    },
    #[command(flatten)]
    Accounts(UserAccountsSubcommand),
}

impl UserSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let first = match self {
            Self::Password { first } => first,
            Self::Accounts(accounts) => return accounts.run(context).await,
        };
        let client = context.client()?;
        let change = if io::stdin().is_terminal() {
            ask_passwords(first).await?
        } else {
            read_passwords(first)?
        };
        client.accounts().change_password(&change).await?;
        context
            .output
            .print_result(&json!({ "changed": true }), || "Changed the password".to_owned())
    }
}

async fn ask_passwords(first: bool) -> Result<ChangePassword, CliError> {
    let old_password =
        if first { None } else { Some(secret_prompt::read_secret("Old password").await?) };
    let new_password = secret_prompt::read_secret("New password").await?;
    if secret_prompt::read_secret("New password again").await? != new_password {
        return Err(
            CliError::usage("the two passwords differ").hint("nothing was changed; try again")
        );
    }
    Ok(ChangePassword { old_password, new_password })
}

fn read_passwords(first: bool) -> Result<ChangePassword, CliError> {
    let text = text_source::read_text("-")?;
    let lines: Vec<&str> = text.lines().collect();
    let (old, new) = match (first, lines.as_slice()) {
        (true, [new]) => (None, new),
        (false, [old, new]) => (Some(SecretString::new(*old)), new),
        (first, _) => {
            let wanted = if first {
                "the new password in one line"
            } else {
                "the old password in one line and the new one in the next"
            };
            return Err(CliError::usage(format!("standard input must have {wanted}")));
        }
    };
    Ok(ChangePassword { old_password: old, new_password: SecretString::new(*new) })
}
