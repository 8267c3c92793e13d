//! `forge serve`

use clap::{Arg, ArgMatches, Args, FromArgMatches};
use forge_server::Server;
use forge_server::settings::{Kind, Settings, SettingsRefused, TABLE};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::failure::Failure;
use crate::logging;
use crate::signals::Signals;

/// Run the server
///
/// Every option can also be set by its environment variable or in forge.toml; an option goes first, then the
/// variable, then the file.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    flags: SettingFlags,
}

/// The flags of the server's table of settings, so that there is one list of them.
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
        for setting in TABLE.iter().filter(|setting| setting.flag.is_some()) {
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
            let long = setting.flag?.trim_start_matches('-');
            let help = format!(
                "{} [default: {}] [env: {}]",
                setting.description, setting.default, setting.variable
            );
            let arg = Arg::new(setting.name).long(long).help(help.replace('`', ""));
            Some(match setting.kind {
                Kind::Text => arg.value_name("TEXT"),
                Kind::Number => arg.value_name("N"),
                Kind::List => arg.value_name("LIST"),
                Kind::Switch => {
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

/// The server's settings as this process would use them.
pub(super) fn load_settings(
    context: &Context,
    flags: Vec<(String, String)>,
) -> Result<Settings, SettingsRefused> {
    Settings::load(flags, context.environment.all())
}

impl Serve {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let settings = load_settings(context, self.flags.given)
            .map_err(|refused| Failure::usage(refused.to_string()))?;
        logging::begin(settings.log_format, &settings.log_level)?;
        // Before anything is taken, so that no signal finds the server without an ear.
        let mut signals = Signals::listen()?;
        let server = forge_server::start(settings, context.environment.all().collect())
            .await
            .map_err(|error| Failure::local(error.to_string()))?;
        announce(context, &server)?;
        let (stop, farewell) = (CancellationToken::new(), server.farewell());
        let mut running = Box::pin(server.run_until(stop.clone()));
        tokio::select! {
            () = &mut running => return Ok(()),
            () = signals.next() => stop.cancel(),
        }
        context.output.note(&format!("{farewell} A second signal ends at once."));
        tokio::select! {
            () = &mut running => Ok(()),
            () = signals.next() => {
                farewell.cut_short().await;
                Err(Failure::interrupted())
            }
        }
    }
}

fn announce(context: &Context, server: &Server) -> Result<(), Failure> {
    let url = format!("http://{}", server.address());
    let link = server.first_run_link();
    let document = json!({ "url": url, "first_run_link": link });
    context.output.result(&document, || match link {
        Some(link) => format!(
            "Forge listens on {url}\nNobody has signed in yet. Open this link, it works once:\n  {link}\n"
        ),
        None => format!("Forge listens on {url}\n"),
    })
}
