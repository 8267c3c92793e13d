//! The groups of the server's settings in the help of `forge serve`.

/// Heading of settings that no group names.
const OTHER_GROUP: &str = "Other settings";

/// Settings that the short help shows.
const MAIN_SETTINGS: &[&str] = &[
    "config",
    "data_dir",
    "bind",
    "workspace_root",
    "public_hosts",
    "behind_https",
    "max_concurrent_agents",
    "max_concurrent_checks",
    "log_format",
    "log_level",
];

const SETTING_GROUPS: &[(&str, &[&str])] = &[
    ("Address and files", &["config", "data_dir", "bind", "workspace_root", "port_range"]),
    ("Log", &["log_format", "log_level", "execution_log_limit_bytes"]),
    (
        "Agents and checks",
        &[
            "max_concurrent_agents",
            "max_concurrent_checks",
            "agent_stalled_seconds",
            "agent_stopped_seconds",
            "executions_on_restart",
            "dispatch_min_disk_bytes",
            "dispatch_min_memory_bytes",
            "dispatch_max_pressure_percent",
        ],
    ),
    (
        "Workspaces and journals",
        &[
            "workspace_cleanup_delay_seconds",
            "pool_size",
            "pool_disk_bytes",
            "journal_seconds",
            "journal_keep",
            "journal_days",
        ],
    ),
    (
        "Network and permissions",
        &[
            "public_hosts",
            "behind_https",
            "members_may_define_commands",
            "member_directories",
            "private_hosts",
            "max_body_bytes",
            "max_connections",
            "request_header_timeout_seconds",
            "request_body_timeout_seconds",
            "shutdown_grace_seconds",
        ],
    ),
    (
        "Remotes and GitHub",
        &[
            "remote_timeout_seconds",
            "github_url",
            "github_api_url",
            "github_app_id",
            "github_app_key_file",
        ],
    ),
];

/// The heading below which the help lists a setting.
pub(crate) fn heading_of(setting: &str) -> &'static str {
    let group = SETTING_GROUPS.iter().find(|(_, names)| names.contains(&setting));
    group.map_or(OTHER_GROUP, |(heading, _)| heading)
}

/// Whether only the long help shows a setting.
pub(crate) fn is_in_long_help_only(setting: &str) -> bool {
    !MAIN_SETTINGS.contains(&setting)
}
