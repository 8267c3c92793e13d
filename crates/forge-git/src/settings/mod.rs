//! Isolation from a repository's settings (W-19). The server reads every repository through a copy of its settings,
//! attributes and ignore rules, made when the repository was registered. Later changes by an agent have no effect; they
//! are reported as `SettingsChange`, and those that could start a program hold work until a user accepts them.
//!
//! States of a copy: missing → complete (`registered.json` is written last) → refreshed when a user accepts the current
//! settings.
//!
//! Crash: a new copy is built in a directory named after its process and renamed into place; the next call removes what
//! a dead process left. A refresh replaces each file atomically, and last `registered.json`, the settings with which
//! the repository's current ones are compared. So an interrupted refresh is still reported as a difference, and the
//! user accepts it again.

mod git_setting;
mod live_settings;
pub(crate) mod settings_change;
pub(crate) mod settings_copy;
