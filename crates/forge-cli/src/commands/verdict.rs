//! `forge verdict`

use clap::{Args, ValueEnum};
use forge_api::NewVerdict;
use uuid::Uuid;

use crate::context::Context;
use crate::failure::Failure;
use crate::text_source;
use crate::words::word;

/// Say what you think of the work you were asked to review (for agents; people use `forge task approve|reject`)
///
/// Run it inside of the reviewer's run: the server, the token and the run come from FORGE_URL, FORGE_TOKEN and
/// FORGE_EXECUTION_ID, which Forge sets there. It can be said again; the last word before the run ends counts.
#[derive(Debug, Args)]
pub(crate) struct Verdict {
    /// What you think: `blocked` if you could not judge
    verdict: Word,
    /// What to change, or what stood in the way (needed unless it passes): text, @FILE, or - for standard input
    #[arg(long, short)]
    feedback: Option<String>,
    /// The run that judges
    #[arg(long, env = "FORGE_EXECUTION_ID", value_name = "ID", hide_env_values = true)]
    execution: Uuid,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Word {
    Pass,
    Fail,
    Blocked,
}

impl Verdict {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let verdict = match self.verdict {
            Word::Pass => forge_api::Verdict::Pass,
            Word::Fail => forge_api::Verdict::Fail,
            Word::Blocked => forge_api::Verdict::Blocked,
        };
        if self.feedback.is_none() && !matches!(self.verdict, Word::Pass) {
            return Err(Failure::usage(
                "say why with --feedback: it is all that the coder gets to know",
            ));
        }
        let feedback = self.feedback.as_deref().map(text_source::read).transpose()?;
        let client = context.client()?;
        let given = NewVerdict { verdict, feedback };
        let review = client.give_verdict(self.execution, &given).await?;
        let attempt = review.attempt_number;
        context.output.result(&review, || format!("attempt {attempt}: {}", word(&verdict)))?;
        context.output.note("It counts when your turn ends.");
        Ok(())
    }
}
