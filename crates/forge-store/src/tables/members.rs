//! Who works in which project (S-6).

use forge_domain::{ExecutionId, ProjectId, ReviewId, TaskId, Timestamp, UserId};

use super::page::{Key, Order, Page};
use crate::cursor::Cursor;
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;

/// A person in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The person.
    pub user_id: UserId,
    /// Their name.
    pub name: String,
    /// Since when they are a member.
    pub created_at: Timestamp,
}

/// A row that belongs to one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The project itself.
    Project(ProjectId),
    /// A task.
    Task(TaskId),
    /// A run of a task.
    Execution(ExecutionId),
    /// An attempt of a task at a gate.
    Review(ReviewId),
}

/// The order of [`list_of_project`]: by name.
pub const ORDER: Order = Order::new("name", &[Key::Text]);

/// Makes a person a member who gets the events after `since_seq`. False if they are one already, or nobody is stored
/// under this id.
pub async fn add(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    since_seq: i64,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let insert = stmt(
        "INSERT INTO project_members (project_id, user_id, since_seq, created_at)
         SELECT $1, id, $3, $4 FROM users WHERE id = $2 ON CONFLICT DO NOTHING",
    );
    Ok(tx.execute(insert.bind(project).bind(user).bind(since_seq).bind(now)).await? == 1)
}

/// Ends a membership. False if there was none.
pub async fn remove(tx: &mut Tx, project: ProjectId, user: UserId) -> Result<bool, StoreError> {
    let delete = stmt("DELETE FROM project_members WHERE project_id = $1 AND user_id = $2");
    Ok(tx.execute(delete.bind(project).bind(user)).await? == 1)
}

/// The membership of one person, as the transaction sees it.
pub async fn load_in(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
) -> Result<Option<Member>, StoreError> {
    let select = stmt(
        "SELECT project_members.user_id, users.name, project_members.created_at
         FROM project_members JOIN users ON users.id = project_members.user_id
         WHERE project_members.project_id = $1 AND project_members.user_id = $2",
    );
    let row = tx.fetch_optional(select.bind(project).bind(user)).await?;
    row.as_ref().map(read).transpose()
}

/// A project's members, in [`ORDER`].
pub async fn list_of_project(
    db: &Db,
    project: ProjectId,
    page: &Page,
) -> Result<(Vec<Member>, Option<Cursor>), StoreError> {
    let select = stmt(
        "SELECT project_members.user_id, users.name, project_members.created_at
         FROM project_members JOIN users ON users.id = project_members.user_id
         WHERE project_members.project_id = $1 AND users.name > $2 ORDER BY users.name LIMIT $3",
    )
    .bind(project)
    .bind(ORDER.start_or(page, "".into())?)
    .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let members = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.cut(members, |last: &Member| ORDER.after([last.name.clone().into()])))
}

/// Whether there is such a row and the person is a member of its project.
pub async fn is_member(db: &Db, user: UserId, place: Place) -> Result<bool, StoreError> {
    Ok(db.fetch_optional(membership(user, place)).await?.is_some())
}

/// Keys all the way: it stands before every request of a member.
pub(super) const OF_PROJECT: &str =
    "SELECT user_id FROM project_members WHERE user_id = $1 AND project_id = $2";
pub(super) const OF_TASK: &str =
    "SELECT project_members.user_id FROM tasks JOIN project_members USING (project_id)
     WHERE project_members.user_id = $1 AND tasks.id = $2";
pub(super) const OF_EXECUTION: &str =
    "SELECT project_members.user_id FROM executions JOIN project_members USING (project_id)
     WHERE project_members.user_id = $1 AND executions.id = $2";
pub(super) const OF_REVIEW: &str =
    "SELECT project_members.user_id FROM reviews JOIN tasks ON tasks.id = reviews.task_id
     JOIN project_members ON project_members.project_id = tasks.project_id
     WHERE project_members.user_id = $1 AND reviews.id = $2";

fn membership(user: UserId, place: Place) -> Stmt {
    match place {
        Place::Project(id) => stmt(OF_PROJECT).bind(user).bind(id),
        Place::Task(id) => stmt(OF_TASK).bind(user).bind(id),
        Place::Execution(id) => stmt(OF_EXECUTION).bind(user).bind(id),
        Place::Review(id) => stmt(OF_REVIEW).bind(user).bind(id),
    }
}

fn read(row: &DbRow) -> Result<Member, StoreError> {
    Ok(Member {
        user_id: row.parse("user_id")?,
        name: row.get("name")?,
        created_at: row.at("created_at")?,
    })
}
