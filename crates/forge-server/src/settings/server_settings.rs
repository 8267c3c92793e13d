//! The parsed settings of the server.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fs, io};

use forge_api::SecretString;
use forge_engine::{AccessToken, AddressRule, RestartPolicy};

use crate::input::BodyLimits;
use crate::settings::collected_settings::CollectedSettings;
use crate::settings::log_format::LogFormat;
use crate::settings::parse::{
    address, address_rules, directories, hosts, number, path, percent, ports, positive, small,
    switch, token, web_address,
};
use crate::settings::settings_error::SettingsError;
use crate::transport::http_listener::ConnectionLimits;

/// The value of every setting; `TABLE` describes each.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table describes each field")]
pub struct ServerSettings {
    pub data_dir: PathBuf,
    pub bind: SocketAddr,
    pub database_url: SecretString,
    pub workspace_root: PathBuf,
    pub workspace_cleanup_delay_seconds: u64,
    pub port_range: std::ops::RangeInclusive<u16>,
    pub pool_size: u64,
    pub pool_disk_bytes: u64,
    pub journal_seconds: u64,
    pub journal_keep: usize,
    pub journal_days: u64,
    pub public_hosts: Vec<String>,
    pub members_may_define_commands: bool,
    pub member_directories: Vec<PathBuf>,
    pub private_hosts: Vec<AddressRule>,
    pub behind_https: bool,
    pub max_body_bytes: usize,
    pub max_connections: usize,
    pub request_header_timeout_seconds: u64,
    pub request_body_timeout_seconds: u64,
    pub shutdown_grace_seconds: u64,
    pub max_concurrent_checks: usize,
    pub max_concurrent_agents: u32,
    pub agent_stalled_seconds: u64,
    pub agent_stopped_seconds: u64,
    pub executions_on_restart: RestartPolicy,
    pub dispatch_min_disk_bytes: u64,
    pub dispatch_min_memory_bytes: u64,
    pub dispatch_max_pressure_percent: u32,
    pub execution_log_limit_bytes: u64,
    pub remote_timeout_seconds: u64,
    pub github_url: String,
    pub github_api_url: String,
    pub github_app_id: Option<String>,
    pub github_app_key_file: Option<PathBuf>,
    pub github_token: Option<AccessToken>,
    pub log_format: LogFormat,
    pub log_level: String,
    pub bootstrap_token: Option<SecretString>,
}

impl ServerSettings {
    /// Loads the settings: flags (by setting name) over environment over the settings file. Reports all problems
    /// together.
    pub fn load(
        flags: impl IntoIterator<Item = (String, String)>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, SettingsError> {
        let flags: Vec<_> = flags.into_iter().collect();
        let environment: BTreeMap<_, _> = environment.into_iter().collect();
        let mut early = CollectedSettings::default();
        early.add_environment(&environment);
        early.add_flags(flags.iter().cloned());
        let named = early.text("config").map(PathBuf::from);
        let default = base_dir(&environment, "XDG_CONFIG_HOME", ".config");
        let default = default.map(|base| base.join("forge.toml"));

        let mut given = CollectedSettings::default();
        let may_be_missing = named.is_none();
        if let Some(path) = named.or(default) {
            match fs::read_to_string(&path) {
                Ok(text) => given.add_file(&path, &text),
                Err(error) if may_be_missing && error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => given.add_problem(path.display(), format!("cannot be read: {error}")),
            }
        }
        given.add_environment(&environment);
        given.add_flags(flags);
        let data_home = base_dir(&environment, "XDG_DATA_HOME", ".local/share");
        Self::from_given(given, data_home)
    }

    fn from_given(
        mut given: CollectedSettings,
        data_home: Option<PathBuf>,
    ) -> Result<Self, SettingsError> {
        let data_dir = given.value("data_dir", path).or(data_home);
        if data_dir.is_none() {
            given.add_problem(
                "data_dir",
                "has no default without HOME; set --data-dir or FORGE_DATA_DIR",
            );
        }
        let data_dir = data_dir.unwrap_or_default();
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080));
        let settings = Self {
            bind: given.value("bind", address).unwrap_or(local),
            database_url: given
                .value("database_url", |text| Ok(SecretString::new(text)))
                .unwrap_or_else(|| {
                    SecretString::new(format!("sqlite:{}", data_dir.join("forge.db").display()))
                }),
            workspace_root: given
                .value("workspace_root", path)
                .unwrap_or_else(|| data_dir.join("workspaces")),
            workspace_cleanup_delay_seconds: given
                .value("workspace_cleanup_delay_seconds", number)
                .unwrap_or(86_400),
            port_range: given.value("port_range", ports).unwrap_or(42_000..=42_999),
            pool_size: given.value("pool_size", number).unwrap_or(2),
            pool_disk_bytes: given
                .value("pool_disk_bytes", number)
                .unwrap_or(20 * 1024 * 1024 * 1024),
            journal_seconds: given.value("journal_seconds", positive).unwrap_or(180),
            journal_keep: given.value("journal_keep", positive).unwrap_or(50),
            journal_days: given.value("journal_days", positive).unwrap_or(30),
            public_hosts: given.value("public_hosts", hosts).unwrap_or_default(),
            members_may_define_commands: given
                .value("members_may_define_commands", switch)
                .unwrap_or(false),
            member_directories: given.value("member_directories", directories).unwrap_or_default(),
            private_hosts: given.value("private_hosts", address_rules).unwrap_or_default(),
            behind_https: given.value("behind_https", switch).unwrap_or(false),
            max_body_bytes: given.value("max_body_bytes", positive).unwrap_or(1024 * 1024),
            max_connections: given.value("max_connections", positive).unwrap_or(1024),
            request_header_timeout_seconds: given
                .value("request_header_timeout_seconds", positive)
                .unwrap_or(10),
            request_body_timeout_seconds: given
                .value("request_body_timeout_seconds", positive)
                .unwrap_or(30),
            shutdown_grace_seconds: given.value("shutdown_grace_seconds", number).unwrap_or(10),
            max_concurrent_checks: given.value("max_concurrent_checks", positive).unwrap_or(2),
            max_concurrent_agents: given.value("max_concurrent_agents", small).unwrap_or(64),
            agent_stalled_seconds: given.value("agent_stalled_seconds", positive).unwrap_or(600),
            agent_stopped_seconds: given.value("agent_stopped_seconds", positive).unwrap_or(3600),
            executions_on_restart: given
                .value("executions_on_restart", |text| {
                    RestartPolicy::from_str(text).map_err(str::to_owned)
                })
                .unwrap_or_default(),
            dispatch_min_disk_bytes: given
                .value("dispatch_min_disk_bytes", number)
                .unwrap_or(1024 * 1024 * 1024),
            dispatch_min_memory_bytes: given
                .value("dispatch_min_memory_bytes", number)
                .unwrap_or(256 * 1024 * 1024),
            dispatch_max_pressure_percent: given
                .value("dispatch_max_pressure_percent", percent)
                .unwrap_or(80),
            execution_log_limit_bytes: given
                .value("execution_log_limit_bytes", positive)
                .unwrap_or(64 * 1024 * 1024),
            remote_timeout_seconds: given.value("remote_timeout_seconds", positive).unwrap_or(300),
            github_url: given
                .value("github_url", web_address)
                .unwrap_or_else(|| "https://github.com".to_owned()),
            github_api_url: given
                .value("github_api_url", web_address)
                .unwrap_or_else(|| "https://api.github.com".to_owned()),
            github_app_id: given.text("github_app_id"),
            github_app_key_file: given.value("github_app_key_file", path),
            github_token: given.value("github_token", |text| {
                AccessToken::new(text, None).map_err(|error| error.to_string())
            }),
            log_format: given
                .value("log_format", |text| LogFormat::from_str(text).map_err(str::to_owned))
                .unwrap_or_default(),
            log_level: given.text("log_level").unwrap_or_else(|| "info".to_owned()),
            bootstrap_token: given.value("bootstrap_token", token),
            data_dir,
        };
        if given.problems.is_empty() {
            Ok(settings)
        } else {
            Err(SettingsError { problems: given.problems })
        }
    }

    /// The limits of request bodies.
    pub fn limits(&self) -> BodyLimits {
        BodyLimits {
            body_bytes: self.max_body_bytes,
            body_time: Duration::from_secs(self.request_body_timeout_seconds),
            ..BodyLimits::default()
        }
    }

    /// The limits of connections.
    pub fn connection_limits(&self) -> ConnectionLimits {
        ConnectionLimits {
            header_time: Duration::from_secs(self.request_header_timeout_seconds),
            connections: self.max_connections,
            grace: Duration::from_secs(self.shutdown_grace_seconds),
            ..ConnectionLimits::default()
        }
    }
}

/// `forge` below the directory that a variable names, or below its default in the home directory. Relative values are
/// ignored, as the XDG base directory rules require.
fn base_dir(
    environment: &BTreeMap<OsString, OsString>,
    variable: &str,
    in_home: &str,
) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let value = environment.get(&OsString::from(name))?;
        Path::new(value).is_absolute().then(|| PathBuf::from(value))
    };
    let base = absolute(variable).or_else(|| Some(absolute("HOME")?.join(in_home)))?;
    Some(base.join("forge"))
}
