//! Creates a subtask of another task (T-17).

use crate::Refusal;
use crate::command::CreateTask;
use crate::task::{OrderedTurn, Subtask, TaskKind, TaskSnapshot};
use crate::workflow::TaskStanding;

/// Maximum depth of nested subtasks.
const DEEPEST: u32 = 4;
const MOST_TURNS: usize = 200;

pub(crate) const TURNS_WAIT_FOR_NOTHING: &str = "an ordered turn waits for the turns before it and nothing else, and \
                                                 no task can wait for it; add the dependency to its parent instead";

/// The requested kind of a new subtask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubtaskRequest {
    /// A subtask with its own workspace and workflow.
    Independent {
        /// Whether it lands on its parent's branch instead of the usual target.
        onto_parent: bool,
    },
    /// An ordered turn in its parent's workspace.
    OrderedTurn {
        /// Its position; after all other turns if absent.
        order: Option<i64>,
    },
}

impl Default for SubtaskRequest {
    fn default() -> Self {
        Self::Independent { onto_parent: false }
    }
}

/// Makes a new task a subtask of `parent`, which must be of the same project and locked. `last` is the highest position
/// among the parent's turns.
pub fn attach_subtask(
    parent: &TaskSnapshot,
    last: Option<i64>,
    asked: SubtaskRequest,
    task: &mut CreateTask,
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
        SubtaskRequest::Independent { onto_parent } => {
            let depth = parent.depth() + 1;
            if depth > DEEPEST {
                let problem = format!("at most {DEEPEST} tasks can be above one another");
                return field("parent", problem);
            }
            task.subtask = Some(Subtask::Independent { depth });
            if onto_parent { target_parent_branch(parent, task) } else { Ok(()) }
        }
        SubtaskRequest::OrderedTurn { order } => {
            if matches!(parent.standing, TaskStanding::Succeeded | TaskStanding::Ended) {
                return Err(Refusal::TaskTerminal { key: parent.key() });
            }
            if parent.standing == TaskStanding::Submitted {
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
            task.subtask = Some(Subtask::OrderedTurn(OrderedTurn::new(order)));
            Ok(())
        }
    }
}

/// Sets the parent's branch as target. The branch must exist, because its name is unknown before.
fn target_parent_branch(parent: &TaskSnapshot, task: &mut CreateTask) -> Result<(), Refusal> {
    if task.merge_config.target_branch.is_some() {
        let problem = "the parent's branch and another one cannot both be the target".to_owned();
        return Err(Refusal::InvalidField { field: "merge_config", problem });
    }
    let there = parent.workspace.as_ref().filter(|at| !at.is_plain());
    let (Some(at), false) = (there, parent.standing == TaskStanding::Succeeded) else {
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
