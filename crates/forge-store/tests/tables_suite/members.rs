//! Members of projects (S-6).

use std::sync::Arc;

use forge_domain::{
    AccountRole, Assignee, ExecutionId, ProjectId, RecordedEvent, ReviewId, TaskEvent, TaskId,
    UserId,
};
use forge_store::tables::counters::NO_PROJECT;
use forge_store::tables::events::{self, SequenceHead};
use forge_store::tables::members::{self, MemberRow, ProjectResource};
use forge_store::tables::users::{self, UserRow};
use forge_store::tables::{PageRequest, projects};
use forge_store::{Db, MIGRATIONS, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id, written};
use crate::projection::run;

async fn user(db: &Db, n: u64, name: &str) -> UserId {
    let user = UserRow {
        id: UserId::new(id(n)),
        name: name.to_owned(),
        password_hash: None,
        role: AccountRole::Member,
        created_at: at(1),
        removed_at: None,
    };
    commit!(db, (user), |tx| users::insert(tx, &user));
    user.id
}

async fn add(db: &Db, project: ProjectId, user: UserId, since: i64) -> bool {
    commit!(db, (), |tx| members::add(tx, project, user, since, at(5)))
}

both_databases! {
    /// S-6: a user is a member once, and has no access after removal.
    async fn s_6_members_are_added_and_removed(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let (db, project) = (board.db.clone(), board.project);
        let (zoe, bo) = (user(&db, 11, "Zoë").await, user(&db, 12, "Bo").await);
        assert!(add(&db, project, zoe, 0).await);
        assert!(add(&db, project, bo, 0).await);
        assert!(!add(&db, project, zoe, 7).await, "she is one already");
        assert!(!add(&db, project, UserId::new(id(99)), 0).await, "no user has this id");
        let member = |user_id, name: &str| MemberRow { user_id, name: name.to_owned(), created_at: at(5) };
        let (first, next) = members::list_of_project(&db, project, &PageRequest::first(1)).await.unwrap();
        assert_eq!(first, [member(bo, "Bo")]);
        let page = PageRequest { limit: 1, after: next };
        assert_eq!(members::list_of_project(&db, project, &page).await.unwrap(), (vec![member(zoe, "Zoë")], None));
        assert_eq!(commit!(db, (), |tx| members::load_in(tx, project, zoe)), Some(member(zoe, "Zoë")));
        assert!(commit!(db, (), |tx| members::remove(tx, project, zoe)));
        assert!(!commit!(db, (), |tx| members::remove(tx, project, zoe)));
        assert!(!members::is_member(&db, zoe, ProjectResource::Project(project)).await.unwrap());
        assert!(members::is_member(&db, bo, ProjectResource::Project(project)).await.unwrap());
    }

    /// S-6: only members of a project have access to its records.
    async fn s_6_rows_are_reached_through_their_project(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = board.db.clone();
        let other = TestBoard::add(db.clone(), 2).await;
        let (inside, outside) = (user(&db, 11, "Ann").await, user(&db, 12, "Bo").await);
        add(&db, board.project, inside, 0).await;
        add(&db, other.project, outside, 0).await;
        let task = run(&board, Assignee::User { id: inside }).await;
        let review = ReviewId::new(id(70));
        let mut decision = board.draft("checked");
        let started = TaskEvent::ReviewStarted { review, attempt: 1 };
        decision.events.push(RecordedEvent { event: started, at: at(6), version: 1 });
        board.commit(&decision, 6).await;
        let execution = task.run.as_ref().expect("a run").execution;
        let places = [
            ProjectResource::Project(board.project),
            ProjectResource::Task(task.id),
            ProjectResource::Execution(execution),
            ProjectResource::Review(review),
        ];
        for place in places {
            assert!(members::is_member(&db, inside, place).await.unwrap(), "{place:?}");
            assert!(!members::is_member(&db, outside, place).await.unwrap(), "{place:?}");
        }
        let nowhere = [
            ProjectResource::Project(ProjectId::new(id(99))),
            ProjectResource::Task(TaskId::new(id(99))),
            ProjectResource::Execution(ExecutionId::new(id(99))),
            ProjectResource::Review(ReviewId::new(id(99))),
        ];
        for place in nowhere {
            assert!(!members::is_member(&db, inside, place).await.unwrap(), "{place:?}");
        }
    }

    /// S-2: a member sees their own projects and sequences, from the time they joined.
    async fn s_2_a_member_sees_their_projects_from_where_they_joined(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let ann = user(&db, 11, "Ann").await;
        let mut boards = Vec::new();
        for n in 1..=4 {
            boards.push(TestBoard::add(db.clone(), n).await.project);
        }
        for (place, since) in [(3, 2), (0, 0), (1, 5)] {
            add(&db, boards[place], ann, since).await;
        }
        let (first, next) = projects::list_of_member(&db, ann, &PageRequest::first(2)).await.unwrap();
        let page = PageRequest { limit: 2, after: next };
        let (rest, next) = projects::list_of_member(&db, ann, &page).await.unwrap();
        let seen: Vec<_> = first.iter().chain(&rest).map(|project| project.id).collect();
        assert_eq!((seen, next), (vec![boards[0], boards[1], boards[3]], None));
        let heads = events::heads_of_member(&db, ann).await.unwrap();
        let head = |project_id, ordinal, since| SequenceHead { project_id, ordinal, since, last: 0 };
        let expected = [head(NO_PROJECT, 0, 0), head(boards[0], 1, 0), head(boards[1], 2, 5), head(boards[3], 4, 2)];
        assert_eq!(heads, expected);
    }

    /// D-2, S-6: users who could work in a project before there were members can do so after the upgrade.
    async fn d_2_an_upgrade_keeps_every_users_projects(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let old = Db::open_at(&url, &MIGRATIONS[..2]).await.expect("the version before");
        let ann = user(&old, 11, "Ann").await;
        let project = TestBoard::add(old.clone(), 1).await.project;
        written(&old, |tx| Box::pin(tx.execute(stmt(
            "INSERT INTO users (id, name, role, created_at) VALUES ('boss', 'Boss', 'admin', 1)",
        )))).await;
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        let (found, _) = members::list_of_project(&db, project, &PageRequest::first(10)).await.unwrap();
        let names: Vec<_> = found.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["Ann"], "an admin needs no membership");
        assert!(members::is_member(&db, ann, ProjectResource::Project(project)).await.unwrap());
    }
}
