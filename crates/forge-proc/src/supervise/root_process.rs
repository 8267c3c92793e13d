use crate::adoption::adopted_process::AdoptedProcess;
use crate::supervise::owned_child::OwnedChild;
use crate::supervise::process_outcome::ProcessExit;

/// The root program of a supervised tree: a child of this process, or adopted from an earlier server.
#[derive(Debug)]
pub(crate) enum RootProcess {
    Owned(OwnedChild),
    Adopted(AdoptedProcess),
}

impl RootProcess {
    /// Returns once the program has ended.
    pub(crate) async fn wait_for_exit(&mut self) {
        match self {
            Self::Owned(leader) => leader.wait_for_exit().await,
            Self::Adopted(process) => process.wait_for_exit().await,
        }
    }

    /// The exit of the program. Only the parent can read it; `None` when this process is not the parent.
    pub(crate) async fn collect_exit(&mut self) -> Option<ProcessExit> {
        match self {
            Self::Owned(leader) => match leader.reap().await {
                Ok(status) => Some(status.into()),
                Err(error) => {
                    tracing::error!(pid = leader.pid(), %error, "could not read exit status");
                    None
                }
            },
            Self::Adopted(process) => process.reap(),
        }
    }

    /// Leaves the program running without supervision.
    pub(crate) fn release(self) {
        match self {
            Self::Owned(leader) => leader.release(),
            Self::Adopted(process) => process.release(),
        }
    }
}
