//! The notice of a server that is told to stop (E-13).

use std::fmt;
use std::time::Duration;

use forge_engine::{Engine, RestartPolicy};

/// Time limit to detach from agents, which is a quick operation.
const DETACH_TIME: Duration = Duration::from_secs(1);

/// The work in progress of a server, and what happens to it at shutdown.
#[derive(Debug, Clone)]
pub struct ShutdownNotice {
    engine: Engine,
    grace: Duration,
}

impl ShutdownNotice {
    pub(crate) fn new(engine: Engine, grace: Duration) -> Self {
        Self { engine, grace }
    }

    /// Stops at once: detaches from agents that continue without the server; all other processes end with it.
    pub async fn stop_at_once(&self) {
        if self.engine.shutdown().restart_policy() == RestartPolicy::Adopt {
            self.engine.shutdown().detach_agents();
            tokio::time::timeout(DETACH_TIME, self.engine.shutdown().wait_for_agents()).await.ok();
        }
    }
}

impl fmt::Display for ShutdownNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let under_way = self.engine.shutdown().ongoing_work();
        let (agents, steps) =
            (pluralize(under_way.agents, "agent"), pluralize(under_way.effects, "step"));
        let seconds = self.grace.as_secs();
        f.write_str("Stopping.")?;
        match self.engine.shutdown().restart_policy() {
            _ if under_way.agents == 0 => {}
            RestartPolicy::Adopt => {
                let (go, them) =
                    if under_way.agents == 1 { ("goes", "it") } else { ("go", "them") };
                write!(
                    f,
                    " {agents} {go} on without the server; its next start takes {them} over."
                )?;
            }
            RestartPolicy::End => {
                write!(
                    f,
                    " {agents} may finish within {seconds} s, then end; their work is kept."
                )?;
            }
        }
        if under_way.effects > 0 {
            write!(f, " Waiting up to {seconds} s for {steps}.")?;
        }
        Ok(())
    }
}

fn pluralize(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
