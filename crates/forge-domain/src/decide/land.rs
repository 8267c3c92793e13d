//! The end of a landing (M-6 to M-9).

use super::draft::Draft;
use crate::land_result::LandResult;
use crate::task::{Activity, AnnotationType, PullRequest};
use crate::workflow::Behaviour;
use crate::{Effect, Event, Refusal};

impl Draft<'_> {
    /// What was seen is said once; whoever waited for an answer has it now.
    pub(super) fn pull_request_seen(&mut self, seen: &PullRequest) {
        let waited = self.task.annotation.as_ref().is_some_and(|known| {
            known.kind == AnnotationType::PushFailed && known.details["kind"] == "network"
        });
        if waited {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
        if self.task.pull_request.as_ref() != Some(seen) {
            self.emit(Event::PullRequestChanged { pull_request: seen.clone() });
        }
    }

    pub(super) fn landing_ended(&mut self, visit: u64, result: &LandResult) -> Result<(), Refusal> {
        let finished = Event::MergeFinished { result: result.clone() };
        let state = self.state()?;
        let (Behaviour::Merge { merged, conflict }, true) =
            (&state.behaviour, visit == self.task.visit)
        else {
            if matches!(result, LandResult::Merged { .. }) {
                // Facts are facts: the ref had moved before the task was called off.
                let another = self.task.activity == Some(Activity::Landing);
                self.emit(finished);
                if another {
                    // The one that ended was not the one under way now.
                    self.emit(Event::MergeStarted);
                }
                let message = "the branch landed while the task was being moved; revert it if it must not stay";
                self.annotate(
                    AnnotationType::LandedAfterAll,
                    message,
                    serde_json::json!({ "result": result }),
                );
            }
            return Ok(());
        };
        match result {
            LandResult::Merged { commit, .. } => {
                self.emit(finished);
                self.arrive(merged, false, None)?;
                if self.facts.verifies_landings {
                    self.want(Effect::VerifyLanding { commit: commit.clone() });
                }
                Ok(())
            }
            LandResult::NothingToMerge { .. } => {
                self.emit(finished);
                self.arrive(merged, false, Some("nothing_to_merge"))
            }
            LandResult::Conflict { files, target, hunks, culprits } => {
                self.emit(finished);
                let message = format!("conflicts with {target} in {}", files.join(", "));
                self.arrive(conflict, false, Some(&message))?;
                let details = serde_json::json!({
                    "files": files, "target": target, "hunks": hunks, "culprits": culprits,
                });
                self.annotate(AnnotationType::MergeConflict, message, details);
                Ok(())
            }
            LandResult::ChecksFailed { target, commit, results, culprits } => {
                self.emit(finished);
                let failed = results.iter().find(|one| !one.has_passed());
                let which = failed.map_or("the checks", |failed| failed.command.as_str());
                let message = format!(
                    "`{which}` fails on {target} with the branch on top; nothing has landed"
                );
                self.arrive(conflict, false, Some(&message))?;
                let details = serde_json::json!({
                    "target": target, "commit": commit, "results": results, "culprits": culprits,
                });
                self.annotate(AnnotationType::MergeChecksFailed, message, details);
                Ok(())
            }
            LandResult::RemoteChecksFailed { target, commit, pull_request, failed } => {
                self.emit(finished);
                let names: Vec<&str> = failed.iter().map(|one| one.name.as_str()).collect();
                let names = names.join(", ");
                let message = format!(
                    "checks of pull request {pull_request} failed: {names}; nothing has landed"
                );
                self.arrive(conflict, false, Some(&message))?;
                let details = serde_json::json!({
                    "target": target, "commit": commit, "pull_request": pull_request, "failed": failed,
                });
                self.annotate(AnnotationType::MergeChecksFailed, message, details);
                Ok(())
            }
            LandResult::Unreviewed { reviewed, head } => {
                self.emit(finished);
                let message = "the branch has moved since its review; hand the task in again";
                let details = serde_json::json!({ "reviewed": reviewed, "head": head });
                self.park(AnnotationType::Unreviewed, message, details)
            }
            LandResult::CheckoutDirty { checkout, files } => {
                // The step stays open and looks again; the same finding is said once.
                let details = serde_json::json!({ "checkout": checkout, "files": files });
                let said = self.task.annotation.as_ref().is_some_and(|known| {
                    known.kind == AnnotationType::TargetCheckoutDirty && known.details == details
                });
                if !said {
                    let message = format!(
                        "local changes in {checkout} stand in the way; commit or move them and the landing goes on by itself"
                    );
                    self.annotate(AnnotationType::TargetCheckoutDirty, message, details);
                }
                Ok(())
            }
            LandResult::PushWaits { url, message } => {
                let next = "it is tried again by itself";
                let details = serde_json::json!({
                    "kind": "network", "url": url, "message": message, "next_step": next,
                });
                // The words may differ each time; that it waits is said once.
                let said = self.task.annotation.as_ref().is_some_and(|known| {
                    known.kind == AnnotationType::PushFailed
                        && known.details.get("kind") == details.get("kind")
                });
                if !said {
                    let message = format!("{url} cannot be reached ({message}); {next}");
                    self.annotate(AnnotationType::PushFailed, message, details);
                }
                Ok(())
            }
        }
    }
}
