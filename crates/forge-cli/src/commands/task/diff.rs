//! `forge task diff`

use clap::{Args, ValueEnum};
use forge_api::{DiffChange, DiffFile, DiffScope};

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::one_line;
use crate::words::word;

/// Which changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// Last commit → working tree
    Uncommitted,
    /// Merge base → last commit
    Branch,
    /// Merge base → working tree, untracked files included
    All,
}

/// Show what a task changed, as text that `git apply` reads
#[derive(Debug, Args)]
pub(crate) struct Diff {
    #[command(flatten)]
    target: Target,
    /// Which changes
    #[arg(long, default_value = "all")]
    scope: Scope,
    /// Only the names of the files, and how many lines changed
    #[arg(long)]
    stat: bool,
}

impl Diff {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let scope = match self.scope {
            Scope::Uncommitted => DiffScope::Uncommitted,
            Scope::Branch => DiffScope::Branch,
            Scope::All => DiffScope::All,
        };
        let task = self.target.fetch_id(&client).await?;
        if context.output.is_json() {
            let diff = client.fetch_diff(task, scope).await?;
            return context.output.result(&diff, String::new);
        }
        if self.stat {
            let diff = client.fetch_diff(task, scope).await?;
            return context.output.text(&summed(context, &diff));
        }
        let patch = client.fetch_patch(task, scope).await?;
        context.output.raw(&painted(context, &patch))
    }
}

/// The changed files, a line each, and their sum.
fn summed(context: &Context, diff: &forge_api::Diff) -> String {
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
        text.push_str("\nMore changed than is listed or shown.");
    }
    text
}

fn stat(context: &Context, file: &DiffFile) -> String {
    let name = match &file.old_path {
        Some(old) => format!("{} → {}", one_line(old), one_line(&file.path)),
        None => one_line(&file.path),
    };
    let counts = match (file.additions, file.deletions) {
        (Some(added), Some(removed)) => format!(
            "{} {}",
            context.output.ink(Ink::Good, &format!("+{added}")),
            context.output.ink(Ink::Bad, &format!("-{removed}"))
        ),
        _ => context.output.ink(Ink::Faint, "not text"),
    };
    let change = match file.change {
        DiffChange::Modified => String::new(),
        ref other => format!(" ({})", word(other)),
    };
    format!("{name}{change}  {counts}")
}

/// A patch in colours where they are wanted. As it is otherwise: a patch must keep its bytes.
pub(crate) fn painted(context: &Context, patch: &str) -> String {
    patch.split_inclusive('\n').map(|line| painted_line(context, line)).collect()
}

fn painted_line(context: &Context, line: &str) -> String {
    let ink = match line.as_bytes().first() {
        _ if line.starts_with("+++") || line.starts_with("---") => Ink::Strong,
        Some(b'+') => Ink::Good,
        Some(b'-') => Ink::Bad,
        Some(b'@') => Ink::Doubtful,
        Some(b'd') => Ink::Strong,
        _ => Ink::Plain,
    };
    match line.strip_suffix('\n') {
        Some(text) => format!("{}\n", context.output.ink(ink, text)),
        None => context.output.ink(ink, line),
    }
}
