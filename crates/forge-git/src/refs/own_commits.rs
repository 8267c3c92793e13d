use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::index::stale_index::parse_raw_changes;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repository::Repo;
use crate::worktree::worktree_records::WorktreeRecords;

const MAX_COMMITS: &str = "--max-count=10000";

impl Repo {
    /// The commits that were created on a branch or in its worktree, according to both reflogs. Commits that arrived
    /// by a fast-forward, a reset or a checkout were created elsewhere and do not count.
    pub async fn load_commits_created(
        &self,
        branch: &BranchName,
        worktree: &Path,
    ) -> Result<Vec<ObjectId>, GitError> {
        let survey = WorktreeRecords::load(self).await?;
        Ok(self.read_commits_created(&survey, branch, worktree))
    }

    /// For each branch, with its worktree, whether one of its own commits is among the newest commits of `tip`.
    pub async fn branches_with_commits_in(
        &self,
        tip: &ObjectId,
        branches: &[(BranchName, PathBuf)],
    ) -> Result<Vec<bool>, GitError> {
        if branches.is_empty() {
            return Ok(Vec::new());
        }
        let listed = GitCommand::read(self, "rev-list")
            .args([MAX_COMMITS, tip.as_str(), "--"])
            .run()
            .await?;
        let text = String::from_utf8_lossy(&listed);
        let newest: BTreeSet<&str> = text.lines().collect();
        let survey = WorktreeRecords::load(self).await?;
        let made_into = |(branch, worktree): &(BranchName, PathBuf)| {
            let made = self.read_commits_created(&survey, branch, worktree);
            made.iter().any(|commit| newest.contains(commit.as_str()))
        };
        Ok(branches.iter().map(made_into).collect())
    }

    fn read_commits_created(
        &self,
        survey: &WorktreeRecords,
        branch: &BranchName,
        worktree: &Path,
    ) -> Vec<ObjectId> {
        let mut logs = vec![self.common_dir().join("logs").join(branch.to_ref().as_str())];
        let own = survey.complete.iter().filter(|found| found.path == worktree);
        logs.extend(own.map(|found| found.git_dir().join("logs/HEAD")));
        let mut made = Vec::new();
        for log in logs {
            let Ok(bytes) = std::fs::read(&log) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            for line in text.lines() {
                let (ids, message) = line.split_once('\t').unwrap_or((line, ""));
                let new = ids.split(' ').nth(1).and_then(|id| ObjectId::new(id).ok());
                made.extend(new.filter(|new| records_new_commit(message) && !made.contains(new)));
            }
        }
        made
    }

    /// The commits of `tip` that neither `base` nor `other` contains, newest first.
    pub async fn commits_not_in(
        &self,
        tip: &ObjectId,
        base: &ObjectId,
        other: Option<&ObjectId>,
    ) -> Result<Vec<ObjectId>, GitError> {
        let listed = GitCommand::read(self, "rev-list")
            .args([MAX_COMMITS, tip.as_str(), "--not", base.as_str()])
            .args(other.map(ObjectId::as_str))
            .arg("--")
            .run()
            .await?;
        let text = String::from_utf8_lossy(&listed);
        Ok(text.lines().filter_map(|line| ObjectId::new(line).ok()).collect())
    }

    /// The first first-parent ancestor of `from` that is not in `list`.
    pub async fn first_parent_before(
        &self,
        from: &ObjectId,
        list: &[ObjectId],
    ) -> Result<Option<ObjectId>, GitError> {
        let listed = GitCommand::read(self, "rev-list")
            .args([MAX_COMMITS, "--first-parent", from.as_str(), "--"])
            .run()
            .await?;
        let text = String::from_utf8_lossy(&listed);
        let mut commits = text.lines().filter_map(|line| ObjectId::new(line).ok());
        Ok(commits.find(|commit| !list.contains(commit)))
    }

    /// The commits of a target since `base` that give a file the same content as `head` gives it, newest first.
    pub async fn commits_with_same_content(
        &self,
        base: &ObjectId,
        head: &ObjectId,
        tip: &ObjectId,
    ) -> Result<Vec<ObjectId>, GitError> {
        const RAW: [&str; 4] = ["--raw", "-z", "--no-renames", "--no-abbrev"];
        let listed = GitCommand::read(self, "diff-tree")
            .arg("-r")
            .args(RAW)
            .args([base.as_str(), head.as_str(), "--"])
            .run()
            .await?;
        let changes = parse_raw_changes(&listed).into_iter().flat_map(|(_, changes)| changes);
        let own: BTreeMap<_, _> = changes.map(|change| (change.file, change.new)).collect();
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let listed = GitCommand::read(self, "log")
            .args(["--max-count=1000", "--first-parent", "--diff-merges=first-parent"])
            .arg("--format=%H")
            .args(RAW)
            .arg(format!("{base}..{tip}"))
            .arg("--")
            .run()
            .await?;
        let bringing = parse_raw_changes(&listed).into_iter().filter_map(|(commit, changes)| {
            let mut changes = changes.iter();
            let brings = changes.any(|change| own.get(&change.file) == Some(&change.new));
            commit.filter(|_| brings)
        });
        Ok(bringing.collect())
    }
}

/// Whether a reflog entry records a commit that was created there.
fn records_new_commit(message: &str) -> bool {
    let made = ["commit", "cherry-pick", "revert", "am:", "forge: "];
    let made = made.iter().any(|word| message.starts_with(word));
    let picked = message.starts_with("rebase") && !message.contains("(start)");
    let picked = picked && !message.contains("(finish)") && !message.contains("(abort)");
    let merged = message.starts_with("merge") && !message.ends_with("Fast-forward");
    // An entry without a message comes from git's plumbing commands.
    made || picked || merged || message.is_empty()
}
