//! The nesting depth of a JSON text, measured before it is parsed.

/// Whether more than `limit` arrays and objects are open at once. The text need not be valid JSON.
pub(crate) fn is_deeper_than(limit: usize, json: &str) -> bool {
    let mut open = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in json.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                open += 1;
                if open > limit {
                    return true;
                }
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_open_arrays_and_objects() {
        assert!(!is_deeper_than(2, "[[],[],{}]"));
        assert!(is_deeper_than(2, "[[{}]]"));
        assert!(is_deeper_than(32, &"[".repeat(33)));
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert!(!is_deeper_than(1, r#"["[[[\"{{{\\"]"#));
        assert!(is_deeper_than(1, r#"["\\",[]]"#));
    }
}
