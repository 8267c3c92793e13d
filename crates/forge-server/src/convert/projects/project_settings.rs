//! Converts the settings of a project. Each direction takes its type apart, so that a new setting does not compile until
//! it is converted.

use forge_api::{
    BranchTemplate, BranchTemplates, DispatchSettings, MergeMode, MergeSettings, MergeVerify,
    ProjectSettings, SetupSettings,
};
use forge_domain::project;
use forge_domain::project::{
    BranchTemplateSetting, BranchTemplatesByKind, LandingMode, LandingSettings,
    LandingVerification, ProjectDispatchSettings, ProjectSetup,
};

use crate::convert::tasks::assignee::{assignee, domain_assignee};
use crate::convert::tasks::task_config::{review_config, unchecked_review_config};

/// Converts settings to the wire type.
pub(crate) fn project_settings(settings: &project::ProjectSettings) -> ProjectSettings {
    let project::ProjectSettings {
        default_review_config,
        default_reviewer,
        branch_template,
        directory_template,
        setup,
        keep_ignored_files,
        directory,
        dispatch,
        merge,
        budget,
        github_installation_id,
        members_may_define_commands,
        prompts,
        metadata,
    } = settings.clone();
    ProjectSettings {
        default_review_config: review_config(&default_review_config),
        default_reviewer: default_reviewer.map(assignee),
        branch_template: branch_template.map(wire_branch_template),
        directory_template,
        setup: wire_setup(setup),
        keep_ignored_files,
        directory,
        dispatch: wire_dispatch(dispatch),
        merge: wire_landing(merge),
        budget: budget.map(|project_budget| {
            let forge_domain::Budget { cost_micro_usd, tokens } = project_budget;
            forge_api::BudgetLimits { cost_micro_usd, tokens }
        }),
        github_installation_id,
        members_may_define_commands,
        prompts,
        metadata,
    }
}

/// Converts settings from the wire type. The engine checks them.
pub(crate) fn domain_settings(asked: ProjectSettings) -> project::ProjectSettings {
    let ProjectSettings {
        default_review_config,
        default_reviewer,
        branch_template,
        directory_template,
        setup,
        keep_ignored_files,
        directory,
        dispatch,
        merge,
        budget,
        github_installation_id,
        members_may_define_commands,
        prompts,
        metadata,
    } = asked;
    project::ProjectSettings {
        default_review_config: unchecked_review_config(default_review_config),
        default_reviewer: default_reviewer.map(domain_assignee),
        branch_template: branch_template.map(domain_branch_template),
        directory_template,
        setup: domain_setup(setup),
        keep_ignored_files,
        directory,
        dispatch: domain_dispatch(dispatch),
        merge: domain_landing(merge),
        budget: budget.map(|limits| {
            let forge_api::BudgetLimits { cost_micro_usd, tokens } = limits;
            forge_domain::Budget { cost_micro_usd, tokens }
        }),
        github_installation_id,
        members_may_define_commands,
        prompts,
        metadata,
    }
}

fn wire_branch_template(setting: BranchTemplateSetting) -> BranchTemplate {
    match setting {
        BranchTemplateSetting::One(template) => BranchTemplate::One(template),
        BranchTemplateSetting::ByKind(BranchTemplatesByKind { task, session, run }) => {
            BranchTemplate::ByKind(BranchTemplates { task, session, run })
        }
    }
}

fn domain_branch_template(asked: BranchTemplate) -> BranchTemplateSetting {
    match asked {
        BranchTemplate::One(template) => BranchTemplateSetting::One(template),
        BranchTemplate::ByKind(BranchTemplates { task, session, run }) => {
            BranchTemplateSetting::ByKind(BranchTemplatesByKind { task, session, run })
        }
    }
}

fn wire_setup(setup: ProjectSetup) -> SetupSettings {
    let ProjectSetup { commands, timeout_seconds, env, ports } = setup;
    SetupSettings { commands, timeout_seconds, env, ports }
}

fn domain_setup(asked: SetupSettings) -> ProjectSetup {
    let SetupSettings { commands, timeout_seconds, env, ports } = asked;
    ProjectSetup { commands, timeout_seconds, env, ports }
}

fn wire_dispatch(settings: ProjectDispatchSettings) -> DispatchSettings {
    let ProjectDispatchSettings { enabled, max_concurrent, hold_conflicts } = settings;
    DispatchSettings { enabled, max_concurrent, hold_conflicts }
}

fn domain_dispatch(asked: DispatchSettings) -> ProjectDispatchSettings {
    let DispatchSettings { enabled, max_concurrent, hold_conflicts } = asked;
    ProjectDispatchSettings { enabled, max_concurrent, hold_conflicts }
}

fn wire_landing(settings: LandingSettings) -> MergeSettings {
    let LandingSettings { train, window, paused, verify, mode } = settings;
    MergeSettings {
        train,
        window,
        paused,
        verify: match verify {
            LandingVerification::Off => MergeVerify::Off,
            LandingVerification::RemoteChecks => MergeVerify::RemoteChecks,
        },
        mode: match mode {
            LandingMode::Direct => MergeMode::Direct,
            LandingMode::PullRequest => MergeMode::PullRequest,
        },
    }
}

fn domain_landing(asked: MergeSettings) -> LandingSettings {
    let MergeSettings { train, window, paused, verify, mode } = asked;
    LandingSettings {
        train,
        window,
        paused,
        verify: match verify {
            MergeVerify::Off => LandingVerification::Off,
            MergeVerify::RemoteChecks => LandingVerification::RemoteChecks,
        },
        mode: match mode {
            MergeMode::Direct => LandingMode::Direct,
            MergeMode::PullRequest => LandingMode::PullRequest,
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_the_same_on_the_wire_in_the_domain_and_in_the_database() {
        let wire = json!({
            "branch_template": { "run": null, "session": "s/{number}", "task": null },
            "budget": { "tokens": 5 },
            "default_review_config": {
                "allow_no_changes": true, "ci_steps": ["make"], "review_prompt": "Look.",
                "setup_steps": ["true"], "timeout_seconds": 60,
            },
            "default_reviewer": {
                "agent_id": "01890a5d-ac96-774b-bcce-b302099a8057", "user_id": null,
            },
            "directory": "/tmp/x",
            "directory_template": "{id}",
            "dispatch": { "enabled": true, "hold_conflicts": true, "max_concurrent": 3 },
            "github_installation_id": 7,
            "keep_ignored_files": true,
            "members_may_define_commands": true,
            "merge": {
                "mode": "pull_request", "paused": true, "train": true, "verify": "remote_checks",
                "window": 9,
            },
            "metadata": { "colour": "green" },
            "prompts": { "coder": "{{title}}" },
            "setup": { "commands": ["npm ci"], "env": { "A": "1" }, "ports": 1, "timeout_seconds": 9 },
        });
        let asked: ProjectSettings = serde_json::from_value(wire.clone()).expect("wire settings");
        let settings = domain_settings(asked.clone());
        assert_eq!(serde_json::to_value(&settings).expect("JSON"), wire);
        assert_eq!(project_settings(&settings), asked);
        let none = ProjectSettings::default();
        assert_eq!(project_settings(&domain_settings(none.clone())), none);
    }
}
