//! Describes a task as text.

use forge_api::{ActionView, DiffView, Execution, NextStep, Review, StepOutcome, UsageSum};

use crate::commands::task::list::{task_condition, task_style};
use crate::commands::task::questions::describe_question;
use crate::commands::task::show::task_details::TaskDetails;
use crate::commands::task::task_outcome;
use crate::commands::usage::describe_usage;
use crate::commands::workspace::list::describe_changes;
use crate::context::CliContext;
use crate::terminal::next_steps;
use crate::terminal::relative_time::seconds_between;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::{readable_age, wire_name};

/// The fact lines of a task: a name, and a value on one line.
struct FactLines(String);

impl FactLines {
    fn add(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.0.push_str(&format!("\n  {name:<12}{}", one_line(value)));
        }
    }
}

/// The task on one screen: who works on it, where, what changed, how it is checked, and what to do next.
pub(crate) fn describe_task(context: &CliContext, details: &TaskDetails) -> String {
    let task = &details.task;
    let title = format!("{}  {}", task.key, one_line(&task.title));
    let status = context.output.styled(task_style(task), &one_line(&task.status));
    let mut text =
        format!("{}\n  state       {status}", context.output.styled(TextStyle::Bold, &title));
    let condition = task_condition(task);
    if !condition.is_empty() {
        text.push_str(&format!(" ({})", one_line(&condition).replace('_', " ")));
    }
    let mut facts = FactLines(text);
    add_work(context, &mut facts, details);
    add_plan(&mut facts, details);
    add_results(context, &mut facts, details);
    let mut text = facts.0;
    if let Some(annotation) = &task.error_annotation {
        let message = context.output.styled(TextStyle::Error, &plain_text(&annotation.message));
        text.push_str(&format!("\n\n{message}{}", task_outcome::trouble_files(annotation)));
    }
    for question in &task.questions {
        text.push_str(&format!("\n\n{}", describe_question(context, question).trim_end()));
    }
    if !task.description.is_empty() {
        text.push_str(&format!("\n\n{}", plain_text(&task.description)));
    }
    text.push_str(&describe_next(context, details));
    text
}

/// Who works where, for how long, and what changed so far.
fn add_work(context: &CliContext, facts: &mut FactLines, details: &TaskDetails) {
    if let Some(execution) = &details.last_execution {
        let worker = details.worker.as_deref().unwrap_or("an unknown agent");
        facts.add("run", &describe_execution(context, execution, worker));
    }
    if let Some(workspace) = &details.workspace {
        facts.add("branch", workspace.branch.as_deref().unwrap_or_default());
        // A removed workspace has no commit any more.
        if workspace.head.is_some() || workspace.branch.is_none() {
            facts.add("worktree", &format!("cd {}", workspace.path));
        }
        let dirty = workspace.dirty.map(describe_changes).unwrap_or_default();
        facts.add("uncommitted", &dirty);
    }
    if let Some(diff) = &details.diff {
        facts.add("changes", &describe_diff(diff));
    }
}

/// What was asked for: priority, labels, roles, relations and checks.
fn add_plan(facts: &mut FactLines, details: &TaskDetails) {
    let task = &details.task;
    if task.priority != 0 {
        facts.add("priority", &task.priority.to_string());
    }
    facts.add("labels", &task.labels.join(", "));
    for (name, value) in &details.relations {
        facts.add(name, value);
    }
    for step in &task.review_config.ci_steps {
        facts.add("check", step);
    }
}

/// What came of it: attempts at the gate, landing, cost.
fn add_results(context: &CliContext, facts: &mut FactLines, details: &TaskDetails) {
    let task = &details.task;
    for review in &details.reviews {
        facts.add("attempt", &describe_attempt(context, review));
    }
    for (name, value) in task_outcome::outcome_facts(task) {
        facts.add(name, &value);
    }
    if let Some(pull) = &task.pull_request {
        let waits = pull.waits_for.map(|wait| format!(", waits for {}", wire_name(&wait)));
        let (state, waits) = (wire_name(&pull.state), waits.unwrap_or_default());
        facts.add("pull", &format!("#{} {state}{waits} {}", pull.number, pull.url));
    }
    if let Some(usage) = details.usage.as_ref().filter(|usage| usage.runs > 0) {
        facts.add("cost", &describe_cost(usage));
    }
    facts.add("created", &context.now.ago(&task.created_at));
    facts.add("changed", &context.now.ago(&task.updated_at));
}

fn describe_execution(context: &CliContext, execution: &Execution, worker: &str) -> String {
    let who = format!("{worker} as {}", execution.role);
    let Some(started) = &execution.started_at else { return format!("{who}, not started yet") };
    let (Some(finished), Some(outcome)) = (&execution.finished_at, execution.outcome) else {
        return format!("{who}, at work for {}", context.now.elapsed(started));
    };
    let outcome = wire_name(&outcome).replace('_', " ");
    let took = seconds_between(started, finished).map(readable_age).unwrap_or_default();
    format!("{who}, {outcome} after {took}, {}", context.now.ago(finished))
}

fn describe_diff(diff: &DiffView) -> String {
    if diff.files.is_empty() {
        return "none".to_owned();
    }
    let added: u64 = diff.files.iter().filter_map(|file| file.additions).sum();
    let removed: u64 = diff.files.iter().filter_map(|file| file.deletions).sum();
    let count = diff.files.len();
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let more = if diff.truncated { " or more" } else { "" };
    format!("{files}{more}, +{added} -{removed}")
}

fn describe_attempt(context: &CliContext, review: &Review) -> String {
    let ended = review.finished_at.as_deref().map(|at| context.now.ago(at)).unwrap_or_default();
    let passed =
        review.step_results.iter().filter(|step| step.outcome == StepOutcome::Passed).count();
    let checks = match review.step_results.len() {
        0 => String::new(),
        all => format!(", {passed} of {all} checks passed"),
    };
    let status = wire_name(&review.status).replace('_', " ");
    format!("{} {status}{checks} {ended}", review.attempt_number).trim_end().to_owned()
}

fn describe_cost(usage: &UsageSum) -> String {
    let runs = if usage.runs == 1 { "1 run".to_owned() } else { format!("{} runs", usage.runs) };
    format!("{} in {runs}", describe_usage(usage))
}

/// What the task waits for, and the commands that are possible now.
fn describe_next(context: &CliContext, details: &TaskDetails) -> String {
    let task = &details.task;
    let mut text = String::new();
    match &details.why {
        Some(why) => {
            text.push_str("\n\n");
            if task.error_annotation.is_none() {
                let message = one_line(&why.message);
                text.push_str(&next_steps::wrap_lines(&message, |line| format!("{line}\n")));
            }
            text.push_str(&next_steps::list_steps(context, &why.next));
        }
        None => {
            text.push_str("\n\n");
            text.push_str(&next_steps::list_steps(context, &steps_of(&details.actions)));
        }
    }
    if !details.actions.is_empty() && details.why.is_some() {
        let all = format!("forge task show {} --actions", task.key);
        let all = context.output.styled(TextStyle::Bold, &all);
        text.push_str(&format!("  all   {all}\n"));
    }
    text.truncate(text.trim_end().len());
    text
}

fn steps_of(actions: &[ActionView]) -> Vec<NextStep> {
    let step = |action: &ActionView| {
        Some(NextStep { label: action.label.clone(), command: action.command.clone()? })
    };
    actions.iter().filter_map(step).collect()
}
