//! Setup of a plain directory (W-1, W-13). All tasks share it, so setup runs once for all, and again if the next task
//! has other ports.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::workspace::plain_directory::PlainDirectory;
use crate::workspace::plain_effects::PlainEffects;
use forge_domain::project::ProjectSetup;
use forge_domain::{CanonicalJson, ExecutionId};
use forge_git::SetupNote;
use forge_store::tables;
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;
use tokio_util::sync::CancellationToken;

impl PlainEffects {
    /// Whether the directory still needs setup for this task.
    pub(crate) async fn plain_setup_is_due(
        &self,
        effect: &EffectContext,
        directory: &PlainDirectory,
    ) -> Result<bool, EffectError> {
        // The setup effect reports invalid settings, once the workspace is recorded.
        let Ok(setup) = effect.setup() else { return Ok(true) };
        if setup.is_empty() {
            return Ok(false);
        }
        let note = self.plain_note(directory).load().await?;
        Ok(note != Some(self.plain_fingerprint(effect, setup, directory).await?))
    }

    pub(crate) async fn set_up_plain(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
        directory: &PlainDirectory,
    ) -> Result<EffectOutcome, EffectError> {
        let guard = self.processes.register(execution.uuid());
        effect.end_leftovers(execution.uuid()).await?;
        let done = match self.lock_plain_directory(effect, directory, &guard.stop).await? {
            Some(_hold) if effect.is_preparing(execution).await? => {
                self.ensure_plain_setup(effect, execution, directory, &guard.stop).await?
            }
            _ => false,
        };
        self.setup.setup_ended(effect, execution, done).await
    }

    /// Ensures with the lock held that the directory is set up. Another task may have used the directory since, so
    /// every effect checks again.
    pub(crate) async fn ensure_plain_setup(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
        directory: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<bool, EffectError> {
        let setup = effect.setup()?;
        if setup.is_empty() {
            return Ok(true);
        }
        self.setup.lease_ports(effect, setup.ports).await?;
        effect.pass_fault_point("setup.leased").await?;
        let note = self.plain_note(directory);
        let wanted = self.plain_fingerprint(effect, setup, directory).await?;
        if note.load().await?.as_ref() == Some(&wanted) {
            return Ok(true);
        }
        note.remove().await?;
        let log = self.setup.begin_setup_log(effect).await?;
        let env = self.envs.build_env(effect, &directory.path(), None).await?;
        if !self.setup.run_commands(effect, execution.into(), setup, &env, &log, stop).await? {
            return Ok(false);
        }
        effect.pass_fault_point("setup.ran").await?;
        note.save(&wanted).await?;
        effect.pass_fault_point("setup.noted").await?;
        Ok(true)
    }

    /// Stored outside the directory, which belongs to the user, and keyed by path, because several projects can name
    /// it.
    fn plain_note(&self, directory: &PlainDirectory) -> SetupNote {
        let path = directory.path();
        let bytes = path.as_os_str().as_encoded_bytes();
        let name = CanonicalJson::of(serde_json::json!(bytes)).digest();
        SetupNote::at(self.home.locks().join(format!("setup-{name}")))
    }

    /// Hash of everything that the setup depends on. A recreated directory has another inode, or another birth time
    /// where the filesystem has one.
    async fn plain_fingerprint(
        &self,
        effect: &EffectContext,
        setup: &ProjectSetup,
        directory: &PlainDirectory,
    ) -> Result<String, EffectError> {
        let ports = tables::ports::of_task(&self.db, effect.workspace_owner).await?;
        let ports: Vec<_> = ports.iter().map(|lease| (lease.slot, lease.port)).collect();
        let found = tokio::fs::metadata(directory.path()).await.ok();
        let born = found.as_ref().and_then(|found| found.created().ok());
        let born = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
        let directory = (found.map(|found| found.ino()), born);
        let all = serde_json::json!({ "setup": setup, "ports": ports, "directory": directory });
        Ok(CanonicalJson::of(all).digest())
    }
}
