//! The command `forge open`.

use clap::Args;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::terminal::web_page::{WebPage, show_page};

/// Open the board of a project in the browser
///
/// Without a display, or with --print, it prints the address. `forge task open T-12` opens a task.
#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// Name or identifier; optional inside its repository, or if there is only one project
    project: Option<String>,
    /// Only print the address
    #[arg(long)]
    print: bool,
}

impl OpenArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let project = match self.project {
            Some(project) => ProjectOption { project: Some(project) }.fetch(&client).await?,
            None => ProjectOption { project: context.environment_project() }.fetch(&client).await?,
        };
        let page = WebPage::of_project(client.url(), &project.slug);
        show_page(context, &page, self.print).await
    }
}
