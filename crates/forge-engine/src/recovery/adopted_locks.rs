//! Adopted workspace locks of executions that the last server left: taken before anything else starts, and kept until
//! the effect that adopts the execution takes them over (P-5, E-12).

use crate::command::errors::EngineError;
use crate::effects::{EffectError, GRACE, process_mark};
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::startup_recovery::Recovery;
use crate::workspace::locate::{directory_of, lock_holder};
use forge_domain::task::TaskActivity;
use forge_domain::{Effect, ExecutionId, ProcessRecord};
use forge_git::{LockWait, WorkspaceLockGuard};
use forge_proc::ProcessIdentity;
use forge_store::Db;
use forge_store::tables::{self, effects::EffectRow};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use uuid::Uuid;

/// No other server runs yet; only a forked child of the dead server before its exec may hold the lock.
const PATIENCE: LockWait = LockWait::Wait(Duration::from_secs(5));

/// The adopted locks, by execution.
#[derive(Debug, Clone, Default)]
pub(crate) struct AdoptedLocks(Arc<Mutex<HashMap<ExecutionId, WorkspaceLockGuard>>>);

/// What start-up found of running agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RecoveredExecutions {
    /// Still running, and adopted.
    pub adopted: u64,
    /// Still running, and ended.
    pub ended: u64,
    /// Ended by themselves meanwhile, with a known exit status.
    pub finished: u64,
    /// Gone, with unknown exit status.
    pub lost: u64,
}

enum ExecutionRecovery {
    Adopted,
    Ended,
    Finished,
    Lost,
}

impl AdoptedLocks {
    fn keep(&self, execution: ExecutionId, hold: WorkspaceLockGuard) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(execution, hold);
    }

    /// Hands over the lock of an execution.
    pub(crate) fn take(&self, execution: ExecutionId) -> Option<WorkspaceLockGuard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&execution)
    }
}

impl RecoveredExecutions {
    fn count(&mut self, fate: &ExecutionRecovery) {
        let one = match fate {
            ExecutionRecovery::Adopted => &mut self.adopted,
            ExecutionRecovery::Ended => &mut self.ended,
            ExecutionRecovery::Finished => &mut self.finished,
            ExecutionRecovery::Lost => &mut self.lost,
        };
        *one += 1;
    }
}

impl Recovery {
    /// Locks the workspaces of all executions that this node had started, and returns what happened to them. Must run
    /// before any effect.
    pub(crate) async fn adopt_locks(&self, taken: &[EffectRow]) -> RecoveredExecutions {
        let mut found = RecoveredExecutions::default();
        for row in taken.iter().filter(|row| row.journal.is_some()) {
            let Effect::RunExecution { execution } = row.effect else { continue };
            match self.adopt_lock(row, execution).await {
                Ok(fate) => found.count(&fate),
                Err(failure) => {
                    // The execution's own effect takes the lock later, and ends the execution if it cannot.
                    tracing::warn!(%execution, ?failure, "could not examine an execution");
                }
            }
        }
        if let Err(failure) = self.end_stray_agents().await {
            tracing::error!(?failure, "agents of finished executions may still run");
        }
        found
    }

    /// Ends agents whose execution is over because another node took over their effect.
    async fn end_stray_agents(&self) -> Result<(), EffectError> {
        let open = tables::executions::list_open(&self.db).await?;
        let open: HashSet<Uuid> = open.iter().map(|run| run.id.uuid()).collect();
        let strays = self.home.load_unattended()?;
        for stray in strays.into_iter().filter(|stray| !open.contains(stray)) {
            let ended = forge_proc::end_marked_processes(&process_mark(stray)?, GRACE).await?;
            let log = self.home.log(stray);
            let rest = forge_proc::read_remaining_output(&log).await;
            forge_proc::remove_process_records(&log)?;
            tracing::info!(execution = %stray, ended, rest = rest.is_ok(), "removed the remains of a finished execution");
        }
        Ok(())
    }

    async fn adopt_lock(
        &self,
        row: &EffectRow,
        execution: ExecutionId,
    ) -> Result<ExecutionRecovery, EffectError> {
        let mut task = self.records.task(row.task_id).await?;
        self.records.load_parent_workspace(&mut task).await?;
        let project = self.records.project(row.project_id).await?;
        let holder = lock_holder(self.home.node(), execution.to_string())?;
        let hold = match (self.plain_directories.load_plain_directory(&project)?, &task.workspace) {
            (Some(place), _) => {
                self.plain_directories.lock_plain_directory(&place, holder, PATIENCE).await?
            }
            (None, Some(workspace)) => {
                let (root, name) = (&self.root, directory_of(workspace)?);
                self.workspace_locks.acquire(root, &name, holder, PATIENCE).await?
            }
            (None, None) => return Ok(ExecutionRecovery::Lost),
        };
        self.adopted_locks.keep(execution, hold);
        let stopping = matches!(task.activity, Some(TaskActivity::Stopping { .. }));
        let log = self.home.log(execution.uuid());
        let process = load_process(&self.db, execution)
            .await?
            .or_else(|| forge_proc::load_program_identity(&log));
        let alive = process.is_some_and(|process| process.is_alive());
        Ok(match (alive, self.restart_policy) {
            (true, RestartPolicy::Adopt) if !stopping => ExecutionRecovery::Adopted,
            (true, _) => ExecutionRecovery::Ended,
            (false, _) if has_noted_end(row) || forge_proc::load_ending(&log).is_some() => {
                ExecutionRecovery::Finished
            }
            (false, _) => ExecutionRecovery::Lost,
        })
    }
}

/// The recorded process of an execution.
pub(crate) async fn load_process(
    db: &Db,
    execution: ExecutionId,
) -> Result<Option<ProcessIdentity>, EngineError> {
    let row = tables::executions::load(db, execution).await?;
    Ok(row.and_then(|row| row.process).and_then(identity_of))
}

/// Whether an earlier server journalled the end of the execution.
fn has_noted_end(row: &EffectRow) -> bool {
    let journal = row.journal.as_deref().and_then(|text| serde_json::from_str(text).ok());
    journal.is_some_and(|journal: serde_json::Value| !journal["seen"].is_null())
}

fn identity_of(record: ProcessRecord) -> Option<ProcessIdentity> {
    let ProcessRecord { pid, start_ticks, boot_id } = record;
    // Zero marks a pid that did not fit.
    let pid = u32::try_from(pid).ok().filter(|pid| *pid > 0)?;
    Some(ProcessIdentity { pid, start_ticks, boot_id })
}
