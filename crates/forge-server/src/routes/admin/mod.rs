//! Routes of the server's administration: agents, dispatch, events, versions and recovery, and the demonstration.
//!
//! An event stream has no state on the server: its position is in the cursor that the client sends back, so that a
//! restart loses no event. Creating a demonstration runs in its own task; the next start completes it if its project
//! was already created. A crash before that leaves only an unused directory and agents.

pub(crate) mod agents;
pub(crate) mod backup;
pub(crate) mod demo;
pub(crate) mod dispatch;
pub(crate) mod events;
pub(crate) mod system;
