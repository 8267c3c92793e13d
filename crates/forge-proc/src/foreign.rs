use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::ended::Exit;
use crate::identity::ProcessIdentity;
use crate::orphans::Enrolment;

/// A process that somebody else started.
#[derive(Debug)]
pub(crate) struct Foreign {
    handle: AsyncFd<OwnedFd>,
    enrolment: Enrolment,
    identity: ProcessIdentity,
    /// Whether it ends with this value.
    ours: bool,
}

impl Foreign {
    /// Takes hold of exactly this process; `None` when it is gone.
    pub(crate) fn find(identity: ProcessIdentity) -> Option<Self> {
        let pid = i32::try_from(identity.pid).ok().and_then(Pid::from_raw)?;
        // Claimed first: from the moment it is ours, its status waits for us.
        let enrolment = Enrolment::claim(identity.pid);
        // The handle is opened first and the identity compared after, so it cannot be another's.
        let handle = pidfd_open(pid, PidfdFlags::empty()).ok().filter(|_| identity.is_alive());
        match handle.and_then(|handle| watched(handle).ok()) {
            Some(handle) => Some(Self { handle, enrolment, identity, ours: false }),
            None => {
                enrolment.strike();
                None
            }
        }
    }

    /// From now on it ends when this value goes, as a program does that we started.
    pub(crate) fn keep(mut self) -> Self {
        self.ours = true;
        self
    }

    /// Lets it run on without us.
    pub(crate) fn let_go(mut self) {
        self.ours = false;
    }

    /// Returns once it has ended.
    pub(crate) async fn ended(&mut self) {
        if let Err(error) = self.handle.readable().await {
            tracing::error!(%error, "a process handle cannot be waited for");
        }
    }

    pub(crate) fn kill(&self) {
        pidfd_send_signal(self.handle.get_ref(), Signal::KILL).ok();
    }

    /// How it left, if it came to us as an orphan; else only its parent knows.
    pub(crate) fn collect(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let status = waitid(WaitId::PidFd(self.handle.get_ref().as_fd()), options);
        let status = status.map_err(io::Error::from).ok().flatten()?;
        let code = status.exit_status().map(Exit::Code);
        code.or(status.terminating_signal().map(Exit::Signal))
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if let Some(row) = self.identity.row().filter(|_| self.ours) {
            row.kill_group();
        }
        self.enrolment.strike();
    }
}

fn watched(handle: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    #[expect(unsafe_code, reason = "tokio asks for a promise that this very type keeps")]
    // SAFETY: an owned descriptor stays open, and stays the same, until it is dropped.
    let watched = unsafe { AsyncFd::register_with_interest(handle, Interest::READABLE) };
    Ok(watched?)
}
