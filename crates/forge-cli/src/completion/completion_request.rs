//! Answers a shell that completes a command line.

use std::ffi::OsStr;
use std::io;

use clap::{Arg, Command};
use clap_complete::env::Shells;
use clap_complete::{ArgValueCompleter, CompleteEnv, Shell};

use crate::completion::name_candidates::{NameCandidates, NameKind};
use crate::environment::ProcessEnvironment;
use crate::help::command_tree::command_tree;

/// The variable by which the shell's script asks for completions.
const REQUEST_VARIABLE: &str = "FORGE_COMPLETE";

const PROGRAM: &str = "forge";

/// Answers a request of the shell's script; `false` if the process was started for something else.
pub(crate) fn answer_completion(environment: &ProcessEnvironment) -> Result<bool, clap::Error> {
    if environment.get(REQUEST_VARIABLE).is_none() {
        return Ok(false);
    }
    let names = NameCandidates::new(environment.clone());
    let tree = || add_names(command_tree(), &names);
    let here = std::env::current_dir().ok();
    CompleteEnv::with_factory(tree)
        .var(REQUEST_VARIABLE)
        .bin(PROGRAM)
        .try_complete(ProcessEnvironment::arguments(), here.as_deref())
}

/// The script of a shell, which calls this program for every completion.
pub(crate) fn completion_script(shell: Shell) -> Result<Vec<u8>, io::Error> {
    let mut script = Vec::new();
    if let Some(completer) = Shells::builtins().completer(&shell.to_string()) {
        completer.write_registration(REQUEST_VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    }
    Ok(script)
}

/// Adds the names of the server to every argument that takes one.
fn add_names(command: Command, names: &NameCandidates) -> Command {
    command
        .mut_args(|arg| match kind_of(&arg) {
            Some(kind) => {
                let names = names.clone();
                arg.add(ArgValueCompleter::new(move |typed: &OsStr| names.find(kind, typed)))
            }
            None => arg,
        })
        .mut_subcommands(|sub| add_names(sub, names))
}

/// What an argument names. Arguments of one meaning have one name in all commands.
fn kind_of(arg: &Arg) -> Option<NameKind> {
    Some(match arg.get_id().as_str() {
        "task" | "on" | "parent" | "depends_on" => NameKind::Task,
        "agent" | "fallback" => NameKind::Agent,
        "project" => NameKind::Project,
        "state" | "status" => NameKind::State,
        _ => return None,
    })
}
