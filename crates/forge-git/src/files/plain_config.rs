use std::io::ErrorKind;
use std::path::Path;

use crate::files::attributes;
use crate::files::unsupported::Unsupported;

/// Refuses a repository whose settings could make its worktrees' files differ from their objects, or its index from the
/// common form. Only its own settings count: our gits read no others.
pub(crate) fn check(settings_dir: &Path) -> Result<(), Unsupported> {
    let config = std::fs::read_to_string(settings_dir.join("config"))?;
    check_settings(&config)?;
    match std::fs::read(settings_dir.join("info/attributes")) {
        Ok(content) => attributes::check(&content),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn check_settings(config: &str) -> Result<(), Unsupported> {
    let mut section = String::new();
    for line in config.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let setting = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, rest)) => {
                section = name.trim().to_ascii_lowercase();
                rest.trim()
            }
            None => line,
        };
        if !setting.is_empty() {
            let (name, value) = setting.split_once('=').unwrap_or((setting, "true"));
            let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
            if !is_plain(&section, &name, &value.to_ascii_lowercase()) {
                return Err(Unsupported::new(format!("the setting {section}.{name} = {value}")));
            }
        }
    }
    Ok(())
}

fn is_plain(section: &str, name: &str, value: &str) -> bool {
    let kind = section.split([' ', '"', '.']).next().unwrap_or_default();
    match (kind, name) {
        ("include" | "includeif", _) => false,
        ("filter", _) => section.contains("\"lfs\""),
        ("core", "autocrlf" | "ignorecase" | "sparsecheckout" | "splitindex") => value == "false",
        ("core", "symlinks" | "filemode") => value == "true",
        ("core", "eol" | "attributesfile" | "sharedrepository" | "worktree") => false,
        ("i18n", _) => false,
        ("extensions", "objectformat") => value == "sha1",
        ("extensions", "refstorage") => value == "files",
        ("extensions", _) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_15_common_settings_are_plain_and_converting_ones_are_declined() {
        let common = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            [remote \"origin\"]\n\turl = x\n[branch \"main\"] merge = refs/heads/main\n\
            [filter \"lfs\"]\n\tsmudge = git-lfs smudge -- %f\n[extensions]\n\tobjectFormat = sha1\n";
        assert!(check_settings(common).is_ok());
        for converting in [
            "[core]\nautocrlf = input",
            "[Core]\n\tAutoCRLF",
            "[core] eol = crlf",
            "[core]\nsymlinks = false",
            "[filter \"crypt\"]\nsmudge = x",
            "[include]\npath = other",
            "[includeIf \"gitdir:x\"]\npath = other",
            "[extensions]\npartialClone = origin",
            "[extensions]\nobjectFormat = sha256",
            "[extensions]\nworktreeConfig = true",
            "[core]\nsparseCheckout = true",
        ] {
            assert!(check_settings(converting).is_err(), "{converting}");
        }
    }
}
