//! `forge workflow`

use std::path::PathBuf;

use clap::Subcommand;
use forge_domain::workflow::{Definition, Invalid, TEMPLATES, template};
use serde_json::{Value, json};

use super::workflow_file;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;
use crate::words::word;

/// Look at workflows and check your own; no server is needed
#[derive(Debug, Subcommand)]
pub(crate) enum Workflow {
    /// Check a workflow file: every problem with its line, or the graph if there is none
    Check {
        /// A TOML file; `-` for standard input
        file: PathBuf,
        /// Draw the graph for Mermaid
        #[arg(long)]
        mermaid: bool,
    },
    /// List the workflows that come with Forge
    #[command(visible_alias = "ls")]
    List,
    /// Show a workflow that comes with Forge
    Show {
        /// Its name
        name: String,
        /// Draw the graph for Mermaid
        #[arg(long, conflicts_with = "toml")]
        mermaid: bool,
        /// Print the file itself, as a start for your own
        #[arg(long)]
        toml: bool,
    },
}

impl Workflow {
    pub(crate) fn run(self, context: &Context) -> Result<(), Failure> {
        match self {
            Self::Check { file, mermaid } => match workflow_file::check(&file)? {
                Ok(definition) => sound(context, &definition, mermaid),
                Err(invalid) => unsound(context, &file, &invalid),
            },
            Self::List => list(context),
            Self::Show { name, mermaid, toml } => {
                let text =
                    TEMPLATES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
                let Some((text, definition)) = text.zip(template(&name)) else {
                    // Says which there are.
                    workflow_file::choose(&name)?;
                    return Err(Failure::usage(format!("`{name}` is a file"))
                        .hint(format!("use `forge workflow check {name}`")));
                };
                if toml {
                    return context.output.result(&definition, || text.to_owned());
                }
                context.output.result(&definition, || drawing(&definition, mermaid))
            }
        }
    }
}

fn drawing(definition: &Definition, mermaid: bool) -> String {
    if mermaid { definition.as_mermaid() } else { definition.as_text() }
}

fn sound(context: &Context, definition: &Definition, mermaid: bool) -> Result<(), Failure> {
    let document = json!({
        "name": definition.name, "valid": true, "problems": [],
        "mermaid": mermaid.then(|| definition.as_mermaid()),
    });
    context.output.result(&document, || drawing(definition, mermaid))?;
    context.output.note(&format!("Workflow `{}` is sound.", definition.name));
    Ok(())
}

fn unsound(context: &Context, file: &std::path::Path, invalid: &Invalid) -> Result<(), Failure> {
    if context.output.is_json() {
        let document = json!({
            "name": invalid.name, "valid": false, "problems": invalid.problems, "mermaid": Value::Null,
        });
        context.output.result(&document, String::new)?;
        return Err(Failure::already_told(Exit::Refused));
    }
    let mut text = String::new();
    for problem in &invalid.problems {
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = context.output.ink(Ink::Strong, &format!("{}{line}", file.display()));
        let code = word(&problem.code);
        text.push_str(&format!("{place}: {}: {} [{code}]\n", problem.place, problem.message));
    }
    let count = invalid.problems.len();
    let noun = if count == 1 { "problem" } else { "problems" };
    text.push_str(&format!("{count} {noun}\n"));
    context.output.text(&text)?;
    Err(Failure::already_told(Exit::Refused))
}

fn list(context: &Context) -> Result<(), Failure> {
    let definitions: Vec<_> = TEMPLATES.iter().filter_map(|(name, _)| template(name)).collect();
    let mut table = Table::new(&["name", "states"]).flexible(1);
    for definition in &definitions {
        let states: Vec<_> = definition.state.iter().map(|state| state.name.as_str()).collect();
        table.row([(Ink::Strong, &definition.name), (Ink::Plain, &states.join(", "))]);
    }
    context.output.table(&definitions, &table)
}
