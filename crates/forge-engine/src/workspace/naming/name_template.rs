//! A name template with placeholders.

use crate::workspace::naming::name_values::NameValues;
use forge_git::{BranchName, DirectoryName};

const LONGEST: usize = 500;
/// Leaves room for the suffix that makes a name unique.
pub(crate) const LONGEST_DIRECTORY: usize = 100;

/// A template with known placeholders only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameTemplate(Vec<NameTemplatePart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum NameTemplatePart {
    Text(String),
    Placeholder(NamePlaceholder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamePlaceholder {
    Project,
    Task,
    Number,
    Slug,
    Agent,
    Variant,
    Hash,
    Id,
    Timestamp,
}

const PLACEHOLDERS: &[(&str, NamePlaceholder)] = &[
    ("project", NamePlaceholder::Project),
    ("task", NamePlaceholder::Task),
    ("number", NamePlaceholder::Number),
    ("slug", NamePlaceholder::Slug),
    ("agent", NamePlaceholder::Agent),
    ("variant", NamePlaceholder::Variant),
    ("hash", NamePlaceholder::Hash),
    ("id", NamePlaceholder::Id),
    ("timestamp", NamePlaceholder::Timestamp),
];

impl NameTemplate {
    /// Parses a template, or returns what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("a template cannot be empty; leave it out for the default".to_owned());
        }
        if text.len() > LONGEST {
            return Err(format!("a template has at most {LONGEST} bytes"));
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, tail)) = after.split_once('}') else {
                return Err(format!("\"{{{after}\" has no closing brace"));
            };
            push_text(&mut parts, before)?;
            let known = PLACEHOLDERS.iter().find(|(known, _)| *known == name);
            let Some((_, placeholder)) = known else {
                let known: Vec<_> =
                    PLACEHOLDERS.iter().map(|(name, _)| format!("{{{name}}}")).collect();
                return Err(format!("{{{name}}} is not known; use {}", known.join(" ")));
            };
            parts.push(NameTemplatePart::Placeholder(*placeholder));
            rest = tail;
        }
        push_text(&mut parts, rest)?;
        Ok(Self(parts))
    }

    /// Parses a branch template; it must give a valid branch name for every task title.
    pub(crate) fn for_branches(text: &str) -> Result<Self, String> {
        let template = Self::parse(text)?;
        if !template.distinguishes_tasks() {
            return Err(format!(
                "\"{text}\" would name every task's branch alike; add {{number}}, {{task}}, {{slug}}, {{hash}}, {{id}} or {{timestamp}}"
            ));
        }
        for words in NameValues::extremes() {
            let name = template.render(&words);
            BranchName::new(name).map_err(|error| {
                format!("\"{text}\" can make a name that git does not take: {error}")
            })?;
        }
        Ok(template)
    }

    /// Parses a directory template; a directory is one path component.
    pub(crate) fn for_directories(text: &str) -> Result<Self, String> {
        let template = Self::parse(text)?;
        for words in NameValues::extremes() {
            // A name that is too long is cut, and gets a unique suffix.
            let name: String = template.render(&words).chars().take(LONGEST_DIRECTORY).collect();
            DirectoryName::new(name).map_err(|error| error.to_string())?;
        }
        Ok(template)
    }

    /// Renders the name with these values.
    pub(crate) fn render(&self, words: &NameValues) -> String {
        let texts = self.0.iter().map(|part| match part {
            NameTemplatePart::Text(text) => text.as_str(),
            NameTemplatePart::Placeholder(NamePlaceholder::Project) => &words.project,
            NameTemplatePart::Placeholder(NamePlaceholder::Task) => &words.task,
            NameTemplatePart::Placeholder(NamePlaceholder::Number) => &words.number,
            NameTemplatePart::Placeholder(NamePlaceholder::Slug) => &words.slug,
            NameTemplatePart::Placeholder(NamePlaceholder::Agent) => &words.agent,
            NameTemplatePart::Placeholder(NamePlaceholder::Variant) => &words.variant,
            NameTemplatePart::Placeholder(NamePlaceholder::Hash) => &words.hash,
            NameTemplatePart::Placeholder(NamePlaceholder::Id) => &words.id,
            NameTemplatePart::Placeholder(NamePlaceholder::Timestamp) => &words.timestamp,
        });
        texts.collect()
    }

    /// Whether the name contains a value that is unique to the task.
    pub(crate) fn is_unique(&self) -> bool {
        self.0.iter().any(|part| {
            matches!(
                part,
                NameTemplatePart::Placeholder(NamePlaceholder::Hash | NamePlaceholder::Id)
            )
        })
    }

    fn distinguishes_tasks(&self) -> bool {
        self.0.iter().any(|part| {
            matches!(
                part,
                NameTemplatePart::Placeholder(
                    NamePlaceholder::Task
                        | NamePlaceholder::Number
                        | NamePlaceholder::Slug
                        | NamePlaceholder::Hash
                        | NamePlaceholder::Id
                        | NamePlaceholder::Timestamp
                )
            )
        })
    }
}

fn push_text(parts: &mut Vec<NameTemplatePart>, text: &str) -> Result<(), String> {
    if text.contains('}') {
        return Err(format!("\"{text}\" has a closing brace without an opening one"));
    }
    if !text.is_empty() {
        parts.push(NameTemplatePart::Text(text.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn t_24_the_templates_of_all_seeds_are_one_setting() {
        let words = &NameValues::extremes()[0];
        for (template, name) in [
            ("forge/{number}-{slug}", "forge/1-a"),
            ("agent/{agent}/{task}-{slug}", "agent/a/T-1-a"),
            ("feat/{task}-{slug}", "feat/T-1-a"),
            ("refact/task/{project}/card/{number}/{hash}", "refact/task/a/card/1/0123abcd"),
            ("session/{agent}-{timestamp}", "session/a-20260101-000000"),
            ("try/{number}-{variant}", "try/1-1"),
        ] {
            assert_eq!(NameTemplate::for_branches(template).expect(template).render(words), name);
        }
    }

    #[test]
    fn t_24_a_template_that_could_fail_later_is_refused_with_the_reason() {
        for (template, reason) in [
            ("", "cannot be empty"),
            ("x/{numer}", "{numer} is not known; use {project} {task}"),
            ("x/{number", "no closing brace"),
            ("x/number}", "without an opening one"),
            ("agent/{agent}", "name every task's branch alike"),
            ("/{number}", "must not be empty"),
            ("{number}/", "must not be empty"),
            ("-{number}", "must not begin with -"),
            ("a b/{number}", "spaces"),
            ("{number}..{slug}", ".. and @{"),
            ("{number}.lock", ".lock"),
            // Valid for most titles, but not for the title "lock".
            ("{number}.{slug}", ".lock"),
            ("{number}.", "end with a dot"),
            (".{number}", "begin with a dot"),
        ] {
            let problem = NameTemplate::for_branches(template).expect_err(template);
            assert!(problem.contains(reason), "{template}: {problem}");
        }
        let long = format!("{}{{number}}", "y".repeat(240));
        assert!(NameTemplate::for_branches(&long).expect_err("too long").contains("too long"));
    }
}
