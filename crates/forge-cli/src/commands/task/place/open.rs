//! The command `forge task open`.

use clap::Args;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::web_page::{WebPage, show_page};

/// Open a task's page in the browser
///
/// Without a display, or with --print, it prints the address.
#[derive(Debug, Args)]
pub(crate) struct TaskOpenArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Only print the address
    #[arg(long)]
    print: bool,
}

impl TaskOpenArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let project = client.projects().fetch(task.project_id).await?;
        let page = WebPage::of_task(client.url(), &project.slug, &task.key);
        show_page(context, &page, self.print).await
    }
}
