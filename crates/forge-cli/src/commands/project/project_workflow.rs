//! The command `forge project workflow`.

use std::collections::BTreeMap;

use clap::Args;
use forge_api::{ReplaceWorkflow, StateKind, StateView, WorkflowView};
use forge_domain::workflow::{StateDefinition, WorkflowDefinition, WorkflowStateKind};

use crate::cli_error::CliError;
use crate::commands::workflow::workflow_file;
use crate::context::CliContext;
use crate::lookup::fetch_project;
use crate::terminal::text_table::one_line;

/// Show a project's workflow, or replace it
///
/// Open tasks continue in the new workflow, each in the state of the same name. Use --map for states that are renamed
/// or missing in the new workflow; the new state must be of the same kind as the old one.
#[derive(Debug, Args)]
pub(crate) struct ProjectWorkflowArgs {
    /// Project name or identifier
    project: String,
    /// New workflow: the name of a built-in one, or a workflow file
    workflow: Option<String>,
    /// New state for the tasks of an old state
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_mapping_entry, requires = "workflow")]
    map: Vec<(String, String)>,
    /// Print the graph for Mermaid
    #[arg(long, conflicts_with = "workflow")]
    mermaid: bool,
}

impl ProjectWorkflowArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let Some(given) = &self.workflow else {
            let id = fetch_project(&client, &self.project).await?.id;
            let view = client.projects().fetch_workflow(id).await?;
            return context.output.print_result(&view, || draw_workflow(&view, self.mermaid));
        };
        let workflow = workflow_file::choose_workflow(given)?;
        let mapping = build_mapping(&self.map)?;
        let project = fetch_project(&client, &self.project).await?;
        let request = ReplaceWorkflow { version: project.version, workflow, mapping };
        let changed = client.projects().replace_workflow(project.id, &request).await?;
        context.output.print_result(&changed, || {
            let (project, workflow) = (one_line(&changed.name), one_line(&changed.workflow.name));
            format!("Project {project} has the workflow {workflow} now")
        })
    }
}

fn parse_mapping_entry(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => {
            Ok((old.to_owned(), new.to_owned()))
        }
        _ => Err("write OLD=NEW, with the names of two states".to_owned()),
    }
}

fn build_mapping(entries: &[(String, String)]) -> Result<BTreeMap<String, String>, CliError> {
    let mut mapping = BTreeMap::new();
    for (old, new) in entries {
        if mapping.insert(old.clone(), new.clone()).is_some() {
            return Err(CliError::usage(format!("`{old}` is mapped twice"))
                .hint("give each old state one --map"));
        }
    }
    Ok(mapping)
}

fn draw_workflow(view: &WorkflowView, mermaid: bool) -> String {
    let definition = WorkflowDefinition {
        name: view.name.clone(),
        initial: view.initial.clone(),
        fault: view.fault.clone(),
        cancel: view.cancel.clone(),
        state: view.states.iter().map(drawn_state).collect(),
    };
    if mermaid { definition.as_mermaid() } else { definition.as_text() }
}

/// The parts of a state that a drawing shows: name, kind and transitions.
fn drawn_state(view: &StateView) -> StateDefinition {
    let targets = view.targets.clone();
    StateDefinition {
        name: view.name.clone(),
        kind: drawn_kind(view.kind),
        phase: None,
        role: view.role.clone(),
        optional: view.optional,
        claimable: view.claimable,
        claim_target: targets.claim,
        done: targets.done,
        failed: targets.failed,
        pass: targets.pass,
        reject: targets.reject,
        exhausted: targets.exhausted,
        max_attempts: view.max_attempts,
        auto_advance: view.auto_advance,
        merged: targets.merged,
        conflict: targets.conflict,
        rejected: targets.rejected,
        manual: targets.manual,
        outcome: None,
        cleanup: None,
        cleanup_seconds: None,
    }
}

fn drawn_kind(kind: StateKind) -> WorkflowStateKind {
    match kind {
        StateKind::Queue => WorkflowStateKind::Queue,
        StateKind::Work => WorkflowStateKind::Work,
        StateKind::Gate => WorkflowStateKind::Gate,
        StateKind::Merge => WorkflowStateKind::Merge,
        StateKind::Hold => WorkflowStateKind::Hold,
        StateKind::Terminal => WorkflowStateKind::Terminal,
    }
}
