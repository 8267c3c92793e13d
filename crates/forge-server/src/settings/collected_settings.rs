//! Collects the text of each setting from all sources; the strongest source wins.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use crate::settings::setting_spec::{SettingKind, SettingSpec};
use crate::settings::setting_table::TABLE;
use crate::settings::settings_error::SettingProblem;

#[derive(Debug, Clone)]
struct SettingText {
    place: String,
    text: String,
}

/// The winning text of each setting, and the problems found on the way.
#[derive(Debug, Default)]
pub(crate) struct CollectedSettings {
    texts: BTreeMap<&'static str, SettingText>,
    pub(crate) problems: Vec<SettingProblem>,
}

impl CollectedSettings {
    /// Call it for the weakest source first: a later source replaces an earlier one.
    pub(crate) fn add_file(&mut self, path: &Path, text: &str) {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let error: toml::de::Error = error;
                let message = format!("is not TOML: {}", error.to_string().trim_end());
                return self.add_problem(path.display(), message);
            }
        };
        for (key, value) in table {
            let place = format!("{key} in {}", path.display());
            match SettingSpec::by_name(&key) {
                Some(setting) if setting.is_in_file() => match text_of(setting.kind, &value) {
                    Ok(text) => self.set_text(setting, place, text),
                    Err(message) => self.add_problem(place, message),
                },
                Some(setting) => {
                    let message = format!("cannot be in the file; use {}", setting.variable());
                    self.add_problem(place, message);
                }
                None => {
                    self.add_problem(place, "is not a setting; docs/SETTINGS.md lists all settings")
                }
            }
        }
    }

    /// Ignores other `FORGE_*` variables: clients and agents have their own. An empty variable counts as not set.
    pub(crate) fn add_environment(&mut self, variables: &BTreeMap<OsString, OsString>) {
        for setting in TABLE {
            let variable = setting.variable();
            match variables.get(&OsString::from(&variable)) {
                Some(value) if value.is_empty() => {}
                Some(value) => match value.to_str() {
                    Some(text) => self.set_text(setting, variable, text),
                    None => self.add_problem(variable, "is not valid UTF-8"),
                },
                None => {}
            }
        }
    }

    /// Flags by the name of the setting.
    pub(crate) fn add_flags(&mut self, flags: impl IntoIterator<Item = (String, String)>) {
        for (name, text) in flags {
            match SettingSpec::by_name(&name).and_then(|setting| Some((setting, setting.flag()?))) {
                Some((setting, flag)) => self.set_text(setting, flag, text),
                None => self.add_problem(name, "is not a setting with a flag"),
            }
        }
    }

    fn set_text(
        &mut self,
        setting: &'static SettingSpec,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        let (place, text) = (place.into(), text.into());
        self.texts.insert(setting.name, SettingText { place, text });
    }

    pub(crate) fn add_problem(&mut self, place: impl ToString, message: impl Into<String>) {
        self.problems.push(SettingProblem { place: place.to_string(), message: message.into() });
    }

    /// The winning text, if any source gave one.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.texts.get(name).map(|said| said.text.clone())
    }

    /// The winning value, or that of the default text; `None` if the default cannot be parsed.
    pub(crate) fn value_or<T>(
        &mut self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, String>,
        default: &str,
    ) -> Option<T> {
        if let Some(value) = self.value(name, &parse) {
            return Some(value);
        }
        parse(default).map_err(|message| self.add_problem(name, message)).ok()
    }

    /// The winning value; a text that cannot be parsed is recorded as a problem and counts as not set.
    pub(crate) fn value<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let said = self.texts.get(name)?.clone();
        match parse(&said.text) {
            Ok(value) => Some(value),
            Err(message) => {
                self.add_problem(said.place, message);
                None
            }
        }
    }
}

fn text_of(kind: SettingKind, value: &toml::Value) -> Result<String, String> {
    match (kind, value) {
        (SettingKind::Text, toml::Value::String(text)) => Ok(text.clone()),
        (SettingKind::Number, toml::Value::Integer(number)) => Ok(number.to_string()),
        (SettingKind::Switch, toml::Value::Boolean(switch)) => Ok(switch.to_string()),
        (SettingKind::List, toml::Value::Array(items)) => {
            let texts: Option<Vec<_>> = items.iter().map(toml::Value::as_str).collect();
            texts
                .map(|texts| texts.join(","))
                .ok_or_else(|| "contains a value that is not a text".to_owned())
        }
        (kind, other) => {
            let wanted = match kind {
                SettingKind::Text => "a text in quotes",
                SettingKind::Number => "a number",
                SettingKind::Switch => "`true` or `false`",
                SettingKind::List => "an array of texts",
            };
            Err(format!("must be {wanted}, not {}", other.type_str()))
        }
    }
}
