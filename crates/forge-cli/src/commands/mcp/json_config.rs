//! An entry in a JSON configuration file, with everything else in the file as it was.

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::commands::mcp::client_config::ENTRY;

/// An object whose values are kept as they are written.
type RawObject = IndexMap<String, Box<RawValue>>;

/// The file with the entry in this section; `None` if it has it already.
pub(super) fn with_entry(
    old: &str,
    section: &str,
    entry: &Value,
) -> Result<Option<String>, String> {
    let mut file = parse(if old.trim().is_empty() { "{}" } else { old })?;
    let mut servers = match file.get(section) {
        Some(servers) => parse(servers.get())?,
        None => RawObject::new(),
    };
    let found = servers.get(ENTRY).map(|raw| serde_json::from_str::<Value>(raw.get()));
    if let Some(Ok(found)) = found
        && found == *entry
    {
        return Ok(None);
    }
    servers.insert(ENTRY.to_owned(), raw(indented(&pretty(entry)?, 2))?);
    file.insert(section.to_owned(), raw(print(&servers, 1)?)?);
    let mut content = print(&file, 0)?;
    content.push('\n');
    Ok(Some(content))
}

fn parse(text: &str) -> Result<RawObject, String> {
    serde_json::from_str(text).map_err(|error| format!("it is not plain JSON ({error})"))
}

fn raw(text: String) -> Result<Box<RawValue>, String> {
    RawValue::from_string(text).map_err(|error| error.to_string())
}

fn pretty(value: &Value) -> Result<String, String> {
    serde_json::to_string_pretty(value).map_err(|error| error.to_string())
}

/// The object with one field per line; its values are printed as they are.
fn print(object: &RawObject, depth: usize) -> Result<String, String> {
    if object.is_empty() {
        return Ok("{}".to_owned());
    }
    let margin = "  ".repeat(depth);
    let mut lines = Vec::with_capacity(object.len());
    for (name, value) in object {
        let name = serde_json::to_string(name).map_err(|error| error.to_string())?;
        lines.push(format!("{margin}  {name}: {}", value.get()));
    }
    Ok(format!("{{\n{}\n{margin}}}", lines.join(",\n")))
}

/// The text with every line but the first moved to the right.
fn indented(text: &str, depth: usize) -> String {
    text.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use serde_json::json;

    use super::*;

    fn written(old: &str) -> String {
        let entry = json!({ "command": "forge", "args": ["mcp"] });
        with_entry(old, "mcpServers", &entry).expect("a file").expect("a change")
    }

    #[test]
    fn s_3_everything_else_in_the_file_stays_as_it_was() {
        let old = "{\n  \"z\": [1,2],\n  \"mcpServers\": {\n    \"other\": {\"command\":\"x\"}\n  },\n  \"a\": 1.50\n}\n";
        let new = written(old);
        for kept in ["\"z\": [1,2]", "\"other\": {\"command\":\"x\"}", "\"a\": 1.50"] {
            assert!(new.contains(kept), "{new}");
        }
        let parsed: Value = serde_json::from_str(&new).expect("JSON");
        assert_eq!(parsed["mcpServers"]["forge"]["args"], json!(["mcp"]));
        let entry = json!({ "command": "forge", "args": ["mcp"] });
        assert_eq!(with_entry(&new, "mcpServers", &entry), Ok(None));
    }

    #[test]
    fn s_3_an_empty_file_gets_the_entry_and_one_that_is_no_json_is_left_alone() {
        let parsed: Value = serde_json::from_str(&written("")).expect("JSON");
        assert_eq!(
            parsed,
            json!({ "mcpServers": { "forge": { "command": "forge", "args": ["mcp"] } } })
        );
        let entry = json!({});
        for broken in ["// a comment\n{}", "[]", "{\"mcpServers\": 1}"] {
            assert!(with_entry(broken, "mcpServers", &entry).is_err(), "{broken}");
        }
    }
}
