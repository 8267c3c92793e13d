//! Actions on a task: from the list that the server allows to the request, and its answer.

use forge_api::{ActionView, ParameterKind, StateKind, Task};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::commands::board::state::{
    BoardDialog, BoardState, ChoiceMenu, LineEdit, MenuChoice, MenuItem, PromptPurpose, TextPrompt,
};
use crate::commands::board::update::board_effect::BoardEffect;
use crate::commands::board::update::board_event::ActionWish;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::wire_name;

/// Actions that are confirmed, because they end processes or remove files.
const CONFIRMED: [&str; 3] = ["cancel", "mark_failed", "reset_workspace"];

impl BoardState {
    pub(crate) fn apply_actions(
        &mut self,
        task: Uuid,
        wish: ActionWish,
        actions: Result<Vec<ActionView>, String>,
    ) -> Vec<BoardEffect> {
        let (Some(task), true) = (self.tasks.get(&task).cloned(), self.dialog.is_none()) else {
            return Vec::new();
        };
        let actions = match actions {
            Ok(actions) => actions,
            Err(problem) => {
                self.warn(problem);
                return Vec::new();
            }
        };
        let named = |name: &str| actions.iter().find(|action| action.name == name).cloned();
        let key = task.key.clone();
        let found = match wish {
            ActionWish::Start => named("claim"),
            ActionWish::Stop => named("stop"),
            ActionWish::Steer => named("steer"),
            ActionWish::Move => {
                let moves: Vec<_> =
                    actions.into_iter().filter(|action| action.target.is_some()).collect();
                return self.offer_moves(&task, moves);
            }
            ActionWish::Choose => {
                let items = self.action_items(&task, actions);
                self.open_menu(&task, format!("{key}: actions"), items);
                return Vec::new();
            }
        };
        match (found, wish) {
            (Some(action), _) => self.ask_for_parameters(&task, action),
            (None, ActionWish::Start) => {
                vec![explain(&task, format!("{key} cannot be started now."))]
            }
            (None, ActionWish::Stop) => {
                vec![explain(&task, format!("{key} has no execution to stop."))]
            }
            (None, _) => vec![explain(&task, format!("No agent works on {key} now."))],
        }
    }

    fn offer_moves(&mut self, task: &Task, moves: Vec<ActionView>) -> Vec<BoardEffect> {
        if moves.is_empty() {
            return vec![explain(task, format!("{} cannot be moved now.", task.key))];
        }
        let items = self.action_items(task, moves);
        self.open_menu(task, format!("Move {} from {}", task.key, one_line(&task.status)), items);
        Vec::new()
    }

    /// Asks for what the action needs, or performs it.
    pub(crate) fn ask_for_parameters(
        &mut self,
        task: &Task,
        action: ActionView,
    ) -> Vec<BoardEffect> {
        let key = &task.key;
        if action.parameters.iter().any(|parameter| parameter.kind == ParameterKind::Agent) {
            let items = self.agent_items(&action);
            self.open_menu(task, format!("{}: {key} · choose the agent", verb(&action)), items);
            return Vec::new();
        }
        let is_text = |kind| matches!(kind, ParameterKind::Text | ParameterKind::LongText);
        let mut texts = action.parameters.iter().filter(|parameter| is_text(parameter.kind));
        // A message is the point of an action, a reason for the history is not worth a question.
        let asked = texts.find(|parameter| parameter.required || parameter.name == "message");
        if let Some(parameter) = asked {
            let (name, is_required) = (parameter.name.clone(), parameter.required);
            let needed = if is_required { "" } else { " (may be empty)" };
            self.dialog = Some(BoardDialog::Prompt(TextPrompt {
                title: format!("{}: {key} · {name}{needed}", verb(&action)),
                line: LineEdit::default(),
                purpose: PromptPurpose::Parameter {
                    task: task.id,
                    action: Box::new(action),
                    name,
                    is_required,
                },
            }));
            return Vec::new();
        }
        let parameters = own_parameters(task, &action);
        if CONFIRMED.contains(&action.name.as_str()) {
            let label = verb(&action);
            let keep = MenuItem {
                label: "Keep it as it is".to_owned(),
                note: String::new(),
                choice: MenuChoice::Keep,
            };
            let choice = MenuChoice::Perform { action, parameters };
            let act = MenuItem { label: label.clone(), note: String::new(), choice };
            self.open_menu(task, format!("{label}: {key}?"), vec![keep, act]);
            return Vec::new();
        }
        self.perform(task.id, action, parameters)
    }

    /// Sends the action in the background; the card carries a mark until the answer arrives.
    pub(crate) fn perform(
        &mut self,
        task: Uuid,
        action: ActionView,
        parameters: Map<String, Value>,
    ) -> Vec<BoardEffect> {
        let words = self.result_words(&action, &parameters);
        self.pending.insert(task, words.clone());
        vec![BoardEffect::Perform { task, action: Box::new(action), parameters, words }]
    }

    pub(crate) fn apply_performed(
        &mut self,
        task: Uuid,
        words: &str,
        answer: Result<Value, String>,
    ) -> Vec<BoardEffect> {
        self.pending.remove(&task);
        let key = self.tasks.get(&task).map(|task| task.key.clone()).unwrap_or_default();
        match answer {
            Ok(answer) if answer["delivery"] == "next_turn" => {
                self.tell(format!("{key}: the agent gets the message after its current execution"));
            }
            Ok(_) => self.tell(format!("{key}: {words}")),
            Err(problem) => self.warn(format!("{key}: {problem}")),
        }
        // The events report the change as well; a refusal often means that the card was out of date.
        self.refresh.stale_tasks.insert(task);
        self.refresh.is_needs_stale = true;
        self.load_stale()
    }

    pub(crate) fn apply_created(&mut self, created: Result<Box<Task>, String>) -> Vec<BoardEffect> {
        match created {
            Ok(task) => {
                let start =
                    self.config.keys.first_key(crate::commands::board::keys::KeyAction::Start);
                let hint = start.map(|key| format!("; {key} starts it")).unwrap_or_default();
                self.tell(format!("{} created{hint}", task.key));
                self.wanted = Some(task.id);
                self.tasks.insert(task.id, *task);
                self.filter.clear();
                self.rebuild_columns();
            }
            Err(problem) => self.warn(problem),
        }
        Vec::new()
    }

    fn open_menu(&mut self, task: &Task, title: String, items: Vec<MenuItem>) {
        let filter = LineEdit::default();
        let menu = ChoiceMenu { title, task: task.id, items, filter, selected: 0 };
        self.dialog = Some(BoardDialog::Menu(menu));
    }

    /// The items of actions that the board can perform. Moves come first and are named by what they do.
    fn action_items(&self, task: &Task, actions: Vec<ActionView>) -> Vec<MenuItem> {
        let is_possible = |action: &ActionView| {
            let unknown = |kind| {
                matches!(kind, ParameterKind::Integer | ParameterKind::Task | ParameterKind::User)
            };
            !action.parameters.iter().any(|parameter| parameter.required && unknown(parameter.kind))
        };
        let (moves, others): (Vec<_>, Vec<_>) =
            actions.into_iter().filter(is_possible).partition(|action| action.target.is_some());
        let moves = moves.into_iter().map(|action| {
            let target = action.target.clone().unwrap_or_default();
            let parameters = own_parameters(task, &action);
            MenuItem {
                label: format!("{} {}", self.move_verb(&target), one_line(&target)),
                note: self.move_note(&target).to_owned(),
                choice: MenuChoice::Perform { action, parameters },
            }
        });
        let others = others.into_iter().map(|action| MenuItem {
            label: verb(&action),
            note: String::new(),
            choice: MenuChoice::Ask(action),
        });
        moves.chain(others).collect()
    }

    fn move_verb(&self, target: &str) -> &'static str {
        match self.state_kind(target) {
            Some(StateKind::Merge) => "Land:",
            Some(StateKind::Gate) => "Review:",
            Some(StateKind::Work) => "Send to work:",
            Some(StateKind::Terminal) => "End as",
            Some(StateKind::Queue | StateKind::Hold) | None => "Move to",
        }
    }

    fn move_note(&self, target: &str) -> &'static str {
        match self.state_kind(target) {
            Some(StateKind::Merge) => "lands the branch",
            Some(StateKind::Gate) => "runs the checks",
            Some(StateKind::Work) => "starts an execution",
            _ => "",
        }
    }

    /// One item for each agent of the project, those that can work first, then the user.
    fn agent_items(&self, action: &ActionView) -> Vec<MenuItem> {
        let mut agents: Vec<_> = self
            .agents
            .iter()
            .filter(|agent| agent.project_id.is_none_or(|project| project == self.project.id))
            .collect();
        agents.sort_by_key(|agent| (agent.paused, agent.waiting.is_some(), agent.name.clone()));
        let with = |field: &str, id: Uuid| {
            let parameters = Map::from_iter([(field.to_owned(), json!(id))]);
            MenuChoice::Perform { action: action.clone(), parameters }
        };
        let mut items: Vec<_> = agents
            .into_iter()
            .map(|agent| MenuItem {
                label: one_line(&agent.name),
                note: match (agent.paused, &agent.waiting) {
                    (true, _) => "paused".to_owned(),
                    (false, Some(wait)) => format!("waits: {}", one_line(&wait.message)),
                    (false, None) => wire_name(&agent.executor.kind),
                },
                choice: with("agent_id", agent.id),
            })
            .collect();
        let takes_user = action.parameters.iter().find(|parameter| parameter.name == "user_id");
        let own = match (takes_user, self.me) {
            (Some(_), Some(me)) => Some(with("user_id", me)),
            (Some(_), None) => None,
            // Without an agent, the claim is the user's own.
            (None, _) => {
                Some(MenuChoice::Perform { action: action.clone(), parameters: Map::new() })
            }
        };
        items.extend(own.map(|choice| MenuItem {
            label: "yourself".to_owned(),
            note: "no agent starts".to_owned(),
            choice,
        }));
        items
    }

    fn result_words(&self, action: &ActionView, parameters: &Map<String, Value>) -> String {
        let agent = parameters.get("agent_id").and_then(Value::as_str);
        let agent = agent.and_then(|id| {
            self.agents.iter().find(|agent| agent.id.to_string() == id).map(|agent| &agent.name)
        });
        match (&action.target, agent, action.name.as_str()) {
            (Some(target), _, _) => format!("moved to {}", one_line(target)),
            (None, Some(agent), "claim") => format!("started with {}", one_line(agent)),
            (None, None, "claim") => "claimed for you; its workspace is ready".to_owned(),
            (None, _, "steer") => "the message was sent to the agent".to_owned(),
            (None, _, "stop") => "stopped".to_owned(),
            (None, _, "comment") => "the comment was saved".to_owned(),
            _ => format!("done: {}", verb(action)),
        }
    }
}

fn explain(task: &Task, intro: String) -> BoardEffect {
    BoardEffect::Explain { task: task.id, intro }
}

/// The server's label of an action.
fn verb(action: &ActionView) -> String {
    match action.name.as_str() {
        "claim" => "Start".to_owned(),
        _ => one_line(&action.label),
    }
}

/// The parameters that follow from the task and the action.
fn own_parameters(task: &Task, action: &ActionView) -> Map<String, Value> {
    let mut parameters = Map::new();
    for parameter in &action.parameters {
        let value = match (parameter.name.as_str(), parameter.choices.as_deref()) {
            ("version", _) => json!(task.version),
            (_, Some([only])) => json!(only),
            _ => continue,
        };
        parameters.insert(parameter.name.clone(), value);
    }
    parameters
}
