//! Asks for the branch that work lands on, where the server cannot determine it (issue 13.21).

use std::io::{self, IsTerminal, Write};

use forge_api::{ErrorCode, NewRepo, Repo};
use forge_client::{ApiClient, ClientError};
use uuid::Uuid;

use crate::cli_error::CliError;

/// Result of a request that may need the branch.
pub(crate) enum BranchAnswer<T> {
    /// The request succeeded.
    Done(T),
    /// The user named this branch.
    Branch(String),
}

/// Asks on a terminal when the server names candidates; otherwise returns an error that says how to name one.
pub(crate) async fn ask_for_branch<T>(
    answer: Result<T, ClientError>,
) -> Result<BranchAnswer<T>, CliError> {
    let error = match answer {
        Ok(done) => return Ok(BranchAnswer::Done(done)),
        Err(error) => error,
    };
    let Some(candidates) = candidates(&error) else { return Err(error.into()) };
    if !io::stdin().is_terminal() {
        return Err(CliError::from(error).hint("name it with --default-branch BRANCH"));
    }
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "The repository has several branches: {}", candidates.join(", "))?;
    write!(stderr, "Which branch does work land on? ")?;
    stderr.flush()?;
    drop(stderr);
    // Reads on a separate thread, so that an interrupt can end the wait.
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    let line = reading.await.map_err(|error| CliError::local(error.to_string()))??;
    match line.trim() {
        "" => Err(CliError::usage("nothing was done").hint("name one of the branches")),
        branch => Ok(BranchAnswer::Branch(branch.to_owned())),
    }
}

/// Adds a repository, and asks for its branch where necessary.
pub(crate) async fn add_repo(
    client: &ApiClient,
    project: Uuid,
    request: NewRepo,
) -> Result<Repo, CliError> {
    match ask_for_branch(client.repos().add(project, &request).await).await? {
        BranchAnswer::Done(repo) => Ok(repo),
        BranchAnswer::Branch(branch) => {
            let request = NewRepo { default_branch: Some(branch), ..request };
            Ok(client.repos().add(project, &request).await?)
        }
    }
}

fn candidates(error: &ClientError) -> Option<Vec<String>> {
    let ClientError::Api { body, .. } = error else { return None };
    if body.code != ErrorCode::DefaultBranchUnclear {
        return None;
    }
    serde_json::from_value(body.details.get("candidates")?.clone()).ok()
}
