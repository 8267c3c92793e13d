//! Agent programs: how each is called, what it is told, and how its answer is read. Starting and ending processes is
//! forge-proc's business; when to do so is the engine's.

mod executor;
mod prompt;
mod shell;
mod turn;
mod verdict;

pub use executor::{Executor, ExecutorError};
pub use prompt::Prompt;
pub use turn::{Place, Turn};
pub use verdict::read_verdict;
