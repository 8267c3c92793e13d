//! A name with placeholders.

use super::words::Words;
use forge_git::{BranchName, DirectoryName};

const LONGEST: usize = 500;
/// Leaves room for what makes a name unique.
pub(super) const LONGEST_DIRECTORY: usize = 100;

/// A template whose placeholders are all known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Word(Placeholder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placeholder {
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

const PLACEHOLDERS: &[(&str, Placeholder)] = &[
    ("project", Placeholder::Project),
    ("task", Placeholder::Task),
    ("number", Placeholder::Number),
    ("slug", Placeholder::Slug),
    ("agent", Placeholder::Agent),
    ("variant", Placeholder::Variant),
    ("hash", Placeholder::Hash),
    ("id", Placeholder::Id),
    ("timestamp", Placeholder::Timestamp),
];

impl Template {
    /// Reads a template; what is wrong with it otherwise.
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
            parts.push(Part::Word(*placeholder));
            rest = tail;
        }
        push_text(&mut parts, rest)?;
        Ok(Self(parts))
    }

    /// Reads a template for branches: what it makes must be a branch's name whatever the task is called.
    pub(crate) fn for_branches(text: &str) -> Result<Self, String> {
        let template = Self::parse(text)?;
        if !template.tells_tasks_apart() {
            return Err(format!(
                "\"{text}\" would name every task's branch alike; add {{number}}, {{task}}, {{slug}}, {{hash}}, {{id}} or {{timestamp}}"
            ));
        }
        for words in Words::extremes() {
            let name = template.render(&words);
            BranchName::new(name).map_err(|error| {
                format!("\"{text}\" can make a name that git does not take: {error}")
            })?;
        }
        Ok(template)
    }

    /// Reads a template for directories, which are one part of a path.
    pub(crate) fn for_directories(text: &str) -> Result<Self, String> {
        let template = Self::parse(text)?;
        for words in Words::extremes() {
            // Its end is cut where it is too long, and gets what makes it unique.
            let name: String = template.render(&words).chars().take(LONGEST_DIRECTORY).collect();
            DirectoryName::new(name).map_err(|error| error.to_string())?;
        }
        Ok(template)
    }

    /// The name for these words.
    pub(crate) fn render(&self, words: &Words) -> String {
        let texts = self.0.iter().map(|part| match part {
            Part::Text(text) => text.as_str(),
            Part::Word(Placeholder::Project) => &words.project,
            Part::Word(Placeholder::Task) => &words.task,
            Part::Word(Placeholder::Number) => &words.number,
            Part::Word(Placeholder::Slug) => &words.slug,
            Part::Word(Placeholder::Agent) => &words.agent,
            Part::Word(Placeholder::Variant) => &words.variant,
            Part::Word(Placeholder::Hash) => &words.hash,
            Part::Word(Placeholder::Id) => &words.id,
            Part::Word(Placeholder::Timestamp) => &words.timestamp,
        });
        texts.collect()
    }

    /// Whether what it makes contains what no other task has.
    pub(crate) fn is_unique(&self) -> bool {
        self.0.iter().any(|part| matches!(part, Part::Word(Placeholder::Hash | Placeholder::Id)))
    }

    fn tells_tasks_apart(&self) -> bool {
        self.0.iter().any(|part| {
            matches!(
                part,
                Part::Word(
                    Placeholder::Task
                        | Placeholder::Number
                        | Placeholder::Slug
                        | Placeholder::Hash
                        | Placeholder::Id
                        | Placeholder::Timestamp
                )
            )
        })
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str) -> Result<(), String> {
    if text.contains('}') {
        return Err(format!("\"{text}\" has a closing brace without an opening one"));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn t_24_the_templates_of_all_seeds_are_one_setting() {
        let words = &Words::extremes()[0];
        for (template, name) in [
            ("forge/{number}-{slug}", "forge/1-a"),
            ("agent/{agent}/{task}-{slug}", "agent/a/T-1-a"),
            ("feat/{task}-{slug}", "feat/T-1-a"),
            ("refact/task/{project}/card/{number}/{hash}", "refact/task/a/card/1/0123abcd"),
            ("session/{agent}-{timestamp}", "session/a-20260101-000000"),
            ("try/{number}-{variant}", "try/1-1"),
        ] {
            assert_eq!(Template::for_branches(template).expect(template).render(words), name);
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
            // Harmless for most titles, and not for the title "lock".
            ("{number}.{slug}", ".lock"),
            ("{number}.", "end with a dot"),
            (".{number}", "begin with a dot"),
        ] {
            let problem = Template::for_branches(template).expect_err(template);
            assert!(problem.contains(reason), "{template}: {problem}");
        }
        let long = format!("{}{{number}}", "y".repeat(240));
        assert!(Template::for_branches(&long).expect_err("too long").contains("too long"));
    }
}
