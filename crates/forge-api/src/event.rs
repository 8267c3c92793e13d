//! Events as a durable sequence (SPEC S-2).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::ActorView;

/// Each variant and its wire name are on one line, so that the text form and serde cannot disagree.
macro_rules! event_types {
    ($($variant:ident $wire:tt $doc:tt;)+) => {
        /// Type of an event: `noun.verb`. The names are fixed so that scripts can rely on them (SPEC §7.1).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        pub enum EventType {
            $(
                #[doc = $doc]
                #[serde(rename = $wire)]
                $variant,
            )+
        }

        impl EventType {
            /// All event types.
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
    TaskAdopted "task.adopted" "A task continues in the workflow that replaced its own.";
    TaskUpdated "task.updated" "Title, text, labels, priority or settings of a task changed.";
    TaskAnnotated "task.annotated" "A task needs a person, or no longer does.";
    TaskArchived "task.archived" "A task was archived.";
    TaskDeleted "task.deleted" "A task on which no work was done was deleted.";
    TaskUnarchived "task.unarchived" "A task was taken out of the archive.";
    TaskAssigned "task.assigned" "A role of a task was assigned or removed.";
    TaskUnassigned "task.unassigned" "Roles of a task lost their holder, because it was removed.";
    TaskHandedOff "task.handed_off" "The holder of a task handed it off with a note.";
    TaskSubmitted "task.submitted" "The work on a task was submitted.";
    TaskUnpassed "task.unpassed" "A passed review is no longer valid.";
    TaskNeedsPerson "task.needs_person" "A task began to wait for a person; data gives number, title, reason and message.";
    TaskLanded "task.landed" "A task landed; data gives number, title, commit and target.";
    TaskFailed "task.failed" "Work on a task failed and does not continue by itself; data gives number, title, reason and message.";
    TaskStopping "task.stopping" "The processes of a task are being stopped.";
    TaskStopped "task.stopped" "The processes of a task have stopped.";
    DependencyAdded "dependency.added" "A task waits for another.";
    DependencyRemoved "dependency.removed" "A task no longer waits for another.";
    TurnAdded "turn.added" "An ordered turn was added to a task.";
    TurnsBegun "turns.begun" "A task's own work is done; its ordered turns start.";
    TurnsEnding "turns.ending" "A task moved on; ordered turns in its workspace are being stopped.";
    TurnsEnded "turns.ended" "No ordered turn is active in a task's workspace.";
    ExecutionCreated "execution.created" "An execution was created.";
    ExecutionStarted "execution.started" "An execution started.";
    ExecutionFinished "execution.finished" "An execution ended.";
    ExecutionPostponed "execution.postponed" "An execution is postponed, or the postponement has ended.";
    ExecutionSteered "execution.steered" "A running agent was sent a message.";
    ExecutionStalled "execution.stalled" "An execution shows no activity.";
    TaskPlanned "task.planned" "A planner ended its turn; its last answer is the plan.";
    QuestionAsked "question.asked" "An execution or a user asked the person in charge of a task.";
    QuestionAnswered "question.answered" "A question on a task was answered.";
    QuestionReceived "question.received" "The program that waited for an answer has it.";
    QuestionsAwaited "questions.awaited" "An execution ended before its questions were answered; the task waits for the answers.";
    QuestionsClosed "questions.closed" "Questions were closed without an answer: the task ended or moved on.";
    ReviewStarted "review.started" "An attempt at a gate started.";
    ReviewChecked "review.checked" "The checks of an attempt at a gate ended.";
    ReviewFinished "review.finished" "An attempt at a gate ended.";
    ReviewJudged "review.judged" "A reviewer gave a verdict; it counts once the execution ends.";
    ReviewApproved "review.approved" "A person approved an attempt that had ended.";
    MergeStarted "merge.started" "A landing started.";
    MergeFinished "merge.finished" "A landing ended, successfully or not.";
    MergeSentBack "merge.sent_back" "A landing failed, and the merge state sends the task back to work.";
    MergeTriedAgain "merge.tried_again" "A task that waited to be sent back lands again, because its target moved.";
    MergeExhausted "merge.exhausted" "Landings failed too often; a person has to decide.";
    PullRequestChanged "pull_request.changed" "The pull request of a task was opened or changed.";
    WorkspaceCreated "workspace.created" "A workspace is ready.";
    WorkspaceCleaning "workspace.cleaning" "The removal of a workspace started.";
    WorkspaceRemoving "workspace.removing" "The directory of a workspace was moved for removal; its content is being saved.";
    WorkspaceCleaned "workspace.cleaned" "A workspace was removed.";
    WorkspaceError "workspace.error" "An operation on a workspace failed.";
    WorkspaceRecovered "workspace.recovered" "A workspace without its directory was created again from its branch.";
    WorkspaceRebasing "workspace.rebasing" "A merge of the target into a task's branch started.";
    WorkspaceRebased "workspace.rebased" "The target was merged into a task's branch, or the merge left a conflict.";
    WorkspaceInverted "workspace.inverted" "A branch contains the inverse of what another task landed, or the revert left a conflict.";
    TaskReverted "task.reverted" "Another task reverts what a task landed.";
    TaskVerified "task.verified" "The landed commit of a task was verified on the remote.";
    TaskRegressed "task.regressed" "What a task landed broke something.";
    WorkspaceReset "workspace.reset" "A workspace was reset.";
    WorkspaceRestored "workspace.restored" "The files of a workspace were restored from a journal entry.";
    JournalRecorded "journal.recorded" "A workspace was saved to its journal.";
    EffectFailed "effect.failed" "An effect was given up; a person has to look.";
    AgentCreated "agent.created" "An agent was created.";
    AgentUpdated "agent.updated" "An agent's configuration changed.";
    AgentRemoved "agent.removed" "An agent was removed.";
    AgentPaused "agent.paused" "An agent was paused.";
    AgentResumed "agent.resumed" "An agent was resumed.";
    ProjectCreated "project.created" "A project was created.";
    ProjectUpdated "project.updated" "A project's configuration or workflow changed.";
    ProjectRemoved "project.removed" "A project was removed.";
    ProjectPaused "project.paused" "A project was paused.";
    ProjectResumed "project.resumed" "A project was resumed.";
    ProjectMemberAdded "project.member_added" "A person became a member of a project.";
    ProjectMemberRemoved "project.member_removed" "A person is no longer a member of a project.";
    WebhookCreated "webhook.created" "A webhook was added to a project.";
    WebhookUpdated "webhook.updated" "A webhook was changed, enabled or disabled by a person.";
    WebhookDisabled "webhook.disabled" "The server disabled a webhook; data gives the reason.";
    WebhookPing "webhook.ping" "A test of a webhook; only webhooks receive it, and it has no number of its own.";
    WebhookRemoved "webhook.removed" "A webhook was removed.";
    RepoAdded "repo.added" "A repository was added to a project.";
    RepoUpdated "repo.updated" "The remote of a repository changed.";
    RepoConfigAccepted "repo.config_accepted" "An admin accepted the git settings of a repository.";
    RepoRemoved "repo.removed" "A repository was removed from its project.";
    DispatchPaused "dispatch.paused" "Dispatch was paused on the server.";
    DispatchResumed "dispatch.resumed" "Dispatch was resumed on the server.";
    ConflictDetected "conflict.detected" "Two live branches began to conflict.";
    ConflictCleared "conflict.cleared" "Two live branches no longer conflict.";
    TrainChanged "train.changed" "A merge train changed.";
    MessageSent "message.sent" "An agent received a message.";
    CommentCreated "comment.created" "A comment was written.";
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Position in the stream; send it as `Last-Event-ID` to continue after it.
    pub id: String,
    /// The project; `null` for events outside projects, such as those of an agent.
    #[schema(required)]
    pub project_id: Option<Uuid>,
    /// Sequence number within the project; increases by one, without gaps.
    pub seq: u64,
    /// Type of the event.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// The task that the event concerns.
    #[schema(required)]
    pub task_id: Option<Uuid>,
    /// The actor that caused it.
    pub actor: ActorView,
    /// Time of the event.
    #[schema(format = DateTime)]
    pub at: String,
    /// Data of the event type; `null` if none.
    pub data: Value,
}

/// Query of the event stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// Only events of this project.
    #[serde(default)]
    pub project: Option<Uuid>,
    /// Only these event types, separated by commas.
    #[serde(default, rename = "type")]
    pub types: Option<String>,
    /// Start after this event; for clients that cannot send `Last-Event-ID`.
    #[serde(default)]
    pub after: Option<String>,
}
