use std::fs;
use std::io;

use process_wrap::tokio::{CommandWrap, CommandWrapper};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::process::Command;

use crate::tree::process_mark::{ProcessMark, fnv};

/// The highest and the lowest first bit of a tag: below the lowest, too few bits would be left to tell trees apart.
const HIGHEST_FIRST_BIT: u32 = 62;
const LOWEST_FIRST_BIT: u32 = 47;

/// A [`ProcessMark`] as a number that every descendant carries as its limit on file locks.
///
/// A program can clear its environment, leave its session, close its files and lose its parent; resource limits
/// survive all of that, and every process may read them. The kernel has not enforced this limit since Linux 2.4, so
/// any value is harmless.
///
/// Without privileges a limit can only be lowered. So a tree inside a tree (a Forge that works on Forge) gets a
/// smaller number as its soft limit and keeps the hard limit, by which the outer tree still recognises all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LimitTag {
    digest: u64,
}

/// The limits of one process on file locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LockLimits {
    soft: Option<u64>,
    hard: Option<u64>,
}

impl LimitTag {
    pub(crate) fn of(mark: &ProcessMark) -> Self {
        Self { digest: fnv(mark.as_str().as_bytes()) }
    }

    pub(crate) fn matches(self, carried: LockLimits) -> bool {
        [carried.soft, carried.hard]
            .into_iter()
            .flatten()
            .any(|limit| first_bit(limit).is_some_and(|first| limit == self.with_first_bit(first)))
    }

    fn with_first_bit(self, first: u32) -> u64 {
        let bit = 1 << first;
        bit | (self.digest & (bit - 1))
    }

    /// The limits for a child of a process that has these; `None` when there is no room below them.
    fn child_limits(self, own: LockLimits) -> Option<LockLimits> {
        match own.hard {
            Some(ceiling) if ceiling < 1 << (HIGHEST_FIRST_BIT + 1) => {
                let first = first_bit(ceiling)?
                    .checked_sub(1)
                    .filter(|first| *first >= LOWEST_FIRST_BIT)?;
                Some(LockLimits { soft: Some(self.with_first_bit(first)), hard: own.hard })
            }
            _ => {
                let limit = Some(self.with_first_bit(HIGHEST_FIRST_BIT));
                Some(LockLimits { soft: limit, hard: limit })
            }
        }
    }
}

fn first_bit(limit: u64) -> Option<u32> {
    limit.checked_ilog2().filter(|first| (LOWEST_FIRST_BIT..=HIGHEST_FIRST_BIT).contains(first))
}

impl LockLimits {
    /// The limits of a process, zombies included; `None` when there is no such process.
    pub(crate) fn load(pid: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/limits")).ok()?)
    }

    fn parse(limits: &str) -> Option<Self> {
        let line = limits.lines().find_map(|line| line.strip_prefix("Max file locks"))?;
        // "unlimited" does not parse as a number and becomes `None`.
        let mut numbers = line.split_ascii_whitespace().map(|word| word.parse().ok());
        Some(Self { soft: numbers.next()?, hard: numbers.next()? })
    }

    fn of_self() -> Self {
        let own = getrlimit(Resource::Locks);
        Self { soft: own.current, hard: own.maximum }
    }

    /// Whether a tree below this process set these limits.
    pub(crate) fn is_set_below_this_process(self) -> bool {
        self != Self::of_self() && self.soft.is_some_and(|soft| first_bit(soft).is_some())
    }
}

impl CommandWrapper for LimitTag {
    fn pre_spawn(&mut self, command: &mut Command, _core: &CommandWrap) -> io::Result<()> {
        let Some(limits) = self.child_limits(LockLimits::of_self()) else {
            return Ok(());
        };
        let limits = Rlimit { current: limits.soft, maximum: limits.hard };
        let put = move || {
            // Where the kernel refuses, the mark in the environment remains.
            setrlimit(Resource::Locks, limits).ok();
            Ok(())
        };
        #[expect(unsafe_code, reason = "only the child itself can be tagged before it can fork")]
        // SAFETY: between fork and exec only one system call is made; nothing is allocated and no lock is taken.
        unsafe {
            command.pre_exec(put);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn tag(mark: &str) -> LimitTag {
        LimitTag::of(&ProcessMark::new(mark).expect("a plain id"))
    }

    #[test]
    fn e_4_a_nested_tree_matches_both_tags_and_no_other() {
        let free = LockLimits { soft: None, hard: None };
        let outer = tag("outer").child_limits(free).expect("there is room");
        let inner = tag("inner").child_limits(outer).expect("there is room");
        assert!(inner.soft < outer.hard, "a limit can only be lowered");
        for (name, on_outer, on_inner) in
            [("outer", true, true), ("inner", false, true), ("other", false, false)]
        {
            assert_eq!(tag(name).matches(outer), on_outer, "{name}");
            assert_eq!(tag(name).matches(inner), on_inner, "{name}");
            assert!(!tag(name).matches(free), "{name}");
        }
    }

    #[test]
    fn e_4_the_nesting_of_trees_is_limited() {
        let narrow =
            LockLimits { soft: Some(1 << LOWEST_FIRST_BIT), hard: Some(1 << LOWEST_FIRST_BIT) };
        assert_eq!(tag("deep").child_limits(narrow), None);
        assert_eq!(tag("small").child_limits(LockLimits { soft: Some(7), hard: Some(1024) }), None);
    }

    #[test]
    fn e_4_limits_are_read_from_the_kernels_table() {
        let text = "Limit  Soft Limit  Hard Limit  Units\n\
                    Max open files            1024                 4096                 files     \n\
                    Max file locks            4611686018427387905  unlimited            locks     \n";
        let carried = LockLimits::parse(text).expect("a full table");
        assert_eq!(carried, LockLimits { soft: Some(4_611_686_018_427_387_905), hard: None });
        assert!(LockLimits::load(std::process::id()).is_some());
        assert_eq!(LockLimits::load(u32::MAX), None);
    }
}
