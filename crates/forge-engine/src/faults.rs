//! Named points where a test can make the engine fail or die. In production each costs one branch.

use std::fmt::Debug;
use std::sync::Arc;

/// What happens at a fault point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// What was being done fails and is tried again.
    Fail,
    /// The process dies here: nothing after this point happens.
    Die,
}

/// A test's plan: asked at every point, answers what to do there.
pub trait FaultPlan: Send + Sync + Debug {
    /// The engine has come to this point.
    fn reach(&self, point: &'static str) -> Option<Fault>;
}

/// The plan in force, if any.
#[derive(Debug, Clone, Default)]
pub struct Faults(Option<Arc<dyn FaultPlan>>);

/// The failure a plan asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a planned fault at {0}")]
pub struct PlannedFault(pub &'static str);

impl Faults {
    /// No plan.
    pub const fn none() -> Self {
        Self(None)
    }

    /// This plan.
    pub fn planned(plan: Arc<dyn FaultPlan>) -> Self {
        Self(Some(plan))
    }

    /// Comes to a point: goes on, fails, or never returns because the process is taken for dead.
    pub async fn reach(&self, point: &'static str) -> Result<(), PlannedFault> {
        match self.0.as_ref().and_then(|plan| plan.reach(point)) {
            None => Ok(()),
            Some(Fault::Fail) => Err(PlannedFault(point)),
            Some(Fault::Die) => std::future::pending().await,
        }
    }
}
