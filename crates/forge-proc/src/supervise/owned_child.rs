use std::io;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, setpriority_process, waitid,
};
use tokio::process::{ChildStdin, Command};
use tokio::signal::unix::{SignalKind, signal};

use crate::supervise::priority::{BACKGROUND_STEPS, BackgroundShare, priority_below_own};
use crate::tree::limit_tag::LimitTag;
use crate::tree::orphans;
use crate::tree::orphans::ExitClaim;

const LOWEST_PRIORITY: i32 = 19;

/// A child of this process that leads its own process group. Until it is reaped the kernel does not reuse its pid,
/// group or session number, which makes signalling them safe.
#[derive(Debug)]
pub(crate) struct OwnedChild {
    child: Box<dyn ChildWrapper>,
    pid: Pid,
    exits: tokio::signal::unix::Signal,
    exit_claim: ExitClaim,
    reaped: bool,
    background_share: Option<BackgroundShare>,
}

impl OwnedChild {
    /// Starts the child as the leader of a new session, with a tag that all of its descendants inherit.
    pub(crate) fn start_session(command: Command, tag: LimitTag) -> io::Result<Self> {
        orphans::become_subreaper();
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession).wrap(tag);
        // The returned wrapper would wait for the whole group; only the program itself is needed.
        let start = || Ok(command.spawn()?.into_inner());
        let (child, enrolment) = orphans::spawn_claimed(start, |child| child.id())?;
        Self::from_child(child, enrolment)
    }

    /// Starts the child as the leader of a new session that belongs to no supervised tree.
    pub(crate) fn start_detached(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession);
        let start = || Ok(command.spawn()?.into_inner());
        let (child, enrolment) = orphans::spawn_claimed(start, |child| child.id())?;
        Self::from_child(child, enrolment)
    }

    /// Starts the child as the leader of a process group. Cheaper than a session: no code runs between fork and exec.
    pub(crate) fn start_group(mut command: Command) -> io::Result<Self> {
        command.process_group(0);
        let (child, enrolment) = orphans::spawn_claimed(|| command.spawn(), |child| child.id())?;
        Self::from_child(Box::new(child), enrolment)
    }

    fn from_child(mut child: Box<dyn ChildWrapper>, enrolment: ExitClaim) -> io::Result<Self> {
        let pid = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("the system gave no process id"))?;
        match signal(SignalKind::child()) {
            Ok(exits) => Ok(Self {
                child,
                pid,
                exits,
                exit_claim: enrolment,
                reaped: false,
                background_share: None,
            }),
            Err(error) => {
                child.start_kill().ok();
                Err(error)
            }
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    pub(crate) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// Gives the program the lowest priority. Its children inherit it.
    pub(crate) fn set_lowest_priority(&self) {
        // The program may have ended.
        setpriority_process(Some(self.pid), LOWEST_PRIORITY).ok();
    }

    /// Puts the program behind work that a user waits for. It may hold a lock, so supervised programs must not starve
    /// it.
    pub(crate) fn set_background_priority(&self) {
        // The program may have ended.
        setpriority_process(Some(self.pid), priority_below_own(BACKGROUND_STEPS)).ok();
    }

    /// Puts the program's session behind the server. Its children inherit the priority. With autogroup the kernel
    /// divides processor time among sessions before processes, so the session's priority is set too.
    pub(crate) fn share_background_priority(&mut self) {
        let place = self.background_share.insert(BackgroundShare::acquire());
        let priority = place.priority();
        // The program may have ended.
        setpriority_process(Some(self.pid), priority_below_own(priority)).ok();
        let group = format!("/proc/{}/autogroup", self.pid());
        std::fs::write(group, priority.to_string()).ok();
    }

    /// Returns once the program has ended. It is not reaped yet.
    pub(crate) async fn wait_for_exit(&mut self) {
        while !self.is_zombie() {
            // The end of any child wakes this loop; it asks the kernel again each time, so no exit is missed.
            if self.exits.recv().await.is_none() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn is_zombie(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.pid), options) {
            Ok(state) => state.is_some(),
            Err(error) => {
                tracing::error!(pid = self.pid(), %error, "could not wait for child");
                true
            }
        }
    }

    /// Sends a signal to the whole process group.
    pub(crate) fn signal_group(&self, signal: Signal) {
        if !self.reaped {
            // "No such group" only means that every member has exited.
            kill_process_group(self.pid, signal).ok();
        }
    }

    /// Collects the exit status; from now on the kernel may reuse the pid.
    pub(crate) async fn reap(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.reaped = true;
        self.exit_claim.release();
        Ok(status)
    }

    /// Leaves the program running without supervision.
    pub(crate) fn release(mut self) {
        // Prevents the kill on drop.
        self.reaped = true;
    }
}

impl Drop for OwnedChild {
    fn drop(&mut self) {
        self.signal_group(Signal::KILL);
    }
}
