//! Tasks: the snapshot, and what is derived from it so that it can be found.

mod dependency;
mod filter;
mod list;
mod live;
mod placed;
mod related;
mod row;
mod store;
mod users;
mod words;
mod workspaces;

pub use dependency::{dependency_facts, dependents, way_back};
pub use filter::{TaskFilter, TaskSort};
#[cfg(test)]
pub(crate) use list::assemble;
pub use list::list;
pub use live::{live_after, lock_live};
pub use placed::{ended_with_workspace, of_workspace};
#[cfg(test)]
pub(crate) use store::CLAIMABLE;
pub use store::{
    by_number, claimable, insert, load, load_in, load_many, load_many_in, lock, priorities, put,
};
pub use users::users_of_repo;
#[cfg(test)]
pub(crate) use workspaces::assemble_workspaces;
pub use workspaces::{WORKSPACE_ORDER, list_with_workspace};
