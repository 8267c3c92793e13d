//! Webhooks of projects and their latest deliveries (S-2).
//!
//! A webhook has a position in the project's event sequence instead of a row for each event: events have no gaps and are
//! kept, so the position alone says what is left to deliver, and waiting costs no rows. States: enabled without a lease,
//! enabled with a lease, disabled. Each write of the holder of a lease is refused with an older fence; a change of the
//! webhook makes a new fence. After a crash the position is at the last recorded answer, and the event after it is
//! delivered again.

pub mod webhook_deliveries;
pub mod webhook_leases;
pub mod webhooks;
