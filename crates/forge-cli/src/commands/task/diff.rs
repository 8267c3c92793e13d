//! The command `forge task diff`.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use forge_api::{DiffChange, DiffFile, DiffScope};

use crate::cli_error::CliError;
use crate::commands::task::own_task::OwnTaskTarget;
use crate::context::CliContext;
use crate::terminal::pager::print_long_text;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, visible_line};
use crate::terminal::wire_words::wire_name;

/// Selects the changes to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TaskDiffScope {
    /// Last commit → working tree
    Uncommitted,
    /// Merge base → last commit
    Branch,
    /// Merge base → working tree, untracked files included
    All,
}

/// Show what a task changed, as a patch for `git apply`
#[derive(Debug, Args)]
pub(crate) struct TaskDiffArgs {
    #[command(flatten)]
    target: OwnTaskTarget,
    /// Which changes to show
    #[arg(long, default_value = "all")]
    scope: TaskDiffScope,
    /// Only the names of the files, and the number of changed lines
    #[arg(long)]
    stat: bool,
}

impl TaskDiffArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let scope = match self.scope {
            TaskDiffScope::Uncommitted => DiffScope::Uncommitted,
            TaskDiffScope::Branch => DiffScope::Branch,
            TaskDiffScope::All => DiffScope::All,
        };
        let task = self.target.fetch_id(&client).await?;
        if context.output.is_json() {
            let diff = client.workspaces().fetch_diff(task, scope).await?;
            return context.output.print_result(&diff, String::new);
        }
        if self.stat {
            let diff = client.workspaces().fetch_diff(task, scope).await?;
            return context.output.print_text(&summarise_diff(context, &diff));
        }
        let patch = client.workspaces().fetch_patch(task, scope).await?;
        print_long_text(context, &show_patch(context, &patch))
    }
}

/// The changed files, one per line, and their totals.
fn summarise_diff(context: &CliContext, diff: &forge_api::DiffView) -> String {
    let mut text = String::new();
    let (mut added, mut removed) = (0, 0);
    for file in &diff.files {
        added += file.additions.unwrap_or_default();
        removed += file.deletions.unwrap_or_default();
        text.push_str(&format!("{}\n", stat(context, file)));
    }
    let count = diff.files.len();
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    text.push_str(&format!("{files} changed, {added} added, {removed} removed"));
    if diff.truncated {
        text.push_str("\nThere are more changes than listed here.");
    }
    if !diff.deletes_landed.is_empty() {
        let files: Vec<String> = diff.deletes_landed.iter().map(|path| one_line(path)).collect();
        text.push_str(&format!(
            "\nIt deletes files that landed in the meantime, so it will not land: {}",
            files.join(", ")
        ));
    }
    text
}

fn stat(context: &CliContext, file: &DiffFile) -> String {
    let name = match &file.old_path {
        Some(old) => format!("{} → {}", one_line(old), one_line(&file.path)),
        None => one_line(&file.path),
    };
    let counts = match (file.additions, file.deletions) {
        (Some(added), Some(removed)) => format!(
            "{} {}",
            context.output.styled(TextStyle::Success, &format!("+{added}")),
            context.output.styled(TextStyle::Error, &format!("-{removed}"))
        ),
        _ => context.output.styled(TextStyle::Dim, "not text"),
    };
    let change = match file.change {
        DiffChange::Modified => String::new(),
        ref other => format!(" ({})", wire_name(other)),
    };
    format!("{name}{change}  {counts}")
}

/// A patch for the terminal: without its control characters, and with colours where enabled. For a program it is
/// unchanged, because a patch must keep its bytes.
pub(crate) fn show_patch(context: &CliContext, patch: &str) -> String {
    if !std::io::stdout().is_terminal() && !context.output.has_colors() {
        return patch.to_owned();
    }
    patch.split_inclusive('\n').map(|line| color_patch_line(context, line)).collect()
}

fn color_patch_line(context: &CliContext, line: &str) -> String {
    let ink = match line.as_bytes().first() {
        _ if line.starts_with("+++") || line.starts_with("---") => TextStyle::Bold,
        Some(b'+') => TextStyle::Success,
        Some(b'-') => TextStyle::Error,
        Some(b'@') => TextStyle::Warning,
        Some(b'd') => TextStyle::Bold,
        _ => TextStyle::Plain,
    };
    match line.strip_suffix('\n') {
        Some(text) => format!("{}\n", context.output.styled(ink, &visible_line(text))),
        None => context.output.styled(ink, &visible_line(line)),
    }
}
