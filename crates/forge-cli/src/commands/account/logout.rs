//! The command `forge logout`.

use clap::Args;
use forge_client::ApiClient;
use serde_json::json;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::credentials::StoredCredentials;

/// Sign out of a server and remove its stored token
///
/// A token that `forge login` created is revoked too.
#[derive(Debug, Args)]
pub(crate) struct LogoutArgs {}

impl LogoutArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let url = context.url()?;
        let mut credentials = StoredCredentials::load(&context.environment)?;
        let Some(entry) = credentials.take(&url) else {
            let document = json!({ "url": url.to_string(), "signed_out": false });
            return context.output.print_result(&document, || format!("Not signed in to {url}"));
        };
        credentials.store()?;
        if let Some(id) = entry.token_id {
            let revoked =
                ApiClient::new(url.clone(), Some(&entry.token))?.tokens().revoke(id).await;
            if let Err(error) = revoked {
                context.output.print_note(&format!(
                    "The token still works, it could not be revoked: {error}"
                ));
            }
        }
        let document = json!({ "url": url.to_string(), "signed_out": true });
        context.output.print_result(&document, || format!("Signed out of {url}"))
    }
}
