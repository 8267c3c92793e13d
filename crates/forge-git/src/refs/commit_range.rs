use std::collections::BTreeSet;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

const MAX_COMMITS: &str = "--max-count=1000";

impl Repo {
    /// The paths that a branch changes since `base`. A moved file counts with both names.
    pub async fn changed_paths(
        &self,
        base: &ObjectId,
        head: &ObjectId,
    ) -> Result<BTreeSet<String>, GitError> {
        let listed = GitCommand::read(self, "diff-tree")
            .args(["-r", "-z", "--name-only", "--no-renames", "--end-of-options"])
            .args([base.as_str(), head.as_str()])
            .run()
            .await?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The paths that `new` has and `old` does not have. A moved file counts with its new name.
    pub async fn added_paths(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<String>, GitError> {
        let listed = GitCommand::read(self, "diff-tree")
            .args(["-r", "-z", "--name-only", "--no-renames", "--diff-filter=A"])
            .args(["--end-of-options", old.as_str(), new.as_str()])
            .run()
            .await?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The last commit that the histories of `one` and all others share. Commits that are no longer in the repository
    /// are ignored; `None` if nothing is shared.
    pub async fn common_ancestor(
        &self,
        one: &ObjectId,
        others: impl Iterator<Item = &ObjectId>,
    ) -> Result<Option<ObjectId>, GitError> {
        let asked: String = others.map(|other| format!("{other}\n")).collect();
        let listed = GitCommand::read(self, "cat-file")
            .args(["--batch-check=%(objectname) %(objecttype)"])
            .input(asked)
            .run()
            .await?;
        let listed = String::from_utf8_lossy(&listed);
        let commits = listed.lines().filter_map(|line| line.strip_suffix(" commit"));
        let outcome = GitCommand::read(self, "merge-base")
            .args(["--octopus", one.as_str()])
            .args(commits)
            .output()
            .await?;
        match outcome.code() {
            Some(0) => {
                let text = String::from_utf8_lossy(outcome.stdout());
                let id = ObjectId::new(text.lines().next().unwrap_or_default());
                id.map(Some).map_err(|_| GitError::unexpected("merge-base", outcome.stdout()))
            }
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// The values of a trailer in the commits of `new` that `old` does not contain.
    pub async fn trailer_values(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        trailer: &'static str,
    ) -> Result<BTreeSet<String>, GitError> {
        let listed = GitCommand::read(self, "log")
            .args([MAX_COMMITS, "--no-show-signature"])
            .arg(format!("--format=%(trailers:key={trailer},valueonly)"))
            .arg(format!("{old}..{new}"))
            .arg("--")
            .run()
            .await?;
        let text = String::from_utf8_lossy(&listed);
        let values = text.lines().map(str::trim).filter(|value| !value.is_empty());
        Ok(values.map(str::to_owned).collect())
    }

    /// The commit that is `commits` first parents before `commit`; `None` if the history is shorter.
    pub async fn nth_first_parent(
        &self,
        commit: &ObjectId,
        commits: u32,
    ) -> Result<Option<ObjectId>, GitError> {
        let outcome = GitCommand::read(self, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", &format!("{commit}~{commits}")])
            .output()
            .await?;
        let text = String::from_utf8_lossy(outcome.stdout());
        Ok(ObjectId::new(text.trim_end()).ok().filter(|_| outcome.code() == Some(0)))
    }

    /// How many commits `new` has that `old` does not have, without merges.
    pub async fn count_since(&self, old: &ObjectId, new: &ObjectId) -> Result<u32, GitError> {
        let counted = GitCommand::read(self, "rev-list")
            .args(["--count", "--no-merges", "--end-of-options", &format!("{old}..{new}")])
            .run()
            .await?;
        let text = String::from_utf8_lossy(&counted);
        text.trim_end().parse().map_err(|_| GitError::unexpected("rev-list", &counted))
    }

    /// The values of a trailer in the commits that `new` has and `old` does not have, newest first. If `paths` is not
    /// empty, only commits that touch one of them count.
    pub async fn trailers_since(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        trailer: &'static str,
        paths: &[String],
    ) -> Result<Vec<(ObjectId, String)>, GitError> {
        let mut command = GitCommand::read(self, "log")
            .args([MAX_COMMITS, "--first-parent", "-z"])
            .arg(format!("--format=%H %(trailers:key={trailer},valueonly,separator=%x20)"))
            .arg(format!("{old}..{new}"))
            .arg("--");
        for path in paths {
            command = command.arg(path);
        }
        let listed = command.run().await?;
        let listed = String::from_utf8_lossy(&listed);
        let commits = listed.split('\0').filter_map(|line| {
            let (commit, said) = line.trim().split_once(' ')?;
            let said = said.trim();
            let commit = ObjectId::new(commit).ok()?;
            (!said.is_empty()).then(|| (commit, said.to_owned()))
        });
        Ok(commits.collect())
    }
}
