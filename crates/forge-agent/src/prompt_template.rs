//! The text of a role's prompt with places to fill in (E-2). Strict: what it does not know it refuses, with the name.

use crate::prompt_material::PromptMaterial;
use forge_domain::task::Purpose;
use std::fmt;

const LONGEST: usize = 64 * 1024;

/// What a role is told, with `{{places}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTemplate(Vec<Line>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// Words with values between them.
    Words(Vec<Piece>),
    /// A section of its own; the line goes when there is nothing to say.
    Section(Section),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Value(Value),
}

/// A value of a few words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Key,
    Title,
    Role,
    Branch,
}

/// A part with a heading, whose content is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
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

const VALUES: [(&str, Value); 4] = [
    ("key", Value::Key),
    ("title", Value::Title),
    ("role", Value::Role),
    ("branch", Value::Branch),
];

const SECTIONS: [(&str, Section); 10] = [
    ("description", Section::Description),
    ("subtasks", Section::Subtasks),
    ("dependency_results", Section::DependencyResults),
    ("handoff_notes", Section::HandoffNotes),
    ("messages", Section::Messages),
    ("failing_step", Section::FailingStep),
    ("feedback", Section::Feedback),
    ("review_prompt", Section::ReviewPrompt),
    ("change", Section::Change),
    ("verdict", Section::Verdict),
];

/// A template that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptTemplateError {
    /// A place nobody knows.
    #[error("{{{{{0}}}}} is not known; there are {known}", known = Known)]
    Unknown(String),
    /// A section among other words.
    #[error("{{{{{0}}}}} is a section of several lines: put it on a line of its own")]
    NotAlone(String),
    /// A place without an end.
    #[error("line {0} has {{{{ without }}}}")]
    Unclosed(usize),
    /// Nothing at all.
    #[error("the template is empty; leave it out to use the built-in one")]
    Empty,
    /// Too much.
    #[error(
        "the template is longer than {LONGEST} bytes; put the rest into a file of the repository"
    )]
    TooLong,
}

struct Known;

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            VALUES.iter().map(|(name, _)| name).chain(SECTIONS.iter().map(|(name, _)| name));
        let names: Vec<_> = names.map(|name| format!("{{{{{name}}}}}")).collect();
        f.write_str(&names.join(", "))
    }
}

impl PromptTemplate {
    /// Reads a template.
    pub fn new(text: &str) -> Result<Self, PromptTemplateError> {
        if text.trim().is_empty() {
            return Err(PromptTemplateError::Empty);
        }
        if text.len() > LONGEST {
            return Err(PromptTemplateError::TooLong);
        }
        let lines = text.trim_end().lines().enumerate();
        lines.map(|(number, line)| read_line(number + 1, line)).collect::<Result<_, _>>().map(Self)
    }

    /// What a purpose is told where the project says nothing else.
    pub fn built_in(purpose: Purpose) -> Self {
        let text = match purpose {
            Purpose::Work => include_str!("../prompts/work.md"),
            Purpose::Judge => include_str!("../prompts/judge.md"),
        };
        // A test reads both; if one could not be read, the sections that must be there still would be.
        Self::new(text).unwrap_or(Self(Vec::new()))
    }

    /// The text. Values are put in once and never read for places again.
    pub(crate) fn fill(&self, material: &PromptMaterial<'_>) -> String {
        let mut text = String::new();
        let mut skip_blank = false;
        for line in &self.0 {
            let filled = match line {
                Line::Words(pieces) => {
                    let words: String = pieces
                        .iter()
                        .map(|piece| match piece {
                            Piece::Literal(words) => words.clone(),
                            Piece::Value(value) => material.value(*value),
                        })
                        .collect();
                    if words.is_empty() && skip_blank {
                        skip_blank = false;
                        continue;
                    }
                    words
                }
                Line::Section(section) => match material.section(*section) {
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
        for section in self.missing(material.purpose) {
            if let Some(content) = material.section(section) {
                text.push_str(&format!("\n{content}\n"));
            }
        }
        format!("{}\n", text.trim_end())
    }

    /// What is told even where a template forgets it: notes of those before (T-20), what people had left to say (T-22),
    /// and how a judge answers (M-3).
    fn missing(&self, purpose: Purpose) -> impl Iterator<Item = Section> + '_ {
        let needed: &[Section] = match purpose {
            Purpose::Work => &[Section::HandoffNotes, Section::Messages],
            Purpose::Judge => &[Section::HandoffNotes, Section::Messages, Section::Verdict],
        };
        needed.iter().copied().filter(|section| !self.0.contains(&Line::Section(*section)))
    }
}

fn read_line(number: usize, line: &str) -> Result<Line, PromptTemplateError> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or(PromptTemplateError::Unclosed(number))?;
        let name = name.trim();
        if !before.is_empty() {
            pieces.push(Piece::Literal(before.to_owned()));
        }
        if let Some((_, value)) = VALUES.iter().find(|(known, _)| *known == name) {
            pieces.push(Piece::Value(*value));
        } else if let Some((_, section)) = SECTIONS.iter().find(|(known, _)| *known == name) {
            let whole = line.trim().strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
            return if whole.is_some_and(|whole| whole.trim() == name) {
                Ok(Line::Section(*section))
            } else {
                Err(PromptTemplateError::NotAlone(name.to_owned()))
            };
        } else {
            return Err(PromptTemplateError::Unknown(name.to_owned()));
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    Ok(Line::Words(pieces))
}
