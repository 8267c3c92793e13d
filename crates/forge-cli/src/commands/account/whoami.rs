//! The command `forge whoami`.

use clap::Args;
use forge_api::{AuthMethod, CallerInfo};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::{actor_name, wire_name};

/// Show who you are on the server, and how you are signed in
#[derive(Debug, Args)]
pub(crate) struct WhoamiArgs {}

impl WhoamiArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let me = client.accounts().fetch_me().await?;
        context.output.print_result(&me, || {
            format!("{}  by {}  on {}", describe_caller(&me), describe_method(me.via), client.url())
        })
    }
}

fn describe_caller(me: &CallerInfo) -> String {
    match &me.user {
        Some(user) => format!("{}  {}", one_line(&user.name), wire_name(&user.role)),
        None => one_line(&actor_name(&me.actor)),
    }
}

fn describe_method(method: AuthMethod) -> &'static str {
    match method {
        AuthMethod::Session => "a browser session",
        AuthMethod::Token => "token",
        AuthMethod::Execution => "the token of an execution, for its task only",
    }
}
