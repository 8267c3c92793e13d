//! Reviews, receipts of passed checks, and statistics about checks (M-2 to M-5, M-12).
//!
//! A review row is running, passed, failed, blocked, without changes, or superseded; the projection writes it from events. A receipt is
//! valid for one tree of one repository under one set of checks, and the first one stays. The check ledger counts runs, failures and
//! flips, and holds the end of a quarantine.

pub mod check_ledger;
pub mod receipts;
pub mod reviews;
