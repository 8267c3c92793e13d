//! From the parsed command line to the command.

use crate::cli::Command;
use crate::context::Context;
use crate::exit::documentation;
use crate::failure::Failure;

/// Runs a command to its end, or until it is interrupted.
pub(crate) async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    // What runs a server ends it with grace when it is told to stop.
    if command.runs_server() {
        return Box::pin(run_to_end(context, command)).await;
    }
    tokio::select! {
        ended = Box::pin(run_to_end(context, command)) => ended,
        signal = tokio::signal::ctrl_c() => {
            signal?;
            Err(Failure::interrupted())
        }
    }
}

async fn run_to_end(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(serve) => serve.run(context).await,
        Command::Demo(demo) => demo.run(context).await,
        Command::Init(init) => init.run(context).await,
        Command::Login(login) => login.run(context).await,
        Command::Logout(logout) => logout.run(context).await,
        Command::Project(project) => project.run(context).await,
        Command::Repo(repo) => repo.run(context).await,
        Command::Agent(agent) => agent.run(context).await,
        Command::Task(task) => task.run(context).await,
        Command::Workflow(workflow) => workflow.run(context),
        Command::Workspace(workspace) => workspace.run(context).await,
        Command::User(user) => user.run(context).await,
        Command::Verdict(verdict) => verdict.run(context).await,
        Command::Why(why) => why.run(context).await,
        Command::Conflicts(conflicts) => conflicts.run(context).await,
        Command::Usage(usage) => usage.run(context).await,
        Command::Budget(budget) => budget.run(context).await,
        Command::Dispatch(dispatch) => dispatch.run(context).await,
        Command::Train(train) => train.run(context).await,
        Command::Journal(journal) => journal.run(context).await,
        Command::Doctor(doctor) => doctor.run(context).await,
        Command::Completions(completions) => completions.run(context),
        Command::Man(man) => man.run(context),
        Command::ExitCodes => context.output.text(&documentation()),
    }
}
