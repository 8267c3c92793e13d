//! What landing asks for (M-5): a receipt of exactly what was checked, under the checks as they are now.

use super::Failure;
use super::perform::Step;
use forge_domain::task::AnnotationType;

impl Step<'_> {
    /// Whatever came through a gate needs its receipt, unless a person stands for it. What no gate has seen needs none.
    pub(super) async fn ask_for_receipt(&self) -> Result<(), Failure> {
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
        Err(Failure::Final {
            trouble: AnnotationType::Unreviewed,
            message: message.to_owned(),
            details: serde_json::json!({ "reviewed": reviewed, "tree": tree, "checks": checks }),
        })
    }
}
