//! `forge logout`

use clap::Args;
use forge_client::Client;
use serde_json::json;

use crate::context::Context;
use crate::credentials::Credentials;
use crate::failure::Failure;

/// Forget how to sign in to this server
///
/// A token that `forge login` made is revoked too.
#[derive(Debug, Args)]
pub(crate) struct Logout {}

impl Logout {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let url = context.url()?;
        let mut credentials = Credentials::load(&context.environment)?;
        let Some(entry) = credentials.take(&url) else {
            let document = json!({ "url": url.to_string(), "signed_out": false });
            return context.output.result(&document, || format!("Not signed in to {url}"));
        };
        credentials.store()?;
        if let Some(id) = entry.token_id {
            let revoked = Client::new(url.clone(), Some(&entry.token))?.revoke_token(id).await;
            if let Err(error) = revoked {
                context
                    .output
                    .note(&format!("The token still works, it could not be revoked: {error}"));
            }
        }
        let document = json!({ "url": url.to_string(), "signed_out": true });
        context.output.result(&document, || format!("Signed out of {url}"))
    }
}
