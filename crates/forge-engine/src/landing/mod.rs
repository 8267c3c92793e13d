//! Landing: brings a reviewed branch into its target (M-6 to M-9), directly through a merge train or by a pull request.
//!
//! Order of a direct landing: checks before entry (git settings, dependencies, outside landings, receipt, reviewed head, reverted files) → train →
//! journalled intent (target, old, new) → push, if the repository publishes → compare-and-swap of the target ref → checkouts follow → report.
//!
//! Crash: before the intent nothing has moved, and the effect starts again. After it the retry looks for the new commit on the target, locally or on the
//! remote: present means landed, and only the checkouts and the report remain; absent means the landing starts again on the current target.
//! Checkouts that an interrupted move left behind are finished at start-up and before the next landing on that target.

mod checkout_repair;
mod dependencies;
pub(crate) mod land;
mod outside_landing;
pub(crate) mod post_landing;
mod publish;
mod pull_request;
mod reverted_landings;
pub(crate) mod train;
