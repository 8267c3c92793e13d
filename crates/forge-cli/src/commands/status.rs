//! The command `forge status`.

use std::collections::BTreeSet;

use clap::Args;
use forge_api::{TaskPhase, WorkOverview, WorkOverviewGroup, WorkOverviewQuery, WorkOverviewTask};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};

/// Counts of the server end here.
const MOST_COUNTED: u32 = 1000;

/// Show what goes on in all your projects, on one screen
///
/// What needs you, what is being worked on, what is queued, and what landed today; each task with its agent, its age
/// and the next command.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Maximum number of tasks in each group
    #[arg(long, short = 'n', default_value_t = 5, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
}

/// How a group of tasks is shown.
struct GroupLayout {
    title: &'static str,
    style: TextStyle,
    /// Whether each task has its next command below it.
    with_command: bool,
    /// The command that lists the whole group.
    all: &'static str,
}

const NEEDS_YOU: GroupLayout = GroupLayout {
    title: "Needs you",
    style: TextStyle::Error,
    with_command: true,
    all: "forge inbox",
};
const WORKING: GroupLayout = GroupLayout {
    title: "Working",
    style: TextStyle::Warning,
    with_command: true,
    all: "forge task list --phase working",
};
const QUEUED: GroupLayout = GroupLayout {
    title: "Queued",
    style: TextStyle::Plain,
    with_command: false,
    all: "forge task list --phase ready",
};
const LANDED: GroupLayout = GroupLayout {
    title: "Landed today",
    style: TextStyle::Success,
    with_command: false,
    all: "forge task list --phase done --sort updated",
};

impl StatusArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let query = WorkOverviewQuery {
            limit: Some(self.limit),
            landed_seconds: Some(context.now.seconds_today()),
        };
        let found = client.tasks().fetch_overview(&query).await?;
        context.output.print_result(&found, || describe_overview(context, &found))
    }
}

fn describe_overview(context: &CliContext, found: &WorkOverview) -> String {
    let groups = [
        (NEEDS_YOU, &found.needs_person),
        (WORKING, &found.working),
        (QUEUED, &found.queued),
        (LANDED, &found.landed),
    ];
    let tasks = groups.iter().flat_map(|(_, group)| &group.tasks);
    let projects: BTreeSet<_> = tasks.map(|task| &task.project_slug).collect();
    let with_project = projects.len() > 1;
    let parts =
        groups.iter().map(|(layout, group)| describe_group(context, layout, group, with_project));
    let mut text = parts.collect::<Vec<_>>().join("\n");
    if found.backlog > 0 {
        let backlog = context.output.styled(TextStyle::Bold, "Backlog");
        let count = format_count(found.backlog);
        text.push_str(&format!(
            "\n{backlog}  {count}, not queued: forge task list --phase backlog\n"
        ));
    }
    text
}

fn describe_group(
    context: &CliContext,
    layout: &GroupLayout,
    group: &WorkOverviewGroup,
    with_project: bool,
) -> String {
    let title = context.output.styled(TextStyle::Bold, layout.title);
    if group.tasks.is_empty() {
        return format!("{title}  none\n");
    }
    let mut table = TextTable::without_heading(6).flexible(2);
    for task in &group.tasks {
        let project = if with_project { task.project_slug.as_str() } else { "" };
        table.row([
            (TextStyle::Bold, &format!("  {}", task.key)),
            (layout.style, &describe_condition(task)),
            (TextStyle::Plain, &task.title),
            (TextStyle::Dim, project),
            (TextStyle::Plain, task.holder.as_deref().unwrap_or_default()),
            (TextStyle::Dim, &context.now.age(&task.since)),
        ]);
        if let Some(step) = task.next.first().filter(|_| layout.with_command) {
            table.note(format!("      {}", one_line(&step.command)));
        }
    }
    let mut text = format!("{title}  {}\n", format_count(group.count));
    text.push_str(&context.output.render_table(&table));
    let shown = u32::try_from(group.tasks.len()).unwrap_or(u32::MAX);
    if group.count > shown {
        text.push_str(&format!("  more: {}\n", layout.all));
    }
    text
}

/// The reason why a task waits for a person, otherwise its state.
fn describe_condition(task: &WorkOverviewTask) -> String {
    match &task.reason {
        Some(reason) => reason.replace('_', " "),
        None if task.phase == TaskPhase::Done => String::new(),
        None => task.status.clone(),
    }
}

fn format_count(count: u32) -> String {
    if count >= MOST_COUNTED { format!("{MOST_COUNTED} or more") } else { count.to_string() }
}
