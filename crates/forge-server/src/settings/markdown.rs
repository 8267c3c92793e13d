//! Generates the documentation of the settings from the table.

use crate::settings::setting_spec::SettingKind;
use crate::settings::setting_table::TABLE;

/// The content of docs/SETTINGS.md.
pub fn markdown() -> String {
    let mut text = "# Settings of the server\n\n\
        A flag wins over the environment, the environment over the file `forge.toml`. The key in the file is the \
        setting's name. A key the file should not have is an error, and all errors are reported together. This table \
        is made from the code.\n\n\
        | setting | flag | variable | in `forge.toml` | value | default | |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for setting in TABLE {
        let flag = setting.flag().map_or("–".to_owned(), |flag| format!("`{flag}`"));
        let in_file = if setting.is_in_file() { "yes" } else { "no" };
        let kind = match setting.kind {
            SettingKind::Text => "text",
            SettingKind::Number => "number",
            SettingKind::Switch => "true, false",
            SettingKind::List => "list",
        };
        text.push_str(&format!(
            "| {} | {flag} | `{}` | {in_file} | {kind} | {} | {} |\n",
            setting.name,
            setting.variable(),
            setting.default_text(),
            setting.description
        ));
    }
    text
}
