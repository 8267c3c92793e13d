//! The setup of a plain directory (W-1, W-13). All tasks share it, so it is done once for all of them, and again where
//! the next task has other ports.

use super::perform::Step;
use super::setup::asks_for_nothing;
use super::{Failure, Outcome};
use crate::plain::PlainDirectory;
use crate::registry::Setup;
use forge_domain::{Canonical, ExecutionId};
use forge_git::SetupNote;
use forge_store::tables;
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;
use tokio_util::sync::CancellationToken;

impl Step<'_> {
    /// Whether the directory is not set up yet as this task needs it.
    pub(super) async fn plain_setup_is_due(&self, place: &PlainDirectory) -> Result<bool, Failure> {
        // What is wrong with it is for the setup to say, once the workspace is on record.
        let Ok(setup) = self.setup() else { return Ok(true) };
        if asks_for_nothing(&setup) {
            return Ok(false);
        }
        let note = self.plain_note(place).load().await?;
        Ok(note != Some(self.plain_fingerprint(&setup, place).await?))
    }

    pub(super) async fn set_up_plain(
        &self,
        execution: ExecutionId,
        place: &PlainDirectory,
    ) -> Result<Outcome, Failure> {
        let guard = self.engine.0.runs.enter(execution.uuid());
        self.end_leftovers(execution.uuid()).await?;
        let done = match self.plain_hold(place, &guard.stop).await? {
            Some(_hold) if self.is_preparing(execution).await? => {
                self.see_to_plain_setup(execution, place, &guard.stop).await?
            }
            _ => false,
        };
        self.setup_ended(execution, done).await
    }

    /// With the directory's lock held: whether it is set up now. Another task may have had the directory since this one
    /// set it up, so whoever works there asks again.
    pub(super) async fn see_to_plain_setup(
        &self,
        execution: ExecutionId,
        place: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<bool, Failure> {
        let setup = self.setup()?;
        if asks_for_nothing(&setup) {
            return Ok(true);
        }
        self.lease_ports(setup.ports).await?;
        self.reach("setup.leased").await?;
        let note = self.plain_note(place);
        let wanted = self.plain_fingerprint(&setup, place).await?;
        if note.load().await?.as_ref() == Some(&wanted) {
            return Ok(true);
        }
        note.forget().await?;
        let log = self.begin_setup_log().await?;
        let surroundings = self.surroundings(&place.path(), None).await?;
        if !self.run_commands(execution.into(), &setup, &surroundings, &log, stop).await? {
            return Ok(false);
        }
        self.reach("setup.ran").await?;
        note.save(&wanted).await?;
        self.reach("setup.noted").await?;
        Ok(true)
    }

    /// Outside of the directory, which is the person's; by its path, since more than one project can name it.
    fn plain_note(&self, place: &PlainDirectory) -> SetupNote {
        let path = place.path();
        let bytes = path.as_os_str().as_encoded_bytes();
        let name = Canonical::of(serde_json::json!(bytes)).digest();
        SetupNote::at(self.engine.0.home.locks().join(format!("setup-{name}")))
    }

    /// All that the setup depends on. A directory that was made anew has another number, or another time of birth where
    /// the filesystem knows it.
    async fn plain_fingerprint(
        &self,
        setup: &Setup,
        place: &PlainDirectory,
    ) -> Result<String, Failure> {
        let ports = tables::ports::of_task(self.engine.db(), self.place).await?;
        let ports: Vec<_> = ports.iter().map(|lease| (lease.slot, lease.port)).collect();
        let found = tokio::fs::metadata(place.path()).await.ok();
        let born = found.as_ref().and_then(|found| found.created().ok());
        let born = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
        let directory = (found.map(|found| found.ino()), born);
        let all = serde_json::json!({ "setup": setup, "ports": ports, "directory": directory });
        Ok(Canonical::of(all).digest())
    }
}
