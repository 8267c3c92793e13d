//! One rule per file: what it demands, how to mend it, and proof that it catches a planted offence.

pub mod arrows;
pub mod file_budget;
pub mod file_names;
pub mod leftovers;
pub mod machine_paths;
pub mod module_files;
pub mod state_names;
