//! Environment and arguments of this process: read only here, and passed on as values.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The environment variables at the start of the process.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProcessEnvironment {
    variables: BTreeMap<OsString, OsString>,
}

impl ProcessEnvironment {
    /// The actual environment of this process.
    pub(crate) fn of_process() -> Self {
        Self { variables: std::env::vars_os().collect() }
    }

    /// The command line. `help --help` is read as `help help`, which the parser does not do by itself.
    pub(crate) fn arguments() -> Vec<OsString> {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        if let [.., before, last] = words.as_mut_slice()
            && before == "help"
            && (last == "--help" || last == "-h")
        {
            *last = "help".into();
        }
        words
    }

    /// Whether the command line requests JSON, for the case that it could not be parsed.
    pub(crate) fn is_json_requested() -> bool {
        let mut options = std::env::args_os().take_while(|word| word != "--");
        options.any(|word| word == "--json")
    }

    /// A variable's value; an empty one counts as not set.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        let value = self.variables.get(OsStr::new(name))?;
        (!value.is_empty()).then_some(value)
    }

    /// Removes a variable and returns its value.
    pub(crate) fn remove(&mut self, name: &str) -> Option<OsString> {
        self.variables.remove(OsStr::new(name))
    }

    /// Adds variables that this process was not started with.
    pub(crate) fn extend(&mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) {
        self.variables.extend(variables);
    }

    /// All variables, for the server's settings.
    pub(crate) fn all(&self) -> impl Iterator<Item = (OsString, OsString)> {
        self.variables.clone().into_iter()
    }

    /// The directory of this user's Forge files; `None` without a home directory.
    pub(crate) fn config_dir(&self) -> Option<PathBuf> {
        let absolute = |name| {
            let path = Path::new(self.get(name)?);
            path.is_absolute().then(|| path.to_owned())
        };
        let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
        Some(base?.join("forge"))
    }

    /// The path of an executable program on the PATH.
    pub(crate) fn find_program(&self, name: &str) -> Option<PathBuf> {
        let places = std::env::split_paths(self.get("PATH")?);
        places
            .map(|place| place.join(name))
            .find(|path| rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok())
    }
}
