//! Runs a project's setup in a new workspace, before the agent starts (W-13).

use crate::command::clock::Clock;
use crate::effects::process_owner::ProcessOwner;
use crate::effects::process_registry::ProcessRegistry;
use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::execution::agent_program::last_lines;
use crate::execution::execution_env::{ExecutionEnv, ExecutionEnvs};
use crate::execution::secrets::redact;
use crate::execution::transcript::RedactingLog;
use crate::nodes::data_directory::DataDirectory;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_agent::SecretRedactor;
use forge_domain::project::ProjectSetup;
use forge_domain::task::{AnnotationType, Workspace};
use forge_domain::{CanonicalJson, EffectReport, ExecutionId, TaskId};
use forge_git::{
    GitError, IncludeError, IncludeList, IncludeOutcome, LockedWorktree, ObjectId, Worktree,
};
use forge_proc::{ProcessEnding, SupervisionSpec};
use forge_store::Db;
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Journalled if the task moved on before the setup ended.
#[derive(Debug, Serialize)]
struct SetupInterrupted {
    stopped: bool,
}

/// Everything that a workspace's setup depends on.
#[derive(Debug)]
struct SetupDefinition {
    setup: ProjectSetup,
    list: Option<IncludeList>,
}

impl SetupDefinition {
    fn is_empty(&self) -> bool {
        self.setup.is_empty() && self.list.is_none()
    }

    /// Changes with the definition, and with the task that uses the directory.
    fn fingerprint(&self, task: TaskId) -> String {
        let list = self.list.as_ref().map(IncludeList::text);
        let all = serde_json::json!({ "task": task, "setup": self.setup, "list": list });
        CanonicalJson::of(all).digest()
    }
}

/// Sets up new workspaces: ports, included files, commands.
#[derive(Debug, Clone)]
pub(crate) struct WorkspaceSetup {
    pub(crate) log_bytes: u64,
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) envs: ExecutionEnvs,
    pub(crate) ports: RangeInclusive<u16>,
    pub(crate) processes: ProcessRegistry,
    pub(crate) repos: TaskRepos,
    pub(crate) workspaces: Workspaces,
}

impl WorkspaceSetup {
    pub(crate) async fn set_up_workspace(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        let guard = self.processes.register(execution.uuid());
        effect.end_leftovers(execution.uuid()).await?;
        let done = self.run_setup(effect, execution, &guard.stop).await?;
        self.setup_ended(effect, execution, done).await
    }

    /// Reports whether the setup completed.
    pub(crate) async fn setup_ended(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
        done: bool,
    ) -> Result<EffectOutcome, EffectError> {
        if !done {
            effect.journal_intent(&SetupInterrupted { stopped: true }).await?;
        }
        Ok(EffectOutcome::Report(EffectReport::SetupEnded { execution, stopped: !done }))
    }

    /// Creates an empty setup log.
    pub(crate) async fn begin_setup_log(
        &self,
        effect: &EffectContext,
    ) -> Result<PathBuf, EffectError> {
        let log = self.home.log(effect.task.id.uuid());
        tokio::fs::write(&log, "").await?;
        effect.pass_fault_point("setup.begun").await?;
        Ok(log)
    }

    /// Runs the setup; returns whether it completed. After a kill it starts again from the beginning.
    async fn run_setup(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
        stop: &CancellationToken,
    ) -> Result<bool, EffectError> {
        if !effect.is_preparing(execution).await? {
            return Ok(false);
        }
        let repo = self.repos.open_of_effect(effect).await?;
        let worktree = self.workspaces.lock_usable_worktree(effect, &repo).await?;
        let definition = definition(effect, &worktree, effect.workspace()?).await?;
        let fingerprint = definition.fingerprint(effect.workspace_owner);
        if worktree.load_setup_note().await?.as_ref() == Some(&fingerprint) {
            return Ok(true);
        }
        worktree.remove_setup_note().await?;
        let log = self.begin_setup_log(effect).await?;
        self.lease_ports(effect, definition.setup.ports).await?;
        effect.pass_fault_point("setup.leased").await?;
        if let Some(list) = &definition.list
            && !copy_included_files(&worktree, list, &log, stop).await?
        {
            return Ok(false);
        }
        effect.pass_fault_point("setup.included").await?;
        let env = self.envs.build_worktree_env(effect, &worktree).await?;
        if !self.run_commands(effect, execution.into(), &definition.setup, &env, &log, stop).await?
        {
            return Ok(false);
        }
        effect.pass_fault_point("setup.ran").await?;
        worktree.save_setup_note(&fingerprint).await?;
        effect.pass_fault_point("setup.noted").await?;
        Ok(true)
    }

    /// Runs the project's commands until one fails; returns whether they completed.
    pub(crate) async fn run_commands(
        &self,
        effect: &EffectContext,
        mark: ProcessOwner,
        setup: &ProjectSetup,
        env: &ExecutionEnv,
        log: &Path,
        stop: &CancellationToken,
    ) -> Result<bool, EffectError> {
        let limit = Duration::from_secs(setup.timeout_seconds());
        let deadline = Instant::now() + limit;
        let secrets = self.envs.load_secrets(effect, env).await?;
        let clear = |text: &str| redact(&secrets, &setup.redacted(text));
        for command in &setup.commands {
            append_log(log, &format!("$ {}\n", clear(command))).await?;
            let invocation = env.shell(command).env("FORGE_EXECUTION_ID", mark.to_string());
            let redacting_log = RedactingLog::open(log, SecretRedactor::new(&secrets))?;
            let spec =
                SupervisionSpec::new(invocation, mark.process_mark()?, redacting_log.output())
                    .log_cap(self.log_bytes)
                    .deadline(deadline.saturating_duration_since(Instant::now()));
            let running = forge_proc::spawn(spec).await;
            let running = running.map_err(|error| {
                EffectError::for_person(AnnotationType::SetupFailed, error.to_string())
            })?;
            effect.pass_fault_point("setup.spawned").await?;
            let redacting_task = redacting_log.follow(running.watch_log_size());
            let ended = running.wait(stop).await;
            redacting_task.finish().await?;
            let (how, exit_code) = match ended.ending {
                ProcessEnding::Exited(0) => continue,
                ProcessEnding::Stopped => return Ok(false),
                ProcessEnding::Exited(code) => (format!("exited with code {code}"), Some(code)),
                ProcessEnding::Signalled(signal) => (format!("was ended by signal {signal}"), None),
                ProcessEnding::TimedOut => {
                    (format!("was not done after {} seconds", limit.as_secs()), None)
                }
            };
            return Err(EffectError::NeedsPerson {
                trouble: AnnotationType::SetupFailed,
                message: format!(
                    "the setup command `{}` {how}; correct it, then move the task back to try again",
                    clear(command)
                ),
                details: serde_json::json!({
                    "command": clear(command),
                    "exit_code": exit_code,
                    "timed_out": ended.ending == ProcessEnding::TimedOut,
                    "output_tail": last_lines(&clear(&ended.tail)),
                }),
            });
        }
        Ok(true)
    }
}

/// The report of a workspace: the agent can start, or setup comes first.
pub(crate) async fn workspace_report(
    effect: &EffectContext,
    execution: ExecutionId,
    workspace: Workspace,
    worktree: &Worktree,
) -> Result<EffectReport, EffectError> {
    Ok(if setup_is_due(effect, worktree, &workspace).await? {
        EffectReport::WorkspaceMade { execution, workspace }
    } else {
        EffectReport::WorkspaceReady { execution, workspace }
    })
}

async fn setup_is_due(
    effect: &EffectContext,
    worktree: &Worktree,
    known: &Workspace,
) -> Result<bool, EffectError> {
    // The setup effect reports invalid settings, once the workspace is recorded.
    let Ok(definition) = definition(effect, worktree, known).await else { return Ok(true) };
    if definition.is_empty() {
        return Ok(false);
    }
    let note = worktree.load_setup_note().await?;
    Ok(note != Some(definition.fingerprint(effect.workspace_owner)))
}

async fn definition(
    effect: &EffectContext,
    worktree: &Worktree,
    known: &Workspace,
) -> Result<SetupDefinition, EffectError> {
    let base = ObjectId::new(known.base.clone())
        .map_err(|error| EffectError::workspace(error.to_string()))?;
    let list = worktree.include_list(&base).await.map_err(include_failed)?;
    Ok(SetupDefinition { setup: effect.setup()?.clone(), list })
}

async fn copy_included_files(
    worktree: &LockedWorktree,
    list: &IncludeList,
    log: &Path,
    stop: &CancellationToken,
) -> Result<bool, EffectError> {
    let stopped = stop.clone();
    let included =
        worktree.include(list, move || stopped.is_cancelled()).await.map_err(include_failed)?;
    append_log(log, &describe(&included)).await?;
    Ok(!included.stopped)
}

/// An invalid include list or a full disk needs a person, like a failed command.
pub(crate) fn include_failed(error: IncludeError) -> EffectError {
    match error {
        IncludeError::Unusable { .. } | IncludeError::Git(GitError::File { .. }) => {
            EffectError::for_person(AnnotationType::SetupFailed, error.to_string())
        }
        IncludeError::Git(error) => error.into(),
    }
}

fn describe(included: &IncludeOutcome) -> String {
    let IncludeOutcome {
        files,
        symlinks: links,
        already_present: present,
        skipped: left_out,
        reasons,
        ..
    } = included;
    let mut text = format!(
        ".worktreeinclude: {files} files and {links} symlinks copied, {present} were there, {left_out} left out\n"
    );
    for reason in reasons {
        text.push_str(&format!("  left out: {reason}\n"));
    }
    text
}

async fn append_log(log: &Path, text: &str) -> Result<(), EffectError> {
    let mut file = tokio::fs::OpenOptions::new().create(true).append(true).open(log).await?;
    file.write_all(text.as_bytes()).await?;
    Ok(file.flush().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// W-13: workspaces store this fingerprint; another value for the same setup would run it again in each of them.
    #[test]
    fn w_13_the_note_of_a_setup_never_changes() {
        let setup = serde_json::json!({
            "ports": 2, "env": { "B": "2", "A": "1" }, "commands": ["make"], "timeout_seconds": 5,
        });
        let setup = serde_json::from_value(setup).expect("a setup");
        let definition = SetupDefinition { setup, list: None };
        let task = "01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let known = "a4f71efe3c41eacc7d6c309be68bbda4110fe0a8d3fff8c3fb446c7894c42f94";
        assert_eq!(definition.fingerprint(task), known);
    }
}
