//! The command `forge verdict`.

use clap::{Args, ValueEnum};
use forge_api::NewVerdict;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::terminal::text_source;
use crate::terminal::wire_words::wire_name;

/// Give the verdict of a review (for agents)
///
/// Run it inside the reviewer's execution: server, token and execution come from FORGE_URL, FORGE_TOKEN and
/// FORGE_EXECUTION_ID, which Forge sets there. You can repeat it; the last verdict before the execution ends counts.
/// Users run `forge task approve` or `forge task reject` instead.
#[derive(Debug, Args)]
pub(crate) struct VerdictArgs {
    /// Verdict: `blocked` if you could not review the work
    verdict: VerdictChoice,
    /// What to change, or what blocked the review (required unless it passes): text, @FILE, or - for standard input
    #[arg(long, short)]
    feedback: Option<String>,
    /// Execution of the reviewer
    #[arg(long, env = "FORGE_EXECUTION_ID", value_name = "ID", hide_env_values = true)]
    execution: Uuid,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum VerdictChoice {
    Pass,
    Fail,
    Blocked,
}

impl VerdictArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let verdict = match self.verdict {
            VerdictChoice::Pass => forge_api::ReviewVerdict::Pass,
            VerdictChoice::Fail => forge_api::ReviewVerdict::Fail,
            VerdictChoice::Blocked => forge_api::ReviewVerdict::Blocked,
        };
        if self.feedback.is_none() && !matches!(self.verdict, VerdictChoice::Pass) {
            return Err(CliError::usage(
                "give the reason with --feedback: the coder sees nothing else",
            ));
        }
        let feedback = self.feedback.as_deref().map(text_source::read_text).transpose()?;
        let client = context.client()?;
        let given = NewVerdict { verdict, feedback };
        let review = client.reviews().give_verdict(self.execution, &given).await?;
        let attempt = review.attempt_number;
        context
            .output
            .print_result(&review, || format!("attempt {attempt}: {}", wire_name(&verdict)))?;
        context.output.print_note("It takes effect when your execution ends.");
        Ok(())
    }
}
