//! Allowed dependencies between crates: the table of docs/ARCHITECTURE.md, as data.

use crate::rule_violation::RuleViolation;
use crate::workspace_crate::{CrateDependency, WorkspaceCrate};

struct AllowedDependencies {
    from: &'static str,
    /// Workspace crates that it may use outside tests.
    to: &'static [&'static str],
}

/// Every crate has a row. A crate uses only crates from rows above it.
const ALLOWED_DEPENDENCIES: [AllowedDependencies; 15] = [
    AllowedDependencies { from: "forge-domain", to: &[] },
    AllowedDependencies { from: "forge-proc", to: &[] },
    AllowedDependencies { from: "forge-api", to: &[] },
    AllowedDependencies { from: "forge-git", to: &["forge-proc"] },
    AllowedDependencies { from: "forge-http", to: &[] },
    AllowedDependencies { from: "forge-github", to: &["forge-http"] },
    AllowedDependencies { from: "forge-agent", to: &["forge-domain", "forge-proc"] },
    AllowedDependencies { from: "forge-store", to: &["forge-domain"] },
    AllowedDependencies {
        from: "forge-engine",
        to: &[
            "forge-agent",
            "forge-domain",
            "forge-git",
            "forge-github",
            "forge-http",
            "forge-proc",
            "forge-store",
        ],
    },
    AllowedDependencies {
        from: "forge-server",
        to: &["forge-api", "forge-domain", "forge-engine", "forge-store"],
    },
    AllowedDependencies { from: "forge-client", to: &["forge-api", "forge-http"] },
    AllowedDependencies {
        from: "forge-cli",
        // The domain, because `forge workflow check` (F-7) works without a server; agents, because `forge agent
        // probe` inspects this machine and the ACP bridge is a command.
        to: &["forge-agent", "forge-api", "forge-client", "forge-domain", "forge-server"],
    },
    AllowedDependencies { from: TESTKIT, to: LIBRARIES },
    AllowedDependencies { from: BENCHES, to: LIBRARIES },
    AllowedDependencies { from: "xtask", to: &[] },
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

/// The domain is pure: these libraries have no clock, no I/O and no runtime.
const DOMAIN: &str = "forge-domain";
const DOMAIN_MAY_USE: [&str; 8] =
    ["indexmap", "jiff", "serde", "serde_json", "sha2", "thiserror", "toml", "uuid"];

struct RestrictedLibrary {
    library: &'static str,
    allowed_crates: &'static [&'static str],
    reason: &'static str,
}

/// Libraries that only the named crates may use.
const RESTRICTED_LIBRARIES: [RestrictedLibrary; 2] = [
    RestrictedLibrary {
        library: "sqlx",
        // The testkit creates the databases of tests; the benches have a raw loop to compare with.
        allowed_crates: &["forge-store", "forge-testkit", "benches"],
        reason: "forge-store holds the only SQL",
    },
    RestrictedLibrary {
        library: "process-wrap",
        allowed_crates: &["forge-proc"],
        reason: "only forge-proc starts processes",
    },
];

/// Dependencies follow the table; dev-dependencies are free.
pub fn check(crates: &[WorkspaceCrate]) -> Vec<RuleViolation> {
    let is_ours = |name: &str| crates.iter().any(|member| member.name == name);
    let mut offences = Vec::new();
    for member in crates {
        let Some(arrow) = ALLOWED_DEPENDENCIES.iter().find(|arrow| arrow.from == member.name)
        else {
            offences.push(RuleViolation::new(
                &member.manifest,
                1,
                format!("`{}` has no row in the crate table", member.name),
                "add it to docs/ARCHITECTURE.md and to ALLOWED_DEPENDENCIES in xtask/src/rules/crate_dependencies.rs",
            ));
            continue;
        };
        for dependency in member.dependencies.iter().filter(|dependency| !dependency.dev_only) {
            let found = if is_ours(&dependency.name) {
                check_dependency(arrow, dependency)
            } else {
                check_library(&member.name, dependency)
            };
            offences.extend(found.map(|(problem, mend)| {
                RuleViolation::new(&member.manifest, dependency.line, problem, mend)
            }));
        }
    }
    offences
}

fn check_dependency(
    arrow: &AllowedDependencies,
    dependency: &CrateDependency,
) -> Option<(String, String)> {
    let AllowedDependencies { from, to } = *arrow;
    let used = dependency.name.as_str();
    if used == TESTKIT {
        let mend = format!("move {TESTKIT} to [dev-dependencies]");
        return (from != BENCHES)
            .then(|| (format!("`{from}` depends on {TESTKIT} outside tests"), mend));
    }
    let may = if to.is_empty() { "none".to_owned() } else { to.join(", ") };
    let mend = format!(
        "`{from}` may use: {may}; invert the dependency, or move the type to a lower crate"
    );
    (!to.contains(&used)).then(|| (format!("`{from}` must not use `{used}`"), mend))
}

fn check_library(from: &str, dependency: &CrateDependency) -> Option<(String, String)> {
    let used = dependency.name.as_str();
    let problem = format!("`{from}` must not use `{used}`");
    if from == DOMAIN && !DOMAIN_MAY_USE.contains(&used) {
        let mend = format!("the domain is pure; it may use: {}", DOMAIN_MAY_USE.join(", "));
        return Some((problem, mend));
    }
    let kept = RESTRICTED_LIBRARIES
        .iter()
        .find(|kept| kept.library == used && !kept.allowed_crates.contains(&from))?;
    Some((problem, format!("{}; add a function there instead", kept.reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, uses: &[&str]) -> WorkspaceCrate {
        let dependency = |(line, name): (usize, &&str)| CrateDependency {
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
        let mut crates: Vec<_> =
            ALLOWED_DEPENDENCIES.iter().map(|arrow| member(arrow.from, arrow.to)).collect();
        crates.retain(|member| member.name != planted.name);
        crates.push(planted);
        check(&crates).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_dependency_against_the_table_is_caught() {
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
    fn restricted_libraries_stay_in_their_crates() {
        assert_eq!(problems(member("forge-store", &["forge-domain", "sqlx"])), [""; 0]);
        for (name, library) in [("forge-engine", "sqlx"), ("forge-git", "process-wrap")] {
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
        for (index, arrow) in ALLOWED_DEPENDENCIES.iter().enumerate() {
            let above: Vec<_> =
                ALLOWED_DEPENDENCIES.iter().take(index).map(|arrow| arrow.from).collect();
            assert!(arrow.to.iter().all(|to| above.contains(to)), "{}", arrow.from);
        }
    }
}
