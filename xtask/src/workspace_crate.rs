//! A crate of this workspace and the dependencies in its manifest.

use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Why the crates could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// Cargo failed to list them.
    #[error("cargo could not list the workspace's crates: {0}; `cargo check` says more")]
    Metadata(#[from] cargo_metadata::Error),
    /// A manifest is not readable.
    #[error("cannot read {}: {source}", path.display())]
    Manifest { path: PathBuf, source: std::io::Error },
}

/// One line of a manifest's dependency tables.
#[derive(Debug, Clone)]
pub struct CrateDependency {
    /// The package's name, even if the manifest renames it.
    pub name: String,
    /// Whether only tests, examples and benches use it.
    pub dev_only: bool,
    /// One-based line in the manifest.
    pub line: usize,
}

/// One crate: its name, the path of its manifest and its dependencies.
#[derive(Debug, Clone)]
pub struct WorkspaceCrate {
    pub name: String,
    /// The manifest, relative to the workspace root.
    pub manifest: String,
    pub dependencies: Vec<CrateDependency>,
}

/// The root of a workspace and its crates.
#[derive(Debug)]
pub struct CargoWorkspace {
    /// The directory of the workspace's manifest.
    pub root: PathBuf,
    pub crates: Vec<WorkspaceCrate>,
}

/// Asks cargo, offline, for the workspace that contains `directory`.
///
/// At run time and not by `env!`: a target directory shared by two clones may hold the other one's path.
pub fn load_workspace(directory: &Path) -> Result<CargoWorkspace, WorkspaceError> {
    let metadata = MetadataCommand::new()
        .current_dir(directory)
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()?;
    let root = metadata.workspace_root.as_std_path();
    let mut crates = Vec::new();
    for package in metadata.workspace_packages() {
        let path = package.manifest_path.as_std_path();
        let text = std::fs::read_to_string(path)
            .map_err(|source| WorkspaceError::Manifest { path: path.to_path_buf(), source })?;
        let dependencies = package.dependencies.iter().map(|dependency| {
            let written = dependency.rename.as_ref().unwrap_or(&dependency.name);
            let dev_only = dependency.kind == DependencyKind::Development;
            CrateDependency {
                name: dependency.name.clone(),
                dev_only,
                line: dependency_line(&text, written, dev_only),
            }
        });
        crates.push(WorkspaceCrate {
            name: package.name.to_string(),
            manifest: path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned(),
            dependencies: dependencies.collect(),
        });
    }
    Ok(CargoWorkspace { root: root.to_path_buf(), crates })
}

/// The line where a manifest names a dependency, in the table of its kind; 1 if it is written in an unusual way.
fn dependency_line(manifest: &str, name: &str, dev_only: bool) -> usize {
    let mut in_table = false;
    for (number, line) in (1..).zip(manifest.lines()) {
        if line.starts_with('[') {
            in_table = line.contains("dependencies") && line.contains("dev-") == dev_only;
        }
        let rest = line.trim_start().strip_prefix(name).unwrap_or_default();
        if in_table && rest.starts_with(['.', ' ', '=']) {
            return number;
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_is_found_in_the_table_of_its_kind() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb-c.workspace = true\n\
                        b = \"1\"\n[dev-dependencies]\nb = \"1\"\n";
        assert_eq!(dependency_line(manifest, "b", false), 5);
        assert_eq!(dependency_line(manifest, "b", true), 7);
        assert_eq!(dependency_line(manifest, "b-c", false), 4);
        assert_eq!(dependency_line(manifest, "name", false), 1);
    }
}
