use forge_proc::CaptureError;
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::diff_entry::Entry;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::private_index::PrivateIndex;
use crate::worktree::Worktree;

/// Which changes of a worktree are asked for (W-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffScope {
    /// From the last commit to the files, untracked ones included.
    Uncommitted,
    /// From the base to the last commit.
    Branch,
    /// From the base to the files, untracked ones included.
    #[default]
    All,
}

/// How much of a diff is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// Files beyond this are left out.
    pub files: usize,
    /// A file with a longer patch is named without it.
    pub file_bytes: usize,
    /// All patches together; when they are longer, files are named without their patches.
    pub total_bytes: usize,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self { files: 1000, file_bytes: 512 * 1024, total_bytes: 8 * 1024 * 1024 }
    }
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Its content or mode changed.
    Modified,
    /// It was moved, and possibly changed.
    Renamed,
    /// It became something else: a file a symlink, for instance.
    TypeChanged,
    /// A merge left it in conflict.
    Unmerged,
}

/// A path from the top level of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffPath {
    /// The path, with replacement characters where it is not UTF-8.
    pub text: String,
    /// The exact bytes, when they are not UTF-8.
    pub raw: Option<Vec<u8>>,
}

impl DiffPath {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self { text: text.to_owned(), raw: None },
            Err(_) => Self {
                text: String::from_utf8_lossy(bytes).into_owned(),
                raw: Some(bytes.to_vec()),
            },
        }
    }
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// Where it is now, or was before it was deleted.
    pub path: DiffPath,
    /// Where it was before it was moved.
    pub old_path: Option<DiffPath>,
    /// What happened.
    pub status: FileStatus,
    /// Not text: named, never shown.
    pub binary: bool,
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
    /// The patch; `None` for binary and for too large ones.
    pub patch: Option<String>,
    /// The patch is left out because of a limit.
    pub truncated: bool,
}

/// The changes of a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Diff {
    /// File by file.
    pub files: Vec<FileDiff>,
    /// Something was left out because of a limit.
    pub truncated: bool,
}

impl Diff {
    /// All patches as one text, with a line for each that is left out.
    pub fn to_patch(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            match &file.patch {
                Some(patch) => text.push_str(patch),
                None => {
                    text.push_str(&format!("# {} is not shown\n", file.path.text.escape_debug()))
                }
            }
        }
        if self.truncated {
            text.push_str("# the diff is truncated\n");
        }
        text
    }
}

pub(crate) const FLAGS: [&str; 6] = [
    "-M",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=dirty",
];

/// The two sides of a comparison.
enum Sides<'a> {
    Commits(&'a ObjectId, ObjectId),
    Files(ObjectId, PrivateIndex),
}

impl Worktree {
    /// The changes since `base` (the merge base with the target) or since the last commit. The agent's own index is
    /// neither changed nor locked.
    pub async fn diff(
        &self,
        base: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Diff, GitError> {
        let sides = match scope {
            DiffScope::Branch => Sides::Commits(base, self.head().await?),
            DiffScope::All => Sides::Files(base.clone(), self.index_with_untracked().await?),
            DiffScope::Uncommitted => {
                Sides::Files(self.head().await?, self.index_with_untracked().await?)
            }
        };
        let list = self
            .compare(&sides)
            .args(["--raw", "--numstat", "-z"])
            .args(FLAGS)
            .args(sides.revisions())
            .run()
            .await?;
        let mut entries = Entry::parse_all(&list)?;
        let mut diff = Diff { truncated: entries.len() > limits.files, ..Diff::default() };
        entries.truncate(limits.files);
        let patches = self.patches(&sides, &entries, limits.total_bytes).await?;
        diff.truncated |= patches.is_none();
        for (position, entry) in entries.into_iter().enumerate() {
            let patch = patches.as_ref().and_then(|all| all.get(position));
            let file = entry.into_file(patch.map(Vec::as_slice), limits.file_bytes);
            diff.truncated |= file.truncated;
            diff.files.push(file);
        }
        Ok(diff)
    }

    fn compare(&self, sides: &Sides<'_>) -> Command {
        match sides {
            Sides::Commits(..) => Command::read_worktree(self, "diff-tree").arg("-r"),
            Sides::Files(_, index) => {
                Command::read_worktree(self, "diff-index").index(index.path())
            }
        }
    }

    /// The patch of each entry, or `None` when all together they pass the limit.
    async fn patches(
        &self,
        sides: &Sides<'_>,
        entries: &[Entry],
        limit: usize,
    ) -> Result<Option<Vec<Vec<u8>>>, GitError> {
        let shown: Vec<&Entry> = entries.iter().filter(|entry| entry.has_text()).collect();
        if shown.is_empty() {
            return Ok(Some(vec![Vec::new(); entries.len()]));
        }
        let output = self
            .compare(sides)
            .arg("-p")
            .args(FLAGS)
            .args(sides.revisions())
            .args(shown.iter().flat_map(|entry| entry.paths()))
            .output_limit(limit)
            .run()
            .await;
        let output = match output {
            Err(GitError::Process(CaptureError::TooMuchOutput { .. })) => return Ok(None),
            other => other?,
        };
        let mut sections = sections(&output).into_iter();
        let mut patches = Vec::with_capacity(entries.len());
        for entry in entries {
            let count = if entry.has_text() { entry.sections() } else { 0 };
            patches.push(sections.by_ref().take(count).collect::<Vec<_>>().concat());
        }
        Ok(Some(patches))
    }

    /// A copy of the index in which untracked files are announced, so that git compares them too.
    async fn index_with_untracked(&self) -> Result<PrivateIndex, GitError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        let untracked = Command::read_worktree(self, "ls-files")
            .index(index.path())
            .args(["--others", "--exclude-standard", "-z"])
            .run()
            .await?;
        // A name that ends with a slash is a repository of its own; git cannot announce its content.
        let files: Vec<&[u8]> = untracked
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty() && !name.ends_with(b"/"))
            .collect();
        if !files.is_empty() {
            Command::read_worktree(self, "add")
                .index(index.path())
                .args(["--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"])
                .input(files.join(&0))
                .run()
                .await?;
        }
        Ok(index)
    }
}

impl Sides<'_> {
    fn revisions(&self) -> Vec<&str> {
        match self {
            Self::Commits(old, new) => vec![old.as_str(), new.as_str(), "--"],
            Self::Files(old, _) => vec![old.as_str(), "--"],
        }
    }
}

/// Splits a patch before each `diff --git` line. Lines of content begin with a space, `+`, `-` or `\`, so none of them
/// can be mistaken for one.
pub(crate) fn sections(patch: &[u8]) -> Vec<Vec<u8>> {
    let mut sections: Vec<Vec<u8>> = Vec::new();
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            sections.push(Vec::new());
        }
        if let Some(section) = sections.last_mut() {
            section.extend_from_slice(line);
        }
    }
    sections
}
