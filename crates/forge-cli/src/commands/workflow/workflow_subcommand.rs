//! The command `forge workflow`.

use std::path::PathBuf;

use clap::Subcommand;
use forge_domain::workflow::{InvalidWorkflowError, TEMPLATES, WorkflowDefinition, template};
use serde_json::{Value, json};

use crate::cli_error::CliError;
use crate::commands::workflow::workflow_file;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;
use crate::terminal::wire_words::wire_name;

/// Show workflows and check your own; needs no server
#[derive(Debug, Subcommand)]
pub(crate) enum WorkflowSubcommand {
    /// Check a workflow file: print every problem with its line, or the graph if there is none
    Check {
        /// TOML file; `-` for standard input
        file: PathBuf,
        /// Print the graph for Mermaid
        #[arg(long)]
        mermaid: bool,
    },
    /// List the built-in workflows
    #[command(visible_alias = "ls")]
    List,
    /// Show a built-in workflow
    Show {
        /// Name of the workflow
        name: String,
        /// Print the graph for Mermaid
        #[arg(long, conflicts_with = "toml")]
        mermaid: bool,
        /// Print the file itself, as a start for your own
        #[arg(long)]
        toml: bool,
    },
}

impl WorkflowSubcommand {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        match self {
            Self::Check { file, mermaid } => match workflow_file::check_file(&file)? {
                Ok(definition) => print_valid(context, &definition, mermaid),
                Err(invalid) => print_problems(context, &file, &invalid),
            },
            Self::List => list(context),
            Self::Show { name, mermaid, toml } => {
                let text =
                    TEMPLATES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
                let Some((text, definition)) = text.zip(template(&name)) else {
                    // This returns an error that lists the existing workflows.
                    workflow_file::choose_workflow(&name)?;
                    return Err(CliError::usage(format!("`{name}` is a file"))
                        .hint(format!("use `forge workflow check {name}`")));
                };
                if toml {
                    return context.output.print_result(&definition, || text.to_owned());
                }
                context.output.print_result(&definition, || draw_definition(&definition, mermaid))
            }
        }
    }
}

fn draw_definition(definition: &WorkflowDefinition, mermaid: bool) -> String {
    if mermaid { definition.as_mermaid() } else { definition.as_text() }
}

fn print_valid(
    context: &CliContext,
    definition: &WorkflowDefinition,
    mermaid: bool,
) -> Result<(), CliError> {
    let document = json!({
        "name": definition.name, "valid": true, "problems": [],
        "mermaid": mermaid.then(|| definition.as_mermaid()),
    });
    context.output.print_result(&document, || draw_definition(definition, mermaid))?;
    context.output.print_note(&format!("Workflow `{}` is sound.", definition.name));
    Ok(())
}

fn print_problems(
    context: &CliContext,
    file: &std::path::Path,
    invalid: &InvalidWorkflowError,
) -> Result<(), CliError> {
    if context.output.is_json() {
        let document = json!({
            "name": invalid.name, "valid": false, "problems": invalid.problems, "mermaid": Value::Null,
        });
        context.output.print_result(&document, String::new)?;
        return Err(CliError::already_printed(CliExit::Refused));
    }
    let mut text = String::new();
    for problem in &invalid.problems {
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = context.output.styled(TextStyle::Bold, &format!("{}{line}", file.display()));
        let code = wire_name(&problem.code);
        text.push_str(&format!("{place}: {}: {} [{code}]\n", problem.place, problem.message));
    }
    let count = invalid.problems.len();
    let noun = if count == 1 { "problem" } else { "problems" };
    text.push_str(&format!("{count} {noun}\n"));
    context.output.print_text(&text)?;
    Err(CliError::already_printed(CliExit::Refused))
}

fn list(context: &CliContext) -> Result<(), CliError> {
    let definitions: Vec<_> = TEMPLATES.iter().filter_map(|(name, _)| template(name)).collect();
    let mut table = TextTable::new(&["name", "states"]).flexible(1);
    for definition in &definitions {
        let states: Vec<_> = definition.state.iter().map(|state| state.name.as_str()).collect();
        table.row([(TextStyle::Bold, &definition.name), (TextStyle::Plain, &states.join(", "))]);
    }
    context.output.print_table(&definitions, &table)
}
