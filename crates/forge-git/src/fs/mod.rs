//! File access that an agent cannot redirect or block: directories opened without following a symlink (W-5), regular
//! files only (W-18), comparison of files by inode, size and times, and subdirectories of a git directory.
//!
//! No state. A crash leaves at most an empty directory.

pub(crate) mod confined_dir;
pub(crate) mod file_stamp;
pub(crate) mod git_subdirectory;
pub(crate) mod regular_file;
pub(crate) mod spread;
