//! The configuration file of the board: `board.toml` in the directory of the client's files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli_error::CliError;
use crate::commands::board::keys::{KeyAction, KeyChord, KeyMap};
use crate::environment::ProcessEnvironment;

const FILE: &str = "board.toml";

/// The order of the cards in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CardOrder {
    /// By priority, then by number.
    #[default]
    Priority,
    /// Cards that need a person first, longest wait first.
    Attention,
}

/// The user's settings of the board.
#[derive(Debug, Clone)]
pub(crate) struct BoardConfig {
    pub(crate) keys: KeyMap,
    pub(crate) order: CardOrder,
    /// Whether the terminal's bell rings when another task needs the user.
    pub(crate) bell: bool,
    /// Whether the window's title counts the tasks that need the user.
    pub(crate) title: bool,
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self { keys: KeyMap::default(), order: CardOrder::default(), bell: false, title: true }
    }
}

/// A mistake in the file.
#[derive(Debug, PartialEq, Eq)]
struct ConfigProblem {
    /// Offset in the file.
    at: usize,
    message: String,
}

impl BoardConfig {
    /// Reads the file; without one, the defaults apply.
    pub(crate) fn load(environment: &ProcessEnvironment) -> Result<Self, CliError> {
        let Some(path) = environment.config_dir().map(|dir| dir.join(FILE)) else {
            return Ok(Self::default());
        };
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).map_err(|problem| describe(&path, &text, &problem)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(CliError::usage(format!("cannot read {}: {error}", path.display()))
                .hint("make the file readable, or remove it for the default keys")),
        }
    }

    fn parse(text: &str) -> Result<Self, ConfigProblem> {
        let table = DeTable::parse(text).map_err(|error| ConfigProblem {
            at: error.span().map_or(0, |span| span.start),
            message: error.message().to_owned(),
        })?;
        let mut config = Self::default();
        for (name, value) in table.get_ref() {
            match name.get_ref().as_ref() {
                "keys" => config.keys = read_keys(value)?,
                "bell" => config.bell = read_switch(value)?,
                "title" => config.title = read_switch(value)?,
                "sort" => config.order = read_order(value)?,
                other => {
                    let known = "`keys`, `bell`, `title` and `sort`";
                    return Err(problem(
                        name,
                        format!("there is no setting `{other}`; there are {known}"),
                    ));
                }
            }
        }
        Ok(config)
    }
}

fn read_keys(value: &Spanned<DeValue<'_>>) -> Result<KeyMap, ConfigProblem> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(problem(value, "`keys` is a table of actions and their keys".to_owned()));
    };
    let mut changes: BTreeMap<KeyAction, Vec<KeyChord>> = BTreeMap::new();
    for (name, keys) in table {
        let Some(action) = KeyAction::parse(name.get_ref()) else {
            let names: Vec<_> = KeyAction::ALL.iter().map(|action| action.name()).collect();
            let name_of = name.get_ref();
            let message = format!("there is no action `{name_of}`; there are {}", names.join(", "));
            return Err(problem(name, message));
        };
        let keys = read_chords(keys)?;
        if action == KeyAction::Quit && keys.is_empty() {
            return Err(problem(name, "`quit` needs a key".to_owned()));
        }
        changes.insert(action, keys);
    }
    for (name, _) in table {
        let Some(action) = KeyAction::parse(name.get_ref()) else { continue };
        let shared = changes.iter().find_map(|(other, taken)| {
            let both = *other < action && KeyMap::share_pane(*other, action);
            let key = changes.get(&action)?.iter().find(|key| both && taken.contains(key))?;
            Some((other.name(), key))
        });
        if let Some((other, key)) = shared {
            let message =
                format!("`{key}` is already the key of `{other}`; give them different keys");
            return Err(problem(name, message));
        }
    }
    Ok(KeyMap::with_changes(changes))
}

/// One key, or a list of keys.
fn read_chords(value: &Spanned<DeValue<'_>>) -> Result<Vec<KeyChord>, ConfigProblem> {
    let read = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(key) => key.parse().map_err(|error| problem(value, format!("{error}"))),
        _ => Err(problem(value, "a key is text in quotation marks, such as \"ctrl+n\"".to_owned())),
    };
    match value.get_ref() {
        DeValue::Array(keys) => keys.iter().map(read).collect(),
        _ => Ok(vec![read(value)?]),
    }
}

fn read_switch(value: &Spanned<DeValue<'_>>) -> Result<bool, ConfigProblem> {
    match value.get_ref() {
        DeValue::Boolean(on) => Ok(*on),
        _ => Err(problem(value, "this is `true` or `false`".to_owned())),
    }
}

fn read_order(value: &Spanned<DeValue<'_>>) -> Result<CardOrder, ConfigProblem> {
    match value.get_ref() {
        DeValue::String(name) if name == "priority" => Ok(CardOrder::Priority),
        DeValue::String(name) if name == "attention" => Ok(CardOrder::Attention),
        _ => Err(problem(value, "`sort` is \"priority\" or \"attention\"".to_owned())),
    }
}

fn problem<T>(place: &Spanned<T>, message: String) -> ConfigProblem {
    ConfigProblem { at: place.span().start, message }
}

fn describe(path: &Path, text: &str, problem: &ConfigProblem) -> CliError {
    let before = text.get(..problem.at).unwrap_or(text);
    let line = 1 + before.matches('\n').count();
    CliError::usage(format!("{}, line {line}: {}", path.display(), problem.message))
        .hint("docs/BOARD.md describes the file; without it the default keys apply")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::commands::board::keys::KeyPane;

    fn key(text: &str) -> KeyChord {
        text.parse().expect("a key")
    }

    #[test]
    fn s_4_keys_and_switches_are_read() {
        let text = "bell = true\ntitle = false\nsort = \"attention\"\n[keys]\nquit = [\"Q\", \"ctrl+q\"]\nmove = \"f6\"\n";
        let config = BoardConfig::parse(text).expect("valid");
        assert!(config.bell && !config.title && config.order == CardOrder::Attention);
        let action = |text| config.keys.action(KeyPane::Board, key(text));
        assert_eq!(action("ctrl+q"), Some(KeyAction::Quit));
        assert_eq!(action("f6"), Some(KeyAction::Move));
        assert_eq!((action("q"), action("m")), (None, None), "the defaults are replaced");
    }

    #[test]
    fn s_4_a_mistake_is_reported_with_its_line() {
        for (text, line, part) in [
            ("bell = true\nbell = false", 2, "duplicate"),
            ("bell = 3", 1, "`true` or `false`"),
            ("\nsort = \"age\"", 2, "\"priority\" or \"attention\""),
            ("colour = 1", 1, "no setting `colour`"),
            ("[keys]\n\nleave = \"q\"", 3, "no action `leave`"),
            ("[keys]\nquit = \"ctrl+\"", 2, "is not a key"),
            ("[keys]\nquit = []", 2, "needs a key"),
            ("[keys]\nmove = [\"m\",\n 4]", 3, "text in quotation marks"),
            ("[keys]\nstart = \"y\"\nmove = \"y\"", 3, "already the key of `start`"),
        ] {
            let problem = BoardConfig::parse(text).expect_err(text);
            let error = describe(Path::new("board.toml"), text, &problem);
            let (message, _) = error.lines().expect("a message");
            let start = format!("board.toml, line {line}: ");
            assert!(message.starts_with(&start) && message.contains(part), "{message}");
        }
    }

    #[test]
    fn s_4_two_actions_of_different_panes_may_share_a_key() {
        let config = BoardConfig::parse("[keys]\npager = \"y\"\nnew_task = \"y\"").expect("valid");
        assert_eq!(config.keys.action(KeyPane::Text, key("y")), Some(KeyAction::Pager));
        assert_eq!(config.keys.action(KeyPane::Board, key("y")), Some(KeyAction::NewTask));
    }
}
