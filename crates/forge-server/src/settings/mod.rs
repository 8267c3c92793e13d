//! How the server is configured: flags > environment > `forge.toml`, each setting in one table (SPEC §7.1, S-7).

mod given;
mod log_format;
mod markdown;
mod refused;
mod table;
mod values;

pub use log_format::LogFormat;
pub use markdown::markdown;
pub use refused::{Problem, SettingsRefused};
pub use table::{Kind, Setting, TABLE};
pub use values::Settings;
