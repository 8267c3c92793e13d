//! Tasks: the snapshot, and the columns and rows derived from it for lists and searches.

mod by_workspace;
mod counts;
mod deletion;
mod dependency;
mod filter;
mod hits;
mod list;
mod list_scan;
mod open_tasks;
mod project_branches;
mod related;
mod repo_users;
mod role_holders;
mod row;
mod search;
mod search_index;
mod store;
mod words;
mod workspaces;

pub use crate::tables::tasks::by_workspace::{ended_with_workspace, list_at_path};
#[cfg(test)]
pub(crate) use crate::tables::tasks::counts::{BY_PHASE, BY_STATE};
pub use crate::tables::tasks::counts::{TaskCounts, count_tasks};
pub use crate::tables::tasks::deletion::{delete, deletion_facts};
pub use crate::tables::tasks::dependency::{dependency_facts, dependents, find_cycle};
pub use crate::tables::tasks::filter::{TaskFilter, TaskSortKey};
#[cfg(test)]
pub(crate) use crate::tables::tasks::hits::{
    HitQuery, HitReading, assemble_hits, assemble_labelled,
};
pub use crate::tables::tasks::list::list;
#[cfg(test)]
pub(crate) use crate::tables::tasks::list::{RowSelection, assemble};
pub use crate::tables::tasks::open_tasks::{lock_open, open_after};
pub use crate::tables::tasks::project_branches::branches_of_project;
pub use crate::tables::tasks::repo_users::{tasks_in_use, tasks_using_repo};
pub use crate::tables::tasks::role_holders::open_with_role_of;
#[cfg(test)]
pub(crate) use crate::tables::tasks::search::search;
#[cfg(test)]
pub(crate) use crate::tables::tasks::search_index::SearchExtent;
#[cfg(test)]
pub(crate) use crate::tables::tasks::store::CLAIMABLE;
pub use crate::tables::tasks::store::{
    by_number, claimable, insert, load, load_in, load_many, load_many_in, lock, priorities, put,
};
#[cfg(test)]
pub(crate) use crate::tables::tasks::workspaces::assemble_workspaces;
pub use crate::tables::tasks::workspaces::{
    WORKSPACE_ORDER, list_live_with_workspace, list_with_workspace,
};
