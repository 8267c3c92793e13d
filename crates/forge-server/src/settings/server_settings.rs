//! Loads the settings of the server.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use crate::input::BodyLimits;
use crate::settings::collected_settings::CollectedSettings;
use crate::settings::computed_defaults::{ComputedDefaults, base_dir};
use crate::settings::setting_table::ServerSettings;
use crate::settings::settings_error::SettingsError;
use crate::transport::http_listener::ConnectionLimits;

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
        let file = named.or(default);
        if let Some(path) = &file {
            match fs::read_to_string(path) {
                Ok(text) => given.add_file(path, &text),
                Err(error) if may_be_missing && error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => given.add_problem(path.display(), format!("cannot be read: {error}")),
            }
        }
        given.add_environment(&environment);
        given.add_flags(flags);
        let computed = ComputedDefaults::new(&mut given, &environment, file);
        match Self::parse(&mut given, computed) {
            Some(settings) if given.problems.is_empty() => Ok(settings),
            Some(_) | None => Err(SettingsError { problems: given.problems }),
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
