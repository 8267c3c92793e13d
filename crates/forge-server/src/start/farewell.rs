//! What a server that is told to stop has to say (E-13).

use std::fmt;
use std::time::Duration;

use forge_engine::{Engine, OnRestart};

/// How long agents have to be let go, which takes no more than a look.
const LETTING_GO: Duration = Duration::from_secs(1);

/// What is still under way in a server, and what becomes of it.
#[derive(Debug, Clone)]
pub struct Farewell {
    engine: Engine,
    grace: Duration,
}

impl Farewell {
    pub(super) fn new(engine: Engine, grace: Duration) -> Self {
        Self { engine, grace }
    }

    /// The end at once: agents that are to go on without the server do, everybody else is ended with it.
    pub async fn cut_short(&self) {
        if self.engine.on_restart() == OnRestart::Adopt {
            self.engine.part_with_agents();
            tokio::time::timeout(LETTING_GO, self.engine.agents_done()).await.ok();
        }
    }
}

impl fmt::Display for Farewell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let under_way = self.engine.under_way();
        let (agents, steps) = (many(under_way.agents, "agent"), many(under_way.steps, "step"));
        let seconds = self.grace.as_secs();
        f.write_str("Stopping.")?;
        match self.engine.on_restart() {
            _ if under_way.agents == 0 => {}
            OnRestart::Adopt => {
                let (go, them) =
                    if under_way.agents == 1 { ("goes", "it") } else { ("go", "them") };
                write!(
                    f,
                    " {agents} {go} on without the server; its next start takes {them} over."
                )?;
            }
            OnRestart::End => {
                write!(
                    f,
                    " {agents} may finish within {seconds} s, then end; their work is kept."
                )?;
            }
        }
        if under_way.steps > 0 {
            write!(f, " Waiting up to {seconds} s for {steps}.")?;
        }
        Ok(())
    }
}

fn many(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
