//! Errors as clients see them: one body shape and a closed list of codes (SPEC S-1).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong, for programs.
    pub code: ErrorCode,
    /// What went wrong and what to do next, for people.
    pub message: String,
    /// Facts that belong to the code, for example the expected and the actual version; `null` if none.
    pub details: Value,
    /// Names this request in the server's log.
    pub request_id: String,
}

/// The code, its wire name, its status and its documentation stand on one line each, so they cannot disagree.
macro_rules! error_codes {
    ($($variant:ident $wire:tt $status:tt $hint:tt;)+) => {
        /// Every code an error can carry. The list is closed: a new situation gets a new code here first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        pub enum ErrorCode {
            $(
                #[doc = $hint]
                #[serde(rename = $wire)]
                $variant,
            )+
        }

        impl ErrorCode {
            /// All codes, in the order of the documentation table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire),+ }
            }

            /// The HTTP status an answer with this code has.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// When the code occurs and what to do about it.
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint),+ }
            }
        }
    };
}

error_codes! {
    Unauthorized "unauthorized" 401 "No valid token or session came with the request. Sign in, or send `Authorization: Bearer <token>`.";
    Forbidden "forbidden" 403 "The caller is known but may not do this. Ask an admin, or use a token with a wider scope.";
    HostRefused "host_refused" 403 "The Host header names an address this server does not answer for. Use the address `forge serve` printed, or add the host to its settings.";
    OriginRefused "origin_refused" 403 "The request came from a page of another site. Open Forge's own page, or call with a bearer token and without an Origin header.";
    Throttled "throttled" 429 "Too many attempts. Wait for the seconds in the Retry-After header, then try again.";
    LinkUsed "link_used" 410 "The one-time sign-in link was used or has expired. Restart `forge serve` on an empty server for a new one, or sign in with a password.";

    NotFound "not_found" 404 "No such path, or no such object that the caller may see. Check the identifier; details.kind names what was looked for.";
    MethodNotAllowed "method_not_allowed" 405 "The path exists but not with this method. Use one from the Allow header.";
    UnsupportedMediaType "unsupported_media_type" 415 "The body is not declared as JSON. Send `Content-Type: application/json`.";
    BodyTooLarge "body_too_large" 413 "The body is larger than details.limit bytes. Send less.";
    BodyTooDeep "body_too_deep" 400 "The JSON is nested deeper than details.limit levels. Flatten it.";
    BodyNotUtf8 "body_not_utf8" 400 "The body is not valid UTF-8. Encode it as UTF-8.";
    BodyNotJson "body_not_json" 400 "The body is empty or not valid JSON. Correct it at details.line and details.column.";
    InvalidField "invalid_field" 422 "A field is missing or has a wrong type or value. Correct the one at details.path.";
    UnknownField "unknown_field" 422 "The body has fields this request does not know. Remove or correct those in details.fields.";
    InvalidQuery "invalid_query" 400 "A query parameter is unknown or has a wrong value. Correct the one in details.parameter.";
    InvalidName "invalid_name" 422 "A name is empty, too long, begins with `-` or has characters that are not allowed. Choose another for details.path.";
    InvalidPath "invalid_path" 422 "A path is not absolute, contains `..` or leaves the place it must stay in. Give a plain absolute path.";
    Duplicate "duplicate" 409 "Another object already has this value. Choose another for details.field.";

    VersionConflict "version_conflict" 409 "The object changed since it was read. Fetch it again, look at what changed, and retry with details.actual as version.";
    InvalidTransition "invalid_transition" 422 "The workflow has no such move from the task's state. Choose one of details.allowed.";
    NotClaimable "not_claimable" 409 "The task is not in a state from which it can be claimed. Move it to one of details.claimable_states first.";
    AlreadyClaimed "already_claimed" 409 "Somebody else claimed the task first. Take another task, or reassign the role.";
    AgentPaused "agent_paused" 409 "The agent is paused. Resume it, or claim for another agent.";
    ProjectPaused "project_paused" 409 "The project is paused, so agents may not claim. Resume it, or claim as a person.";
    DependencyGate "dependency_gate" 409 "A dependency is not finished and the claimer does not hold its context. Wait for those in details.unfinished.";
    AgentAtCapacity "agent_at_capacity" 409 "The agent runs as many executions as it may. Wait for one to end, or raise max_concurrent.";
    BudgetExhausted "budget_exhausted" 409 "The budget of the task or its project is used up, so no agent begins. Raise it to more than details.used; what waits goes on by itself.";
    ExecutionOver "execution_over" 409 "That run is over, or the task has moved on since. Look at the task for what is under way now.";
    NotRestartable "not_restartable" 409 "From where the task is now the run cannot be begun anew; the message says why. Move or assign the task first.";
    UpToDate "up_to_date" 409 "The task's branch already has all of details.target, so there is nothing to merge in. Nothing was changed.";
    NotRebasable "not_rebasable" 409 "From where the task is now it cannot go back to work; the message says why. Move or assign it first.";
    NotLanded "not_landed" 409 "The task has landed nothing, so there is nothing to revert or mend. Look at its landing.";
    NothingToRevert "nothing_to_revert" 409 "Nothing that the task landed is in details.target any more. There is nothing to do.";
    NoWayToLand "no_way_to_land" 409 "The project's workflow has neither a gate nor a merge state, so a revert could not land. Change the workflow, or revert by hand.";
    NothingToHandOff "nothing_to_hand_off" 409 "Nobody holds the task and there is no work on it, or its workflow has no queue to go back to. Claim it, or assign the role instead.";
    ReviewOver "review_over" 409 "That attempt at the gate cannot be decided about: a later one counts, the work has changed since, or the task has left the gate. Look at the task's reviews.";
    ReviewNotPassed "review_not_passed" 409 "Landing needs a passed review of the present content. Move the task through its gate first.";
    ExecutionRunning "execution_running" 409 "An execution of this task is still running. Stop it or wait for its end.";
    TaskTerminal "task_terminal" 409 "The task has ended and cannot change any more. Create a new task.";
    TaskArchived "task_archived" 409 "The task is archived. Unarchive it first.";
    DependencyCycle "dependency_cycle" 409 "The dependency would make the tasks wait for each other. Break the circle in details.cycle.";
    DependencyScope "dependency_scope" 422 "A dependency must be in the same project, and not between a child and its own parent. Choose another task.";
    ParentWorkspaceRequired "PARENT_WORKSPACE_REQUIRED" 409 "The subtask uses its parent's workspace, and the parent has none or no active coder. Claim the parent first.";
    SubtaskSequenceNotComplete "SUBTASK_SEQUENCE_NOT_COMPLETE" 412 "Ordered subtasks are still open. Finish or cancel those in details.open first: the parent's gate, and the turns after them, wait for them.";

    InvalidWorkflow "invalid_workflow" 422 "The workflow has mistakes. Correct all of details.problems; `forge workflow check` shows them without a server.";
    WorkflowInUse "workflow_in_use" 409 "States that the new workflow drops still hold tasks. Give a mapping for those in details.states.";
    UnknownRole "unknown_role" 422 "The workflow has no such role, or the agent cannot take it. Choose one of details.allowed.";
    RepoUnusable "repo_unusable" 422 "The path or URL is not a git repository Forge can use. details.reason says why.";
    PullRequestUnavailable "pull_request_unavailable" 409 "Pull requests are wanted for a repository that is not pushed to GitHub. Push details.repo there, or leave settings.merge.mode at `direct`.";
    RepoInUse "repo_in_use" 409 "Tasks still need the repository. Finish or cancel those in details.tasks and let their workspaces go, then remove it.";
    NoRepository "no_repository" 409 "The project has no repository, and this needs one. Add one to the project first.";

    WorkspaceMissing "workspace_missing" 409 "The task has no workspace now. Claim the task to make one.";
    WorkspaceCorrupted "workspace_corrupted" 409 "The workspace is not the one Forge recorded; details.found says what is there. Look at it, then reset the workspace.";
    WorkspaceLocked "workspace_locked" 409 "Somebody works in the workspace. Wait for, or stop, the holder in details.holder.";
    NotAGitWorkspace "not_a_git_workspace" 409 "The project works in one plain directory without git, so there is nothing to compare, reset or remove. Look at the files themselves.";
    TargetCheckoutDirty "target_checkout_dirty" 409 "The target branch is checked out with local changes that landing would touch. Commit or move those in details.files; landing then goes on by itself.";
    StaleLease "stale_lease" 409 "The lease behind this call has passed to another holder. Stop this work; its result is not used.";

    RequestTimeout "request_timeout" 408 "The request was not sent completely in time. Send it again.";
    Timeout "timeout" 504 "The work did not end within the time of the request and goes on. Look at the task and its steps, or use `Prefer: respond-async`.";
    ShuttingDown "shutting_down" 503 "The server is stopping. Send the request again when it is back.";
    NotReady "not_ready" 503 "The server is still starting. Ask `/readyz`, then send the request again.";
    Internal "internal" 500 "A fault in the server. Nothing half-done remains; report it with the request_id.";
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
