//! Converts text into a name component.

const LONGEST: usize = 40;

/// Converts text into part of a branch or directory name: short, lower case, single dashes. Returns `otherwise` if
/// nothing remains.
pub(crate) fn slug(text: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    for symbol in text.chars() {
        if symbol.is_ascii_alphanumeric() {
            slug.push(symbol.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= LONGEST {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { otherwise.to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn t_24_titles_become_harmless_names() {
        assert_eq!(slug("Add rate limiting!", "task"), "add-rate-limiting");
        assert_eq!(slug("--force ../../etc", "task"), "force-etc");
        assert_eq!(slug("日本語", "task"), "task");
        assert!(slug(&"x".repeat(500), "task").len() <= 40);
    }
}
