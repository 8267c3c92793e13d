//! The gate (M-2 to M-4, E-6): checks, then the verdict of the role, then a pass or a rejection.
//!
//! States of a review: checking (an effect runs the checks), judging (an execution of the role runs), finished. A failed check or a
//! failing verdict counts as a rejection and sends the work back; after `max_attempts` the `exhausted` edge applies. Work without
//! changes, a broken setup and a missing verdict end the review without counting it. A person can approve or reject the last attempt.
//!
//! All functions are pure. A crash before the commit leaves nothing; a report that arrives twice or late is ignored by its review id.

mod gate_checks;
mod no_changes;
mod verdict;
