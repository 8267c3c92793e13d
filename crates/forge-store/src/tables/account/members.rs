//! Members of projects (S-6).

use forge_domain::{ExecutionId, ProjectId, ReviewId, TaskId, Timestamp, UserId};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;

/// A user's membership in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    pub user_id: UserId,
    pub name: String,
    /// Since when they are a member.
    pub created_at: Timestamp,
}

/// A record that belongs to one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectResource {
    /// The project itself.
    Project(ProjectId),
    Task(TaskId),
    /// An execution of a task.
    Execution(ExecutionId),
    /// A review of a task.
    Review(ReviewId),
}

/// Sort order of [`list_of_project`]: by name.
pub const ORDER: ListOrder = ListOrder::new("name", &[SortKey::Text]);

/// Makes a user a member who gets the events after `since_seq`. Returns false if the user is a member already, or does
/// not exist.
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

/// Ends a membership. Returns false if there was none.
pub async fn remove(tx: &mut Tx, project: ProjectId, user: UserId) -> Result<bool, StoreError> {
    let delete = stmt("DELETE FROM project_members WHERE project_id = $1 AND user_id = $2");
    Ok(tx.execute(delete.bind(project).bind(user)).await? == 1)
}

/// The membership of a user, read inside the transaction.
pub async fn load_in(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
) -> Result<Option<MemberRow>, StoreError> {
    let select = stmt(
        "SELECT project_members.user_id, users.name, project_members.created_at
         FROM project_members JOIN users ON users.id = project_members.user_id
         WHERE project_members.project_id = $1 AND project_members.user_id = $2",
    );
    let row = tx.fetch_optional(select.bind(project).bind(user)).await?;
    row.as_ref().map(read).transpose()
}

/// Lists a project's members in [`ORDER`].
pub async fn list_of_project(
    db: &Db,
    project: ProjectId,
    page: &PageRequest,
) -> Result<(Vec<MemberRow>, Option<PageCursor>), StoreError> {
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
    Ok(page.split_page(members, |last: &MemberRow| ORDER.after([last.name.clone().into()])))
}

/// Whether the record exists and the user is a member of its project.
pub async fn is_member(db: &Db, user: UserId, place: ProjectResource) -> Result<bool, StoreError> {
    Ok(db.fetch_optional(membership(user, place)).await?.is_some())
}

/// Uses only keys, because it runs before every request of a member.
pub(crate) const OF_PROJECT: &str =
    "SELECT user_id FROM project_members WHERE user_id = $1 AND project_id = $2";
pub(crate) const OF_TASK: &str =
    "SELECT project_members.user_id FROM tasks JOIN project_members USING (project_id)
     WHERE project_members.user_id = $1 AND tasks.id = $2";
pub(crate) const OF_EXECUTION: &str =
    "SELECT project_members.user_id FROM executions JOIN project_members USING (project_id)
     WHERE project_members.user_id = $1 AND executions.id = $2";
pub(crate) const OF_REVIEW: &str =
    "SELECT project_members.user_id FROM reviews JOIN tasks ON tasks.id = reviews.task_id
     JOIN project_members ON project_members.project_id = tasks.project_id
     WHERE project_members.user_id = $1 AND reviews.id = $2";

fn membership(user: UserId, place: ProjectResource) -> SqlStatement {
    match place {
        ProjectResource::Project(id) => stmt(OF_PROJECT).bind(user).bind(id),
        ProjectResource::Task(id) => stmt(OF_TASK).bind(user).bind(id),
        ProjectResource::Execution(id) => stmt(OF_EXECUTION).bind(user).bind(id),
        ProjectResource::Review(id) => stmt(OF_REVIEW).bind(user).bind(id),
    }
}

fn read(row: &DbRow) -> Result<MemberRow, StoreError> {
    Ok(MemberRow {
        user_id: row.parse("user_id")?,
        name: row.get("name")?,
        created_at: row.at("created_at")?,
    })
}
