use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::command::git_error::GitError;
use crate::repo::repository::Repo;
use crate::settings::git_setting::{GitSetting, SettingKeyParts, key_parts};
use crate::settings::live_settings::{ATTRIBUTES_FILE, LiveSettings};

/// A difference between a repository's current git settings and Forge's copy of them (W-19).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsChange {
    /// The setting, or the file's name if the whole file differs.
    pub key: String,
    /// The file that contains the setting, or contained it.
    pub file: PathBuf,
    pub kind: SettingsChangeKind,
    /// Whether git would start programs or convert files because of the change, so that work waits for a user.
    pub holds: bool,
    /// Why the settings cannot be read, for [`SettingsChangeKind::Unreadable`].
    #[serde(default)]
    pub reason: Option<String>,
}

/// How a setting changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingsChangeKind {
    Added,
    /// The value is different.
    Changed,
    Removed,
    /// The settings cannot be read any more.
    Unreadable,
}

impl std::fmt::Display for SettingsChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (key, file) = (&self.key, self.file.display());
        match (self.kind, &self.reason) {
            (SettingsChangeKind::Added, _) => write!(f, "{key} was added in {file}"),
            (SettingsChangeKind::Changed, _) => write!(f, "{key} was changed in {file}"),
            (SettingsChangeKind::Removed, _) => write!(f, "{key} was removed from {file}"),
            (SettingsChangeKind::Unreadable, Some(reason)) => {
                write!(f, "{file} cannot be read: {reason}")
            }
            (SettingsChangeKind::Unreadable, None) => write!(f, "{file} cannot be read"),
        }
    }
}

impl Repo {
    /// The differences from the settings copy; empty if git is not isolated.
    pub async fn settings_changes(&self) -> Result<Vec<SettingsChange>, GitError> {
        let Some(copy) = self.settings_copy() else { return Ok(Vec::new()) };
        let baseline = copy.load_baseline()?;
        if baseline.is_unchanged(self.common_dir()) {
            return Ok(Vec::new());
        }
        match LiveSettings::load(self.git(), self.common_dir()).await {
            Ok(live) => Ok(compare_live_settings(&baseline, &live)),
            Err(error) => Ok(vec![SettingsChange {
                key: "config".to_owned(),
                file: match &error {
                    GitError::File { path, .. } => path.clone(),
                    _ => self.common_dir().join("config"),
                },
                kind: SettingsChangeKind::Unreadable,
                holds: true,
                reason: Some(error.to_string()),
            }]),
        }
    }

    /// Copies the current settings, after a user has reviewed them.
    pub async fn accept_settings(&self) -> Result<(), GitError> {
        match self.settings_copy() {
            Some(copy) => copy.refresh(self.git()).await,
            None => Ok(()),
        }
    }
}

fn compare_live_settings(old: &LiveSettings, new: &LiveSettings) -> Vec<SettingsChange> {
    let mut changes = compare_settings(&old.settings, &new.settings);
    changes.extend(compare_settings(&old.worktree_settings, &new.worktree_settings));
    let files: BTreeSet<&String> = old.files.keys().chain(new.files.keys()).collect();
    for file in files {
        let digest = |live: &'_ LiveSettings| live.files.get(file).cloned().flatten();
        let kind = match (digest(old), digest(new)) {
            (None, Some(_)) => SettingsChangeKind::Added,
            (Some(_), None) => SettingsChangeKind::Removed,
            (Some(then), Some(now)) if then != now => SettingsChangeKind::Changed,
            _ => continue,
        };
        let path = PathBuf::from(file);
        let key = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let says_attributes = path.ends_with(ATTRIBUTES_FILE)
            || new.settings.iter().any(|setting| {
                setting.key == "core.attributesfile" && setting.value.as_deref() == Some(file)
            });
        let holds = says_attributes && kind != SettingsChangeKind::Removed;
        changes.push(SettingsChange {
            key: key.unwrap_or_default(),
            file: path,
            kind,
            holds,
            reason: None,
        });
    }
    changes
}

fn compare_settings(old: &[GitSetting], new: &[GitSetting]) -> Vec<SettingsChange> {
    let (old, new) = (by_key(old), by_key(new));
    let keys: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let mut changes = Vec::new();
    for key in keys.into_iter().filter(|key| !is_routine(key)) {
        let (then, now) = (old.get(key), new.get(key));
        let values = |of: Option<&Vec<&GitSetting>>| {
            of.map(|of| of.iter().map(|setting| setting.value.clone()).collect::<Vec<_>>())
        };
        let kind = match (values(then), values(now)) {
            (None, Some(_)) => SettingsChangeKind::Added,
            (Some(_), None) => SettingsChangeKind::Removed,
            (one, other) if one != other => SettingsChangeKind::Changed,
            _ => continue,
        };
        let said = now.or(then).and_then(|settings| settings.last());
        let is_program = now.into_iter().flatten().any(|setting| starts_program(setting));
        changes.push(SettingsChange {
            key: key.to_owned(),
            file: said.map(|setting| PathBuf::from(&setting.file)).unwrap_or_default(),
            kind,
            holds: is_program && kind != SettingsChangeKind::Removed,
            reason: None,
        });
    }
    changes
}

fn by_key(settings: &[GitSetting]) -> BTreeMap<&str, Vec<&GitSetting>> {
    let mut found: BTreeMap<&str, Vec<&GitSetting>> = BTreeMap::new();
    for setting in settings {
        found.entry(&setting.key).or_default().push(setting);
    }
    found
}

/// Whether a setting changes in everyday work of git and agents, or is read by none of Forge's commands.
fn is_routine(key: &str) -> bool {
    let SettingKeyParts { section, name, .. } = key_parts(key);
    match section {
        "user" | "author" | "committer" | "branch" | "color" | "advice" | "gc" | "maintenance" => {
            true
        }
        "remote" => matches!(name, "url" | "fetch" | "pushurl" | "push" | "tagopt" | "prune"),
        _ => false,
    }
}

/// Whether git starts a program or converts files because of a setting (W-19: drivers, includes and attributes).
fn starts_program(setting: &GitSetting) -> bool {
    let SettingKeyParts { section, subsection, name } = setting.parts();
    match section {
        "include" | "includeif" | "filter" | "gpg" => true,
        "merge" => subsection.is_some() || name == "default",
        "diff" => subsection.is_some() || name == "external",
        "core" => match name {
            "attributesfile" | "worktree" | "sshcommand" => true,
            "fsmonitor" => {
                let value = setting.value.as_deref().unwrap_or("true").to_ascii_lowercase();
                !["true", "false", "yes", "no", "on", "off", "0", "1"].contains(&value.as_str())
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(key: &str, value: &str) -> GitSetting {
        GitSetting { file: "/r/config".to_owned(), key: key.to_owned(), value: Some(value.into()) }
    }

    #[test]
    fn w_19_only_drivers_includes_and_attributes_hold_work() {
        let old = [setting("core.bare", "false"), setting("merge.mine.driver", "x")];
        let new = [
            setting("core.bare", "false"),
            setting("core.hookspath", ".husky"),
            setting("user.name", "agent"),
            setting("branch.x.remote", "origin"),
            setting("filter.f.clean", "sh"),
            setting("core.fsmonitor", "true"),
        ];
        let found: Vec<_> = compare_settings(&old, &new)
            .into_iter()
            .map(|change| (change.key, change.kind, change.holds))
            .collect();
        assert_eq!(
            found,
            [
                ("core.fsmonitor".to_owned(), SettingsChangeKind::Added, false),
                ("core.hookspath".to_owned(), SettingsChangeKind::Added, false),
                ("filter.f.clean".to_owned(), SettingsChangeKind::Added, true),
                ("merge.mine.driver".to_owned(), SettingsChangeKind::Removed, false),
            ]
        );
        let changed = compare_settings(&old, &[setting("merge.mine.driver", "y")]);
        assert!(
            changed.iter().any(|change| change.kind == SettingsChangeKind::Changed && change.holds)
        );
    }
}
