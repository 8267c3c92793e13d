//! The file with the tokens that `forge login` stored: one per server, readable by its owner only.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use forge_api::SecretString;
use forge_client::ServerUrl;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::environment::ProcessEnvironment;

const FILE: &str = "credentials.toml";

/// The token of one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredCredential {
    pub(crate) token: SecretString,
    /// Set when `forge login` created the token, so that `forge logout` can revoke it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token_id: Option<Uuid>,
    /// The data directory of the server, if `forge init` signed in to it. Its lock proves which program is the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) data_dir: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CredentialsFile {
    /// The server of commands without --url.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_url: Option<String>,
    #[serde(default)]
    servers: BTreeMap<String, StoredCredential>,
}

/// All stored tokens.
#[derive(Debug)]
pub(crate) struct StoredCredentials {
    path: Option<PathBuf>,
    contents: CredentialsFile,
}

impl StoredCredentials {
    /// Reads the file; a missing one is empty.
    pub(crate) fn load(environment: &ProcessEnvironment) -> Result<Self, CliError> {
        let path = environment.config_dir().map(|dir| dir.join(FILE));
        let contents = match path.as_ref().map(fs::read_to_string) {
            None => CredentialsFile::default(),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                CredentialsFile::default()
            }
            Some(Err(error)) => return Err(unusable_file(path.as_ref(), &error.to_string())),
            // The parser's own message would quote the line, and with it a token.
            Some(Ok(text)) => toml::from_str(&text)
                .map_err(|_| unusable_file(path.as_ref(), "it is not what `forge login` writes"))?,
        };
        Ok(Self { path, contents })
    }

    pub(crate) fn get(&self, url: &ServerUrl) -> Option<&StoredCredential> {
        self.contents.servers.get(&url.to_string())
    }

    /// The server of the last sign-in.
    pub(crate) fn default_url(&self) -> Option<&str> {
        self.contents.default_url.as_deref()
    }

    /// Whether the user chose the server of commands without --url by `forge login`.
    pub(crate) fn has_chosen_default(&self) -> bool {
        let default = self.contents.default_url.as_ref();
        let entry = default.and_then(|url| self.contents.servers.get(url));
        default.is_some() && entry.is_none_or(|entry| entry.data_dir.is_none())
    }

    /// Removes the tokens of a data directory's server, which may have had other addresses, and returns them.
    pub(crate) fn remove_local(&mut self, data_dir: &Path) -> Vec<StoredCredential> {
        let is_local =
            |_: &String, entry: &mut StoredCredential| entry.data_dir.as_deref() == Some(data_dir);
        let removed = self.contents.servers.extract_if(.., is_local);
        removed.map(|(_, entry)| entry).collect()
    }

    /// Stores a token and makes its server the default.
    pub(crate) fn put(&mut self, url: &ServerUrl, entry: StoredCredential) {
        self.contents.servers.insert(url.to_string(), entry);
        self.contents.default_url = Some(url.to_string());
    }

    /// Sets or removes the server of commands without --url.
    pub(crate) fn set_default_url(&mut self, url: Option<&ServerUrl>) {
        self.contents.default_url = url.map(ToString::to_string);
    }

    /// The file itself; `None` without a home directory.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Removes a token; its server is no longer the default.
    pub(crate) fn take(&mut self, url: &ServerUrl) -> Option<StoredCredential> {
        self.contents.default_url.take_if(|default| *default == url.to_string());
        self.contents.servers.remove(&url.to_string())
    }

    /// Replaces the file in one step, so that a crash leaves either the old or the new one.
    pub(crate) fn store(&self) -> Result<(), CliError> {
        let path = self.path.as_ref();
        let (Some(file), Some(dir)) = (path, path.and_then(|path| path.parent())) else {
            return Err(CliError::usage("the token cannot be stored without a home directory")
                .hint("set HOME or XDG_CONFIG_HOME, or use FORGE_TOKEN instead"));
        };
        let text = toml::to_string(&self.contents)
            .map_err(|error| unusable_file(path, &error.to_string()))?;
        let write = || {
            DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
            // A temporary file is readable only by its owner from the start.
            let mut temporary = tempfile::NamedTempFile::new_in(dir)?;
            temporary.write_all(text.as_bytes())?;
            temporary.as_file().sync_all()?;
            temporary.persist(file)?;
            Ok(())
        };
        write().map_err(|error: io::Error| unusable_file(path, &error.to_string()))
    }
}

fn unusable_file(path: Option<&PathBuf>, why: &str) -> CliError {
    let place = path.map(|path| path.display().to_string()).unwrap_or_default();
    CliError::usage(format!("{place} cannot be used: {why}"))
        .hint("correct or remove the file, then sign in again with `forge login`")
}
