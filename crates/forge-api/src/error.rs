//! Errors as clients see them: one body shape and a closed list of codes (SPEC S-1).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The body of every error answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// Error code, for programs.
    pub code: ErrorCode,
    /// What went wrong and what to do next, for people.
    pub message: String,
    /// Data of the code, for example the expected and the actual version; `null` if none.
    pub details: Value,
    /// Identifies this request in the server's log.
    pub request_id: String,
}

/// Each code, its wire name, status and documentation are on one line, so that they cannot disagree.
macro_rules! error_codes {
    ($($variant:ident $wire:tt $status:tt $hint:tt;)+) => {
        /// Every code that an error can have. The list is closed: add a new code here first.
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

            /// The name of the code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire),+ }
            }

            /// The HTTP status of an answer with this code.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// When the error occurs and what to do about it.
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint),+ }
            }
        }
    };
}

error_codes! {
    Unauthorized "unauthorized" 401 "No valid token or session came with the request. Sign in, or send `Authorization: Bearer <token>`.";
    Forbidden "forbidden" 403 "The caller is known but may not do this. Ask an admin, or use a token with a wider scope.";
    HostRefused "host_refused" 403 "The Host header names an address that this server does not answer for. Use the address `forge serve` printed, or add the host to its settings.";
    OriginRefused "origin_refused" 403 "The request came from a page of another site. Open Forge's own page, or call with a bearer token and without an Origin header.";
    Throttled "throttled" 429 "Too many attempts. Wait for the seconds in the Retry-After header, then try again.";
    LinkUsed "link_used" 410 "The one-time sign-in link was used or has expired. Restart `forge serve` on an empty server for a new one, or sign in with a password.";

    NotFound "not_found" 404 "No such path, or no such object that the caller may see. Check the identifier; details.kind names the kind of object.";
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
    InvalidPath "invalid_path" 422 "A path is not absolute, contains `..` or leaves its permitted directory. Give a plain absolute path.";
    Duplicate "duplicate" 409 "Another object already has this value. Choose another for details.field.";

    VersionConflict "version_conflict" 409 "The object changed since it was read. Fetch it again, check the changes, and retry with details.actual as version.";
    InvalidTransition "invalid_transition" 422 "The workflow has no such transition from the task's state. Choose one of details.allowed.";
    NotClaimable "not_claimable" 409 "The task is not in a state from which it can be claimed. Move it to one of details.claimable_states first.";
    AlreadyClaimed "already_claimed" 409 "Another agent or user claimed the task first. Take another task, or reassign the role.";
    AgentPaused "agent_paused" 409 "The agent is paused. Resume it, or claim for another agent.";
    ProjectPaused "project_paused" 409 "The project is paused, so agents may not claim. Resume it, or claim as a person.";
    DependencyGate "dependency_gate" 409 "A dependency has not landed, and the claimer did not submit it, or the task is about to land. Wait for the tasks in details.unfinished.";
    ProgramMissing "program_missing" 409 "The agent's program details.program is not on the server. Install it there, or give its full path.";
    OverrideUnsupported "override_unsupported" 422 "The agent's program cannot apply the override at details.path. Leave it out, or override only what details.supported lists.";
    AgentAtCapacity "agent_at_capacity" 409 "The agent is at its limit of executions. Wait for one to end, or raise max_concurrent.";
    BudgetExhausted "budget_exhausted" 409 "The budget of the task or its project is used up, so no agent starts. Raise it above details.used; waiting tasks then continue by themselves.";
    ExecutionOver "execution_over" 409 "The execution has ended, or the task has moved on. Look at the task for its current execution.";
    QuestionClosed "question_closed" 409 "The question has an answer already, or its task has ended or moved on. Look at the task's questions.";
    QuestionOpen "question_open" 409 "The execution waits for the answer to question details.number, so its work is not handed in yet. End the turn: the answer comes as the next one.";
    NotRestartable "not_restartable" 409 "The execution cannot be restarted from the current state of the task; the message says why. Move or assign the task first.";
    UpToDate "up_to_date" 409 "The task's branch already contains all of details.target, so there is nothing to merge. Nothing was changed.";
    NotRebasable "not_rebasable" 409 "The task cannot go back to work from its current state; the message says why. Move or assign it first.";
    NotLanded "not_landed" 409 "The task has landed nothing, so there is nothing to revert or fix. Look at its landing.";
    NotLandedOutside "not_landed_outside" 409 "The task did not land outside Forge, so there is nothing to accept. Look at its annotation.";
    NothingToRevert "nothing_to_revert" 409 "Nothing that the task landed is in details.target any more. There is nothing to do.";
    NoWayToLand "no_way_to_land" 409 "The project's workflow has neither a gate nor a merge state, so a revert could not land. Change the workflow, or revert by hand.";
    NothingToHandOff "nothing_to_hand_off" 409 "The task has neither a holder nor work, or its workflow has no queue to return to. Claim it, or assign the role instead.";
    ReviewOver "review_over" 409 "The attempt at the gate can no longer be decided: there is a later one, the work has changed, or the task has left the gate. Look at the task's reviews.";
    ReviewNotPassed "review_not_passed" 409 "Landing needs a passed review of the current content. Move the task through its gate first.";
    ExecutionRunning "execution_running" 409 "An execution of this task is still running. Stop it or wait for its end.";
    NotInWork "not_in_work" 409 "The task is in no state of work, so there is nothing to complete. Look at what it waits for.";
    NotDeletable "not_deletable" 409 "Work was done on the task, or other tasks need it. Cancel it, then archive it.";
    TaskTerminal "task_terminal" 409 "The task has ended and cannot change any more. Create a new task.";
    TaskArchived "task_archived" 409 "The task is archived. Unarchive it first.";
    DependencyCycle "dependency_cycle" 409 "The dependency would make the tasks wait for each other. Remove one dependency of the cycle in details.cycle.";
    DependencyScope "dependency_scope" 422 "A dependency must be in the same project, and not between a child and its own parent. Choose another task.";
    ParentWorkspaceRequired "PARENT_WORKSPACE_REQUIRED" 409 "The subtask uses its parent's workspace, and the parent has none or no active coder. Claim the parent first.";
    SubtaskSequenceNotComplete "SUBTASK_SEQUENCE_NOT_COMPLETE" 412 "Ordered subtasks are still open. Finish or cancel the tasks in details.open first: the parent's gate and later ordered turns wait for them.";

    InvalidWorkflow "invalid_workflow" 422 "The workflow has mistakes. Correct all of details.problems; `forge workflow check` shows them without a server.";
    WorkflowInUse "workflow_in_use" 409 "States that the new workflow does not have still contain tasks. Give a mapping for the states in details.states.";
    UnknownRole "unknown_role" 422 "The workflow has no such role, or the agent cannot take it. Choose one of details.allowed.";
    RepoUnusable "repo_unusable" 422 "The path or URL is not a git repository that Forge can use. details.reason says why.";
    DefaultBranchUnclear "default_branch_unclear" 422 "The repository has several branches and it is not clear which one work lands on. Name one of details.candidates.";
    PathNotAllowed "path_not_allowed" 422 "The directory belongs to Forge itself or to another project. Choose another.";
    AddressNotAllowed "address_not_allowed" 422 "The host has a private, loopback or link-local address. An admin can allow details.host with --private-hosts.";
    PullRequestUnavailable "pull_request_unavailable" 409 "The project lands by pull requests, but the repository is not pushed to GitHub. Push details.repo there, or leave settings.merge.mode at `direct`.";
    RepoInUse "repo_in_use" 409 "Tasks still need the repository. Finish or cancel the tasks in details.tasks and clean up their workspaces, then remove it.";
    AgentInUse "agent_in_use" 409 "Executions of the agent are open. Stop or wait for those in details.executions, then remove it.";
    ProjectInUse "project_in_use" 409 "Tasks of the project are open or have a workspace. Finish or cancel those in details.tasks and clean up their workspaces, then remove it.";
    NoRepository "no_repository" 409 "The project has no repository, and this needs one. Add one to the project first.";

    WorkspaceMissing "workspace_missing" 409 "The task has no workspace now. Claim the task to create one.";
    WorkspaceCorrupted "workspace_corrupted" 409 "The workspace does not match its record; details.found says what was found. Look at it, then reset the workspace.";
    WorkspaceLocked "workspace_locked" 409 "The workspace is in use. Wait for the holder in details.holder, or stop it.";
    ResetFailed "reset_failed" 409 "The workspace could not be reset; details.message says why. Nothing in it was lost: fix the cause, then reset again.";
    NotAGitWorkspace "not_a_git_workspace" 409 "The project works in one plain directory without git, so there is nothing to compare, reset or remove. Look at the files themselves.";
    TargetCheckoutDirty "target_checkout_dirty" 409 "The target branch is checked out with local changes that landing would touch. Commit or move the files in details.files; the landing then continues by itself.";
    TargetLocked "target_locked" 503 "Another git process holds the lock of the target branch. Wait for it, or remove the file in details.lock if no git process runs there; the landing then continues by itself.";
    StaleLease "stale_lease" 409 "Another holder has taken the lease behind this call. Stop this work; its result is not used.";

    NoBackup "no_backup" 409 "The server uses PostgreSQL, which is not backed up through Forge. Use pg_dump, or the backups of your provider.";
    StorageFull "storage_full" 507 "The disk of the server is full, and nothing was changed. Free some space, then send the request again.";
    RequestTimeout "request_timeout" 408 "The request was not sent completely in time. Send it again.";
    Timeout "timeout" 504 "The work did not end within the time limit of the request and continues. Look at the task and its effects, or use `Prefer: respond-async`.";
    ShuttingDown "shutting_down" 503 "The server is stopping. Send the request again when it is back.";
    NotReady "not_ready" 503 "The server is still starting. Ask `/readyz`, then send the request again.";
    Internal "internal" 500 "An internal error of the server. No partial change remains; report it with the request_id.";
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
