use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::adoption::exit_record;
use crate::tree::process_mark::{ProcessMark, VARIABLE};

/// What a child reads from standard input.
#[derive(Debug)]
pub enum StdinSource {
    /// Nothing: end of file at once.
    Closed,
    /// These bytes, then end of file.
    Bytes(Vec<u8>),
    /// An open file. A child that outlives this process keeps it open, and with it the kernel lock it may hold.
    File(File),
}

/// One program call: arguments, directory, standard input and the whole environment. Nothing is inherited.
#[derive(Debug)]
pub struct ProgramInvocation {
    program: OsString,
    arguments: Vec<OsString>,
    directory: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    stdin: StdinSource,
    low_priority: bool,
}

/// Why a program could not be started. Nothing runs.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// No such program, neither as a path nor on the given `PATH`.
    #[error(
        "the program {program:?} was not found; install it or correct its name (looked in {searched:?})"
    )]
    ProgramMissing {
        program: OsString,
        /// The `PATH` of the call, or the program's own path.
        searched: OsString,
    },
    /// The working directory does not exist.
    #[error("the working directory {} does not exist; create it or choose another", directory.display())]
    DirectoryMissing { directory: PathBuf },
    /// The log file cannot be written.
    #[error("the log file {} cannot be opened: {source}; check the directory and the free space", path.display())]
    Log { path: PathBuf, source: io::Error },
    /// The system refused to start it.
    #[error("{program:?} could not be started: {source}")]
    System { program: OsString, source: io::Error },
}

impl ProgramInvocation {
    /// Replaces the working directory.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// A call of `program` in `directory`, without arguments, environment or input. A program name without a slash is
    /// looked up in the `PATH` of the call, not in that of this process.
    pub fn new(program: impl Into<OsString>, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: directory.into(),
            environment: BTreeMap::new(),
            stdin: StdinSource::Closed,
            low_priority: false,
        }
    }

    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    #[must_use]
    pub fn args<I>(mut self, arguments: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

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

    /// Sets the child's standard input.
    #[must_use]
    pub fn stdin(mut self, stdin: StdinSource) -> Self {
        self.stdin = stdin;
        self
    }

    /// Runs the program only when no other process wants the processor or the disk. The kernel derives the disk
    /// priority from the processor priority unless it is set separately.
    #[must_use]
    pub fn low_priority(mut self) -> Self {
        self.low_priority = true;
        self
    }

    pub(crate) fn is_low_priority(&self) -> bool {
        self.low_priority
    }

    /// The program as the caller named it.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// The `PATH` of the call.
    pub(crate) fn search_path(&self) -> OsString {
        self.environment.get(OsStr::new("PATH")).cloned().unwrap_or_default()
    }

    /// Puts a mark on the program and on everything that it starts.
    #[must_use]
    pub fn with_mark(self, mark: &ProcessMark) -> Self {
        self.env(VARIABLE, mark.as_str())
    }

    /// Stores the standard input in this file, so that the child can read on after this process ends.
    pub(crate) fn with_input_file(mut self, path: &Path) -> io::Result<Self> {
        if let StdinSource::Bytes(bytes) = &self.stdin {
            std::fs::write(path, bytes)?;
            self.stdin = StdinSource::File(File::open(path)?);
        }
        Ok(self)
    }

    /// The same call through an exit recorder, which writes down how the program exited; unchanged where the recorder
    /// would change the program's environment.
    pub(crate) fn with_exit_recorder(self, note: &Path) -> Result<(Self, bool), SpawnError> {
        if !exit_record::can_record(self.environment.keys().map(OsString::as_os_str)) {
            return Ok((self, false));
        }
        let program = self.resolve_program()?;
        if !is_executable(&program) {
            let source = io::ErrorKind::PermissionDenied.into();
            return Err(SpawnError::System { program: self.program, source });
        }
        let mut arguments: Vec<OsString> =
            ["-c", exit_record::SCRIPT, "exit-recorder"].map(Into::into).into();
        arguments.push(note.into());
        arguments.push(program.into());
        arguments.extend(self.arguments);
        Ok((Self { program: exit_record::SHELL.into(), arguments, ..self }, true))
    }

    /// The command ready to start, and the bytes to write to its standard input.
    pub(crate) fn into_command(self) -> Result<(Command, Option<Vec<u8>>), SpawnError> {
        let program = self.resolve_program()?;
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
            StdinSource::Closed => {
                command.stdin(Stdio::null());
                None
            }
            StdinSource::Bytes(bytes) => {
                command.stdin(Stdio::piped());
                Some(bytes)
            }
            StdinSource::File(file) => {
                command.stdin(file);
                None
            }
        };
        Ok((command, bytes))
    }

    // Resolving the path here makes the child's own PATH count, gives a typed error, and lets the standard library
    // start the program without copying the address space first.
    fn resolve_program(&self) -> Result<PathBuf, SpawnError> {
        let missing = |searched: &OsStr| SpawnError::ProgramMissing {
            program: self.program.clone(),
            searched: searched.to_owned(),
        };
        if self.program.as_encoded_bytes().contains(&b'/') {
            let path = Path::new(&self.program);
            // A relative path is relative to the call's directory, where the child starts.
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
