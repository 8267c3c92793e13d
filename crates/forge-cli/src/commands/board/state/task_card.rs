//! A task as the board shows it.

use std::collections::{BTreeMap, HashMap};

use forge_api::{ActivityView, NeedsPerson, RoleAssignee, StateView, Task, TaskPhase};
use jiff::Timestamp;
use uuid::Uuid;

use crate::commands::board::state::card_meaning::CardMeaning;
use crate::terminal::text_table::one_line;

/// What a card needs beside its task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CardNames<'a> {
    pub(crate) agents: &'a HashMap<Uuid, String>,
    /// The user who looks at the board.
    pub(crate) me: Option<Uuid>,
    pub(crate) branches: &'a HashMap<Uuid, String>,
    pub(crate) needs: &'a HashMap<Uuid, NeedsPerson>,
    pub(crate) tasks: &'a HashMap<Uuid, Task>,
    pub(crate) states: &'a BTreeMap<String, StateView>,
}

/// The card of a task on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskCard {
    pub(crate) id: Uuid,
    pub(crate) key: String,
    pub(crate) number: u64,
    pub(crate) title: String,
    /// Name of the workflow state, as the workflow writes it.
    pub(crate) status: String,
    pub(crate) phase: TaskPhase,
    pub(crate) priority: i32,
    pub(crate) labels: Vec<String>,
    pub(crate) meaning: CardMeaning,
    pub(crate) needs_person: bool,
    /// The agents and users of its roles.
    pub(crate) holders: String,
    pub(crate) branch: String,
    /// Why it is where it is, on one line; empty if the column says it all.
    pub(crate) reason: String,
    /// Since when it waits for a person, otherwise its last change.
    pub(crate) since: Option<Timestamp>,
}

impl TaskCard {
    pub(crate) fn of(task: &Task, names: CardNames<'_>) -> Self {
        let needs = names.needs.get(&task.id);
        let open = open_dependencies(task, names.tasks);
        let state = names.states.get(&task.status);
        let meaning = CardMeaning::of(task, state, needs.is_some(), !open.is_empty());
        let since = needs.map_or(&task.updated_at, |needs| &needs.since);
        Self {
            id: task.id,
            key: task.key.clone(),
            number: task.number,
            title: one_line(&task.title),
            status: one_line(&task.status),
            phase: task.phase,
            priority: task.priority,
            labels: task.labels.iter().map(|label| one_line(label)).collect(),
            meaning,
            needs_person: needs.is_some(),
            holders: holder_names(task, names),
            branch: names.branches.get(&task.id).cloned().unwrap_or_default(),
            reason: reason(task, needs, &open),
            since: since.parse().ok(),
        }
    }

    /// Whether all words occur in what the card is found by.
    pub(crate) fn matches(&self, words: &[String]) -> bool {
        let text = [&self.key, &self.title, &self.branch, &self.holders, &self.status]
            .into_iter()
            .chain(&self.labels)
            .map(|part| part.to_lowercase())
            .collect::<Vec<_>>()
            .join("\n");
        words.iter().all(|word| text.contains(word.as_str()))
    }
}

/// Keys of the loaded tasks that this one waits for.
fn open_dependencies<'a>(task: &Task, tasks: &'a HashMap<Uuid, Task>) -> Vec<&'a str> {
    let open = task.dependencies.iter().filter_map(|id| tasks.get(id));
    open.filter(|other| other.phase != TaskPhase::Done).map(|other| other.key.as_str()).collect()
}

fn holder_names(task: &Task, names: CardNames<'_>) -> String {
    let mut shown: Vec<String> = Vec::new();
    for holder in task.roles.values() {
        let name = match holder {
            RoleAssignee::Agent(id) => names.agents.get(id).map(|name| one_line(name)),
            RoleAssignee::User(id) if Some(*id) == names.me => Some("you".to_owned()),
            RoleAssignee::User(_) => Some("a colleague".to_owned()),
        };
        shown.extend(name.filter(|name| !shown.contains(name)));
    }
    shown.join(", ")
}

fn reason(task: &Task, needs: Option<&NeedsPerson>, open: &[&str]) -> String {
    if task.phase == TaskPhase::Done {
        return String::new();
    }
    if let Some(needs) = needs {
        return one_line(&needs.message);
    }
    if let Some(busy) = task.busy {
        return activity_words(busy).to_owned();
    }
    if let Some(annotation) = &task.error_annotation {
        return one_line(&annotation.message);
    }
    match open {
        [] => String::new(),
        open => format!("Waits for {}", open.join(", ")),
    }
}

fn activity_words(activity: ActivityView) -> &'static str {
    match activity {
        ActivityView::Stopping => "Stopping",
        ActivityView::Preparing => "Preparing the workspace",
        ActivityView::Running => "Running",
        ActivityView::Checking => "Running checks",
        ActivityView::Judging => "In review",
        ActivityView::Landing => "Landing",
        ActivityView::Cleaning => "Removing the workspace",
        ActivityView::Rebasing => "Updating the branch",
        ActivityView::Reverting => "Reverting",
    }
}
