use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::adoption::exit_record;
use crate::adoption::process_adoption::load_ending;
use crate::supervise::process_outcome::ProcessEnding;
use crate::tree::orphans;
use crate::tree::process_mark::ProcessMark;
use crate::tree::process_row::ProcessRow;
use crate::tree::process_tree::ProcessTree;

const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// An exit recorder needs a moment to write its record; this bounds the wait for a recorder that hangs in the kernel.
const PATIENCE: Duration = Duration::from_secs(10);

/// How an unsupervised program ended by itself, if it did. If the program has ended but its exit recorder has not
/// written the record yet, this waits for it. If the program still runs, it gets SIGSTOP so that it cannot end by
/// itself any more; call [`crate::end_marked_processes`] next, which also wakes it.
pub async fn await_unsupervised_ending(log: &Path, mark: &ProcessMark) -> Option<ProcessEnding> {
    orphans::become_subreaper();
    let tree = ProcessTree::of_mark(mark.clone());
    let begun = Instant::now();
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // Read the process table before the record: an exit recorder that is gone has already written its record.
        let kept = RecordedProgram::find(&tree.load_members().await.alive);
        if let Some(ending) = load_ending(log) {
            return Some(ending);
        }
        let RecordedProgram { recorder: keeper, program } = kept?;
        match program {
            Some(program) if program.is_stopped => return None,
            Some(program) => program.signal(Signal::STOP),
            // The recorder is about to start its program, or about to write the exit.
            None => keeper.signal(Signal::CONT),
        }
        if begun.elapsed() >= PATIENCE {
            return None;
        }
    }
}

/// Wakes the program of this exit recorder if it was stopped.
pub(crate) async fn wake_stopped_program(keeper: u32) {
    let wake = move || {
        let stopped = |row: &ProcessRow| row.parent == keeper && row.is_stopped;
        ProcessRow::load_all()
            .iter()
            .filter(|row| stopped(row))
            .for_each(|row| row.signal(Signal::CONT));
    };
    tokio::task::spawn_blocking(wake).await.ok();
}

/// A living exit recorder, and its program if that is alive.
struct RecordedProgram {
    recorder: ProcessRow,
    program: Option<ProcessRow>,
}

impl RecordedProgram {
    fn find(alive: &[ProcessRow]) -> Option<Self> {
        let keepers: Vec<&ProcessRow> = alive.iter().filter(|row| is_exit_recorder(row)).collect();
        let is_child = |row: &ProcessRow| keepers.iter().any(|keeper| keeper.pid == row.parent);
        // A fork of the recorder carries the recorder's command line until it executes the program.
        let keeper = **keepers.iter().find(|keeper| !is_child(keeper))?;
        let program = alive.iter().find(|row| row.parent == keeper.pid).copied();
        Some(Self { recorder: keeper, program })
    }
}

fn is_exit_recorder(row: &ProcessRow) -> bool {
    let words = fs::read(format!("/proc/{}/cmdline", row.pid)).unwrap_or_default();
    words.split(|byte| *byte == 0).any(|word| word == exit_record::SCRIPT.as_bytes())
}
