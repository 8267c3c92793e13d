use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One setting of a repository, with the file that contains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GitSetting {
    pub(crate) file: String,
    pub(crate) key: String,
    /// `None` for a key without a value, which git reads as true.
    pub(crate) value: Option<String>,
}

/// The parts of a key such as `filter.lfs.clean`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SettingKeyParts<'a> {
    pub(crate) section: &'a str,
    pub(crate) subsection: Option<&'a str>,
    pub(crate) name: &'a str,
}

impl GitSetting {
    /// Parses the output of `git config --list --show-origin -z`.
    pub(crate) fn parse_all(listed: &[u8]) -> Vec<Self> {
        let mut fields = listed.split(|byte| *byte == 0);
        let mut settings = Vec::new();
        while let (Some(origin), Some(entry)) = (fields.next(), fields.next()) {
            let origin = String::from_utf8_lossy(origin);
            let file = origin.strip_prefix("file:").unwrap_or(&origin).to_owned();
            let entry = String::from_utf8_lossy(entry);
            let (key, value) = match entry.split_once('\n') {
                Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
                None => (entry.into_owned(), None),
            };
            settings.push(Self { file, key, value });
        }
        settings
    }

    pub(crate) fn parts(&self) -> SettingKeyParts<'_> {
        key_parts(&self.key)
    }

    pub(crate) fn is_true(&self) -> bool {
        let value = self.value.as_deref().map(str::to_ascii_lowercase);
        value.is_none_or(|value| ["true", "yes", "on", "1"].contains(&value.as_str()))
    }

    /// Renders the settings as a git config file.
    pub(crate) fn render_all<'a>(settings: impl Iterator<Item = &'a Self>) -> String {
        let mut text = String::new();
        let mut last = None;
        for setting in settings {
            let SettingKeyParts { section, subsection, name } = setting.parts();
            if last != Some((section, subsection)) {
                match subsection {
                    None => text.push_str(&format!("[{section}]\n")),
                    Some(inner) => {
                        let inner = inner.replace('\\', "\\\\").replace('"', "\\\"");
                        text.push_str(&format!("[{section} \"{inner}\"]\n"));
                    }
                }
                last = Some((section, subsection));
            }
            match &setting.value {
                None => text.push_str(&format!("\t{name}\n")),
                Some(value) => text.push_str(&format!("\t{name} = {}\n", quote(value))),
            }
        }
        text
    }
}

pub(crate) fn key_parts(key: &str) -> SettingKeyParts<'_> {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    match rest.rsplit_once('.') {
        Some((subsection, name)) => SettingKeyParts { section, subsection: Some(subsection), name },
        None => SettingKeyParts { section, subsection: None, name: rest },
    }
}

fn quote(value: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./:@-+*,".contains(&byte);
    if !value.is_empty() && value.bytes().all(is_plain) {
        return Cow::Borrowed(value);
    }
    let value = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\u{8}', "\\b");
    Cow::Owned(format!("\"{value}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_19_settings_are_read_and_written_as_git_does() {
        let listed =
            b"file:/r/.git/config\0core.bare\nfalse\0file:/r/.git/config\0filter.a.b.clean\n\
            sed 's/\"/x/' # no comment\0file:/x\0core.flag\0";
        let settings = GitSetting::parse_all(listed);
        assert_eq!(settings.len(), 3);
        assert_eq!(
            settings[1].parts(),
            SettingKeyParts { section: "filter", subsection: Some("a.b"), name: "clean" }
        );
        assert!(settings[2].is_true() && !settings[0].is_true());
        assert_eq!(settings[2].file, "/x");
        assert_eq!(
            GitSetting::render_all(settings.iter()),
            "[core]\n\tbare = false\n[filter \"a.b\"]\n\tclean = \"sed 's/\\\"/x/' # no comment\"\n\
             [core]\n\tflag\n"
        );
    }
}
