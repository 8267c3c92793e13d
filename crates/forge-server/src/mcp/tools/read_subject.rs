//! What the shared read tools can read.

use forge_api::actions::{self, Action};

/// Something that can be read, with the action that reads it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadSubject {
    pub(super) name: &'static str,
    pub(super) action: &'static Action,
    pub(super) object: SubjectObject,
    /// Whether the answer is one page of a list.
    pub(super) is_page: bool,
}

/// The object that the path of the action names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubjectObject {
    /// None: everything that the caller may see.
    Server,
    Project,
    Task,
}

macro_rules! read_subjects {
    ($list:ident $names:ident: $($name:literal $action:ident $object:ident $page:literal;)+) => {
        pub(super) const $list: &[ReadSubject] = &[$(ReadSubject {
            name: $name,
            action: &actions::$action,
            object: SubjectObject::$object,
            is_page: $page,
        }),+];

        pub(super) const $names: &[&str] = &[$($name),+];
    };
}

// What a user reads: the name, the action, its object, and whether the answer is a page.
read_subjects! { BOARD_SUBJECTS BOARD_NAMES:
    "tasks" LIST_TASKS Project true;
    "task" GET_TASK Task false;
    "needs_person" LIST_NEEDS_PERSON Server true;
    "why" WHY_TASK_WAITS Task false;
    "actions" LIST_ACTIONS Task false;
    "comments" LIST_COMMENTS Task true;
    "history" LIST_TRANSITIONS Task true;
    "reviews" LIST_REVIEWS Task true;
    "executions" LIST_EXECUTIONS Task true;
    "subtasks" LIST_SUBTASKS Task true;
    "dependencies" LIST_DEPENDENCIES Task true;
    "prompt" PREVIEW_PROMPT Task false;
    "workspace" GET_WORKSPACE Task false;
    "setup" GET_WORKSPACE_SETUP Task false;
    "journal" LIST_JOURNAL Task true;
    "effects" LIST_EFFECTS Task true;
    "usage" GET_TASK_USAGE Task false;
    "projects" LIST_PROJECTS Server true;
    "project" GET_PROJECT Project false;
    "workflow" GET_PROJECT_WORKFLOW Project false;
    "repos" LIST_REPOS Project true;
    "train" GET_TRAIN Project false;
    "conflicts" LIST_CONFLICTS Project false;
    "checks" LIST_CHECKS Project false;
    "waiting" LIST_WAITING Project false;
    "agents" LIST_AGENTS Server true;
    "agents_check" CHECK_AGENTS Server false;
    "workspaces" LIST_WORKSPACES Server true;
    "dispatch" GET_DISPATCH Server false;
}

// What an execution reads about its own task.
read_subjects! { RUN_SUBJECTS RUN_NAMES:
    "task" GET_TASK Task false;
    "comments" LIST_COMMENTS Task true;
    "reviews" LIST_REVIEWS Task true;
    "history" LIST_TRANSITIONS Task true;
    "subtasks" LIST_SUBTASKS Task true;
    "executions" LIST_EXECUTIONS Task true;
    "prompt" PREVIEW_PROMPT Task false;
    "actions" LIST_ACTIONS Task false;
    "workspace" GET_WORKSPACE Task false;
    "journal" LIST_JOURNAL Task true;
    "effects" LIST_EFFECTS Task true;
    "usage" GET_TASK_USAGE Task false;
}
