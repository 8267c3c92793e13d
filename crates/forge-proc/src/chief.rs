use crate::ended::Exit;
use crate::foreign::Foreign;
use crate::leader::Leader;

/// The program of a run, whoever started it.
#[derive(Debug)]
pub(crate) enum Chief {
    Own(Leader),
    Foreign(Foreign),
}

impl Chief {
    /// Returns once the program has ended.
    pub(crate) async fn ended(&mut self) {
        match self {
            Self::Own(leader) => leader.ended().await,
            Self::Foreign(process) => process.ended().await,
        }
    }

    /// How it left. Only its parent can know; when that is not us, nobody tells.
    pub(crate) async fn collect(&mut self) -> Option<Exit> {
        match self {
            Self::Own(leader) => match leader.reap().await {
                Ok(status) => Some(status.into()),
                Err(error) => {
                    tracing::error!(pid = leader.pid(), %error, "an exit status was lost");
                    None
                }
            },
            Self::Foreign(process) => process.collect(),
        }
    }

    /// Lets it run on without us.
    pub(crate) fn let_go(self) {
        match self {
            Self::Own(leader) => leader.let_go(),
            Self::Foreign(process) => process.let_go(),
        }
    }
}
