//! Converts pull requests (M-16).

use forge_api::{PullRequest, PullRequestState, PullRequestWait};
use forge_domain::task;

/// Converts a pull request to the wire type.
pub(crate) fn pull_request(known: &task::PullRequest) -> PullRequest {
    PullRequest {
        number: known.number,
        url: known.url.clone(),
        state: match known.state {
            task::PullRequestState::Open => PullRequestState::Open,
            task::PullRequestState::Merged => PullRequestState::Merged,
            task::PullRequestState::Closed => PullRequestState::Closed,
        },
        waits_for: known.waits_for.map(|wait| match wait {
            task::PullRequestWait::Checks => PullRequestWait::Checks,
            task::PullRequestWait::Rules => PullRequestWait::Rules,
            task::PullRequestWait::Draft => PullRequestWait::Draft,
            task::PullRequestWait::Mergeability => PullRequestWait::Mergeability,
            task::PullRequestWait::Pause => PullRequestWait::Pause,
        }),
        head: known.head.clone(),
    }
}
