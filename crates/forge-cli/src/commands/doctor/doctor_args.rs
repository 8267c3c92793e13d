//! The command `forge doctor`.

use clap::Args;

use crate::cli_error::CliError;
use crate::commands::doctor::doctor_report::{DoctorReport, FindingLevel};
use crate::commands::doctor::machine_checks::{check_data_dir, check_git};
use crate::commands::doctor::server_checks::check_server;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::wire_name;

/// Check this machine, the server and the agents for problems
///
/// It looks at git, disks, server, sign-in, agents, repositories and dispatch. The exit code is 1 if a check failed;
/// warnings do not count.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {}

impl DoctorArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let mut findings = vec![check_git(context)];
        let server = check_server(context).await;
        // The directory of a running server is known; otherwise this shows what `forge serve` would use.
        if !server.iter().any(|finding| finding.name == DATA_DIRECTORY) {
            findings.extend(check_data_dir(context));
        }
        findings.extend(server);
        let mut table = TextTable::new(&["", "what", "finding"]).flexible(2);
        for finding in &findings {
            let ink = match finding.verdict {
                FindingLevel::Ok => TextStyle::Success,
                FindingLevel::Warn => TextStyle::Warning,
                FindingLevel::Fail => TextStyle::Error,
            };
            table.row([
                (ink, &wire_name(&finding.verdict)),
                (TextStyle::Bold, finding.name),
                (TextStyle::Plain, &finding.message),
            ]);
            if let Some(next) = &finding.next {
                table.note(format!("      {}", one_line(next)));
            }
        }
        let failed = findings.iter().any(|finding| finding.verdict == FindingLevel::Fail);
        context.output.print_table(&DoctorReport { findings }, &table)?;
        if failed {
            return Err(CliError::already_printed(CliExit::Refused));
        }
        Ok(())
    }
}

/// The name of the finding about the directory of a server.
pub(crate) const DATA_DIRECTORY: &str = "data directory";
