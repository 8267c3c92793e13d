//! All tools, and the actions that have none.

use std::sync::LazyLock;

use forge_api::actions::{self, Action};

use crate::mcp::tool::{ToolSpec, generated_tools, nearest_name};
use crate::mcp::tool_set::ToolSet;
use crate::mcp::tools::written_tools;

const SIGN_IN: &str = "Signing in and passwords are for people: a model must not see them.";
const USERS: &str =
    "Users, members and tokens decide who may do what, which a model must not change.";
const STREAM: &str = "A stream is no answer: forge_wait waits for changes.";
const WEBHOOK: &str =
    "A webhook sends a project's events to an address, which a person decides, with a secret.";
const SECRET: &str = "A secret would pass through the context of a model.";

/// The actions that no tool performs, with the reason.
const EXCLUDED: &[(&Action, &str)] = &[
    (&actions::USE_LINK, SIGN_IN),
    (&actions::LOCAL_SIGN_IN, SIGN_IN),
    (&actions::LOGIN, SIGN_IN),
    (&actions::LOGOUT, SIGN_IN),
    (&actions::CHANGE_PASSWORD, SIGN_IN),
    (&actions::LIST_USERS, USERS),
    (&actions::CREATE_USER, USERS),
    (&actions::GET_USER, USERS),
    (&actions::REMOVE_USER, USERS),
    (&actions::CREATE_USER_LINK, SIGN_IN),
    (&actions::LIST_TOKENS, USERS),
    (&actions::CREATE_TOKEN, USERS),
    (&actions::REVOKE_TOKEN, USERS),
    (&actions::LIST_MEMBERS, USERS),
    (&actions::ADD_MEMBER, USERS),
    (&actions::REMOVE_MEMBER, USERS),
    (
        &actions::ASSIGN_ROLE,
        "A person decides who holds a role; forge_assign_agent claims a task instead.",
    ),
    (&actions::PUT_REPO_CREDENTIAL, SECRET),
    (&actions::DELETE_REPO_CREDENTIAL, SECRET),
    (
        &actions::ACCEPT_REPO_CONFIG,
        "A person decides whether git settings that run programs are trusted.",
    ),
    (
        &actions::BACK_UP_DATABASE,
        "The copy contains hashes of passwords and tokens, and is a file.",
    ),
    (&actions::CREATE_WEBHOOK, WEBHOOK),
    (&actions::UPDATE_WEBHOOK, WEBHOOK),
    (
        &actions::CONFIRM_ANSWER,
        "The command `forge ask --wait` performs it; forge_ask gets the answer as a message.",
    ),
    (&actions::STREAM_EVENTS, STREAM),
    (&actions::STREAM_EXECUTION_LOG, STREAM),
    (&actions::STREAM_DIFF, STREAM),
    (
        &actions::GET_TASK_BY_NUMBER,
        "Every tool takes a task by its number, and performs this to find it.",
    ),
];

static ALL: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let mut tools = written_tools();
    let generated = generated_tools(&tools);
    tools.extend(generated);
    tools
});

/// Why no tool performs an action; `None` if one does.
pub(crate) fn exclusion(action: &Action) -> Option<&'static str> {
    EXCLUDED.iter().find(|(excluded, _)| *excluded == action).map(|(_, reason)| *reason)
}

/// The tools of a set, in a fixed order.
pub(crate) fn tools_of(set: ToolSet) -> impl Iterator<Item = &'static ToolSpec> {
    ALL.iter().filter(move |tool| tool.sets.contains(&set))
}

/// The tool of this name, in a set.
pub(crate) fn find_tool(set: ToolSet, name: &str) -> Option<&'static ToolSpec> {
    tools_of(set).find(|tool| tool.name == name)
}

/// The tool of a set whose name is most similar, and whether the set of all tools has the exact name.
pub(crate) fn similar_tool(set: ToolSet, name: &str) -> (Option<&'static str>, bool) {
    let names = tools_of(set).map(|tool| tool.name.as_ref());
    (nearest_name(name, names), find_tool(ToolSet::All, name).is_some())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use forge_api::actions::ACTIONS;

    use super::*;

    #[test]
    fn s_3_every_action_has_a_tool_or_a_reason_for_having_none() {
        for action in ACTIONS {
            let tools: Vec<_> = tools_of(ToolSet::All)
                .filter(|tool| tool.actions.contains(&action))
                .map(|tool| tool.name.as_ref())
                .collect();
            match exclusion(action) {
                None => assert!(!tools.is_empty(), "{} has no tool", action.name),
                Some(reason) => {
                    assert!(tools.is_empty(), "{} is excluded, but {tools:?}", action.name);
                    assert!(reason.len() > 20, "{}", action.name);
                }
            }
        }
    }

    #[test]
    fn s_3_tools_have_distinct_names_of_one_form() {
        let mut names: Vec<_> = ALL.iter().map(|tool| tool.name.as_ref()).collect();
        assert!(names.iter().all(|name| name.starts_with("forge_")), "{names:?}");
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// The tools that the seeds name are on the board, and an execution sees only its own set.
    #[test]
    fn s_3_sets_have_the_tools_that_they_promise() {
        let names = |set| tools_of(set).map(|tool| tool.name.as_ref()).collect::<Vec<_>>();
        let board = names(ToolSet::Board);
        assert_eq!(
            board.get(..3),
            Some(&["forge_create_task", "forge_assign_agent", "forge_get_task_diff"][..])
        );
        assert!((16..=20).contains(&board.len()), "{board:?}");
        let run = names(ToolSet::Run);
        assert!(run.len() <= 9, "{run:?}");
        for verb in ["show_task", "comment", "read_log", "give_verdict", "hand_off", "complete"] {
            assert!(run.contains(&format!("forge_{verb}").as_str()), "{verb}");
        }
        let planner = names(ToolSet::Planner);
        for verb in [
            "check_agents",
            "agent_diff",
            "agent_pulse",
            "steer",
            "stop",
            "restart",
            "mark_failed",
            "spawn",
            "merge",
            "cleanup",
        ] {
            assert!(planner.contains(&format!("forge_{verb}").as_str()), "{verb}");
        }
        assert!(run.iter().all(|name| planner.contains(name)));
        assert!(board.iter().all(|name| names(ToolSet::All).contains(name)));
    }
}
