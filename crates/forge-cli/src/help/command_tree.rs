//! The tree of all commands, with the help that users see.

use clap::{Args, Command, CommandFactory, FromArgMatches};

use crate::cli::{ForgeCli, GlobalOptions};
use crate::help::command_groups::{
    CommandGroup, HELP_WIDTH, TASK_GROUPS, TOP_GROUPS, grouped_template, wrap_text,
};

const OPTIONS_NOTE: &str = "Options of every command: forge help options";
const TOPICS_NOTE: &str =
    "Help of a command: forge help COMMAND\nTopics: forge help options, forge help exit-codes";

/// The command line with its help: options of every command are folded away, and long lists of commands are grouped.
pub(crate) fn command_tree() -> Command {
    let tree = ForgeCli::command()
        .max_term_width(HELP_WIDTH)
        .mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg })
        .mut_subcommands(add_options_note)
        .mut_subcommand("task", |task| group_commands(task, TASK_GROUPS));
    group_commands(tree, TOP_GROUPS).after_help(TOPICS_NOTE)
}

fn group_commands(command: Command, groups: &[CommandGroup]) -> Command {
    let template = grouped_template(&command, groups);
    command.help_template(template)
}

/// Commands whose short and long help differ, or which have a template of their own.
const OWN_LAYOUT: &[&str] = &["serve", "exit-codes", "options"];

/// Shows the whole description above a compact list of options. Otherwise the parser separates all options by empty
/// lines as soon as a command has a long description.
fn flatten_description(command: Command) -> Command {
    let long = command.get_long_about().map(ToString::to_string);
    match long.filter(|_| !OWN_LAYOUT.contains(&command.get_name())) {
        None => command,
        Some(long) => {
            let paragraphs: Vec<_> =
                long.split("\n\n").map(|paragraph| wrap_text(paragraph, 0)).collect();
            let about = paragraphs.join("\n\n");
            let rest = "{usage-heading} {usage}\n\n{all-args}{after-help}";
            command.long_about(None::<&str>).help_template(format!("{about}\n\n{rest}"))
        }
    }
}

/// Adds the line about the folded options to the help of a command and of its subcommands.
fn add_options_note(command: Command) -> Command {
    let command = flatten_description(command);
    let note = match command.get_after_help() {
        Some(own) => format!("{own}\n\n{OPTIONS_NOTE}"),
        None => OPTIONS_NOTE.to_owned(),
    };
    command.after_help(note).mut_subcommands(add_options_note)
}

/// Parses a command line.
pub(crate) fn parse_command_line(
    words: impl IntoIterator<Item = std::ffi::OsString>,
) -> Result<ForgeCli, clap::Error> {
    let mut tree = command_tree();
    let mut matches = tree.try_get_matches_from_mut(words)?;
    ForgeCli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut tree))
}

/// The text of `forge help options`.
pub(crate) fn option_list() -> String {
    let mut command = GlobalOptions::augment_args(Command::new("forge"))
        .disable_help_flag(true)
        .term_width(HELP_WIDTH)
        .help_template("Options of every command\n\n{options}");
    command.render_long_help().to_string()
}
