//! `forge journal`

use clap::{Args, Subcommand, ValueEnum};
use forge_api::{ForkEntry, JournalAgainst, JournalEntry, JournalReason, PageQuery, RestoreEntry};
use forge_client::collect;
use uuid::Uuid;

use super::task::painted;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::paint::Ink;
use crate::table::{Table, one_line};
use crate::task_ref::TaskRef;
use crate::words::{more, time};

/// Saved states of a task's workspace: look at them, bring one back, or begin another task with one
#[derive(Debug, Args)]
pub(crate) struct Journal {
    /// The task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the saved states, newest first (this is also what happens without an action)
    List,
    /// Show what a saved state changed, as text that `git apply` reads
    Diff {
        /// The entry's number
        number: u64,
        /// Compared with what
        #[arg(long, default_value = "previous")]
        against: Against,
    },
    /// Make the workspace's files those of a saved state; what is there now is saved first
    Restore {
        /// The entry's number
        number: u64,
        /// Also move the task's branch to the commit that the entry was on
        #[arg(long)]
        move_branch: bool,
    },
    /// Create a task whose workspace begins with the files of a saved state
    Fork {
        /// The entry's number
        number: u64,
        /// The new task's title; otherwise made from the old one
        #[arg(long, short)]
        title: Option<String>,
    },
}

/// What an entry is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Against {
    /// The entry before
    Previous,
    /// Where the task left its target
    Base,
    /// The files as they are now
    Files,
}

impl Journal {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        match self.action.unwrap_or(Action::List) {
            Action::List => list(context, task).await,
            Action::Diff { number, against } => diff(context, task, number, against).await,
            Action::Restore { number, move_branch } => {
                let request = RestoreEntry { move_branch };
                let done = client.restore_entry(task, number, &request).await?;
                context.output.result(&done, || {
                    let before = done.saved.as_ref().map_or_else(String::new, |saved| {
                        format!("; what was there before is entry {}", saved.number)
                    });
                    format!("Restored entry {number}{before}")
                })
            }
            Action::Fork { number, title } => {
                let made = client.fork_entry(task, number, &ForkEntry { title }).await?;
                context.output.result(&made, || {
                    format!("{}  {}  {}", made.key, one_line(&made.status), one_line(&made.title))
                })
            }
        }
    }
}

async fn list(context: &Context, task: Uuid) -> Result<(), Failure> {
    let client = context.client()?;
    let list = async |page: PageQuery| client.fetch_journal(task, &page).await;
    let page = collect(1000, list).await?;
    let mut table = Table::new(&["entry", "at", "why", "on", "commit", "remarks"]).flexible(5);
    for entry in &page.items {
        table.row([
            (Ink::Strong, &entry.number.to_string()),
            (Ink::Faint, &time(&entry.at)),
            (Ink::Plain, why(entry.reason)),
            (Ink::Plain, entry.branch.as_deref().unwrap_or("no branch")),
            (Ink::Faint, short(entry.head.as_deref().unwrap_or("none"))),
            (Ink::Doubtful, &remarks(entry)),
        ]);
    }
    context.output.table(&page, &table)?;
    if let Some(text) = more(&page) {
        context.output.note(text);
    }
    Ok(())
}

async fn diff(context: &Context, task: Uuid, number: u64, against: Against) -> Result<(), Failure> {
    let client = context.client()?;
    let against = match against {
        Against::Previous => JournalAgainst::Previous,
        Against::Base => JournalAgainst::Base,
        Against::Files => JournalAgainst::Files,
    };
    if context.output.is_json() {
        let diff = client.fetch_journal_diff(task, number, against).await?;
        return context.output.result(&diff, String::new);
    }
    let patch = client.fetch_journal_patch(task, number, against).await?;
    context.output.raw(&painted(context, &patch))
}

fn why(reason: JournalReason) -> &'static str {
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
