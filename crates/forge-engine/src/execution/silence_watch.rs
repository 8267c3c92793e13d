//! Detects agents that neither print nor change a file (T-23). Cheap for an agent that prints: files are examined only
//! when the log does not grow, and only a few times before each threshold.

use crate::command::clock::Clock;
use crate::effects::EffectContext;
use crate::execution::file_activity::{FileActivity, output_activity};
use crate::execution::silence_limits::SilenceLimits;
use crate::nodes::data_directory::DataDirectory;
use forge_agent::ExecutorConfig;
use forge_domain::task::{AnnotationType, TaskExecution};
use forge_domain::{Actor, EffectReport, SilenceChange, TaskCommand, Timestamp};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of samples between thresholds.
const LOOKS: u64 = 4;
const LONGEST_PAUSE_SECONDS: u64 = 60;

/// The state of the silence detection.
#[derive(Debug)]
struct SilenceWatch {
    limits: SilenceLimits,
    since: Timestamp,
    reported: ReportedSilence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportedSilence {
    Nothing,
    Stalled,
    Stuck,
}

/// What changes with a sign of life.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ActivitySample {
    printed: u64,
    /// `None` if the log grew, because files need not be examined then.
    files: Option<FileActivity>,
}

/// Watches executions for silence.
#[derive(Debug, Clone)]
pub(crate) struct SilenceMonitor {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) silence_limits: SilenceLimits,
}

impl SilenceMonitor {
    /// Runs until dropped. Counts silence only from now on, because nothing observed the agent before.
    pub(crate) async fn watch_silence(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        place: &Path,
    ) -> Infallible {
        let clock = &self.clock;
        let log = self.home.log(run.execution.uuid());
        let mut watch = SilenceWatch {
            limits: self.load_silence_limits(effect).await,
            since: clock.now(),
            reported: reported_before(effect),
        };
        let mut last =
            sample_activity(log.clone(), place.to_owned(), ActivitySample::default()).await;
        let mut alive = false;
        loop {
            if let Some(silence) = watch.due_report(alive, clock.now()) {
                report_silence(effect, run, silence, &mut watch).await;
            }
            clock.wait_until(watch.next_sample_at(clock.now())).await;
            let trace = sample_activity(log.clone(), place.to_owned(), last).await;
            alive = trace.differs_from(last);
            last = trace;
        }
    }

    /// The agent's own thresholds, or the server's.
    async fn load_silence_limits(&self, effect: &EffectContext) -> SilenceLimits {
        let usual = self.silence_limits;
        let agent = effect.load_agent().await.ok();
        let executor = agent.and_then(|agent| ExecutorConfig::from_json(&agent.executor).ok());
        executor.map_or(usual, |executor| usual.with_agent_limits(&executor))
    }
}

async fn report_silence(
    effect: &EffectContext,
    run: &TaskExecution,
    silence: SilenceChange,
    watch: &mut SilenceWatch,
) {
    let report = EffectReport::Silence { execution: run.execution, silence };
    let actor = Actor::system("watch");
    match effect.commands.handle(actor, effect.task.id, TaskCommand::Report(report)).await {
        Ok(_) => watch.set_reported(silence),
        Err(error) => {
            tracing::warn!(task = %effect.task.id, %error, "could not report an agent's silence");
        }
    }
}

/// An earlier server may have reported this execution as stalled.
fn reported_before(effect: &EffectContext) -> ReportedSilence {
    let known = effect.task.annotation.as_ref().map(|annotation| annotation.kind);
    if known == Some(AnnotationType::Stalled) {
        ReportedSilence::Stalled
    } else {
        ReportedSilence::Nothing
    }
}

impl SilenceWatch {
    /// The silence to report now, if any.
    fn due_report(&mut self, alive: bool, now: Timestamp) -> Option<SilenceChange> {
        if alive {
            self.since = now;
            return (self.reported != ReportedSilence::Nothing).then_some(SilenceChange::Broken);
        }
        let since = self.since;
        let silent = |seconds: u64| now.millis() >= since.plus_seconds(seconds).millis();
        match self.reported {
            ReportedSilence::Stuck => None,
            _ if silent(self.limits.stopped_seconds) => Some(SilenceChange::Stuck { since }),
            ReportedSilence::Nothing if silent(self.limits.stalled_seconds) => {
                Some(SilenceChange::Stalled { since })
            }
            _ => None,
        }
    }

    fn set_reported(&mut self, silence: SilenceChange) {
        self.reported = match silence {
            SilenceChange::Stalled { .. } => ReportedSilence::Stalled,
            SilenceChange::Stuck { .. } => ReportedSilence::Stuck,
            SilenceChange::Broken => ReportedSilence::Nothing,
        };
    }

    /// The time of the next sample.
    fn next_sample_at(&self, now: Timestamp) -> Timestamp {
        let pause = (self.limits.stalled_seconds / LOOKS).clamp(1, LONGEST_PAUSE_SECONDS);
        let threshold = match self.reported {
            ReportedSilence::Nothing => self.limits.stalled_seconds,
            ReportedSilence::Stalled | ReportedSilence::Stuck => self.limits.stopped_seconds,
        };
        let due = self.since.plus_seconds(threshold);
        let next = now.plus_seconds(pause);
        if due.millis() > now.millis() && due.millis() < next.millis() { due } else { next }
    }
}

impl ActivitySample {
    fn differs_from(self, earlier: Self) -> bool {
        let touched = matches!((self.files, earlier.files), (Some(now), Some(then)) if now != then);
        self.printed != earlier.printed || touched
    }
}

async fn sample_activity(log: PathBuf, place: PathBuf, last: ActivitySample) -> ActivitySample {
    let looked = tokio::task::spawn_blocking(move || {
        let (printed, _) = output_activity(&log);
        let files = (printed == last.printed).then(|| FileActivity::scan(&place));
        ActivitySample { printed, files }
    });
    looked.await.unwrap_or(last)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn watch() -> SilenceWatch {
        let patience = SilenceLimits { stalled_seconds: 100, stopped_seconds: 300 };
        SilenceWatch { limits: patience, since: at(0), reported: ReportedSilence::Nothing }
    }

    #[test]
    fn t_23_each_threshold_is_reported_once_and_a_sign_of_life_starts_over() {
        let mut watch = watch();
        assert_eq!(watch.due_report(false, at(99)), None);
        let stalled = watch.due_report(false, at(100));
        assert_eq!(stalled, Some(SilenceChange::Stalled { since: at(0) }));
        assert_eq!(
            watch.due_report(false, at(101)),
            stalled,
            "what could not be told is told again"
        );
        watch.set_reported(stalled.unwrap());
        assert_eq!(watch.due_report(false, at(299)), None);
        assert_eq!(watch.due_report(true, at(299)), Some(SilenceChange::Broken));
        watch.set_reported(SilenceChange::Broken);
        assert_eq!(watch.due_report(false, at(398)), None);
        assert_eq!(watch.due_report(false, at(700)), Some(SilenceChange::Stuck { since: at(299) }));
        watch.set_reported(SilenceChange::Stuck { since: at(299) });
        assert_eq!(watch.due_report(false, at(9999)), None);
    }

    #[test]
    fn t_23_samples_are_few_and_hit_the_threshold() {
        let mut watch = watch();
        assert_eq!(watch.next_sample_at(at(0)), at(25));
        assert_eq!(watch.next_sample_at(at(90)), at(100));
        watch.set_reported(SilenceChange::Stalled { since: at(0) });
        assert_eq!(watch.next_sample_at(at(290)), at(300));
        watch.limits = SilenceLimits { stalled_seconds: 9000, stopped_seconds: 9000 };
        assert_eq!(watch.next_sample_at(at(0)), at(60));
    }
}
