//! The one table of settings.

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
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
pub struct Setting {
    /// Its name, which is also the key in `forge.toml`.
    pub name: &'static str,
    /// Whether it can be a flag. Secrets cannot: every user of a machine can read the arguments of its processes.
    pub flag: Option<&'static str>,
    /// The environment variable.
    pub variable: &'static str,
    /// Whether the file may hold it.
    pub in_file: bool,
    /// What its value looks like.
    pub kind: Kind,
    /// What holds if nobody says anything, in words where it is computed.
    pub default: &'static str,
    /// What it does.
    pub description: &'static str,
}

impl Setting {
    /// The row with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|setting| setting.name == name)
    }
}

/// Flag, variable and key are spelled from one name, so they cannot drift apart.
macro_rules! settings {
    ($($ways:ident $kind:ident $name:literal $flag:literal $variable:literal = $default:literal, $description:literal;)+) => {
        /// Every setting there is, in the order of the documentation.
        pub const TABLE: &[Setting] = &[$(Setting {
            name: $name,
            flag: settings!(@flag $ways $flag),
            variable: $variable,
            in_file: settings!(@file $ways),
            kind: Kind::$kind,
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
        "Where Forge keeps everything of its own: database, logs, bare clones.";
    everywhere Text "bind" "--bind" "FORGE_BIND" = "`127.0.0.1:8080`",
        "Address and port to listen on; port 0 picks a free one and prints it.";
    no_flag Text "database_url" "" "FORGE_DATABASE_URL" = "SQLite in `data_dir`",
        "`sqlite:PATH` or `postgres://…`. No flag, because it can hold a password.";
    everywhere Text "workspace_root" "--workspace-root" "FORGE_WORKSPACE_ROOT" = "`workspaces` in `data_dir`",
        "The directory that holds the tasks' workspaces.";
    everywhere Number "workspace_cleanup_delay_seconds" "--workspace-cleanup-delay-seconds" "FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS" = "`86400`",
        "How long a finished task's workspace is kept where its workflow delays the removal.";
    everywhere Text "port_range" "--port-range" "FORGE_PORT_RANGE" = "`42000-42999`",
        "The ports that tasks of projects with `setup.ports` get, each for one task: first and last.";
    everywhere Number "pool_size" "--pool-size" "FORGE_POOL_SIZE" = "`2`",
        "How many worktrees of each repository are checked out before a task needs one; 0 for none.";
    everywhere Number "pool_disk_bytes" "--pool-disk-bytes" "FORGE_POOL_DISK_BYTES" = "`21474836480`",
        "How much of the disk all of them together may take.";
    everywhere Number "journal_seconds" "--journal-seconds" "FORGE_JOURNAL_SECONDS" = "`180`",
        "How often the state of a workspace is saved in its journal while an agent works there.";
    everywhere Number "journal_keep" "--journal-keep" "FORGE_JOURNAL_KEEP" = "`50`",
        "How many entries of a task's journal are kept. The newest always is.";
    everywhere Number "journal_days" "--journal-days" "FORGE_JOURNAL_DAYS" = "`30`",
        "For how many days entries of a journal are kept. The newest of a task always is.";
    everywhere List "public_hosts" "--public-hosts" "FORGE_PUBLIC_HOSTS" = "none",
        "Further host names under which browsers and clients reach the server; requests for others are refused.";
    everywhere Switch "behind_https" "--behind-https" "FORGE_BEHIND_HTTPS" = "`false`",
        "Browsers reach the server by https, through a proxy: session cookies are marked Secure.";
    everywhere Number "max_body_bytes" "--max-body-bytes" "FORGE_MAX_BODY_BYTES" = "`1048576`",
        "The largest request body.";
    everywhere Number "max_connections" "--max-connections" "FORGE_MAX_CONNECTIONS" = "`1024`",
        "How many connections are open at once; others wait.";
    everywhere Number "request_header_timeout_seconds" "--request-header-timeout-seconds" "FORGE_REQUEST_HEADER_TIMEOUT_SECONDS" = "`10`",
        "How long a client may take to send a request's headers.";
    everywhere Number "request_body_timeout_seconds" "--request-body-timeout-seconds" "FORGE_REQUEST_BODY_TIMEOUT_SECONDS" = "`30`",
        "How long a client may take to send a request's body.";
    everywhere Number "shutdown_grace_seconds" "--shutdown-grace-seconds" "FORGE_SHUTDOWN_GRACE_SECONDS" = "`10`",
        "How long running requests and steps, and agents that do not go on without the server, may take after it is told to stop.";
    everywhere Number "max_concurrent_checks" "--max-concurrent-checks" "FORGE_MAX_CONCURRENT_CHECKS" = "`2`",
        "How many gates and trial merges run their checks at once on this machine.";
    everywhere Number "max_concurrent_agents" "--max-concurrent-agents" "FORGE_MAX_CONCURRENT_AGENTS" = "`64`",
        "How many executions of agents run at once on this machine before tasks stop going to agents by themselves; 0 for no limit.";
    everywhere Number "agent_stalled_seconds" "--agent-stalled-seconds" "FORGE_AGENT_STALLED_SECONDS" = "`600`",
        "After how long without a line of output or a changed file an agent counts as stalled; an agent can have its own.";
    everywhere Number "agent_stopped_seconds" "--agent-stopped-seconds" "FORGE_AGENT_STOPPED_SECONDS" = "`3600`",
        "After how long it is stopped and its task parked; an agent can have its own.";
    everywhere Text "executions_on_restart" "--executions-on-restart" "FORGE_EXECUTIONS_ON_RESTART" = "`adopt`",
        "What becomes of agents at work when the server ends: `adopt` lets them go on and the next start takes them over; `end` ends them, keeps their work and begins them again.";
    everywhere Number "dispatch_min_disk_bytes" "--dispatch-min-disk-bytes" "FORGE_DISPATCH_MIN_DISK_BYTES" = "`1073741824`",
        "Tasks go to agents by themselves while this much of the disks of `data_dir` and `workspace_root` is free.";
    everywhere Number "dispatch_min_memory_bytes" "--dispatch-min-memory-bytes" "FORGE_DISPATCH_MIN_MEMORY_BYTES" = "`268435456`",
        "The same, while this much memory is available.";
    everywhere Number "dispatch_max_pressure_percent" "--dispatch-max-pressure-percent" "FORGE_DISPATCH_MAX_PRESSURE_PERCENT" = "`80`",
        "The same, while in no more than this part of the last ten seconds all processes waited for memory, or for the disk, as the kernel counts it (PSI); 100 to ignore it.";
    everywhere Number "execution_log_limit_bytes" "--execution-log-limit-bytes" "FORGE_EXECUTION_LOG_LIMIT_BYTES" = "`67108864`",
        "How much output of one execution is kept; the log is cut there, the agent goes on.";
    everywhere Number "remote_timeout_seconds" "--remote-timeout-seconds" "FORGE_REMOTE_TIMEOUT_SECONDS" = "`300`",
        "How long a question to a remote repository, a fetch or a push may take.";
    everywhere Text "github_url" "--github-url" "FORGE_GITHUB_URL" = "`https://github.com`",
        "Where GitHub is: tokens of the GitHub App and `GITHUB_TOKEN` go to this host only.";
    everywhere Text "github_api_url" "--github-api-url" "FORGE_GITHUB_API_URL" = "`https://api.github.com`",
        "Where its API is.";
    everywhere Text "github_app_id" "--github-app-id" "FORGE_GITHUB_APP_ID" = "none",
        "The id of a GitHub App whose installations open repositories (docs/REMOTES.md).";
    everywhere Text "github_app_key_file" "--github-app-key-file" "FORGE_GITHUB_APP_KEY_FILE" = "none",
        "The file of its private key, in PEM form.";
    only_environment Text "github_token" "" "GITHUB_TOKEN" = "none",
        "A token for repositories on GitHub that have nothing else. Agents do not get it.";
    everywhere Text "log_format" "--log-format" "FORGE_LOG_FORMAT" = "`text`",
        "The server's own log: `text` for people, `json` for collectors.";
    everywhere Text "log_level" "--log-level" "FORGE_LOG_LEVEL" = "`info`",
        "How much of it: `error`, `warn`, `info`, `debug`, `trace`, or a filter such as `info,forge_git=debug`.";
    only_environment Text "bootstrap_token" "" "FORGE_BOOTSTRAP_TOKEN" = "none",
        "On an empty server, makes this the first admin's token. Only from the environment, because it is a secret.";
}
