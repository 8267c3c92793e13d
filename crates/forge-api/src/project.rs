//! Projects (SPEC §1, §7.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::field::present;
use crate::{
    BranchTemplate, Budget, DispatchSettings, MergeSettings, ReviewConfig, SetupSettings,
    WorkflowChoice,
};

/// Where a project's tasks run (SPEC W-1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceType {
    /// One git worktree per task.
    #[default]
    GitWorktree,
    /// One plain directory for the whole project, without git; one writer at a time.
    PersistentDirectory,
}

/// Which workflow a project has now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkflowRef {
    /// The workflow's name.
    pub name: String,
    /// Identifies the exact definition.
    pub hash: String,
}

/// A project's settings, in requests and in answers. Names are a closed list, so that a typing mistake is refused;
/// what belongs to the user's own tools goes into `metadata`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProjectSettings {
    /// What tasks without a review_config of their own get.
    #[serde(default)]
    pub default_review_config: ReviewConfig,
    /// How branches are named (SPEC T-24); `null` for `forge/{number}-{slug}`. Placeholders: `{project}` `{task}`
    /// `{number}` `{slug}` `{agent}` `{variant}` `{hash}` `{id}` `{timestamp}`.
    #[serde(default)]
    pub branch_template: Option<BranchTemplate>,
    /// How a task's directory below the workspace root is named (SPEC W-3), with the same placeholders; `null` for
    /// `{project}-{number}-{slug}-{hash}`. Without `{hash}` or `{id}` the hash is put behind it.
    #[serde(default)]
    pub directory_template: Option<String>,
    /// What is done to a workspace before anybody works in it (SPEC W-13).
    #[serde(default)]
    pub setup: SetupSettings,
    /// Whether ignored files stay in a worktree that goes back into the pool, for the next task of this project
    /// (SPEC W-15). Files that hold secrets stay, too.
    #[serde(default)]
    pub keep_ignored_files: bool,
    /// The one directory of a project with the workspace type `persistent_directory` (SPEC W-1), as an absolute path;
    /// `null` for one in the data directory.
    #[serde(default)]
    pub directory: Option<String>,
    /// Whether its tasks go to agents by themselves (SPEC E-10).
    #[serde(default)]
    pub dispatch: DispatchSettings,
    /// How its branches land (SPEC M-11).
    #[serde(default)]
    pub merge: MergeSettings,
    /// What the agents of all its tasks may use together (SPEC E-8); `null` for no limit.
    #[serde(default)]
    pub budget: Option<Budget>,
    /// The installation of the server's GitHub App that opens this project's repositories on GitHub (SPEC M-15); `null`
    /// for none.
    #[serde(default)]
    pub github_installation_id: Option<u64>,
    /// What roles are told (SPEC E-2), by role; a role without a template is told what is built in. Words with
    /// `{{key}}`, `{{title}}`, `{{role}}`, `{{branch}}`, and sections, each on a line of its own: `{{description}}`
    /// `{{subtasks}}` `{{dependency_results}}` `{{handoff_notes}}` `{{messages}}` `{{failing_step}}` `{{feedback}}`
    /// `{{review_prompt}}` `{{change}}` `{{verdict}}`.
    #[serde(default)]
    pub prompts: BTreeMap<String, String>,
    /// Kept for the user's own tools; Forge does not read it.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Project {
    /// Identifier.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// The name as used in branches and directories.
    pub slug: String,
    /// Where its tasks run.
    pub workspace_type: WorkspaceType,
    /// Its workflow.
    pub workflow: WorkflowRef,
    /// Its settings.
    pub settings: ProjectSettings,
    /// Since when agents may not claim; `null` while it runs.
    #[schema(format = DateTime, required)]
    pub paused_at: Option<String>,
    /// Changes with every write.
    pub version: u64,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it last changed.
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// Creates a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewProject {
    /// Name.
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
    /// Its first repository, as an absolute path on the server's disk. If it cannot be used, no project is made either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo_path: Option<String>,
}

/// Changes a project; what is left out stays. The workflow has its own request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProjectPatch {
    /// The version the caller read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// New settings; they replace the old ones as a whole.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub settings: Option<ProjectSettings>,
}
