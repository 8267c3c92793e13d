//! Input and output on a terminal: results, tables, styles, questions, secrets, long texts and
//! their pager.
//!
//! Results go to standard output, messages to standard error. Text from outside is printed without control
//! characters. The only state is the terminal's echo, which is restored when a secret prompt ends; a kill -9 during
//! the prompt leaves the echo off.

pub(crate) mod branch_question;
pub(crate) mod cli_output;
pub(crate) mod confirm;
pub(crate) mod escape_sequences;
pub(crate) mod micro_dollars;
pub(crate) mod next_steps;
pub(crate) mod pager;
pub(crate) mod relative_time;
pub(crate) mod secret_prompt;
pub(crate) mod shell_word;
pub(crate) mod text_editor;
pub(crate) mod text_source;
pub(crate) mod text_style;
pub(crate) mod text_table;
pub(crate) mod web_page;
pub(crate) mod wire_words;
