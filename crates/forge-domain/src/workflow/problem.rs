//! Problems of a workflow definition, with their location (F-5).

use serde::{Deserialize, Serialize};
use std::fmt;

/// One problem and its location in the definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionProblem {
    pub code: ProblemCode,
    /// The path in the definition, such as `state[3].pass`.
    pub place: String,
    /// The line in the file, if known.
    pub line: Option<usize>,
    /// What is wrong, and how to fix it.
    pub message: String,
}

/// Rules that a workflow can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The file is not a workflow definition.
    Unreadable,
    /// A name is empty, too long or contains invalid characters.
    BadName,
    /// Two states have the same name.
    DuplicateName,
    /// An edge leads to a state that does not exist.
    UnknownTarget,
    /// A state lacks an edge or a field that its kind requires.
    MissingField,
    /// A state has a field that its kind does not use.
    MisplacedField,
    /// There is no terminal state.
    NoTerminal,
    /// No path leads to this state.
    Unreachable,
    /// A terminal state has an outgoing edge.
    WayOutOfTerminal,
    /// The cancel state is not terminal.
    CancelNotTerminal,
    /// The fault state is not a hold.
    FaultNotHold,
    /// The initial state is not a queue.
    InitialNotQueue,
    /// No queue is claimable.
    NothingClaimable,
    /// A claim leads to no work state.
    ClaimWithoutWork,
    /// A cycle can repeat for ever without a person.
    UnboundedCycle,
    /// A number is out of range.
    BadNumber,
}

/// A definition that cannot be used, with all its problems.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidWorkflowError {
    /// Name of the workflow, as far as it could be read.
    pub name: String,
    /// All problems, in file order.
    pub problems: Vec<DefinitionProblem>,
}

impl fmt::Display for InvalidWorkflowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.problems.len();
        let noun = if count == 1 { "problem" } else { "problems" };
        write!(f, "workflow \"{}\" has {count} {noun}", self.name)?;
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl fmt::Display for DefinitionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, {}: {}", self.place, self.message),
            None => write!(f, "{}: {}", self.place, self.message),
        }
    }
}

impl InvalidWorkflowError {
    pub(crate) fn unreadable(text: &str, error: &toml::de::Error) -> Self {
        let line =
            error.span().map(|span| 1 + text.get(..span.start).unwrap_or("").matches('\n').count());
        let problem = DefinitionProblem {
            code: ProblemCode::Unreadable,
            place: "file".to_owned(),
            line,
            message: error.message().to_owned(),
        };
        Self { name: String::new(), problems: vec![problem] }
    }

    /// Adds the line of each problem, found in the file from which the definition was read.
    #[must_use]
    pub fn with_lines_of(mut self, text: &str) -> Self {
        for problem in &mut self.problems {
            problem.line = problem.line.or_else(|| line_of(text, &problem.place));
        }
        self.problems.sort_by_key(|problem| problem.line);
        self
    }
}

/// The line of a location such as `state[3].pass` in a TOML file: the line of the key, else of its table.
fn line_of(text: &str, place: &str) -> Option<usize> {
    let (table, key) = match place.strip_prefix("state[") {
        Some(rest) => {
            let (index, key) = rest.split_once(']')?;
            (Some(index.parse::<usize>().ok()?), key.trim_start_matches('.'))
        }
        None => (None, place),
    };
    let is_header =
        |line: &str| line.split('#').next().unwrap_or("").replace([' ', '\t'], "") == "[[state]]";
    let mut lines = text.lines().enumerate();
    let start = match table {
        Some(index) => lines.by_ref().filter(|(_, line)| is_header(line)).nth(index)?.0,
        None => 0,
    };
    let own = text.lines().enumerate().skip(start + usize::from(table.is_some()));
    own.take_while(|(_, line)| !line.trim_start().starts_with('['))
        .find(|(_, line)| {
            line.split('=').next().is_some_and(|found| !key.is_empty() && found.trim() == key)
        })
        .map(|(index, _)| index + 1)
        .or(table.map(|_| start + 1))
}
