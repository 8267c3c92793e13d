//! The data that prompts are built from (E-2). Text from outside is put between fences that it cannot close.

use forge_domain::CheckResult;
use forge_domain::task::{ExecutionPurpose, TaskKey, TaskSnapshot};
use forge_domain::workflow::{RoleName, TaskStanding};

/// A task and its context, as far as prompts use them.
#[derive(Debug, Clone)]
pub struct PromptMaterial<'a> {
    pub task: &'a TaskSnapshot,
    /// The role that receives the prompt.
    pub role: &'a RoleName,
    pub purpose: ExecutionPurpose,
    /// Results of the tasks that this one depends on.
    pub dependencies: Vec<DependencyResult>,
    pub subtasks: Vec<SubtaskSummary>,
    /// The parent, if this task is an ordered turn.
    pub parent: Option<&'a TaskSnapshot>,
    /// The check that failed last, if none has passed since.
    pub failing_step: Option<CheckResult>,
    /// The change to review, as a patch, truncated if too long.
    pub change: Option<String>,
}

/// Result of a dependency.
#[derive(Debug, Clone)]
pub struct DependencyResult {
    pub key: TaskKey,
    pub title: String,
    pub standing: TaskStanding,
    /// The last lines of its last execution.
    pub last_output: Option<String>,
}

/// One subtask, as listed in the prompt.
#[derive(Debug, Clone)]
pub struct SubtaskSummary {
    pub key: TaskKey,
    pub title: String,
    pub standing: TaskStanding,
    /// Whether it is an ordered turn in the parent's workspace.
    pub is_ordered_turn: bool,
}

type ReadValue = fn(&PromptMaterial<'_>) -> String;
type ReadSection = fn(&PromptMaterial<'_>) -> Option<String>;

/// The short inline values of templates.
pub(crate) const VALUES: [(&str, ReadValue); 4] = [
    ("key", |material| material.task.key().to_string()),
    ("title", |material| one_line(&material.task.title)),
    ("role", |material| one_line(material.role.as_str())),
    ("branch", |material| {
        material.task.workspace.as_ref().map(|at| one_line(&at.branch)).unwrap_or_default()
    }),
];

/// The sections of templates: parts with a heading, whose content is fenced; `None` if there is no content.
pub(crate) const SECTIONS: [(&str, ReadSection); 11] = [
    ("description", |material| material.describe_task()),
    ("plan", |material| material.plan()),
    ("subtasks", |material| material.list_subtasks()),
    ("dependency_results", |material| material.list_dependency_results()),
    ("handoff_notes", |material| material.list_handoff_notes()),
    ("messages", |material| material.list_messages()),
    ("failing_step", |material| material.describe_failing_step()),
    ("feedback", |material| material.feedback()),
    ("review_prompt", |material| material.review_prompt()),
    ("change", |material| material.describe_change()),
    ("verdict", |_| {
        with_heading(
            "Your answer",
            "End it with one JSON object: {\"verdict\": \"pass\" | \"fail\" | \"blocked\", \"feedback\": \"…\"}. \
             `fail` with what to change, `blocked` if you could not judge. `forge verdict pass|fail|blocked \
             --feedback …` says the same and counts before it. Your verdict is about the commit you find; edits of \
             yours are taken back."
                .to_owned(),
        )
    }),
];

impl PromptMaterial<'_> {
    fn review_prompt(&self) -> Option<String> {
        let asked = self.task.review_config.review_prompt.as_deref()?;
        with_heading("What to look at", fenced(asked)?)
    }

    fn describe_change(&self) -> Option<String> {
        let base = &self.task.workspace.as_ref().filter(|at| !at.is_plain())?.base;
        let way = format!("`git diff {base} HEAD` shows it.");
        let patch = self.change.as_deref().and_then(fenced);
        let all: Vec<_> = std::iter::once(way).chain(patch).collect();
        with_heading("The change", all.join("\n\n"))
    }

    fn describe_task(&self) -> Option<String> {
        let own =
            fenced(&self.task.description).and_then(|text| with_heading("What is asked for", text));
        let both: Vec<_> = own.into_iter().chain(self.describe_parent()).collect();
        (!both.is_empty()).then(|| both.join("\n\n"))
    }

    /// Describes the parent of an ordered turn, so that the agent stops where the next turn begins.
    fn describe_parent(&self) -> Option<String> {
        let host = self.parent?;
        let mut text = format!(
            "This is one turn of {} {}, in the same worktree as those before it. Do this turn only: its changes \
             become one commit, and others follow.",
            host.key(),
            one_line(&host.title)
        );
        if let Some(words) = fenced(&host.description) {
            text.push_str("\n\n");
            text.push_str(&words);
        }
        with_heading("What it is part of", text)
    }

    /// What a planner's answer is for; for other roles the plan itself.
    fn plan(&self) -> Option<String> {
        if self.role.is_planner() {
            let text = "Your last answer is the plan: the prompts of the work that follows contain it. You may also create \
                        subtasks and direct their agents; `forge skill` lists the commands.";
            return with_heading("Your answer", text.to_owned());
        }
        with_heading("The plan", fenced(self.task.plan.as_deref()?)?)
    }

    fn list_subtasks(&self) -> Option<String> {
        let lines = self.subtasks.iter().map(|part| {
            let follows = match (part.is_ordered_turn, part.standing) {
                (true, TaskStanding::Open) => ", follows as a turn of its own; leave it",
                _ => "",
            };
            format!(
                "- {} ({}{follows}): {}",
                part.key,
                describe_standing(part.standing),
                one_line(&part.title)
            )
        });
        with_heading("Parts of this task", fenced(&lines.collect::<Vec<_>>().join("\n"))?)
    }

    fn list_dependency_results(&self) -> Option<String> {
        let one = |other: &DependencyResult| {
            let head = format!(
                "### {} {}\n\nIt {}.",
                other.key,
                one_line(&other.title),
                describe_standing(other.standing)
            );
            match other.last_output.as_deref().and_then(fenced) {
                Some(words) => format!("{head} Its last words:\n\n{words}"),
                None => head,
            }
        };
        let all: Vec<_> = self.dependencies.iter().map(one).collect();
        if all.is_empty() { None } else { with_heading("What came before", all.join("\n\n")) }
    }

    fn list_handoff_notes(&self) -> Option<String> {
        let notes: Vec<_> = self
            .task
            .handoffs
            .iter()
            .enumerate()
            .filter_map(|(n, note)| {
                Some(format!("### Note {}\n\n{}", n + 1, fenced(&note.message)?))
            })
            .collect();
        if notes.is_empty() {
            return None;
        }
        let lead = "Other agents worked here before you; their work is in this directory.";
        with_heading("Handoff notes", format!("{lead}\n\n{}", notes.join("\n\n")))
    }

    /// Messages that users sent during the last execution of the role and that it did not receive (T-22).
    fn list_messages(&self) -> Option<String> {
        let run = self.task.run.as_ref().filter(|run| run.role == *self.role);
        let now = run.into_iter().flat_map(|run| run.messages.iter());
        let later =
            self.task.steers.iter().filter(|steer| run.is_none() && steer.role == *self.role);
        let all: Vec<_> = now
            .chain(later.map(|steer| &steer.message))
            .filter_map(|message| fenced(message))
            .collect();
        if all.is_empty() { None } else { with_heading("Messages to you", all.join("\n\n")) }
    }

    fn describe_failing_step(&self) -> Option<String> {
        let step = self.failing_step.as_ref()?;
        let how = match step.exit_code {
            Some(code) => format!("It exited with code {code}."),
            None => "It did not end by itself.".to_owned(),
        };
        let output = fenced(&step.output_tail).unwrap_or_else(|| "It printed nothing.".to_owned());
        with_heading(
            "What was wrong: a check failed",
            format!("{}\n\n{how}\n\n{output}", fenced(&step.command)?),
        )
    }

    /// The last feedback on the work, unless it repeats the failing check.
    fn feedback(&self) -> Option<String> {
        let feedback = self.task.feedback.as_deref()?;
        let told = self
            .failing_step
            .as_ref()
            .is_some_and(|step| feedback.starts_with(&format!("`{}` ", step.command)));
        if told {
            None
        } else {
            with_heading("What was wrong with the last attempt", fenced(feedback)?)
        }
    }
}

fn with_heading(heading: &str, content: String) -> Option<String> {
    Some(format!("## {heading}\n\n{content}"))
}

fn describe_standing(standing: TaskStanding) -> &'static str {
    match standing {
        TaskStanding::Open => "is open",
        TaskStanding::Submitted => "is handed in",
        TaskStanding::Succeeded => "has landed",
        TaskStanding::Ended => "was given up",
    }
}

/// The text between fences that are longer than any in it; `None` if it is empty.
fn fenced(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return None;
    }
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    Some(format!("{fence}text\n{}\n{fence}", text.trim_end()))
}

/// The text on one line.
fn one_line(text: &str) -> String {
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.chars().map(|letter| if breaks(letter) { ' ' } else { letter }).collect()
}
