//! Parks work if git's settings of its repository changed (W-19).

use crate::effects::{EffectContext, EffectError};
use forge_domain::task::AnnotationType;
use forge_git::{Repo, SettingsChange};

/// How many differences a message lists; the details hold all of them.
const NAMED: usize = 5;

/// Parks the task if the repository has new drivers, includes or attributes since its registration, or unreadable
/// settings. The server does not use them, but agents and users in the worktree do.
pub(crate) async fn check_git_settings(
    effect: &EffectContext,
    repo: &Repo,
) -> Result<(), EffectError> {
    let changes = repo.settings_changes().await?;
    let holding: Vec<&SettingsChange> = changes.iter().filter(|change| change.holds).collect();
    if holding.is_empty() {
        return Ok(());
    }
    let mut named: Vec<String> = holding.iter().take(NAMED).map(ToString::to_string).collect();
    if holding.len() > NAMED {
        named.push(format!("and {} more", holding.len() - NAMED));
    }
    let name = &effect.repo_row()?.name;
    let details = serde_json::json!({ "repository": name, "changes": holding });
    let message = format!(
        "git's settings of the repository {name} changed since it was registered: {}. Forge does not use them. Undo \
         the change, or have an admin accept it with `forge repo accept-config --repo {name}`; then move the task on",
        named.join("; ")
    );
    Err(EffectError::NeedsPerson {
        trouble: AnnotationType::RepositoryConfigChanged,
        message,
        details,
    })
}
