//! `forge task diff`

use clap::{Args, ValueEnum};
use forge_api::DiffScope;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;

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
        let patch = client.fetch_patch(task, scope).await?;
        context.output.raw(&painted(context, &patch))
    }
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
