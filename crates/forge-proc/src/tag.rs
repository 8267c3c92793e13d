use std::fs;
use std::io;

use process_wrap::tokio::{CommandWrap, CommandWrapper};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::process::Command;

use crate::mark::Mark;

/// The highest bit that a tag may have as its first, and the lowest: below it too few bits would be left to tell
/// runs apart.
const FIRST: u32 = 62;
const LAST: u32 = 47;

/// A [`Mark`] as a number that every descendant carries as its limit on file locks.
///
/// A program can clear its environment, leave its session, close its files and lose its parent; limits stay with it
/// through all of that, and anybody may read them. The kernel has not enforced this one since Linux 2.4, so any value
/// does no harm.
///
/// A limit can only be lowered without privileges. So a run within a run (a Forge that works on Forge) gets a smaller
/// number as its soft limit and leaves the hard one, by which the outer run still knows all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag {
    digest: u64,
}

/// The limits of one process on file locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carried {
    soft: Option<u64>,
    hard: Option<u64>,
}

impl Tag {
    pub(crate) fn of(mark: &Mark) -> Self {
        // FNV-1a: the number must be the same after a restart with another build.
        let digest = mark.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { digest }
    }

    pub(crate) fn is_on(self, carried: Carried) -> bool {
        [carried.soft, carried.hard]
            .into_iter()
            .flatten()
            .any(|limit| first_bit(limit).is_some_and(|first| limit == self.below(first)))
    }

    fn below(self, first: u32) -> u64 {
        let bit = 1 << first;
        bit | (self.digest & (bit - 1))
    }

    /// The limits for a child of a process that has these; `None` when there is no room below them.
    fn under(self, own: Carried) -> Option<Carried> {
        match own.hard {
            Some(ceiling) if ceiling < 1 << (FIRST + 1) => {
                let first = first_bit(ceiling)?.checked_sub(1).filter(|first| *first >= LAST)?;
                Some(Carried { soft: Some(self.below(first)), hard: own.hard })
            }
            _ => {
                let limit = Some(self.below(FIRST));
                Some(Carried { soft: limit, hard: limit })
            }
        }
    }
}

fn first_bit(limit: u64) -> Option<u32> {
    limit.checked_ilog2().filter(|first| (LAST..=FIRST).contains(first))
}

impl Carried {
    /// What a process carries, a zombie too; `None` when there is no such process.
    pub(crate) fn load(pid: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/limits")).ok()?)
    }

    fn parse(limits: &str) -> Option<Self> {
        let line = limits.lines().find_map(|line| line.strip_prefix("Max file locks"))?;
        // "unlimited" is no number.
        let mut numbers = line.split_ascii_whitespace().map(|word| word.parse().ok());
        Some(Self { soft: numbers.next()?, hard: numbers.next()? })
    }

    fn of_self() -> Self {
        let own = getrlimit(Resource::Locks);
        Self { soft: own.current, hard: own.maximum }
    }

    /// Whether a run below this very process put it there.
    pub(crate) fn is_of_a_run_of_ours(self) -> bool {
        self != Self::of_self() && self.soft.is_some_and(|soft| first_bit(soft).is_some())
    }
}

impl CommandWrapper for Tag {
    fn pre_spawn(&mut self, command: &mut Command, _core: &CommandWrap) -> io::Result<()> {
        let Some(limits) = self.under(Carried::of_self()) else {
            return Ok(());
        };
        let limits = Rlimit { current: limits.soft, maximum: limits.hard };
        let put = move || {
            // Where it is refused the mark in the environment is still there.
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

    fn tag(mark: &str) -> Tag {
        Tag::of(&Mark::new(mark).expect("a plain id"))
    }

    #[test]
    fn e_4_a_run_within_a_run_is_known_by_both_tags_and_by_no_other() {
        let free = Carried { soft: None, hard: None };
        let outer = tag("outer").under(free).expect("there is room");
        let inner = tag("inner").under(outer).expect("there is room");
        assert!(inner.soft < outer.hard, "a limit can only be lowered");
        for (name, on_outer, on_inner) in
            [("outer", true, true), ("inner", false, true), ("other", false, false)]
        {
            assert_eq!(tag(name).is_on(outer), on_outer, "{name}");
            assert_eq!(tag(name).is_on(inner), on_inner, "{name}");
            assert!(!tag(name).is_on(free), "{name}");
        }
    }

    #[test]
    fn e_4_there_is_an_end_to_runs_within_runs() {
        let narrow = Carried { soft: Some(1 << LAST), hard: Some(1 << LAST) };
        assert_eq!(tag("deep").under(narrow), None);
        assert_eq!(tag("small").under(Carried { soft: Some(7), hard: Some(1024) }), None);
    }

    #[test]
    fn e_4_limits_are_read_from_the_kernels_table() {
        let text = "Limit  Soft Limit  Hard Limit  Units\n\
                    Max open files            1024                 4096                 files     \n\
                    Max file locks            4611686018427387905  unlimited            locks     \n";
        let carried = Carried::parse(text).expect("a full table");
        assert_eq!(carried, Carried { soft: Some(4_611_686_018_427_387_905), hard: None });
        assert!(Carried::load(std::process::id()).is_some());
        assert_eq!(Carried::load(u32::MAX), None);
    }
}
