//! Quotes a word for a shell.

/// The word as a POSIX shell reads it, quoted only if it has to be.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_only_if_a_shell_would_read_it_otherwise() {
        for (word, quoted) in [
            ("/srv/forge/T-12", "/srv/forge/T-12"),
            ("/my files/a", "'/my files/a'"),
            ("it's", r"'it'\''s'"),
            ("$(rm x)", "'$(rm x)'"),
            ("", "''"),
            ("-x", "'-x'"),
        ] {
            assert_eq!(shell_word(word), quoted);
        }
    }
}
