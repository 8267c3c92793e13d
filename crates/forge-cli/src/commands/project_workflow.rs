//! `forge project workflow`

use std::collections::BTreeMap;

use clap::Args;
use forge_api::{ReplaceWorkflow, StateKind, StateView, WorkflowView};
use forge_domain::workflow::{Definition, Kind, StateDefinition};

use super::workflow_file;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::fetch_project;
use crate::table::one_line;

/// Show a project's workflow, or put another in its place
///
/// Tasks that have not ended go on in the new workflow, each in the state of the same name. Say with --map where those
/// go whose state is called otherwise there, or is gone; the new state must be of the same kind as the old one.
#[derive(Debug, Args)]
pub(crate) struct ProjectWorkflow {
    /// The project, by name or identifier
    project: String,
    /// The new workflow: a built-in one's name, or a workflow file
    workflow: Option<String>,
    /// The state that takes the tasks of an old one
    #[arg(long, value_name = "OLD=NEW", value_parser = entry, requires = "workflow")]
    map: Vec<(String, String)>,
    /// Draw the graph for Mermaid
    #[arg(long, conflicts_with = "workflow")]
    mermaid: bool,
}

impl ProjectWorkflow {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let Some(given) = &self.workflow else {
            let id = fetch_project(&client, &self.project).await?.id;
            let view = client.fetch_workflow(id).await?;
            return context.output.result(&view, || drawing(&view, self.mermaid));
        };
        let workflow = workflow_file::choose(given)?;
        let mapping = mapping(&self.map)?;
        let project = fetch_project(&client, &self.project).await?;
        let request = ReplaceWorkflow { version: project.version, workflow, mapping };
        let changed = client.replace_workflow(project.id, &request).await?;
        context.output.result(&changed, || {
            let (project, workflow) = (one_line(&changed.name), one_line(&changed.workflow.name));
            format!("Project {project} has the workflow {workflow} now")
        })
    }
}

fn entry(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => {
            Ok((old.to_owned(), new.to_owned()))
        }
        _ => Err("write OLD=NEW, two names of states".to_owned()),
    }
}

fn mapping(entries: &[(String, String)]) -> Result<BTreeMap<String, String>, Failure> {
    let mut mapping = BTreeMap::new();
    for (old, new) in entries {
        if mapping.insert(old.clone(), new.clone()).is_some() {
            return Err(Failure::usage(format!("`{old}` is mapped twice"))
                .hint("give each old state one --map"));
        }
    }
    Ok(mapping)
}

fn drawing(view: &WorkflowView, mermaid: bool) -> String {
    let definition = Definition {
        name: view.name.clone(),
        initial: view.initial.clone(),
        fault: view.fault.clone(),
        cancel: view.cancel.clone(),
        state: view.states.iter().map(state).collect(),
    };
    if mermaid { definition.as_mermaid() } else { definition.as_text() }
}

/// What a drawing shows of a state: its name, its kind and where it leads.
fn state(view: &StateView) -> StateDefinition {
    let targets = view.targets.clone();
    StateDefinition {
        name: view.name.clone(),
        kind: kind(view.kind),
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
        manual: targets.manual,
        outcome: None,
        cleanup: None,
        cleanup_seconds: None,
    }
}

fn kind(kind: StateKind) -> Kind {
    match kind {
        StateKind::Queue => Kind::Queue,
        StateKind::Work => Kind::Work,
        StateKind::Gate => Kind::Gate,
        StateKind::Merge => Kind::Merge,
        StateKind::Hold => Kind::Hold,
        StateKind::Terminal => Kind::Terminal,
    }
}
