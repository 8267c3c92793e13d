//! The workspaces of runs that the last server left: locked again before anything else can begin, and kept so until the
//! step that goes on with the run takes them over (P-5, E-12).

use crate::effects::{Failure, GRACE, directory_of, mark_of};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::on_restart::OnRestart;
use forge_domain::task::Activity;
use forge_domain::{Effect, ExecutionId, ProcessRecord};
use forge_git::{Patience, WorkspaceHold};
use forge_proc::ProcessIdentity;
use forge_store::tables::{self, effects::EffectRow};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use uuid::Uuid;

/// Nobody else is there yet; only a child of the dead server that is not quite another program.
const PATIENCE: Patience = Patience::Wait(Duration::from_secs(5));

/// The locks, by execution.
#[derive(Debug, Default)]
pub(crate) struct Regained(Mutex<HashMap<ExecutionId, WorkspaceHold>>);

/// What a start found of the agents that were at work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RunsFound {
    /// Still at work, and taken over.
    pub adopted: u64,
    /// Still at work, and ended.
    pub ended: u64,
    /// They had come to their end by themselves meanwhile, and it is known how.
    pub finished: u64,
    /// Gone, nobody knows how.
    pub lost: u64,
}

enum Fate {
    Adopted,
    Ended,
    Finished,
    Lost,
}

impl Regained {
    fn keep(&self, execution: ExecutionId, hold: WorkspaceHold) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(execution, hold);
    }

    /// Hands the lock over.
    pub(crate) fn take(&self, execution: ExecutionId) -> Option<WorkspaceHold> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&execution)
    }
}

impl RunsFound {
    fn count(&mut self, fate: &Fate) {
        let one = match fate {
            Fate::Adopted => &mut self.adopted,
            Fate::Ended => &mut self.ended,
            Fate::Finished => &mut self.finished,
            Fate::Lost => &mut self.lost,
        };
        *one += 1;
    }
}

impl Engine {
    /// Locks the workspaces of all turns that this node had begun, and says what became of them. Call it before
    /// anything else can be carried out.
    pub(crate) async fn regain(&self, taken: &[EffectRow]) -> RunsFound {
        let mut found = RunsFound::default();
        for row in taken.iter().filter(|row| row.journal.is_some()) {
            let Effect::RunTurn { execution } = row.effect else { continue };
            match self.regain_one(row, execution).await {
                Ok(fate) => found.count(&fate),
                Err(failure) => {
                    // Its own step takes the lock then, and ends the run if it cannot.
                    tracing::warn!(%execution, ?failure, "a run could not be looked at");
                }
            }
        }
        if let Err(failure) = self.end_strays().await {
            tracing::error!(?failure, "agents that are nobody's any more may still run");
        }
        found
    }

    /// Ends agents that go on although their run is over: another node took their turn over meanwhile.
    async fn end_strays(&self) -> Result<(), Failure> {
        let open = tables::executions::list_open(self.db()).await?;
        let open: HashSet<Uuid> = open.iter().map(|run| run.id.uuid()).collect();
        let strays = self.0.home.load_unattended()?;
        for stray in strays.into_iter().filter(|stray| !open.contains(stray)) {
            let ended = forge_proc::end_marked(&mark_of(stray)?, GRACE).await?;
            let rest = forge_proc::read_rest(&self.0.home.log(stray)).await;
            tracing::info!(execution = %stray, ended, rest = rest.is_ok(), "a run was nobody's any more");
        }
        Ok(())
    }

    async fn regain_one(&self, row: &EffectRow, execution: ExecutionId) -> Result<Fate, Failure> {
        let mut task = self.task(row.task_id).await?;
        self.lend_place(&mut task).await?;
        let project = self.project(row.project_id).await?;
        let holder = self.holder(execution.to_string())?;
        let hold = match (self.directory_of(&project)?, &task.workspace) {
            (Some(place), _) => self.hold_plain(&place, holder, PATIENCE).await?,
            (None, Some(workspace)) => {
                let (root, name) = (&self.0.root, directory_of(workspace)?);
                self.0.workspace_locks.hold(root, &name, holder, PATIENCE).await?
            }
            (None, None) => return Ok(Fate::Lost),
        };
        self.0.regained.keep(execution, hold);
        let stopping = matches!(task.activity, Some(Activity::Stopping { .. }));
        let alive = self.process_of(execution).await?.is_some_and(|process| process.is_alive());
        Ok(match (alive, self.0.limits.on_restart) {
            (true, OnRestart::Adopt) if !stopping => Fate::Adopted,
            (true, _) => Fate::Ended,
            (false, _) if forge_proc::load_exit(&self.0.home.log(execution.uuid())).is_some() => {
                Fate::Finished
            }
            (false, _) => Fate::Lost,
        })
    }

    /// The process of a run, as it was written down when it had started.
    pub(crate) async fn process_of(
        &self,
        execution: ExecutionId,
    ) -> Result<Option<ProcessIdentity>, EngineError> {
        let row = tables::executions::load(self.db(), execution).await?;
        Ok(row.and_then(|row| row.process).and_then(identity_of))
    }
}

fn identity_of(record: ProcessRecord) -> Option<ProcessIdentity> {
    let ProcessRecord { pid, start_ticks, boot_id } = record;
    // 0 stands for a number that did not fit.
    let pid = u32::try_from(pid).ok().filter(|pid| *pid > 0)?;
    Some(ProcessIdentity { pid, start_ticks, boot_id })
}
