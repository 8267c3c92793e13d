//! The fields that each kind of state uses: one table for the validation and the drawing.

use crate::workflow::{StateDefinition, WorkflowStateKind};

/// A named edge of a state as written.
pub(crate) struct StateEdge<'a> {
    /// The field that contains it.
    pub(crate) field: &'static str,
    /// Name of the target state.
    pub(crate) target: &'a str,
    /// Whether the engine follows it by itself, without a bound on how often.
    pub(crate) unbounded: bool,
}

/// Whether a kind of state requires, allows or forbids a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldUse {
    Required,
    Optional,
    Forbidden,
}

impl StateDefinition {
    /// All edges of the state, manual ones last.
    pub(crate) fn edges(&self) -> Vec<StateEdge<'_>> {
        let bounded = self.max_attempts.is_some();
        macro_rules! edge {
            ($field:ident, $unbounded:expr) => {
                (stringify!($field), &self.$field, $unbounded)
            };
        }
        let named = [
            edge!(claim_target, false),
            edge!(done, true),
            edge!(failed, true),
            edge!(pass, self.auto_advance),
            edge!(reject, !bounded),
            edge!(exhausted, true),
            edge!(merged, true),
            edge!(conflict, !bounded),
            edge!(rejected, !bounded),
        ];
        let mut edges: Vec<_> = named
            .into_iter()
            .filter_map(|(field, target, unbounded)| {
                target.as_deref().map(|target| StateEdge { field, target, unbounded })
            })
            .collect();
        edges.extend(self.manual.iter().map(|target| StateEdge {
            field: "manual",
            target,
            unbounded: false,
        }));
        edges
    }

    /// All fields besides name, kind, phase and manual: whether each is set, and how the kind uses it.
    pub(crate) fn fields(&self) -> [(&'static str, bool, FieldUse); 17] {
        use FieldUse::{Forbidden, Optional, Required};
        let by = |work, gate, merge, terminal| match self.kind {
            WorkflowStateKind::Work => work,
            WorkflowStateKind::Gate => gate,
            WorkflowStateKind::Merge => merge,
            WorkflowStateKind::Terminal => terminal,
            WorkflowStateKind::Queue | WorkflowStateKind::Hold => Forbidden,
        };
        let queue = |use_of| {
            if self.kind == WorkflowStateKind::Queue { use_of } else { Forbidden }
        };
        let target = if self.claimable { Required } else { Forbidden };
        let cleanup = match self.kind {
            WorkflowStateKind::Hold | WorkflowStateKind::Terminal => Optional,
            _ => Forbidden,
        };
        let delay = match self.cleanup {
            Some(crate::workflow::CleanupTiming::Delayed) => cleanup,
            Some(crate::workflow::CleanupTiming::Immediate) | None => Forbidden,
        };
        macro_rules! option {
            ($field:ident, $use_of:expr) => {
                (stringify!($field), self.$field.is_some(), $use_of)
            };
        }
        [
            option!(role, by(Required, Optional, Forbidden, Forbidden)),
            ("optional", self.optional, by(Optional, Forbidden, Forbidden, Forbidden)),
            ("claimable", self.claimable, queue(Optional)),
            option!(claim_target, queue(target)),
            option!(done, by(Required, Forbidden, Forbidden, Forbidden)),
            option!(failed, by(Optional, Forbidden, Forbidden, Forbidden)),
            option!(pass, by(Forbidden, Required, Forbidden, Forbidden)),
            option!(reject, by(Forbidden, Optional, Forbidden, Forbidden)),
            option!(exhausted, by(Forbidden, Optional, Optional, Forbidden)),
            option!(max_attempts, by(Forbidden, Optional, Optional, Forbidden)),
            ("auto_advance", self.auto_advance, by(Forbidden, Optional, Forbidden, Forbidden)),
            option!(merged, by(Forbidden, Forbidden, Required, Forbidden)),
            option!(conflict, by(Forbidden, Forbidden, Optional, Forbidden)),
            option!(rejected, by(Forbidden, Forbidden, Optional, Forbidden)),
            option!(outcome, by(Forbidden, Forbidden, Forbidden, Required)),
            option!(cleanup, cleanup),
            option!(cleanup_seconds, delay),
        ]
    }
}
