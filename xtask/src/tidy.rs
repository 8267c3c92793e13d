//! Applies all rules to one source tree.

use std::path::{Path, PathBuf};

use crate::commit_history;
use crate::commit_history::HistoryError;
use crate::rule_violation::RuleViolation;
use crate::rules::{
    banned_pronouns, commit_subjects, crate_dependencies, file_budget, file_names, folder_size,
    leftovers, machine_paths, module_comments, module_files, short_docs, state_names, type_names,
};
use crate::source_file::SourceFile;
use crate::source_tree::{SourceTree, TreeError};
use crate::workspace_crate;
use crate::workspace_crate::{WorkspaceCrate, WorkspaceError};

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
    /// The commits could not be listed.
    #[error(transparent)]
    History(#[from] HistoryError),
}

/// A workspace whose files are read, ready to be checked.
#[derive(Debug)]
pub struct TidyCheck {
    root: PathBuf,
    tree: SourceTree,
    crates: Vec<WorkspaceCrate>,
}

impl TidyCheck {
    /// Reads the workspace that contains `directory`.
    pub fn load(directory: &Path) -> Result<Self, TidyError> {
        let workspace = workspace_crate::load_workspace(directory)?;
        let tree = SourceTree::load(&workspace.root)?;
        Ok(Self { root: workspace.root, tree, crates: workspace.crates })
    }

    /// Violations of a rule that checks one file at a time.
    pub fn check_files(&self, rule: fn(&SourceFile) -> Vec<RuleViolation>) -> Vec<RuleViolation> {
        self.tree.files().iter().flat_map(rule).collect()
    }

    /// Violations of a rule that compares files with each other.
    pub fn check_tree(&self, rule: fn(&[SourceFile]) -> Vec<RuleViolation>) -> Vec<RuleViolation> {
        rule(self.tree.files())
    }

    /// Violations of the crate table.
    pub fn check_dependencies(&self) -> Vec<RuleViolation> {
        crate_dependencies::check(&self.crates)
    }

    /// Violations of P-7.
    pub fn check_state_names(&self) -> Result<Vec<RuleViolation>, TidyError> {
        let names = state_names::StateNames::find(self.tree.files())?;
        Ok(state_names::check(self.tree.files(), &names))
    }

    /// Violations in the subjects of the commits since the rule began.
    pub fn check_commits(&self) -> Result<Vec<RuleViolation>, TidyError> {
        let commits = commit_history::load_subjects(&self.root, commit_history::RULE_START)?;
        Ok(commit_subjects::check(&commits))
    }

    /// Violations of every rule, sorted by location, without duplicates.
    pub fn check_all(&self) -> Result<Vec<RuleViolation>, TidyError> {
        let mut offences = self.check_dependencies();
        offences.extend(self.check_state_names()?);
        offences.extend(self.check_commits()?);
        for rule in [folder_size::check, type_names::check] {
            offences.extend(self.check_tree(rule));
        }
        for rule in [
            banned_pronouns::check,
            file_budget::check,
            file_names::check,
            leftovers::check,
            machine_paths::check,
            module_comments::check,
            module_files::check,
            short_docs::check,
        ] {
            offences.extend(self.check_files(rule));
        }
        offences.sort();
        offences.dedup();
        Ok(offences)
    }
}
