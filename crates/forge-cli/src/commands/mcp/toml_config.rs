//! An entry in a TOML configuration file, with everything else in the file as it was.

use toml::{Table, Value};

use crate::commands::mcp::client_config::{ENTRY, ServerCommand};

const SECTION: &str = "mcp_servers";

/// The entry as text.
pub(super) fn entry(command: &ServerCommand) -> Result<String, String> {
    let text = toml::to_string(&table(command)).map_err(|error| error.to_string())?;
    Ok(format!("[{SECTION}.{ENTRY}]\n{text}"))
}

/// The file with the entry at its end; `None` if it has it already.
pub(super) fn with_entry(
    old: &str,
    entry: &str,
    command: &ServerCommand,
) -> Result<Option<String>, String> {
    let found = parse(old)?.get(SECTION).and_then(|servers| servers.get(ENTRY)).cloned();
    match found {
        Some(found) if found == Value::Table(table(command)) => return Ok(None),
        Some(_) => return Err(format!("it has another table [{SECTION}.{ENTRY}]")),
        None => {}
    }
    let gap = match old {
        "" => "",
        old if old.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let new = format!("{old}{gap}{entry}");
    // A file that defines the section in one line cannot be extended at its end.
    parse(&new)?;
    Ok(Some(new))
}

fn table(command: &ServerCommand) -> Table {
    let arguments = command.arguments.iter().cloned().map(Value::String).collect();
    let mut table = Table::new();
    table.insert("command".to_owned(), Value::String(command.program.clone()));
    table.insert("args".to_owned(), Value::Array(arguments));
    table
}

fn parse(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error: toml::de::Error| format!("it is not TOML ({})", error.message()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;

    #[test]
    fn s_3_the_entry_follows_what_the_file_has_and_is_added_once() {
        let command =
            ServerCommand { program: "forge".to_owned(), arguments: vec!["mcp".to_owned()] };
        let entry = entry(&command).expect("an entry");
        let old = "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let new = with_entry(old, &entry, &command).expect("TOML").expect("a change");
        assert!(new.starts_with(old) && new.contains("[mcp_servers.forge]"), "{new}");
        assert_eq!(with_entry(&new, &entry, &command), Ok(None));
        for refused in ["= 1", "mcp_servers = {}", "[mcp_servers.forge]\ncommand = \"z\"\n"] {
            assert!(with_entry(refused, &entry, &command).is_err(), "{refused}");
        }
    }
}
