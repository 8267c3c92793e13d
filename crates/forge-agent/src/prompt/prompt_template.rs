//! The template of a role's prompt (E-2). Strict: an unknown placeholder is an error that names it.

use crate::prompt::prompt_material::PromptMaterial;
use forge_domain::task::ExecutionPurpose;
use std::fmt;

const LONGEST_TEMPLATE: usize = 64 * 1024;

/// A prompt text with `{{placeholders}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTemplate(Vec<TemplateLine>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplateLine {
    /// Text with values between.
    Text(Vec<TextPiece>),
    /// A section; the line is dropped when the section is empty.
    Section(PromptSection),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TextPiece {
    Literal(String),
    Value(PromptValue),
}

/// A short inline value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptValue {
    Key,
    Title,
    Role,
    Branch,
}

/// A part with a heading, whose content is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptSection {
    Description,
    Subtasks,
    DependencyResults,
    HandoffNotes,
    Messages,
    FailingStep,
    Feedback,
    ReviewPrompt,
    Change,
    Verdict,
}

const VALUES: [(&str, PromptValue); 4] = [
    ("key", PromptValue::Key),
    ("title", PromptValue::Title),
    ("role", PromptValue::Role),
    ("branch", PromptValue::Branch),
];

const SECTIONS: [(&str, PromptSection); 10] = [
    ("description", PromptSection::Description),
    ("subtasks", PromptSection::Subtasks),
    ("dependency_results", PromptSection::DependencyResults),
    ("handoff_notes", PromptSection::HandoffNotes),
    ("messages", PromptSection::Messages),
    ("failing_step", PromptSection::FailingStep),
    ("feedback", PromptSection::Feedback),
    ("review_prompt", PromptSection::ReviewPrompt),
    ("change", PromptSection::Change),
    ("verdict", PromptSection::Verdict),
];

/// Why a template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptTemplateError {
    /// An unknown placeholder.
    #[error("{{{{{0}}}}} is not known; there are {known}", known = KnownPlaceholders)]
    UnknownPlaceholder(String),
    /// A section placeholder with other text on its line.
    #[error("{{{{{0}}}}} is a section of several lines: put it on a line of its own")]
    SectionInText(String),
    /// A placeholder without closing braces.
    #[error("line {0} has {{{{ without }}}}")]
    Unclosed(usize),
    /// The template has no text.
    #[error("the template is empty; leave it out to use the built-in one")]
    Empty,
    /// The template exceeds the size limit.
    #[error(
        "the template is longer than {LONGEST_TEMPLATE} bytes; put the rest into a file of the repository"
    )]
    TooLong,
}

struct KnownPlaceholders;

impl fmt::Display for KnownPlaceholders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            VALUES.iter().map(|(name, _)| name).chain(SECTIONS.iter().map(|(name, _)| name));
        let names: Vec<_> = names.map(|name| format!("{{{{{name}}}}}")).collect();
        f.write_str(&names.join(", "))
    }
}

impl PromptTemplate {
    /// Parses a template.
    pub fn new(text: &str) -> Result<Self, PromptTemplateError> {
        if text.trim().is_empty() {
            return Err(PromptTemplateError::Empty);
        }
        if text.len() > LONGEST_TEMPLATE {
            return Err(PromptTemplateError::TooLong);
        }
        let lines = text.trim_end().lines().enumerate();
        lines.map(|(number, line)| parse_line(number + 1, line)).collect::<Result<_, _>>().map(Self)
    }

    /// The built-in template for a purpose.
    pub fn built_in(purpose: ExecutionPurpose) -> Self {
        let text = match purpose {
            ExecutionPurpose::Work => include_str!("../../prompts/work.md"),
            ExecutionPurpose::Judge => include_str!("../../prompts/judge.md"),
        };
        // A test parses both templates; if parsing failed, the mandatory sections would still be added.
        Self::new(text).unwrap_or(Self(Vec::new()))
    }

    /// The prompt text. Inserted values are not scanned for placeholders.
    pub(crate) fn fill(&self, material: &PromptMaterial<'_>) -> String {
        let mut text = String::new();
        let mut skip_blank = false;
        for line in &self.0 {
            let filled = match line {
                TemplateLine::Text(pieces) => {
                    let words: String = pieces
                        .iter()
                        .map(|piece| match piece {
                            TextPiece::Literal(words) => words.clone(),
                            TextPiece::Value(value) => material.value(*value),
                        })
                        .collect();
                    if words.is_empty() && skip_blank {
                        skip_blank = false;
                        continue;
                    }
                    words
                }
                TemplateLine::Section(section) => match material.section(*section) {
                    Some(content) => content,
                    None => {
                        skip_blank = true;
                        continue;
                    }
                },
            };
            skip_blank = false;
            text.push_str(&filled);
            text.push('\n');
        }
        for section in self.mandatory_sections(material.purpose) {
            if let Some(content) = material.section(section) {
                text.push_str(&format!("\n{content}\n"));
            }
        }
        format!("{}\n", text.trim_end())
    }

    /// Sections that are added even when a template omits them: handoff notes (T-20), messages from users (T-22), and
    /// the answer format of a reviewer (M-3).
    fn mandatory_sections(
        &self,
        purpose: ExecutionPurpose,
    ) -> impl Iterator<Item = PromptSection> + '_ {
        let needed: &[PromptSection] = match purpose {
            ExecutionPurpose::Work => &[PromptSection::HandoffNotes, PromptSection::Messages],
            ExecutionPurpose::Judge => {
                &[PromptSection::HandoffNotes, PromptSection::Messages, PromptSection::Verdict]
            }
        };
        needed.iter().copied().filter(|section| !self.0.contains(&TemplateLine::Section(*section)))
    }
}

fn parse_line(number: usize, line: &str) -> Result<TemplateLine, PromptTemplateError> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or(PromptTemplateError::Unclosed(number))?;
        let name = name.trim();
        if !before.is_empty() {
            pieces.push(TextPiece::Literal(before.to_owned()));
        }
        if let Some((_, value)) = VALUES.iter().find(|(known, _)| *known == name) {
            pieces.push(TextPiece::Value(*value));
        } else if let Some((_, section)) = SECTIONS.iter().find(|(known, _)| *known == name) {
            let whole = line.trim().strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
            return if whole.is_some_and(|whole| whole.trim() == name) {
                Ok(TemplateLine::Section(*section))
            } else {
                Err(PromptTemplateError::SectionInText(name.to_owned()))
            };
        } else {
            return Err(PromptTemplateError::UnknownPlaceholder(name.to_owned()));
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(TextPiece::Literal(rest.to_owned()));
    }
    Ok(TemplateLine::Text(pieces))
}
