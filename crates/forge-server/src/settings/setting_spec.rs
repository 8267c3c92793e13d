//! One setting and all the ways to give it.

use crate::settings::setting_table::TABLE;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// Any text: a path, an address, a word.
    Text,
    /// A whole number, not negative.
    Number,
    /// `true` or `false`.
    Switch,
    /// Several texts: an array in the file, separated by commas elsewhere.
    List,
}

/// The sources that can give a setting. Secrets have no flag: every user of a machine can read the arguments of its
/// processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingSources {
    /// The flag, the environment and the file.
    Everywhere,
    /// The flag and the environment, because the setting says where the file is.
    BeforeFile,
    /// The environment and the file.
    NoFlag,
    /// The environment only.
    OnlyEnvironment,
    /// A variable that other programs define too, so its name has no prefix.
    SharedVariable,
}

/// The value of a setting that no source gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingDefault {
    /// This text, which is parsed like a given one.
    Fixed(&'static str),
    /// A value that depends on others; the text describes it.
    Computed(&'static str),
    /// No value, or an empty list.
    Empty,
}

/// One setting of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingSpec {
    /// Its name, which is also the key in `forge.toml`.
    pub name: &'static str,
    /// The sources that can give it.
    pub sources: SettingSources,
    /// The type of its value.
    pub kind: SettingKind,
    /// Its value if no source gives one.
    pub default: SettingDefault,
    /// What the setting does.
    pub description: &'static str,
}

impl SettingSpec {
    /// The setting with this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|setting| setting.name == name)
    }

    /// The flag of `forge serve`, if there is one.
    pub fn flag(&self) -> Option<String> {
        match self.sources {
            SettingSources::Everywhere | SettingSources::BeforeFile => {
                Some(format!("--{}", self.name.replace('_', "-")))
            }
            SettingSources::NoFlag
            | SettingSources::OnlyEnvironment
            | SettingSources::SharedVariable => None,
        }
    }

    /// The environment variable.
    pub fn variable(&self) -> String {
        let name = self.name.to_uppercase();
        match self.sources {
            SettingSources::SharedVariable => name,
            _ => format!("FORGE_{name}"),
        }
    }

    /// Whether the file may contain it.
    pub fn is_in_file(&self) -> bool {
        matches!(self.sources, SettingSources::Everywhere | SettingSources::NoFlag)
    }

    /// The default as text for people.
    pub fn default_text(&self) -> String {
        match self.default {
            SettingDefault::Fixed(text) => format!("`{text}`"),
            SettingDefault::Computed(text) => text.to_owned(),
            SettingDefault::Empty => "none".to_owned(),
        }
    }
}
