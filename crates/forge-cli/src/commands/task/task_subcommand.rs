//! The actions of `forge task`.

use clap::Subcommand;

use crate::cli_error::CliError;
use crate::commands::task::assign::TaskAssignArgs;
use crate::commands::task::cancel_archive::{TaskArchiveArgs, TaskCancelArgs, TaskUnarchiveArgs};
use crate::commands::task::claim::TaskClaimArgs;
use crate::commands::task::comment::TaskCommentArgs;
use crate::commands::task::depend::TaskDependArgs;
use crate::commands::task::diff::TaskDiffArgs;
use crate::commands::task::editing::delete::TaskDeleteArgs;
use crate::commands::task::editing::edit::TaskEditArgs;
use crate::commands::task::effects::TaskEffectsArgs;
use crate::commands::task::execution::follow_up::TaskFollowUpArgs;
use crate::commands::task::execution::log::TaskLogArgs;
use crate::commands::task::execution::prompt::TaskPromptArgs;
use crate::commands::task::execution::pulse::TaskPulseArgs;
use crate::commands::task::execution::steer::TaskSteerArgs;
use crate::commands::task::execution::stop_restart::{
    TaskMarkFailedArgs, TaskRestartArgs, TaskStopArgs,
};
use crate::commands::task::gate::approve_reject::{TaskApproveArgs, TaskRejectArgs};
use crate::commands::task::gate::post_landing::{
    TaskAcceptLandedArgs, TaskRebaseArgs, TaskRegressedArgs, TaskRevertArgs,
};
use crate::commands::task::gate::review_attempts::TaskReviewArgs;
use crate::commands::task::handoff::TaskHandoffArgs;
use crate::commands::task::history::TaskHistoryArgs;
use crate::commands::task::list::TaskListArgs;
use crate::commands::task::move_to::TaskMoveArgs;
use crate::commands::task::new::TaskNewArgs;
use crate::commands::task::place::checkout::TaskCheckoutArgs;
use crate::commands::task::place::open::TaskOpenArgs;
use crate::commands::task::progress::complete::TaskCompleteArgs;
use crate::commands::task::progress::watch::TaskWatchArgs;
use crate::commands::task::questions::{TaskAnswerArgs, TaskQuestionsArgs};
use crate::commands::task::show::show_args::TaskShowArgs;
use crate::context::CliContext;

/// Tasks: create, claim, move, inspect
#[derive(Debug, Subcommand)]
pub(crate) enum TaskSubcommand {
    New(TaskNewArgs),
    #[command(visible_alias = "ls")]
    List(TaskListArgs),
    Show(TaskShowArgs),
    Edit(TaskEditArgs),
    Claim(TaskClaimArgs),
    Checkout(TaskCheckoutArgs),
    Complete(TaskCompleteArgs),
    Move(TaskMoveArgs),
    Cancel(TaskCancelArgs),
    Archive(TaskArchiveArgs),
    Unarchive(TaskUnarchiveArgs),
    Delete(TaskDeleteArgs),
    Assign(TaskAssignArgs),
    Depend(TaskDependArgs),
    Handoff(TaskHandoffArgs),
    Pulse(TaskPulseArgs),
    Stop(TaskStopArgs),
    Restart(TaskRestartArgs),
    MarkFailed(TaskMarkFailedArgs),
    Review(TaskReviewArgs),
    Approve(TaskApproveArgs),
    Reject(TaskRejectArgs),
    Rebase(TaskRebaseArgs),
    AcceptLanded(TaskAcceptLandedArgs),
    Revert(TaskRevertArgs),
    Regressed(TaskRegressedArgs),
    Comment(TaskCommentArgs),
    Questions(TaskQuestionsArgs),
    Answer(TaskAnswerArgs),
    Prompt(TaskPromptArgs),
    Diff(TaskDiffArgs),
    Log(TaskLogArgs),
    Watch(TaskWatchArgs),
    Open(TaskOpenArgs),
    FollowUp(TaskFollowUpArgs),
    Steer(TaskSteerArgs),
    History(TaskHistoryArgs),
    Effects(TaskEffectsArgs),
}

impl TaskSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        match self {
            Self::New(new) => new.run(context).await,
            Self::List(list) => list.run(context).await,
            Self::Show(show) => show.run(context).await,
            Self::Edit(edit) => edit.run(context).await,
            Self::Claim(claim) => claim.run(context).await,
            Self::Checkout(checkout) => checkout.run(context).await,
            Self::Complete(complete) => complete.run(context).await,
            Self::Move(moving) => moving.run(context).await,
            Self::Cancel(cancel) => cancel.run(context).await,
            Self::Archive(archive) => archive.run(context).await,
            Self::Unarchive(unarchive) => unarchive.run(context).await,
            Self::Delete(delete) => delete.run(context).await,
            Self::Assign(assign) => assign.run(context).await,
            Self::Depend(depend) => depend.run(context).await,
            Self::Pulse(pulse) => pulse.run(context).await,
            Self::Stop(stop) => stop.run(context).await,
            Self::Restart(restart) => restart.run(context).await,
            Self::MarkFailed(failed) => failed.run(context).await,
            Self::Handoff(handoff) => handoff.run(context).await,
            Self::Review(review) => review.run(context).await,
            Self::Approve(approve) => approve.run(context).await,
            Self::Reject(reject) => reject.run(context).await,
            Self::Rebase(rebase) => rebase.run(context).await,
            Self::AcceptLanded(accept) => accept.run(context).await,
            Self::Revert(revert) => revert.run(context).await,
            Self::Regressed(regressed) => regressed.run(context).await,
            Self::Comment(comment) => comment.run(context).await,
            Self::Questions(questions) => questions.run(context).await,
            Self::Answer(answer) => answer.run(context).await,
            Self::Prompt(prompt) => prompt.run(context).await,
            Self::Diff(diff) => diff.run(context).await,
            Self::Log(log) => log.run(context).await,
            Self::Watch(watch) => watch.run(context).await,
            Self::Open(open) => open.run(context).await,
            Self::FollowUp(follow_up) => follow_up.run(context).await,
            Self::Steer(steer) => steer.run(context).await,
            Self::History(history) => history.run(context).await,
            Self::Effects(effects) => effects.run(context).await,
        }
    }
}
