//! The configuration of the server: flags > environment > `forge.toml`, all settings in one table (SPEC §7.1, S-7).

mod collected_settings;
mod log_format;
mod markdown;
mod parse;
mod server_settings;
mod setting_table;
mod settings_error;

pub use crate::settings::log_format::LogFormat;
pub use crate::settings::markdown::markdown;
pub use crate::settings::server_settings::ServerSettings;
pub use crate::settings::setting_table::{SettingKind, SettingSpec, TABLE};
pub use crate::settings::settings_error::{SettingProblem, SettingsError};
