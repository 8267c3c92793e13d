//! `forge task checkout` and `forge task open`: where a task's files and its page are. Both only read.

pub(crate) mod checkout;
pub(crate) mod open;
