//! Why a task waits, as a type; its words say what to do about it.

use crate::Overspent;
use crate::task::AnnotationType;
use crate::workflow::RoleName;

/// One thing that keeps a claimable task from being given to an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The project takes no claims by agents.
    #[error("the project is paused; resume it, or claim the task yourself")]
    ProjectPaused,
    /// The project's tasks are not given out by themselves.
    #[error(
        "the project does not give its tasks to agents by itself; switch its dispatch on, or claim the task for an agent"
    )]
    DispatchOff,
    /// Nothing is given out at all.
    #[error("dispatch is paused as a whole; resume it")]
    DispatchPaused,
    /// A person has to look first.
    #[error("the task needs a person's attention first; look at its error and move or claim it")]
    NeedsAttention {
        /// The trouble.
        trouble: AnnotationType,
    },
    /// A person holds the role.
    #[error(
        "a person holds the role {role}; they can claim it, or the role can be given to an agent"
    )]
    HeldByPerson {
        /// Which role.
        role: RoleName,
    },
    /// What was under way is still being ended.
    #[error("its last run is still being ended")]
    Ending,
    /// Something must end first.
    #[error("it waits for {}", tasks.join(", "))]
    Dependency {
        /// What it waits for.
        tasks: Vec<String>,
    },
    /// Its branch clashes with one that has begun (M-14).
    #[error(
        "its branch clashes with that of {task} in {}; it goes on when {task} has landed or they no longer clash",
        named(files)
    )]
    ConflictHold {
        /// The one that goes first.
        task: String,
        /// Where they clash.
        files: Vec<String>,
    },
    /// Nobody pays for it (E-8).
    #[error(transparent)]
    BudgetExhausted(Overspent),
    /// Nothing to work in.
    #[error("the project has no repository; add one")]
    NoRepository,
    /// Nobody could ever take it.
    #[error("no agent is registered that takes the role {role}; register one")]
    NoAgent {
        /// Which role.
        role: RoleName,
    },
    /// Everybody who could take it takes no work.
    #[error("{} paused; resume one, or register another", verb(agents))]
    AgentPaused {
        /// Who.
        agents: Vec<String>,
    },
    /// The allowance of everybody who could take it is used up (E-9).
    #[error(
        "{} waiting for quota, for another {}; register another agent, or give the role to one that has some",
        verb(agents),
        duration(*seconds)
    )]
    QuotaWait {
        /// Who.
        agents: Vec<String>,
        /// Until the first of them is back.
        seconds: u64,
    },
    /// Everybody who could take it has their hands full.
    #[error(
        "{} busy; it goes on when one is done, sooner with a higher max_concurrent or another agent",
        verb(agents)
    )]
    AgentAtCapacity {
        /// Who.
        agents: Vec<String>,
    },
    /// The project has as many executions as it may.
    #[error("the project has {running} of {max} executions; it goes on when one ends")]
    ProjectAtCapacity {
        /// Under way.
        running: u32,
        /// Allowed.
        max: u32,
    },
    /// This machine runs as many agents as it may.
    #[error("this server runs {running} of {max} agents; it goes on when one ends")]
    NodeAtCapacity {
        /// Under way.
        running: u32,
        /// Allowed.
        max: u32,
    },
    /// The machine lacks something.
    #[error("{0}")]
    Machine(Lack),
    /// Nothing holds it back but those before it.
    #[error("{}", in_line(*place))]
    NextInLine {
        /// 1 is the next of its project.
        place: u64,
    },
}

/// What a machine has too little of to begin another run (E-11).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lack {
    /// The disk that holds the data directory or the workspaces is nearly full.
    #[error(
        "the disk has {} free, and new runs begin above {}; free some space",
        size(*free),
        size(*least)
    )]
    DiskLow {
        /// Bytes that are free.
        free: u64,
        /// Bytes that must be.
        least: u64,
    },
    /// Memory is nearly used up.
    #[error(
        "{} of memory are available, and new runs begin above {}",
        size(*available),
        size(*least)
    )]
    MemoryLow {
        /// Bytes that are available.
        available: u64,
        /// Bytes that must be.
        least: u64,
    },
    /// Processes wait for the machine too much of the time.
    #[error(
        "all processes wait for {resource} {percent}% of the time, and new runs begin at {most}%"
    )]
    PressureHigh {
        /// What they wait for.
        resource: String,
        /// How much of the last ten seconds all of them did.
        percent: u32,
        /// How much is borne.
        most: u32,
    },
}

/// The first few; a whole list is no answer.
fn named(files: &[String]) -> String {
    const MOST: usize = 3;
    let first: Vec<&str> = files.iter().take(MOST).map(String::as_str).collect();
    match (first.as_slice(), files.len().saturating_sub(MOST)) {
        ([], _) => "some files".to_owned(),
        (_, 0) => first.join(", "),
        (_, more) => format!("{} and {more} more", first.join(", ")),
    }
}

fn verb(agents: &[String]) -> String {
    let verb = if agents.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", agents.join(", "))
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

fn in_line(place: u64) -> String {
    match place {
        0 | 1 => "it is next in line".to_owned(),
        more => format!("it is number {more} in line"),
    }
}

fn size(bytes: u64) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}
