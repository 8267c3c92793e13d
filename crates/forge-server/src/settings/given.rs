//! What was said about each setting, and where; the strongest voice wins.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::refused::Problem;
use super::table::{Kind, Setting, TABLE};

#[derive(Debug, Clone)]
struct Said {
    place: String,
    text: String,
}

/// The winning text for each setting, and what was wrong on the way.
#[derive(Debug, Default)]
pub(super) struct Given {
    said: BTreeMap<&'static str, Said>,
    pub(super) problems: Vec<Problem>,
}

impl Given {
    /// Call the weakest source first: a later one replaces what an earlier one said.
    pub(super) fn file(&mut self, path: &Path, text: &str) {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let error: toml::de::Error = error;
                let message = format!("is not TOML: {}", error.to_string().trim_end());
                return self.problem(path.display(), message);
            }
        };
        for (key, value) in table {
            let place = format!("{key} in {}", path.display());
            match Setting::named(&key) {
                Some(setting) if setting.in_file => match text_of(setting.kind, &value) {
                    Ok(text) => self.say(setting, place, text),
                    Err(message) => self.problem(place, message),
                },
                Some(setting) => {
                    let message = format!("cannot be in the file; use {}", setting.variable);
                    self.problem(place, message);
                }
                None => self.problem(place, "is no setting; docs/SETTINGS.md lists all"),
            }
        }
    }

    /// Other `FORGE_*` variables are left alone: clients and agents have theirs. An empty one counts as not set.
    pub(super) fn environment(&mut self, variables: &BTreeMap<OsString, OsString>) {
        for setting in TABLE {
            match variables.get(&OsString::from(setting.variable)) {
                Some(value) if value.is_empty() => {}
                Some(value) => match value.to_str() {
                    Some(text) => self.say(setting, setting.variable, text),
                    None => self.problem(setting.variable, "is not valid UTF-8"),
                },
                None => {}
            }
        }
    }

    /// By the setting's name, as the command line knows it.
    pub(super) fn flags(&mut self, flags: impl IntoIterator<Item = (String, String)>) {
        for (name, text) in flags {
            match Setting::named(&name).and_then(|setting| Some((setting, setting.flag?))) {
                Some((setting, flag)) => self.say(setting, flag, text),
                None => self.problem(name, "is no setting that can be a flag"),
            }
        }
    }

    fn say(
        &mut self,
        setting: &'static Setting,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        let (place, text) = (place.into(), text.into());
        self.said.insert(setting.name, Said { place, text });
    }

    pub(super) fn problem(&mut self, place: impl ToString, message: impl Into<String>) {
        self.problems.push(Problem { place: place.to_string(), message: message.into() });
    }

    /// The text that won, if anybody said anything.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.said.get(name).map(|said| said.text.clone())
    }

    /// The value that won; a text that does not fit is a problem and counts as not said.
    pub(super) fn value<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let said = self.said.get(name)?.clone();
        match parse(&said.text) {
            Ok(value) => Some(value),
            Err(message) => {
                self.problem(said.place, message);
                None
            }
        }
    }
}

fn text_of(kind: Kind, value: &toml::Value) -> Result<String, String> {
    match (kind, value) {
        (Kind::Text, toml::Value::String(text)) => Ok(text.clone()),
        (Kind::Number, toml::Value::Integer(number)) => Ok(number.to_string()),
        (Kind::Switch, toml::Value::Boolean(switch)) => Ok(switch.to_string()),
        (Kind::List, toml::Value::Array(items)) => {
            let texts: Option<Vec<_>> = items.iter().map(toml::Value::as_str).collect();
            texts
                .map(|texts| texts.join(","))
                .ok_or_else(|| "has something in it that is not text".to_owned())
        }
        (kind, other) => {
            let wanted = match kind {
                Kind::Text => "a text in quotes",
                Kind::Number => "a number",
                Kind::Switch => "`true` or `false`",
                Kind::List => "an array of texts",
            };
            Err(format!("must be {wanted}, not {}", other.type_str()))
        }
    }
}
