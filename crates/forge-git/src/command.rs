use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forge_proc::{CaptureLimits, Invocation, Stdin, capture};
use tokio::time::Instant;

use crate::beneath::Beneath;
use crate::checkout::Checkout;
use crate::error::GitError;
use crate::git::Git;
use crate::init::Ground;
use crate::lock::LockedRepo;
use crate::member::Member;
use crate::merge_place::MergePlace;
use crate::object_id::ObjectId;
use crate::outcome::Outcome;
use crate::person::Signature;
use crate::pool_turn::PoolTurn;
use crate::porch::Porch;
use crate::radar::Scratch;
use crate::remote::NewClone;
use crate::remote_repo::RemoteRepo;
use crate::repo::Repo;
use crate::spot::Spot;
use crate::worktree::Worktree;

const READ_DEADLINE: Duration = Duration::from_secs(60);
const WRITE_DEADLINE: Duration = Duration::from_secs(300);
const MOST_OUTPUT: usize = 64 * 1024 * 1024;
const MOST_COMPLAINT: usize = 16 * 1024;

/// Nothing that a repository, a person's settings or an agent configured may run a program, ask a question, start a
/// background job or change an answer's shape.
const FIXED: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "core.pager=cat",
    "diff.external=",
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    "filter.lfs.process=",
    "filter.lfs.smudge=",
    "filter.lfs.clean=",
    "filter.lfs.required=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "credential.helper=",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "i18n.commitEncoding=UTF-8",
    "worktree.guessRemote=false",
    "worktree.useRelativePaths=false",
];

/// What we write must survive a power cut, and a reference that is briefly locked is worth a wait.
const DURABLE: &[&str] = &[
    "core.fsync=all",
    "core.fsyncMethod=batch",
    "core.filesRefLockTimeout=5000",
    "core.packedRefsTimeout=5000",
];

/// Objects that a reference will name must survive a power cut; an index of our own need not. What a repository says
/// about how indexes are kept or line ends are checked must not get in the way of saving what is there.
const GATHERING: &[&str] = &[
    "core.fsync=committed",
    "core.fsyncMethod=batch",
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "core.ignoreStat=false",
    "core.safecrlf=false",
];

/// What is thrown away in a moment is neither flushed to the disk nor packed tightly.
const PASSING: &[&str] = &["core.fsync=none", "core.looseCompression=0"];

/// Starting helpers takes longer than writing a few files.
const WORTH_SHARING: &str = "checkout.thresholdForParallelism=5000";

/// One call of git. The constructors are the only way to start git, and each takes the value that proves its target:
/// no command that writes to a work tree can be aimed at a person's checkout but [`Command::fast_forward`].
#[derive(Debug)]
pub(crate) struct Command {
    invocation: Invocation,
    subcommand: &'static str,
    limits: CaptureLimits,
    spot: Option<Spot>,
}

impl Command {
    /// Looks for a repository from a directory. The only call that lets git search.
    pub(crate) fn discover(git: &Git, directory: &Path, subcommand: &'static str) -> Self {
        let invocation = base(git, directory, &[]).env("GIT_OPTIONAL_LOCKS", "0");
        Self::new(invocation, subcommand, READ_DEADLINE)
    }

    /// Builds a repository in a directory that we made for it, where nothing can be anybody's yet.
    pub(crate) fn found(ground: &Ground, subcommand: &'static str) -> Self {
        let invocation = trusting(base(ground.git(), ground.path(), DURABLE), ground.path())
            .env("GIT_DIR", ground.path().join(".git"))
            .env("GIT_WORK_TREE", ground.path());
        Self::new(recorded_by_forge(invocation), subcommand, WRITE_DEADLINE)
    }

    /// Builds a bare repository in a directory that we made for it.
    pub(crate) fn found_bare(clone: &NewClone, subcommand: &'static str) -> Self {
        let invocation = base(clone.git(), clone.path(), DURABLE);
        Self::new(recorded_by_forge(bare(invocation, clone)), subcommand, WRITE_DEADLINE)
    }

    /// Asks a repository elsewhere about itself.
    pub(crate) fn ask_remote(clone: &NewClone, remote: &RemoteRepo) -> Self {
        let invocation = base(clone.git(), clone.path(), &[]);
        Self::new(remote.reach(bare(invocation, clone)), "ls-remote", READ_DEADLINE)
    }

    /// Fetches into a bare repository that is being built.
    pub(crate) fn fetch_bare(clone: &NewClone, remote: &RemoteRepo) -> Self {
        let invocation = recorded_by_forge(base(clone.git(), clone.path(), DURABLE));
        Self::new(remote.reach(bare(invocation, clone)), "fetch", WRITE_DEADLINE)
    }

    /// Asks a repository elsewhere about itself, on behalf of one that is here.
    pub(crate) fn ask_from(porch: &Porch, remote: &RemoteRepo) -> Self {
        Self::new(remote.reach(before(porch, &[])), "ls-remote", READ_DEADLINE)
    }

    /// Adds objects from elsewhere that no reference of the repository names yet.
    pub(crate) fn fetch_from(porch: &Porch, remote: &RemoteRepo) -> Self {
        let invocation = recorded_by_forge(before(porch, DURABLE));
        Self::new(remote.reach(invocation), "fetch", WRITE_DEADLINE)
    }

    /// Offers objects to a repository elsewhere.
    pub(crate) fn push(porch: &Porch, remote: &RemoteRepo) -> Self {
        Self::new(remote.reach(before(porch, &[])), "push", WRITE_DEADLINE)
    }

    /// Reads what is before a repository.
    pub(crate) fn read_porch(porch: &Porch, subcommand: &'static str) -> Self {
        Self::new(before(porch, &[]), subcommand, READ_DEADLINE)
    }

    /// Reads references and objects.
    pub(crate) fn read(repo: &Repo, subcommand: &'static str) -> Self {
        Self::new(reading(objects(repo, &[])), subcommand, READ_DEADLINE)
    }

    /// Reads references and objects while nobody waits for the answer.
    pub(crate) fn background(repo: &Repo, subcommand: &'static str) -> Self {
        let invocation = reading(objects(repo, &[])).low_priority();
        Self::new(invocation, subcommand, WRITE_DEADLINE)
    }

    /// Merges where everything that is written is thrown away, by the attributes of one commit.
    pub(crate) fn merge_in(
        scratch: &Scratch,
        attributes: Option<&ObjectId>,
        subcommand: &'static str,
    ) -> Self {
        let directory = scratch.path();
        let mut invocation =
            trusting(base(scratch.git(), directory, PASSING), directory).env("GIT_DIR", directory);
        // Whatever becomes of a process that does many things, what it has answered is there.
        invocation = invocation.env("GIT_FLUSH", "1");
        if let Some(shallow) = scratch.shallow() {
            invocation = invocation.env("GIT_SHALLOW_FILE", shallow);
        }
        if let Some(commit) = attributes {
            invocation = invocation.arg(format!("--attr-source={commit}"));
        }
        Self::new(invocation.low_priority(), subcommand, WRITE_DEADLINE)
    }

    /// Adds objects, by the attributes of one commit, as nothing is checked out to read them from.
    pub(crate) fn write_objects_as_of(
        repo: &Repo,
        commit: &ObjectId,
        subcommand: &'static str,
    ) -> Self {
        let invocation = objects(repo, DURABLE).arg(format!("--attr-source={commit}"));
        Self::new(invocation, subcommand, WRITE_DEADLINE)
    }

    /// The same among the files of that commit, for programs that want to see them.
    pub(crate) fn merge_among(
        repo: &Repo,
        place: &MergePlace,
        commit: &ObjectId,
        subcommand: &'static str,
    ) -> Self {
        let invocation = objects(repo, DURABLE)
            .arg(format!("--attr-source={commit}"))
            .directory(place.files())
            .env("GIT_WORK_TREE", place.files())
            .env("GIT_INDEX_FILE", place.index());
        Self::new(invocation, subcommand, WRITE_DEADLINE)
    }

    /// Writes the files of a commit to where a merge is to be made.
    pub(crate) fn lay_out(repo: &Repo, place: &MergePlace) -> Self {
        let invocation = objects(repo, PASSING)
            .directory(place.files())
            .env("GIT_WORK_TREE", place.files())
            .env("GIT_INDEX_FILE", place.index());
        Self::new(invocation, "read-tree", WRITE_DEADLINE)
    }

    /// Adds objects that no reference names yet, which disturbs nobody.
    pub(crate) fn write_objects(repo: &Repo, subcommand: &'static str) -> Self {
        Self::new(objects(repo, DURABLE), subcommand, WRITE_DEADLINE)
    }

    /// Changes references or the list of worktrees.
    pub(crate) fn write_refs(
        locked: &LockedRepo,
        subcommand: &'static str,
    ) -> Result<Self, GitError> {
        // Should we die, this git keeps the lock until it is done itself: nobody meets it half way.
        let file = locked.share()?;
        let invocation =
            recorded_by_forge(objects(locked.repo(), DURABLE)).stdin(Stdin::File(file));
        Ok(Self::new(invocation, subcommand, WRITE_DEADLINE))
    }

    /// Reads one of our worktrees.
    pub(crate) fn read_worktree(worktree: &Worktree, subcommand: &'static str) -> Self {
        let spot = worktree.spot();
        Self::new(reading(inside(&spot, &[])), subcommand, READ_DEADLINE).within(spot)
    }

    /// Changes one of our worktrees.
    pub(crate) fn write_worktree(worktree: &Worktree, subcommand: &'static str) -> Self {
        let spot = worktree.spot();
        let invocation = recorded_by_forge(inside(&spot, DURABLE));
        Self::new(invocation, subcommand, WRITE_DEADLINE).within(spot)
    }

    /// Writes a worktree's files from its branch, on all cores.
    pub(crate) fn check_out(worktree: &Worktree) -> Self {
        Self::write_files(worktree.spot(), "read-tree")
    }

    /// Reads a worktree that waits in the pool.
    pub(crate) fn read_member(member: &Member, subcommand: &'static str) -> Self {
        let spot = member.spot();
        Self::new(reading(inside(&spot, &[])).low_priority(), subcommand, WRITE_DEADLINE)
            .within(spot)
    }

    /// Changes a worktree that nobody was given yet. Should we die, this git keeps the pool's turn until it is done.
    pub(crate) fn write_member(
        member: &Member,
        turn: &PoolTurn,
        subcommand: &'static str,
    ) -> Result<Self, GitError> {
        let mut command = Self::write_files(member.spot(), subcommand);
        command.invocation = command.invocation.low_priority().stdin(Stdin::File(turn.share()?));
        Ok(command)
    }

    fn write_files(spot: Spot, subcommand: &'static str) -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = format!("checkout.workers={workers}");
        let mut settings = DURABLE.to_vec();
        settings.extend([workers.as_str(), WORTH_SHARING]);
        let invocation = recorded_by_forge(inside(&spot, &settings));
        Self::new(invocation, subcommand, WRITE_DEADLINE).within(spot)
    }

    /// Reads what a worktree's git directory says, wherever its files are.
    pub(crate) fn read_record(repo: &Repo, git_dir: &Path, subcommand: &'static str) -> Self {
        let invocation =
            objects(repo, &[]).env("GIT_DIR", git_dir).env("GIT_COMMON_DIR", repo.common_dir());
        Self::new(reading(invocation), subcommand, READ_DEADLINE)
    }

    /// Reads the files of a workspace into an index of our own, whatever became of its `.git`. The caller keeps the
    /// open directory until it has run.
    pub(crate) fn gather(
        repo: &Repo,
        git_dir: &Path,
        ground: &Beneath,
        index: &Path,
        subcommand: &'static str,
    ) -> Self {
        let invocation = at(repo, git_dir.to_owned(), ground.path(), GATHERING)
            .directory(ground.handle_path())
            .env("GIT_WORK_TREE", ".")
            .env("GIT_INDEX_FILE", index);
        Self::new(reading(invocation), subcommand, WRITE_DEADLINE)
    }

    /// Reads a checkout that may be a person's.
    pub(crate) fn read_checkout(checkout: &Checkout, subcommand: &'static str) -> Self {
        Self::new(reading(person(checkout, &[])), subcommand, READ_DEADLINE)
    }

    /// The one command that may change a person's checkout (M-7).
    pub(crate) fn fast_forward(
        checkout: &Checkout,
        locked: &LockedRepo,
        subcommand: &'static str,
    ) -> Result<Self, GitError> {
        let invocation = person(checkout, DURABLE).stdin(Stdin::File(locked.share()?));
        Ok(Self::new(invocation, subcommand, WRITE_DEADLINE))
    }

    fn new(invocation: Invocation, subcommand: &'static str, deadline: Duration) -> Self {
        Self {
            invocation: invocation.arg(subcommand),
            subcommand,
            limits: CaptureLimits { stdout: MOST_OUTPUT, stderr: MOST_COMPLAINT, deadline },
            spot: None,
        }
    }

    fn within(mut self, spot: Spot) -> Self {
        self.spot = Some(spot);
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
        self.invocation = self.invocation.stdin(Stdin::Bytes(bytes.into()));
        self
    }

    /// Works on another index than the checkout's own.
    pub(crate) fn index(mut self, file: &Path) -> Self {
        self.invocation = self.invocation.env("GIT_INDEX_FILE", file);
        self
    }

    pub(crate) fn signed(mut self, signature: &Signature) -> Self {
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

    /// Runs it; any exit code is the caller's to judge.
    pub(crate) async fn outcome(self) -> Result<Outcome, GitError> {
        // Right before the start, and then by the open directory: nothing that takes its name's place is entered (W-5).
        let ground = self.spot.as_ref().map(Spot::ground).transpose()?;
        let invocation = match &ground {
            Some(ground) => self.invocation.directory(ground.handle_path()),
            None => self.invocation,
        };
        let begun = Instant::now();
        let captured = capture(invocation, self.limits).await?;
        let took = begun.elapsed();
        tracing::trace!(subcommand = self.subcommand, exit = %captured.exit, ?took, "git");
        Ok(Outcome { subcommand: self.subcommand, captured })
    }

    /// The same, and nobody who loses interest ends it half way: cut off there, it would leave a person's files between two
    /// states, or a lock on a branch that is not ours to remove.
    pub(crate) async fn outcome_to_the_end(self) -> Result<Outcome, GitError> {
        let subcommand = self.subcommand;
        let running = tokio::spawn(self.outcome());
        let ended = running.await;
        ended.map_err(|error| GitError::unexpected(subcommand, error.to_string().as_bytes()))?
    }

    /// Runs it and gives its output; anything but success is an error.
    pub(crate) async fn run(self) -> Result<Vec<u8>, GitError> {
        let outcome = self.outcome().await?;
        if outcome.captured.exit.is_success() {
            Ok(outcome.captured.stdout)
        } else {
            Err(outcome.into_error())
        }
    }

    /// Runs it for a single line of output.
    pub(crate) async fn line(self) -> Result<String, GitError> {
        let subcommand = self.subcommand;
        let output = self.run().await?;
        match std::str::from_utf8(&output) {
            Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
            Err(_) => Err(GitError::unexpected(subcommand, &output)),
        }
    }

    /// Runs it for an object id.
    pub(crate) async fn object_id(self) -> Result<ObjectId, GitError> {
        let subcommand = self.subcommand;
        let line = self.line().await?;
        ObjectId::new(line.as_str()).map_err(|_| GitError::unexpected(subcommand, line.as_bytes()))
    }
}

fn base(git: &Git, directory: &Path, more: &[&str]) -> Invocation {
    let mut invocation = Invocation::new(git.program(), directory)
        .env("PATH", git.search())
        .env("HOME", "/nonexistent")
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "")
        .env("GIT_EDITOR", "false")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .arg("--no-pager")
        .arg("--literal-pathspecs");
    for setting in FIXED.iter().chain(more) {
        invocation = invocation.arg("-c").arg(*setting);
    }
    invocation
}

fn bare(invocation: Invocation, clone: &NewClone) -> Invocation {
    trusting(invocation, clone.path()).env("GIT_DIR", clone.path())
}

fn before(porch: &Porch, more: &[&str]) -> Invocation {
    base(porch.git(), porch.path(), more)
        .env("GIT_DIR", porch.path())
        .env("GIT_OBJECT_DIRECTORY", porch.objects())
}

fn reading(invocation: Invocation) -> Invocation {
    invocation.env("GIT_OPTIONAL_LOCKS", "0")
}

fn recorded_by_forge(invocation: Invocation) -> Invocation {
    // Reflog entries need a name; commits get theirs from `signed`.
    ["AUTHOR", "COMMITTER"].iter().fold(invocation, |invocation, role| {
        invocation
            .env(format!("GIT_{role}_NAME"), "Forge")
            .env(format!("GIT_{role}_EMAIL"), "forge@localhost")
    })
}

fn trusting(invocation: Invocation, directory: &Path) -> Invocation {
    let mut setting = OsString::from("safe.directory=");
    setting.push(directory);
    invocation.arg("-c").arg(setting)
}

fn objects(repo: &Repo, more: &[&str]) -> Invocation {
    let common = repo.common_dir();
    trusting(base(repo.git(), common, more), common).env("GIT_DIR", common)
}

fn inside(spot: &Spot, more: &[&str]) -> Invocation {
    at(&spot.repo, spot.git_dir.clone(), &spot.path(), more).env("GIT_WORK_TREE", ".")
}

fn person(checkout: &Checkout, more: &[&str]) -> Invocation {
    at(checkout.repo(), checkout.git_dir().to_owned(), checkout.path(), more)
}

fn at(repo: &Repo, git_dir: PathBuf, work_tree: &Path, more: &[&str]) -> Invocation {
    trusting(base(repo.git(), work_tree, more), work_tree)
        .env("GIT_DIR", git_dir)
        .env("GIT_COMMON_DIR", repo.common_dir())
        .env("GIT_WORK_TREE", work_tree)
}
