//! The command `forge config`.

use clap::{Args, Subcommand, ValueEnum};
use forge_client::ServerUrl;
use serde::Serialize;
use serde_json::json;

use crate::cli_error::CliError;
use crate::context::{CliContext, ValueSource};
use crate::credentials::StoredCredentials;
use crate::terminal::text_table::one_line;

/// Show or change the settings of this client: its server, credential and project
///
/// Without an action it shows each value and where it comes from. The settings of the server are in docs/SETTINGS.md.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    action: Option<ConfigSubcommand>,
}

#[derive(Debug, Subcommand)]
enum ConfigSubcommand {
    /// Set a value for all later commands of this user
    Set {
        /// Name of the value
        key: ConfigKey,
        /// The new value
        value: String,
    },
    /// Forget a value that was set
    Unset {
        /// Name of the value
        key: ConfigKey,
    },
}

/// A value that can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ConfigKey {
    /// The server of commands without --url
    Url,
}

/// The settings of this client.
#[derive(Debug, Serialize)]
struct ClientSettings {
    url: SettingValue,
    credential: SettingValue,
    project: SettingValue,
    /// The file with the server and the tokens of this user.
    file: Option<String>,
}

/// A value and its origin.
#[derive(Debug, Serialize)]
struct SettingValue {
    value: Option<String>,
    source: &'static str,
}

impl ConfigArgs {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        match self.action {
            None => show(context),
            Some(ConfigSubcommand::Set { key: ConfigKey::Url, value }) => set_url(context, &value),
            Some(ConfigSubcommand::Unset { key: ConfigKey::Url }) => unset_url(context),
        }
    }
}

fn show(context: &CliContext) -> Result<(), CliError> {
    let stored = StoredCredentials::load(&context.environment)?;
    let (url, url_source) = context.url_with_source()?;
    let has_variable = context.environment.get("FORGE_TOKEN").is_some();
    let (credential, credential_source) = match (has_variable, stored.get(&url)) {
        (true, _) => (Some("token"), "FORGE_TOKEN"),
        (false, Some(entry)) if entry.token_id.is_some() => {
            (Some("token, made by forge login"), "the file below")
        }
        (false, Some(_)) => (Some("token"), "the file below"),
        (false, None) => (None, "none; sign in with `forge login`"),
    };
    let project = context.environment_project();
    let project_source = match project {
        Some(_) => "FORGE_PROJECT",
        None => "the current directory, or the only project",
    };
    let settings = ClientSettings {
        url: SettingValue { value: Some(url.to_string()), source: describe_source(url_source) },
        credential: SettingValue {
            value: credential.map(str::to_owned),
            source: credential_source,
        },
        project: SettingValue { value: project, source: project_source },
        file: stored.path().map(|path| path.display().to_string()),
    };
    context.output.print_result(&settings, || describe_settings(&settings))
}

fn describe_settings(settings: &ClientSettings) -> String {
    let row = |name: &str, value: &SettingValue| {
        let shown = value.value.as_deref().unwrap_or("-");
        format!("  {name:<12}{}  ({})\n", one_line(shown), value.source)
    };
    let mut text = row("url", &settings.url);
    text.push_str(&row("credential", &settings.credential));
    text.push_str(&row("project", &settings.project));
    let file = settings.file.as_deref().unwrap_or("none: there is no home directory");
    text.push_str(&format!("  {:<12}{}\n", "file", one_line(file)));
    text
}

fn describe_source(source: ValueSource) -> &'static str {
    match source {
        ValueSource::Option => "--url",
        ValueSource::Environment => "FORGE_URL",
        ValueSource::File => "the file below",
        ValueSource::Default => "default",
    }
}

fn set_url(context: &CliContext, value: &str) -> Result<(), CliError> {
    let url: ServerUrl = value.parse()?;
    let mut stored = StoredCredentials::load(&context.environment)?;
    stored.set_default_url(Some(&url));
    stored.store()?;
    context.output.print_result(&json!({ "url": url.to_string() }), || {
        format!("Commands without --url go to {url} from now on")
    })?;
    if context.environment.get("FORGE_URL").is_some() {
        context.output.print_note("FORGE_URL is set and takes precedence.");
    }
    if stored.get(&url).is_none() && context.environment.get("FORGE_TOKEN").is_none() {
        context.output.print_note("Next: sign in there with `forge login`.");
    }
    Ok(())
}

fn unset_url(context: &CliContext) -> Result<(), CliError> {
    let mut stored = StoredCredentials::load(&context.environment)?;
    stored.set_default_url(None);
    stored.store()?;
    let (url, source) = context.url_with_source()?;
    context.output.print_result(&json!({ "url": url.to_string() }), || {
        format!("Commands without --url go to {url} from now on ({})", describe_source(source))
    })
}
