//! Shows the current state of the demo's tasks.

use std::collections::HashMap;

use forge_api::{Task, TaskPhase};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use uuid::Uuid;

use crate::terminal::cli_output::CliOutput;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::wire_name;

/// One updating line per task on a terminal; otherwise one line per change.
pub(crate) struct DemoProgress {
    output: CliOutput,
    bars: Option<MultiProgress>,
    shown: HashMap<Uuid, (String, Option<ProgressBar>)>,
}

impl DemoProgress {
    pub(crate) fn new(output: CliOutput) -> Self {
        Self { output, bars: output.is_animated().then(MultiProgress::new), shown: HashMap::new() }
    }

    /// Landed, cancelled, or waiting for a person.
    pub(crate) fn is_settled(task: &Task) -> bool {
        let rests = task.phase == TaskPhase::Done || task.error_annotation.is_some();
        rests && task.busy.is_none()
    }

    pub(crate) fn show(&mut self, tasks: &[Task]) {
        for task in tasks.iter().rev() {
            let line = line(task);
            let bars = &self.bars;
            let (before, bar) = self.shown.entry(task.id).or_insert_with(|| {
                let bar = bars.as_ref().map(|bars| bars.add(spinner()));
                (String::new(), bar)
            });
            if *before == line {
                continue;
            }
            match bar {
                Some(bar) if Self::is_settled(task) => bar.finish_with_message(line.clone()),
                Some(bar) => bar.set_message(line.clone()),
                None => self.output.print_note(&line),
            }
            *before = line;
        }
    }
}

impl Drop for DemoProgress {
    fn drop(&mut self) {
        if let Some(bars) = &self.bars {
            // The summary repeats the content; a screen that cannot be cleared shows both.
            let _ = bars.clear();
        }
    }
}

fn line(task: &Task) -> String {
    let busy = task.busy.as_ref().map(|busy| format!(" ({})", wire_name(busy))).unwrap_or_default();
    let condition = format!("{}{busy}", one_line(&task.status));
    format!("{:<5} {condition:<26} {}", task.key, one_line(&task.title))
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    // The template is a constant; if it were invalid, the bar would keep its default style.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}
