//! What happened, as a durable sequence (SPEC S-2).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Actor;

/// The variant and its wire name stand on one line, so that the text form and serde cannot disagree.
macro_rules! event_types {
    ($($variant:ident $wire:tt $doc:tt;)+) => {
        /// What happened: `noun.verb`. The names are fixed so that scripts can rely on them (SPEC §7.1).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        pub enum EventType {
            $(
                #[doc = $doc]
                #[serde(rename = $wire)]
                $variant,
            )+
        }

        impl EventType {
            /// All types.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire),+ }
            }

            /// The type with this wire name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == name)
            }
        }
    };
}

event_types! {
    TaskCreated "task.created" "A task was created.";
    TaskTransitioned "task.transitioned" "A task changed its status.";
    TaskAdopted "task.adopted" "A task goes on in the workflow that took the place of its own.";
    TaskUpdated "task.updated" "Title, text, labels, priority or settings of a task changed.";
    TaskAnnotated "task.annotated" "Something about a task needs a person, or no longer does.";
    TaskArchived "task.archived" "A task was archived.";
    TaskUnarchived "task.unarchived" "A task was taken out of the archive.";
    TaskAssigned "task.assigned" "A role on a task was given or taken.";
    TaskHandedOff "task.handed_off" "Who carried a task let go of it, with a note for the next.";
    TaskSubmitted "task.submitted" "The work on a task was handed in.";
    TaskUnpassed "task.unpassed" "A pass at a gate no longer counts.";
    TaskStopping "task.stopping" "What runs for a task is being ended.";
    TaskStopped "task.stopped" "Nothing runs for a task any more.";
    DependencyAdded "dependency.added" "A task waits for another.";
    DependencyRemoved "dependency.removed" "A task no longer waits for another.";
    TurnAdded "turn.added" "Another task takes a turn in a task's workspace.";
    TurnsBegun "turns.begun" "A task's own work is done; its ordered turns follow.";
    TurnsEnding "turns.ending" "A task moved on; turns in its workspace are being ended.";
    TurnsEnded "turns.ended" "No turn is under way in a task's workspace any more.";
    ExecutionCreated "execution.created" "A run was planned.";
    ExecutionStarted "execution.started" "A run began.";
    ExecutionFinished "execution.finished" "A run ended.";
    ExecutionPostponed "execution.postponed" "A run begins later by itself, or is not waited for any more.";
    ExecutionSteered "execution.steered" "Somebody said something to an agent at work.";
    ExecutionStalled "execution.stalled" "A run shows no sign of life.";
    ReviewStarted "review.started" "An attempt at a gate began.";
    ReviewChecked "review.checked" "The checks of an attempt at a gate ended.";
    ReviewFinished "review.finished" "An attempt at a gate ended.";
    ReviewJudged "review.judged" "A reviewer gave its verdict; it counts when its run is over.";
    ReviewApproved "review.approved" "A person stands for an attempt that was over.";
    MergeStarted "merge.started" "Landing began.";
    MergeFinished "merge.finished" "Landing ended, well or not.";
    PullRequestChanged "pull_request.changed" "The pull request by which a task lands was opened, or looks different.";
    WorkspaceCreated "workspace.created" "A workspace is ready.";
    WorkspaceCleaning "workspace.cleaning" "A workspace is going to be removed.";
    WorkspaceLeaving "workspace.leaving" "A workspace's directory is out of the way; its content is being saved.";
    WorkspaceCleaned "workspace.cleaned" "A workspace was removed.";
    WorkspaceError "workspace.error" "An operation on a workspace failed.";
    WorkspaceRecovered "workspace.recovered" "A workspace whose directory was gone was made again from its branch.";
    WorkspaceRebasing "workspace.rebasing" "A target is going to be merged into a task's branch.";
    WorkspaceRebased "workspace.rebased" "A target was merged into a task's branch, or both sides are in its files.";
    WorkspaceInverted "workspace.inverted" "A branch holds the inverse of what another task landed, or both sides are in its files.";
    TaskReverted "task.reverted" "Another task takes back what a task landed.";
    TaskVerified "task.verified" "What a task landed was looked at where it was pushed.";
    TaskRegressed "task.regressed" "What a task landed broke something.";
    WorkspaceReset "workspace.reset" "A workspace was made anew.";
    WorkspaceRestored "workspace.restored" "A workspace got the files of a journal entry back.";
    JournalRecorded "journal.recorded" "The state of a workspace was written into its journal.";
    StepFailed "step.failed" "A step was given up; a person has to look.";
    AgentCreated "agent.created" "An agent was created.";
    AgentUpdated "agent.updated" "An agent's configuration changed.";
    AgentPaused "agent.paused" "An agent was paused.";
    AgentResumed "agent.resumed" "An agent was resumed.";
    ProjectCreated "project.created" "A project was created.";
    ProjectUpdated "project.updated" "A project's configuration or workflow changed.";
    ProjectPaused "project.paused" "A project was paused.";
    ProjectResumed "project.resumed" "A project was resumed.";
    ProjectMemberAdded "project.member_added" "A person became a member of a project.";
    ProjectMemberRemoved "project.member_removed" "A person is no longer a member of a project.";
    RepoAdded "repo.added" "A project got a repository.";
    RepoUpdated "repo.updated" "How a repository is reached elsewhere changed.";
    RepoRemoved "repo.removed" "A repository was taken from its project.";
    DispatchPaused "dispatch.paused" "Giving tasks to agents was paused as a whole.";
    DispatchResumed "dispatch.resumed" "Giving tasks to agents goes on.";
    ConflictDetected "conflict.detected" "Two live branches began to clash.";
    ConflictCleared "conflict.cleared" "Two live branches stopped clashing.";
    TrainChanged "train.changed" "A merge train changed.";
    MessageSent "message.sent" "An agent got a message.";
    CommentCreated "comment.created" "A comment was written.";
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// The place in the stream; send it as `Last-Event-ID` to go on after it.
    pub id: String,
    /// The project; `null` for what belongs to none, such as an agent.
    #[schema(required)]
    pub project_id: Option<Uuid>,
    /// Counts up by one, without gaps, within the project.
    pub seq: u64,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// The task it happened to.
    #[schema(required)]
    pub task_id: Option<Uuid>,
    /// Who did it.
    pub actor: Actor,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    /// Facts that belong to the type; `null` if none.
    pub data: Value,
}

/// Which events to stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// Only events of this project.
    #[serde(default)]
    pub project: Option<Uuid>,
    /// Only these types, separated by commas.
    #[serde(default, rename = "type")]
    pub types: Option<String>,
    /// Begin after this event, where a client cannot send `Last-Event-ID`.
    #[serde(default)]
    pub after: Option<String>,
}
