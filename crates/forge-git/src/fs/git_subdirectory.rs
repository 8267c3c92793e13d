use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Creates a directory inside a repository's git directory, unless it exists. Never creates its parents: if the
/// repository was moved away, an empty directory at its path would be in the way when the user moves it back.
pub(crate) fn create_git_subdirectory(common_dir: &Path, name: &str) -> io::Result<PathBuf> {
    let path = common_dir.join(name);
    match std::fs::create_dir(&path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_5_creating_a_git_subdirectory_does_not_recreate_a_missing_repository() {
        let home = tempfile::tempdir().expect("a directory");
        let made = create_git_subdirectory(home.path(), "info").expect("is made");
        assert_eq!(create_git_subdirectory(home.path(), "info").expect("is there"), made);
        let gone = home.path().join("repo/.git");
        let refused = create_git_subdirectory(&gone, "info").expect_err("there is no repository");
        assert_eq!(refused.kind(), ErrorKind::NotFound);
        assert!(!home.path().join("repo").exists());
    }
}
