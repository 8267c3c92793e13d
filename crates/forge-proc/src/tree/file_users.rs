use std::fs;
use std::path::{Path, PathBuf};

use crate::tree::process_row::ProcessRow;

/// The living processes that have one of the files open, or that run `program` (or a relative of it, such as
/// `git-remote-https` of `git`) in or below the directory.
pub fn find_file_users(files: &[PathBuf], directory: &Path, program: &str) -> Vec<u32> {
    ProcessRow::load_all()
        .into_iter()
        .filter(|row| row.alive && (runs_in(row, directory, program) || has_file_open(row, files)))
        .map(|row| row.pid)
        .collect()
}

fn runs_in(row: &ProcessRow, directory: &Path, program: &str) -> bool {
    let place = |name: &str| fs::read_link(format!("/proc/{}/{name}", row.pid)).ok();
    let named = |path: PathBuf| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(program))
    };
    place("exe").is_some_and(named) && place("cwd").is_some_and(|cwd| cwd.starts_with(directory))
}

fn has_file_open(row: &ProcessRow, files: &[PathBuf]) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{}/fd", row.pid)) else {
        return false;
    };
    open.flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .any(|file| files.contains(&file))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn w_11_an_open_file_is_in_use_and_a_closed_one_is_not() {
        let home = tempfile::tempdir().expect("a directory");
        let path = home.path().canonicalize().expect("there").join("index.lock");
        let file = fs::File::create(&path).expect("made");
        let files = [path];
        let elsewhere = Path::new("/nonexistent");
        assert_eq!(find_file_users(&files, elsewhere, "git"), [std::process::id()]);
        drop(file);
        assert!(find_file_users(&files, elsewhere, "git").is_empty());
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the test needs a process that forge-proc does not supervise"
    )]
    fn w_11_a_program_is_found_by_its_working_directory() {
        let home = tempfile::tempdir().expect("a directory");
        let home = home.path().canonicalize().expect("there");
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .current_dir(&home)
            .spawn()
            .expect("starts");
        assert_eq!(find_file_users(&[], &home, "sleep"), [child.id()]);
        assert!(find_file_users(&[], &home, "git").is_empty());
        child.kill().expect("ends");
        child.wait().expect("is gone");
        assert!(find_file_users(&[], &home, "sleep").is_empty());
    }
}
