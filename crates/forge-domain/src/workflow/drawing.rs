//! Drawings of a workflow without a server (F-7): a text outline and a Mermaid graph.

use crate::workflow::{WorkflowDefinition, WorkflowStateKind};
use std::fmt::Write as _;

impl WorkflowDefinition {
    /// The states with their edges, one block each.
    pub fn as_text(&self) -> String {
        let mut out = String::new();
        for state in &self.state {
            let mark = if state.name == self.initial { " (initial)" } else { "" };
            let _ = writeln!(out, "{} [{}]{mark}", state.name, state.kind);
            for edge in state.edges() {
                let _ = writeln!(out, "  {:<12} → {}", edge.field, edge.target);
            }
        }
        out
    }

    /// A Mermaid flowchart.
    pub fn as_mermaid(&self) -> String {
        let mut out = String::from("flowchart LR\n");
        for (i, state) in self.state.iter().enumerate() {
            let (open, close) = match state.kind {
                WorkflowStateKind::Queue => ("([", "])"),
                WorkflowStateKind::Work => ("[", "]"),
                WorkflowStateKind::Gate => ("{", "}"),
                WorkflowStateKind::Merge => ("[[", "]]"),
                WorkflowStateKind::Hold => ("[/", "/]"),
                WorkflowStateKind::Terminal => ("((", "))"),
            };
            let _ = writeln!(out, "  s{i}{open}\"{}\"{close}", state.name);
        }
        for (i, state) in self.state.iter().enumerate() {
            for edge in state.edges() {
                let Some(to) = self.state.iter().position(|other| other.name == edge.target) else {
                    continue;
                };
                let arrow = if edge.field == "manual" { "-.->" } else { "-->" };
                let _ = writeln!(out, "  s{i} {arrow}|{}| s{to}", edge.field);
            }
        }
        out
    }
}
