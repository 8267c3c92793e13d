//! All rules over one tree.

use std::path::Path;

use crate::offence::Offence;
use crate::rules::{
    arrows, file_budget, file_names, leftovers, machine_paths, module_files, state_names,
};
use crate::source_file::SourceFile;
use crate::tree::{Tree, TreeError};
use crate::workspace_crate::{self, WorkspaceCrate, WorkspaceError};

/// Why the rules could not be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum TidyError {
    /// The files could not be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The crates could not be listed.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The default workflow's states could not be read.
    #[error(transparent)]
    StateNames(#[from] state_names::StateNamesError),
}

/// A workspace whose files are read, ready to be checked.
#[derive(Debug)]
pub struct Tidy {
    tree: Tree,
    crates: Vec<WorkspaceCrate>,
}

impl Tidy {
    /// Reads the workspace that `directory` stands in.
    pub fn load(directory: &Path) -> Result<Self, TidyError> {
        let workspace = workspace_crate::load_workspace(directory)?;
        Ok(Self { tree: Tree::load(&workspace.root)?, crates: workspace.crates })
    }

    /// Offences against a rule that looks at one file at a time.
    pub fn each_file(&self, rule: fn(&SourceFile) -> Vec<Offence>) -> Vec<Offence> {
        self.tree.files().iter().flat_map(rule).collect()
    }

    /// Offences against the crate table.
    pub fn arrows(&self) -> Vec<Offence> {
        arrows::check(&self.crates)
    }

    /// Offences against P-7.
    pub fn state_names(&self) -> Result<Vec<Offence>, TidyError> {
        let names = state_names::StateNames::find(self.tree.files())?;
        Ok(state_names::check(self.tree.files(), &names))
    }

    /// Offences against every rule, in the order of their places, each once.
    pub fn all(&self) -> Result<Vec<Offence>, TidyError> {
        let mut offences = self.arrows();
        offences.extend(self.state_names()?);
        for rule in [
            file_budget::check,
            file_names::check,
            leftovers::check,
            machine_paths::check,
            module_files::check,
        ] {
            offences.extend(self.each_file(rule));
        }
        offences.sort();
        offences.dedup();
        Ok(offences)
    }
}
