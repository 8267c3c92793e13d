//! The command `forge task comment`.

use clap::Args;
use forge_api::{NewComment, PageQuery};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::commands::task::inside_execution::InsideExecution;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_source;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::actor_name;

/// Add a comment to a task, or list its comments
///
/// Inside an execution the task can be left out: `forge task comment TEXT` is about its own task.
#[derive(Debug, Args)]
#[command(override_usage = "forge task comment [OPTIONS] <TASK> [TEXT]")]
pub(crate) struct TaskCommentArgs {
    /// Task: T-12, or its identifier; inside an execution, its own task by default
    #[arg(value_name = "TASK")]
    task: Option<String>,
    /// Comment: text, @FILE, or - for standard input; without it, all comments are shown
    text: Option<String>,
    #[command(flatten)]
    project: ProjectOption,
    #[command(flatten)]
    inside: InsideExecution,
}

impl TaskCommentArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let (task, text) = self.split_arguments()?;
        let Some(text) = text else {
            let task = self.inside.fetch_task_id(&client, &self.project, task).await?;
            let list = async |page: PageQuery| client.comments().fetch_page(task, &page).await;
            let page = collect_pages(1000, list).await?;
            return context.output.print_result(&page, || {
                page.items.iter().map(|comment| describe_comment(context, comment)).collect()
            });
        };
        let request = NewComment { body: text_source::read_text(text)?, parent_id: None };
        let task = self.inside.fetch_task_id(&client, &self.project, task).await?;
        let comment = client.comments().create(task, &request).await?;
        context.output.print_result(&comment, || "Comment written".to_owned())
    }

    /// The task and the text. A single argument is the text if it names no task and there is an own task.
    fn split_arguments(&self) -> Result<(TaskRef, Option<&str>), CliError> {
        let first = self.task.as_deref();
        match (first, first.map(str::parse::<TaskRef>), self.inside.own_task()) {
            (_, Some(Ok(task)), _) => Ok((task, self.text.as_deref())),
            (text, _, Some(own)) if self.text.is_none() => Ok((TaskRef::Id(own), text)),
            (_, Some(Err(problem)), _) => Err(CliError::usage(problem.to_string())),
            (_, None, _) => Err(CliError::usage("name the task: forge task comment T-12 TEXT")),
        }
    }
}

fn describe_comment(context: &CliContext, comment: &forge_api::Comment) -> String {
    let who = context.output.styled(TextStyle::Bold, &one_line(&actor_name(&comment.author)));
    format!("{who}, {}\n{}\n\n", context.now.ago(&comment.at), plain_text(&comment.body))
}
