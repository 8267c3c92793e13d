//! Shell completion. The script that `forge completions SHELL` prints calls the binary for every completion, which
//! answers with commands and options, and with the names of tasks, agents, projects and states from the server.
//!
//! Without a server, or if it takes too long, it offers no names and prints nothing. It stores nothing.

pub(crate) mod completion_request;
mod name_candidates;
