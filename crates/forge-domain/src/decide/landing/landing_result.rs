//! The end of a landing (M-6 to M-9).

use crate::decide::decision_builder::DecisionBuilder;
use crate::land_result::LandResult;
use crate::task::{AnnotationType, PullRequest, TaskActivity};
use crate::workflow::StateBehaviour;
use crate::{Effect, Refusal, TaskEvent};

impl DecisionBuilder<'_> {
    /// Records a change of the pull request, and clears the annotation about an unreachable remote.
    pub(crate) fn record_pull_request(&mut self, seen: &PullRequest) {
        let waited = self.task.annotation.as_ref().is_some_and(|known| {
            known.kind == AnnotationType::PushFailed && known.details["kind"] == "network"
        });
        if waited {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
        if self.task.pull_request.as_ref() != Some(seen) {
            self.emit(TaskEvent::PullRequestChanged { pull_request: seen.clone() });
        }
    }

    pub(crate) fn landing_ended(&mut self, visit: u64, result: &LandResult) -> Result<(), Refusal> {
        let finished = TaskEvent::MergeFinished { result: result.clone() };
        let state = self.state()?;
        let (StateBehaviour::Merge { merged, conflict, rejected, .. }, true) =
            (&state.behaviour, visit == self.task.visit)
        else {
            if matches!(result, LandResult::Merged { .. }) {
                // The target ref had moved before the task was cancelled, so the landing is recorded.
                let another = self.task.activity == Some(TaskActivity::Landing);
                self.emit(finished);
                if another {
                    // Another landing of this task is under way, and it continues.
                    self.emit(TaskEvent::MergeStarted);
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
                self.enter_state(merged, false, None)?;
                if self.facts.verifies_landings {
                    self.plan_effect(Effect::VerifyLanding { commit: commit.clone() });
                }
                Ok(())
            }
            LandResult::NothingToMerge { .. } => {
                self.emit(finished);
                self.enter_state(merged, false, Some("nothing_to_merge"))
            }
            LandResult::Conflict { files, target, hunks, culprits } => {
                self.emit(finished);
                let mut message = format!("conflicts with {target} in {}", files.join(", "));
                if !culprits.is_empty() {
                    message.push_str(&format!("; landed there meanwhile: {}", culprits.join(", ")));
                }
                let details = serde_json::json!({
                    "files": files, "target": target, "hunks": hunks, "culprits": culprits,
                });
                self.landing_failed(
                    conflict,
                    result,
                    (AnnotationType::MergeConflict, message, details),
                )
            }
            LandResult::ChecksFailed { target, commit, results, culprits } => {
                self.emit(finished);
                let failed = results.iter().find(|one| !one.is_accepted());
                let which = failed.map_or("the checks", |failed| failed.command.as_str());
                let mut message = format!(
                    "`{which}` fails on {target} with the branch on top; nothing has landed"
                );
                if !culprits.is_empty() {
                    message.push_str(&format!("; it fails with {}", culprits.join(", ")));
                }
                let details = serde_json::json!({
                    "target": target, "commit": commit, "results": results, "culprits": culprits,
                });
                let trouble = (AnnotationType::MergeChecksFailed, message, details);
                self.landing_failed(rejected, result, trouble)
            }
            LandResult::RemoteChecksFailed { target, commit, pull_request, failed } => {
                self.emit(finished);
                let names: Vec<&str> = failed.iter().map(|one| one.name.as_str()).collect();
                let names = names.join(", ");
                let message = format!(
                    "checks of pull request {pull_request} failed: {names}; nothing has landed"
                );
                let details = serde_json::json!({
                    "target": target, "commit": commit, "pull_request": pull_request, "failed": failed,
                });
                let trouble = (AnnotationType::MergeChecksFailed, message, details);
                self.landing_failed(rejected, result, trouble)
            }
            LandResult::Unreviewed { reviewed, head } => {
                self.emit(finished);
                let message = "the branch has moved since its review; hand the task in again";
                let details = serde_json::json!({ "reviewed": reviewed, "head": head });
                self.park(AnnotationType::Unreviewed, message, details)
            }
            LandResult::RevertsLanded { target, files } => {
                self.emit(finished);
                let message = format!(
                    "the branch would take back what others landed on {target} in {}, which this task did not change; \
                     nothing has landed: bring these files back (git checkout {target} -- FILE), or say in a commit \
                     that they are to be set back (trailer Forge-Reverts: FILE), and hand the task in again",
                    files.join(", ")
                );
                let details = serde_json::json!({ "target": target, "files": files });
                self.park(AnnotationType::RevertsLanded, &message, details)
            }
            LandResult::CheckoutDirty { checkout, files, moved_under } => {
                // The effect stays open and checks again; the same finding is annotated once.
                let details = match moved_under {
                    None => serde_json::json!({ "checkout": checkout, "files": files }),
                    Some(target) => serde_json::json!({
                        "checkout": checkout, "files": files, "moved_under": target,
                    }),
                };
                let said = self.task.annotation.as_ref().is_some_and(|known| {
                    known.kind == AnnotationType::TargetCheckoutDirty && known.details == details
                });
                if !said {
                    let message = match moved_under {
                        None => format!(
                            "uncommitted changes in {checkout} block the landing; commit or move them, then it continues"
                        ),
                        Some(target) => format!(
                            "{target} was moved under {checkout} by something other than Forge, and a commit there would take \
                             back {}; bring it up to date there (`git restore --staged --worktree -- FILE`, or commit what \
                             is staged on purpose) and the landing goes on by itself",
                            files.join(", ")
                        ),
                    };
                    self.annotate(AnnotationType::TargetCheckoutDirty, message, details);
                }
                Ok(())
            }
            LandResult::DependencyOpen { tasks } => {
                let details = serde_json::json!({ "unfinished": tasks });
                let message = format!(
                    "{} must land first; then the landing continues by itself",
                    tasks.join(", ")
                );
                self.annotate_once(AnnotationType::DependencyOpen, message, details);
                Ok(())
            }
            LandResult::TargetLocked { target, lock } => {
                let details = serde_json::json!({ "target": target, "lock": lock });
                let message = format!(
                    "another git holds {lock}; wait for it, or remove the file if none runs, and the landing goes on by itself"
                );
                self.annotate_once(AnnotationType::TargetLocked, message, details);
                Ok(())
            }
            LandResult::PushWaits { url, message } => {
                let next = "Forge retries it by itself";
                let details = serde_json::json!({
                    "kind": "network", "url": url, "message": message, "next_step": next,
                });
                // The error text may differ each time; the task is annotated once.
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

    /// Annotates a finding once, although a waiting effect reports it repeatedly.
    fn annotate_once(&mut self, kind: AnnotationType, message: String, details: serde_json::Value) {
        let known = self.task.annotation.as_ref();
        if known.is_none_or(|known| known.kind != kind || known.details != details) {
            self.annotate(kind, message, details);
        }
    }
}
