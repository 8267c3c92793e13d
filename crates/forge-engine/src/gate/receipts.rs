//! Receipts (M-5): proof that a tree passed given checks. An equal tree is not checked twice, and only a tree with a
//! receipt lands.

use crate::command::errors::EngineError;
use forge_domain::project::ProjectSetup;
use forge_domain::task::ReviewConfig;
use forge_domain::{CanonicalJson, ChecksHash, ReceiptKey, RepoId};
use forge_store::{Db, tables};
use serde_json::json;

pub use forge_store::tables::receipts::ReceiptRow;

/// Default timeout of one check.
pub(crate) const DEFAULT_TIMEOUT_SECONDS: u64 = 1800;

/// The timeout of one check.
pub(crate) fn timeout_seconds(config: &ReviewConfig) -> u64 {
    config.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS)
}

/// Hash of everything besides the tree that can change a result: the steps, their order and timeout, and the project's
/// setup and environment. Values that differ per task (id, branch, port numbers) and the machine do not count.
pub(crate) fn checks_hash(config: &ReviewConfig, setup: &ProjectSetup) -> ChecksHash {
    let said = json!({
        "ci_steps": config.ci_steps,
        "setup_steps": config.setup_steps,
        "timeout_seconds": timeout_seconds(config),
        "setup": {
            "commands": setup.commands,
            "timeout_seconds": setup.timeout_seconds(),
            "env": setup.env,
            "ports": setup.ports,
        },
    });
    ChecksHash::new(CanonicalJson::of(said).digest())
}

/// The stored receipts.
#[derive(Debug, Clone)]
pub struct Receipts {
    pub(crate) db: Db,
}

impl Receipts {
    /// The receipt of a tree under these checks, if they ever passed on it.
    pub async fn receipt_for(
        &self,
        repo: RepoId,
        tree: &str,
        checks: &ChecksHash,
    ) -> Result<Option<ReceiptRow>, EngineError> {
        let key = ReceiptKey { tree: tree.to_owned(), checks: checks.clone() };
        Ok(tables::receipts::find(&self.db, repo, &key).await?)
    }

    /// Stores a receipt. The first receipt of a tree stays; a second one adds nothing.
    pub async fn record_receipt(&self, receipt: ReceiptRow) -> Result<(), EngineError> {
        let write = self.db.write(move |tx| {
            let receipt = receipt.clone();
            Box::pin(async move { tables::receipts::put(tx, &receipt).await })
        });
        Ok(write.await?)
    }
}

/// The hash of a project's current checks with this configuration.
pub(crate) fn checks_of(
    project: &tables::projects::ProjectRow,
    config: &ReviewConfig,
) -> Result<ChecksHash, EngineError> {
    Ok(checks_hash(config, project.settings.setup()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn setup(value: serde_json::Value) -> ProjectSetup {
        serde_json::from_value(value).expect("a setup")
    }

    #[test]
    fn m_5_everything_that_can_change_a_result_changes_the_checks_hash() {
        let plain = ReviewConfig { ci_steps: vec!["a".into(), "b".into()], ..Default::default() };
        let nothing = ProjectSetup::default();
        let first = checks_hash(&plain, &nothing);
        let same = ReviewConfig {
            timeout_seconds: Some(DEFAULT_TIMEOUT_SECONDS),
            review_prompt: Some("be kind".into()),
            ..plain.clone()
        };
        assert_eq!(
            checks_hash(&same, &nothing),
            first,
            "the default timeout, and a text for reviewers only"
        );
        let others = [
            checks_hash(
                &ReviewConfig { ci_steps: vec!["b".into(), "a".into()], ..plain.clone() },
                &nothing,
            ),
            checks_hash(&ReviewConfig { ci_steps: vec!["a\nb".into()], ..plain.clone() }, &nothing),
            checks_hash(&ReviewConfig { setup_steps: vec!["c".into()], ..plain.clone() }, &nothing),
            checks_hash(&ReviewConfig { timeout_seconds: Some(1), ..plain.clone() }, &nothing),
            checks_hash(&plain, &setup(json!({ "commands": ["x"] }))),
            checks_hash(&plain, &setup(json!({ "env": { "A": "1" } }))),
            checks_hash(&plain, &setup(json!({ "env": { "A": "2" } }))),
            checks_hash(&plain, &setup(json!({ "ports": 1 }))),
        ];
        for (place, other) in others.iter().enumerate() {
            assert_ne!(*other, first, "{place}");
            assert!(!others[..place].contains(other), "{place}");
        }
    }
}
