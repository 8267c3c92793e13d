//! What the conflict radar knows (M-14): where the live branches of a repository stand, and which of them clash.

use forge_domain::workflow::Standing;
use forge_domain::{ProjectId, RepoId, TaskId, Timestamp};

use super::column::{json, word};
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;
use crate::wake::Channel;

/// A live branch as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarHead {
    /// Its task.
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    /// The repository.
    pub repo_id: RepoId,
    /// The branch's commit.
    pub head: String,
    /// The commit whose files count: the same, or a saved state on top of it.
    pub content: String,
    /// The tree of those files.
    pub tree: String,
    /// The newest entry of the task's journal.
    pub entry: Option<i64>,
}

/// Two branches that clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadarPair {
    /// The tasks, the lower id first.
    pub tasks: [TaskId; 2],
    /// Their project.
    pub project_id: ProjectId,
    /// Their repository.
    pub repo_id: RepoId,
    /// The trees that were merged.
    pub trees: [String; 2],
    /// The files that clash.
    pub files: Vec<String>,
    /// Since when.
    pub since: Timestamp,
}

/// A task that waits because its branch clashes with another's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The one that waits.
    pub task_id: TaskId,
    /// The number on the board of the one that goes first.
    pub number: i64,
    /// The files that clash.
    pub files: Vec<String>,
}

/// Of each pair the side that waits in a project that wants it to, and the other one where it has begun: not in line
/// itself, not ended, and with a run or handed in. Ones that a person has to look at hold nobody up.
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

/// The same, as the transaction sees it. Whoever writes them holds the project's counter.
pub async fn heads_in(tx: &mut Tx, repo: RepoId) -> Result<Vec<RadarHead>, StoreError> {
    tx.fetch_all(select_heads(repo)).await?.iter().map(read_head).collect()
}

/// The branches of a project, by task.
pub async fn heads_of_project(db: &Db, project: ProjectId) -> Result<Vec<RadarHead>, StoreError> {
    let select = stmt("SELECT * FROM radar_heads WHERE project_id = $1 ORDER BY task_id");
    db.fetch_all(select.bind(project)).await?.iter().map(read_head).collect()
}

/// Repositories that have branches on record.
pub async fn repos(db: &Db) -> Result<Vec<RepoId>, StoreError> {
    let select = stmt("SELECT DISTINCT repo_id FROM radar_heads ORDER BY repo_id");
    db.fetch_all(select).await?.iter().map(|row| row.parse("repo_id")).collect()
}

/// Writes where a branch stands.
pub async fn put_head(tx: &mut Tx, head: &RadarHead) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO radar_heads (task_id, project_id, repo_id, head, content, tree, entry)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (task_id) DO UPDATE SET
            repo_id = excluded.repo_id, head = excluded.head, content = excluded.content, tree = excluded.tree,
            entry = excluded.entry",
    )
    .bind(head.task_id)
    .bind(head.project_id)
    .bind(head.repo_id)
    .bind(&head.head)
    .bind(&head.content)
    .bind(&head.tree)
    .bind(head.entry);
    tx.execute(upsert).await?;
    Ok(())
}

/// Forgets a branch that is not live any more.
pub async fn remove_head(tx: &mut Tx, task: TaskId) -> Result<(), StoreError> {
    tx.execute(stmt("DELETE FROM radar_heads WHERE task_id = $1").bind(task)).await?;
    Ok(())
}

/// The pairs of a repository that clash, as the transaction sees them.
pub async fn pairs_in(tx: &mut Tx, repo: RepoId) -> Result<Vec<RadarPair>, StoreError> {
    let select = stmt("SELECT * FROM radar_pairs WHERE repo_id = $1 ORDER BY task_a, task_b");
    tx.fetch_all(select.bind(repo)).await?.iter().map(read_pair).collect()
}

/// The pairs of a project that clash, the oldest first.
pub async fn pairs_of_project(db: &Db, project: ProjectId) -> Result<Vec<RadarPair>, StoreError> {
    let select = stmt(
        "SELECT * FROM radar_pairs WHERE project_id = $1 ORDER BY project_id, since, task_a, task_b",
    );
    db.fetch_all(select.bind(project)).await?.iter().map(read_pair).collect()
}

/// Writes that a pair clashes. It can make a task wait.
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

/// Writes that a pair does not clash any more. It can let a task go on.
pub async fn remove_pair(tx: &mut Tx, tasks: [TaskId; 2]) -> Result<(), StoreError> {
    let delete = stmt("DELETE FROM radar_pairs WHERE task_a = $1 AND task_b = $2");
    let [task_a, task_b] = tasks;
    tx.execute(delete.bind(task_a).bind(task_b)).await?;
    tx.wake(Channel::Dispatch, "");
    Ok(())
}

/// The tasks in line that wait for another because their branches clash, in projects that want it so.
pub async fn held(db: &Db) -> Result<Vec<Held>, StoreError> {
    let select = stmt(HELD).bind(word(Standing::Submitted)?).bind(word(Standing::Open)?);
    let read = |row: &DbRow| {
        Ok(Held {
            task_id: row.parse("task_id")?,
            number: row.get("number")?,
            files: row.json("files")?,
        })
    };
    db.fetch_all(select).await?.iter().map(read).collect()
}

fn select_heads(repo: RepoId) -> Stmt {
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
    })
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
