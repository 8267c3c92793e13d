//! Becoming part of another task (T-17).

use crate::Refusal;
use crate::command::Create;
use crate::task::{Snapshot, Subtask, TaskKind, Turn};
use crate::workflow::Standing;

/// How many tasks may be above one another.
const DEEPEST: u32 = 4;
const MOST_TURNS: usize = 200;

pub(super) const TURNS_WAIT_FOR_NOTHING: &str = "an ordered turn waits for the turns before it and nothing else, and \
                                                 nobody waits for it; let its parent wait, or be waited for";

/// How a new task is to be part of its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedSubtask {
    /// With a workspace and a life of its own.
    Independent {
        /// Whether it lands on its parent's branch rather than where others land.
        onto_parent: bool,
    },
    /// As a turn in its parent's workspace.
    OrderedTurn {
        /// Its place; after all others if left out.
        order: Option<i64>,
    },
}

impl Default for AskedSubtask {
    fn default() -> Self {
        Self::Independent { onto_parent: false }
    }
}

/// Makes a new task part of another of its project, by the other's state at this moment; `last` is the greatest place
/// among the turns it has.
pub fn part_of(
    parent: &Snapshot,
    last: Option<i64>,
    asked: AskedSubtask,
    task: &mut Create,
) -> Result<(), Refusal> {
    let field = |field, problem: String| Err(Refusal::InvalidField { field, problem });
    if parent.turn().is_some() {
        let problem = format!(
            "{} is an ordered turn, which has no parts; make it part of the turn's parent",
            parent.key()
        );
        return field("parent", problem);
    }
    task.parent = Some(parent.id);
    match asked {
        AskedSubtask::Independent { onto_parent } => {
            let depth = parent.depth() + 1;
            if depth > DEEPEST {
                let problem = format!("at most {DEEPEST} tasks can be above one another");
                return field("parent", problem);
            }
            task.subtask = Some(Subtask::Independent { depth });
            if onto_parent { lands_on(parent, task) } else { Ok(()) }
        }
        AskedSubtask::OrderedTurn { order } => {
            if matches!(parent.standing, Standing::Succeeded | Standing::Ended) {
                return Err(Refusal::TaskTerminal { key: parent.key() });
            }
            if parent.standing == Standing::Submitted {
                let problem = format!(
                    "{} has been handed in; move it back to work before it gets another turn",
                    parent.key()
                );
                return field("parent", problem);
            }
            if parent.turns.len() >= MOST_TURNS {
                return field("parent", format!("a task has at most {MOST_TURNS} turns"));
            }
            if task.kind != TaskKind::Task {
                return field("kind", "an ordered turn is a plain task".to_owned());
            }
            if !task.dependencies.is_empty() {
                return Err(Refusal::DependencyScope(TURNS_WAIT_FOR_NOTHING));
            }
            if task.merge_config.target_branch.is_some() {
                let problem = "an ordered turn does not land; its parent does".to_owned();
                return field("merge_config", problem);
            }
            let order = order.unwrap_or_else(|| last.map_or(1, |last| last.saturating_add(1)));
            task.repo_id = parent.repo_id;
            task.subtask = Some(Subtask::OrderedTurn(Turn::new(order)));
            Ok(())
        }
    }
}

/// The branch has to be there: its name is not known before.
fn lands_on(parent: &Snapshot, task: &mut Create) -> Result<(), Refusal> {
    if task.merge_config.target_branch.is_some() {
        let problem = "the parent's branch and another one cannot both be the target".to_owned();
        return Err(Refusal::InvalidField { field: "merge_config", problem });
    }
    let there = parent.workspace.as_ref().filter(|at| !at.is_plain());
    let (Some(at), false) = (there, parent.standing == Standing::Succeeded) else {
        return Err(Refusal::ParentWorkspaceRequired {
            key: "the subtask".to_owned(),
            parent: parent.key(),
            problem: "it has no branch to land on; claim it first",
        });
    };
    task.repo_id = parent.repo_id;
    task.merge_config.target_branch = Some(at.branch.clone());
    Ok(())
}
