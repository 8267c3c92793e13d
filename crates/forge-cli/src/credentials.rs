//! The file with the tokens that `forge login` stored: one per server, readable by its owner only.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use forge_api::Secret;
use forge_client::ServerUrl;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::environment::Environment;
use crate::failure::Failure;

const FILE: &str = "credentials.toml";

/// One server's token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) token: Secret,
    /// Known when `forge login` made the token itself, so that `forge logout` can revoke it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token_id: Option<Uuid>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    #[serde(default)]
    servers: BTreeMap<String, Entry>,
}

/// All stored tokens.
#[derive(Debug)]
pub(crate) struct Credentials {
    path: Option<PathBuf>,
    contents: Contents,
}

impl Credentials {
    /// Reads the file; a missing one is empty.
    pub(crate) fn load(environment: &Environment) -> Result<Self, Failure> {
        let path = environment.config_dir().map(|dir| dir.join(FILE));
        let contents = match path.as_ref().map(fs::read_to_string) {
            None => Contents::default(),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Contents::default(),
            Some(Err(error)) => return Err(unusable(path.as_ref(), &error.to_string())),
            // The reader's own message would quote the line, and with it a token.
            Some(Ok(text)) => toml::from_str(&text)
                .map_err(|_| unusable(path.as_ref(), "it is not what `forge login` writes"))?,
        };
        Ok(Self { path, contents })
    }

    pub(crate) fn get(&self, url: &ServerUrl) -> Option<&Entry> {
        self.contents.servers.get(&url.to_string())
    }

    pub(crate) fn put(&mut self, url: &ServerUrl, entry: Entry) {
        self.contents.servers.insert(url.to_string(), entry);
    }

    pub(crate) fn take(&mut self, url: &ServerUrl) -> Option<Entry> {
        self.contents.servers.remove(&url.to_string())
    }

    /// Replaces the file in one step, so that a crash leaves the old one or the new one.
    pub(crate) fn store(&self) -> Result<(), Failure> {
        let path = self.path.as_ref();
        let (Some(file), Some(dir)) = (path, path.and_then(|path| path.parent())) else {
            return Err(Failure::usage("there is no place for the token without a home directory")
                .hint("set HOME or XDG_CONFIG_HOME, or use FORGE_TOKEN instead"));
        };
        let text =
            toml::to_string(&self.contents).map_err(|error| unusable(path, &error.to_string()))?;
        let write = || {
            DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
            // A temporary file is its owner's alone from the start.
            let mut temporary = tempfile::NamedTempFile::new_in(dir)?;
            temporary.write_all(text.as_bytes())?;
            temporary.as_file().sync_all()?;
            temporary.persist(file)?;
            Ok(())
        };
        write().map_err(|error: io::Error| unusable(path, &error.to_string()))
    }
}

fn unusable(path: Option<&PathBuf>, why: &str) -> Failure {
    let place = path.map(|path| path.display().to_string()).unwrap_or_default();
    Failure::usage(format!("{place} cannot be used: {why}"))
        .hint("correct or remove the file, then sign in again with `forge login`")
}
