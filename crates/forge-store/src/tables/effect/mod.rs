//! Effects and the nodes that perform them (M-1, T-7, P-5).
//!
//! States of an effect: open without a lease, open with a lease, closed (finished, superseded, failed). A lease ends at a time; its
//! fence proves it, and every write of the holder is refused with an older fence. Effects of one task and lane run in order.
//!
//! A crash before the commit leaves nothing; afterwards an open row that becomes due. A node that dies leaves an expired lease: its
//! own next process releases it, or another node takes it over once no heartbeat came for the duration of a lease.

pub mod effects;
pub mod nodes;
