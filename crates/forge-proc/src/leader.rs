use std::io;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, setpriority_process, waitid,
};
use tokio::process::{ChildStdin, Command};
use tokio::signal::unix::{SignalKind, signal};

use crate::orphans::{self, Enrolment};
use crate::priority::{BEHIND_ANSWERS, GivingWay};
use crate::tag::Tag;

const LOWEST_PRIORITY: i32 = 19;

/// A started program that leads its own process group. Until it is reaped its pid, group and session number cannot be
/// given to anybody else, which is what makes ending them safe.
#[derive(Debug)]
pub(crate) struct Leader {
    child: Box<dyn ChildWrapper>,
    pid: Pid,
    exits: tokio::signal::unix::Signal,
    enrolment: Enrolment,
    reaped: bool,
    gives_way: Option<GivingWay>,
}

impl Leader {
    /// Starts it as the leader of a session of its own, with a tag that all of its descendants keep.
    pub(crate) fn start_session(command: Command, tag: Tag) -> io::Result<Self> {
        orphans::take_in();
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession).wrap(tag);
        // The wrapper that comes back would wait for the whole group; only the program itself is wanted.
        let start = || Ok(command.spawn()?.into_inner());
        let (child, enrolment) = orphans::enrol(start, |child| child.id())?;
        Self::take(child, enrolment)
    }

    /// Starts it as the leader of a session of its own that belongs to no run.
    pub(crate) fn start_apart(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession);
        let start = || Ok(command.spawn()?.into_inner());
        let (child, enrolment) = orphans::enrol(start, |child| child.id())?;
        Self::take(child, enrolment)
    }

    /// Starts it as the leader of a process group. Cheaper than a session: no code runs between fork and exec.
    pub(crate) fn start_group(mut command: Command) -> io::Result<Self> {
        command.process_group(0);
        let (child, enrolment) = orphans::enrol(|| command.spawn(), |child| child.id())?;
        Self::take(Box::new(child), enrolment)
    }

    fn take(mut child: Box<dyn ChildWrapper>, enrolment: Enrolment) -> io::Result<Self> {
        let pid = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("the system gave no process id"))?;
        match signal(SignalKind::child()) {
            Ok(exits) => Ok(Self { child, pid, exits, enrolment, reaped: false, gives_way: None }),
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

    /// Lets everybody else go first. What the program starts inherits it.
    pub(crate) fn lower_priority(&self) {
        // It may be over already.
        setpriority_process(Some(self.pid), LOWEST_PRIORITY).ok();
    }

    /// Lets what somebody waits for go first. It may hold a lock, so it is not to be starved by runs.
    pub(crate) fn stand_back(&self) {
        // It may be over already.
        setpriority_process(Some(self.pid), BEHIND_ANSWERS).ok();
    }

    /// Lets the server go first, for a session of its own. What it starts inherits it. Where the kernel shares out its
    /// time among sessions before it looks at processes (autogroup), each has a priority too.
    pub(crate) fn give_way(&mut self) {
        let place = self.gives_way.insert(GivingWay::begin());
        let priority = place.priority();
        // It may be over already.
        setpriority_process(Some(self.pid), priority).ok();
        let group = format!("/proc/{}/autogroup", self.pid());
        std::fs::write(group, priority.to_string()).ok();
    }

    /// Returns once the program has ended. It is not reaped yet.
    pub(crate) async fn ended(&mut self) {
        while !self.is_zombie() {
            // Any child's end wakes us; the kernel is asked again each time, so none is missed.
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
                tracing::error!(pid = self.pid(), %error, "a child cannot be waited for");
                true
            }
        }
    }

    /// Sends a signal to the whole process group.
    pub(crate) fn signal_group(&self, signal: Signal) {
        if !self.reaped {
            // No such group only means that all of it is gone.
            kill_process_group(self.pid, signal).ok();
        }
    }

    /// Collects the exit status; from now on the pid may belong to somebody else.
    pub(crate) async fn reap(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.reaped = true;
        self.enrolment.strike();
        Ok(status)
    }

    /// Lets it run on without us.
    pub(crate) fn let_go(mut self) {
        // Dropping it must not end it.
        self.reaped = true;
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.signal_group(Signal::KILL);
    }
}
