use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use sha1::{Digest, Sha1};

use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::fs::regular_file::{read_regular, read_regular_if_exists};
use crate::index::private_index::{create_owned_directory, is_left_by_dead_process};
use crate::settings::git_setting::{GitSetting, SettingKeyParts};
use crate::settings::live_settings::{ATTRIBUTES_FILE, EXCLUDE_FILE, LiveSettings, outside_file};
use crate::worktree::workspace_lock::EXCLUDE_LINE;

const SETTINGS_DIR_PREFIX: &str = "forge-settings-";
/// The settings at the time of the copy; written last.
const BASELINE_FILE: &str = "registered.json";
const PROGRAMS_MARKER: &str = "runs-programs";
const BARE_MARKER: &str = "is-bare";

/// Entries of the copy that link to the repository itself. Some of them need not exist.
const LINKED_ENTRIES: &[&str] =
    &["objects", "refs", "packed-refs", "logs", "worktrees", "shallow", "reftable"];

/// A directory that git uses as a repository's common directory (W-19): settings, attributes and ignore rules as they
/// were when the repository was registered, and links to its references and objects. What an agent later writes into
/// the repository's own settings files has no effect in the server.
#[derive(Debug, Clone)]
pub(crate) struct SettingsCopy {
    directory: PathBuf,
    common_dir: PathBuf,
}

impl SettingsCopy {
    /// The copy for a repository; created if it does not exist.
    pub(crate) async fn open(
        git: &GitProgram,
        root: &Path,
        common_dir: &Path,
    ) -> Result<Self, GitError> {
        if let Some(copy) = Self::find(root, common_dir) {
            return Ok(copy);
        }
        let live = LiveSettings::load(git, common_dir).await?;
        std::fs::create_dir_all(root).map_err(GitError::file("created", root))?;
        for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
            if entry
                .file_name()
                .to_str()
                .is_some_and(|name| is_left_by_dead_process(name, SETTINGS_DIR_PREFIX))
            {
                remove_directory(&entry.path());
            }
        }
        let copy = Self::at(root, common_dir);
        let new =
            Self { directory: create_owned_directory(root, SETTINGS_DIR_PREFIX)?, ..copy.clone() };
        new.write(&live)?;
        match std::fs::rename(&new.directory, &copy.directory) {
            Ok(()) => Ok(copy),
            Err(error) => {
                remove_directory(&new.directory);
                // Another request may have created it meanwhile.
                let made = Self::find(root, common_dir);
                made.ok_or_else(|| GitError::file("created", &copy.directory)(error))
            }
        }
    }

    /// The copy for a repository, if it exists.
    pub(crate) fn find(root: &Path, common_dir: &Path) -> Option<Self> {
        let copy = Self::at(root, common_dir);
        copy.directory.join(BASELINE_FILE).is_file().then_some(copy)
    }

    fn at(root: &Path, common_dir: &Path) -> Self {
        let digest = Sha1::digest(common_dir.as_os_str().as_bytes());
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { directory: root.join(name), common_dir: common_dir.to_owned() }
    }

    /// Updates the copy to the repository's current settings.
    pub(crate) async fn refresh(&self, git: &GitProgram) -> Result<(), GitError> {
        let live = LiveSettings::load(git, &self.common_dir).await?;
        self.write(&live)
    }

    /// The directory of the copy.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn is_bare(&self) -> bool {
        self.directory.join(BARE_MARKER).exists()
    }

    /// The settings at the time of the copy.
    pub(crate) fn load_baseline(&self) -> Result<LiveSettings, GitError> {
        let path = self.directory.join(BASELINE_FILE);
        let text = std::fs::read(&path).map_err(GitError::file("read", &path))?;
        let parsed = serde_json::from_slice(&text).map_err(std::io::Error::other);
        parsed.map_err(GitError::file("read", &path))
    }

    /// Whether a checkout is sparse. Each checkout has a settings file for that, which could contain other settings
    /// too, so git does not read the file but gets only these boolean settings.
    pub(crate) fn load_sparse_settings(&self, git_dir: &Path) -> Vec<String> {
        let Ok(content) = read_regular(&git_dir.join("config.worktree")) else {
            return Vec::new();
        };
        sparse_settings(&String::from_utf8_lossy(&content))
    }

    fn write(&self, live: &LiveSettings) -> Result<(), GitError> {
        let info = self.directory.join("info");
        std::fs::create_dir_all(&info).map_err(GitError::file("created", &info))?;
        for name in LINKED_ENTRIES {
            let (link, target) = (self.directory.join(name), self.common_dir.join(name));
            match symlink(&target, &link) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(GitError::file("created", &link)(error));
                }
                _ => {}
            }
        }
        let is_set =
            |key: &str| live.settings.iter().any(|known| known.key == key && known.is_true());
        let is_bare = is_set("core.bare");
        if !is_bare {
            // Git would create this directory for the first reflog entry, but cannot create it through a link.
            let logs = self.common_dir.join("logs");
            match std::fs::create_dir(&logs) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(GitError::file("created", &logs)(error));
                }
                _ => {}
            }
        }
        let settings = self.copied_settings(&live.settings)?;
        let runs_programs = settings.iter().any(runs_program);
        self.replace("config", GitSetting::render_all(settings.iter()).as_bytes())?;
        let attributes = self.read_or_empty(&self.common_dir.join(ATTRIBUTES_FILE))?;
        self.replace(ATTRIBUTES_FILE, &attributes)?;
        let mut exclude = self.read_or_empty(&self.common_dir.join(EXCLUDE_FILE))?;
        exclude.extend_from_slice(format!("\n{EXCLUDE_LINE}\n").as_bytes());
        self.replace(EXCLUDE_FILE, &exclude)?;
        self.set_marker(PROGRAMS_MARKER, runs_programs)?;
        self.set_marker(BARE_MARKER, is_bare)?;
        let baseline = serde_json::to_vec(live).map_err(std::io::Error::other);
        let baseline = baseline.map_err(GitError::file("written", &self.directory))?;
        self.replace(BASELINE_FILE, &baseline)
    }

    /// The settings without those that include other files. Files that settings name are copied, and the settings
    /// name the copies.
    fn copied_settings(&self, live: &[GitSetting]) -> Result<Vec<GitSetting>, GitError> {
        let mut settings = Vec::new();
        for setting in live {
            let SettingKeyParts { section, subsection, name } = setting.parts();
            let mut setting = setting.clone();
            match (section, subsection, name) {
                ("include" | "includeif", ..) => continue,
                ("extensions", None, "worktreeconfig") | ("core", None, "worktree") => continue,
                ("core", None, "attributesfile" | "excludesfile") => {
                    let named = std::slice::from_ref(&setting);
                    if let Some(file) = outside_file(named, &setting.key) {
                        let copy = format!("copied-{name}");
                        self.replace(&copy, &self.read_or_empty(&file)?)?;
                        let copy = self.directory.join(copy);
                        setting.value = Some(copy.to_string_lossy().into_owned());
                    }
                }
                _ => {}
            }
            settings.push(setting);
        }
        Ok(settings)
    }

    fn read_or_empty(&self, path: &Path) -> Result<Vec<u8>, GitError> {
        let content = read_regular_if_exists(path).map_err(GitError::file("read", path))?;
        Ok(content.unwrap_or_default())
    }

    fn replace(&self, name: &str, content: &[u8]) -> Result<(), GitError> {
        let path = self.directory.join(name);
        let new = path.with_extension("new");
        let written = std::fs::write(&new, content).and_then(|()| std::fs::rename(&new, &path));
        written.map_err(GitError::file("written", &path))
    }

    fn set_marker(&self, name: &str, is_so: bool) -> Result<(), GitError> {
        let path = self.directory.join(name);
        let done = if is_so { std::fs::write(&path, "") } else { std::fs::remove_file(&path) };
        match done {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("written", &path)(error))
            }
            _ => Ok(()),
        }
    }
}

/// Whether git, with the settings in this directory, starts programs that a user configured.
pub(crate) fn runs_programs(directory: &Path) -> bool {
    directory.join(PROGRAMS_MARKER).exists()
}

fn runs_program(setting: &GitSetting) -> bool {
    let SettingKeyParts { section, subsection, name } = setting.parts();
    match section {
        // LFS files always stay pointers.
        "filter" => subsection != Some("lfs"),
        "merge" => name == "driver",
        _ => false,
    }
}

fn sparse_settings(config: &str) -> Vec<String> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some((name, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            section = name.trim().to_ascii_lowercase();
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, "true"));
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
        let is_wanted = matches!(
            (section.as_str(), name.as_str()),
            ("core", "sparsecheckout" | "sparsecheckoutcone") | ("index", "sparse")
        );
        if is_wanted && ["true", "false"].contains(&value.as_str()) {
            found.push(format!("{section}.{name}={value}"));
        }
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "Forge created it, and no link in it is followed")]
fn remove_directory(directory: &Path) {
    if let Err(error) = std::fs::remove_dir_all(directory) {
        tracing::debug!(path = %directory.display(), %error, "could not remove settings copy");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_19_only_sparse_settings_of_a_worktree_apply() {
        let config = "[core]\n\tsparseCheckout = true\n\tfsmonitor = x\n[index] \n\tsparse = false\n\
            [filter \"x\"]\n\tclean = y\n[core]\n\tsparseCheckoutCone = $(x)\n";
        assert_eq!(sparse_settings(config), ["core.sparsecheckout=true", "index.sparse=false"]);
    }
}
