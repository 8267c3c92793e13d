//! The command `forge ask`.

use std::time::Duration;

use clap::Args;
use forge_api::{NewQuestion, Question, QuestionQuery, QuestionStatus};
use forge_client::{ApiClient, ClientError};
use tokio::time::Instant;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::own_task::OwnTaskOption;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::terminal::text_source;
use crate::terminal::text_table::plain_text;

const END_YOUR_TURN: &str =
    "End your turn now: the answer comes as your next turn, in this conversation.";
/// Time between two attempts to reach a server that is restarting.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Ask the person in charge of your task (for agents)
///
/// Run it inside an execution: server, token and task come from FORGE_URL, FORGE_TOKEN and FORGE_TASK_ID, which Forge
/// sets there. Without --wait the command returns at once; end your turn then, and the answer is your next one. Your
/// work is handed in only after the answer.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// Question: text, @FILE, or - for standard input
    question: String,
    /// Wait for the answer, at most this long; 300 seconds by default. Exit code 1 says that there was none in time
    #[arg(
        long, value_name = "SECONDS", num_args = 0..=1, require_equals = true,
        default_missing_value = "300", value_parser = clap::value_parser!(u32).range(1..=3000)
    )]
    wait: Option<u32>,
    #[command(flatten)]
    task: OwnTaskOption,
}

impl AskArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let text = text_source::read_text(&self.question)?;
        let client = context.client()?;
        let task = self.task.fetch_id(&client).await?;
        // Only the asking execution can confirm the answer; everyone else just reads it.
        let awaited =
            self.wait.is_some() && context.environment.get("FORGE_EXECUTION_ID").is_some();
        let question = client.questions().ask(task, &NewQuestion { text, awaited }).await?;
        let Some(seconds) = self.wait else {
            let number = question.number;
            context.output.print_result(&question, || format!("Question {number} was asked"))?;
            context.output.print_note(END_YOUR_TURN);
            return Ok(());
        };
        let deadline = Instant::now() + Duration::from_secs(seconds.into());
        let question = wait_for_answer(&client, task, question.number, deadline).await?;
        match (question.status, &question.answer) {
            (QuestionStatus::Answered, Some(answer)) => {
                context.output.print_result(&question, || plain_text(answer))?;
                if awaited {
                    client.questions().confirm(task, question.number).await?;
                }
                Ok(())
            }
            (QuestionStatus::Open, _) => {
                let number = question.number;
                let message = format!("Question {number} has no answer yet");
                context.output.print_result(&question, || message)?;
                context.output.print_note(END_YOUR_TURN);
                Err(CliError::already_printed(CliExit::Refused))
            }
            _ => {
                let message = "The question was closed without an answer".to_owned();
                context.output.print_result(&question, || message)?;
                Err(CliError::already_printed(CliExit::Refused))
            }
        }
    }
}

/// The question with its answer, or as it is at the deadline. A server that restarts meanwhile is asked again.
async fn wait_for_answer(
    client: &ApiClient,
    task: Uuid,
    number: u32,
    deadline: Instant,
) -> Result<Question, CliError> {
    let mut retries = tokio::time::interval(RETRY_INTERVAL);
    loop {
        retries.tick().await;
        let left = deadline.saturating_duration_since(Instant::now());
        let wait_seconds = u32::try_from(left.as_secs()).ok();
        match client.questions().fetch(task, number, &QuestionQuery { wait_seconds }).await {
            Ok(question) if question.status != QuestionStatus::Open || left.as_secs() == 0 => {
                return Ok(question);
            }
            Err(error) if left.is_zero() || !is_passing(&error) => return Err(error.into()),
            Ok(_) | Err(_) => {}
        }
    }
}

/// Whether the failure ends by itself: the server is stopping, starting or restarting.
fn is_passing(error: &ClientError) -> bool {
    match error {
        ClientError::Refused { .. }
        | ClientError::Unreachable { .. }
        | ClientError::Timeout { .. } => true,
        ClientError::Api { status, .. } => *status == 503,
        _ => false,
    }
}
