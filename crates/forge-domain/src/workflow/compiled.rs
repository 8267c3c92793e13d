//! The checked graph. Every question the engine may ask of a state is answered here, from kind and edges alone (P-7).

use super::{
    Cleanup, Definition, Invalid, Kind, Outcome, Phase, RoleName, StateName, WorkflowHash,
};
use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

/// A sound workflow; can only be made from a definition that passed its check.
#[derive(Debug, Clone)]
pub struct Workflow {
    definition: Definition,
    hash: WorkflowHash,
    states: IndexMap<StateName, State>,
}

/// One state with the behaviour of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: StateName,
    /// Its board column.
    pub phase: Phase,
    /// What it does.
    pub behaviour: Behaviour,
    /// Where a person may move a task.
    pub manual: Vec<StateRef>,
}

/// A state name that is known to exist in its workflow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateRef(StateName);

impl StateRef {
    /// The name it stands for.
    pub fn name(&self) -> &StateName {
        &self.0
    }
}

impl From<&State> for StateRef {
    fn from(state: &State) -> Self {
        Self(state.name.clone())
    }
}

/// What a state does; only the edges its kind can follow exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behaviour {
    /// Waits; `claim` says where a claim leads, if claims look here.
    Queue {
        /// Present on claimable queues.
        claim: Option<StateRef>,
    },
    /// An execution of `role` runs.
    Work {
        /// Who works.
        role: RoleName,
        /// Skipped when nobody holds the role.
        optional: bool,
        /// Finished.
        done: StateRef,
        /// Failed.
        failed: StateRef,
    },
    /// Checks, then the role's verdict.
    Gate {
        /// Who judges, if anybody.
        role: Option<RoleName>,
        /// Through.
        pass: StateRef,
        /// Back.
        reject: StateRef,
        /// Back too often.
        exhausted: StateRef,
        /// How many rejections are too many.
        max_attempts: Option<u32>,
        /// A pass goes on by itself.
        auto_advance: bool,
    },
    /// The branch lands.
    Merge {
        /// In.
        merged: StateRef,
        /// Does not fit.
        conflict: StateRef,
    },
    /// Waits for a person.
    Hold {
        /// Whether the workspace goes meanwhile.
        cleanup: Option<CleanupPolicy>,
    },
    /// The end.
    Terminal {
        /// How.
        outcome: Outcome,
        /// When the workspace goes.
        cleanup: CleanupPolicy,
    },
}

/// When a workspace is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CleanupPolicy {
    /// On arrival.
    Immediate,
    /// After this many seconds, or the server's setting.
    Delayed(Option<u64>),
}

/// How far a task has come, for those who wait for it (T-4, T-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Not submitted.
    Open,
    /// Submitted: in a gate or merge state.
    Submitted,
    /// Ended well.
    Succeeded,
    /// Ended otherwise.
    Ended,
}

/// The states a claim passes before the work begins: at most one queue on the way, then the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPath {
    /// The claimable queue, if the task is not in one yet.
    pub through: Option<StateRef>,
    /// Where the claim leads.
    pub target: StateRef,
    /// The role the claimer takes.
    pub role: RoleName,
}

impl Workflow {
    /// Compiles a definition, or says everything that is wrong with it.
    pub fn compile(definition: Definition) -> Result<Self, Invalid> {
        definition.checked()?;
        let fault = StateRef(StateName::new(definition.fault.clone()));
        let mut states = IndexMap::new();
        for written in &definition.state {
            let state = State::compile(written, &fault)
                .ok_or_else(|| Invalid { name: definition.name.clone(), problems: Vec::new() })?;
            states.insert(state.name.clone(), state);
        }
        let hash = definition.hash();
        Ok(Self { definition, hash, states })
    }

    /// Its identity.
    pub fn hash(&self) -> &WorkflowHash {
        &self.hash
    }

    /// The definition it was compiled from.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The states in board order.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.states.values()
    }

    /// The state of that name.
    pub fn state(&self, name: &StateName) -> Option<&State> {
        self.states.get(name)
    }

    /// Where a new task starts.
    pub fn initial(&self) -> StateRef {
        StateRef(StateName::new(self.definition.initial.clone()))
    }

    /// Where the engine parks what needs a person.
    pub fn fault(&self) -> StateRef {
        StateRef(StateName::new(self.definition.fault.clone()))
    }

    /// Where a cancelled task goes.
    pub fn cancel(&self) -> StateRef {
        StateRef(StateName::new(self.definition.cancel.clone()))
    }

    /// The first queue that claims look at: where a task goes back to the pool.
    pub fn pool(&self) -> Option<StateRef> {
        self.states
            .values()
            .find(|state| state.is_claimable())
            .map(|state| StateRef(state.name.clone()))
    }

    /// The role whose holder carries the task: the one a claim from the pool gives.
    pub fn claim_role(&self) -> Option<RoleName> {
        let pool = self.pool()?;
        self.claim_path(self.state(pool.name())?, false).map(|path| path.role)
    }

    /// How a claim goes on from `state`. A person's claim may also pick a task up from a queue that leads to the pool
    /// by one manual move: who says "take it" has said "queue it".
    pub fn claim_path(&self, state: &State, by_person: bool) -> Option<ClaimPath> {
        let direct = |from: &State| match &from.behaviour {
            Behaviour::Queue { claim: Some(target) } => {
                Some((target.clone(), self.first_role(target)?))
            }
            _ => None,
        };
        if let Some((target, role)) = direct(state) {
            return Some(ClaimPath { through: None, target, role });
        }
        if !by_person || !matches!(state.behaviour, Behaviour::Queue { .. }) {
            return None;
        }
        state.manual.iter().find_map(|next| {
            let (target, role) = direct(self.state(next.name())?)?;
            Some(ClaimPath { through: Some(next.clone()), target, role })
        })
    }

    /// Every role the workflow uses, once, in board order.
    pub fn roles(&self) -> impl Iterator<Item = &RoleName> {
        let used = self.states.values().filter_map(|state| match &state.behaviour {
            Behaviour::Work { role, .. } | Behaviour::Gate { role: Some(role), .. } => Some(role),
            _ => None,
        });
        used.collect::<IndexSet<_>>().into_iter()
    }

    fn first_role(&self, from: &StateRef) -> Option<RoleName> {
        let mut at = from.clone();
        for _ in 0..=self.states.len() {
            match &self.state(at.name())?.behaviour {
                Behaviour::Work { optional: true, done, .. } => at = done.clone(),
                Behaviour::Work { role, .. } => return Some(role.clone()),
                _ => return None,
            }
        }
        None
    }
}

impl State {
    fn compile(written: &super::StateDefinition, fault: &StateRef) -> Option<Self> {
        let target =
            |name: &Option<String>| name.clone().map(|name| StateRef(StateName::new(name)));
        let or_fault = |name: &Option<String>| target(name).unwrap_or_else(|| fault.clone());
        let role = written.role.clone().map(RoleName::new);
        let cleanup = written.cleanup.map(|cleanup| match cleanup {
            Cleanup::Immediate => CleanupPolicy::Immediate,
            Cleanup::Delayed => CleanupPolicy::Delayed(written.cleanup_seconds),
        });
        let behaviour = match written.kind {
            Kind::Queue => Behaviour::Queue { claim: target(&written.claim_target) },
            Kind::Work => Behaviour::Work {
                role: role?,
                optional: written.optional,
                done: target(&written.done)?,
                failed: or_fault(&written.failed),
            },
            Kind::Gate => Behaviour::Gate {
                role,
                pass: target(&written.pass)?,
                reject: or_fault(&written.reject),
                exhausted: or_fault(&written.exhausted),
                max_attempts: written.max_attempts,
                auto_advance: written.auto_advance,
            },
            Kind::Merge => Behaviour::Merge {
                merged: target(&written.merged)?,
                conflict: or_fault(&written.conflict),
            },
            Kind::Hold => Behaviour::Hold { cleanup },
            Kind::Terminal => Behaviour::Terminal {
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

    /// What sort of state it is.
    pub fn kind(&self) -> Kind {
        match self.behaviour {
            Behaviour::Queue { .. } => Kind::Queue,
            Behaviour::Work { .. } => Kind::Work,
            Behaviour::Gate { .. } => Kind::Gate,
            Behaviour::Merge { .. } => Kind::Merge,
            Behaviour::Hold { .. } => Kind::Hold,
            Behaviour::Terminal { .. } => Kind::Terminal,
        }
    }

    /// Whether claims and the scheduler look here.
    pub fn is_claimable(&self) -> bool {
        matches!(self.behaviour, Behaviour::Queue { claim: Some(_) })
    }

    /// Whether a task ends here.
    pub fn is_terminal(&self) -> bool {
        matches!(self.behaviour, Behaviour::Terminal { .. })
    }

    /// How far a task in this state has come.
    pub fn standing(&self) -> Standing {
        match self.behaviour {
            Behaviour::Gate { .. } | Behaviour::Merge { .. } => Standing::Submitted,
            Behaviour::Terminal { outcome: Outcome::Success, .. } => Standing::Succeeded,
            Behaviour::Terminal { .. } => Standing::Ended,
            _ => Standing::Open,
        }
    }
}

impl Behaviour {
    fn phase(&self) -> Phase {
        match self {
            Self::Queue { claim: None } => Phase::Backlog,
            Self::Queue { claim: Some(_) } => Phase::Ready,
            Self::Work { .. } | Self::Hold { .. } => Phase::Working,
            Self::Gate { .. } | Self::Merge { .. } => Phase::Review,
            Self::Terminal { .. } => Phase::Done,
        }
    }
}
