//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands;
use crate::exit::documentation;

/// Run many coding agents on your git repositories and land their work safely
///
/// A server (`forge serve`) keeps projects, tasks and agents; every other command talks to it. In a repository, begin
/// with `forge init`. To see it work without one, run `forge demo`.
#[derive(Debug, Parser)]
#[command(name = "forge", version, propagate_version = false, arg_required_else_help = true)]
#[command(after_help = "Exit codes: forge help exit-codes")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) options: GlobalOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every command knows.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalOptions {
    /// The server
    #[arg(long, global = true, env = "FORGE_URL", default_value = "http://127.0.0.1:8080")]
    #[arg(value_name = "URL", hide_env_values = true)]
    pub(crate) url: String,
    /// Print one JSON document, as the HTTP interface answers it; errors are JSON on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Print only what was asked for: no next steps, no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<commands::serve::Serve>),
    Demo(commands::demo::Demo),
    Init(commands::init::Init),
    Login(commands::login::Login),
    Logout(commands::logout::Logout),
    #[command(subcommand)]
    Project(commands::project::Project),
    #[command(subcommand)]
    Repo(commands::repo::Repo),
    #[command(subcommand)]
    Agent(commands::agent::Agent),
    #[command(subcommand)]
    Task(Box<commands::task::Task>),
    #[command(subcommand)]
    User(commands::user::User),
    Verdict(commands::verdict::Verdict),
    Why(commands::why::Why),
    Conflicts(commands::conflicts::Conflicts),
    Usage(commands::usage::Usage),
    Budget(commands::budget::Budget),
    #[command(subcommand)]
    Dispatch(commands::dispatch::Dispatch),
    #[command(subcommand)]
    Train(commands::train::Train),
    Journal(commands::journal::Journal),
    #[command(subcommand)]
    Workflow(commands::workflow::Workflow),
    #[command(subcommand)]
    Workspace(commands::workspace::Workspace),
    Doctor(commands::doctor::Doctor),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
    /// What the exit code of every command says
    #[command(long_about = documentation(), hide = true)]
    ExitCodes,
}

impl Command {
    /// Whether it runs a server in this process, and so needs more than one thread.
    pub(crate) fn runs_server(&self) -> bool {
        matches!(self, Self::Serve(_) | Self::Demo(_))
    }
}
