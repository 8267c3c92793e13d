//! Receipts (M-5): what was checked and passed, so that an equal tree is not checked twice and only what has one lands.

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::registry::Setup;
use forge_domain::task::ReviewConfig;
use forge_domain::{Canonical, ChecksHash, ReceiptKey, RepoId};
use forge_store::tables;
use serde_json::json;

pub use forge_store::tables::receipts::Receipt;

/// How long one step may take where nobody says.
pub(crate) const DEFAULT_TIMEOUT_SECONDS: u64 = 1800;

/// How long one step of these checks may take.
pub(crate) fn timeout_seconds(config: &ReviewConfig) -> u64 {
    config.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS)
}

/// The hash of all that can change a result besides the tree: the steps, their order and their time, and what the project
/// does to a workspace and puts into its environment. What differs from task to task by nature (its id, its branch, the
/// numbers of its ports) does not count, nor does the machine.
pub(crate) fn checks_hash(config: &ReviewConfig, setup: &Setup) -> ChecksHash {
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
    ChecksHash::new(Canonical::of(said).digest())
}

impl Engine {
    /// The hash of how a project's tasks with this configuration are checked now.
    pub fn checks_of(
        &self,
        project: &tables::projects::Project,
        config: &ReviewConfig,
    ) -> Result<ChecksHash, EngineError> {
        Ok(checks_hash(config, &Setup::of(&project.settings)?))
    }

    /// The receipt of a tree under these checks, if they ever passed on it.
    pub async fn receipt_for(
        &self,
        repo: RepoId,
        tree: &str,
        checks: &ChecksHash,
    ) -> Result<Option<Receipt>, EngineError> {
        let key = ReceiptKey { tree: tree.to_owned(), checks: checks.clone() };
        Ok(tables::receipts::find(self.db(), repo, &key).await?)
    }

    /// Writes down that checks passed. The first receipt of a tree stays; a second one says nothing new.
    pub async fn record_receipt(&self, receipt: Receipt) -> Result<(), EngineError> {
        let write = self.db().write(move |tx| {
            let receipt = receipt.clone();
            Box::pin(async move { tables::receipts::put(tx, &receipt).await })
        });
        Ok(write.await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn setup(value: serde_json::Value) -> Setup {
        Setup::of(&json!({ "setup": value })).expect("a setup")
    }

    #[test]
    fn m_5_whatever_can_change_a_result_changes_the_hash_of_the_checks() {
        let plain = ReviewConfig { ci_steps: vec!["a".into(), "b".into()], ..Default::default() };
        let nothing = Setup::default();
        let first = checks_hash(&plain, &nothing);
        let same = ReviewConfig {
            timeout_seconds: Some(DEFAULT_TIMEOUT_SECONDS),
            review_prompt: Some("be kind".into()),
            ..plain.clone()
        };
        assert_eq!(
            checks_hash(&same, &nothing),
            first,
            "what is said out loud, or to somebody else"
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
