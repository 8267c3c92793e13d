//! Records are read back as stored.

use std::sync::Arc;

use forge_domain::workflow::WorkflowHash;
use forge_domain::{AgentId, Assignee, ProjectId, RepoId, TaskId};
use forge_store::tables::agents::{self, AgentRow};
use forge_store::tables::repos::{self, RepoRow};
use forge_store::tables::{PageRequest, counters, nodes, projects, tasks, workflows};
use forge_store::{ConstraintRule, CursorError, StoreError};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};

fn agent(n: u64, name: &str) -> AgentRow {
    AgentRow {
        id: AgentId::new(id(n)),
        name: name.to_owned(),
        executor: serde_json::json!({ "kind": "shell", "command": ["sh", "-c", "true"] }),
        roles: vec!["coder".to_owned()],
        paused: false,
        max_concurrent: 2,
        ephemeral: false,
        fallback: None,
        project_id: None,
        version: 1,
        created_at: at(1),
        updated_at: at(2),
        removed_at: None,
    }
}

both_databases! {
    /// D-2: a project is read back as stored, with its own ordinal and counters.
    async fn d_2_projects(database: Arc<TestDatabase>) {
        let first = TestBoard::open(&database).await;
        let db = first.db.clone();
        let second = TestBoard::add(db.clone(), 2).await;
        let mut project = projects::load(&db, second.project).await.unwrap().expect("the project");
        assert_eq!((project.ordinal, project.slug.as_str()), (2, "project-2"));
        assert_eq!(project.settings.or_defaults().metadata["colour"], "grün");
        assert_eq!(projects::by_slug(&db, "project-2").await.unwrap(), Some(project.clone()));
        assert_eq!(projects::by_slug(&db, "project-3").await.unwrap(), None);

        project.paused_at = Some(at(9));
        assert!(commit!(db, (project), |tx| projects::update(tx, &project)));
        assert!(!commit!(db, (project), |tx| projects::update(tx, &project)), "the version is stale now");
        let id = project.id;
        let read = commit!(db, (id), |tx| projects::load_in(tx, id)).expect("the project");
        assert_eq!((read.paused_at, read.version), (Some(at(9)), 2));

        let mut twin = project.clone();
        twin.id = ProjectId::new(crate::board::id(77));
        let clash: Result<i64, StoreError> = db.write(move |tx| {
            let twin = twin.clone();
            Box::pin(async move { projects::insert(tx, &twin).await })
        }).await;
        assert!(matches!(clash, Err(StoreError::Constraint { rule: ConstraintRule::Unique, .. })), "{clash:?}");

        let project = first.project;
        let advanced = commit!(db, (project), |tx| counters::advance(tx, project, 3, 5));
        assert_eq!((advanced.first_number, advanced.first_seq), (1, 1));
        assert_eq!(commit!(db, (project), |tx| counters::next_task_number(tx, project)), 4);
        assert_eq!(commit!(db, (project), |tx| counters::advance_events(tx, project, 1)), 6);
    }

    /// T-2: projects are listed in pages, and a cursor of another list is refused.
    async fn t_2_projects_are_paged(database: Arc<TestDatabase>) {
        let db = database.open().await;
        for n in 1..=5 {
            TestBoard::add(db.clone(), n).await;
        }
        let mut page = PageRequest::first(2);
        let mut slugs = Vec::new();
        loop {
            let (projects, next) = projects::list(&db, &page).await.unwrap();
            slugs.extend(projects.into_iter().map(|project| project.slug));
            let Some(next) = next else { break };
            page.after = Some(projects::ORDER.cursor(&next.encode()).unwrap());
        }
        assert_eq!(slugs, ["project-1", "project-2", "project-3", "project-4", "project-5"]);
        let foreign = agents::ORDER.cursor(&projects::ORDER.cursor("eyJzIjoib3JkaW5hbCIsInYiOlsxXX0").unwrap().encode());
        assert_eq!(foreign, Err(CursorError::OtherSort));
        let text_for_a_number = projects::ORDER.cursor("eyJzIjoib3JkaW5hbCIsInYiOlsiMSJdfQ");
        assert_eq!(text_for_a_number, Err(CursorError::Malformed));
    }

    /// F-1: a workflow's definition never changes under its hash.
    async fn f_1_workflows_are_immutable(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let hash = WorkflowHash::new("abc");
        for text in ["first", "second"] {
            commit!(db, (hash), |tx| workflows::put(tx, &hash, text));
        }
        assert_eq!(workflows::load(&db, &hash).await.unwrap().as_deref(), Some("first"));
        assert_eq!(commit!(db, (hash), |tx| workflows::load_in(tx, &hash)).as_deref(), Some("first"));
        assert_eq!(workflows::load(&db, &WorkflowHash::new("x")).await.unwrap(), None);
    }

    /// SPEC §1: exactly one of a project's repositories is primary.
    async fn d_2_repos(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = board.db.clone();
        let repo = RepoRow {
            id: RepoId::new(id(5)),
            project_id: board.project,
            name: "main".to_owned(),
            path: Some("some where/repo".to_owned()),
            url: None,
            default_branch: "trunk".to_owned(),
            primary: true,
            created_at: at(3),
        };
        commit!(db, (repo), |tx| repos::insert(tx, &repo));
        assert_eq!(repos::load(&db, repo.id).await.unwrap(), Some(repo.clone()));
        assert_eq!(repos::primary_of(&db, board.project).await.unwrap(), Some(repo.clone()));
        let project = board.project;
        assert_eq!(commit!(db, (project), |tx| repos::primary_of_in(tx, project)), Some(repo.clone()));
        let mut other = RepoRow { id: RepoId::new(id(6)), name: "other".to_owned(), ..repo.clone() };
        let refused = other.clone();
        let clash: Result<(), StoreError> = db.write(move |tx| {
            let other = refused.clone();
            Box::pin(async move { repos::insert(tx, &other).await })
        }).await;
        assert!(matches!(clash, Err(StoreError::Constraint { rule: ConstraintRule::Unique, .. })), "{clash:?}");
        other.primary = false;
        commit!(db, (other), |tx| repos::insert(tx, &other));
        assert_eq!(repos::list_of_project(&db, board.project).await.unwrap(), [repo.clone(), other.clone()]);

        // The users of a repository are found by the snapshot; after its removal the next one is primary.
        let mut task = board.draft("uses it").snapshot;
        (task.repo_id, task.priority) = (Some(repo.id), -3);
        commit!(db, (task), |tx| tasks::insert(tx, &task));
        let (known, missing) = (task.id, TaskId::new(id(77)));
        let priorities = tasks::priorities(&db, &[missing, known]).await.unwrap();
        assert_eq!(priorities.into_iter().collect::<Vec<_>>(), [(known, -3)]);
        let (used, unused) = (repo.id, other.id);
        let users = commit!(db, (project), |tx| tasks::tasks_using_repo(tx, project, used, 9));
        assert_eq!(users, [task.key()]);
        assert_eq!(commit!(db, (project), |tx| tasks::tasks_using_repo(tx, project, unused, 9)), []);
        commit!(db, (repo), |tx| repos::remove(tx, &repo));
        other.primary = true;
        assert_eq!(repos::list_of_project(&db, board.project).await.unwrap(), [other]);
    }

    /// D-2: agents are read back as stored, by name, and a stale write is refused.
    async fn d_2_agents(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let mut first = agent(1, "ada");
        let second = agent(2, "bob");
        for agent in [&second, &first] {
            commit!(db, (agent), |tx| agents::insert(tx, &agent));
        }
        first.paused = true;
        assert!(commit!(db, (first), |tx| agents::update(tx, &first)));
        assert!(!commit!(db, (first), |tx| agents::update(tx, &first)));
        first.version = 2;
        let id = first.id;
        assert_eq!(commit!(db, (id), |tx| agents::lock(tx, id)), Some(first.clone()));
        assert_eq!(agents::load(&db, second.id).await.unwrap(), Some(second.clone()));
        let (page, next) = agents::list(&db, &PageRequest::first(1)).await.unwrap();
        assert_eq!(page, [first]);
        let (page, next) = agents::list(&db, &PageRequest { limit: 1, after: next }).await.unwrap();
        assert_eq!((page, next), (vec![second], None));
    }

    /// D-1: a node is recognised when it starts again.
    async fn d_1_nodes(database: Arc<TestDatabase>) {
        let db = database.open().await;
        commit!(db, (), |tx| nodes::register(tx, "n1", "desk", at(1)));
        commit!(db, (), |tx| nodes::register(tx, "n1", "desk 2", at(5)));
        assert!(commit!(db, (), |tx| nodes::record_heartbeat(tx, "n1", at(8))));
        assert!(!commit!(db, (), |tx| nodes::record_heartbeat(tx, "n2", at(8))));
        let nodes = nodes::list(&db).await.unwrap();
        assert_eq!(nodes.len(), 1);
        assert_eq!((nodes[0].name.as_str(), nodes[0].registered_at, nodes[0].heartbeat_at), ("desk 2", at(5), at(8)));
    }

    /// T-1: a task is read back as stored, whatever its text, and can be stored repeatedly.
    async fn t_1_tasks(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let mut task = board.task("a \"quoted\" 'title' 🚀", |task| {
            task.description = "NUL \0, newline \n, \\ and ünïcode".to_owned();
            task.metadata.insert("x".to_owned(), serde_json::json!([1, null, "é"]));
            task.labels.insert("bug".to_owned());
        }).await;
        assert_eq!(tasks::load(db, task.id).await.unwrap(), Some(task.clone()));
        assert_eq!(tasks::by_number(db, board.project, task.number).await.unwrap(), Some(task.clone()));
        assert_eq!(tasks::by_number(db, board.project, 99).await.unwrap(), None);
        task.title = "another".to_owned();
        task.version = 2;
        board.put(&task).await;
        let id = task.id;
        assert_eq!(commit!(db, (id), |tx| tasks::lock(tx, id)), Some(task.clone()));
        assert_eq!(commit!(db, (id), |tx| tasks::load_in(tx, id)), Some(task.clone()));

        let fresh = board.draft("by put").snapshot;
        board.put(&fresh).await;
        assert_eq!(tasks::load(db, fresh.id).await.unwrap(), Some(fresh.clone()), "put also adds");
        let unknown = forge_domain::TaskId::new(crate::board::id(12345));
        let ids = [fresh.id, unknown, task.id];
        let both = tasks::load_many(db, &ids).await.unwrap();
        assert_eq!(both, [task.clone(), fresh.clone()]);
        assert_eq!(commit!(db, (ids), |tx| tasks::load_many_in(tx, &ids)), both);
        assert_eq!(tasks::load_many(db, &[]).await.unwrap(), []);
    }

    /// T-1: a board never assigns the same number twice.
    async fn t_1_a_number_is_assigned_once(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let first = board.task("one", |_| {}).await;
        let mut second = board.draft("two").snapshot;
        second.number = first.number;
        let clash: Result<(), StoreError> = board.db.write(move |tx| {
            let second = second.clone();
            Box::pin(async move { tasks::insert(tx, &second).await })
        }).await;
        assert!(matches!(clash, Err(StoreError::Constraint { rule: ConstraintRule::Unique, .. })), "{clash:?}");
    }

    /// E-10: claimable tasks come by priority, then by age; archived ones never.
    async fn e_10_claimable_by_priority_then_age(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut expected = Vec::new();
        for (title, priority, claimable, archived) in
            [("c", 0, true, false), ("a", 5, true, false), ("x", 9, false, false), ("b", 5, true, false), ("y", 9, true, true)]
        {
            let task = board.task(title, |task| {
                task.priority = priority;
                task.claimable = claimable;
                task.archived_at = archived.then(|| at(1));
            }).await;
            expected.push(task.title);
        }
        let found = tasks::claimable(&board.db, board.project, 10).await.unwrap();
        let titles: Vec<_> = found.iter().map(|task| task.title.as_str()).collect();
        assert_eq!(titles, ["a", "b", "c"]);
        assert_eq!(tasks::claimable(&board.db, board.project, 1).await.unwrap().len(), 1);
    }

    /// T-4: only open executions count as running.
    async fn t_4_count_running_counts_open_executions(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = board.db.clone();
        let agent = agent(1, "ada");
        commit!(db, (agent), |tx| agents::insert(tx, &agent));
        let id = agent.id;
        assert_eq!(commit!(db, (id), |tx| agents::count_running(tx, id)), 0);
        crate::projection::run(&board, Assignee::Agent { id }).await;
        let second = crate::projection::run(&board, Assignee::Agent { id }).await;
        assert_eq!(commit!(db, (id), |tx| agents::count_running(tx, id)), 2);
        crate::projection::end(&board, &second).await;
        assert_eq!(commit!(db, (id), |tx| agents::count_running(tx, id)), 1);
    }
}
