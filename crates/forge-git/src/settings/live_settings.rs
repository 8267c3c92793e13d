use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::fs::regular_file::{read_regular, read_regular_if_exists};
use crate::settings::git_setting::GitSetting;
use crate::worktree::workspace_lock::EXCLUDE_LINE;
use crate::worktree::worktree_record::RECORDS_DIR;

const CONFIG_FILE: &str = "config";
const WORKTREE_CONFIG_FILE: &str = "config.worktree";
pub(crate) const ATTRIBUTES_FILE: &str = "info/attributes";
pub(crate) const EXCLUDE_FILE: &str = "info/exclude";

/// The settings of a repository's own files at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LiveSettings {
    /// The digest of the `config` file.
    pub(crate) config: String,
    /// Every effective setting, included files resolved, in git's order.
    pub(crate) settings: Vec<GitSetting>,
    /// The settings of individual worktrees.
    pub(crate) worktree_settings: Vec<GitSetting>,
    /// The digests of the attribute and ignore files, by path.
    pub(crate) files: BTreeMap<String, Option<String>>,
}

impl LiveSettings {
    /// Reads the current settings. Git resolves included files and starts no program for that.
    pub(crate) async fn load(git: &GitProgram, common_dir: &Path) -> Result<Self, GitError> {
        let path = common_dir.join(CONFIG_FILE);
        let config = read_regular(&path).map_err(GitError::file("read", &path))?;
        let config = digest(&config);
        let listed = GitCommand::read_settings(git, common_dir)
            .args(["--local", "--includes", "--list", "--show-origin", "-z"])
            .run()
            .await?;
        let settings = GitSetting::parse_all(&listed);
        let mut worktree_settings = Vec::new();
        let is_extended =
            |setting: &GitSetting| setting.key == "extensions.worktreeconfig" && setting.is_true();
        if settings.iter().any(is_extended) {
            for file in worktree_configs(common_dir) {
                read_regular(&file).map_err(GitError::file("read", &file))?;
                let listed = GitCommand::read_settings(git, common_dir)
                    .arg("--file")
                    .arg(&file)
                    .args(["--includes", "--list", "--show-origin", "-z"])
                    .run()
                    .await?;
                worktree_settings.extend(GitSetting::parse_all(&listed));
            }
        }
        let files = load_files(common_dir, &settings)?;
        Ok(Self { config, settings, worktree_settings, files })
    }

    /// Whether the files are unchanged, without starting git. Always false if other files take part through includes.
    pub(crate) fn is_unchanged(&self, common_dir: &Path) -> bool {
        let elsewhere = |setting: &GitSetting| {
            let key = setting.key.as_str();
            key.starts_with("include") || key == "extensions.worktreeconfig"
        };
        if self.settings.iter().any(elsewhere) {
            return false;
        }
        let config = read_regular(&common_dir.join(CONFIG_FILE));
        let files = load_files(common_dir, &self.settings);
        config.is_ok_and(|config| digest(&config) == self.config)
            && files.is_ok_and(|files| files == self.files)
    }
}

/// The settings files of the main checkout and of every linked worktree.
fn worktree_configs(common_dir: &Path) -> Vec<PathBuf> {
    let linked = std::fs::read_dir(common_dir.join(RECORDS_DIR)).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = linked.map(|entry| entry.path()).collect();
    files.sort();
    files.insert(0, common_dir.to_owned());
    let files = files.into_iter().map(|directory| directory.join(WORKTREE_CONFIG_FILE));
    files.filter(|file| file.symlink_metadata().is_ok()).collect()
}

fn load_files(
    common_dir: &Path,
    settings: &[GitSetting],
) -> Result<BTreeMap<String, Option<String>>, GitError> {
    let own = [ATTRIBUTES_FILE, EXCLUDE_FILE].into_iter().map(|name| common_dir.join(name));
    let named = ["core.attributesfile", "core.excludesfile"];
    let named = named.into_iter().filter_map(|key| outside_file(settings, key));
    let mut files = BTreeMap::new();
    for path in own.chain(named) {
        let content = read_regular_if_exists(&path).map_err(GitError::file("read", &path))?;
        let content = content.map(|content| significant_lines(&content));
        let known = content.filter(|content| !content.is_empty());
        files.insert(path.to_string_lossy().into_owned(), known.map(|known| digest(&known)));
    }
    Ok(files)
}

/// The file that a setting names, if its path is absolute. Git looks up a relative path in the worktree.
pub(crate) fn outside_file(settings: &[GitSetting], key: &str) -> Option<PathBuf> {
    let setting = settings.iter().rev().find(|setting| setting.key == key)?;
    let path = PathBuf::from(setting.value.as_deref()?);
    path.is_absolute().then_some(path)
}

/// An ignore list without Forge's own rule and without comments.
fn significant_lines(content: &[u8]) -> Vec<u8> {
    let lines = content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let is_said = |line: &&[u8]| {
        !line.is_empty() && !line.starts_with(b"#") && *line != EXCLUDE_LINE.as_bytes()
    };
    lines.filter(is_said).collect::<Vec<_>>().join(&b'\n')
}

fn digest(content: &[u8]) -> String {
    Sha1::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
