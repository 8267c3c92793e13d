//! The command `forge skill`.

use clap::Args;

use crate::cli_error::CliError;
use crate::context::CliContext;

const HEAD: &str = include_str!("skill_head.md");
const BODY: &str = include_str!("skill_body.md");

/// Print a SKILL.md that teaches agents the commands they use inside an execution
///
/// Store it where an agent program reads skills, outside the repositories: `forge skill >
/// ~/.claude/skills/forge/SKILL.md`. Forge itself writes no such file; the prompt of each execution names the commands.
#[derive(Debug, Args)]
pub(crate) struct SkillArgs {
    /// Print a section for an AGENTS.md instead
    #[arg(long)]
    agents_md: bool,
}

impl SkillArgs {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        let head = if self.agents_md { "" } else { HEAD };
        context.output.print_raw(&format!("{head}{BODY}"))
    }
}
