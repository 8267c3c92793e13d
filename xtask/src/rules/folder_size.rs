//! Limits the number of files in a folder.

use std::collections::BTreeMap;

use crate::rule_violation::RuleViolation;
use crate::source_file::SourceFile;

const MOST_FILES: usize = 20;

/// No folder of a crate's sources has more than 20 files; files in its subfolders do not count.
pub fn check(files: &[SourceFile]) -> Vec<RuleViolation> {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_crate_source()) {
        if let Some((folder, _name)) = file.path().rsplit_once('/') {
            *folders.entry(folder).or_default() += 1;
        }
    }
    folders.retain(|_folder, count| *count > MOST_FILES);
    folders
        .into_iter()
        .map(|(folder, count)| {
            let problem = format!("{count} files in one folder, the limit is {MOST_FILES}");
            RuleViolation::new(folder, 1, problem, "move a feature into a folder of its own")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(path: &str, count: usize) -> Vec<SourceFile> {
        (0..count).map(|number| SourceFile::new(format!("{path}/a{number}.rs"), "")).collect()
    }

    #[test]
    fn a_folder_over_the_limit_is_caught() {
        for path in ["crates/a/src", "crates/a/src/landing"] {
            assert_eq!(check(&folder(path, 20)), []);
            let offences = check(&folder(path, 21));
            assert_eq!(offences.len(), 1, "{path}");
            assert_eq!(offences[0].path, path);
            assert!(offences[0].problem.starts_with("21 files"), "{offences:?}");
        }
    }

    #[test]
    fn subfolders_and_tests_do_not_count() {
        let mut files = folder("crates/a/src", 20);
        files.extend(folder("crates/a/src/landing", 20));
        files.extend(folder("crates/a/tests", 40));
        assert_eq!(check(&files), []);
    }
}
