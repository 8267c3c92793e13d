//! A task never lands before its dependencies (T-6).

use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use forge_domain::task::AnnotationType;
use forge_domain::workflow::TaskStanding;
use forge_domain::{EffectReport, LandResult};
use forge_store::tables;
use serde_json::json;

const LOOK_AGAIN_SECONDS: u64 = 5;

impl EffectRun<'_> {
    /// Waits for open dependencies; parks the task if one was cancelled or failed.
    pub(crate) async fn check_dependencies(&self) -> Result<(), EffectError> {
        let task = self.reload().await?;
        if task.dependencies.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = task.dependencies.iter().copied().collect();
        let dependencies = tables::tasks::load_many(self.engine.db(), &ids).await?;
        let keys = |wanted: fn(TaskStanding) -> bool| -> Vec<String> {
            let found = dependencies.iter().filter(|one| wanted(one.standing));
            found.map(|one| one.key().to_string()).collect()
        };
        let ended = keys(|standing| standing == TaskStanding::Ended);
        if !ended.is_empty() {
            let message = format!(
                "{} was cancelled or failed, so this does not land; remove the dependency and move the task back, or cancel it",
                ended.join(", ")
            );
            return Err(EffectError::NeedsPerson {
                trouble: AnnotationType::DependencyFailed,
                message,
                details: json!({ "ended": ended }),
            });
        }
        let open = keys(|standing| standing != TaskStanding::Succeeded);
        if open.is_empty() {
            return Ok(());
        }
        let error = format!("waits until {} has landed", open.join(", "));
        let result = LandResult::DependencyOpen { tasks: open };
        Err(EffectError::Waiting {
            report: Box::new(EffectReport::LandingEnded { visit: self.row.visit, result }),
            error,
            patience_seconds: LOOK_AGAIN_SECONDS,
        })
    }
}
