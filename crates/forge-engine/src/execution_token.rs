//! What an execution's program proves itself with (E-3): made for one run, stored only as a hash, dead at its end.

use crate::engine::Engine;
use crate::errors::EngineError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forge_domain::ExecutionId;
use forge_store::tables;
use sha2::{Digest, Sha256};

/// As every bearer token of Forge begins.
const PREFIX: &str = "fg_";

impl Engine {
    /// Gives an execution its token, in the place of any before.
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
