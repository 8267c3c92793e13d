//! What there is to say to an agent about a task (E-2). Whatever others wrote stands between fences that it cannot close.

use crate::prompt_template::{Section, Value};
use forge_domain::CheckResult;
use forge_domain::task::{Purpose, Snapshot, TaskKey};
use forge_domain::workflow::{RoleName, Standing};

/// A task and its surroundings, as far as prompts speak of them.
#[derive(Debug, Clone)]
pub struct PromptMaterial<'a> {
    /// The task.
    pub task: &'a Snapshot,
    /// Who is told.
    pub role: &'a RoleName,
    /// What for.
    pub purpose: Purpose,
    /// What the tasks it waited for came to.
    pub dependencies: Vec<DependencyResult>,
    /// Its parts.
    pub subtasks: Vec<Subtask>,
    /// The task that this one is a turn of.
    pub host: Option<&'a Snapshot>,
    /// The check that failed last, if nothing has passed since.
    pub failing_step: Option<CheckResult>,
    /// The change that is to be judged, as a patch, or as much of it as fits.
    pub change: Option<String>,
}

/// What a task that came first came to.
#[derive(Debug, Clone)]
pub struct DependencyResult {
    /// The task.
    pub key: TaskKey,
    /// Its title.
    pub title: String,
    /// How far it has come.
    pub standing: Standing,
    /// The last lines of its last run.
    pub last_words: Option<String>,
}

/// A part of a task.
#[derive(Debug, Clone)]
pub struct Subtask {
    /// The part.
    pub key: TaskKey,
    /// Its title.
    pub title: String,
    /// How far it has come.
    pub standing: Standing,
    /// Whether it is taken as a turn of its own, in the same place.
    pub turn: bool,
}

impl PromptMaterial<'_> {
    pub(crate) fn value(&self, value: Value) -> String {
        match value {
            Value::Key => self.task.key().to_string(),
            Value::Title => one_line(&self.task.title),
            Value::Role => one_line(self.role.as_str()),
            Value::Branch => {
                self.task.workspace.as_ref().map(|at| one_line(&at.branch)).unwrap_or_default()
            }
        }
    }

    /// A section with its heading; none if there is nothing to say.
    pub(crate) fn section(&self, section: Section) -> Option<String> {
        match section {
            Section::Description => self.described(),
            Section::Subtasks => self.parts(),
            Section::DependencyResults => self.results(),
            Section::HandoffNotes => self.notes(),
            Section::Messages => self.messages(),
            Section::FailingStep => self.failing(),
            Section::Feedback => self.feedback(),
            Section::ReviewPrompt => {
                let asked = self.task.review_config.review_prompt.as_deref()?;
                under("What to look at", said(asked)?)
            }
            Section::Change => {
                let base = &self.task.workspace.as_ref().filter(|at| !at.is_plain())?.base;
                let way = format!("`git diff {base} HEAD` shows it.");
                let patch = self.change.as_deref().and_then(said);
                let all: Vec<_> = std::iter::once(way).chain(patch).collect();
                under("The change", all.join("\n\n"))
            }
            Section::Verdict => under(
                "Your answer",
                "End it with one JSON object: {\"verdict\": \"pass\" | \"fail\" | \"blocked\", \"feedback\": \"…\"}. \
                 `fail` with what to change, `blocked` if you could not judge. `forge verdict pass|fail|blocked \
                 --feedback …` says the same and counts before it. Your verdict is about the commit you find; edits of \
                 yours are taken back."
                    .to_owned(),
            ),
        }
    }

    fn described(&self) -> Option<String> {
        let own = said(&self.task.description).and_then(|text| under("What is asked for", text));
        let both: Vec<_> = own.into_iter().chain(self.hosted()).collect();
        (!both.is_empty()).then(|| both.join("\n\n"))
    }

    /// What a turn is a part of, so that it fits, and stops where the next one begins.
    fn hosted(&self) -> Option<String> {
        let host = self.host?;
        let mut text = format!(
            "This is one turn of {} {}, in the same worktree as those before it. Do this turn only: its changes \
             become one commit, and others follow.",
            host.key(),
            one_line(&host.title)
        );
        if let Some(words) = said(&host.description) {
            text.push_str("\n\n");
            text.push_str(&words);
        }
        under("What it is part of", text)
    }

    fn parts(&self) -> Option<String> {
        let lines = self.subtasks.iter().map(|part| {
            let follows = match (part.turn, part.standing) {
                (true, Standing::Open) => ", follows as a turn of its own; leave it",
                _ => "",
            };
            format!("- {} ({}{follows}): {}", part.key, far(part.standing), one_line(&part.title))
        });
        under("Parts of this task", said(&lines.collect::<Vec<_>>().join("\n"))?)
    }

    fn results(&self) -> Option<String> {
        let one = |other: &DependencyResult| {
            let head = format!(
                "### {} {}\n\nIt {}.",
                other.key,
                one_line(&other.title),
                far(other.standing)
            );
            match other.last_words.as_deref().and_then(said) {
                Some(words) => format!("{head} Its last words:\n\n{words}"),
                None => head,
            }
        };
        let all: Vec<_> = self.dependencies.iter().map(one).collect();
        if all.is_empty() { None } else { under("What came before", all.join("\n\n")) }
    }

    fn notes(&self) -> Option<String> {
        let notes: Vec<_> = self
            .task
            .handoffs
            .iter()
            .enumerate()
            .filter_map(|(n, note)| Some(format!("### Note {}\n\n{}", n + 1, said(&note.message)?)))
            .collect();
        if notes.is_empty() {
            return None;
        }
        let lead = "Others worked here before you and let go; their work is in this directory.";
        under("Handoff notes", format!("{lead}\n\n{}", notes.join("\n\n")))
    }

    /// What people said while the last run of the role was under way, and it did not hear (T-22).
    fn messages(&self) -> Option<String> {
        let run = self.task.run.as_ref().filter(|run| run.role == *self.role);
        let now = run.into_iter().flat_map(|run| run.messages.iter());
        let later =
            self.task.steers.iter().filter(|steer| run.is_none() && steer.role == *self.role);
        let all: Vec<_> = now
            .chain(later.map(|steer| &steer.message))
            .filter_map(|message| said(message))
            .collect();
        if all.is_empty() { None } else { under("Messages to you", all.join("\n\n")) }
    }

    fn failing(&self) -> Option<String> {
        let step = self.failing_step.as_ref()?;
        let how = match step.exit_code {
            Some(code) => format!("It exited with code {code}."),
            None => "It did not end by itself.".to_owned(),
        };
        let output = said(&step.output_tail).unwrap_or_else(|| "It printed nothing.".to_owned());
        under(
            "What was wrong: a check failed",
            format!("{}\n\n{how}\n\n{output}", said(&step.command)?),
        )
    }

    /// The last word against the work, unless it is the failing check once more.
    fn feedback(&self) -> Option<String> {
        let feedback = self.task.feedback.as_deref()?;
        let told = self
            .failing_step
            .as_ref()
            .is_some_and(|step| feedback.starts_with(&format!("`{}` ", step.command)));
        if told { None } else { under("What was wrong with the last attempt", said(feedback)?) }
    }
}

fn under(heading: &str, content: String) -> Option<String> {
    Some(format!("## {heading}\n\n{content}"))
}

fn far(standing: Standing) -> &'static str {
    match standing {
        Standing::Open => "is open",
        Standing::Submitted => "is handed in",
        Standing::Succeeded => "has landed",
        Standing::Ended => "was given up",
    }
}

/// A text between fences that are longer than any in it; none if it says nothing.
fn said(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return None;
    }
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    Some(format!("{fence}text\n{}\n{fence}", text.trim_end()))
}

/// A text on one line, whatever is in it.
fn one_line(text: &str) -> String {
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.chars().map(|letter| if breaks(letter) { ' ' } else { letter }).collect()
}
