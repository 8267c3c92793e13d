//! All settings of a project.

use crate::project::{
    BranchTemplateSetting, LandingSettings, ProjectDispatchSettings, ProjectSetup, SettingsProblem,
};
use crate::task::ReviewConfig;
use crate::{AgentId, Assignee, Budget, UserId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The settings of a project. A key that is missing or null has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectSettings {
    /// Review configuration of tasks that have none of their own.
    #[serde(deserialize_with = "null_as_default")]
    pub default_review_config: ReviewConfig,
    /// The reviewer of tasks that reach a gate without a holder of its role (M-3).
    #[serde(with = "reviewer_fields")]
    pub default_reviewer: Option<Assignee>,
    /// Names of branches (T-24).
    pub branch_template: Option<BranchTemplateSetting>,
    /// Names of directories below the workspace root (W-3).
    pub directory_template: Option<String>,
    /// Setup of a new workspace (W-13).
    #[serde(deserialize_with = "null_as_default")]
    pub setup: ProjectSetup,
    /// Whether a worktree that returns to the pool keeps its ignored files (W-15).
    #[serde(deserialize_with = "null_as_default")]
    pub keep_ignored_files: bool,
    /// The directory of a project that works without git (W-1); one in the data directory if absent.
    pub directory: Option<String>,
    /// Assignment of tasks to agents (E-10).
    #[serde(deserialize_with = "null_as_default")]
    pub dispatch: ProjectDispatchSettings,
    /// How branches land (M-11).
    #[serde(deserialize_with = "null_as_default")]
    pub merge: LandingSettings,
    /// Limits for the agents of all tasks together (E-8).
    pub budget: Option<Budget>,
    /// The installation of the GitHub App that gives access to the project's repositories (M-15).
    pub github_installation_id: Option<u64>,
    /// Whether members of the project may define commands (S-6).
    #[serde(deserialize_with = "null_as_default")]
    pub members_may_define_commands: bool,
    /// Prompt templates by role (E-2).
    #[serde(deserialize_with = "null_as_default")]
    pub prompts: BTreeMap<String, String>,
    /// Data of other tools.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Map<String, Value>,
}

impl ProjectSettings {
    /// The problems that the values themselves show, in the order of the settings. What depends on the project's
    /// workflow, its workspace type or the disk is not among them.
    pub fn problems(&self) -> Vec<SettingsProblem> {
        let mut problems = Vec::new();
        for (field, problem) in self.default_review_config.problems() {
            let path = format!("settings.default_review_config.{field}");
            problems.push(SettingsProblem { path, problem });
        }
        self.setup.collect_problems(&mut problems);
        self.dispatch.collect_problems(&mut problems);
        self.merge.collect_problems(&mut problems);
        if let Some(problem) = self.budget.and_then(|budget| budget.problem()) {
            problems.push(SettingsProblem::new("settings.budget", problem));
        }
        if self.github_installation_id == Some(0) {
            problems.push(SettingsProblem::new(
                "settings.github_installation_id",
                "must be the number at the end of the installation's page on GitHub",
            ));
        }
        problems
    }
}

/// Reads null like a missing value.
fn null_as_default<'de, T, D>(input: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(input)?.unwrap_or_default())
}

/// The stored form of the default reviewer: two ids, of which one is null.
mod reviewer_fields {
    use super::{AgentId, Assignee, Deserialize, Deserializer, Serialize, Serializer, UserId};

    #[derive(Serialize, Deserialize)]
    struct ReviewerFields {
        #[serde(default)]
        agent_id: Option<AgentId>,
        #[serde(default)]
        user_id: Option<UserId>,
    }

    pub(super) fn serialize<S: Serializer>(
        reviewer: &Option<Assignee>,
        output: S,
    ) -> Result<S::Ok, S::Error> {
        let fields = reviewer.map(|reviewer| ReviewerFields {
            agent_id: reviewer.agent(),
            user_id: reviewer.user(),
        });
        fields.serialize(output)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<Assignee>, D::Error> {
        let fields: Option<ReviewerFields> = Option::deserialize(input)?;
        Ok(fields.and_then(|ReviewerFields { agent_id, user_id }| {
            let agent = agent_id.map(|id| Assignee::Agent { id });
            agent.or_else(|| user_id.map(|id| Assignee::User { id }))
        }))
    }
}
