//! The prompt of a task for a role: the same for who looks and for who is told.

use super::settings::PromptSettings;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_agent::{DependencyResult, Prompt, PromptMaterial, PromptTemplate, Subtask};
use forge_domain::task::{Purpose, Snapshot};
use forge_domain::workflow::{Behaviour, RoleName, Workflow};
use forge_domain::{CheckOutcome, CheckResult, Refusal, TaskId};
use forge_git::{DiffLimits, DiffScope};
use forge_store::tables::{self, reviews::ReviewStatus};

/// How much of a dependency's last words is passed on.
const LAST_WORDS: usize = 2000;
/// How much of a change a judge finds in its prompt.
const LONGEST_PATCH: usize = 64 * 1024;

/// What a role would be told now.
#[derive(Debug, Clone)]
pub struct PromptPreview {
    /// Who.
    pub role: RoleName,
    /// What for.
    pub purpose: Purpose,
    /// Whether the project has a template of its own for the role.
    pub customised: bool,
    /// The words.
    pub prompt: Prompt,
}

impl Engine {
    /// What the role would be told about the task now; the role that carries the task when none is named.
    pub async fn prompt_preview(
        &self,
        task: &Snapshot,
        role: Option<RoleName>,
    ) -> Result<PromptPreview, EngineError> {
        let workflow = self.workflow(&task.workflow).await?;
        let named = role.or_else(|| workflow.claim_role());
        let known = named.clone().filter(|role| workflow.roles().any(|known| known == role));
        let Some(role) = known else {
            let role = named.unwrap_or_else(|| RoleName::new(""));
            let roles = workflow.roles().map(ToString::to_string).collect();
            return Err(Refusal::UnknownRole { role, roles }.into());
        };
        let purpose = purpose_of(&workflow, task, &role);
        let settings = self.project(task.project_id).await?.settings;
        let customised = PromptSettings::of(&settings)?.get(&role).is_some();
        let prompt = self.prompt(task, &role, purpose).await?;
        Ok(PromptPreview { role, purpose, customised, prompt })
    }

    /// What the role is told about the task.
    pub(crate) async fn prompt(
        &self,
        task: &Snapshot,
        role: &RoleName,
        purpose: Purpose,
    ) -> Result<Prompt, EngineError> {
        let settings = self.project(task.project_id).await?.settings;
        let own = PromptSettings::of(&settings)?.get(role).cloned();
        let template = own.unwrap_or_else(|| PromptTemplate::built_in(purpose));
        let host = self.host_of(task).await?;
        let material = PromptMaterial {
            task,
            role,
            purpose,
            dependencies: self.dependency_results(task).await?,
            subtasks: self.subtasks(task).await?,
            host: task.turn().map(|_| &*host),
            failing_step: self.failing_step(task.id).await?,
            change: match purpose {
                Purpose::Judge => self.change(task).await,
                Purpose::Work => None,
            },
        };
        Ok(Prompt::build(&template, &material))
    }

    /// The change of a task as a patch. One that cannot be read now is looked at by the judge itself.
    async fn change(&self, task: &Snapshot) -> Option<String> {
        let found = self.diff(task, DiffScope::Branch, DiffLimits::default()).await.ok()?;
        let patch = found.diff.to_patch();
        if patch.len() <= LONGEST_PATCH {
            return Some(patch);
        }
        let end = (0..=LONGEST_PATCH).rev().find(|at| patch.is_char_boundary(*at)).unwrap_or(0);
        let start = patch.get(..end).unwrap_or_default();
        Some(format!("{start}\n[{} more bytes: look at them with git]", patch.len() - end))
    }

    async fn dependency_results(
        &self,
        task: &Snapshot,
    ) -> Result<Vec<DependencyResult>, EngineError> {
        let ids: Vec<_> = task.dependencies.iter().copied().collect();
        let mut results = Vec::new();
        for other in tables::tasks::load_many(self.db(), &ids).await? {
            let runs = tables::executions::list_of_task(self.db(), other.id).await?;
            let last = runs.into_iter().rev().find(|run| run.purpose == Purpose::Work);
            let words = last.and_then(|run| run.outcome).map(|outcome| last_of(&outcome.tail));
            results.push(DependencyResult {
                key: other.key(),
                title: other.title,
                standing: other.standing,
                last_words: words,
            });
        }
        Ok(results)
    }

    async fn subtasks(&self, task: &Snapshot) -> Result<Vec<Subtask>, EngineError> {
        let parts = self.subtasks_of(task).await?;
        let one = |part: Snapshot| Subtask {
            key: part.key(),
            standing: part.standing,
            turn: part.turn().is_some(),
            title: part.title,
        };
        Ok(parts.into_iter().filter(|part| part.archived_at.is_none()).map(one).collect())
    }

    /// The check that sent the task back last; none once another attempt has come further.
    async fn failing_step(&self, task: TaskId) -> Result<Option<CheckResult>, EngineError> {
        let reviews = tables::reviews::list_of_task(self.db(), task).await?;
        let last = reviews.into_iter().next_back();
        let failed = last.filter(|review| review.status == ReviewStatus::Failed);
        Ok(failed.and_then(|review| {
            review.results.into_iter().find(|result| result.outcome != CheckOutcome::Passed)
        }))
    }
}

/// A role judges if a gate asks for it and no work does, or if it is judging right now.
fn purpose_of(workflow: &Workflow, task: &Snapshot, role: &RoleName) -> Purpose {
    if let Some(run) = task.run.as_ref().filter(|run| run.role == *role) {
        return run.purpose;
    }
    let works = workflow.states().any(
        |state| matches!(&state.behaviour, Behaviour::Work { role: worker, .. } if worker == role),
    );
    if works { Purpose::Work } else { Purpose::Judge }
}

fn last_of(output: &str) -> String {
    let start = output.len().saturating_sub(LAST_WORDS);
    let start = (start..=output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or(0);
    output.get(start..).unwrap_or_default().to_owned()
}
