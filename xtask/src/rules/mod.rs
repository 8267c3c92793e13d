//! One rule per file: what it requires, how to fix a violation, and tests that it catches a planted violation.

pub mod banned_pronouns;
pub mod commit_subjects;
pub mod crate_dependencies;
pub mod file_budget;
pub mod file_names;
pub mod folder_size;
pub mod leftovers;
pub mod machine_paths;
pub mod module_comments;
pub mod module_files;
pub mod short_docs;
pub mod state_names;
pub mod type_names;
