//! Requires a receipt before landing (M-5): of exactly the reviewed tree, under the current checks.

use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use forge_domain::task::AnnotationType;

impl EffectRun<'_> {
    /// Work that passed a gate needs its receipt, unless a person overrode the gate. Work without a gate needs none.
    pub(crate) async fn require_receipt(&self) -> Result<(), EffectError> {
        let (Some(reviewed), Some(repo)) = (&self.task.reviewed, self.task.repo_id) else {
            return Ok(());
        };
        if self.task.gate.is_overridden() {
            return Ok(());
        }
        let checks = self.engine.checks_of(&self.project, &self.task.review_config)?;
        let tree = self.task.gate.receipt.as_ref().map(|key| key.tree.as_str());
        if let Some(tree) = tree
            && self.engine.receipt_for(repo, tree, &checks).await?.is_some()
        {
            return Ok(());
        }
        let message = "there is no receipt for this work under the checks as they are now: they have changed since its \
                       review, or did not pass; hand the task in again";
        Err(EffectError::NeedsPerson {
            trouble: AnnotationType::Unreviewed,
            message: message.to_owned(),
            details: serde_json::json!({ "reviewed": reviewed, "tree": tree, "checks": checks }),
        })
    }
}
