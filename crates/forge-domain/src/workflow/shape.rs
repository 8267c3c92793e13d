//! Which fields each kind of state uses. One table, read by the check and by the drawing.

use super::{Kind, StateDefinition};

/// A named edge of a state as written.
pub(super) struct Edge<'a> {
    /// The field it stands in.
    pub(super) field: &'static str,
    /// Where it leads.
    pub(super) target: &'a str,
    /// Whether the engine follows it by itself, and nothing bounds how often.
    pub(super) unbounded: bool,
}

/// Whether a field is needed, possible or senseless for a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Needed,
    Possible,
    Senseless,
}

impl StateDefinition {
    /// Every edge that is present, the manual ones last.
    pub(super) fn edges(&self) -> Vec<Edge<'_>> {
        let bounded_reject = self.max_attempts.is_some();
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
            edge!(reject, !bounded_reject),
            edge!(exhausted, true),
            edge!(merged, true),
            edge!(conflict, true),
        ];
        let mut edges: Vec<_> = named
            .into_iter()
            .filter_map(|(field, target, unbounded)| {
                target.as_deref().map(|target| Edge { field, target, unbounded })
            })
            .collect();
        edges.extend(self.manual.iter().map(|target| Edge {
            field: "manual",
            target,
            unbounded: false,
        }));
        edges
    }

    /// Every field besides name, kind, phase and manual: is it set, and does the kind use it?
    pub(super) fn fields(&self) -> [(&'static str, bool, Use); 16] {
        use Use::{Needed, Possible, Senseless};
        let by = |work, gate, merge, terminal| match self.kind {
            Kind::Work => work,
            Kind::Gate => gate,
            Kind::Merge => merge,
            Kind::Terminal => terminal,
            Kind::Queue | Kind::Hold => Senseless,
        };
        let queue = |use_of| {
            if self.kind == Kind::Queue { use_of } else { Senseless }
        };
        let target = if self.claimable { Needed } else { Senseless };
        let cleanup = match self.kind {
            Kind::Hold | Kind::Terminal => Possible,
            _ => Senseless,
        };
        let delay = match self.cleanup {
            Some(super::Cleanup::Delayed) => cleanup,
            Some(super::Cleanup::Immediate) | None => Senseless,
        };
        macro_rules! option {
            ($field:ident, $use_of:expr) => {
                (stringify!($field), self.$field.is_some(), $use_of)
            };
        }
        [
            option!(role, by(Needed, Possible, Senseless, Senseless)),
            ("optional", self.optional, by(Possible, Senseless, Senseless, Senseless)),
            ("claimable", self.claimable, queue(Possible)),
            option!(claim_target, queue(target)),
            option!(done, by(Needed, Senseless, Senseless, Senseless)),
            option!(failed, by(Possible, Senseless, Senseless, Senseless)),
            option!(pass, by(Senseless, Needed, Senseless, Senseless)),
            option!(reject, by(Senseless, Possible, Senseless, Senseless)),
            option!(exhausted, by(Senseless, Possible, Senseless, Senseless)),
            option!(max_attempts, by(Senseless, Possible, Senseless, Senseless)),
            ("auto_advance", self.auto_advance, by(Senseless, Possible, Senseless, Senseless)),
            option!(merged, by(Senseless, Senseless, Needed, Senseless)),
            option!(conflict, by(Senseless, Senseless, Possible, Senseless)),
            option!(outcome, by(Senseless, Senseless, Senseless, Needed)),
            option!(cleanup, cleanup),
            option!(cleanup_seconds, delay),
        ]
    }
}
