//! Runs the parsed command.

use std::io;

use crate::cli::CliCommand;
use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::exit_code::documentation;
use crate::help::command_tree::option_list;
use crate::terminal::text_editor::is_editor_open;

/// Runs a command to its end, or until it is interrupted.
pub(crate) async fn run(context: &CliContext, command: CliCommand) -> Result<(), CliError> {
    // Such a command stops its server gracefully, or restores the terminal.
    if command.handles_signals() {
        return Box::pin(run_to_end(context, command)).await;
    }
    tokio::select! {
        ended = Box::pin(run_to_end(context, command)) => ended,
        signal = wait_for_interrupt() => {
            signal?;
            Err(CliError::interrupted())
        }
    }
}

/// Waits for an interrupt that is meant for this command and not for the editor that it has opened.
async fn wait_for_interrupt() -> io::Result<()> {
    loop {
        tokio::signal::ctrl_c().await?;
        if !is_editor_open() {
            return Ok(());
        }
    }
}

async fn run_to_end(context: &CliContext, command: CliCommand) -> Result<(), CliError> {
    match command {
        CliCommand::Serve(serve) => serve.run(context).await,
        CliCommand::Demo(demo) => demo.run(context).await,
        CliCommand::Init(init) => init.run(context).await,
        CliCommand::Login(login) => login.run(context).await,
        CliCommand::Logout(logout) => logout.run(context).await,
        CliCommand::Whoami(whoami) => whoami.run(context).await,
        CliCommand::Project(project) => project.run(context).await,
        CliCommand::Repo(repo) => repo.run(context).await,
        CliCommand::Agent(agent) => agent.run(context).await,
        CliCommand::Task(task) => task.run(context).await,
        CliCommand::Workflow(workflow) => workflow.run(context),
        CliCommand::Workspace(workspace) => workspace.run(context).await,
        CliCommand::Merge(merge) => merge.run(context).await,
        CliCommand::Open(open) => open.run(context).await,
        CliCommand::User(user) => user.run(context).await,
        CliCommand::Status(status) => status.run(context).await,
        CliCommand::Verdict(verdict) => verdict.run(context).await,
        CliCommand::Ask(ask) => ask.run(context).await,
        CliCommand::Skill(skill) => skill.run(context),
        CliCommand::Why(why) => why.run(context).await,
        CliCommand::Inbox(inbox) => inbox.run(context).await,
        CliCommand::Board(board) => board.run(context).await,
        CliCommand::Conflicts(conflicts) => conflicts.run(context).await,
        CliCommand::Usage(usage) => usage.run(context).await,
        CliCommand::Budget(budget) => budget.run(context).await,
        CliCommand::Dispatch(dispatch) => dispatch.run(context).await,
        CliCommand::Train(train) => train.run(context).await,
        CliCommand::Journal(journal) => journal.run(context).await,
        CliCommand::Config(config) => config.run(context),
        CliCommand::Backup(backup) => backup.run(context).await,
        CliCommand::Webhook(webhook) => webhook.run(context).await,
        CliCommand::Doctor(doctor) => doctor.run(context).await,
        CliCommand::Mcp(mcp) => mcp.run(context).await,
        CliCommand::Completions(completions) => completions.run(context),
        CliCommand::Man(man) => man.run(context),
        CliCommand::ExitCodes => context.output.print_text(&documentation()),
        CliCommand::Options => context.output.print_text(&option_list()),
    }
}
