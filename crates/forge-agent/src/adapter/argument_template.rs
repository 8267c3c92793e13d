//! Command-line templates.

use serde::Deserialize;

/// One argument of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ArgumentPiece {
    /// A fixed argument.
    Literal(String),
    /// An argument with a value inside.
    Value { before: String, slot: ValueSlot, after: String },
    /// Any number of arguments.
    Words(ListSlot),
}

/// A placeholder for one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueSlot {
    Prompt,
    PromptFile,
    Session,
    Model,
    Effort,
}

/// A placeholder for a list of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListSlot {
    Policy,
    Model,
    Effort,
    Extra,
}

/// The arguments of a program, with placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(crate) struct ArgumentTemplate(Vec<ArgumentPiece>);

/// A command line with an invalid placeholder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the word {0:?} has a placeholder that is not known: {{prompt}}, {{prompt_file}}, {{session}}, {{model}}, \
     {{effort}} stand inside a word, {{policy...}}, {{model...}}, {{effort...}}, {{extra...}} are whole words"
)]
pub struct TemplateError(String);

/// Values for the placeholders.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TemplateValues<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) prompt_file: &'a str,
    pub(crate) session: &'a str,
    pub(crate) model: &'a str,
    pub(crate) effort: &'a str,
    pub(crate) policy_words: &'a [String],
    pub(crate) model_words: &'a [String],
    pub(crate) effort_words: &'a [String],
    pub(crate) extra_words: &'a [String],
}

impl ArgumentTemplate {
    pub(crate) fn has(&self, wanted: ValueSlot) -> bool {
        self.0
            .iter()
            .any(|piece| matches!(piece, ArgumentPiece::Value { slot, .. } if *slot == wanted))
    }

    pub(crate) fn has_list(&self, wanted: ListSlot) -> bool {
        self.0.contains(&ArgumentPiece::Words(wanted))
    }

    /// The arguments. Inserted values are not scanned for placeholders.
    pub(crate) fn fill(&self, filling: TemplateValues<'_>) -> Vec<String> {
        let mut words = Vec::new();
        for piece in &self.0 {
            match piece {
                ArgumentPiece::Literal(word) => words.push(word.clone()),
                ArgumentPiece::Value { before, slot, after } => {
                    let value = match slot {
                        ValueSlot::Prompt => filling.prompt,
                        ValueSlot::PromptFile => filling.prompt_file,
                        ValueSlot::Session => filling.session,
                        ValueSlot::Model => filling.model,
                        ValueSlot::Effort => filling.effort,
                    };
                    words.push(format!("{before}{value}{after}"));
                }
                ArgumentPiece::Words(ListSlot::Policy) => {
                    words.extend_from_slice(filling.policy_words)
                }
                ArgumentPiece::Words(ListSlot::Model) => {
                    words.extend_from_slice(filling.model_words)
                }
                ArgumentPiece::Words(ListSlot::Effort) => {
                    words.extend_from_slice(filling.effort_words)
                }
                ArgumentPiece::Words(ListSlot::Extra) => {
                    words.extend_from_slice(filling.extra_words)
                }
            }
        }
        words
    }
}

impl TryFrom<Vec<String>> for ArgumentTemplate {
    type Error = TemplateError;

    fn try_from(words: Vec<String>) -> Result<Self, TemplateError> {
        words.into_iter().map(parse_piece).collect::<Result<_, _>>().map(Self)
    }
}

fn parse_piece(word: String) -> Result<ArgumentPiece, TemplateError> {
    let splice = match word.as_str() {
        "{policy...}" => Some(ListSlot::Policy),
        "{model...}" => Some(ListSlot::Model),
        "{effort...}" => Some(ListSlot::Effort),
        "{extra...}" => Some(ListSlot::Extra),
        _ => None,
    };
    if let Some(splice) = splice {
        return Ok(ArgumentPiece::Words(splice));
    }
    let Some((before, rest)) = word.split_once('{') else {
        return if word.contains('}') {
            Err(TemplateError(word))
        } else {
            Ok(ArgumentPiece::Literal(word))
        };
    };
    let known = rest.split_once('}').and_then(|(name, after)| {
        let slot = match name {
            "prompt" => ValueSlot::Prompt,
            "prompt_file" => ValueSlot::PromptFile,
            "session" => ValueSlot::Session,
            "model" => ValueSlot::Model,
            "effort" => ValueSlot::Effort,
            _ => return None,
        };
        let plain = !before.contains('}') && !after.contains(['{', '}']);
        plain.then(|| ArgumentPiece::Value {
            before: before.to_owned(),
            slot,
            after: after.to_owned(),
        })
    });
    known.ok_or(TemplateError(word))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn template(words: &[&str]) -> Result<ArgumentTemplate, TemplateError> {
        words.iter().map(ToString::to_string).collect::<Vec<_>>().try_into()
    }

    #[test]
    fn e_1_unknown_placeholders_are_refused() {
        for word in
            ["{promt}", "{prompt", "prompt}", "{prompt}{model}", "a{policy...}", "{}", "{{prompt}}"]
        {
            assert_eq!(template(&[word]), Err(TemplateError(word.into())), "{word}");
        }
    }

    #[test]
    fn e_1_values_are_not_read_for_placeholders() {
        let template =
            template(&["run", "{policy...}", "--prompt={prompt}", "{extra...}"]).expect("is known");
        let policy = ["--safe".to_owned(), "on".to_owned()];
        let filling = TemplateValues {
            prompt: "{session} $HOME",
            policy_words: &policy,
            ..TemplateValues::default()
        };
        assert_eq!(template.fill(filling), ["run", "--safe", "on", "--prompt={session} $HOME"]);
    }
}
