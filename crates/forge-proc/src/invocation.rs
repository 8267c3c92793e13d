use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::keeper;
use crate::mark::{Mark, VARIABLE};

/// What a child reads.
#[derive(Debug)]
pub enum Stdin {
    /// Nothing: end of file at once.
    Closed,
    /// These bytes, then end of file.
    Bytes(Vec<u8>),
    /// An open file. A child that outlives us keeps it open, and with it the kernel lock it may carry.
    File(File),
}

/// One program call: argv, directory, standard input and the whole environment. Nothing is inherited.
#[derive(Debug)]
pub struct Invocation {
    program: OsString,
    arguments: Vec<OsString>,
    directory: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    stdin: Stdin,
    low_priority: bool,
}

/// A program that could not be started. Nothing runs.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// No such program, neither as a path nor on the given `PATH`.
    #[error(
        "the program {program:?} was not found; install it or correct its name (looked in {searched:?})"
    )]
    ProgramMissing {
        /// As it was asked for.
        program: OsString,
        /// The `PATH` of the call, or the program's own path.
        searched: OsString,
    },
    /// The working directory is not there.
    #[error("the working directory {} does not exist; create it or choose another", directory.display())]
    DirectoryMissing {
        /// The directory asked for.
        directory: PathBuf,
    },
    /// The log file cannot be written.
    #[error("the log file {} cannot be opened: {source}; check the directory and the free space", path.display())]
    Log {
        /// The log file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused.
    #[error("{program:?} could not be started: {source}")]
    System {
        /// As it was asked for.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
}

impl Invocation {
    /// The same call in another directory.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// A call of `program` in `directory`, without arguments, environment or input. A program without a slash is
    /// looked up in the `PATH` that the call is given, not in ours.
    pub fn new(program: impl Into<OsString>, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: directory.into(),
            environment: BTreeMap::new(),
            stdin: Stdin::Closed,
            low_priority: false,
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I>(mut self, arguments: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets one environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// Sets environment variables.
    #[must_use]
    pub fn envs<I, N, V>(mut self, variables: I) -> Self
    where
        I: IntoIterator<Item = (N, V)>,
        N: Into<OsString>,
        V: Into<OsString>,
    {
        self.environment
            .extend(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Sets what the child reads.
    #[must_use]
    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }

    /// Runs it only when nobody else wants the processor or the disk. The kernel takes the one from the other, as long
    /// as nothing else is said about the disk.
    #[must_use]
    pub fn low_priority(mut self) -> Self {
        self.low_priority = true;
        self
    }

    pub(crate) fn is_low_priority(&self) -> bool {
        self.low_priority
    }

    /// The program as it was asked for.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// The `PATH` that the call is given.
    pub(crate) fn search_path(&self) -> OsString {
        self.environment.get(OsStr::new("PATH")).cloned().unwrap_or_default()
    }

    pub(crate) fn marked(self, mark: &Mark) -> Self {
        self.env(VARIABLE, mark.as_str())
    }

    /// Puts what the child reads into this file, so that it can read on when nobody writes to it any more.
    pub(crate) fn input_in(mut self, path: &Path) -> io::Result<Self> {
        if let Stdin::Bytes(bytes) = &self.stdin {
            std::fs::write(path, bytes)?;
            self.stdin = Stdin::File(File::open(path)?);
        }
        Ok(self)
    }

    /// The same call through a keeper, which writes down how the program left; unchanged where that would change what
    /// the program finds in its environment.
    pub(crate) fn kept(self, note: &Path) -> Result<(Self, bool), SpawnError> {
        if !keeper::can_keep(self.environment.keys().map(OsString::as_os_str)) {
            return Ok((self, false));
        }
        let program = self.resolve()?;
        if !is_executable(&program) {
            let source = io::ErrorKind::PermissionDenied.into();
            return Err(SpawnError::System { program: self.program, source });
        }
        let mut arguments: Vec<OsString> = ["-c", keeper::SCRIPT, "keeper"].map(Into::into).into();
        arguments.push(note.into());
        arguments.push(program.into());
        arguments.extend(self.arguments);
        Ok((Self { program: keeper::SHELL.into(), arguments, ..self }, true))
    }

    /// The command ready to start, and the bytes to write to its input.
    pub(crate) fn into_command(self) -> Result<(Command, Option<Vec<u8>>), SpawnError> {
        let program = self.resolve()?;
        if !self.directory.is_dir() {
            return Err(SpawnError::DirectoryMissing { directory: self.directory });
        }
        #[expect(clippy::disallowed_methods, reason = "the one place that starts processes")]
        let mut command = Command::new(program);
        command
            .args(&self.arguments)
            .current_dir(&self.directory)
            .env_clear()
            .envs(&self.environment);
        let bytes = match self.stdin {
            Stdin::Closed => {
                command.stdin(Stdio::null());
                None
            }
            Stdin::Bytes(bytes) => {
                command.stdin(Stdio::piped());
                Some(bytes)
            }
            Stdin::File(file) => {
                command.stdin(file);
                None
            }
        };
        Ok((command, bytes))
    }

    // Resolving here makes the child's own PATH count, gives a typed refusal, and lets the standard library start the
    // program without copying our address space first.
    fn resolve(&self) -> Result<PathBuf, SpawnError> {
        let missing = |searched: &OsStr| SpawnError::ProgramMissing {
            program: self.program.clone(),
            searched: searched.to_owned(),
        };
        if self.program.as_encoded_bytes().contains(&b'/') {
            let path = Path::new(&self.program);
            // A relative path is meant from the call's directory, and a child is started there.
            let seen = self.directory.join(path);
            return if seen.exists() { Ok(seen) } else { Err(missing(&self.program)) };
        }
        let search = self.search_path();
        std::env::split_paths(&search)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(&self.program))
            .find(|candidate| is_executable(candidate))
            .ok_or_else(|| missing(&search))
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
