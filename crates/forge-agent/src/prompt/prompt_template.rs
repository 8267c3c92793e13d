//! The template of a role's prompt (E-2): Jinja's text, variables and `{% if %}`, read and rendered by minijinja.
//!
//! Loops, assignments and operators are refused when a template is saved, because members of a project write
//! templates: a string that is doubled forty times would end the server, and fuel does not count memory. What is left
//! always ends, and cannot fail when a prompt is built.

use crate::prompt::prompt_material::{PromptMaterial, SECTIONS, VALUES};
use forge_domain::task::ExecutionPurpose;
use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, ObjectRepr, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const LONGEST_TEMPLATE: usize = 64 * 1024;

/// A prompt text with `{{placeholders}}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptTemplate(String);

/// Why a template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptTemplateError {
    /// An unknown placeholder.
    #[error("line {line}: {{{{{name}}}}} is not known; there are {known}", known = KnownPlaceholders)]
    UnknownPlaceholder { line: usize, name: String },
    /// A section placeholder with other text on its line.
    #[error(
        "line {line}: {{{{{name}}}}} is a section of several lines: put it on a line of its own"
    )]
    SectionInText { line: usize, name: String },
    /// A part of Jinja that templates do not have.
    #[error(
        "line {line}: {found} cannot be used; there are {{{{variables}}}} and {{% if %}} with `not`, `and`, `or`"
    )]
    Unsupported { line: usize, found: String },
    /// The text is no valid template.
    #[error("line {line}: {problem}")]
    Syntax { line: usize, problem: String },
    /// The template has no text.
    #[error("the template is empty; leave it out to use the built-in one")]
    Empty,
    /// The template exceeds the size limit.
    #[error(
        "the template is longer than {LONGEST_TEMPLATE} bytes; put the rest into a file of the repository"
    )]
    TooLong,
}

impl From<minijinja::Error> for PromptTemplateError {
    fn from(error: minijinja::Error) -> Self {
        let problem = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        Self::Syntax { line: error.line().unwrap_or(1), problem }
    }
}

struct KnownPlaceholders;

impl fmt::Display for KnownPlaceholders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = VALUES.iter().map(|value| value.0).chain(SECTIONS.iter().map(|part| part.0));
        let names: Vec<_> = names.map(|name| format!("{{{{{name}}}}}")).collect();
        f.write_str(&names.join(", "))
    }
}

/// A section as the template sees it: true if it has content.
#[derive(Debug)]
struct RenderedSection {
    content: Option<String>,
    was_printed: AtomicBool,
}

impl Object for RenderedSection {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        self.content.is_some()
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.was_printed.store(true, Ordering::Relaxed);
        f.write_str(self.content.as_deref().unwrap_or_default())
    }
}

impl PromptTemplate {
    /// Parses a template.
    pub fn new(text: &str) -> Result<Self, PromptTemplateError> {
        let text = text.trim_end();
        if text.is_empty() {
            return Err(PromptTemplateError::Empty);
        }
        if text.len() > LONGEST_TEMPLATE {
            return Err(PromptTemplateError::TooLong);
        }
        let sections = find_sections(text)?;
        environment()?.template_from_str(text)?;
        Ok(Self(skip_empty_sections(text, &sections)))
    }

    /// The built-in template for a purpose.
    pub fn built_in(purpose: ExecutionPurpose) -> Self {
        let text = match purpose {
            ExecutionPurpose::Work => include_str!("../../prompts/work.md"),
            ExecutionPurpose::Judge => include_str!("../../prompts/judge.md"),
        };
        // A test parses both templates; if parsing failed, the mandatory sections would still be added.
        Self::new(text).unwrap_or_default()
    }

    /// The prompt text. Inserted values are not scanned for placeholders.
    pub(crate) fn fill(
        &self,
        material: &PromptMaterial<'_>,
    ) -> Result<String, PromptTemplateError> {
        let sections = SECTIONS.map(|(name, read)| {
            let was_printed = AtomicBool::new(false);
            (name, Arc::new(RenderedSection { content: read(material), was_printed }))
        });
        let values = VALUES.map(|(name, read)| (name, Value::from(read(material))));
        let parts =
            sections.iter().map(|(name, part)| (*name, Value::from_dyn_object(part.clone())));
        let context = Value::from_pairs(values.into_iter().chain(parts));
        let mut text = environment()?.render_str(&self.0, context)?;
        for (name, section) in &sections {
            let is_missing = is_mandatory(name, material.purpose)
                && !section.was_printed.load(Ordering::Relaxed);
            if let (true, Some(content)) = (is_missing, &section.content) {
                text.push_str(&format!("\n{content}\n"));
            }
        }
        Ok(format!("{}\n", text.trim_end()))
    }
}

/// Sections that are added even when a template omits them: handoff notes (T-20), messages from users (T-22), the plan, and
/// the answer format of a reviewer (M-3).
fn is_mandatory(section: &str, purpose: ExecutionPurpose) -> bool {
    matches!(
        (section, purpose),
        ("handoff_notes" | "messages", _)
            | ("plan", ExecutionPurpose::Work)
            | ("verdict", ExecutionPurpose::Judge)
    )
}

/// An environment without filters, tests and functions.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::empty();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    Ok(environment)
}

/// The sections of a template by line. Refuses everything except known placeholders and conditions on them.
fn find_sections(text: &str) -> Result<BTreeMap<usize, &str>, PromptTemplateError> {
    let mut sections = BTreeMap::new();
    let (mut is_printing, mut is_statement) = (false, false);
    for token in tokenize(text, false, SyntaxConfig::default()) {
        let (token, span) = token?;
        let line = usize::from(span.start_line);
        let starts_block = matches!(token, Token::BlockStart);
        match token {
            Token::TemplateData(_) | Token::BlockStart | Token::BlockEnd => {}
            Token::VariableStart => is_printing = true,
            Token::VariableEnd => is_printing = false,
            Token::Ident("if" | "elif" | "else" | "endif") if is_statement => {}
            Token::Ident(name) if is_statement => {
                return Err(PromptTemplateError::Unsupported {
                    line,
                    found: format!("{{% {name} %}}"),
                });
            }
            Token::Ident("not" | "and" | "or") => {}
            Token::Ident(name) if SECTIONS.iter().any(|(known, _)| *known == name) => {
                let whole = text.lines().nth(line - 1).unwrap_or_default().trim();
                let whole = whole.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
                if is_printing && whole.map(str::trim) != Some(name) {
                    let name = name.to_owned();
                    return Err(PromptTemplateError::SectionInText { line, name });
                }
                if is_printing {
                    sections.insert(line, name);
                }
            }
            Token::Ident(name) if VALUES.iter().any(|(known, _)| *known == name) => {}
            Token::Ident(name) => {
                let name = name.to_owned();
                return Err(PromptTemplateError::UnknownPlaceholder { line, name });
            }
            other => {
                return Err(PromptTemplateError::Unsupported { line, found: other.to_string() });
            }
        }
        is_statement = starts_block;
    }
    Ok(sections)
}

/// Puts the line of a section, and a blank line after it, under the condition that the section has content.
fn skip_empty_sections(text: &str, sections: &BTreeMap<usize, &str>) -> String {
    let mut source = String::new();
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let Some(name) = sections.get(&number) else {
            source.push_str(line);
            source.push('\n');
            continue;
        };
        let blank = lines.next_if(|(_, next)| next.is_empty()).map_or("", |_| "\n");
        source.push_str(&format!("{{% if {name} %}}\n{{{{ {name} }}}}\n{blank}{{% endif %}}\n"));
    }
    source
}
