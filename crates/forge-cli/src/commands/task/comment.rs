//! The command `forge task comment`.

use clap::Args;
use forge_api::{NewComment, PageQuery};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_source;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::actor_name;

/// Add a comment to a task, or list its comments
#[derive(Debug, Args)]
pub(crate) struct TaskCommentArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Comment: text, @FILE, or - for standard input; without it, all comments are shown
    text: Option<String>,
}

impl TaskCommentArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let Some(text) = &self.text else {
            let task = self.target.fetch_id(&client).await?;
            let list = async |page: PageQuery| client.comments().fetch_page(task, &page).await;
            let page = collect_pages(1000, list).await?;
            return context.output.print_result(&page, || {
                page.items.iter().map(|comment| describe_comment(context, comment)).collect()
            });
        };
        let request = NewComment { body: text_source::read_text(text)?, parent_id: None };
        let task = self.target.fetch_id(&client).await?;
        let comment = client.comments().create(task, &request).await?;
        context.output.print_result(&comment, || "Comment written".to_owned())
    }
}

fn describe_comment(context: &CliContext, comment: &forge_api::Comment) -> String {
    let who = context.output.styled(TextStyle::Bold, &one_line(&actor_name(&comment.author)));
    format!("{who}, {}\n{}\n\n", context.now.ago(&comment.at), plain_text(&comment.body))
}
