//! Reasons why a task waits. Each message says what to do about it.

use crate::ExhaustedBudget;
use crate::task::AnnotationType;
use crate::workflow::RoleName;

/// A reason why a claimable task is not assigned to an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DispatchBlocker {
    /// The project takes no claims by agents.
    #[error("the project is paused; resume it, or claim the task yourself")]
    ProjectPaused,
    /// Dispatch is switched off for the project.
    #[error("dispatch is off for this project; switch it on, or claim the task for an agent")]
    DispatchOff,
    /// Dispatch is paused for the whole server.
    #[error("dispatch is paused for the whole server; resume it")]
    DispatchPaused,
    /// A person must look at the task first.
    #[error("the task needs a person's attention first; look at its error and move or claim it")]
    NeedsAttention { trouble: AnnotationType },
    /// A person holds the role.
    #[error(
        "a person holds the role {role}; they can claim it, or the role can be given to an agent"
    )]
    HeldByPerson { role: RoleName },
    /// Its last execution is still being stopped.
    #[error("its last execution is still being stopped")]
    Ending,
    /// A dependency has not landed.
    #[error("it waits for {}", tasks.join(", "))]
    Dependency {
        /// Keys of the open dependencies.
        tasks: Vec<String>,
    },
    /// Its branch conflicts with the branch of a task that has started (M-14).
    #[error(
        "its branch clashes with that of {task} in {}; it goes on when {task} has landed or they no longer clash",
        format_files(files)
    )]
    ConflictHold {
        /// Key of the task that goes first.
        task: String,
        /// Files in conflict.
        files: Vec<String>,
    },
    /// A budget is used up (E-8).
    #[error(transparent)]
    BudgetExhausted(ExhaustedBudget),
    /// The project has no repository.
    #[error("the project has no repository; add one")]
    NoRepository,
    /// No registered agent accepts the role.
    #[error("no agent is registered that takes the role {role}; register one")]
    NoAgent { role: RoleName },
    /// Every agent with the role handed the task off in this visit (T-20).
    #[error(
        "{} handed it off, and no other agent takes the role; register another agent, or claim the task yourself",
        agents.join(", ")
    )]
    HandedOff { agents: Vec<String> },
    /// Every agent that could take it is paused.
    #[error("{} paused; resume one, or register another", agents_with_verb(agents))]
    AgentPaused { agents: Vec<String> },
    /// The program of every agent that could take it is missing on the server.
    #[error(
        "the program of {} is not on the server; install it, or change the agent's command",
        agents.join(", ")
    )]
    ProgramMissing { agents: Vec<String> },
    /// The quota of every agent that could take it is used up (E-9).
    #[error(
        "{} waiting for quota, for another {}; register another agent, or give the role to one that has some",
        agents_with_verb(agents),
        format_duration(*seconds)
    )]
    QuotaWait {
        agents: Vec<String>,
        /// Seconds until the first agent is available again.
        seconds: u64,
    },
    /// Every agent that could take it, or the one that holds the role, is not signed in (E-9).
    #[error(
        "{} not signed in; sign the program in, then run `forge agent probe {}`, or give the role to another agent",
        agents_with_verb(agents),
        agents.first().map_or("NAME", String::as_str)
    )]
    NotSignedIn { agents: Vec<String> },
    /// Every agent that could take it is busy.
    #[error(
        "{} busy; it goes on when one is done, sooner with a higher max_concurrent or another agent",
        agents_with_verb(agents)
    )]
    AgentAtCapacity { agents: Vec<String> },
    /// The project has reached its limit of executions.
    #[error("the project has {running} of {max} executions; it starts when one ends")]
    ProjectAtCapacity { running: u32, max: u32 },
    /// This server has reached its limit of agents.
    #[error("this server runs {running} of {max} agents; it starts when one ends")]
    NodeAtCapacity { running: u32, max: u32 },
    /// The machine lacks a resource.
    #[error("{0}")]
    Shortage(ResourceShortage),
    /// Only tasks before it in the queue keep it waiting.
    #[error("{}", format_position(*place))]
    Queued {
        /// Position in the project's queue; 1 is next.
        place: u64,
    },
}

/// A shortage of the machine that prevents another execution (E-11).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResourceShortage {
    /// The disk that holds the data directory or the workspaces is nearly full.
    #[error(
        "the disk has {} free, and new runs begin above {}; free some space",
        format_size(*free),
        format_size(*least)
    )]
    DiskLow {
        /// Free space in bytes.
        free: u64,
        /// Required free space in bytes.
        least: u64,
    },
    /// Available memory is low.
    #[error(
        "{} of memory are available, and new runs begin above {}",
        format_size(*available),
        format_size(*least)
    )]
    MemoryLow {
        /// Available memory in bytes.
        available: u64,
        /// Required memory in bytes.
        least: u64,
    },
    /// Processes wait for a resource too much of the time.
    #[error(
        "all processes wait for {resource} {percent}% of the time, and new runs begin at {most}%"
    )]
    PressureHigh {
        /// The resource under pressure.
        resource: String,
        /// Percentage of the last ten seconds in which all processes waited.
        percent: u32,
        /// Highest percentage at which executions start.
        most: u32,
    },
}

/// Names the first few files only.
fn format_files(files: &[String]) -> String {
    const MOST: usize = 3;
    let first: Vec<&str> = files.iter().take(MOST).map(String::as_str).collect();
    match (first.as_slice(), files.len().saturating_sub(MOST)) {
        ([], _) => "some files".to_owned(),
        (_, 0) => first.join(", "),
        (_, more) => format!("{} and {more} more", first.join(", ")),
    }
}

fn agents_with_verb(agents: &[String]) -> String {
    let verb = if agents.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", agents.join(", "))
}

fn format_duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

fn format_position(place: u64) -> String {
    match place {
        0 | 1 => "it is next in line".to_owned(),
        more => format!("it is number {more} in line"),
    }
}

fn format_size(bytes: u64) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}
