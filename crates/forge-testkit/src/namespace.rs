//! Tests that mount file systems: each runs again in its own mount namespace.

#![expect(clippy::disallowed_methods, reason = "a test starts itself again, and mount")]

use std::path::Path;
use std::process::Command;

const NAMESPACE_VARIABLE: &str = "FORGE_TEST_NAMESPACE";

/// Runs the named test again where it may mount file systems. True in the inner run; false if the test is over: the
/// inner run has passed, or this machine does not allow namespaces.
pub fn run_in_namespace(test: &str) -> bool {
    if std::env::var_os(NAMESPACE_VARIABLE).is_some() {
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
        .env(NAMESPACE_VARIABLE, "1")
        .output()
        .expect("the test runs again");
    let said = String::from_utf8_lossy(&again.stdout).into_owned()
        + &String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// Mounts a file system, in a test that is [`inside`].
pub fn mount(arguments: &[&str], place: &Path) {
    let done = Command::new("mount").args(arguments).arg(place).status();
    assert!(done.expect("mount runs").success(), "mount {arguments:?}");
}
