//! A server in this process, with a directory of its own.

use std::ffi::OsString;
use std::path::PathBuf;

use forge_api::Secret;
use forge_client::Client;
use forge_server::settings::Settings;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::failure::Failure;

/// The server, its directory and the way to talk to it. Nothing of the user's own server is touched: no settings file
/// and no `FORGE_*` variable is read.
pub(super) struct Stage {
    pub(super) client: Client,
    dir: TempDir,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Stage {
    pub(super) async fn set(context: &Context) -> Result<Self, Failure> {
        let dir = TempDir::with_prefix("forge-demo-")?;
        let token = fresh_token()?;
        let data_dir = dir.path().join("data").into_os_string().into_string().map_err(|path| {
            Failure::local(format!("{} is not valid UTF-8", path.display()))
                .hint("set TMPDIR to another directory")
        })?;
        let flags = [("data_dir", data_dir.as_str()), ("bind", "127.0.0.1:0")];
        let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let bootstrap = (OsString::from("FORGE_BOOTSTRAP_TOKEN"), OsString::from(token.expose()));
        let settings = Settings::load(flags, [bootstrap])
            .map_err(|refused| Failure::local(refused.to_string()))?;
        let is_ours = |name: &OsString| name.as_encoded_bytes().starts_with(b"FORGE_");
        let environment = context.environment.all().filter(|(name, _)| !is_ours(name)).collect();
        let server = forge_server::start(settings, environment)
            .await
            .map_err(|error| Failure::local(error.to_string()))?;
        let url = format!("http://{}", server.address()).parse()?;
        let client = Client::new(url, Some(&token))?;
        let stop = CancellationToken::new();
        let serving = tokio::spawn(server.run_until(stop.clone()));
        Ok(Self { client, dir, stop, serving })
    }

    /// Ends the server; the directory goes too, unless it is kept.
    pub(super) async fn strike(self, keep: bool) -> Result<Option<PathBuf>, Failure> {
        self.stop.cancel();
        self.serving.await.map_err(|error| Failure::local(error.to_string()))?;
        if keep {
            return Ok(Some(self.dir.keep()));
        }
        self.dir.close()?;
        Ok(None)
    }
}

fn fresh_token() -> Result<Secret, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Failure::local(error.to_string()))?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Secret::new(format!("fg_{digits}")))
}
