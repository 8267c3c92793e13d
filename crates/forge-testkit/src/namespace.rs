//! Tests that mount something: each runs again by itself, in a mount namespace of its own.

#![expect(clippy::disallowed_methods, reason = "a test starts itself again, and mount")]

use std::path::Path;
use std::process::Command;

const INSIDE: &str = "FORGE_TEST_NAMESPACE";

/// Runs the named test again where it may mount what it likes. True if this is that run; false if the test is over: the
/// inner run has passed, or this machine allows no namespaces.
pub fn inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let unshare = |flags: &str| {
        let mut command = Command::new("unshare");
        command.arg(flags);
        command
    };
    let allowed = |flags: &&&str| {
        let tried = unshare(flags).args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    };
    let Some(flags) = ["-m", "-rm"].iter().find(allowed) else {
        return false;
    };
    let program = std::env::current_exe().expect("this program");
    let again = unshare(flags)
        .arg(program)
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .expect("the test runs again");
    let said = String::from_utf8_lossy(&again.stdout).into_owned()
        + &String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// Mounts something, in a test that is [`inside`].
pub fn mount(arguments: &[&str], place: &Path) {
    let done = Command::new("mount").args(arguments).arg(place).status();
    assert!(done.expect("mount runs").success(), "mount {arguments:?}");
}
