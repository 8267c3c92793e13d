//! Which crate may use which: the table of docs/ARCHITECTURE.md, as data.

use crate::offence::Offence;
use crate::workspace_crate::{Dependency, WorkspaceCrate};

struct Arrow {
    from: &'static str,
    /// Crates of this workspace that it may use outside tests.
    to: &'static [&'static str],
}

/// Every crate has a line. The order is the direction: a crate uses only what stands above it.
const ARROWS: [Arrow; 15] = [
    Arrow { from: "forge-domain", to: &[] },
    Arrow { from: "forge-proc", to: &[] },
    Arrow { from: "forge-api", to: &[] },
    Arrow { from: "forge-git", to: &["forge-proc"] },
    Arrow { from: "forge-http", to: &[] },
    Arrow { from: "forge-github", to: &["forge-http"] },
    Arrow { from: "forge-agent", to: &["forge-domain", "forge-proc"] },
    Arrow { from: "forge-store", to: &["forge-domain"] },
    Arrow {
        from: "forge-engine",
        to: &[
            "forge-agent",
            "forge-domain",
            "forge-git",
            "forge-github",
            "forge-proc",
            "forge-store",
        ],
    },
    Arrow {
        from: "forge-server",
        to: &["forge-api", "forge-domain", "forge-engine", "forge-store"],
    },
    Arrow { from: "forge-client", to: &["forge-api", "forge-http"] },
    Arrow {
        from: "forge-cli",
        // The domain, because `forge workflow check` (F-7) works without a server; agents, because `forge agent probe`
        // looks at this machine and the bridge to ACP agents is a command.
        to: &["forge-agent", "forge-api", "forge-client", "forge-domain", "forge-server"],
    },
    Arrow { from: TESTKIT, to: LIBRARIES },
    Arrow { from: BENCHES, to: LIBRARIES },
    Arrow { from: "xtask", to: &[] },
];

const LIBRARIES: &[&str] = &[
    "forge-agent",
    "forge-api",
    "forge-client",
    "forge-domain",
    "forge-engine",
    "forge-git",
    "forge-github",
    "forge-http",
    "forge-proc",
    "forge-server",
    "forge-store",
];

const TESTKIT: &str = "forge-testkit";
const BENCHES: &str = "benches";

/// The domain is pure: what is listed here has no clock, no I/O and no runtime.
const DOMAIN: &str = "forge-domain";
const DOMAIN_MAY_USE: [&str; 8] =
    ["indexmap", "jiff", "serde", "serde_json", "sha2", "thiserror", "toml", "uuid"];

struct Kept {
    library: &'static str,
    by: &'static [&'static str],
    why: &'static str,
}

/// Libraries that stay behind one door.
const KEPT: [Kept; 3] = [
    Kept {
        library: "sqlx",
        // The testkit makes the databases that tests use; the benches have a raw loop to compare with.
        by: &["forge-store", "forge-testkit", "benches"],
        why: "forge-store holds the only SQL",
    },
    Kept { library: "sea-query", by: &["forge-store"], why: "forge-store holds the only SQL" },
    Kept { library: "process-wrap", by: &["forge-proc"], why: "only forge-proc starts processes" },
];

/// Dependencies follow the arrows; what only tests use is free.
pub fn check(crates: &[WorkspaceCrate]) -> Vec<Offence> {
    let is_ours = |name: &str| crates.iter().any(|member| member.name == name);
    let mut offences = Vec::new();
    for member in crates {
        let Some(arrow) = ARROWS.iter().find(|arrow| arrow.from == member.name) else {
            offences.push(Offence::new(
                &member.manifest,
                1,
                format!("`{}` is in no row of the crate table", member.name),
                "add it to docs/ARCHITECTURE.md and to ARROWS in xtask/src/rules/arrows.rs",
            ));
            continue;
        };
        for dependency in member.dependencies.iter().filter(|dependency| !dependency.dev_only) {
            let found = if is_ours(&dependency.name) {
                check_arrow(arrow, dependency)
            } else {
                check_library(&member.name, dependency)
            };
            offences.extend(found.map(|(problem, mend)| {
                Offence::new(&member.manifest, dependency.line, problem, mend)
            }));
        }
    }
    offences
}

fn check_arrow(arrow: &Arrow, dependency: &Dependency) -> Option<(String, String)> {
    let Arrow { from, to } = *arrow;
    let used = dependency.name.as_str();
    if used == TESTKIT {
        let mend = format!("move {TESTKIT} to [dev-dependencies]");
        return (from != BENCHES).then(|| (format!("`{from}` ships {TESTKIT}"), mend));
    }
    let may = if to.is_empty() { "none".to_owned() } else { to.join(", ") };
    let mend = format!("`{from}` may use: {may}; turn the call round, or move the type down");
    (!to.contains(&used)).then(|| (format!("`{from}` must not use `{used}`"), mend))
}

fn check_library(from: &str, dependency: &Dependency) -> Option<(String, String)> {
    let used = dependency.name.as_str();
    let problem = format!("`{from}` must not use `{used}`");
    if from == DOMAIN && !DOMAIN_MAY_USE.contains(&used) {
        let mend = format!("the domain is pure; it may use: {}", DOMAIN_MAY_USE.join(", "));
        return Some((problem, mend));
    }
    let kept = KEPT.iter().find(|kept| kept.library == used && !kept.by.contains(&from))?;
    Some((problem, format!("{}; ask it for a function instead", kept.why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, uses: &[&str]) -> WorkspaceCrate {
        let dependency = |(line, name): (usize, &&str)| Dependency {
            name: name.trim_start_matches("dev:").to_owned(),
            dev_only: name.starts_with("dev:"),
            line,
        };
        WorkspaceCrate {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            dependencies: (10..).zip(uses).map(dependency).collect(),
        }
    }

    fn problems(planted: WorkspaceCrate) -> Vec<String> {
        let mut crates: Vec<_> = ARROWS.iter().map(|arrow| member(arrow.from, arrow.to)).collect();
        crates.retain(|member| member.name != planted.name);
        crates.push(planted);
        check(&crates).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_arrow_against_the_table_is_caught() {
        let found = problems(member("forge-git", &["forge-proc", "tokio", "forge-store"]));
        assert_eq!(found.len(), 1);
        let place = "crates/forge-git/Cargo.toml:12: `forge-git` must not use `forge-store`";
        assert!(found[0].starts_with(place), "{found:?}");
    }

    #[test]
    fn the_domain_stays_pure() {
        assert_eq!(problems(member("forge-domain", &["serde", "dev:proptest"])), [""; 0]);
        assert_eq!(problems(member("forge-domain", &["tokio"])).len(), 1);
    }

    #[test]
    fn kept_libraries_stay_behind_their_door() {
        assert_eq!(
            problems(member("forge-store", &["forge-domain", "sqlx", "sea-query"])),
            [""; 0]
        );
        for (name, library) in
            [("forge-engine", "sqlx"), ("forge-server", "sea-query"), ("forge-git", "process-wrap")]
        {
            assert_eq!(problems(member(name, &[library])).len(), 1, "{name} {library}");
        }
    }

    #[test]
    fn the_testkit_is_for_tests_and_benches() {
        assert_eq!(problems(member("forge-store", &["dev:forge-testkit"])), [""; 0]);
        assert_eq!(problems(member("benches", &["forge-testkit"])), [""; 0]);
        assert_eq!(problems(member("forge-store", &["forge-testkit"])).len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_is_caught() {
        assert_eq!(problems(member("forge-extra", &[])).len(), 1);
    }

    #[test]
    fn the_table_has_no_cycle() {
        for (index, arrow) in ARROWS.iter().enumerate() {
            let above: Vec<_> = ARROWS.iter().take(index).map(|arrow| arrow.from).collect();
            assert!(arrow.to.iter().all(|to| above.contains(to)), "{}", arrow.from);
        }
    }
}
