//! Prompts for the common jobs.

use rmcp::model::{ErrorData, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

use crate::mcp::tool_set::ToolSet;

/// A prompt with at most one argument, which stands in the text as `{}`.
struct PromptText {
    name: &'static str,
    description: &'static str,
    argument: Option<(&'static str, &'static str)>,
    text: &'static str,
}

const BOARD: &[PromptText] = &[
    PromptText {
        name: "triage",
        description: "What needs me now, and what to do about it",
        argument: None,
        text: "Read forge_read with what=needs_person. For each task say in one line what it waits for and what you \
               suggest, most urgent first. Change nothing before I agree.",
    },
    PromptText {
        name: "delegate",
        description: "Turn a wish into tasks and give them to agents",
        argument: Some(("goal", "What should be different afterwards")),
        text: "Goal: {}\n\nRead the open tasks and the agents with forge_read. Propose the smallest set of tasks that \
               reaches the goal, each with a description that an agent can work from and that says how to check the \
               result. After I agree, create them with forge_create_task, set their dependencies, start the first \
               ones with forge_assign_agent, and follow them with forge_wait.",
    },
    PromptText {
        name: "review-task",
        description: "Review the work on a task",
        argument: Some(("task", "Key of the task, such as T-12")),
        text: "Review {}: read the task with forge_read, its changes with forge_get_task_diff and its checks with \
               forge_read_log (source=checks). Report what the change does, whether it meets the task, and every \
               defect with its file and line. Then suggest to approve or to reject with a reason; decide only after \
               I agree, with forge_review.",
    },
];

const PLANNER: &[PromptText] = &[PromptText {
    name: "plan",
    description: "Split your task into subtasks and direct them",
    argument: None,
    text: "Read your task with forge_show_task. Split it into subtasks that can be worked on independently, each with \
           a description that an agent can work from. Start them with forge_spawn, follow them with forge_wait and \
           forge_agent_pulse, read their changes with forge_agent_diff, correct them with forge_steer, and bring in \
           the good ones with forge_merge. Finish with forge_complete.",
}];

fn prompts_of(set: ToolSet) -> &'static [PromptText] {
    match set {
        ToolSet::Run => &[],
        ToolSet::Planner => PLANNER,
        ToolSet::Board | ToolSet::All => BOARD,
    }
}

/// The prompts of a set.
pub(crate) fn list(set: ToolSet) -> Vec<Prompt> {
    let prompt = |prompt: &PromptText| {
        let argument = prompt.argument.map(|(name, help)| {
            vec![PromptArgument::new(name).with_description(help).with_required(true)]
        });
        Prompt::new(prompt.name, Some(prompt.description), argument)
    };
    prompts_of(set).iter().map(prompt).collect()
}

/// The text of a prompt.
pub(crate) fn get(
    set: ToolSet,
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<GetPromptResult, ErrorData> {
    let Some(prompt) = prompts_of(set).iter().find(|prompt| prompt.name == name) else {
        return Err(ErrorData::invalid_params(format!("There is no prompt `{name}`."), None));
    };
    let text = match prompt.argument {
        None => prompt.text.to_owned(),
        Some((argument, _)) => match arguments.get(argument).and_then(Value::as_str) {
            Some(value) => prompt.text.replace("{}", value),
            None => {
                let what = format!("The prompt `{name}` needs the argument `{argument}`.");
                return Err(ErrorData::invalid_params(what, None));
            }
        },
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
        .with_description(prompt.description))
}
