//! What the tasks do right now.

use std::collections::HashMap;

use forge_api::{Phase, Task};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use uuid::Uuid;

use crate::output::Output;
use crate::table::one_line;
use crate::words::word;

/// A moving line per task on a terminal; a line per change elsewhere.
pub(super) struct Progress {
    output: Output,
    bars: Option<MultiProgress>,
    shown: HashMap<Uuid, (String, Option<ProgressBar>)>,
}

impl Progress {
    pub(super) fn new(output: Output) -> Self {
        Self { output, bars: output.is_lively().then(MultiProgress::new), shown: HashMap::new() }
    }

    /// Landed, called off, or waiting for a person.
    pub(super) fn is_settled(task: &Task) -> bool {
        let rests = task.phase == Phase::Done || task.error_annotation.is_some();
        rests && task.busy.is_none()
    }

    pub(super) fn show(&mut self, tasks: &[Task]) {
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
                None => self.output.note(&line),
            }
            *before = line;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bars) = &self.bars {
            // The summary says the same; a screen that cannot be cleared keeps both.
            let _ = bars.clear();
        }
    }
}

fn line(task: &Task) -> String {
    let busy = task.busy.as_ref().map(|busy| format!(" ({})", word(busy))).unwrap_or_default();
    let condition = format!("{}{busy}", one_line(&task.status));
    format!("{:<5} {condition:<26} {}", task.key, one_line(&task.title))
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    // The template is a constant; were it wrong, the bar would keep its plain look.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}
