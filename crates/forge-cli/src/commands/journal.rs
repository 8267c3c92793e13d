//! The command `forge journal`.

use clap::{Args, Subcommand, ValueEnum};
use forge_api::{ForkEntry, JournalAgainst, JournalEntry, JournalReason, PageQuery, RestoreEntry};
use forge_client::collect_pages;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::show_patch;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::truncation_note;

/// Saved states of a task's workspace: list, compare, restore
///
/// Another task can start from a saved state as well.
#[derive(Debug, Args)]
pub(crate) struct JournalArgs {
    /// Task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    #[command(subcommand)]
    action: Option<JournalAction>,
}

#[derive(Debug, Subcommand)]
enum JournalAction {
    /// List the saved states, newest first (default action)
    List,
    /// Show what a saved state changed, as a patch for `git apply`
    Diff {
        /// Number of the entry
        number: u64,
        /// What to compare the entry with
        #[arg(long, default_value = "previous")]
        against: JournalDiffBase,
    },
    /// Restore the workspace's files from a saved state; the current files are saved first
    Restore {
        /// Number of the entry
        number: u64,
        /// Also move the task's branch to the commit of the entry
        #[arg(long)]
        move_branch: bool,
    },
    /// Create a task whose workspace starts with the files of a saved state
    Fork {
        /// Number of the entry
        number: u64,
        /// Title of the new task; default: derived from the old one
        #[arg(long, short)]
        title: Option<String>,
    },
}

/// What an entry is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum JournalDiffBase {
    /// The previous entry
    Previous,
    /// The commit where the task's branch started
    Base,
    /// The current files of the workspace
    Files,
}

impl JournalArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        match self.action.unwrap_or(JournalAction::List) {
            JournalAction::List => list(context, task).await,
            JournalAction::Diff { number, against } => diff(context, task, number, against).await,
            JournalAction::Restore { number, move_branch } => {
                let request = RestoreEntry { move_branch };
                let done = client.journal().restore(task, number, &request).await?;
                context.output.print_result(&done, || {
                    let before = done.saved.as_ref().map_or_else(String::new, |saved| {
                        format!("; what was there before is entry {}", saved.number)
                    });
                    let conflicts = match done.conflicts.as_slice() {
                        [] => String::new(),
                        files => format!(
                            "\nBoth the entry and what landed since changed these files; resolve the conflict marks in them:\n  {}",
                            files.join("\n  ")
                        ),
                    };
                    format!("Restored entry {number}{before}{conflicts}")
                })
            }
            JournalAction::Fork { number, title } => {
                let made = client.journal().fork(task, number, &ForkEntry { title }).await?;
                context.output.print_result(&made, || {
                    format!("{}  {}  {}", made.key, one_line(&made.status), one_line(&made.title))
                })
            }
        }
    }
}

async fn list(context: &CliContext, task: Uuid) -> Result<(), CliError> {
    let client = context.client()?;
    let list = async |page: PageQuery| client.journal().fetch_page(task, &page).await;
    let page = collect_pages(1000, list).await?;
    let mut table = TextTable::new(&["entry", "at", "why", "on", "commit", "remarks"]).flexible(5);
    for entry in &page.items {
        table.row([
            (TextStyle::Bold, &entry.number.to_string()),
            (TextStyle::Dim, &context.now.ago(&entry.at)),
            (TextStyle::Plain, reason_label(entry.reason)),
            (TextStyle::Plain, entry.branch.as_deref().unwrap_or("no branch")),
            (TextStyle::Dim, short(entry.head.as_deref().unwrap_or("none"))),
            (TextStyle::Warning, &remarks(entry)),
        ]);
    }
    context.output.print_table(&page, &table)?;
    if let Some(text) = truncation_note(&page) {
        context.output.print_note(text);
    }
    Ok(())
}

async fn diff(
    context: &CliContext,
    task: Uuid,
    number: u64,
    against: JournalDiffBase,
) -> Result<(), CliError> {
    let client = context.client()?;
    let against = match against {
        JournalDiffBase::Previous => JournalAgainst::Previous,
        JournalDiffBase::Base => JournalAgainst::Base,
        JournalDiffBase::Files => JournalAgainst::Files,
    };
    if context.output.is_json() {
        let diff = client.journal().fetch_diff(task, number, against).await?;
        return context.output.print_result(&diff, String::new);
    }
    let patch = client.journal().fetch_patch(task, number, against).await?;
    context.output.print_raw(&show_patch(context, &patch))
}

fn reason_label(reason: JournalReason) -> &'static str {
    match reason {
        JournalReason::TurnEnd => "turn ended",
        JournalReason::Stop => "stopped",
        JournalReason::BeforeReset => "before a reset",
        JournalReason::BeforeRemoval => "before removal",
        JournalReason::BeforeRebase => "before rebase",
        JournalReason::Periodic => "while working",
        JournalReason::BeforeRestore => "before a restore",
        JournalReason::Corrupted => "workspace damaged",
    }
}

fn remarks(entry: &JournalEntry) -> String {
    let mut remarks = Vec::new();
    if !entry.has_files {
        remarks.push("the files were gone".to_owned());
    } else if entry.differs {
        remarks.push("uncommitted changes".to_owned());
    }
    if entry.has_files && !entry.skipped.is_empty() {
        remarks.push(format!("without {}", entry.skipped.join(", ")));
    }
    remarks.join("; ")
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
