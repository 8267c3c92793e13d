//! The feature of what follows a landing; its methods are in the files of this folder.

use crate::command::commit::Commands;
use crate::command::lookup::RecordReader;
use crate::landing::train::candidate_builder::CandidateBuilder;
use crate::remote::RemoteSettings;
use crate::remote::access::Remotes;
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_store::Db;

/// What follows a landing: rebases of the others, reverts, regressions, verification.
#[derive(Debug, Clone)]
pub struct PostLanding {
    pub(crate) db: Db,
    pub(crate) candidates: CandidateBuilder,
    pub(crate) commands: Commands,
    pub(crate) journals: WorkspaceJournals,
    pub(crate) records: RecordReader,
    pub(crate) remote_settings: RemoteSettings,
    pub(crate) remotes: Remotes,
    pub(crate) repos: TaskRepos,
    pub(crate) workspaces: Workspaces,
}
