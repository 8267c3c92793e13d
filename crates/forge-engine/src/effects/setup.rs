//! Runs a project's setup in a workspace that has not had it yet, before the agent starts (W-13).

use super::perform::Step;
use super::program::last_lines;
use super::run_mark::RunMark;
use super::secrets::without;
use super::surroundings::Surroundings;
use super::{Failure, Outcome};
use crate::registry::Setup;
use crate::transcript::Veil;
use forge_agent::Redactor;
use forge_domain::task::{Activity, AnnotationType, Workspace};
use forge_domain::{Canonical, ExecutionId, Report, TaskId};
use forge_git::{GitError, HeldWorktree, IncludeError, IncludeList, Included, ObjectId, Worktree};
use forge_proc::{Ending, Spec};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Noted when a setup did not come to its end because the task moved on.
#[derive(Debug, Serialize)]
struct CutShort {
    stopped: bool,
}

/// All that a workspace's setup depends on.
#[derive(Debug)]
struct Definition {
    setup: Setup,
    list: Option<IncludeList>,
}

impl Definition {
    fn is_empty(&self) -> bool {
        asks_for_nothing(&self.setup) && self.list.is_none()
    }

    /// Another definition, or another task in the same directory, has another one.
    fn fingerprint(&self, task: TaskId) -> String {
        let list = self.list.as_ref().map(IncludeList::text);
        let all = serde_json::json!({ "task": task, "setup": self.setup, "list": list });
        Canonical::of(all).digest()
    }
}

/// Whether there is nothing to be done before the agent starts.
pub(super) fn asks_for_nothing(setup: &Setup) -> bool {
    setup.commands.is_empty() && setup.ports == 0
}

impl Step<'_> {
    /// What to say of a workspace that is there: that the agent can start, or that its setup comes first.
    pub(super) async fn handed_over(
        &self,
        execution: ExecutionId,
        workspace: Workspace,
        worktree: &Worktree,
    ) -> Result<Report, Failure> {
        Ok(if self.setup_is_due(worktree, &workspace).await? {
            Report::WorkspaceMade { execution, workspace }
        } else {
            Report::WorkspaceReady { execution, workspace }
        })
    }

    async fn setup_is_due(&self, worktree: &Worktree, known: &Workspace) -> Result<bool, Failure> {
        // What is wrong with it is for the setup to say, once the workspace is on record.
        let Ok(definition) = self.definition(worktree, known).await else { return Ok(true) };
        if definition.is_empty() {
            return Ok(false);
        }
        let note = worktree.setup_note().await?;
        Ok(note != Some(definition.fingerprint(self.place)))
    }

    async fn definition(
        &self,
        worktree: &Worktree,
        known: &Workspace,
    ) -> Result<Definition, Failure> {
        let base = ObjectId::new(known.base.clone())
            .map_err(|error| Failure::workspace(error.to_string()))?;
        let list = worktree.include_list(&base).await.map_err(not_included)?;
        Ok(Definition { setup: self.setup()?, list })
    }

    pub(super) async fn set_up_workspace(
        &self,
        execution: ExecutionId,
    ) -> Result<Outcome, Failure> {
        let guard = self.engine.0.runs.enter(execution.uuid());
        self.end_leftovers(execution.uuid()).await?;
        let done = self.set_up(execution, &guard.stop).await?;
        self.setup_ended(execution, done).await
    }

    /// Says whether it came to its end.
    pub(super) async fn setup_ended(
        &self,
        execution: ExecutionId,
        done: bool,
    ) -> Result<Outcome, Failure> {
        if !done {
            self.engine.journal(self.claimed, &CutShort { stopped: true }).await?;
        }
        Ok(Outcome::Report(Report::SetupEnded { execution, stopped: !done }))
    }

    /// Whether the execution still waits for its workspace.
    pub(super) async fn is_preparing(&self, execution: ExecutionId) -> Result<bool, Failure> {
        Ok(self.reload().await?.activity == Some(Activity::Preparing { execution }))
    }

    /// An empty log for what the setup says.
    pub(super) async fn begin_setup_log(&self) -> Result<PathBuf, Failure> {
        let log = self.engine.0.home.log(self.task.id.uuid());
        tokio::fs::write(&log, "").await?;
        self.reach("setup.begun").await?;
        Ok(log)
    }

    /// Whether it came to its end; killed at any point and called again, it begins anew.
    async fn set_up(
        &self,
        execution: ExecutionId,
        stop: &CancellationToken,
    ) -> Result<bool, Failure> {
        if !self.is_preparing(execution).await? {
            return Ok(false);
        }
        let repo = self.engine.repo_of(&self.task).await?;
        let worktree = self.usable_worktree(&repo).await?;
        let definition = self.definition(&worktree, self.workspace()?).await?;
        let fingerprint = definition.fingerprint(self.place);
        if worktree.setup_note().await?.as_ref() == Some(&fingerprint) {
            return Ok(true);
        }
        worktree.forget_setup().await?;
        let log = self.begin_setup_log().await?;
        self.lease_ports(definition.setup.ports).await?;
        self.reach("setup.leased").await?;
        if let Some(list) = &definition.list
            && !self.include(&worktree, list, &log, stop).await?
        {
            return Ok(false);
        }
        self.reach("setup.included").await?;
        let surroundings = self.surroundings_in(&worktree).await?;
        if !self
            .run_commands(execution.into(), &definition.setup, &surroundings, &log, stop)
            .await?
        {
            return Ok(false);
        }
        self.reach("setup.ran").await?;
        worktree.note_setup(&fingerprint).await?;
        self.reach("setup.noted").await?;
        Ok(true)
    }

    async fn include(
        &self,
        worktree: &HeldWorktree,
        list: &IncludeList,
        log: &Path,
        stop: &CancellationToken,
    ) -> Result<bool, Failure> {
        let stopped = stop.clone();
        let included =
            worktree.include(list, move || stopped.is_cancelled()).await.map_err(not_included)?;
        say(log, &describe(&included)).await?;
        Ok(!included.stopped)
    }

    /// Runs the project's commands until one fails; whether they came to their end.
    pub(super) async fn run_commands(
        &self,
        mark: RunMark,
        setup: &Setup,
        surroundings: &Surroundings,
        log: &Path,
        stop: &CancellationToken,
    ) -> Result<bool, Failure> {
        let inner = &self.engine.0;
        let limit = Duration::from_secs(setup.timeout_seconds());
        let deadline = Instant::now() + limit;
        let secrets = self.secrets(surroundings).await?;
        let clear = |text: &str| without(&secrets, &setup.redacted(text));
        for command in &setup.commands {
            say(log, &format!("$ {}\n", clear(command))).await?;
            let invocation =
                surroundings.shell(command).env("FORGE_EXECUTION_ID", mark.to_string());
            let veil = Veil::over(log, Redactor::new(&secrets))?;
            let spec = Spec::new(invocation, mark.of_processes()?, veil.output())
                .log_cap(inner.limits.log_bytes)
                .deadline(deadline.saturating_duration_since(Instant::now()));
            let running = forge_proc::spawn(spec).await;
            let running = running
                .map_err(|error| Failure::of(AnnotationType::SetupFailed, error.to_string()))?;
            self.reach("setup.spawned").await?;
            let veiling = veil.follow(running.log_grows());
            let ended = running.wait(stop).await;
            veiling.done().await?;
            let (how, exit_code) = match ended.ending {
                Ending::Exited(0) => continue,
                Ending::Stopped => return Ok(false),
                Ending::Exited(code) => (format!("exited with code {code}"), Some(code)),
                Ending::Signalled(signal) => (format!("was ended by signal {signal}"), None),
                Ending::TimedOut => {
                    (format!("was not done after {} seconds", limit.as_secs()), None)
                }
            };
            return Err(Failure::Final {
                trouble: AnnotationType::SetupFailed,
                message: format!(
                    "the setup command `{}` {how}; correct it, then move the task back to try again",
                    clear(command)
                ),
                details: serde_json::json!({
                    "command": clear(command),
                    "exit_code": exit_code,
                    "timed_out": ended.ending == Ending::TimedOut,
                    "output_tail": last_lines(&clear(&ended.tail)),
                }),
            });
        }
        Ok(true)
    }
}

/// A list that cannot be used, or a disk that is full, waits for a person like a command that failed.
pub(super) fn not_included(error: IncludeError) -> Failure {
    match error {
        IncludeError::Unusable { .. } | IncludeError::Git(GitError::File { .. }) => {
            Failure::of(AnnotationType::SetupFailed, error.to_string())
        }
        IncludeError::Git(error) => error.into(),
    }
}

fn describe(included: &Included) -> String {
    let Included { files, links, present, left_out, reasons, .. } = included;
    let mut text = format!(
        ".worktreeinclude: {files} files and {links} symlinks copied, {present} were there, {left_out} left out\n"
    );
    for reason in reasons {
        text.push_str(&format!("  left out: {reason}\n"));
    }
    text
}

async fn say(log: &Path, text: &str) -> Result<(), Failure> {
    let mut file = tokio::fs::OpenOptions::new().create(true).append(true).open(log).await?;
    file.write_all(text.as_bytes()).await?;
    Ok(file.flush().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// W-13: workspaces carry this note; another text for the same setup would run it again in each of them.
    #[test]
    fn w_13_the_note_of_a_setup_never_changes() {
        let setup = serde_json::json!({ "setup": {
            "ports": 2, "env": { "B": "2", "A": "1" }, "commands": ["make"], "timeout_seconds": 5,
        } });
        let definition = Definition { setup: Setup::of(&setup).expect("a setup"), list: None };
        let task = "01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let known = "a4f71efe3c41eacc7d6c309be68bbda4110fe0a8d3fff8c3fb446c7894c42f94";
        assert_eq!(definition.fingerprint(task), known);
    }
}
