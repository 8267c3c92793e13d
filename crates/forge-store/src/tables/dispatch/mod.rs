//! The scheduler's tables (E-10, T-20, T-28): projects with dispatch switched on, claimable tasks in queue order, tasks that wait for
//! a person.
//!
//! A waiting task is ready when it is free and all its dependencies have landed. Each lane (project, holder, role) is read from its
//! head by an index. Only transactions that hold the project's counter write the queue, so that an ending dependency and a task that
//! starts to wait for it cannot miss each other. Rows older than a table have no role or reason; the next start fills them in.

pub mod needs_person;
pub mod served_projects;
pub mod waiting_tasks;
