//! Command lines with places to fill in.

use serde::Deserialize;

/// What one word of a command line becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// The word itself.
    Literal(String),
    /// A word with a value inside.
    Value { before: String, slot: Slot, after: String },
    /// Any number of words.
    Words(Splice),
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Prompt,
    PromptFile,
    Session,
    Model,
}

/// A list of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Splice {
    Policy,
    Model,
    Extra,
}

/// The arguments of a program, with places to fill in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(crate) struct Template(Vec<Piece>);

/// A command line that cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the word {0:?} has a placeholder that is not known: {{prompt}}, {{prompt_file}}, {{session}}, {{model}} stand \
     inside a word, {{policy...}}, {{model...}}, {{extra...}} are whole words"
)]
pub struct TemplateError(String);

/// What the places are filled with.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Filling<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) prompt_file: &'a str,
    pub(crate) session: &'a str,
    pub(crate) model: &'a str,
    pub(crate) policy_words: &'a [String],
    pub(crate) model_words: &'a [String],
    pub(crate) extra_words: &'a [String],
}

impl Template {
    pub(crate) fn has(&self, wanted: Slot) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Value { slot, .. } if *slot == wanted))
    }

    pub(crate) fn splices(&self, wanted: Splice) -> bool {
        self.0.contains(&Piece::Words(wanted))
    }

    /// The words. Values are put in once and never read for placeholders again.
    pub(crate) fn fill(&self, filling: Filling<'_>) -> Vec<String> {
        let mut words = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Literal(word) => words.push(word.clone()),
                Piece::Value { before, slot, after } => {
                    let value = match slot {
                        Slot::Prompt => filling.prompt,
                        Slot::PromptFile => filling.prompt_file,
                        Slot::Session => filling.session,
                        Slot::Model => filling.model,
                    };
                    words.push(format!("{before}{value}{after}"));
                }
                Piece::Words(Splice::Policy) => words.extend_from_slice(filling.policy_words),
                Piece::Words(Splice::Model) => words.extend_from_slice(filling.model_words),
                Piece::Words(Splice::Extra) => words.extend_from_slice(filling.extra_words),
            }
        }
        words
    }
}

impl TryFrom<Vec<String>> for Template {
    type Error = TemplateError;

    fn try_from(words: Vec<String>) -> Result<Self, TemplateError> {
        words.into_iter().map(piece).collect::<Result<_, _>>().map(Self)
    }
}

fn piece(word: String) -> Result<Piece, TemplateError> {
    let splice = match word.as_str() {
        "{policy...}" => Some(Splice::Policy),
        "{model...}" => Some(Splice::Model),
        "{extra...}" => Some(Splice::Extra),
        _ => None,
    };
    if let Some(splice) = splice {
        return Ok(Piece::Words(splice));
    }
    let Some((before, rest)) = word.split_once('{') else {
        return if word.contains('}') {
            Err(TemplateError(word))
        } else {
            Ok(Piece::Literal(word))
        };
    };
    let known = rest.split_once('}').and_then(|(name, after)| {
        let slot = match name {
            "prompt" => Slot::Prompt,
            "prompt_file" => Slot::PromptFile,
            "session" => Slot::Session,
            "model" => Slot::Model,
            _ => return None,
        };
        let plain = !before.contains('}') && !after.contains(['{', '}']);
        plain.then(|| Piece::Value { before: before.to_owned(), slot, after: after.to_owned() })
    });
    known.ok_or(TemplateError(word))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn template(words: &[&str]) -> Result<Template, TemplateError> {
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
        let filling =
            Filling { prompt: "{session} $HOME", policy_words: &policy, ..Filling::default() };
        assert_eq!(template.fill(filling), ["run", "--safe", "on", "--prompt={session} $HOME"]);
    }
}
