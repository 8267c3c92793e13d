use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use crate::checkout::checkout_list::Checkout;
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;

/// How far back an index is looked for.
const MAX_COMMITS: usize = 50;
/// The words that Forge's own moves have in a branch's reflog.
const FORGE_REFLOG_PREFIX: &str = "forge: ";
const RAW_DIFF_FLAGS: [&str; 5] =
    ["--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];

/// Mode and object of a file, as git lists them.
type ModeAndObject = (String, String);

/// An index that holds an earlier commit of its branch: the branch was moved under its checkout, and the next commit there
/// would take back what the move brought.
#[derive(Debug)]
pub(crate) struct StaleIndex {
    /// The commit whose files the index holds.
    pub(crate) commit: ObjectId,
    /// The files that it does not have as the branch has them.
    pub(crate) files: Vec<OsString>,
    /// Whether the branch's reflog names Forge for every move since that commit.
    pub(crate) moved_by_forge: bool,
}

impl Checkout {
    /// Whether the index is that of an earlier commit of the branch in all files that have changed since. Whatever else a
    /// person has staged does not count.
    pub(crate) async fn find_stale_index(
        &self,
        branch: &BranchName,
        tip: &ObjectId,
    ) -> Result<Option<StaleIndex>, GitError> {
        let staged = self.staged_since(tip).await?;
        if staged.is_empty() {
            return Ok(None);
        }
        let moves = self.load_reflog(branch).await?;
        for (commit, changes) in self.earlier_commits(tip, &moves).await? {
            let is_there =
                |(file, entry): (&OsString, &ModeAndObject)| staged.get(file) == Some(entry);
            if !changes.is_empty() && changes.iter().all(is_there) {
                let since = moves.iter().position(|(value, _)| *value == commit);
                let is_current = moves.first().is_some_and(|(value, _)| value == tip);
                let by_forge = |since: usize| {
                    moves
                        .iter()
                        .take(since)
                        .all(|(_, message)| message.starts_with(FORGE_REFLOG_PREFIX))
                };
                let moved_by_forge = is_current && since.is_some_and(by_forge);
                let files = changes.into_keys().collect();
                return Ok(Some(StaleIndex { commit, files, moved_by_forge }));
            }
        }
        Ok(None)
    }

    /// Whether the index was last written before `HEAD`, as by the `git switch` that moved `HEAD`: whatever a person stages
    /// after a switch is written later.
    pub(crate) fn is_index_older_than_head(&self) -> bool {
        let written = |name: &str| {
            let found = std::fs::metadata(self.git_dir().join(name)).ok()?;
            found.modified().ok()
        };
        match (written("index"), written("HEAD")) {
            (Some(index), Some(head)) => index <= head,
            _ => false,
        }
    }

    /// What the index holds of the files in which it differs from a commit.
    async fn staged_since(
        &self,
        commit: &ObjectId,
    ) -> Result<BTreeMap<OsString, ModeAndObject>, GitError> {
        let listed = GitCommand::read_checkout(self, "diff-index")
            .arg("--cached")
            .args(RAW_DIFF_FLAGS)
            .args([commit.as_str(), "--"])
            .run()
            .await?;
        let changes = parse_raw_changes(&listed).into_iter().flat_map(|(_, changes)| changes);
        Ok(changes.map(|change| (change.file, change.new)).collect())
    }

    /// Where the branch was, the latest first, and what moved it there.
    async fn load_reflog(&self, branch: &BranchName) -> Result<Vec<(ObjectId, String)>, GitError> {
        let outcome = GitCommand::read(self.repo(), "reflog")
            .args(["show", "--format=%H %gs"])
            .arg(format!("--max-count={MAX_COMMITS}"))
            .arg(branch.to_ref().as_str())
            .output()
            .await?;
        if outcome.code() != Some(0) {
            // A branch without a history of its moves.
            return Ok(Vec::new());
        }
        let text = String::from_utf8_lossy(outcome.stdout()).into_owned();
        let entries = text.lines().filter_map(|line| {
            let (id, message) = line.split_once(' ').unwrap_or((line, ""));
            Some((ObjectId::new(id).ok()?, message.to_owned()))
        });
        Ok(entries.collect())
    }

    /// Earlier commits of the branch, each with the files that have changed since as that commit has them: its own line, then
    /// commits that it held before it was rewritten.
    async fn earlier_commits(
        &self,
        tip: &ObjectId,
        moves: &[(ObjectId, String)],
    ) -> Result<Vec<(ObjectId, BTreeMap<OsString, ModeAndObject>)>, GitError> {
        let listed = GitCommand::read(self.repo(), "log")
            .args(["--first-parent", "--diff-merges=first-parent", "--format=%H"])
            .arg(format!("--max-count={MAX_COMMITS}"))
            .args(RAW_DIFF_FLAGS)
            .args([tip.as_str(), "--"])
            .run()
            .await?;
        let line = parse_raw_changes(&listed);
        let mut found = Vec::new();
        // By file: as the tip has it, and as the commit has it that the walk has come to.
        let mut since: BTreeMap<OsString, (ModeAndObject, ModeAndObject)> = BTreeMap::new();
        for (position, (_, changes)) in line.iter().enumerate() {
            for change in changes {
                let known = since.entry(change.file.clone());
                let both = known.or_insert_with(|| (change.new.clone(), change.old.clone()));
                both.1.clone_from(&change.old);
            }
            let Some((parent, _)) = line.get(position + 1) else { break };
            let changed = since.iter().filter(|(_, (now, then))| now != then);
            let changed = changed.map(|(file, (_, then))| (file.clone(), then.clone())).collect();
            found.extend(parent.clone().map(|parent| (parent, changed)));
        }
        let known: Vec<_> = line.iter().filter_map(|(commit, _)| commit.clone()).collect();
        let rewritten = moves.iter().map(|(commit, _)| commit).filter(|one| !known.contains(one));
        for commit in rewritten.take(5) {
            let listed = GitCommand::read(self.repo(), "diff-tree")
                .arg("-r")
                .args(RAW_DIFF_FLAGS)
                .args([commit.as_str(), tip.as_str(), "--"])
                .run()
                .await?;
            let changes = parse_raw_changes(&listed).into_iter().flat_map(|(_, changes)| changes);
            found.push((commit.clone(), changes.map(|one| (one.file, one.old)).collect()));
        }
        Ok(found)
    }
}

/// A file in which two commits differ, or a commit and an index.
#[derive(Debug)]
pub(crate) struct RawChange {
    pub(crate) file: OsString,
    pub(crate) old: ModeAndObject,
    pub(crate) new: ModeAndObject,
}

/// Reads `--raw -z --no-abbrev`, with the commits between the changes where `--format=%H` names them.
pub(crate) fn parse_raw_changes(listed: &[u8]) -> Vec<(Option<ObjectId>, Vec<RawChange>)> {
    let mut found: Vec<(Option<ObjectId>, Vec<RawChange>)> = Vec::new();
    let mut words = listed.split(|byte| *byte == 0);
    while let Some(word) = words.next() {
        let word = word.trim_ascii_start();
        let text = String::from_utf8_lossy(word);
        let Some(raw) = text.strip_prefix(':') else {
            if let Ok(commit) = ObjectId::new(text.trim()) {
                found.push((Some(commit), Vec::new()));
            }
            continue;
        };
        let mut fields = raw.split(' ').map(str::to_owned);
        let (Some(old_mode), Some(new_mode), Some(old), Some(new), Some(file)) =
            (fields.next(), fields.next(), fields.next(), fields.next(), words.next())
        else {
            break;
        };
        if found.is_empty() {
            found.push((None, Vec::new()));
        }
        let file = OsString::from_vec(file.to_vec());
        let change = RawChange { file, old: (old_mode, old), new: (new_mode, new) };
        if let Some((_, changes)) = found.last_mut() {
            changes.push(change);
        }
    }
    found
}
