//! Finds landings of others that a task's branch would revert: files that landed while the task was in progress, and
//! that the branch has in their old version although the task never changed them. An old tree on a new base looks like
//! this, made by a restore, an agent or a user.

use crate::effects::EffectError;
use crate::workspace::journal::journal_of;
use forge_domain::task::TaskSnapshot;
use forge_git::{FileStatus, GitDiff, ObjectId, Repo};
use forge_store::{Db, tables};
use std::collections::BTreeSet;

/// The trailer of commits that revert a file on purpose: a path, or `*` for all.
pub(crate) const REVERTS_TRAILER: &str = "Forge-Reverts";

/// Matches every file.
const ALL: &str = "*";

/// The files that landing `head` would revert, except those that a commit of the branch names in its trailer.
pub(crate) async fn reverted_landings(
    db: &Db,
    task: &TaskSnapshot,
    repo: &Repo,
    tip: &ObjectId,
    head: &ObjectId,
) -> Result<Vec<String>, EffectError> {
    let Some(base) = repo.merge_base(tip, head).await? else { return Ok(Vec::new()) };
    let Some(first) = first_base(db, task, repo, &base).await? else { return Ok(Vec::new()) };
    let landed = repo.changed_paths(&first, &base).await?;
    let own = repo.changed_paths(&first, head).await?;
    let mut reverted: Vec<String> = landed.difference(&own).cloned().collect();
    if !reverted.is_empty() {
        let said = repo.trailer_values(&base, head, REVERTS_TRAILER).await?;
        reverted.retain(|path| !said.iter().any(|said| said == path || said == ALL));
    }
    Ok(reverted)
}

/// The deleted files of a diff that others landed while the task was in progress; `base` is where the diff starts.
pub(crate) async fn deleted_landings(
    db: &Db,
    task: &TaskSnapshot,
    repo: &Repo,
    base: &ObjectId,
    diff: &GitDiff,
) -> Result<Vec<String>, EffectError> {
    let deleted = diff.files.iter().filter(|file| file.status == FileStatus::Deleted);
    let deleted: BTreeSet<String> = deleted.map(|file| file.path.text.clone()).collect();
    if deleted.is_empty() {
        return Ok(Vec::new());
    }
    let Some(first) = first_base(db, task, repo, base).await? else { return Ok(Vec::new()) };
    let landed = repo.added_paths(&first, base).await?;
    Ok(deleted.intersection(&landed).cloned().collect())
}

/// The commit at which the task's work first forked from the target; `None` if that is `base`, the current fork
/// point.
async fn first_base(
    db: &Db,
    task: &TaskSnapshot,
    repo: &Repo,
    base: &ObjectId,
) -> Result<Option<ObjectId>, EffectError> {
    let executions = tables::executions::list_of_task(db, task.id).await?;
    let began = executions.into_iter().filter_map(|run| run.outcome?.base);
    let began = began.filter_map(|commit| ObjectId::new(commit).ok());
    let entries = journal_of(task.id, repo)?.load_entries().await?;
    let commits: BTreeSet<ObjectId> = entries
        .into_iter()
        .filter_map(|entry| entry.head)
        .chain(began)
        .filter(|commit| commit != base)
        .collect();
    if commits.is_empty() {
        return Ok(None);
    }
    let first = repo.common_ancestor(base, commits.iter()).await?;
    let Some(first) = first.filter(|first| first != base) else { return Ok(None) };
    // A task may change its own earlier landing, so count from there.
    let landed = task.post_landing.landed.as_ref().and_then(|landed| landed.commit.clone());
    let landed = landed.and_then(|commit| ObjectId::new(commit).ok());
    if let Some(landed) = landed
        && repo.is_ancestor(&first, &landed).await.unwrap_or(false)
        && repo.is_ancestor(&landed, base).await?
    {
        return Ok(Some(landed).filter(|landed| landed != base));
    }
    Ok(Some(first))
}
