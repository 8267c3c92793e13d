//! The actions.

use clap::Subcommand;

use super::aftermath::{Rebase, Regressed, Revert};
use super::assign::Assign;
use super::claim::Claim;
use super::comment::Comment;
use super::depend::Depend;
use super::diff::Diff;
use super::follow_up::FollowUp;
use super::handoff::Handoff;
use super::history::History;
use super::list::List;
use super::log::Log;
use super::move_to::Move;
use super::new::New;
use super::prompt::Prompt;
use super::pulse::Pulse;
use super::rescue::{MarkFailed, Restart, Stop};
use super::review::Review;
use super::reviewed::{Approve, Reject};
use super::shelf::{Archive, Cancel, Unarchive};
use super::show::Show;
use super::steer::Steer;
use super::steps::Steps;
use crate::context::Context;
use crate::failure::Failure;

/// Tasks: create, claim, move, look
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    New(New),
    #[command(visible_alias = "ls")]
    List(List),
    Show(Show),
    Claim(Claim),
    Move(Move),
    Cancel(Cancel),
    Archive(Archive),
    Unarchive(Unarchive),
    Assign(Assign),
    Depend(Depend),
    Handoff(Handoff),
    Pulse(Pulse),
    Stop(Stop),
    Restart(Restart),
    MarkFailed(MarkFailed),
    Review(Review),
    Approve(Approve),
    Reject(Reject),
    Rebase(Rebase),
    Revert(Revert),
    Regressed(Regressed),
    Comment(Comment),
    Prompt(Prompt),
    Diff(Diff),
    Log(Log),
    FollowUp(FollowUp),
    Steer(Steer),
    History(History),
    Steps(Steps),
}

impl Task {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        match self {
            Self::New(new) => new.run(context).await,
            Self::List(list) => list.run(context).await,
            Self::Show(show) => show.run(context).await,
            Self::Claim(claim) => claim.run(context).await,
            Self::Move(moving) => moving.run(context).await,
            Self::Cancel(cancel) => cancel.run(context).await,
            Self::Archive(archive) => archive.run(context).await,
            Self::Unarchive(unarchive) => unarchive.run(context).await,
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
            Self::Revert(revert) => revert.run(context).await,
            Self::Regressed(regressed) => regressed.run(context).await,
            Self::Comment(comment) => comment.run(context).await,
            Self::Prompt(prompt) => prompt.run(context).await,
            Self::Diff(diff) => diff.run(context).await,
            Self::Log(log) => log.run(context).await,
            Self::FollowUp(follow_up) => follow_up.run(context).await,
            Self::Steer(steer) => steer.run(context).await,
            Self::History(history) => history.run(context).await,
            Self::Steps(steps) => steps.run(context).await,
        }
    }
}
