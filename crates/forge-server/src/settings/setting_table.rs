//! The declaration of all settings.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use forge_api::SecretString;
use forge_engine::{AccessToken, AddressRule, RestartPolicy};

use crate::settings::collected_settings::CollectedSettings;
use crate::settings::computed_defaults::ComputedDefaults;
use crate::settings::log_format::LogFormat;
use crate::settings::parse::{
    access_token, address, address_rules, directories, hosts, log_format, number, optional, path,
    percent, ports, positive, restart_policy, secret, small, switch, text, token, web_address,
};
use crate::settings::setting_spec::{SettingDefault, SettingKind, SettingSources, SettingSpec};

/// Declares the settings. From each declaration follow a field of [`ServerSettings`], a row of [`TABLE`], the flag, the
/// variable and the key in the file. It contains the default, the type of the text, the sources, and the function that
/// parses the text.
macro_rules! settings {
    ($(
        $(#[doc = $description:literal])+
        $name:ident: $value:ty =
            $default:ident $(($text:literal))?, $kind:ident, $sources:ident, $parse:expr;
    )+) => {
        /// The value of every setting.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct ServerSettings {
            $($(#[doc = $description])+ pub $name: $value,)+
        }

        /// Every setting, in the order of the documentation.
        pub const TABLE: &[SettingSpec] = &[$(SettingSpec {
            name: stringify!($name),
            sources: SettingSources::$sources,
            kind: SettingKind::$kind,
            default: SettingDefault::$default $(($text))?,
            description: concat!($($description),+).trim_ascii(),
        }),+];

        impl ServerSettings {
            /// Parses the collected texts. Values that cannot be parsed are recorded as problems; `None` if a default
            /// cannot be parsed.
            pub(crate) fn parse(
                given: &mut CollectedSettings,
                computed: ComputedDefaults,
            ) -> Option<Self> {
                Some(Self {
                    $($name: settings!(
                        @value $default $(($text))?, given, computed, $name, stringify!($name), $parse
                    ),)+
                })
            }
        }
    };
    (@value Fixed($text:literal), $given:ident, $computed:ident, $field:ident, $name:expr, $parse:expr) => {
        $given.value_or($name, $parse, $text)?
    };
    (@value Computed($text:literal), $given:ident, $computed:ident, $field:ident, $name:expr, $parse:expr) => {
        $given.value($name, $parse).unwrap_or($computed.$field)
    };
    (@value Empty, $given:ident, $computed:ident, $field:ident, $name:expr, $parse:expr) => {
        $given.value($name, $parse).unwrap_or_default()
    };
}

settings! {
    /// The settings file. The default one may be missing, a named one may not.
    config: Option<PathBuf> = Computed("`$XDG_CONFIG_HOME/forge/forge.toml`, `~/.config/forge/forge.toml`"),
        Text, BeforeFile, optional(path);
    /// Directory for Forge's own data: database, logs, bare clones.
    data_dir: PathBuf = Computed("`$XDG_DATA_HOME/forge`, `~/.local/share/forge`"), Text, Everywhere, path;
    /// Address and port to listen on; with port 0 the server chooses a free port and prints it.
    bind: SocketAddr = Fixed("127.0.0.1:8080"), Text, Everywhere, address;
    /// `sqlite:PATH` or `postgres://…`. No flag, because it can hold a password.
    database_url: SecretString = Computed("SQLite in `data_dir`"), Text, NoFlag, secret;
    /// Directory for the workspaces of tasks.
    workspace_root: PathBuf = Computed("`workspaces` in `data_dir`"), Text, Everywhere, path;
    /// How long to keep the workspace of a finished task if its workflow delays the removal.
    workspace_cleanup_delay_seconds: u64 = Fixed("86400"), Number, Everywhere, number;
    /// Range of ports for tasks of projects with `setup.ports`; each port belongs to one task.
    port_range: RangeInclusive<u16> = Fixed("42000-42999"), Text, Everywhere, ports;
    /// Smallest number of worktrees per repository that Forge checks out in advance; after a burst of claims it keeps
    /// as many as the burst took for half an hour; 0 for none.
    pool_size: u64 = Fixed("2"), Number, Everywhere, number;
    /// Maximum disk space of all pooled worktrees together.
    pool_disk_bytes: u64 = Fixed("21474836480"), Number, Everywhere, number;
    /// How often Forge saves a workspace to its journal while an agent works in it.
    journal_seconds: u64 = Fixed("180"), Number, Everywhere, positive;
    /// Number of journal entries to keep per task. Forge always keeps the newest.
    journal_keep: usize = Fixed("50"), Number, Everywhere, positive;
    /// Number of days to keep journal entries. Forge always keeps the newest of a task.
    journal_days: u64 = Fixed("30"), Number, Everywhere, positive;
    /// Additional host names of the server; it refuses requests for other names.
    public_hosts: Vec<String> = Empty, List, Everywhere, hosts;
    /// Whether members may define commands in all their projects: agents of the project, checks, setup. An admin can
    /// allow it for a single project instead (docs/PERMISSIONS.md).
    members_may_define_commands: bool = Fixed("false"), Switch, Everywhere, switch;
    /// Absolute directories below which members may use repositories and plain directories of this machine; elsewhere
    /// only admins may.
    member_directories: Vec<PathBuf> = Empty, List, Everywhere, directories;
    /// Hosts, addresses and networks (`10.0.0.0/8`) with private, loopback or link-local addresses from which
    /// repositories may be added and to which webhooks may post, also by http; Forge refuses all other such addresses.
    private_hosts: Vec<AddressRule> = Empty, List, Everywhere, address_rules;
    /// Set it if browsers reach the server by https through a proxy: session cookies are marked Secure.
    behind_https: bool = Fixed("false"), Switch, Everywhere, switch;
    /// Maximum size of a request body.
    max_body_bytes: usize = Fixed("1048576"), Number, Everywhere, positive;
    /// Maximum number of open connections; others wait. One address gets at most three quarters of them.
    max_connections: usize = Fixed("1024"), Number, Everywhere, positive;
    /// Time limit for sending the headers of a request.
    request_header_timeout_seconds: u64 = Fixed("10"), Number, Everywhere, positive;
    /// Time limit for sending the body of a request.
    request_body_timeout_seconds: u64 = Fixed("30"), Number, Everywhere, positive;
    /// How long a stopping server waits for running requests and effects, and for agents that do not continue without
    /// it.
    shutdown_grace_seconds: u64 = Fixed("10"), Number, Everywhere, number;
    /// Maximum number of gates and trial merges that run checks at once on this machine.
    max_concurrent_checks: usize = Fixed("2"), Number, Everywhere, positive;
    /// Maximum number of agent executions on this machine for automatic dispatch; 0 for no limit.
    max_concurrent_agents: u32 = Fixed("64"), Number, Everywhere, small;
    /// Time without output or a changed file after which an agent counts as stalled; an agent can override it.
    agent_stalled_seconds: u64 = Fixed("600"), Number, Everywhere, positive;
    /// Time without output or a changed file after which Forge stops an agent and parks its task; an agent can
    /// override it.
    agent_stopped_seconds: u64 = Fixed("3600"), Number, Everywhere, positive;
    /// What happens to running agents when the server stops: with `adopt` they continue and the next start adopts
    /// them; with `end` the server stops them, keeps their work and restarts them later.
    executions_on_restart: RestartPolicy = Fixed("adopt"), Text, Everywhere, restart_policy;
    /// Free space on the disks of `data_dir` and `workspace_root` that automatic dispatch requires.
    dispatch_min_disk_bytes: u64 = Fixed("1073741824"), Number, Everywhere, number;
    /// Available memory that automatic dispatch requires.
    dispatch_min_memory_bytes: u64 = Fixed("268435456"), Number, Everywhere, number;
    /// Maximum percentage of the last ten seconds in which no process could work because all waited for memory, or for
    /// the disk (the kernel's pressure stall information, PSI). Above it automatic dispatch starts no agent; 100 to
    /// ignore the pressure.
    dispatch_max_pressure_percent: u32 = Fixed("80"), Number, Everywhere, percent;
    /// Maximum stored output of one execution; beyond it the log is cut and the agent continues.
    execution_log_limit_bytes: u64 = Fixed("67108864"), Number, Everywhere, positive;
    /// Time limit for a query of a remote repository, a fetch or a push.
    remote_timeout_seconds: u64 = Fixed("300"), Number, Everywhere, positive;
    /// Address of GitHub; Forge sends tokens of the GitHub App and `GITHUB_TOKEN` only to this host.
    github_url: String = Fixed("https://github.com"), Text, Everywhere, web_address;
    /// Address of GitHub's API.
    github_api_url: String = Fixed("https://api.github.com"), Text, Everywhere, web_address;
    /// The id of a GitHub App whose installations give access to repositories (docs/REMOTES.md).
    github_app_id: Option<String> = Empty, Text, Everywhere, optional(text);
    /// File with the private key of the GitHub App, in PEM form.
    github_app_key_file: Option<PathBuf> = Empty, Text, Everywhere, optional(path);
    /// A token for repositories on GitHub without other credentials. Agents do not get it.
    github_token: Option<AccessToken> = Empty, Text, SharedVariable, optional(access_token);
    /// Format of the server's log: `text` for people, `json` for collectors.
    log_format: LogFormat = Fixed("text"), Text, Everywhere, log_format;
    /// Level of the server's log: `error`, `warn`, `info`, `debug`, `trace`, or a filter such as
    /// `info,forge_git=debug`.
    log_level: String = Fixed("info"), Text, Everywhere, text;
    /// Token of the first admin, for an empty server. Only from the environment, because it is a secret.
    bootstrap_token: Option<SecretString> = Empty, Text, OnlyEnvironment, optional(token);
}
