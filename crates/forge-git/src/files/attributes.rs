use crate::files::unsupported::Unsupported;

pub(crate) const NAME: &[u8] = b".gitattributes";

/// Whether a path is an attributes file.
pub(crate) fn is_attributes(path: &[u8]) -> bool {
    path.rsplit(|byte| *byte == b'/').next() == Some(NAME)
}

/// Refuses attributes that could make a file differ from its object. `text` alone does not: lines end here as they are stored.
pub(crate) fn check(content: &[u8]) -> Result<(), Unsupported> {
    for line in content.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let mut words =
            line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        let pattern = words.next().unwrap_or_default();
        // Quoted patterns have spaces in them, and macros give other names to what is looked for.
        if pattern.starts_with(b"\"") || pattern.starts_with(b"[attr]") || words.any(converts) {
            return Err(Unsupported::path("files are converted", line));
        }
    }
    Ok(())
}

/// Refuses attributes that could make an object differ from its file, line endings aside.
pub(crate) fn check_storing(content: &[u8]) -> Result<(), Unsupported> {
    check(content)?;
    match content.windows(b"filter".len()).any(|found| found == b"filter") {
        true => Err(Unsupported::new("files are filtered before they are stored")),
        false => Ok(()),
    }
}

fn converts(word: &[u8]) -> bool {
    // Large files stay pointers in worktrees of ours.
    if word == b"filter=lfs" {
        return false;
    }
    let name = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"!")).unwrap_or(word);
    let name = name.split(|byte| *byte == b'=').next().unwrap_or_default();
    [b"crlf".as_slice(), b"eol", b"filter", b"ident", b"working-tree-encoding"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_15_only_what_converts_files_is_declined() {
        for plain in [
            "",
            "# eol=crlf\n\n",
            "* text=auto\n*.png binary\n*.rs linguist-language=Rust diff=rust",
            "*.bin filter=lfs diff=lfs merge=lfs -text\r\n",
        ] {
            assert!(check(plain.as_bytes()).is_ok(), "{plain}");
        }
        for converting in [
            "*.bat eol=crlf",
            "*.c\tident",
            "* filter=crypt",
            "* -filter",
            "*.txt working-tree-encoding=UTF-16",
            "* crlf",
            "\"a b\" text",
            "[attr]mine ident",
        ] {
            assert!(check(converting.as_bytes()).is_err(), "{converting}");
        }
    }

    #[test]
    fn w_15_attributes_are_known_by_their_name() {
        assert!(is_attributes(b".gitattributes") && is_attributes(b"a/b/.gitattributes"));
        assert!(!is_attributes(b"a.gitattributes") && !is_attributes(b".gitattributes/x"));
    }
}
