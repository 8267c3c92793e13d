use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use forge_proc::{CaptureLimits, ProcessMark, ProgramInvocation, StdinSource, capture};
use tokio::time::Instant;

use crate::checkout::checkout_list::Checkout;
use crate::command::git_error::GitError;
use crate::command::git_invocation::{
    DURABLE_SETTINGS, PARALLEL_CHECKOUT_THRESHOLD, SCRATCH_SETTINGS, SNAPSHOT_SETTINGS,
    base_invocation, in_bare_clone, in_checkout, in_isolated_dir, in_object_database, in_work_tree,
    in_worktree, trust_directory, with_forge_identity, without_optional_locks,
};
use crate::command::git_output::GitOutput;
use crate::command::git_program::GitProgram;
use crate::fs::confined_dir::ConfinedDir;
use crate::merge::commit_identity::CommitSignature;
use crate::merge::merge_work_dir::MergeWorkDir;
use crate::pool::pool_lock::PoolLock;
use crate::pool::pooled_worktree::PooledWorktree;
use crate::radar::ScratchRepo;
use crate::refs::object_id::ObjectId;
use crate::remote::bare_clone::NewClone;
use crate::remote::isolated_git_dir::IsolatedGitDir;
use crate::remote::remote_repo::RemoteRepo;
use crate::repo::repo_init::NewRepoDir;
use crate::repo::repo_lock::LockedRepo;
use crate::repo::repository::Repo;
use crate::settings::settings_copy::runs_programs;
use crate::worktree::special_file::wait_for_special_file;
use crate::worktree::worktree_handle::Worktree;
use crate::worktree::worktree_location::WorktreeLocation;

const READ_DEADLINE: Duration = Duration::from_secs(60);
const WRITE_DEADLINE: Duration = Duration::from_secs(300);
const SETTINGS_DEADLINE: Duration = Duration::from_secs(10);
/// How long a program that git started may take to end by itself.
const PROGRAM_GRACE: Duration = Duration::from_secs(1);
const MAX_STDOUT_BYTES: usize = 64 * 1024 * 1024;
const MAX_STDERR_BYTES: usize = 16 * 1024;

/// One git command. Its constructors are the only way to start git, and each takes a value that proves its target: no
/// command except [`GitCommand::fast_forward`] can write to a user's checkout.
#[derive(Debug)]
pub(crate) struct GitCommand {
    invocation: ProgramInvocation,
    subcommand: &'static str,
    limits: CaptureLimits,
    location: Option<WorktreeLocation>,
    /// Marks the programs of the repository that git starts, so that they can be ended after git.
    program_marker: Option<ProcessMark>,
    /// The directory below which git reads files of an agent.
    agent_directory: Option<PathBuf>,
}

impl GitCommand {
    /// Searches for a repository from a directory. The only command that lets git search.
    pub(crate) fn discover(git: &GitProgram, directory: &Path, subcommand: &'static str) -> Self {
        let invocation = base_invocation(git, directory, &[]).env("GIT_OPTIONAL_LOCKS", "0");
        Self::new(invocation, subcommand, READ_DEADLINE)
    }

    /// Reads the settings of a user, outside of any repository.
    pub(crate) fn user_settings(git: &GitProgram, home: &Path, subcommand: &'static str) -> Self {
        let invocation = ProgramInvocation::new(git.program(), Path::new("/"))
            .env("PATH", git.search_path())
            .env("HOME", home)
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .arg("--no-pager");
        Self::new(invocation, subcommand, READ_DEADLINE)
    }

    /// Creates a repository in a directory that Forge created for it and that holds no user files.
    pub(crate) fn init_repo(ground: &NewRepoDir, subcommand: &'static str) -> Self {
        let invocation = trust_directory(
            base_invocation(ground.git(), ground.path(), DURABLE_SETTINGS),
            ground.path(),
        )
        .env("GIT_DIR", ground.path().join(".git"))
        .env("GIT_WORK_TREE", ground.path());
        Self::new(with_forge_identity(invocation), subcommand, WRITE_DEADLINE)
    }

    /// Creates a bare repository in a directory that Forge created for it.
    pub(crate) fn init_bare(clone: &NewClone, subcommand: &'static str) -> Self {
        let invocation = base_invocation(clone.git(), clone.path(), DURABLE_SETTINGS);
        Self::new(with_forge_identity(in_bare_clone(invocation, clone)), subcommand, WRITE_DEADLINE)
    }

    /// Queries a remote repository during a clone.
    pub(crate) fn ls_remote_for_clone(clone: &NewClone, remote: &RemoteRepo) -> Self {
        let invocation = base_invocation(clone.git(), clone.path(), &[]);
        Self::new(remote.configure(in_bare_clone(invocation, clone)), "ls-remote", READ_DEADLINE)
    }

    /// Fetches into a bare repository that is being created.
    pub(crate) fn fetch_for_clone(clone: &NewClone, remote: &RemoteRepo) -> Self {
        let invocation =
            with_forge_identity(base_invocation(clone.git(), clone.path(), DURABLE_SETTINGS));
        Self::new(remote.configure(in_bare_clone(invocation, clone)), "fetch", WRITE_DEADLINE)
    }

    /// Queries a remote repository for an existing local one.
    pub(crate) fn ls_remote(isolated: &IsolatedGitDir, remote: &RemoteRepo) -> Self {
        Self::new(remote.configure(in_isolated_dir(isolated, &[])), "ls-remote", READ_DEADLINE)
    }

    /// Fetches objects that no reference of the repository names yet.
    pub(crate) fn fetch(isolated: &IsolatedGitDir, remote: &RemoteRepo) -> Self {
        let invocation = with_forge_identity(in_isolated_dir(isolated, DURABLE_SETTINGS));
        Self::new(remote.configure(invocation), "fetch", WRITE_DEADLINE)
    }

    /// Pushes objects to a remote repository.
    pub(crate) fn push(isolated: &IsolatedGitDir, remote: &RemoteRepo) -> Self {
        Self::new(remote.configure(in_isolated_dir(isolated, &[])), "push", WRITE_DEADLINE)
    }

    /// Reads references of an isolated git directory.
    pub(crate) fn read_isolated(isolated: &IsolatedGitDir, subcommand: &'static str) -> Self {
        Self::new(in_isolated_dir(isolated, &[]), subcommand, READ_DEADLINE)
    }

    /// Reads references and objects.
    pub(crate) fn read(repo: &Repo, subcommand: &'static str) -> Self {
        Self::new(without_optional_locks(in_object_database(repo, &[])), subcommand, READ_DEADLINE)
    }

    /// Reads references and objects at low priority, for background work.
    pub(crate) fn read_in_background(repo: &Repo, subcommand: &'static str) -> Self {
        let invocation = without_optional_locks(in_object_database(repo, &[])).low_priority();
        Self::new(invocation, subcommand, WRITE_DEADLINE)
    }

    /// Merges in a scratch repository whose objects are deleted afterwards, with the attributes of one commit.
    pub(crate) fn merge_in_scratch(
        scratch: &ScratchRepo,
        attributes: Option<&ObjectId>,
        subcommand: &'static str,
    ) -> Self {
        let directory = scratch.path();
        let mut invocation =
            trust_directory(base_invocation(scratch.git(), directory, SCRATCH_SETTINGS), directory)
                .env("GIT_DIR", directory);
        // Flush each answer: if the process dies in the middle of a batch, its earlier answers still arrive.
        invocation = invocation.env("GIT_FLUSH", "1");
        if let Some(shallow) = scratch.shallow() {
            invocation = invocation.env("GIT_SHALLOW_FILE", shallow);
        }
        if let Some(commit) = attributes {
            invocation = invocation.arg(format!("--attr-source={commit}"));
        }
        Self::new(invocation.low_priority(), subcommand, WRITE_DEADLINE)
    }

    /// Adds objects, with the attributes of one commit, because no checkout exists to read them from.
    pub(crate) fn write_objects_as_of(
        repo: &Repo,
        commit: &ObjectId,
        subcommand: &'static str,
    ) -> Self {
        let invocation =
            in_object_database(repo, DURABLE_SETTINGS).arg(format!("--attr-source={commit}"));
        Self::new(invocation, subcommand, WRITE_DEADLINE).mark_programs_of(repo)
    }

    /// Like [`GitCommand::write_objects_as_of`], but with the files of that commit checked out, for merge programs
    /// that read them.
    pub(crate) fn merge_with_files(
        repo: &Repo,
        place: &MergeWorkDir,
        commit: &ObjectId,
        subcommand: &'static str,
    ) -> Self {
        let invocation = in_object_database(repo, DURABLE_SETTINGS)
            .arg(format!("--attr-source={commit}"))
            .directory(place.files())
            .env("GIT_WORK_TREE", place.files())
            .env("GIT_INDEX_FILE", place.index());
        Self::new(invocation, subcommand, WRITE_DEADLINE).mark_programs_of(repo)
    }

    /// Checks out a commit's files into a merge work directory.
    pub(crate) fn check_out_for_merge(repo: &Repo, place: &MergeWorkDir) -> Self {
        let invocation = in_object_database(repo, SCRATCH_SETTINGS)
            .directory(place.files())
            .env("GIT_WORK_TREE", place.files())
            .env("GIT_INDEX_FILE", place.index());
        Self::new(invocation, "read-tree", WRITE_DEADLINE).mark_programs_of(repo)
    }

    /// Adds objects that no reference names yet. This cannot disturb other commands.
    pub(crate) fn write_objects(repo: &Repo, subcommand: &'static str) -> Self {
        Self::new(in_object_database(repo, DURABLE_SETTINGS), subcommand, WRITE_DEADLINE)
    }

    /// Reads the repository's current settings. Git starts no program for this, and no other command reads them
    /// (W-19).
    pub(crate) fn read_settings(git: &GitProgram, common_dir: &Path) -> Self {
        let invocation = trust_directory(base_invocation(git, common_dir, &[]), common_dir);
        let invocation = without_optional_locks(invocation.env("GIT_DIR", common_dir));
        Self::new(invocation, "config", SETTINGS_DEADLINE)
    }

    /// Changes references of a locked repository.
    pub(crate) fn write_refs(
        locked: &LockedRepo,
        subcommand: &'static str,
    ) -> Result<Self, GitError> {
        // The child inherits the lock: if Forge dies, the repository stays locked until this git has finished.
        let file = locked.clone_lock_handle()?;
        let invocation = with_forge_identity(in_object_database(locked.repo(), DURABLE_SETTINGS))
            .stdin(StdinSource::File(file));
        Ok(Self::new(invocation, subcommand, WRITE_DEADLINE))
    }

    /// Adds to the list of worktrees. Git writes the path of its common directory into the new worktree, so it gets
    /// the repository's own and not the settings copy; it starts no program for this.
    pub(crate) fn write_worktree_list(locked: &LockedRepo) -> Result<Self, GitError> {
        let mut command = Self::write_refs(locked, "worktree")?;
        command.invocation = command.invocation.env("GIT_COMMON_DIR", locked.repo().common_dir());
        Ok(command)
    }

    /// Reads one of Forge's worktrees.
    pub(crate) fn read_worktree(worktree: &Worktree, subcommand: &'static str) -> Self {
        let spot = worktree.location();
        Self::new(without_optional_locks(in_worktree(&spot, &[])), subcommand, READ_DEADLINE)
            .at_location(spot)
    }

    /// Changes one of Forge's worktrees.
    pub(crate) fn write_worktree(worktree: &Worktree, subcommand: &'static str) -> Self {
        let spot = worktree.location();
        let invocation = with_forge_identity(in_worktree(&spot, DURABLE_SETTINGS));
        Self::new(invocation, subcommand, WRITE_DEADLINE).at_location(spot)
    }

    /// Writes a worktree's files from its branch, on all cores.
    pub(crate) fn check_out(worktree: &Worktree) -> Self {
        Self::write_files(worktree.location(), "read-tree")
    }

    /// Reads a pooled worktree at low priority.
    pub(crate) fn read_pooled(member: &PooledWorktree, subcommand: &'static str) -> Self {
        let spot = member.location();
        Self::new(
            without_optional_locks(in_worktree(&spot, &[])).low_priority(),
            subcommand,
            WRITE_DEADLINE,
        )
        .at_location(spot)
    }

    /// Changes a pooled worktree. The child inherits the pool lock: if Forge dies, the pool stays locked until this
    /// git has finished.
    pub(crate) fn write_pooled(
        member: &PooledWorktree,
        turn: &PoolLock,
        subcommand: &'static str,
    ) -> Result<Self, GitError> {
        let mut command = Self::write_files(member.location(), subcommand);
        command.invocation =
            command.invocation.low_priority().stdin(StdinSource::File(turn.clone_lock_handle()?));
        Ok(command)
    }

    fn write_files(spot: WorktreeLocation, subcommand: &'static str) -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = format!("checkout.workers={workers}");
        let mut settings = DURABLE_SETTINGS.to_vec();
        settings.extend([workers.as_str(), PARALLEL_CHECKOUT_THRESHOLD]);
        let invocation = with_forge_identity(in_worktree(&spot, &settings));
        Self::new(invocation, subcommand, WRITE_DEADLINE).at_location(spot)
    }

    /// Reads from a worktree's git directory, independent of where its files are.
    pub(crate) fn read_record(repo: &Repo, git_dir: &Path, subcommand: &'static str) -> Self {
        let invocation = in_object_database(repo, &[])
            .env("GIT_DIR", git_dir)
            .env("GIT_COMMON_DIR", repo.settings_dir());
        Self::new(without_optional_locks(invocation), subcommand, READ_DEADLINE)
    }

    /// Reads the files of a workspace into a private index, even if its `.git` is damaged. The caller keeps the
    /// directory open until the command has run.
    pub(crate) fn read_workspace_files(
        repo: &Repo,
        git_dir: &Path,
        ground: &ConfinedDir,
        index: &Path,
        subcommand: &'static str,
    ) -> Self {
        let invocation = in_work_tree(repo, git_dir.to_owned(), ground.path(), SNAPSHOT_SETTINGS)
            .directory(ground.handle_path())
            .env("GIT_WORK_TREE", ".")
            .env("GIT_INDEX_FILE", index);
        let mut command = Self::new(without_optional_locks(invocation), subcommand, WRITE_DEADLINE)
            .mark_programs_of(repo);
        command.agent_directory = Some(ground.path().to_owned());
        command
    }

    /// Reads a checkout that may belong to a user.
    pub(crate) fn read_checkout(checkout: &Checkout, subcommand: &'static str) -> Self {
        Self::new(without_optional_locks(in_checkout(checkout, &[])), subcommand, READ_DEADLINE)
            .mark_programs_of(checkout.repo())
    }

    /// The only command that may change a user's checkout (M-7).
    pub(crate) fn fast_forward(
        checkout: &Checkout,
        locked: &LockedRepo,
        subcommand: &'static str,
    ) -> Result<Self, GitError> {
        let invocation = in_checkout(checkout, DURABLE_SETTINGS)
            .stdin(StdinSource::File(locked.clone_lock_handle()?));
        let command = Self::new(invocation, subcommand, WRITE_DEADLINE);
        Ok(command.mark_programs_of(checkout.repo()))
    }

    fn new(invocation: ProgramInvocation, subcommand: &'static str, deadline: Duration) -> Self {
        Self {
            invocation: invocation.arg(subcommand),
            subcommand,
            limits: CaptureLimits { stdout: MAX_STDOUT_BYTES, stderr: MAX_STDERR_BYTES, deadline },
            location: None,
            program_marker: None,
            agent_directory: None,
        }
    }

    fn at_location(self, spot: WorktreeLocation) -> Self {
        let mut command = self.mark_programs_of(&spot.repo);
        command.agent_directory = Some(spot.path());
        command.location = Some(spot);
        command
    }

    /// Marks the programs that git starts because of a repository's settings, so that Forge can find and end them
    /// (W-19).
    fn mark_programs_of(mut self, repo: &Repo) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let isolation = repo.git().isolation();
        if let Some(Ok(mark)) = isolation.map(|isolation| isolation.marker.numbered(number)) {
            self.invocation = self.invocation.with_mark(&mark);
            self.program_marker = Some(mark).filter(|_| runs_programs(repo.settings_dir()));
        }
        self
    }

    pub(crate) fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.invocation = self.invocation.arg(argument);
        self
    }

    pub(crate) fn args<I>(mut self, arguments: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.invocation = self.invocation.args(arguments);
        self
    }

    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.invocation = self.invocation.stdin(StdinSource::Bytes(bytes.into()));
        self
    }

    /// Uses another index than the checkout's own.
    pub(crate) fn with_index(mut self, file: &Path) -> Self {
        self.invocation = self.invocation.env("GIT_INDEX_FILE", file);
        self
    }

    pub(crate) fn signed(mut self, signature: &CommitSignature) -> Self {
        let date = format!("@{} +0000", signature.at);
        for (role, person) in [("AUTHOR", &signature.author), ("COMMITTER", &signature.committer)] {
            self.invocation = self
                .invocation
                .env(format!("GIT_{role}_NAME"), person.name())
                .env(format!("GIT_{role}_EMAIL"), person.email())
                .env(format!("GIT_{role}_DATE"), &date);
        }
        self
    }

    pub(crate) fn deadline(mut self, deadline: Duration) -> Self {
        self.limits.deadline = deadline;
        self
    }

    pub(crate) fn output_limit(mut self, bytes: usize) -> Self {
        self.limits.stdout = bytes;
        self
    }

    /// Runs the command. The caller judges the exit code.
    pub(crate) async fn output(self) -> Result<GitOutput, GitError> {
        // Open the directory right before the start and run git through the handle, so that a directory that takes
        // its name is never entered (W-5).
        let ground = self.location.as_ref().map(WorktreeLocation::open_directory).transpose()?;
        let invocation = match &ground {
            Some(ground) => self.invocation.directory(ground.handle_path()),
            None => self.invocation,
        };
        let begun = Instant::now();
        let captured = match self.agent_directory {
            None => capture(invocation, self.limits).await,
            Some(directory) => tokio::select! {
                captured = capture(invocation, self.limits) => captured,
                // Dropping the other future ends git.
                special = wait_for_special_file(directory) => return Err(special),
            },
        };
        if let Some(mark) = &self.program_marker
            && let Err(error) = forge_proc::end_marked_processes(mark, PROGRAM_GRACE).await
        {
            tracing::warn!(subcommand = self.subcommand, %error, "program started by git did not end");
        }
        let captured = captured?;
        let took = begun.elapsed();
        tracing::trace!(subcommand = self.subcommand, exit = %captured.exit, ?took, "ran git");
        Ok(GitOutput { subcommand: self.subcommand, captured })
    }

    /// Runs the command to its end even if the caller is cancelled. Cut off in the middle, it would leave a user's
    /// files between two states, or a lock on a branch that Forge may not remove.
    pub(crate) async fn output_uncancelled(self) -> Result<GitOutput, GitError> {
        let subcommand = self.subcommand;
        let running = tokio::spawn(self.output());
        let ended = running.await;
        ended.map_err(|error| GitError::unexpected(subcommand, error.to_string().as_bytes()))?
    }

    /// Runs the command and returns its output. Every exit code except success is an error.
    pub(crate) async fn run(self) -> Result<Vec<u8>, GitError> {
        let outcome = self.output().await?;
        if outcome.captured.exit.is_success() {
            Ok(outcome.captured.stdout)
        } else {
            Err(outcome.into_error())
        }
    }

    /// Runs the command and returns its single line of output.
    pub(crate) async fn output_line(self) -> Result<String, GitError> {
        let subcommand = self.subcommand;
        let output = self.run().await?;
        match std::str::from_utf8(&output) {
            Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
            Err(_) => Err(GitError::unexpected(subcommand, &output)),
        }
    }

    /// Runs the command and parses its output as an object id.
    pub(crate) async fn output_object_id(self) -> Result<ObjectId, GitError> {
        let subcommand = self.subcommand;
        let line = self.output_line().await?;
        ObjectId::new(line.as_str()).map_err(|_| GitError::unexpected(subcommand, line.as_bytes()))
    }
}
