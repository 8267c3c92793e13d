//! Data of the conflict radar (M-14): the live branches of a repository, and which of them conflict.

use forge_domain::workflow::TaskStanding;
use forge_domain::{ProjectId, RepoId, TaskId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::{json, word};
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A live branch as last read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarHead {
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    pub repo_id: RepoId,
    /// Commit of the branch.
    pub head: String,
    /// The commit whose files count: the same, or a saved state on top of it.
    pub content: String,
    /// The tree of that commit.
    pub tree: String,
    /// The newest entry of the task's journal.
    pub entry: Option<i64>,
    /// Its target branch; `None` if there is no such branch.
    pub target: Option<RadarTarget>,
}

/// The target of a live branch, and the conflict with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarTarget {
    /// The target branch.
    pub branch: String,
    pub head: String,
    /// The merge base with the task's branch, if there is exactly one.
    pub fork: Option<String>,
    /// The conflict of the two, if there is one.
    pub conflict: Option<RadarTargetConflict>,
}

/// A conflict of a branch with its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarTargetConflict {
    /// The files in conflict.
    pub files: Vec<String>,
    pub since: Timestamp,
}

/// A pair of branches that conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarPair {
    /// The tasks, the lower id first.
    pub tasks: [TaskId; 2],
    pub project_id: ProjectId,
    pub repo_id: RepoId,
    /// The merged trees.
    pub trees: [String; 2],
    /// Files in conflict.
    pub files: Vec<String>,
    pub since: Timestamp,
}

/// A task that waits because its branch conflicts with another one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldTask {
    /// The waiting task.
    pub task_id: TaskId,
    /// Board number of the task that goes first.
    pub number: i64,
    /// Files in conflict.
    pub files: Vec<String>,
}

/// Selects, for each pair in a project that holds conflicting tasks, the waiting task and the other one if it has
/// started: not queued, not ended, and with an execution or submitted. Tasks that need a person delay no other task.
pub(crate) const HELD: &str = "SELECT held.task_id AS task_id, other.number AS number, held.files AS files FROM (
        SELECT task_a AS task_id, task_b AS other_id, project_id, files FROM radar_pairs
        UNION ALL
        SELECT task_b AS task_id, task_a AS other_id, project_id, files FROM radar_pairs
    ) AS held
    JOIN served_projects ON served_projects.project_id = held.project_id AND served_projects.hold_conflicts
    JOIN waiting_tasks ON waiting_tasks.task_id = held.task_id
    JOIN tasks AS other ON other.id = held.other_id
    WHERE other.standing = $1
       OR (other.standing = $2
           AND EXISTS (SELECT 1 FROM executions WHERE executions.task_id = other.id AND executions.open))
    ORDER BY held.task_id, other.number";

/// The branches of a repository, by task.
pub async fn heads(db: &Db, repo: RepoId) -> Result<Vec<RadarHead>, StoreError> {
    db.fetch_all(select_heads(repo)).await?.iter().map(read_head).collect()
}

/// Same, read inside the transaction. Writers hold the project's counter.
pub async fn heads_in(tx: &mut Tx, repo: RepoId) -> Result<Vec<RadarHead>, StoreError> {
    tx.fetch_all(select_heads(repo)).await?.iter().map(read_head).collect()
}

/// The branches of a project, by task.
pub async fn heads_of_project(db: &Db, project: ProjectId) -> Result<Vec<RadarHead>, StoreError> {
    let select = stmt("SELECT * FROM radar_heads WHERE project_id = $1 ORDER BY task_id");
    db.fetch_all(select.bind(project)).await?.iter().map(read_head).collect()
}

/// Repositories with stored branches.
pub async fn repos(db: &Db) -> Result<Vec<RepoId>, StoreError> {
    let select = stmt("SELECT DISTINCT repo_id FROM radar_heads ORDER BY repo_id");
    db.fetch_all(select).await?.iter().map(|row| row.parse("repo_id")).collect()
}

/// Stores the state of a branch.
pub async fn put_head(tx: &mut Tx, head: &RadarHead) -> Result<(), StoreError> {
    let target = head.target.as_ref();
    let conflict = target.and_then(|target| target.conflict.as_ref());
    let upsert = stmt(
        "INSERT INTO radar_heads (task_id, project_id, repo_id, head, content, tree, entry, target, target_head, fork,
                                  target_files, target_since)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (task_id) DO UPDATE SET
            repo_id = excluded.repo_id, head = excluded.head, content = excluded.content, tree = excluded.tree,
            entry = excluded.entry, target = excluded.target, target_head = excluded.target_head,
            fork = excluded.fork, target_files = excluded.target_files, target_since = excluded.target_since",
    )
    .bind(head.task_id)
    .bind(head.project_id)
    .bind(head.repo_id)
    .bind(&head.head)
    .bind(&head.content)
    .bind(&head.tree)
    .bind(head.entry)
    .bind(target.map(|target| target.branch.clone()))
    .bind(target.map(|target| target.head.clone()))
    .bind(target.and_then(|target| target.fork.clone()))
    .bind(conflict.map(|conflict| json(&conflict.files)).transpose()?)
    .bind(conflict.map(|conflict| conflict.since));
    tx.execute(upsert).await?;
    Ok(())
}

/// Deletes a branch that is no longer live.
pub async fn remove_head(tx: &mut Tx, task: TaskId) -> Result<(), StoreError> {
    tx.execute(stmt("DELETE FROM radar_heads WHERE task_id = $1").bind(task)).await?;
    Ok(())
}

/// The conflicting pairs of a repository, read inside the transaction.
pub async fn pairs_in(tx: &mut Tx, repo: RepoId) -> Result<Vec<RadarPair>, StoreError> {
    let select = stmt("SELECT * FROM radar_pairs WHERE repo_id = $1 ORDER BY task_a, task_b");
    tx.fetch_all(select.bind(repo)).await?.iter().map(read_pair).collect()
}

/// The conflicting pairs of a project, oldest first.
pub async fn pairs_of_project(db: &Db, project: ProjectId) -> Result<Vec<RadarPair>, StoreError> {
    let select = stmt(
        "SELECT * FROM radar_pairs WHERE project_id = $1 ORDER BY project_id, since, task_a, task_b",
    );
    db.fetch_all(select.bind(project)).await?.iter().map(read_pair).collect()
}

/// Stores a conflicting pair. It can make a task wait.
pub async fn put_pair(tx: &mut Tx, pair: &RadarPair) -> Result<(), StoreError> {
    let ([task_a, task_b], [tree_a, tree_b]) = (pair.tasks, &pair.trees);
    let upsert = stmt(
        "INSERT INTO radar_pairs (task_a, task_b, project_id, repo_id, tree_a, tree_b, files, since)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (task_a, task_b) DO UPDATE SET
            tree_a = excluded.tree_a, tree_b = excluded.tree_b, files = excluded.files",
    )
    .bind(task_a)
    .bind(task_b)
    .bind(pair.project_id)
    .bind(pair.repo_id)
    .bind(tree_a)
    .bind(tree_b)
    .bind(json(&pair.files)?)
    .bind(pair.since);
    tx.execute(upsert).await?;
    Ok(())
}

/// Deletes a pair that no longer conflicts. It can let a task continue.
pub async fn remove_pair(tx: &mut Tx, tasks: [TaskId; 2]) -> Result<(), StoreError> {
    let delete = stmt("DELETE FROM radar_pairs WHERE task_a = $1 AND task_b = $2");
    let [task_a, task_b] = tasks;
    tx.execute(delete.bind(task_a).bind(task_b)).await?;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// Queued tasks that wait for another one because their branches conflict, in projects that hold such tasks.
pub async fn list_held(db: &Db) -> Result<Vec<HeldTask>, StoreError> {
    let select = stmt(HELD).bind(word(TaskStanding::Submitted)?).bind(word(TaskStanding::Open)?);
    let read = |row: &DbRow| {
        Ok(HeldTask {
            task_id: row.parse("task_id")?,
            number: row.get("number")?,
            files: row.json("files")?,
        })
    };
    db.fetch_all(select).await?.iter().map(read).collect()
}

fn select_heads(repo: RepoId) -> SqlStatement {
    stmt("SELECT * FROM radar_heads WHERE repo_id = $1 ORDER BY task_id").bind(repo)
}

fn read_head(row: &DbRow) -> Result<RadarHead, StoreError> {
    Ok(RadarHead {
        task_id: row.parse("task_id")?,
        project_id: row.parse("project_id")?,
        repo_id: row.parse("repo_id")?,
        head: row.get("head")?,
        content: row.get("content")?,
        tree: row.get("tree")?,
        entry: row.get("entry")?,
        target: read_target(row)?,
    })
}

fn read_target(row: &DbRow) -> Result<Option<RadarTarget>, StoreError> {
    let (branch, head): (Option<String>, Option<String>) =
        (row.get("target")?, row.get("target_head")?);
    let (Some(branch), Some(head)) = (branch, head) else { return Ok(None) };
    let conflict = match row.get::<Option<String>>("target_files")? {
        Some(_) => Some(RadarTargetConflict {
            files: row.json("target_files")?,
            since: row.at("target_since")?,
        }),
        None => None,
    };
    Ok(Some(RadarTarget { branch, head, fork: row.get("fork")?, conflict }))
}

fn read_pair(row: &DbRow) -> Result<RadarPair, StoreError> {
    Ok(RadarPair {
        tasks: [row.parse("task_a")?, row.parse("task_b")?],
        project_id: row.parse("project_id")?,
        repo_id: row.parse("repo_id")?,
        trees: [row.get("tree_a")?, row.get("tree_b")?],
        files: row.json("files")?,
        since: row.at("since")?,
    })
}
