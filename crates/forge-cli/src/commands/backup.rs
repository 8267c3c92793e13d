//! The command `forge backup`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use forge_client::{ApiClient, BackupDownload, ClientError};
use serde_json::json;

use crate::cli_error::CliError;
use crate::context::CliContext;

/// The first bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The name in a directory, if the server suggests none.
const DEFAULT_NAME: &str = "forge-backup.db";

/// Save a copy of the server's database while it works
///
/// Only for admins, and only for the embedded database; with PostgreSQL use pg_dump. An existing file is never
/// overwritten. The copy holds projects, tasks, history, users and settings. Branches and saved workspaces are in your
/// repositories, logs and the key of stored tokens in the data directory. To restore, stop the server, put the copy in
/// place of `forge.db` in an otherwise kept or empty data directory, and start it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  forge backup ~/backups")]
pub(crate) struct BackupArgs {
    /// New file, or a directory in which it is named by the time
    #[arg(value_name = "FILE|DIR")]
    target: PathBuf,
}

impl BackupArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        refuse_existing(&self.target)?;
        let download = client.system().fetch_backup().await?;
        let path = match self.target.is_dir() {
            true => self.target.join(download.name().unwrap_or(DEFAULT_NAME)),
            false => self.target,
        };
        let bytes = save(&client, download, &path).await?;
        let document = json!({ "file": path.display().to_string(), "bytes": bytes });
        context
            .output
            .print_result(&document, || format!("Saved {bytes} bytes to {}", path.display()))
    }
}

/// Refuses a file that exists before anything is downloaded; [`save`] never overwrites one either.
fn refuse_existing(target: &Path) -> Result<(), CliError> {
    if !target.exists() || target.is_dir() {
        return Ok(());
    }
    Err(CliError::usage(format!("{} exists already", target.display()))
        .hint("name a new file, or a directory"))
}

/// Writes the copy beside its final name first, so that an incomplete one never has that name.
async fn save(
    client: &ApiClient,
    mut download: BackupDownload,
    path: &Path,
) -> Result<u64, CliError> {
    let unwritable = |error: &dyn std::fmt::Display| {
        CliError::usage(format!("{} cannot be written: {error}", path.display()))
            .hint("name a file in a directory that you may write to")
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    // Readable only by its owner from the start.
    let mut file =
        tempfile::NamedTempFile::new_in(directory).map_err(|error| unwritable(&error))?;
    let mut bytes = 0;
    let mut head: Vec<u8> = Vec::new();
    while let Some(chunk) = download.next().await? {
        let missing = MAGIC.len().saturating_sub(head.len());
        head.extend(chunk.iter().take(missing));
        file.write_all(&chunk).map_err(|error| unwritable(&error))?;
        bytes += chunk.len() as u64;
    }
    if head != MAGIC {
        return Err(CliError::from(ClientError::BadAnswer {
            url: client.url().to_string(),
            status: 200,
            reason: "the answer is no SQLite database".to_owned(),
        }));
    }
    file.as_file().sync_all().map_err(|error| unwritable(&error))?;
    file.persist_noclobber(path).map_err(|error| unwritable(&error.error))?;
    let synced = fs::File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(|error| unwritable(&error))?;
    Ok(bytes)
}
