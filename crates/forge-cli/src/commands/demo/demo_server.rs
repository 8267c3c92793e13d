//! A server in this process, with a temporary directory.

use std::ffi::OsString;
use std::path::PathBuf;

use forge_api::SecretString;
use forge_client::ApiClient;
use forge_server::settings::ServerSettings;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::cli_error::CliError;
use crate::context::CliContext;

/// The server, its directory and a client. The user's own server is not touched: no settings file and no `FORGE_*`
/// variable is read.
pub(crate) struct DemoServer {
    pub(crate) client: ApiClient,
    dir: TempDir,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl DemoServer {
    pub(crate) async fn start(context: &CliContext) -> Result<Self, CliError> {
        let dir = TempDir::with_prefix("forge-demo-")?;
        let token = fresh_token()?;
        let data_dir = dir.path().join("data").into_os_string().into_string().map_err(|path| {
            CliError::local(format!("{} is not valid UTF-8", path.display()))
                .hint("set TMPDIR to another directory")
        })?;
        let flags = [("data_dir", data_dir.as_str()), ("bind", "127.0.0.1:0")];
        let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let bootstrap = (OsString::from("FORGE_BOOTSTRAP_TOKEN"), OsString::from(token.expose()));
        let settings = ServerSettings::load(flags, [bootstrap])
            .map_err(|refused| CliError::local(refused.to_string()))?;
        let is_ours = |name: &OsString| name.as_encoded_bytes().starts_with(b"FORGE_");
        let environment = context.environment.all().filter(|(name, _)| !is_ours(name)).collect();
        let server = forge_server::start(settings, environment)
            .await
            .map_err(|error| CliError::local(error.to_string()))?;
        let url = format!("http://{}", server.address()).parse()?;
        let client = ApiClient::new(url, Some(&token))?;
        let stop = CancellationToken::new();
        let serving = tokio::spawn(server.run_until(stop.clone()));
        Ok(Self { client, dir, stop, serving })
    }

    /// Stops the server and removes the directory, unless it is kept.
    pub(crate) async fn stop(self, keep: bool) -> Result<Option<PathBuf>, CliError> {
        self.stop.cancel();
        self.serving.await.map_err(|error| CliError::local(error.to_string()))?;
        if keep {
            return Ok(Some(self.dir.keep()));
        }
        self.dir.close()?;
        Ok(None)
    }
}

fn fresh_token() -> Result<SecretString, CliError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| CliError::local(error.to_string()))?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(SecretString::new(format!("fg_{digits}")))
}
