//! Names that reach git: Forge accepts what git accepts, and no name can be an option or a path.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{BranchName, CommitIdentity, DirectoryName, ObjectId, RefName};
use proptest::prelude::*;
use support::try_git_in;

const ODD: &[&str] = &[
    "main",
    "a/b/c",
    "a.b",
    "ä",
    "a@b",
    "@a",
    "a@",
    "{",
    "a}",
    "feature-1",
    "a-",
    "--",
    "-x",
    "a/-x",
    ".a",
    "a/.b",
    "a.",
    "a./b",
    "a..b",
    "a.lock",
    "a.lock/b",
    "a.lockx",
    "/a",
    "a/",
    "a//b",
    "",
    "@",
    "a@{b",
    "a b",
    "a~",
    "a^",
    "a:",
    "a?",
    "a*",
    "a[b",
    "a\\b",
    "a\tb",
    "a\u{7f}",
    "HEAD",
    "refs/heads/x",
    "a]",
    "a!",
    "a'b",
    "a\"b",
    "$(x)",
    ";x",
    "|",
    "a,b",
    "a#b",
    "a%b",
    "a&b",
    "a=b",
    "a+b",
];

/// Whether git itself accepts the name.
fn git_takes(arguments: &[&str]) -> bool {
    let mut all = vec!["check-ref-format"];
    all.extend(arguments);
    try_git_in(std::path::Path::new("/"), &all).0
}

/// Git accepts a branch named `@` and then reads that name as HEAD; Forge refuses it.
fn git_takes_branch(name: &str) -> bool {
    name != "@" && git_takes(&["--branch", name])
}

#[test]
fn t_24_unusual_branch_names_are_valid_exactly_if_git_accepts_them() {
    for name in ODD {
        assert_eq!(BranchName::new(*name).is_ok(), git_takes_branch(name), "{name:?}");
    }
}

#[test]
fn t_24_unusual_reference_names_are_valid_exactly_if_git_accepts_them() {
    for name in ODD {
        let full = format!("refs/forge/{name}");
        assert_eq!(RefName::new(full.as_str()).is_ok(), git_takes(&[&full]), "{full:?}");
    }
    assert!(RefName::new("HEAD").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t_24_any_branch_name_is_valid_exactly_if_git_accepts_it(name in "[-a.@{/~ lock]{1,8}") {
        prop_assert_eq!(BranchName::new(name.as_str()).is_ok(), git_takes_branch(&name));
    }
}

#[test]
fn w_5_directory_names_stay_within_the_root() {
    for bad in ["", ".", "..", "a/b", "/a", "-a", ".a", "a\0", "a b", "a\n", &"x".repeat(121)] {
        assert!(DirectoryName::new(bad).is_err(), "{bad:?}");
    }
    for good in ["a", "12-fix.the_thing+1", "größe"] {
        assert!(DirectoryName::new(good).is_ok(), "{good:?}");
    }
}

#[test]
fn w_5_object_ids_are_full_hex() {
    assert!(ObjectId::new("a".repeat(40)).is_ok());
    assert!(ObjectId::new("0".repeat(64)).is_ok());
    for bad in
        ["", "abc", "HEAD", &"A".repeat(40), &"g".repeat(40), &format!("-{}", "a".repeat(39))]
    {
        assert!(ObjectId::new(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn e_6_identities_that_git_cannot_store_are_refused() {
    assert!(CommitIdentity::new("Ada Lovelace", "ada@example.org").is_ok());
    for bad in ["", " ", "...", "a<b", "a\nb"] {
        assert!(CommitIdentity::new(bad, "a@b").is_err(), "{bad:?}");
        assert!(CommitIdentity::new("a", bad).is_err(), "{bad:?}");
    }
}
