//! Command lines that act on a task.

use crate::TaskActionKind;
use crate::task::{TaskKey, TaskSnapshot};

/// Formats command lines about one task.
#[derive(Debug, Clone, Copy)]
pub struct TaskCommandLines<'a> {
    key: TaskKey,
    project: Option<&'a str>,
}

impl<'a> TaskCommandLines<'a> {
    /// Command lines for a place where the project is known, such as its repository.
    pub fn new(task: &TaskSnapshot) -> Self {
        Self { key: task.key(), project: None }
    }

    /// Same, with the project named, for use anywhere.
    #[must_use]
    pub fn in_project(self, slug: &'a str) -> Self {
        Self { project: Some(slug), ..self }
    }

    /// `forge WORDS T-12 REST`.
    pub(crate) fn about(&self, words: &str, rest: &str) -> String {
        let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
        let project = self.project.map(|slug| format!(" -p {}", quoted(slug))).unwrap_or_default();
        format!("forge {words} {}{rest}{project}", self.key)
    }

    /// `forge WORDS`, followed by the project if it is set: as an option, or as the last argument.
    pub(crate) fn about_project(&self, words: &str, by_option: bool) -> String {
        let option = if by_option { "-p " } else { "" };
        let project = self.project.map(|slug| format!(" {option}{}", quoted(slug)));
        format!("forge {words}{}", project.unwrap_or_default())
    }

    /// The command line of an action; `None` if there is none. The user replaces words in capitals.
    pub fn of_action(&self, action: &TaskActionKind) -> Option<String> {
        let task = |verb: &str, rest: &str| self.about(&format!("task {verb}"), rest);
        Some(match action {
            TaskActionKind::Claim => task("claim", "--agent NAME"),
            TaskActionKind::Move { to } => task("move", &quoted(to.as_str())),
            TaskActionKind::Cancel => task("cancel", ""),
            TaskActionKind::Assign { role } => {
                task("assign", &format!("{} --agent NAME", quoted(role.as_str())))
            }
            TaskActionKind::HandOff => task("handoff", "--message TEXT"),
            TaskActionKind::Steer { .. } => task("steer", "TEXT"),
            TaskActionKind::Ask => self.about("ask TEXT --task", ""),
            TaskActionKind::Answer { question } => {
                task("answer", &format!("TEXT --question {question}"))
            }
            TaskActionKind::StopRun { .. } => task("stop", ""),
            TaskActionKind::Restart { .. } => task("restart", ""),
            TaskActionKind::MarkFailed { .. } => task("mark-failed", ""),
            TaskActionKind::Approve { overrides: true, .. } => task("approve", "--reason TEXT"),
            TaskActionKind::Approve { .. } => task("approve", ""),
            TaskActionKind::Reject { .. } => task("reject", "--reason TEXT"),
            TaskActionKind::Rebase => task("rebase", ""),
            TaskActionKind::AcceptLanded => task("accept-landed", ""),
            TaskActionKind::Revert => task("revert", ""),
            TaskActionKind::Regress => task("regressed", "--reason TEXT"),
            TaskActionKind::ResetWorkspace => self.about("workspace reset", ""),
            TaskActionKind::Comment => task("comment", "TEXT"),
            TaskActionKind::AddDependency => task("depend", "OTHER"),
            TaskActionKind::Archive => task("archive", ""),
            TaskActionKind::Unarchive => task("unarchive", ""),
            TaskActionKind::Edit => return None,
        })
    }
}

/// Quotes a word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
