//! Describes program calls and runs short commands.
//!
//! `ProgramInvocation` holds arguments, directory, environment and standard input; nothing is inherited. `capture`
//! runs a short command in its own process group with limits on output and time, and returns its output. `background`
//! lowers the priority of commands that no user waits for.
//!
//! A short command has no state on disk. Dropping the future kills its process group. A crash of the server does not
//! end the command; a caller that wants to find it afterwards marks the call (`with_mark`), as forge-git does.

pub(crate) mod background;
pub(crate) mod capture;
pub(crate) mod invocation;
