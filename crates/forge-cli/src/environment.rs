//! What this process was given from outside: read here only, and handed on as a value.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What was set when the process began.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The real one.
    pub(crate) fn of_process() -> Self {
        Self { variables: std::env::vars_os().collect() }
    }

    /// Whether the command line asks for JSON, where it could not be parsed.
    pub(crate) fn asks_for_json() -> bool {
        let mut options = std::env::args_os().take_while(|word| word != "--");
        options.any(|word| word == "--json")
    }

    /// A variable's value; an empty one counts as not set.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        let value = self.variables.get(OsStr::new(name))?;
        (!value.is_empty()).then_some(value)
    }

    /// Everything, for the server's settings.
    pub(crate) fn all(&self) -> impl Iterator<Item = (OsString, OsString)> {
        self.variables.clone().into_iter()
    }

    /// The directory of this user's Forge files; `None` without a home.
    pub(crate) fn config_dir(&self) -> Option<PathBuf> {
        let absolute = |name| {
            let path = Path::new(self.get(name)?);
            path.is_absolute().then(|| path.to_owned())
        };
        let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
        Some(base?.join("forge"))
    }

    /// Where a program would be found, and whether it can be run.
    pub(crate) fn find_program(&self, name: &str) -> Option<PathBuf> {
        let places = std::env::split_paths(self.get("PATH")?);
        places
            .map(|place| place.join(name))
            .find(|path| rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok())
    }
}
