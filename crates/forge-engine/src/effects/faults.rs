//! Named points at which a test can make the engine fail or die. In production each costs one branch.

use std::fmt::Debug;
use std::sync::Arc;

/// What happens at a fault point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAction {
    /// The operation fails and is retried.
    Fail,
    /// The process dies: nothing after this point happens.
    Die,
}

/// A test's plan: asked at every point, returns the action there.
pub trait FaultPlan: Send + Sync + Debug {
    /// Called when the engine reaches this point.
    fn reach(&self, point: &'static str) -> Option<FaultAction>;
}

/// The active fault plan, if any.
#[derive(Debug, Clone, Default)]
pub struct FaultPoints(Option<Arc<dyn FaultPlan>>);

/// The error that a plan asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a planned fault at {0}")]
pub struct PlannedFault(pub &'static str);

impl FaultPoints {
    /// Creates an empty plan.
    pub const fn none() -> Self {
        Self(None)
    }

    /// Activates this plan.
    pub fn planned(plan: Arc<dyn FaultPlan>) -> Self {
        Self(Some(plan))
    }

    /// Passes a point: continues, fails, or never returns because the process counts as dead.
    pub async fn reach(&self, point: &'static str) -> Result<(), PlannedFault> {
        match self.0.as_ref().and_then(|plan| plan.reach(point)) {
            None => Ok(()),
            Some(FaultAction::Fail) => Err(PlannedFault(point)),
            Some(FaultAction::Die) => std::future::pending().await,
        }
    }
}
