use std::collections::BTreeSet;

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::repo::Repo;

const MOST_COMMITS: &str = "--max-count=1000";

impl Repo {
    /// The paths that a branch changes since it left its target; both names of one that it moved.
    pub async fn changed_paths(
        &self,
        base: &ObjectId,
        head: &ObjectId,
    ) -> Result<BTreeSet<String>, GitError> {
        let listed = Command::read(self, "diff-tree")
            .args(["-r", "-z", "--name-only", "--no-renames", "--end-of-options"])
            .args([base.as_str(), head.as_str()])
            .run()
            .await?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// What was there before the last of a history's commits, along its first parents; none if they are all there is.
    pub async fn before(
        &self,
        commit: &ObjectId,
        commits: u32,
    ) -> Result<Option<ObjectId>, GitError> {
        let outcome = Command::read(self, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", &format!("{commit}~{commits}")])
            .outcome()
            .await?;
        let text = String::from_utf8_lossy(outcome.stdout());
        Ok(ObjectId::new(text.trim_end()).ok().filter(|_| outcome.code() == Some(0)))
    }

    /// How many commits one end of a history has and the other has not, merges left out.
    pub async fn count_since(&self, old: &ObjectId, new: &ObjectId) -> Result<u32, GitError> {
        let counted = Command::read(self, "rev-list")
            .args(["--count", "--no-merges", "--end-of-options", &format!("{old}..{new}")])
            .run()
            .await?;
        let text = String::from_utf8_lossy(&counted);
        text.trim_end().parse().map_err(|_| GitError::unexpected("rev-list", &counted))
    }

    /// What a trailer says in the commits that one end of a history has and the other has not, the newest first; only in
    /// commits that touch these paths where any are given.
    pub async fn trailers_since(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        trailer: &'static str,
        paths: &[String],
    ) -> Result<Vec<(ObjectId, String)>, GitError> {
        let mut command = Command::read(self, "log")
            .args([MOST_COMMITS, "--first-parent", "-z"])
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
