use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::supervise::process_outcome::ProcessExit;
use crate::tree::orphans::ExitClaim;
use crate::tree::process_identity::ProcessIdentity;

/// A process that an earlier server started and this one adopted.
#[derive(Debug)]
pub(crate) struct AdoptedProcess {
    handle: AsyncFd<OwnedFd>,
    exit_claim: ExitClaim,
    identity: ProcessIdentity,
    /// Whether dropping this value kills the process group.
    kills_on_drop: bool,
}

impl AdoptedProcess {
    /// Opens a handle to exactly this process; `None` when it has ended.
    pub(crate) fn open(identity: ProcessIdentity) -> Option<Self> {
        let pid = i32::try_from(identity.pid).ok().and_then(Pid::from_raw)?;
        // Claim the exit status first: as soon as the process is reparented here, the orphan reaper must leave its
        // status alone.
        let enrolment = ExitClaim::claim(identity.pid);
        // Open the handle before the identity is compared, so that it cannot refer to another process.
        let handle = pidfd_open(pid, PidfdFlags::empty()).ok().filter(|_| identity.is_alive());
        match handle.and_then(|handle| register_handle(handle).ok()) {
            Some(handle) => {
                Some(Self { handle, exit_claim: enrolment, identity, kills_on_drop: false })
            }
            None => {
                enrolment.release();
                None
            }
        }
    }

    /// From now on dropping this value kills the process group, as for an owned child.
    pub(crate) fn kill_on_drop(mut self) -> Self {
        self.kills_on_drop = true;
        self
    }

    /// Leaves the process running without supervision.
    pub(crate) fn release(mut self) {
        self.kills_on_drop = false;
    }

    /// Returns once the process has ended.
    pub(crate) async fn wait_for_exit(&mut self) {
        if let Err(error) = self.handle.readable().await {
            tracing::error!(%error, "could not wait for process handle");
        }
    }

    pub(crate) fn kill(&self) {
        pidfd_send_signal(self.handle.get_ref(), Signal::KILL).ok();
    }

    /// The exit, if the process was reparented to this one as an orphan; otherwise only its parent knows.
    pub(crate) fn reap(&self) -> Option<ProcessExit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let status = waitid(WaitId::PidFd(self.handle.get_ref().as_fd()), options);
        let status = status.map_err(io::Error::from).ok().flatten()?;
        let code = status.exit_status().map(ProcessExit::Code);
        code.or(status.terminating_signal().map(ProcessExit::Signal))
    }
}

impl Drop for AdoptedProcess {
    fn drop(&mut self) {
        if let Some(row) = self.identity.row().filter(|_| self.kills_on_drop) {
            row.kill_group();
        }
        self.exit_claim.release();
    }
}

fn register_handle(handle: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    #[expect(unsafe_code, reason = "tokio asks for a promise that this very type keeps")]
    // SAFETY: an owned descriptor stays open, and stays the same, until it is dropped.
    let watched = unsafe { AsyncFd::register_with_interest(handle, Interest::READABLE) };
    Ok(watched?)
}
