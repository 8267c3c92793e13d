//! The token of an execution (E-3): issued per execution, stored as a hash, invalid after its end.

use crate::command::errors::EngineError;
use crate::engine::Engine;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forge_domain::ExecutionId;
use forge_store::tables;
use sha2::{Digest, Sha256};

/// Prefix of every bearer token of Forge.
const PREFIX: &str = "fg_";

impl Engine {
    /// Issues an execution's token and replaces an earlier one.
    pub(crate) async fn issue_token(&self, execution: ExecutionId) -> Result<String, EngineError> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            EngineError::Corrupt(format!("the operating system gave no random bytes: {error}"))
        })?;
        let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(&token));
        let write = self.db().write(move |tx| {
            let hash = hash.clone();
            Box::pin(async move { tables::execution_tokens::put(tx, execution, &hash).await })
        });
        write.await?;
        Ok(token)
    }
}
