use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::dialect::SqlDialect;

/// One migration of the schema. Migrations are numbered from 1 without gaps, and never change once released.
#[derive(Clone, Copy, Debug)]
pub struct SchemaMigration {
    /// Position in the order.
    pub number: i64,
    /// Short description of the migration.
    pub name: &'static str,
    /// The SQL for both engines. A line `-- sqlite:` or `-- postgres:` begins a part for that engine only, and `--
    /// both:` ends it.
    pub sql: &'static str,
}

macro_rules! migrations {
    ($($number:literal $name:literal $file:literal),* $(,)?) => {
        &[$(SchemaMigration { number: $number, name: $name, sql: include_str!(concat!("../migrations/", $file)) }),*]
    };
}

/// All migrations from the empty database to this version.
pub static MIGRATIONS: &[SchemaMigration] = migrations![
    1 "meta" "0001_meta.sql",
    2 "core" "0002_core.sql",
    3 "members" "0003_members.sql",
    4 "ports" "0004_ports.sql",
    5 "workspaces" "0005_workspaces.sql",
    6 "dispatch" "0006_dispatch.sql",
    7 "turns" "0007_turns.sql",
    8 "budgets" "0008_budgets.sql",
    9 "nodes_of_tasks" "0009_nodes_of_tasks.sql",
    10 "gate" "0010_gate.sql",
    11 "remotes" "0011_remotes.sql",
    12 "ledger" "0012_ledger.sql",
    13 "radar" "0013_radar.sql",
    14 "declined_tasks" "0014_declined_tasks.sql",
    15 "search" "0015_search.sql",
    16 "agents_of_projects" "0016_agents_of_projects.sql",
    17 "radar_targets" "0017_radar_targets.sql",
    18 "needs_person" "0018_needs_person.sql",
    19 "agent_waits" "0019_agent_waits.sql",
    20 "plain_names" "0020_plain_names.sql",
    21 "questions" "0021_questions.sql",
    22 "webhooks" "0022_webhooks.sql",
    23 "removed_records" "0023_removed_records.sql",
    24 "execution_overrides" "0024_execution_overrides.sql",
];

impl SchemaMigration {
    /// The SQL for this engine.
    pub(crate) fn text(&self, dialect: SqlDialect) -> String {
        let mut text = String::new();
        let mut ours = true;
        for line in self.sql.lines() {
            match marker(line) {
                Some("both:") => ours = true,
                Some(name) => ours = name == dialect.marker(),
                None if ours => {
                    text.push_str(line);
                    text.push('\n');
                }
                None => {}
            }
        }
        text
    }

    /// Checksum of the whole file, so that both engines agree on it.
    pub(crate) fn checksum(&self) -> String {
        let mut hex = String::new();
        for byte in Sha256::digest(self.sql) {
            // Writing to a String cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }
}

fn marker(line: &str) -> Option<&str> {
    let word = line.trim().strip_prefix("--")?.trim();
    let engines = [SqlDialect::Sqlite.marker(), SqlDialect::Postgres.marker()];
    (word == "both:" || engines.contains(&word)).then_some(word)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[test]
    fn d_2_each_engine_gets_its_own_part_of_a_migration() {
        let migration = SchemaMigration {
            number: 1,
            name: "example",
            sql: "A;\n-- sqlite:\nB;\n  --postgres:\nC;\n-- note: a comment\n-- both:\nD;\n",
        };
        assert_eq!(migration.text(SqlDialect::Sqlite), "A;\nB;\nD;\n");
        assert_eq!(migration.text(SqlDialect::Postgres), "A;\nC;\n-- note: a comment\nD;\n");
    }

    #[test]
    fn d_2_every_migration_file_is_listed_in_order() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let mut files: Vec<String> = std::fs::read_dir(directory)
            .expect("the directory of migrations")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let listed: Vec<String> =
            MIGRATIONS.iter().map(|m| format!("{:04}_{}.sql", m.number, m.name)).collect();
        assert_eq!(listed, files);
        for (place, migration) in (1..).zip(MIGRATIONS) {
            assert_eq!(migration.number, place, "numbers have no gaps");
        }
    }
}
