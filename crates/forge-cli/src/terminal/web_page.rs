//! Pages of the web client, and the browser that shows them.

use std::process::{Command, Stdio};

use forge_client::ServerUrl;
use serde::Serialize;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::environment::ProcessEnvironment;

/// A page of the web client.
#[derive(Debug, Serialize)]
pub(crate) struct WebPage {
    url: String,
}

impl WebPage {
    /// The page of a task.
    pub(crate) fn of_task(server: &ServerUrl, project_slug: &str, key: &str) -> Self {
        Self { url: format!("{server}/projects/{project_slug}/{key}") }
    }

    /// The board of a project.
    pub(crate) fn of_project(server: &ServerUrl, slug: &str) -> Self {
        Self { url: format!("{server}/projects/{slug}") }
    }
}

/// Shows a page in the browser; prints its address if that is asked for, or if there is no browser to show it in.
pub(crate) async fn show_page(
    context: &CliContext,
    page: &WebPage,
    print_only: bool,
) -> Result<(), CliError> {
    let opener = if print_only {
        None
    } else {
        find_opener(&context.environment, cfg!(target_os = "macos"))
    };
    context.output.print_result(page, || page.url.clone())?;
    let Some(opener) = opener else { return Ok(()) };
    let url = page.url.clone();
    // The opener returns once the browser has the address; on a separate thread, so that an interrupt ends the wait.
    let opened = tokio::task::spawn_blocking(move || run_opener(opener, &url)).await;
    if !opened.is_ok_and(|opened| opened) {
        context.output.print_note("The browser could not be started; open the address yourself.");
    }
    Ok(())
}

/// The program that opens an address; `None` where no browser can be shown.
fn find_opener(environment: &ProcessEnvironment, is_mac: bool) -> Option<std::path::PathBuf> {
    if is_mac {
        return environment.find_program("open");
    }
    let has_display =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| environment.get(name).is_some());
    if has_display { environment.find_program("xdg-open") } else { None }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the opener hands the address to the user's desktop and ends; forge-proc would end the browser with it"
)]
fn run_opener(opener: std::path::PathBuf, url: &str) -> bool {
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
