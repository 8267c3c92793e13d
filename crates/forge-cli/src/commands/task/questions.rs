//! The commands `forge task questions` and `forge task answer`.

use clap::Args;
use forge_api::{NewAnswer, PageQuery, Question, QuestionStatus, Task};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::commands::task::own_task::OwnTaskTarget;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_source;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::actor_name;

/// List the questions on a task, with their answers
#[derive(Debug, Args)]
pub(crate) struct TaskQuestionsArgs {
    #[command(flatten)]
    target: OwnTaskTarget,
}

impl TaskQuestionsArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let list = async |page: PageQuery| client.questions().fetch_page(task, &page).await;
        let page = collect_pages(1000, list).await?;
        context.output.print_result(&page, || {
            page.items.iter().map(|question| describe_question(context, question)).collect()
        })?;
        if page.items.is_empty() {
            context.output.print_note("No question was asked.");
        }
        Ok(())
    }
}

/// Answer a question on a task
///
/// The agent gets the answer while it runs if its program accepts messages, otherwise as its next turn, which starts
/// at once if the task waits for it.
#[derive(Debug, Args)]
pub(crate) struct TaskAnswerArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Answer: text, @FILE, or - for standard input
    text: String,
    /// Number of the question; required if several are open
    #[arg(long, value_name = "N")]
    question: Option<u32>,
}

impl TaskAnswerArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let answer = NewAnswer { text: text_source::read_text(&self.text)? };
        let client = context.client()?;
        let (task, number) = match self.question {
            Some(number) => (self.target.fetch_id(&client).await?, number),
            None => {
                let task = self.target.fetch(&client).await?;
                (task.id, find_only_question(&task)?)
            }
        };
        let question = client.questions().answer(task, number, &answer).await?;
        context.output.print_result(&question, || format!("Question {number} is answered"))
    }
}

fn find_only_question(task: &Task) -> Result<u32, CliError> {
    let key = &task.key;
    match task.questions.as_slice() {
        [only] => Ok(only.number),
        [] => Err(CliError::not_found(format!("{key} has no open question"))
            .hint(format!("`forge task questions {key}` lists the questions and their answers"))),
        several => {
            let problem = format!("{key} has {} open questions, and none is named", several.len());
            let hint =
                |open: &Question| format!("--question {}: {}", open.number, one_line(&open.text));
            let error = CliError::usage(problem);
            Err(several.iter().fold(error, |error, open| error.hint(hint(open))))
        }
    }
}

/// One question and its answer, as text.
pub(crate) fn describe_question(context: &CliContext, question: &Question) -> String {
    let head = format!("Question {}", question.number);
    let head = context.output.styled(TextStyle::Bold, &head);
    let who = one_line(&actor_name(&question.asked_by));
    let mut text = format!(
        "{head} by {who}, {}\n{}\n",
        context.now.ago(&question.asked_at),
        plain_text(&question.text)
    );
    let ended = question.ended_at.as_deref().map(|at| context.now.ago(at)).unwrap_or_default();
    match (question.status, &question.answer, &question.answered_by) {
        (QuestionStatus::Open, ..) => {
            let open = context.output.styled(TextStyle::Warning, "It waits for an answer.");
            text.push_str(&format!("{open}\n"));
        }
        (_, Some(answer), Some(by)) => {
            let by = one_line(&actor_name(by));
            text.push_str(&format!("Answer by {by}, {ended}\n{}\n", plain_text(answer)));
        }
        _ => text.push_str(&format!("Closed without an answer, {ended}\n")),
    }
    text.push('\n');
    text
}
