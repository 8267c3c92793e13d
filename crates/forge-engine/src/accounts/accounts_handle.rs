//! The handle to accounts: the parts of the engine that account changes use.

use std::sync::Arc;

use forge_store::Db;

use crate::command::clock::Clock;
use crate::command::id_source::IdSource;

/// Changes users, their credentials and their memberships; cheap to clone.
#[derive(Debug, Clone)]
pub struct Accounts {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: IdSource,
}

impl Accounts {
    pub(crate) fn new(db: Db, clock: Arc<dyn Clock>, ids: IdSource) -> Self {
        Self { db, clock, ids }
    }
}
