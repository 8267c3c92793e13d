//! The command of the terminal for each action.

use crate::actions::action::Action;

/// How a person performs an action in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CliCommandRef {
    /// By this command, such as `task show`.
    Command(&'static str),
    /// By none, for this reason.
    Excluded(&'static str),
}

use CliCommandRef::{Command, Excluded};

const BROWSER: &str = "The web page does this when a person opens the one-time link.";
const BOARD_ONLY: &str = "Only the web board shows this so far.";
const NO_COMMAND: &str = "There is no command for it yet: use the web board or the HTTP API.";

/// The command for each action, by the action's name.
const CLI_COMMANDS: &[(&str, CliCommandRef)] = &[
    ("use_link", Excluded(BROWSER)),
    ("local_sign_in", Command("init")),
    ("login", Command("login")),
    ("logout", Command("logout")),
    ("me", Command("whoami")),
    ("change_password", Command("user password")),
    ("list_users", Command("user list")),
    ("create_user", Command("user add")),
    ("get_user", Command("task show")),
    ("remove_user", Command("user remove")),
    ("create_user_link", Command("user link")),
    ("list_tokens", Excluded(NO_COMMAND)),
    ("create_token", Command("login")),
    ("revoke_token", Command("logout")),
    ("list_projects", Command("project list")),
    ("create_project", Command("project new")),
    ("get_project", Command("project show")),
    ("update_project", Command("budget")),
    ("remove_project", Command("project remove")),
    ("pause_project", Command("project pause")),
    ("resume_project", Command("project resume")),
    ("get_project_usage", Command("usage")),
    ("list_members", Command("project members")),
    ("add_member", Command("project add-member")),
    ("remove_member", Command("project remove-member")),
    ("list_workflows", Command("workflow list")),
    ("get_project_workflow", Command("project workflow")),
    ("replace_project_workflow", Command("project workflow")),
    ("list_repos", Command("repo list")),
    ("add_repo", Command("repo add")),
    ("remove_repo", Command("repo remove")),
    ("get_repo_config", Command("repo config")),
    ("accept_repo_config", Command("repo accept-config")),
    ("get_repo_remote", Command("repo remote")),
    ("change_repo_remote", Command("repo push")),
    ("put_repo_credential", Command("repo token set")),
    ("delete_repo_credential", Command("repo token remove")),
    ("list_webhooks", Command("webhook list")),
    ("create_webhook", Command("webhook add")),
    ("get_webhook", Command("webhook show")),
    ("update_webhook", Command("webhook edit")),
    ("delete_webhook", Command("webhook remove")),
    ("test_webhook", Command("webhook test")),
    ("list_webhook_deliveries", Command("webhook deliveries")),
    ("redeliver_webhook", Command("webhook deliveries")),
    ("list_agents", Command("agent list")),
    ("list_agent_programs", Command("agent probe")),
    ("create_agent", Command("agent add")),
    ("check_agents", Command("agent check")),
    ("get_agent", Command("agent show")),
    ("update_agent", Command("agent edit")),
    ("remove_agent", Command("agent remove")),
    ("get_agent_environment", Command("agent show")),
    ("get_agent_usage", Command("usage")),
    ("pause_agent", Command("agent pause")),
    ("resume_agent", Command("agent resume")),
    ("probe_agent", Command("agent probe")),
    ("list_tasks", Command("task list")),
    ("create_task", Command("task new")),
    ("get_task_by_number", Command("task show")),
    ("count_tasks", Excluded(BOARD_ONLY)),
    ("get_status", Command("status")),
    ("list_needs_person", Command("inbox")),
    ("list_waiting", Command("why")),
    ("get_task", Command("task show")),
    ("update_task", Command("task edit")),
    ("delete_task", Command("task delete")),
    ("complete_task", Command("task complete")),
    ("list_actions", Command("task show")),
    ("why_task_waits", Command("why")),
    ("claim_task", Command("task claim")),
    ("move_task", Command("task move")),
    ("cancel_task", Command("task cancel")),
    ("archive_task", Command("task archive")),
    ("unarchive_task", Command("task unarchive")),
    ("assign_role", Command("task assign")),
    ("hand_off_task", Command("task handoff")),
    ("preview_prompt", Command("task prompt")),
    ("list_transitions", Command("task history")),
    ("list_effects", Command("task effects")),
    ("list_subtasks", Command("task list")),
    ("get_task_usage", Command("usage")),
    ("list_questions", Command("task questions")),
    ("ask_question", Command("ask")),
    ("get_question", Command("ask")),
    ("answer_question", Command("task answer")),
    ("confirm_answer", Command("ask")),
    ("list_comments", Command("task show")),
    ("create_comment", Command("task comment")),
    ("list_dependencies", Command("task depend")),
    ("add_dependency", Command("task depend")),
    ("remove_dependency", Command("task depend")),
    ("list_reviews", Command("task review")),
    ("get_review", Excluded("`task review` reads all attempts of a task, which contain it.")),
    ("get_review_log", Excluded(BOARD_ONLY)),
    ("give_verdict", Command("verdict")),
    ("approve_review", Command("task approve")),
    ("reject_review", Command("task reject")),
    ("rebase_task", Command("task rebase")),
    ("revert_task", Command("task revert")),
    ("report_regression", Command("task regressed")),
    ("accept_landed_task", Command("task accept-landed")),
    ("look_at_pull_request", Excluded(BOARD_ONLY)),
    ("get_train", Command("train status")),
    ("pause_train", Command("train pause")),
    ("resume_train", Command("train resume")),
    ("list_checks", Command("train checks")),
    ("quarantine_check", Command("train quarantine")),
    ("list_conflicts", Command("conflicts")),
    ("list_executions", Command("task show")),
    ("get_execution", Command("task log")),
    ("get_pulse", Command("task pulse")),
    ("get_execution_log", Command("task log")),
    ("get_execution_output", Command("task log")),
    ("stream_execution_log", Command("task log")),
    ("stop_execution", Command("task stop")),
    ("restart_execution", Command("task restart")),
    ("fail_execution", Command("task mark-failed")),
    ("follow_up", Command("task follow-up")),
    ("steer_execution", Command("task steer")),
    ("list_workspaces", Command("workspace list")),
    ("clean_workspaces", Command("workspace clean")),
    ("list_orphans", Command("workspace orphans")),
    ("get_workspace", Command("workspace show")),
    ("reset_workspace", Command("workspace reset")),
    ("clean_workspace", Command("workspace clean")),
    ("get_workspace_setup", Command("workspace setup")),
    ("get_diff", Command("task diff")),
    ("stream_diff", Command("task diff")),
    ("list_journal", Command("journal list")),
    ("get_journal_diff", Command("journal diff")),
    ("restore_journal_entry", Command("journal restore")),
    ("fork_journal_entry", Command("journal fork")),
    ("stream_events", Excluded("Commands that follow something read the stream; none prints it.")),
    ("get_dispatch", Command("dispatch status")),
    ("pause_dispatch", Command("dispatch pause")),
    ("resume_dispatch", Command("dispatch resume")),
    ("back_up_database", Command("backup")),
    ("system_info", Command("doctor")),
    ("system_recovery", Command("doctor")),
    ("start_demo", Command("demo")),
    ("get_demo", Command("demo")),
];

/// The command for an action; `None` if the list lacks it, which a test forbids.
pub fn cli_command(action: &Action) -> Option<CliCommandRef> {
    CLI_COMMANDS.iter().find(|(name, _)| *name == action.name).map(|(_, command)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::action_list::ACTIONS;

    #[test]
    fn s_3_every_action_is_in_the_list_once() {
        for action in ACTIONS {
            let rows = CLI_COMMANDS.iter().filter(|(name, _)| *name == action.name).count();
            assert_eq!(rows, 1, "{} needs one row in CLI_COMMANDS", action.name);
        }
        assert_eq!(CLI_COMMANDS.len(), ACTIONS.len(), "a row names no action");
    }
}
