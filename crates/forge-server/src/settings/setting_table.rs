//! The table of all settings.

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// Any text: a path, an address, a word.
    Text,
    /// A whole number, not negative.
    Number,
    /// `true` or `false`.
    Switch,
    /// Several texts: an array in the file, separated by commas elsewhere.
    List,
}

/// One setting and all the ways to give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingSpec {
    /// Its name, which is also the key in `forge.toml`.
    pub name: &'static str,
    /// The flag, if there is one. Secrets have none: every user of a machine can read the arguments of its processes.
    pub flag: Option<&'static str>,
    /// The environment variable.
    pub variable: &'static str,
    /// Whether the file may contain it.
    pub in_file: bool,
    /// The type of its value.
    pub kind: SettingKind,
    /// The default; in words if it is computed.
    pub default: &'static str,
    /// What the setting does.
    pub description: &'static str,
}

impl SettingSpec {
    /// The setting with this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|setting| setting.name == name)
    }
}

/// Flag, variable and key are derived from one name, so that they cannot diverge.
macro_rules! settings {
    ($($ways:ident $kind:ident $name:literal $flag:literal $variable:literal = $default:literal, $description:literal;)+) => {
        /// Every setting, in the order of the documentation.
        pub const TABLE: &[SettingSpec] = &[$(SettingSpec {
            name: $name,
            flag: settings!(@flag $ways $flag),
            variable: $variable,
            in_file: settings!(@file $ways),
            kind: SettingKind::$kind,
            default: $default,
            description: $description,
        }),+];
    };
    (@flag everywhere $flag:literal) => { Some($flag) };
    (@flag before_file $flag:literal) => { Some($flag) };
    (@flag no_flag $flag:literal) => { None };
    (@flag only_environment $flag:literal) => { None };
    (@file everywhere) => { true };
    (@file before_file) => { false };
    (@file no_flag) => { true };
    (@file only_environment) => { false };
}

settings! {
    before_file Text "config" "--config" "FORGE_CONFIG" = "`$XDG_CONFIG_HOME/forge/forge.toml`, `~/.config/forge/forge.toml`",
        "The settings file. The default one may be missing, a named one may not.";
    everywhere Text "data_dir" "--data-dir" "FORGE_DATA_DIR" = "`$XDG_DATA_HOME/forge`, `~/.local/share/forge`",
        "Directory for Forge's own data: database, logs, bare clones.";
    everywhere Text "bind" "--bind" "FORGE_BIND" = "`127.0.0.1:8080`",
        "Address and port to listen on; with port 0 the server chooses a free port and prints it.";
    no_flag Text "database_url" "" "FORGE_DATABASE_URL" = "SQLite in `data_dir`",
        "`sqlite:PATH` or `postgres://…`. No flag, because it can hold a password.";
    everywhere Text "workspace_root" "--workspace-root" "FORGE_WORKSPACE_ROOT" = "`workspaces` in `data_dir`",
        "Directory for the workspaces of tasks.";
    everywhere Number "workspace_cleanup_delay_seconds" "--workspace-cleanup-delay-seconds" "FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS" = "`86400`",
        "How long to keep the workspace of a finished task if its workflow delays the removal.";
    everywhere Text "port_range" "--port-range" "FORGE_PORT_RANGE" = "`42000-42999`",
        "Range of ports for tasks of projects with `setup.ports`; each port belongs to one task.";
    everywhere Number "pool_size" "--pool-size" "FORGE_POOL_SIZE" = "`2`",
        "Smallest number of worktrees per repository that Forge checks out in advance; after a burst of claims it keeps as many as the burst took for half an hour; 0 for none.";
    everywhere Number "pool_disk_bytes" "--pool-disk-bytes" "FORGE_POOL_DISK_BYTES" = "`21474836480`",
        "Maximum disk space of all pooled worktrees together.";
    everywhere Number "journal_seconds" "--journal-seconds" "FORGE_JOURNAL_SECONDS" = "`180`",
        "How often Forge saves a workspace to its journal while an agent works in it.";
    everywhere Number "journal_keep" "--journal-keep" "FORGE_JOURNAL_KEEP" = "`50`",
        "Number of journal entries to keep per task. Forge always keeps the newest.";
    everywhere Number "journal_days" "--journal-days" "FORGE_JOURNAL_DAYS" = "`30`",
        "Number of days to keep journal entries. Forge always keeps the newest of a task.";
    everywhere List "public_hosts" "--public-hosts" "FORGE_PUBLIC_HOSTS" = "none",
        "Additional host names of the server; it refuses requests for other names.";
    everywhere Switch "members_may_define_commands" "--members-may-define-commands" "FORGE_MEMBERS_MAY_DEFINE_COMMANDS" = "`false`",
        "Whether members may define commands in all their projects: agents of the project, checks, setup. An admin can allow it for a single project instead (docs/PERMISSIONS.md).";
    everywhere List "member_directories" "--member-directories" "FORGE_MEMBER_DIRECTORIES" = "none",
        "Absolute directories below which members may use repositories and plain directories of this machine; elsewhere only admins may.";
    everywhere List "private_hosts" "--private-hosts" "FORGE_PRIVATE_HOSTS" = "none",
        "Hosts, addresses and networks (`10.0.0.0/8`) with private, loopback or link-local addresses from which repositories may be added; Forge refuses all other such addresses.";
    everywhere Switch "behind_https" "--behind-https" "FORGE_BEHIND_HTTPS" = "`false`",
        "Set it if browsers reach the server by https through a proxy: session cookies are marked Secure.";
    everywhere Number "max_body_bytes" "--max-body-bytes" "FORGE_MAX_BODY_BYTES" = "`1048576`",
        "Maximum size of a request body.";
    everywhere Number "max_connections" "--max-connections" "FORGE_MAX_CONNECTIONS" = "`1024`",
        "Maximum number of open connections; others wait. One address gets at most three quarters of them.";
    everywhere Number "request_header_timeout_seconds" "--request-header-timeout-seconds" "FORGE_REQUEST_HEADER_TIMEOUT_SECONDS" = "`10`",
        "Time limit for sending the headers of a request.";
    everywhere Number "request_body_timeout_seconds" "--request-body-timeout-seconds" "FORGE_REQUEST_BODY_TIMEOUT_SECONDS" = "`30`",
        "Time limit for sending the body of a request.";
    everywhere Number "shutdown_grace_seconds" "--shutdown-grace-seconds" "FORGE_SHUTDOWN_GRACE_SECONDS" = "`10`",
        "How long a stopping server waits for running requests and effects, and for agents that do not continue without it.";
    everywhere Number "max_concurrent_checks" "--max-concurrent-checks" "FORGE_MAX_CONCURRENT_CHECKS" = "`2`",
        "Maximum number of gates and trial merges that run checks at once on this machine.";
    everywhere Number "max_concurrent_agents" "--max-concurrent-agents" "FORGE_MAX_CONCURRENT_AGENTS" = "`64`",
        "Maximum number of agent executions on this machine for automatic dispatch; 0 for no limit.";
    everywhere Number "agent_stalled_seconds" "--agent-stalled-seconds" "FORGE_AGENT_STALLED_SECONDS" = "`600`",
        "Time without output or a changed file after which an agent counts as stalled; an agent can override it.";
    everywhere Number "agent_stopped_seconds" "--agent-stopped-seconds" "FORGE_AGENT_STOPPED_SECONDS" = "`3600`",
        "Time without output or a changed file after which Forge stops an agent and parks its task; an agent can override it.";
    everywhere Text "executions_on_restart" "--executions-on-restart" "FORGE_EXECUTIONS_ON_RESTART" = "`adopt`",
        "What happens to running agents when the server stops: with `adopt` they continue and the next start adopts them; with `end` the server stops them, keeps their work and restarts them later.";
    everywhere Number "dispatch_min_disk_bytes" "--dispatch-min-disk-bytes" "FORGE_DISPATCH_MIN_DISK_BYTES" = "`1073741824`",
        "Free space on the disks of `data_dir` and `workspace_root` that automatic dispatch requires.";
    everywhere Number "dispatch_min_memory_bytes" "--dispatch-min-memory-bytes" "FORGE_DISPATCH_MIN_MEMORY_BYTES" = "`268435456`",
        "Available memory that automatic dispatch requires.";
    everywhere Number "dispatch_max_pressure_percent" "--dispatch-max-pressure-percent" "FORGE_DISPATCH_MAX_PRESSURE_PERCENT" = "`80`",
        "Maximum share of the last ten seconds in which all processes waited for memory or for the disk (PSI) for automatic dispatch; 100 to ignore it.";
    everywhere Number "execution_log_limit_bytes" "--execution-log-limit-bytes" "FORGE_EXECUTION_LOG_LIMIT_BYTES" = "`67108864`",
        "Maximum stored output of one execution; beyond it the log is cut and the agent continues.";
    everywhere Number "remote_timeout_seconds" "--remote-timeout-seconds" "FORGE_REMOTE_TIMEOUT_SECONDS" = "`300`",
        "Time limit for a query of a remote repository, a fetch or a push.";
    everywhere Text "github_url" "--github-url" "FORGE_GITHUB_URL" = "`https://github.com`",
        "Address of GitHub; Forge sends tokens of the GitHub App and `GITHUB_TOKEN` only to this host.";
    everywhere Text "github_api_url" "--github-api-url" "FORGE_GITHUB_API_URL" = "`https://api.github.com`",
        "Address of GitHub's API.";
    everywhere Text "github_app_id" "--github-app-id" "FORGE_GITHUB_APP_ID" = "none",
        "The id of a GitHub App whose installations give access to repositories (docs/REMOTES.md).";
    everywhere Text "github_app_key_file" "--github-app-key-file" "FORGE_GITHUB_APP_KEY_FILE" = "none",
        "File with the private key of the GitHub App, in PEM form.";
    only_environment Text "github_token" "" "GITHUB_TOKEN" = "none",
        "A token for repositories on GitHub without other credentials. Agents do not get it.";
    everywhere Text "log_format" "--log-format" "FORGE_LOG_FORMAT" = "`text`",
        "Format of the server's log: `text` for people, `json` for collectors.";
    everywhere Text "log_level" "--log-level" "FORGE_LOG_LEVEL" = "`info`",
        "Level of the server's log: `error`, `warn`, `info`, `debug`, `trace`, or a filter such as `info,forge_git=debug`.";
    only_environment Text "bootstrap_token" "" "FORGE_BOOTSTRAP_TOKEN" = "none",
        "Token of the first admin, for an empty server. Only from the environment, because it is a secret.";
}
