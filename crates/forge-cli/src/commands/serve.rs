//! The command `forge serve`.

use std::io;

use clap::{Arg, ArgMatches, Args, FromArgMatches};
use forge_server::Server;
use forge_server::settings::{ServerSettings, SettingKind, SettingsError, TABLE};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::help::setting_groups::{heading_of, is_in_long_help_only};
use crate::logging;
use crate::stop_signals::StopSignals;

/// Run the server
///
/// Every option can also be set by its environment variable or in forge.toml; an option overrides the variable, and
/// the variable overrides the file.
#[derive(Debug, Args)]
#[command(after_help = "All settings: forge serve --help, or docs/SETTINGS.md")]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    flags: SettingFlags,
    /// Leave the session of the terminal; `forge init` starts the server so
    #[arg(long, hide = true)]
    detached: bool,
}

/// The flags of the server's settings table, so that there is only one list.
#[derive(Debug, Clone, Default)]
struct SettingFlags {
    given: Vec<(String, String)>,
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in TABLE.iter().filter(|setting| setting.flag().is_some()) {
            if let Some(value) = matches.get_one::<String>(setting.name) {
                self.given.push((setting.name.to_owned(), value.clone()));
            }
        }
        Ok(())
    }
}

impl Args for SettingFlags {
    fn augment_args(command: clap::Command) -> clap::Command {
        let flags = TABLE.iter().filter_map(|setting| {
            let flag = setting.flag()?;
            let source =
                format!("[default: {}] [env: {}]", setting.default_text(), setting.variable());
            let description = setting.description.replace('`', "");
            let long = format!("{description}\n{}", source.replace('`', ""));
            let arg = Arg::new(setting.name)
                .long(flag.trim_start_matches('-').to_owned())
                .help(first_sentence(&description))
                .long_help(long)
                .help_heading(heading_of(setting.name))
                .hide_short_help(is_in_long_help_only(setting.name));
            Some(match setting.kind {
                SettingKind::Text => arg.value_name("TEXT"),
                SettingKind::Number => arg.value_name("N"),
                SettingKind::List => arg.value_name("LIST"),
                SettingKind::Switch => {
                    arg.value_name("BOOL").num_args(0..=1).default_missing_value("true")
                }
            })
        });
        command.args(flags)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// The first sentence or clause, for the short help.
fn first_sentence(text: &str) -> String {
    let end = text.find([';', '.']).filter(|end| {
        let after = text.get(end + 1..).and_then(|rest| rest.chars().next());
        after.is_none_or(char::is_whitespace)
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text).to_owned()
}

/// The server's settings as this process would use them.
pub(crate) fn load_settings(
    context: &CliContext,
    flags: Vec<(String, String)>,
) -> Result<ServerSettings, SettingsError> {
    ServerSettings::load(flags, context.environment.all())
}

impl ServeArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        if self.detached {
            rustix::process::setsid().map_err(io::Error::from)?;
        }
        let settings = load_settings(context, self.flags.given)
            .map_err(|refused| CliError::usage(refused.to_string()))?;
        logging::init_logging(settings.log_format, &settings.log_level)?;
        // Listen for signals before the server starts, so that none is missed.
        let mut signals = StopSignals::listen()?;
        let server = forge_server::start(settings, context.environment.all().collect())
            .await
            .map_err(|error| CliError::local(error.to_string()))?;
        let announced = announce(context, &server);
        // `forge init` may have been interrupted while it waited; the server works all the same.
        if !self.detached {
            announced?;
        }
        let (stop, farewell) = (CancellationToken::new(), server.shutdown_notice());
        let mut running = Box::pin(server.run_until(stop.clone()));
        tokio::select! {
            () = &mut running => return Ok(()),
            () = signals.next() => stop.cancel(),
        }
        context.output.print_note(&format!("{farewell} A second signal ends at once."));
        tokio::select! {
            () = &mut running => Ok(()),
            () = signals.next() => {
                farewell.stop_at_once().await;
                Err(CliError::interrupted())
            }
        }
    }
}

fn announce(context: &CliContext, server: &Server) -> Result<(), CliError> {
    let url = format!("http://{}", server.address());
    let link = server.first_run_link();
    let document = json!({ "url": url, "first_run_link": link });
    context.output.print_result(&document, || match link {
        Some(link) => format!(
            "Forge listens on {url}\nNo user has signed in yet. Open this link, it works once:\n  {link}\n"
        ),
        None => format!("Forge listens on {url}\n"),
    })
}
