//! Projects and their settings (SPEC §1, §7.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::field::present;
use crate::{
    BranchTemplate, BudgetLimits, DispatchSettings, MergeSettings, ReviewConfig, RoleAssignee,
    SetupSettings, WorkflowChoice,
};

/// Where the tasks of a project run (SPEC W-1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceType {
    /// One git worktree per task.
    #[default]
    GitWorktree,
    /// One plain directory without git for the whole project, with one writer at a time.
    PersistentDirectory,
}

/// The workflow of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkflowRef {
    /// The workflow's name.
    pub name: String,
    /// Hash of the exact definition.
    pub hash: String,
}

/// Settings of a project, in requests and answers. The names are a closed list, so that the server refuses a misspelt
/// one; put data of your own tools into `metadata`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProjectSettings {
    /// Review configuration of tasks that have none of their own.
    #[serde(default)]
    pub default_review_config: ReviewConfig,
    /// The reviewer of tasks that reach a gate without a holder of its role (SPEC M-3); `null` for none.
    #[serde(default)]
    pub default_reviewer: Option<RoleAssignee>,
    /// Template for branch names (SPEC T-24); `null` for `forge/{number}-{slug}`. Placeholders: `{project}` `{task}`
    /// `{number}` `{slug}` `{agent}` `{variant}` `{hash}` `{id}` `{timestamp}`.
    #[serde(default)]
    pub branch_template: Option<BranchTemplate>,
    /// Template for the name of a task's directory below the workspace root (SPEC W-3), with the same placeholders;
    /// `null` for `{project}-{number}-{slug}-{hash}`. Forge appends the hash if the template has neither `{hash}` nor
    /// `{id}`.
    #[serde(default)]
    pub directory_template: Option<String>,
    /// Setup of a new workspace before work starts in it (SPEC W-13).
    #[serde(default)]
    pub setup: SetupSettings,
    /// Whether a worktree that returns to the pool keeps its ignored files for the next task of this project (SPEC
    /// W-15). This includes files with secrets.
    #[serde(default)]
    pub keep_ignored_files: bool,
    /// Absolute path of the directory of a project with the workspace type `persistent_directory` (SPEC W-1); `null`
    /// for a directory in the data directory.
    #[serde(default)]
    pub directory: Option<String>,
    /// Automatic assignment of tasks to agents (SPEC E-10).
    #[serde(default)]
    pub dispatch: DispatchSettings,
    /// How branches of the project land (SPEC M-11).
    #[serde(default)]
    pub merge: MergeSettings,
    /// Limit for the agents of all tasks together (SPEC E-8); `null` for no limit.
    #[serde(default)]
    pub budget: Option<BudgetLimits>,
    /// The installation of the server's GitHub App that gives access to this project's repositories on GitHub (SPEC
    /// M-15); `null` for none.
    #[serde(default)]
    pub github_installation_id: Option<u64>,
    /// Whether members of the project may define commands: agents of the project, checks, setup
    /// (docs/PERMISSIONS.md). Only an admin can change it.
    #[serde(default)]
    pub members_may_define_commands: bool,
    /// Prompt templates by role (SPEC E-2); a role without one uses the built-in template. A template is text with
    /// `{{key}}`, `{{title}}`, `{{role}}`, `{{branch}}`, and sections, each on its own line: `{{description}}`
    /// `{{subtasks}}` `{{dependency_results}}` `{{handoff_notes}}` `{{messages}}` `{{failing_step}}` `{{feedback}}`
    /// `{{review_prompt}}` `{{change}}` `{{verdict}}`.
    #[serde(default)]
    pub prompts: BTreeMap<String, String>,
    /// Data of your own tools; Forge does not read it.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
}

/// A project with its board and settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Project {
    pub id: Uuid,
    /// Display name of the project.
    pub name: String,
    /// The name as used in branches and directories.
    pub slug: String,
    /// Where its tasks run.
    pub workspace_type: WorkspaceType,
    /// The project's workflow.
    pub workflow: WorkflowRef,
    /// The project's settings.
    pub settings: ProjectSettings,
    /// When the project was paused; `null` while agents may claim.
    #[schema(format = DateTime, required)]
    pub paused_at: Option<String>,
    /// Version number; every write increases it.
    pub version: u64,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it last changed.
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// Request to create a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewProject {
    /// Display name of the project.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// `git_worktree` if left out.
    #[serde(default)]
    pub workspace_type: Option<WorkspaceType>,
    /// The default workflow if left out.
    #[serde(default)]
    pub workflow: Option<WorkflowChoice>,
    /// Settings that differ from the defaults.
    #[serde(default)]
    pub settings: Option<ProjectSettings>,
    /// Absolute path of its first repository on the server's disk. If the repository cannot be used, the project is
    /// not created either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo_path: Option<String>,
    /// The branch of that repository that work lands on; detected if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo_default_branch: Option<String>,
}

/// Request to change a project; fields that are left out stay as they are. The workflow has its own request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProjectPatch {
    /// The version that the caller read.
    pub version: u64,
    /// New name of the project.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// New settings; they replace the old settings as a whole.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub settings: Option<ProjectSettings>,
}

/// What stays of a removed project outside of Forge (SPEC P-1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RemovedProject {
    /// Its repositories. None of their branches and saved states was deleted.
    pub repositories: Vec<KeptRepository>,
    /// The directory of a project without git; `null` for other projects.
    #[schema(required)]
    pub directory: Option<String>,
}

/// A repository of a removed project, with what Forge leaves in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeptRepository {
    /// The repository's name.
    pub name: String,
    /// Its path on the server, or the address of its remote.
    pub place: String,
    /// The branches of the project's tasks.
    pub branches: Vec<String>,
    /// Number of saved states of the project's tasks, under `refs/forge/journal/`.
    pub journal_entries: u64,
    /// Number of archived branches of the project's tasks, under `refs/forge/archive/`.
    pub archived: u64,
}
