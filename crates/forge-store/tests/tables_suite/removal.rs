//! Removed agents, users and projects, deleted tasks, and copies of the database (P-1, S-6, S-7).

use std::sync::Arc;

use forge_domain::task::TaskKey;
use forge_domain::{AccountRole, AgentId, Assignee, DeletionFacts, UserId};
use forge_store::tables::agents::{self, AgentRow};
use forge_store::tables::users::{self, UserRow};
use forge_store::tables::{PageRequest, comments, projects, tasks};
use forge_store::{DatabaseUrl, Db, SqlDialect, StoreError};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};

fn agent(n: u64, name: &str) -> AgentRow {
    AgentRow {
        id: AgentId::new(id(n)),
        name: name.to_owned(),
        executor: serde_json::json!({ "kind": "shell", "command": ["true"] }),
        roles: Vec::new(),
        paused: false,
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
        project_id: None,
        version: 1,
        created_at: at(1),
        updated_at: at(1),
        removed_at: None,
    }
}

both_databases! {
    /// S-4: a removed agent keeps its name for the history, and the name can be given again.
    async fn s_4_a_removed_agent_frees_its_name(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = board.db.clone();
        let (ada, twin) = (agent(11, "ada"), agent(12, "ada"));
        let ben = AgentRow { fallback: Some(ada.id), ..agent(13, "ben") };
        let held = Assignee::Agent { id: ada.id };
        let task = board.task("Held", |task| {
            task.roles.insert(forge_domain::workflow::RoleName::new("coder"), held);
        }).await;
        board.task("Free", |_| {}).await;
        commit!(db, (ada, ben), |tx| async {
            agents::insert(tx, &ada).await?;
            agents::insert(tx, &ben).await
        });
        let id = ada.id;
        assert_eq!(tasks::open_with_role_of(&db, id).await.unwrap(), [task.id]);
        assert_eq!(commit!(db, (id), |tx| agents::list_open_executions(tx, id, 9)), []);
        commit!(db, (id), |tx| agents::remove(tx, id, at(5)));
        commit!(db, (twin), |tx| agents::insert(tx, &twin));
        let removed = agents::load(&db, id).await.unwrap().expect("its row stays");
        assert_eq!((removed.name.as_str(), removed.removed_at), ("ada", Some(at(5))));
        assert_eq!(commit!(db, (id), |tx| agents::lock(tx, id)), None);
        let all: Vec<_> = agents::all(&db).await.unwrap().into_iter().map(|row| (row.id, row.fallback)).collect();
        assert_eq!(all, [(twin.id, None), (ben.id, None)], "no agent falls back on it");
        let (page, _) = agents::list(&db, &PageRequest::first(9)).await.unwrap();
        assert_eq!(page.len(), 2);
    }

    /// S-6: a removed user has no password and no name to sign in with, and the history still shows the name.
    async fn s_6_a_removed_user_frees_the_name(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let user = |n: u64| UserRow {
            id: UserId::new(id(n)),
            name: "Zoë".to_owned(),
            password_hash: Some("$argon2id$…".to_owned()),
            role: AccountRole::Member,
            created_at: at(1),
            removed_at: None,
        };
        let (first, second) = (user(1), user(2));
        commit!(db, (first), |tx| users::insert(tx, &first));
        let id = first.id;
        commit!(db, (id), |tx| users::remove(tx, id, at(5)));
        assert_eq!(users::by_name(&db, "Zoë").await.unwrap(), None);
        assert_eq!(users::count(&db).await.unwrap(), 0);
        commit!(db, (second), |tx| users::insert(tx, &second));
        let removed = users::load(&db, id).await.unwrap().expect("the row stays");
        let expected = UserRow { password_hash: None, removed_at: Some(at(5)), ..first };
        assert_eq!(removed, expected);
        assert_eq!(commit!(db, (id), |tx| users::lock(tx, id)), None);
        assert_eq!(users::list(&db).await.unwrap(), [second]);
    }

    /// P-1: a removed project is in no list, and its slug can be given again; its tasks stay.
    async fn p_1_a_removed_project_keeps_its_tasks(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let (db, project) = (board.db.clone(), board.project);
        let task = board.task("Old", |_| {}).await;
        assert_eq!(commit!(db, (), |tx| tasks::tasks_in_use(tx, project, 9)), [TaskKey(1)]);
        let before = projects::load(&db, project).await.unwrap().expect("a project");
        commit!(db, (), |tx| projects::remove(tx, project, at(5)));
        assert_eq!(projects::load(&db, project).await.unwrap(), None);
        assert_eq!(projects::by_slug(&db, &before.slug).await.unwrap(), None);
        assert_eq!(projects::all(&db).await.unwrap(), []);
        let mut twin = before.clone();
        twin.id = forge_domain::ProjectId::new(id(77));
        commit!(db, (twin), |tx| projects::insert(tx, &twin));
        assert_eq!(projects::by_slug(&db, &before.slug).await.unwrap().map(|row| row.id), Some(twin.id));
        assert_eq!(tasks::load(&db, task.id).await.unwrap(), Some(task));
    }

    /// P-1: the facts of a deletion name what needs the task; a deleted task leaves no row.
    async fn p_1_a_deleted_task_leaves_no_row(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = board.db.clone();
        let task = board.task("Wanted", |task| {
            task.labels.insert("ui".to_owned());
        }).await;
        let on = task.id;
        let waiting = board.task("Waits", |task| { task.dependencies.insert(on); }).await;
        let part = board.task("Part", |task| task.parent = Some(on)).await;
        let facts = commit!(db, (), |tx| tasks::deletion_facts(tx, on));
        let expected = DeletionFacts {
            dependents: vec![waiting.key()],
            subtasks: vec![part.key()],
            ..DeletionFacts::default()
        };
        assert_eq!(facts, expected);
        let commented = board.order(&part, forge_domain::TaskCommand::Comment { body: "Hm".to_owned(), parent: None }, 9).await;
        assert_eq!(commit!(db, (), |tx| tasks::deletion_facts(tx, waiting.id)), DeletionFacts::default());
        for gone in [&waiting, &commented] {
            let gone = gone.clone();
            commit!(db, (gone), |tx| tasks::delete(tx, &gone));
        }
        commit!(db, (task), |tx| tasks::delete(tx, &task));
        for gone in [on, waiting.id, part.id] {
            assert_eq!(tasks::load(&db, gone).await.unwrap(), None);
        }
        let filter = tasks::TaskFilter { text: Some("wanted".to_owned()), ..tasks::TaskFilter::new(board.project) };
        assert_eq!(tasks::list(&db, &filter, &PageRequest::first(9)).await.unwrap().0, []);
        let page = PageRequest::first(9);
        assert_eq!(comments::list_of_task(&db, part.id, &page).await.unwrap().0, []);
    }

    /// S-7: a copy holds what was committed before it, opens as a database, and never replaces a file with content.
    async fn s_7_a_copy_of_the_database_is_a_database(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = board.task("Saved words", |_| {}).await;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("copy.db");
        if board.db.dialect() == SqlDialect::Postgres {
            assert_eq!(board.db.back_up_to(&path).await, Err(StoreError::NoBackup));
            return;
        }
        board.db.back_up_to(&path).await.unwrap();
        assert!(board.db.back_up_to(&path).await.is_err(), "it overwrites nothing");
        board.task("Later", |_| {}).await;
        let copy = Db::open(&DatabaseUrl::sqlite(path)).await.unwrap();
        assert_eq!(tasks::load(&copy, task.id).await.unwrap(), Some(task));
        let filter = tasks::TaskFilter { text: Some("saved".to_owned()), ..tasks::TaskFilter::new(board.project) };
        assert_eq!(tasks::list(&copy, &filter, &PageRequest::first(9)).await.unwrap().0.len(), 1, "the index too");
        let all = tasks::TaskFilter::new(board.project);
        assert_eq!(tasks::list(&copy, &all, &PageRequest::first(9)).await.unwrap().0.len(), 1, "as of the copy");
        copy.close().await;
    }
}
