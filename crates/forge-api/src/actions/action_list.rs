//! The list of all actions.

use crate::actions::action::{Action, ActionMethod};
use crate::actions::action_scope::{ActionScope, AllowedCallers, ScopeObject};

/// Declares a constant for each action, and the list of them. A line contains the constant, the name, the method, the
/// path, the object that limits the callers, and the callers.
macro_rules! actions {
    ($($constant:ident $name:literal $method:ident $path:literal $object:ident $callers:ident;)+) => {
        $(
            #[doc = concat!("The action `", $name, "`.")]
            pub const $constant: Action = Action {
                name: $name,
                method: ActionMethod::$method,
                path: $path,
                scope: ActionScope {
                    object: ScopeObject::$object,
                    callers: AllowedCallers::$callers,
                },
            };
        )+

        /// Every action of the API.
        pub const ACTIONS: &[Action] = &[$($constant),+];

        #[cfg(test)]
        const CONSTANTS: &[&str] = &[$(stringify!($constant)),+];
    };
}

actions! {
    // Signing in, users and tokens.
    USE_LINK "use_link" Post "/auth/link" Server Public;
    LOCAL_SIGN_IN "local_sign_in" Post "/auth/local" Server Public;
    LOGIN "login" Post "/auth/login" Server Public;
    LOGOUT "logout" Post "/auth/logout" Server Users;
    ME "me" Get "/auth/me" Server UsersAndExecutions;
    CHANGE_PASSWORD "change_password" Put "/me/password" Server Users;
    LIST_USERS "list_users" Get "/users" Server Users;
    CREATE_USER "create_user" Post "/users" Server Admins;
    GET_USER "get_user" Get "/users/{id}" Server Users;
    REMOVE_USER "remove_user" Delete "/users/{id}" Server Admins;
    CREATE_USER_LINK "create_user_link" Post "/users/{id}/link" Server Admins;
    LIST_TOKENS "list_tokens" Get "/tokens" Server Users;
    CREATE_TOKEN "create_token" Post "/tokens" Server Users;
    REVOKE_TOKEN "revoke_token" Delete "/tokens/{id}" Server Users;
    // Projects and their workflows.
    LIST_PROJECTS "list_projects" Get "/projects" Server Users;
    CREATE_PROJECT "create_project" Post "/projects" Server Users;
    GET_PROJECT "get_project" Get "/projects/{id}" Project Users;
    REMOVE_PROJECT "remove_project" Delete "/projects/{id}" Project Admins;
    UPDATE_PROJECT "update_project" Patch "/projects/{id}" Project Users;
    PAUSE_PROJECT "pause_project" Post "/projects/{id}/pause" Project Users;
    RESUME_PROJECT "resume_project" Post "/projects/{id}/resume" Project Users;
    GET_PROJECT_USAGE "get_project_usage" Get "/projects/{id}/usage" Project Users;
    LIST_MEMBERS "list_members" Get "/projects/{id}/members" Project Users;
    ADD_MEMBER "add_member" Post "/projects/{id}/members" Project Users;
    REMOVE_MEMBER "remove_member" Delete "/projects/{id}/members/{user_id}" Project Users;
    LIST_WORKFLOWS "list_workflows" Get "/workflows" Server Users;
    GET_PROJECT_WORKFLOW "get_project_workflow" Get "/projects/{id}/workflow" Project Users;
    REPLACE_PROJECT_WORKFLOW "replace_project_workflow" Put "/projects/{id}/workflow" Project Users;
    // Repositories.
    LIST_REPOS "list_repos" Get "/projects/{id}/repos" Project Users;
    ADD_REPO "add_repo" Post "/projects/{id}/repos" Project Users;
    REMOVE_REPO "remove_repo" Delete "/projects/{id}/repos/{repo}" Project Users;
    GET_REPO_CONFIG "get_repo_config" Get "/projects/{id}/repos/{repo}/config" Project Users;
    ACCEPT_REPO_CONFIG "accept_repo_config" Post "/projects/{id}/repos/{repo}/config/accept" Project Admins;
    GET_REPO_REMOTE "get_repo_remote" Get "/projects/{id}/repos/{repo}/remote" Project Users;
    CHANGE_REPO_REMOTE "change_repo_remote" Patch "/projects/{id}/repos/{repo}/remote" Project Users;
    PUT_REPO_CREDENTIAL "put_repo_credential" Put "/projects/{id}/repos/{repo}/credential" Project Users;
    DELETE_REPO_CREDENTIAL "delete_repo_credential" Delete "/projects/{id}/repos/{repo}/credential" Project Users;
    // Webhooks.
    LIST_WEBHOOKS "list_webhooks" Get "/projects/{id}/webhooks" Project Users;
    CREATE_WEBHOOK "create_webhook" Post "/projects/{id}/webhooks" Project Users;
    GET_WEBHOOK "get_webhook" Get "/projects/{id}/webhooks/{webhook}" Project Users;
    UPDATE_WEBHOOK "update_webhook" Patch "/projects/{id}/webhooks/{webhook}" Project Users;
    DELETE_WEBHOOK "delete_webhook" Delete "/projects/{id}/webhooks/{webhook}" Project Users;
    TEST_WEBHOOK "test_webhook" Post "/projects/{id}/webhooks/{webhook}/test" Project Users;
    LIST_WEBHOOK_DELIVERIES "list_webhook_deliveries" Get "/projects/{id}/webhooks/{webhook}/deliveries" Project Users;
    REDELIVER_WEBHOOK "redeliver_webhook" Post "/projects/{id}/webhooks/{webhook}/deliveries/{number}/redeliver" Project Users;
    // Agents.
    LIST_AGENTS "list_agents" Get "/agents" Server UsersAndPlanners;
    CREATE_AGENT "create_agent" Post "/agents" Server Users;
    CHECK_AGENTS "check_agents" Get "/agents/check" Server UsersAndPlanners;
    LIST_AGENT_PROGRAMS "list_agent_programs" Get "/agents/programs" Server Admins;
    GET_AGENT "get_agent" Get "/agents/{id}" Server Users;
    REMOVE_AGENT "remove_agent" Delete "/agents/{id}" Server Users;
    UPDATE_AGENT "update_agent" Patch "/agents/{id}" Server Users;
    GET_AGENT_ENVIRONMENT "get_agent_environment" Get "/agents/{id}/environment" Server Users;
    GET_AGENT_USAGE "get_agent_usage" Get "/agents/{id}/usage" Server Users;
    PAUSE_AGENT "pause_agent" Post "/agents/{id}/pause" Server Users;
    RESUME_AGENT "resume_agent" Post "/agents/{id}/resume" Server Users;
    PROBE_AGENT "probe_agent" Post "/agents/{id}/probe" Server Users;
    // Tasks.
    LIST_TASKS "list_tasks" Get "/projects/{id}/tasks" Project Users;
    CREATE_TASK "create_task" Post "/projects/{id}/tasks" Project UsersAndPlanners;
    COUNT_TASKS "count_tasks" Get "/projects/{id}/task-counts" Project Users;
    GET_TASK_BY_NUMBER "get_task_by_number" Get "/projects/{id}/tasks/by-number/{number}" Project Users;
    GET_STATUS "get_status" Get "/status" Server Users;
    LIST_NEEDS_PERSON "list_needs_person" Get "/needs-person" Server Users;
    LIST_WAITING "list_waiting" Get "/projects/{id}/waiting" Project Users;
    GET_TASK "get_task" Get "/tasks/{id}" Task UsersAndExecutions;
    DELETE_TASK "delete_task" Delete "/tasks/{id}" Task Users;
    UPDATE_TASK "update_task" Patch "/tasks/{id}" Task Users;
    LIST_ACTIONS "list_actions" Get "/tasks/{id}/actions" Task UsersAndExecutions;
    WHY_TASK_WAITS "why_task_waits" Get "/tasks/{id}/why" Task UsersAndPlanners;
    CLAIM_TASK "claim_task" Post "/tasks/{id}/claim" Task UsersAndPlanners;
    MOVE_TASK "move_task" Post "/tasks/{id}/transition" Task UsersAndExecutions;
    COMPLETE_TASK "complete_task" Post "/tasks/{id}/complete" Task UsersAndExecutions;
    CANCEL_TASK "cancel_task" Post "/tasks/{id}/cancel" Task Users;
    ARCHIVE_TASK "archive_task" Post "/tasks/{id}/archive" Task Users;
    UNARCHIVE_TASK "unarchive_task" Post "/tasks/{id}/unarchive" Task Users;
    ASSIGN_ROLE "assign_role" Post "/tasks/{id}/roles/{role}" Task Users;
    HAND_OFF_TASK "hand_off_task" Post "/tasks/{id}/handoff" Task UsersAndExecutions;
    PREVIEW_PROMPT "preview_prompt" Get "/tasks/{id}/prompt" Task UsersAndExecutions;
    LIST_TRANSITIONS "list_transitions" Get "/tasks/{id}/transitions" Task UsersAndExecutions;
    LIST_EFFECTS "list_effects" Get "/tasks/{id}/effects" Task UsersAndExecutions;
    LIST_SUBTASKS "list_subtasks" Get "/tasks/{id}/subtasks" Task UsersAndExecutions;
    GET_TASK_USAGE "get_task_usage" Get "/tasks/{id}/usage" Task UsersAndExecutions;
    LIST_COMMENTS "list_comments" Get "/tasks/{id}/comments" Task UsersAndExecutions;
    CREATE_COMMENT "create_comment" Post "/tasks/{id}/comments" Task UsersAndExecutions;
    LIST_QUESTIONS "list_questions" Get "/tasks/{id}/questions" Task UsersAndExecutions;
    ASK_QUESTION "ask_question" Post "/tasks/{id}/questions" Task UsersAndExecutions;
    GET_QUESTION "get_question" Get "/tasks/{id}/questions/{number}" Task UsersAndExecutions;
    ANSWER_QUESTION "answer_question" Post "/tasks/{id}/questions/{number}/answer" Task Users;
    CONFIRM_ANSWER "confirm_answer" Post "/tasks/{id}/questions/{number}/confirm" Task UsersAndExecutions;
    LIST_DEPENDENCIES "list_dependencies" Get "/tasks/{id}/dependencies" Task Users;
    ADD_DEPENDENCY "add_dependency" Post "/tasks/{id}/dependencies" Task Users;
    REMOVE_DEPENDENCY "remove_dependency" Delete "/tasks/{id}/dependencies/{other}" Task Users;
    // Reviews and landing.
    LIST_REVIEWS "list_reviews" Get "/tasks/{id}/reviews" Task UsersAndExecutions;
    GET_REVIEW "get_review" Get "/reviews/{id}" Review UsersAndExecutions;
    GET_REVIEW_LOG "get_review_log" Get "/reviews/{id}/log" Review UsersAndExecutions;
    GIVE_VERDICT "give_verdict" Post "/executions/{id}/verdict" Execution UsersAndExecutions;
    APPROVE_REVIEW "approve_review" Post "/tasks/{id}/reviews/{attempt}/approve" Task Users;
    REJECT_REVIEW "reject_review" Post "/tasks/{id}/reviews/{attempt}/reject" Task Users;
    REBASE_TASK "rebase_task" Post "/tasks/{id}/rebase" Task Users;
    REVERT_TASK "revert_task" Post "/tasks/{id}/revert" Task Users;
    REPORT_REGRESSION "report_regression" Post "/tasks/{id}/regressed" Task Users;
    ACCEPT_LANDED_TASK "accept_landed_task" Post "/tasks/{id}/accept-landed" Task Users;
    LOOK_AT_PULL_REQUEST "look_at_pull_request" Post "/tasks/{id}/pull_request/look" Task Users;
    GET_TRAIN "get_train" Get "/projects/{id}/train" Project Users;
    PAUSE_TRAIN "pause_train" Post "/projects/{id}/train/pause" Project Users;
    RESUME_TRAIN "resume_train" Post "/projects/{id}/train/resume" Project Users;
    LIST_CHECKS "list_checks" Get "/projects/{id}/checks" Project Users;
    QUARANTINE_CHECK "quarantine_check" Post "/projects/{id}/checks/quarantine" Project Users;
    LIST_CONFLICTS "list_conflicts" Get "/projects/{id}/conflicts" Project Users;
    // Executions.
    LIST_EXECUTIONS "list_executions" Get "/tasks/{id}/executions" Task UsersAndExecutions;
    GET_EXECUTION "get_execution" Get "/executions/{id}" Execution UsersAndExecutions;
    GET_PULSE "get_pulse" Get "/executions/{id}/pulse" Execution UsersAndPlanners;
    GET_EXECUTION_LOG "get_execution_log" Get "/executions/{id}/log" Execution UsersAndExecutions;
    GET_EXECUTION_OUTPUT "get_execution_output" Get "/executions/{id}/log/raw" Execution UsersAndExecutions;
    STREAM_EXECUTION_LOG "stream_execution_log" Get "/executions/{id}/log/stream" Execution UsersAndExecutions;
    STOP_EXECUTION "stop_execution" Post "/executions/{id}/stop" Execution UsersAndPlanners;
    RESTART_EXECUTION "restart_execution" Post "/executions/{id}/restart" Execution UsersAndPlanners;
    FAIL_EXECUTION "fail_execution" Post "/executions/{id}/mark-failed" Execution UsersAndPlanners;
    FOLLOW_UP "follow_up" Post "/executions/{id}/follow-up" Execution Users;
    STEER_EXECUTION "steer_execution" Post "/executions/{id}/steer" Execution UsersAndPlanners;
    // Workspaces and their journals.
    LIST_WORKSPACES "list_workspaces" Get "/workspaces" Server Users;
    CLEAN_WORKSPACES "clean_workspaces" Post "/workspaces/clean" Server Admins;
    LIST_ORPHANS "list_orphans" Get "/workspaces/orphans" Server Admins;
    GET_WORKSPACE "get_workspace" Get "/tasks/{id}/workspace" Task UsersAndExecutions;
    RESET_WORKSPACE "reset_workspace" Post "/tasks/{id}/workspace/reset" Task Users;
    CLEAN_WORKSPACE "clean_workspace" Post "/tasks/{id}/workspace/clean" Task UsersAndPlanners;
    GET_WORKSPACE_SETUP "get_workspace_setup" Get "/tasks/{id}/workspace/setup" Task Users;
    GET_DIFF "get_diff" Get "/tasks/{id}/diff" Task UsersAndExecutions;
    STREAM_DIFF "stream_diff" Get "/tasks/{id}/diff/stream" Task Users;
    LIST_JOURNAL "list_journal" Get "/tasks/{id}/journal" Task UsersAndExecutions;
    GET_JOURNAL_DIFF "get_journal_diff" Get "/tasks/{id}/journal/{number}/diff" Task Users;
    RESTORE_JOURNAL_ENTRY "restore_journal_entry" Post "/tasks/{id}/journal/{number}/restore" Task Users;
    FORK_JOURNAL_ENTRY "fork_journal_entry" Post "/tasks/{id}/journal/{number}/fork" Task Users;
    // The server.
    STREAM_EVENTS "stream_events" Get "/events" Server Users;
    GET_DISPATCH "get_dispatch" Get "/system/dispatch" Server Users;
    PAUSE_DISPATCH "pause_dispatch" Post "/system/dispatch/pause" Server Admins;
    RESUME_DISPATCH "resume_dispatch" Post "/system/dispatch/resume" Server Admins;
    SYSTEM_INFO "system_info" Get "/system/info" Server Users;
    SYSTEM_RECOVERY "system_recovery" Get "/system/recovery" Server Users;
    BACK_UP_DATABASE "back_up_database" Post "/system/backup" Server Admins;
    START_DEMO "start_demo" Post "/demo" Server Admins;
    GET_DEMO "get_demo" Get "/demo/{project_id}" Project Users;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn s_1_every_action_has_its_own_name_and_route() {
        let names: BTreeSet<_> = ACTIONS.iter().map(|action| action.name).collect();
        let routes: BTreeSet<_> =
            ACTIONS.iter().map(|action| (action.path, action.method.as_str())).collect();
        assert_eq!((names.len(), routes.len()), (ACTIONS.len(), ACTIONS.len()));
        for (constant, action) in CONSTANTS.iter().zip(ACTIONS) {
            assert_eq!(constant.to_lowercase(), action.name);
        }
    }

    /// A path below an object of a project is limited to the callers who see that object.
    #[test]
    fn s_6_the_object_of_a_scope_is_the_one_in_the_path() {
        for action in ACTIONS {
            let mut parts = action.path.split('/').skip(1);
            let (first, second) = (parts.next(), parts.next().unwrap_or_default());
            let expected = match (first, second.starts_with('{')) {
                (Some("projects" | "demo"), true) => ScopeObject::Project,
                (Some("tasks"), true) => ScopeObject::Task,
                (Some("executions"), true) => ScopeObject::Execution,
                (Some("reviews"), true) => ScopeObject::Review,
                _ => ScopeObject::Server,
            };
            assert_eq!(action.scope.object, expected, "{}", action.path);
        }
    }

    #[test]
    fn s_1_a_path_is_filled_in_the_order_of_its_parameters() {
        assert_eq!(
            REMOVE_DEPENDENCY.path_with(&["a".to_owned(), "b".to_owned()]),
            "/tasks/a/dependencies/b"
        );
        assert_eq!(LIST_TASKS.path_with(&["p".to_owned()]), "/projects/p/tasks");
        assert_eq!(LIST_PROJECTS.path_with(&[]), "/projects");
    }
}
