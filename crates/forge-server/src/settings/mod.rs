//! The configuration of the server: flags > environment > `forge.toml`, each setting is declared once in `setting_table.rs` (SPEC §7.1,
//! S-7).

mod collected_settings;
mod computed_defaults;
mod log_format;
mod markdown;
mod parse;
mod server_settings;
mod setting_spec;
mod setting_table;
mod settings_error;

pub use crate::settings::log_format::LogFormat;
pub use crate::settings::markdown::markdown;
pub use crate::settings::setting_spec::{SettingDefault, SettingKind, SettingSources, SettingSpec};
pub use crate::settings::setting_table::{ServerSettings, TABLE};
pub use crate::settings::settings_error::{SettingProblem, SettingsError};
