//! What a program that Forge starts in a worktree finds in its environment (E-3, W-13).

use super::perform::Step;
use forge_domain::task::Run;
use forge_git::Worktree;
use std::ffi::OsString;

impl Step<'_> {
    pub(super) fn environment(&self, run: &Run, worktree: &Worktree) -> Vec<(OsString, OsString)> {
        let inner = &self.engine.0;
        let mut own = vec![
            ("FORGE_TASK_ID", self.task.id.to_string()),
            ("FORGE_EXECUTION_ID", run.execution.to_string()),
            ("FORGE_BRANCH", worktree.branch().to_string()),
        ];
        own.extend(inner.limits.url.clone().map(|url| ("FORGE_URL", url)));
        let own =
            own.into_iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        inner.environment.vars().chain(own).collect()
    }
}
