use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::merge::commit_identity::{CommitIdentity, CommitSignature};
use crate::merge::scissors_line::indent_scissors_lines;
use crate::merge::squash::{SquashOutcome, TreeMergeOutcome};
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

const MAX_COMMITS: usize = 1000;

/// The outcome of replaying a branch's commits one by one on top of its target. Computing it changes no reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayOutcome {
    /// All commits were replayed.
    Clean {
        /// The last new commit.
        commit: ObjectId,
        /// The tree of that commit.
        tree: ObjectId,
    },
    /// The target contains all of the branch already (M-8).
    AlreadyMerged,
    /// These files conflict (M-9).
    Conflict {
        /// Paths from the top level, lossily converted to UTF-8.
        files: Vec<String>,
        /// The tree with the conflict markers.
        tree: ObjectId,
    },
}

/// An existing commit that is to be replayed.
struct OriginalCommit {
    id: ObjectId,
    author: CommitIdentity,
    at: i64,
    message: String,
}

impl Repo {
    /// Replays a branch's own commits on top of the target, in the object database (M-6). Skips merges and commits
    /// that change nothing any more. Appends `trailers` to each message. The same inputs give the same commits. If
    /// `fork` is given, only commits after it are the branch's own.
    pub async fn try_replay(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
        fork: Option<&ObjectId>,
        trailers: &str,
        committer: &CommitIdentity,
    ) -> Result<ReplayOutcome, GitError> {
        let whole = self.try_squash_from(target, branch, fork).await?;
        if whole == SquashOutcome::AlreadyMerged {
            return Ok(ReplayOutcome::AlreadyMerged);
        }
        let (mut top, mut tree) = (target.clone(), self.tree_of(target).await?);
        for original in self.load_commits_to_replay(fork.unwrap_or(target), branch).await? {
            let base = self.first_parent(&original.id).await?;
            let merged = match self.merge_trees(&top, &original.id, Some(&base)).await? {
                TreeMergeOutcome::Clean { tree } => tree,
                TreeMergeOutcome::Conflict { files, tree } => {
                    return Ok(ReplayOutcome::Conflict { files, tree });
                }
            };
            if merged == tree {
                continue;
            }
            let message =
                format!("{}\n\n{trailers}", indent_scissors_lines(original.message.trim_end()));
            let signature = CommitSignature {
                author: original.author,
                committer: committer.clone(),
                at: original.at,
            };
            top = self.commit_tree(&merged, &[top], &message, &signature).await?;
            tree = merged;
        }
        Ok(if top == *target {
            ReplayOutcome::AlreadyMerged
        } else {
            ReplayOutcome::Clean { commit: top, tree }
        })
    }

    /// Whether a branch has merge commits that its target does not contain.
    pub async fn has_merges(&self, target: &ObjectId, branch: &ObjectId) -> Result<bool, GitError> {
        let listed = GitCommand::read(self, "rev-list")
            .args(["--merges", "--max-count=1"])
            .arg(format!("{target}..{branch}"))
            .arg("--")
            .run()
            .await?;
        Ok(!listed.trim_ascii().is_empty())
    }

    pub(crate) async fn first_parent(&self, commit: &ObjectId) -> Result<ObjectId, GitError> {
        GitCommand::read(self, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options"])
            .arg(format!("{commit}^1"))
            .output_object_id()
            .await
    }

    /// The commits to replay, oldest first.
    async fn load_commits_to_replay(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
    ) -> Result<Vec<OriginalCommit>, GitError> {
        let listed = GitCommand::read(self, "log")
            .args(["-z", "--reverse", "--topo-order", "--no-merges"])
            .arg("--format=%H%n%an%n%ae%n%at%n%B")
            .arg(format!("{target}..{branch}"))
            .arg("--")
            .run()
            .await?;
        let unexpected = || GitError::unexpected("log", &listed);
        let text = String::from_utf8_lossy(&listed);
        let mut originals = Vec::new();
        for entry in text.split('\0').filter(|entry| !entry.trim().is_empty()).take(MAX_COMMITS) {
            let mut lines = entry.splitn(5, '\n');
            let mut line = || lines.next().unwrap_or_default();
            let (id, name, email, at) = (line(), line(), line(), line());
            let unknown = || CommitIdentity::new("unknown", "unknown@localhost");
            let author = CommitIdentity::new(name, email).or_else(|_| unknown());
            originals.push(OriginalCommit {
                id: ObjectId::new(id).map_err(|_| unexpected())?,
                author: author.map_err(|_| unexpected())?,
                at: at.parse().map_err(|_| unexpected())?,
                message: line().to_owned(),
            });
        }
        Ok(originals)
    }
}
