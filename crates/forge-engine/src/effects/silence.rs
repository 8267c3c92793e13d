//! Notices agents that neither print nor change a file (T-23). Cheap where an agent prints: files are looked at only when
//! the log stands still, and only a few times before each threshold.

use super::perform::{Step, agent_of};
use crate::patience::Patience;
use crate::signs::{Footprint, printed};
use forge_agent::Executor;
use forge_domain::task::{AnnotationType, Run};
use forge_domain::{Actor, Command, Report, Silence, Timestamp};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// Where signs of life are looked for between thresholds.
const LOOKS: u64 = 4;
const LONGEST_PAUSE_SECONDS: u64 = 60;

/// What is known of an agent's silence.
#[derive(Debug)]
struct Watch {
    patience: Patience,
    since: Timestamp,
    told: Told,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Stalled,
    Stuck,
}

/// What would be different after a sign of life.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Trace {
    printed: u64,
    /// None while the log says enough.
    files: Option<Footprint>,
}

impl Step<'_> {
    /// Goes on until it is dropped. Only silence from now on counts: before, nobody could hear it.
    pub(super) async fn watch_silence(&self, run: &Run, place: &Path) -> Infallible {
        let clock = &self.engine.0.clock;
        let log = self.engine.0.home.log(run.execution.uuid());
        let mut watch =
            Watch { patience: self.patience().await, since: clock.now(), told: self.told_before() };
        let mut last = look(log.clone(), place.to_owned(), Trace::default()).await;
        let mut alive = false;
        loop {
            if let Some(silence) = watch.noticed(alive, clock.now()) {
                self.tell_silence(run, silence, &mut watch).await;
            }
            clock.wait_until(watch.next(clock.now())).await;
            let trace = look(log.clone(), place.to_owned(), last).await;
            alive = trace.differs_from(last);
            last = trace;
        }
    }

    async fn tell_silence(&self, run: &Run, silence: Silence, watch: &mut Watch) {
        let report = Report::Silence { execution: run.execution, silence };
        let actor = Actor::system("watch");
        match self.engine.handle(actor, self.task.id, Command::Report(report)).await {
            Ok(_) => watch.tell(silence),
            Err(error) => {
                tracing::warn!(task = %self.task.id, %error, "an agent's silence could not be told");
            }
        }
    }

    /// The agent's own thresholds, or the server's.
    async fn patience(&self) -> Patience {
        let usual = self.engine.0.limits.patience;
        let agent = agent_of(self).await.ok();
        let executor = agent.and_then(|agent| Executor::from_json(&agent.executor).ok());
        executor.map_or(usual, |executor| usual.with(&executor))
    }

    /// A run that another server watched before may be known as stalled.
    fn told_before(&self) -> Told {
        let known = self.task.annotation.as_ref().map(|annotation| annotation.kind);
        if known == Some(AnnotationType::Stalled) { Told::Stalled } else { Told::Nothing }
    }
}

impl Watch {
    /// What is to be told now, if anything.
    fn noticed(&mut self, alive: bool, now: Timestamp) -> Option<Silence> {
        if alive {
            self.since = now;
            return (self.told != Told::Nothing).then_some(Silence::Broken);
        }
        let since = self.since;
        let silent = |seconds: u64| now.millis() >= since.plus_seconds(seconds).millis();
        match self.told {
            Told::Stuck => None,
            _ if silent(self.patience.stopped_seconds) => Some(Silence::Stuck { since }),
            Told::Nothing if silent(self.patience.stalled_seconds) => {
                Some(Silence::Stalled { since })
            }
            _ => None,
        }
    }

    fn tell(&mut self, silence: Silence) {
        self.told = match silence {
            Silence::Stalled { .. } => Told::Stalled,
            Silence::Stuck { .. } => Told::Stuck,
            Silence::Broken => Told::Nothing,
        };
    }

    /// When to look again.
    fn next(&self, now: Timestamp) -> Timestamp {
        let pause = (self.patience.stalled_seconds / LOOKS).clamp(1, LONGEST_PAUSE_SECONDS);
        let threshold = match self.told {
            Told::Nothing => self.patience.stalled_seconds,
            Told::Stalled | Told::Stuck => self.patience.stopped_seconds,
        };
        let due = self.since.plus_seconds(threshold);
        let next = now.plus_seconds(pause);
        if due.millis() > now.millis() && due.millis() < next.millis() { due } else { next }
    }
}

impl Trace {
    fn differs_from(self, earlier: Self) -> bool {
        let touched = matches!((self.files, earlier.files), (Some(now), Some(then)) if now != then);
        self.printed != earlier.printed || touched
    }
}

async fn look(log: PathBuf, place: PathBuf, last: Trace) -> Trace {
    let looked = tokio::task::spawn_blocking(move || {
        let (printed, _) = printed(&log);
        let files = (printed == last.printed).then(|| Footprint::of(&place));
        Trace { printed, files }
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

    fn watch() -> Watch {
        let patience = Patience { stalled_seconds: 100, stopped_seconds: 300 };
        Watch { patience, since: at(0), told: Told::Nothing }
    }

    #[test]
    fn t_23_each_threshold_is_told_once_and_a_sign_of_life_starts_over() {
        let mut watch = watch();
        assert_eq!(watch.noticed(false, at(99)), None);
        let stalled = watch.noticed(false, at(100));
        assert_eq!(stalled, Some(Silence::Stalled { since: at(0) }));
        assert_eq!(watch.noticed(false, at(101)), stalled, "what could not be told is told again");
        watch.tell(stalled.unwrap());
        assert_eq!(watch.noticed(false, at(299)), None);
        assert_eq!(watch.noticed(true, at(299)), Some(Silence::Broken));
        watch.tell(Silence::Broken);
        assert_eq!(watch.noticed(false, at(398)), None);
        assert_eq!(watch.noticed(false, at(700)), Some(Silence::Stuck { since: at(299) }));
        watch.tell(Silence::Stuck { since: at(299) });
        assert_eq!(watch.noticed(false, at(9999)), None);
    }

    #[test]
    fn t_23_looks_are_few_and_meet_the_threshold() {
        let mut watch = watch();
        assert_eq!(watch.next(at(0)), at(25));
        assert_eq!(watch.next(at(90)), at(100));
        watch.tell(Silence::Stalled { since: at(0) });
        assert_eq!(watch.next(at(290)), at(300));
        watch.patience = Patience { stalled_seconds: 9000, stopped_seconds: 9000 };
        assert_eq!(watch.next(at(0)), at(60));
    }
}
