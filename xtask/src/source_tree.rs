//! The text files of the workspace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::source_file::SourceFile;

/// Directories in a checkout that are not part of the project.
const SKIPPED_DIRECTORIES: [&str; 7] = [
    "target",
    "node_modules",
    "dist",
    "coverage",
    "test-results",
    "playwright-report",
    "blob-report",
];

/// Hidden directories that are part of the project; all others belong to tools or users.
const PROJECT_HIDDEN_DIRECTORIES: [&str; 3] = [".cargo", ".ci", ".config"];

/// Text files without a known extension.
const TEXT_NAMES: [&str; 2] = ["Makefile", "run"];

const TEXT_EXTENSIONS: [&str; 16] = [
    "css", "html", "js", "json", "md", "mjs", "rs", "sh", "snap", "sql", "svg", "toml", "ts",
    "tsx", "txt", "yml",
];

/// Why the tree could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}; run this from a complete checkout", path.display())]
pub struct TreeError {
    path: PathBuf,
    source: io::Error,
}

/// Every text file of the project under one root.
#[derive(Debug)]
pub struct SourceTree {
    files: Vec<SourceFile>,
}

impl SourceTree {
    /// Reads all text files under `root`, sorted by path.
    pub fn load(root: &Path) -> Result<Self, TreeError> {
        let mut files = Vec::new();
        let mut directories = vec![root.to_path_buf()];
        while let Some(directory) = directories.pop() {
            let failed = |source| TreeError { path: directory.clone(), source };
            for entry in fs::read_dir(&directory).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let path = entry.path();
                let name = entry.file_name().to_string_lossy().into_owned();
                let kind = entry.file_type().map_err(failed)?;
                if kind.is_dir() && is_project_directory(&name) {
                    directories.push(path);
                } else if kind.is_file() && is_text(&path, &name) {
                    files.extend(load_text(root, &path)?);
                }
            }
        }
        files.sort_by(|a, b| a.path().cmp(b.path()));
        Ok(Self { files })
    }

    /// The files, sorted by path.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }
}

fn is_project_directory(directory: &str) -> bool {
    if directory.starts_with('.') {
        PROJECT_HIDDEN_DIRECTORIES.contains(&directory)
    } else {
        !SKIPPED_DIRECTORIES.contains(&directory)
    }
}

fn is_text(path: &Path, name: &str) -> bool {
    let scripts = path.parent().is_some_and(|parent| parent.ends_with("scripts"));
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension) => TEXT_EXTENSIONS.contains(&extension),
        None => scripts || TEXT_NAMES.contains(&name),
    }
}

/// `None` for a file that disappeared or is not UTF-8: other processes may be writing in the same tree.
fn load_text(root: &Path, path: &Path) -> Result<Option<SourceFile>, TreeError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(TreeError { path: path.to_path_buf(), source });
        }
    };
    let relative = path.strip_prefix(root).unwrap_or(path);
    let relative: Vec<_> =
        relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(String::from_utf8(bytes).ok().map(|text| SourceFile::new(relative.join("/"), text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generated and foreign directories are skipped, and the project's hidden ones are included.
    #[test]
    fn the_tree_contains_only_project_files() {
        let root = tempfile::tempdir().expect("a temporary directory");
        for path in [
            "src/lib.rs",
            ".ci/run",
            "scripts/test",
            "target/debug/x.rs",
            "web/node_modules/a/index.ts",
            ".git/config.toml",
            "logo.png",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directory made");
            fs::write(path, "text").expect("file written");
        }
        let tree = SourceTree::load(root.path()).expect("readable");
        let paths: Vec<_> = tree.files().iter().map(SourceFile::path).collect();
        assert_eq!(paths, [".ci/run", "scripts/test", "src/lib.rs"]);
    }
}
