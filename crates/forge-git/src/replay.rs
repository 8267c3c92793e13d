use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::person::{Person, Signature};
use crate::repo::Repo;
use crate::squash::{Merged, Squash};
use crate::wording::uncut;

const MOST_COMMITS: usize = 1000;

/// What putting a branch's commits one by one on top of its target would give. Nothing is changed by finding out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// The last of the new commits, and its tree.
    Clean {
        /// The commit.
        commit: ObjectId,
        /// Its tree.
        tree: ObjectId,
    },
    /// The target has all of it already (M-8).
    Nothing,
    /// These files clash (M-9).
    Conflict {
        /// Paths from the top level, as UTF-8 as far as they are.
        files: Vec<String>,
        /// The tree with both sides marked.
        tree: ObjectId,
    },
}

/// A commit as it is read to be made again.
struct Original {
    id: ObjectId,
    author: Person,
    at: i64,
    message: String,
}

impl Repo {
    /// Makes a branch's own commits again on top of the target, in the object database (M-6). Merges in between are left
    /// out, as are commits that add nothing any more. `trailers` go to the end of each message. The same inputs give
    /// the same commits. Only what came after `fork` is the branch's own, where one is given.
    pub async fn try_replay(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
        fork: Option<&ObjectId>,
        trailers: &str,
        committer: &Person,
    ) -> Result<Replay, GitError> {
        let whole = self.try_squash_from(target, branch, fork).await?;
        if whole == Squash::Nothing {
            return Ok(Replay::Nothing);
        }
        let (mut top, mut tree) = (target.clone(), self.tree_of(target).await?);
        for original in self.load_originals(fork.unwrap_or(target), branch).await? {
            let base = self.first_parent(&original.id).await?;
            let merged = match self.merge(&top, &original.id, Some(&base)).await? {
                Merged::Clean { tree } => tree,
                Merged::Conflict { files, tree } => return Ok(Replay::Conflict { files, tree }),
            };
            if merged == tree {
                continue;
            }
            let message = format!("{}\n\n{trailers}", uncut(original.message.trim_end()));
            let signature = Signature {
                author: original.author,
                committer: committer.clone(),
                at: original.at,
            };
            top = self.commit_tree(&merged, &[top], &message, &signature).await?;
            tree = merged;
        }
        Ok(if top == *target { Replay::Nothing } else { Replay::Clean { commit: top, tree } })
    }

    /// Whether a branch has merges of its own since it left its target.
    pub async fn has_merges(&self, target: &ObjectId, branch: &ObjectId) -> Result<bool, GitError> {
        let listed = Command::read(self, "rev-list")
            .args(["--merges", "--max-count=1"])
            .arg(format!("{target}..{branch}"))
            .arg("--")
            .run()
            .await?;
        Ok(!listed.trim_ascii().is_empty())
    }

    async fn first_parent(&self, commit: &ObjectId) -> Result<ObjectId, GitError> {
        Command::read(self, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options"])
            .arg(format!("{commit}^1"))
            .object_id()
            .await
    }

    /// The oldest first.
    async fn load_originals(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
    ) -> Result<Vec<Original>, GitError> {
        let listed = Command::read(self, "log")
            .args(["-z", "--reverse", "--topo-order", "--no-merges"])
            .arg("--format=%H%n%an%n%ae%n%at%n%B")
            .arg(format!("{target}..{branch}"))
            .arg("--")
            .run()
            .await?;
        let unexpected = || GitError::unexpected("log", &listed);
        let text = String::from_utf8_lossy(&listed);
        let mut originals = Vec::new();
        for entry in text.split('\0').filter(|entry| !entry.trim().is_empty()).take(MOST_COMMITS) {
            let mut lines = entry.splitn(5, '\n');
            let mut line = || lines.next().unwrap_or_default();
            let (id, name, email, at) = (line(), line(), line(), line());
            let unknown = || Person::new("unknown", "unknown@localhost");
            let author = Person::new(name, email).or_else(|_| unknown());
            originals.push(Original {
                id: ObjectId::new(id).map_err(|_| unexpected())?,
                author: author.map_err(|_| unexpected())?,
                at: at.parse().map_err(|_| unexpected())?,
                message: line().to_owned(),
            });
        }
        Ok(originals)
    }
}
