//! `forge doctor`: checks of this machine, of the server, of the sign-in, and of what agents need to work.
//!
//! It only reads. Each check gives findings, and the exit code says whether one of them failed.

pub(crate) mod doctor_args;
mod doctor_report;
mod machine_checks;
mod server_checks;
mod webhook_checks;
mod work_checks;
