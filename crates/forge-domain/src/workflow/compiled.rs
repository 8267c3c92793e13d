//! The compiled workflow graph. It answers every question of the engine about a state from its kind and edges alone
//! (P-7).

use crate::workflow::{
    BoardPhase, CleanupTiming, InvalidWorkflowError, RoleName, StateName, TerminalOutcome,
    WorkflowDefinition, WorkflowHash, WorkflowStateKind,
};
use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

/// A valid workflow, compiled from a checked definition.
#[derive(Debug, Clone)]
pub struct Workflow {
    definition: WorkflowDefinition,
    hash: WorkflowHash,
    states: IndexMap<StateName, WorkflowState>,
}

/// A state with the behaviour of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowState {
    pub name: StateName,
    /// Its board column.
    pub phase: BoardPhase,
    pub behaviour: StateBehaviour,
    /// States to which a person may move a task.
    pub manual: Vec<StateRef>,
}

/// A state name that exists in its workflow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateRef(StateName);

impl StateRef {
    /// Name of the state.
    pub fn name(&self) -> &StateName {
        &self.0
    }
}

impl From<&WorkflowState> for StateRef {
    fn from(state: &WorkflowState) -> Self {
        Self(state.name.clone())
    }
}

/// Behaviour of a state, with only the edges that its kind can follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateBehaviour {
    /// Waits to be claimed or moved.
    Queue {
        /// Target of a claim; `None` if the queue is not claimable.
        claim: Option<StateRef>,
    },
    /// Runs an execution of `role`.
    Work {
        role: RoleName,
        /// Whether the state is skipped when the role has no holder.
        optional: bool,
        /// Next state after success.
        done: StateRef,
        /// Next state after a failure.
        failed: StateRef,
    },
    /// Runs checks, then asks the role for a verdict.
    Gate {
        /// The judging role, if there is one.
        role: Option<RoleName>,
        /// Next state after a pass.
        pass: StateRef,
        /// Next state after a rejection.
        reject: StateRef,
        /// Next state after too many rejections.
        exhausted: StateRef,
        /// Number of rejections that exhaust the gate.
        max_attempts: Option<u32>,
        /// Whether a pass moves the task on by itself.
        auto_advance: bool,
    },
    /// Lands the branch on its target.
    Merge {
        /// Next state after a landing.
        merged: StateRef,
        /// Next state after a conflict.
        conflict: StateRef,
        /// Next state after failed checks on the merged tree.
        rejected: StateRef,
        /// Next state after too many failed landings.
        exhausted: StateRef,
        /// Number of failed landings that exhaust the state.
        max_attempts: Option<u32>,
    },
    /// Waits for a person.
    Hold {
        /// Cleanup of the workspace, if the state removes it.
        cleanup: Option<CleanupPolicy>,
    },
    /// Ends the task.
    Terminal {
        outcome: TerminalOutcome,
        /// Cleanup of the workspace.
        cleanup: CleanupPolicy,
    },
}

/// When a workspace is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CleanupPolicy {
    /// When the state is entered.
    Immediate,
    /// After this many seconds, or the server's default delay.
    Delayed(Option<u64>),
}

/// Progress of a task, for its dependents (T-4, T-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStanding {
    /// Not submitted yet.
    Open,
    /// Submitted: in a gate or merge state.
    Submitted,
    Succeeded,
    Ended,
}

/// The states of a claim: at most one queue on the way, then the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPath {
    /// The claimable queue, if the task is not in one yet.
    pub through: Option<StateRef>,
    /// Target of the claim.
    pub target: StateRef,
    /// Role that the claim gives.
    pub role: RoleName,
}

impl Workflow {
    /// Compiles a definition, or returns all its problems.
    pub fn compile(definition: WorkflowDefinition) -> Result<Self, InvalidWorkflowError> {
        definition.validated()?;
        let fault = StateRef(StateName::new(definition.fault.clone()));
        let mut states = IndexMap::new();
        for written in &definition.state {
            let state = WorkflowState::compile(written, &fault).ok_or_else(|| {
                InvalidWorkflowError { name: definition.name.clone(), problems: Vec::new() }
            })?;
            states.insert(state.name.clone(), state);
        }
        let hash = definition.hash();
        Ok(Self { definition, hash, states })
    }

    /// Hash that identifies the workflow.
    pub fn hash(&self) -> &WorkflowHash {
        &self.hash
    }

    /// The definition it was compiled from.
    pub fn definition(&self) -> &WorkflowDefinition {
        &self.definition
    }

    /// The states in board order.
    pub fn states(&self) -> impl Iterator<Item = &WorkflowState> {
        self.states.values()
    }

    /// Looks up a state by name.
    pub fn state(&self, name: &StateName) -> Option<&WorkflowState> {
        self.states.get(name)
    }

    /// Initial state of a new task.
    pub fn initial(&self) -> StateRef {
        StateRef(StateName::new(self.definition.initial.clone()))
    }

    /// State in which the engine parks tasks that need a person.
    pub fn fault(&self) -> StateRef {
        StateRef(StateName::new(self.definition.fault.clone()))
    }

    /// State of a cancelled task.
    pub fn cancel(&self) -> StateRef {
        StateRef(StateName::new(self.definition.cancel.clone()))
    }

    /// The first claimable queue, to which a task returns.
    pub fn claim_queue(&self) -> Option<StateRef> {
        self.states
            .values()
            .find(|state| state.is_claimable())
            .map(|state| StateRef(state.name.clone()))
    }

    /// The role that a claim from the first claimable queue gives.
    pub fn claim_role(&self) -> Option<RoleName> {
        let pool = self.claim_queue()?;
        self.claim_path(self.state(pool.name())?, false).map(|path| path.role)
    }

    /// The path of a claim from `state`. A person can also claim a task from a queue that leads to a claimable one by a
    /// manual move: the claim includes that move.
    pub fn claim_path(&self, state: &WorkflowState, by_person: bool) -> Option<ClaimPath> {
        let direct = |from: &WorkflowState| match &from.behaviour {
            StateBehaviour::Queue { claim: Some(target) } => {
                Some((target.clone(), self.first_role(target)?))
            }
            _ => None,
        };
        if let Some((target, role)) = direct(state) {
            return Some(ClaimPath { through: None, target, role });
        }
        if !by_person || !matches!(state.behaviour, StateBehaviour::Queue { .. }) {
            return None;
        }
        state.manual.iter().find_map(|next| {
            let (target, role) = direct(self.state(next.name())?)?;
            Some(ClaimPath { through: Some(next.clone()), target, role })
        })
    }

    /// All roles that the workflow uses, once each, in board order.
    pub fn roles(&self) -> impl Iterator<Item = &RoleName> {
        let used = self.states.values().filter_map(|state| match &state.behaviour {
            StateBehaviour::Work { role, .. } | StateBehaviour::Gate { role: Some(role), .. } => {
                Some(role)
            }
            _ => None,
        });
        used.collect::<IndexSet<_>>().into_iter()
    }

    /// Whether the work of the claimed role leads to this gate, directly or through other work states (E-6).
    pub fn reviews_claimed_work(&self, gate: &StateName) -> bool {
        let Some(claimed) = self.claim_role() else { return false };
        self.states.values().any(|state| match &state.behaviour {
            StateBehaviour::Work { role, done, .. } if *role == claimed => {
                self.next_gate(done).is_some_and(|found| found.name == *gate)
            }
            _ => false,
        })
    }

    /// The first gate after `from` with only work states in between.
    fn next_gate(&self, from: &StateRef) -> Option<&WorkflowState> {
        let mut at = from;
        for _ in 0..=self.states.len() {
            let state = self.state(at.name())?;
            match &state.behaviour {
                StateBehaviour::Gate { .. } => return Some(state),
                StateBehaviour::Work { done, .. } => at = done,
                _ => return None,
            }
        }
        None
    }

    fn first_role(&self, from: &StateRef) -> Option<RoleName> {
        let mut at = from.clone();
        for _ in 0..=self.states.len() {
            match &self.state(at.name())?.behaviour {
                StateBehaviour::Work { optional: true, done, .. } => at = done.clone(),
                StateBehaviour::Work { role, .. } => return Some(role.clone()),
                _ => return None,
            }
        }
        None
    }
}

impl WorkflowState {
    fn compile(written: &crate::workflow::StateDefinition, fault: &StateRef) -> Option<Self> {
        let target =
            |name: &Option<String>| name.clone().map(|name| StateRef(StateName::new(name)));
        let or_fault = |name: &Option<String>| target(name).unwrap_or_else(|| fault.clone());
        let role = written.role.clone().map(RoleName::new);
        let cleanup = written.cleanup.map(|cleanup| match cleanup {
            CleanupTiming::Immediate => CleanupPolicy::Immediate,
            CleanupTiming::Delayed => CleanupPolicy::Delayed(written.cleanup_seconds),
        });
        let behaviour = match written.kind {
            WorkflowStateKind::Queue => {
                StateBehaviour::Queue { claim: target(&written.claim_target) }
            }
            WorkflowStateKind::Work => StateBehaviour::Work {
                role: role?,
                optional: written.optional,
                done: target(&written.done)?,
                failed: or_fault(&written.failed),
            },
            WorkflowStateKind::Gate => StateBehaviour::Gate {
                role,
                pass: target(&written.pass)?,
                reject: or_fault(&written.reject),
                exhausted: or_fault(&written.exhausted),
                max_attempts: written.max_attempts,
                auto_advance: written.auto_advance,
            },
            WorkflowStateKind::Merge => StateBehaviour::Merge {
                merged: target(&written.merged)?,
                conflict: or_fault(&written.conflict),
                rejected: target(&written.rejected).unwrap_or_else(|| or_fault(&written.conflict)),
                exhausted: or_fault(&written.exhausted),
                max_attempts: written.max_attempts,
            },
            WorkflowStateKind::Hold => StateBehaviour::Hold { cleanup },
            WorkflowStateKind::Terminal => StateBehaviour::Terminal {
                outcome: written.outcome?,
                cleanup: cleanup.unwrap_or(CleanupPolicy::Immediate),
            },
        };
        Some(Self {
            name: StateName::new(written.name.clone()),
            phase: written.phase.unwrap_or_else(|| behaviour.phase()),
            behaviour,
            manual: written
                .manual
                .iter()
                .map(|name| StateRef(StateName::new(name.clone())))
                .collect(),
        })
    }

    /// The kind of the state.
    pub fn kind(&self) -> WorkflowStateKind {
        match self.behaviour {
            StateBehaviour::Queue { .. } => WorkflowStateKind::Queue,
            StateBehaviour::Work { .. } => WorkflowStateKind::Work,
            StateBehaviour::Gate { .. } => WorkflowStateKind::Gate,
            StateBehaviour::Merge { .. } => WorkflowStateKind::Merge,
            StateBehaviour::Hold { .. } => WorkflowStateKind::Hold,
            StateBehaviour::Terminal { .. } => WorkflowStateKind::Terminal,
        }
    }

    /// Whether claims and the scheduler consider this state.
    pub fn is_claimable(&self) -> bool {
        matches!(self.behaviour, StateBehaviour::Queue { claim: Some(_) })
    }

    /// Whether a task ends here.
    pub fn is_terminal(&self) -> bool {
        matches!(self.behaviour, StateBehaviour::Terminal { .. })
    }

    /// Progress of a task in this state.
    pub fn standing(&self) -> TaskStanding {
        match self.behaviour {
            StateBehaviour::Gate { .. } | StateBehaviour::Merge { .. } => TaskStanding::Submitted,
            StateBehaviour::Terminal { outcome: TerminalOutcome::Success, .. } => {
                TaskStanding::Succeeded
            }
            StateBehaviour::Terminal { .. } => TaskStanding::Ended,
            _ => TaskStanding::Open,
        }
    }
}

impl StateBehaviour {
    fn phase(&self) -> BoardPhase {
        match self {
            Self::Queue { claim: None } => BoardPhase::Backlog,
            Self::Queue { claim: Some(_) } => BoardPhase::Ready,
            Self::Work { .. } | Self::Hold { .. } => BoardPhase::Working,
            Self::Gate { .. } | Self::Merge { .. } => BoardPhase::Review,
            Self::Terminal { .. } => BoardPhase::Done,
        }
    }
}
