//! `forge user`

use std::io::{self, IsTerminal};

use clap::Subcommand;
use forge_api::{ChangePassword, Secret};
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::{prompt, text_source};

/// People: who you are to the server
#[derive(Debug, Subcommand)]
pub(crate) enum User {
    /// Change your password
    ///
    /// Asks for the old and the new one on the terminal, without echo. When standard input is piped, its first line is the
    /// old and its second line the new one. All other browsers are signed out; tokens stay valid.
    Password {
        /// You have none yet: only the new one is asked for
        #[arg(long)]
        first: bool,
    },
}

impl User {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let Self::Password { first } = self;
        let client = context.client()?;
        let change = if io::stdin().is_terminal() { ask(first).await? } else { read(first)? };
        client.change_password(&change).await?;
        context.output.result(&json!({ "changed": true }), || "Changed the password".to_owned())
    }
}

async fn ask(first: bool) -> Result<ChangePassword, Failure> {
    let old_password = if first { None } else { Some(prompt::secret("Old password").await?) };
    let new_password = prompt::secret("New password").await?;
    if prompt::secret("New password again").await? != new_password {
        return Err(
            Failure::usage("the two are not the same").hint("nothing was changed; try again")
        );
    }
    Ok(ChangePassword { old_password, new_password })
}

fn read(first: bool) -> Result<ChangePassword, Failure> {
    let text = text_source::read("-")?;
    let lines: Vec<&str> = text.lines().collect();
    let (old, new) = match (first, lines.as_slice()) {
        (true, [new]) => (None, new),
        (false, [old, new]) => (Some(Secret::new(*old)), new),
        (first, _) => {
            let wanted = if first {
                "the new password in one line"
            } else {
                "the old password in one line and the new one in the next"
            };
            return Err(Failure::usage(format!("standard input must have {wanted}")));
        }
    };
    Ok(ChangePassword { old_password: old, new_password: Secret::new(*new) })
}
