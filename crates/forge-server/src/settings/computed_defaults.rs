//! Defaults that depend on the environment or on other settings.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use forge_api::SecretString;

use crate::settings::collected_settings::CollectedSettings;
use crate::settings::parse::path;

/// The values of settings whose default is not a fixed text.
#[derive(Debug)]
pub(crate) struct ComputedDefaults {
    pub(crate) config: Option<PathBuf>,
    pub(crate) data_dir: PathBuf,
    pub(crate) database_url: SecretString,
    pub(crate) workspace_root: PathBuf,
}

impl ComputedDefaults {
    /// The defaults beside the given settings; `config` is the settings file.
    pub(crate) fn new(
        given: &mut CollectedSettings,
        environment: &BTreeMap<OsString, OsString>,
        config: Option<PathBuf>,
    ) -> Self {
        let named = given.text("data_dir").and_then(|text| path(&text).ok());
        let data_dir = named.or_else(|| base_dir(environment, "XDG_DATA_HOME", ".local/share"));
        if data_dir.is_none() {
            given.add_problem(
                "data_dir",
                "has no default without HOME; set --data-dir or FORGE_DATA_DIR",
            );
        }
        let data_dir = data_dir.unwrap_or_default();
        let database = format!("sqlite:{}", data_dir.join("forge.db").display());
        Self {
            config,
            database_url: SecretString::new(database),
            workspace_root: data_dir.join("workspaces"),
            data_dir,
        }
    }
}

/// `forge` below the directory that a variable names, or below its default in the home directory. Relative values are
/// ignored, as the XDG base directory rules require.
pub(crate) fn base_dir(
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
