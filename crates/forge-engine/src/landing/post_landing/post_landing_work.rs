//! The struct of the feature; its methods are in the other files of this folder.

use crate::command::commit::Commands;
use crate::command::lookup::RecordReader;
use crate::landing::train::candidate_builder::CandidateBuilder;
use crate::remote::RemoteSettings;
use crate::remote::access::Remotes;
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_store::Db;

/// The work after a landing: reverts it, records that it broke something, verifies it by remote checks, and rebases branches
/// that did not merge.
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
