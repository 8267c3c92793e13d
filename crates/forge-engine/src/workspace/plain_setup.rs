//! Setup of a plain directory (W-1, W-13). All tasks share it, so setup runs once for all, and again if the next task
//! has other ports.

use crate::admin::ProjectSetup;
use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::workspace::plain_directory::PlainDirectory;
use crate::workspace::setup_effect::is_empty_setup;
use forge_domain::{CanonicalJson, ExecutionId};
use forge_git::SetupNote;
use forge_store::tables;
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;
use tokio_util::sync::CancellationToken;

impl EffectRun<'_> {
    /// Whether the directory still needs setup for this task.
    pub(crate) async fn plain_setup_is_due(
        &self,
        place: &PlainDirectory,
    ) -> Result<bool, EffectError> {
        // The setup effect reports invalid settings, once the workspace is recorded.
        let Ok(setup) = self.setup() else { return Ok(true) };
        if is_empty_setup(&setup) {
            return Ok(false);
        }
        let note = self.plain_note(place).load().await?;
        Ok(note != Some(self.plain_fingerprint(&setup, place).await?))
    }

    pub(crate) async fn set_up_plain(
        &self,
        execution: ExecutionId,
        place: &PlainDirectory,
    ) -> Result<EffectOutcome, EffectError> {
        let guard = self.engine.0.processes.register(execution.uuid());
        self.end_leftovers(execution.uuid()).await?;
        let done = match self.lock_plain_directory(place, &guard.stop).await? {
            Some(_hold) if self.is_preparing(execution).await? => {
                self.ensure_plain_setup(execution, place, &guard.stop).await?
            }
            _ => false,
        };
        self.setup_ended(execution, done).await
    }

    /// Ensures with the lock held that the directory is set up. Another task may have used the directory since, so
    /// every effect checks again.
    pub(crate) async fn ensure_plain_setup(
        &self,
        execution: ExecutionId,
        place: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<bool, EffectError> {
        let setup = self.setup()?;
        if is_empty_setup(&setup) {
            return Ok(true);
        }
        self.lease_ports(setup.ports).await?;
        self.pass_fault_point("setup.leased").await?;
        let note = self.plain_note(place);
        let wanted = self.plain_fingerprint(&setup, place).await?;
        if note.load().await?.as_ref() == Some(&wanted) {
            return Ok(true);
        }
        note.remove().await?;
        let log = self.begin_setup_log().await?;
        let surroundings = self.build_env(&place.path(), None).await?;
        if !self.run_commands(execution.into(), &setup, &surroundings, &log, stop).await? {
            return Ok(false);
        }
        self.pass_fault_point("setup.ran").await?;
        note.save(&wanted).await?;
        self.pass_fault_point("setup.noted").await?;
        Ok(true)
    }

    /// Stored outside the directory, which belongs to the user, and keyed by path, because several projects can name
    /// it.
    fn plain_note(&self, place: &PlainDirectory) -> SetupNote {
        let path = place.path();
        let bytes = path.as_os_str().as_encoded_bytes();
        let name = CanonicalJson::of(serde_json::json!(bytes)).digest();
        SetupNote::at(self.engine.0.home.locks().join(format!("setup-{name}")))
    }

    /// Hash of everything that the setup depends on. A recreated directory has another inode, or another birth time
    /// where the filesystem has one.
    async fn plain_fingerprint(
        &self,
        setup: &ProjectSetup,
        place: &PlainDirectory,
    ) -> Result<String, EffectError> {
        let ports = tables::ports::of_task(self.engine.db(), self.workspace_owner).await?;
        let ports: Vec<_> = ports.iter().map(|lease| (lease.slot, lease.port)).collect();
        let found = tokio::fs::metadata(place.path()).await.ok();
        let born = found.as_ref().and_then(|found| found.created().ok());
        let born = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
        let directory = (found.map(|found| found.ino()), born);
        let all = serde_json::json!({ "setup": setup, "ports": ports, "directory": directory });
        Ok(CanonicalJson::of(all).digest())
    }
}
