//! The help of all commands: the options of every command on a page of their own, and long lists of commands in groups.
//!
//! It only changes what is printed. Nothing is stored, so a crash leaves nothing behind.

pub(crate) mod command_groups;
pub(crate) mod command_tree;
#[cfg(test)]
mod help_pages;
pub(crate) mod setting_groups;
