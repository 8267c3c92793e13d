use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Makes a directory of a repository's own, unless it is there. Never what is above it: a repository that went away would
/// leave its path behind, empty, in the way of whoever brings it back.
pub(crate) fn make_inner_directory(common_dir: &Path, name: &str) -> io::Result<PathBuf> {
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
    fn w_5_a_repository_that_went_away_is_not_made_again_by_what_belongs_into_it() {
        let home = tempfile::tempdir().expect("a directory");
        let made = make_inner_directory(home.path(), "info").expect("is made");
        assert_eq!(make_inner_directory(home.path(), "info").expect("is there"), made);
        let gone = home.path().join("repo/.git");
        let refused = make_inner_directory(&gone, "info").expect_err("there is no repository");
        assert_eq!(refused.kind(), ErrorKind::NotFound);
        assert!(!home.path().join("repo").exists());
    }
}
