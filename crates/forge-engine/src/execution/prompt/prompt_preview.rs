//! Builds the prompt of a task for a role; preview and execution use the same text.

use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::execution::prompt::own_template::{own_template, template_problem};
use crate::workspace::view::workspace_summary::WorkspaceViews;
use forge_agent::{AgentPrompt, DependencyResult, PromptMaterial, PromptTemplate, SubtaskSummary};
use forge_domain::project::InvalidSettingsError;
use forge_domain::task::{ExecutionPurpose, TaskSnapshot};
use forge_domain::workflow::{RoleName, StateBehaviour, Workflow};
use forge_domain::{CheckOutcome, CheckResult, Refusal, TaskId};
use forge_git::{DiffLimits, DiffScope};
use forge_store::Db;
use forge_store::tables::{self, reviews::ReviewRowStatus};

/// How much of a dependency's final output is passed on.
const LAST_WORDS: usize = 2000;
/// How much of a patch a judge gets in its prompt.
const LONGEST_PATCH: usize = 64 * 1024;

/// The prompt that a role would get now.
#[derive(Debug, Clone)]
pub struct PromptPreview {
    pub role: RoleName,
    pub purpose: ExecutionPurpose,
    /// Whether the project has its own template for the role.
    pub customised: bool,
    pub prompt: AgentPrompt,
}

/// Builds the prompts of agents.
#[derive(Debug, Clone)]
pub struct AgentPrompts {
    pub(crate) db: Db,
    pub(crate) records: RecordReader,
    pub(crate) views: WorkspaceViews,
}

impl AgentPrompts {
    /// Previews the prompt of a task for a role; by default for the role that claims the task.
    pub async fn prompt_preview(
        &self,
        task: &TaskSnapshot,
        role: Option<RoleName>,
    ) -> Result<PromptPreview, EngineError> {
        let workflow = self.records.workflow(&task.workflow).await?;
        let named = role.or_else(|| workflow.claim_role());
        let known = named.clone().filter(|role| workflow.roles().any(|known| known == role));
        let Some(role) = known else {
            let role = named.unwrap_or_else(|| RoleName::new(""));
            let roles = workflow.roles().map(ToString::to_string).collect();
            return Err(Refusal::UnknownRole { role, roles }.into());
        };
        let purpose = purpose_of(&workflow, task, &role);
        let settings = self.records.project(task.project_id).await?.settings;
        let customised = own_template(&settings, &role)?.is_some();
        let prompt = self.build_prompt(task, &role, purpose).await?;
        Ok(PromptPreview { role, purpose, customised, prompt })
    }

    /// Builds the prompt of a task for a role.
    pub(crate) async fn build_prompt(
        &self,
        task: &TaskSnapshot,
        role: &RoleName,
        purpose: ExecutionPurpose,
    ) -> Result<AgentPrompt, EngineError> {
        let settings = self.records.project(task.project_id).await?.settings;
        let own = own_template(&settings, role)?;
        let template = own.unwrap_or_else(|| PromptTemplate::built_in(purpose));
        let host = self.records.load_workspace_owner(task).await?;
        let material = PromptMaterial {
            task,
            role,
            purpose,
            dependencies: self.dependency_results(task).await?,
            subtasks: self.subtasks(task).await?,
            parent: task.turn().map(|_| &*host),
            failing_step: self.failing_step(task.id).await?,
            change: match purpose {
                ExecutionPurpose::Judge => self.load_patch(task).await,
                ExecutionPurpose::Work => None,
            },
        };
        AgentPrompt::build(&template, &material).map_err(|error| {
            InvalidSettingsError::from(template_problem(role.as_str(), &error)).into()
        })
    }

    /// The task's changes as a patch. If they cannot be read now, the judge looks at the files itself.
    async fn load_patch(&self, task: &TaskSnapshot) -> Option<String> {
        let found = self.views.diff(task, DiffScope::Branch, DiffLimits::default()).await.ok()?;
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
        task: &TaskSnapshot,
    ) -> Result<Vec<DependencyResult>, EngineError> {
        let ids: Vec<_> = task.dependencies.iter().copied().collect();
        let mut results = Vec::new();
        for other in tables::tasks::load_many(&self.db, &ids).await? {
            let runs = tables::executions::list_of_task(&self.db, other.id).await?;
            let last = runs.into_iter().rev().find(|run| run.purpose == ExecutionPurpose::Work);
            let words = last.and_then(|run| run.outcome).map(|outcome| output_tail(&outcome.tail));
            results.push(DependencyResult {
                key: other.key(),
                title: other.title,
                standing: other.standing,
                last_output: words,
            });
        }
        Ok(results)
    }

    async fn subtasks(&self, task: &TaskSnapshot) -> Result<Vec<SubtaskSummary>, EngineError> {
        let parts = self.records.load_subtasks(task).await?;
        let one = |part: TaskSnapshot| SubtaskSummary {
            key: part.key(),
            standing: part.standing,
            is_ordered_turn: part.turn().is_some(),
            title: part.title,
        };
        Ok(parts.into_iter().filter(|part| part.archived_at.is_none()).map(one).collect())
    }

    /// The failed check of the last review, if that review failed.
    async fn failing_step(&self, task: TaskId) -> Result<Option<CheckResult>, EngineError> {
        let reviews = tables::reviews::list_of_task(&self.db, task).await?;
        let last = reviews.into_iter().next_back();
        let failed = last.filter(|review| review.status == ReviewRowStatus::Failed);
        Ok(failed.and_then(|review| {
            review.results.into_iter().find(|result| result.outcome != CheckOutcome::Passed)
        }))
    }
}

/// A role judges if it is judging now, or if a gate names it and no work state does.
fn purpose_of(workflow: &Workflow, task: &TaskSnapshot, role: &RoleName) -> ExecutionPurpose {
    if let Some(run) = task.run.as_ref().filter(|run| run.role == *role) {
        return run.purpose;
    }
    let works = workflow.states().any(
        |state| matches!(&state.behaviour, StateBehaviour::Work { role: worker, .. } if worker == role),
    );
    if works { ExecutionPurpose::Work } else { ExecutionPurpose::Judge }
}

fn output_tail(output: &str) -> String {
    let start = output.len().saturating_sub(LAST_WORDS);
    let start = (start..=output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or(0);
    output.get(start..).unwrap_or_default().to_owned()
}
