//! The full-text index: the entry of a task, and the query.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use forge_domain::ProjectId;
use forge_domain::task::TaskSnapshot;
use sha2::{Digest, Sha256};

use crate::dialect::SqlDialect;
use crate::statement::{SqlStatement, stmt};
use crate::tables::tasks::words;

/// PostgreSQL: number of low bits of a task number within a block, for each block size. The same sizes as in the
/// migration.
const BLOCK_BITS: [u32; 3] = [8, 12, 16];

/// Builds the upsert of a task's entry.
pub(crate) fn write(dialect: SqlDialect, task: &TaskSnapshot, words: &str) -> SqlStatement {
    let content = match dialect {
        SqlDialect::Sqlite => words.to_owned(),
        SqlDialect::Postgres => array(terms_of_task(task, words)),
    };
    stmt(dialect.search_upsert()).bind(task.project_id).bind(task.number).bind(content)
}

/// Builds the query for tasks with words that begin like all wanted ones.
pub(crate) fn query(dialect: SqlDialect, wanted: &[String]) -> String {
    let beginnings = wanted.iter().map(|word| words::indexed_beginning(word));
    match dialect {
        // Words contain no quotes, and quoted text contains no operators.
        SqlDialect::Sqlite => {
            let quoted: Vec<String> = beginnings.map(|word| format!("\"{word}\"*")).collect();
            quoted.join(" ")
        }
        SqlDialect::Postgres => array(beginnings.map(term)),
    }
}

/// A part of a project's tasks to which a query of PostgreSQL's index can be restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchExtent {
    /// Two neighbouring blocks; the value is an index into [`BLOCK_BITS`].
    Blocks(usize),
    /// All tasks of the project.
    Project,
}

impl SearchExtent {
    pub(crate) const SMALLEST: Self = Self::Blocks(0);

    /// The next larger extent; one more step if the smaller one had no hit.
    pub(crate) fn enlarged(self, had_hits: bool) -> Self {
        match self {
            Self::Blocks(size) => {
                let size = if had_hits { size + 1 } else { size + 2 };
                if size < BLOCK_BITS.len() { Self::Blocks(size) } else { Self::Project }
            }
            Self::Project => Self::Project,
        }
    }

    /// The first and the last block that begin (or end) with this number; `None` for all.
    fn blocks(self, number: i64, descending: bool) -> Option<(u32, i64, i64)> {
        let Self::Blocks(size) = self else { return None };
        let bits = BLOCK_BITS.get(size).copied()?;
        let block = number >> bits;
        Some(match descending {
            true => (bits, (block - 1).max(0), block),
            false => (bits, block, block + 1),
        })
    }

    /// Range of numbers of the extent; `number` is in its last block or, ascending, in its first.
    pub(crate) fn bounds(self, number: i64, descending: bool) -> Option<(i64, i64)> {
        let (bits, first, last) = self.blocks(number, descending)?;
        Some((first << bits, ((last + 1) << bits) - 1))
    }

    /// Terms of the extent; each entry in it has one of them.
    pub(crate) fn terms(self, project: ProjectId, number: i64, descending: bool) -> String {
        match self.blocks(number, descending) {
            Some((bits, first, last)) => {
                array((first..=last).map(|block| block_term(project, bits, block)))
            }
            None => array([project_term(project)]),
        }
    }
}

fn terms_of_task(task: &TaskSnapshot, words: &str) -> BTreeSet<i32> {
    let distinct: BTreeSet<&str> = words.split_whitespace().flat_map(words::beginnings).collect();
    let mut terms: BTreeSet<i32> = distinct.into_iter().map(term).collect();
    terms.insert(project_term(task.project_id));
    terms.extend(BLOCK_BITS.map(|bits| block_term(task.project_id, bits, task.number >> bits)));
    terms
}

fn project_term(project: ProjectId) -> i32 {
    term(&format!("#{project}"))
}

fn block_term(project: ProjectId, bits: u32, block: i64) -> i32 {
    term(&format!("#{project}.{bits}.{block}"))
}

/// First four bytes of a hash that SQL has as well. Two terms may collide, so each hit is compared with its task.
fn term(text: &str) -> i32 {
    let hash = Sha256::digest(text);
    hash.iter().take(4).fold(0, |number: i32, byte| number << 8 | i32::from(*byte))
}

fn array(terms: impl IntoIterator<Item = i32>) -> String {
    let mut text = String::from("{");
    for (place, term) in terms.into_iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        // Writing to a String cannot fail.
        let _ = write!(text, "{comma}{term}");
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d_4_an_extent_covers_at_least_one_whole_block() {
        let smallest = SearchExtent::SMALLEST;
        assert_eq!(smallest.bounds(5000, true), Some((4608, 5119)));
        assert_eq!(smallest.bounds(4864, true), Some((4608, 5119)));
        assert_eq!(smallest.bounds(100, true), Some((0, 255)));
        assert_eq!(smallest.bounds(300, false), Some((256, 767)));
        assert_eq!(smallest.enlarged(true), SearchExtent::Blocks(1));
        assert_eq!(smallest.enlarged(false), SearchExtent::Blocks(2));
        assert_eq!(SearchExtent::Blocks(2).enlarged(true), SearchExtent::Project);
        assert_eq!(SearchExtent::Project.bounds(5000, true), None);
    }

    #[test]
    fn t_2_terms_are_the_first_bytes_of_a_sha256() {
        assert_eq!(term("abc"), i32::from_be_bytes([0xba, 0x78, 0x16, 0xbf]));
        assert_eq!(array([1, -2]), "{1,-2}");
    }
}
