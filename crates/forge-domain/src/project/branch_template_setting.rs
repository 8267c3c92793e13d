//! The setting `branch_template`.

use crate::task::TaskKind;
use serde::{Deserialize, Serialize};

/// One branch template for all kinds of tasks, or one per kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "give one template, or a table with templates for task, session and run"
)]
pub enum BranchTemplateSetting {
    /// One template for all kinds.
    One(String),
    /// One template per kind.
    ByKind(BranchTemplatesByKind),
}

/// Branch templates by kind of task; absent ones have a default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BranchTemplatesByKind {
    pub task: Option<String>,
    pub session: Option<String>,
    pub run: Option<String>,
}

impl BranchTemplateSetting {
    /// The template of a kind of task, if one is set.
    pub fn template(&self, kind: TaskKind) -> Option<&str> {
        match self {
            Self::One(template) => Some(template),
            Self::ByKind(templates) => match kind {
                // A triage has no branch of its own; until it runs detached it is named like a task.
                TaskKind::Task | TaskKind::Triage => templates.task.as_deref(),
                TaskKind::Session => templates.session.as_deref(),
                TaskKind::Run => templates.run.as_deref(),
            },
        }
    }
}
