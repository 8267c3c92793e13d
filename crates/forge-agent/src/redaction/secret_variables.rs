//! Finds environment variables that hold secrets, by their names.

use std::ffi::OsString;

const SECRET_NAME_PARTS: [&str; 8] =
    ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "APIKEY", "PRIVATE_KEY"];

/// The values of variables whose names mark them as secrets.
pub fn secret_values<'a>(
    variables: impl IntoIterator<Item = &'a (OsString, OsString)>,
) -> Vec<String> {
    let secret = |name: &OsString| {
        let name = name.to_string_lossy().to_uppercase();
        name.ends_with("_KEY") || SECRET_NAME_PARTS.iter().any(|word| name.contains(word))
    };
    let named = variables.into_iter().filter(|(name, _)| secret(name));
    named.filter_map(|(_, value)| value.to_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_5_secrets_are_known_by_the_names_of_their_variables() {
        let variables = [
            ("ANTHROPIC_API_KEY", "a"),
            ("deploy_key", "b"),
            ("FORGE_TOKEN", "c"),
            ("DB_PASSWORD", "d"),
            ("PATH", "e"),
            ("KEYBOARD", "f"),
        ]
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
        assert_eq!(secret_values(&variables), ["a", "b", "c", "d"]);
    }
}
