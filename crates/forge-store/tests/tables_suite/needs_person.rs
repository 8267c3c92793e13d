//! Tasks that wait for a person (T-28).

use std::sync::Arc;

use forge_domain::{AccountRole, ProjectId, UserId};
use forge_store::tables::needs_person::{self, NeedsPersonFilter, ORDER};
use forge_store::tables::users::UserRow;
use forge_store::tables::{PageRequest, members, users};
use forge_store::{Db, MIGRATIONS, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id, written};

async fn listed(db: &Db, filter: NeedsPersonFilter) -> Vec<(String, i64)> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let (found, next) = needs_person::list(db, filter, &page).await.unwrap();
        seen.extend(found.into_iter().map(|one| (one.task.title.clone(), one.since.millis())));
        let Some(next) = next else { return seen };
        page.after = Some(ORDER.cursor(&next.encode()).unwrap());
    }
}

both_databases! {
    /// The longest wait comes first, pages continue where they ended, and members see only their own projects.
    async fn t_28_the_list_is_sorted_by_age_and_restricted_to_the_members_projects(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let other = TestBoard::add(board.db.clone(), 2).await;
        for (place, since) in [(0, 50), (1, 10), (2, 30), (3, 10)] {
            let task = board.task(&format!("t{place}"), |_| {}).await;
            commit!(board.db, (task), |tx| needs_person::put(tx, &task, "parked", at(since)));
        }
        let foreign = other.task("foreign", |_| {}).await;
        commit!(board.db, (foreign), |tx| needs_person::put(tx, &foreign, "verdict", at(20)));
        let all = listed(&board.db, NeedsPersonFilter::default()).await;
        let titles: Vec<_> = all.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["t1", "t3", "foreign", "t2", "t0"]);
        let project = Some(board.project);
        let own = listed(&board.db, NeedsPersonFilter { project, member: None }).await;
        assert_eq!(own.len(), 4);
        let user = UserRow {
            id: UserId::new(id(70)),
            name: "mia".to_owned(),
            password_hash: None,
            role: AccountRole::Member,
            created_at: at(1),
            removed_at: None,
        };
        commit!(board.db, (user), |tx| users::insert(tx, &user));
        let theirs: ProjectId = other.project;
        let mia = user.id;
        commit!(board.db, (), |tx| members::add(tx, theirs, mia, 0, at(1)));
        let filter = NeedsPersonFilter { member: Some(mia), project: None };
        assert_eq!(listed(&board.db, filter).await, [("foreign".to_owned(), 20)]);
        commit!(board.db, (foreign), |tx| needs_person::remove(tx, foreign.id));
        assert!(listed(&board.db, filter).await.is_empty());
        assert_eq!(needs_person::since(&board.db, foreign.id).await.unwrap(), None);
    }

    /// D-2: tasks older than the table get their reason at the next start.
    async fn t_28_tasks_older_than_the_table_are_listed_as_unknown(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let before = MIGRATIONS.iter().position(|step| step.name == "needs_person").unwrap();
        let old = Db::open_at(&url, &MIGRATIONS[..before]).await.expect("the version before");
        let rows = [
            "INSERT INTO workflows VALUES ('w', '{}')",
            "INSERT INTO projects
             VALUES ('00000000-0000-0000-0000-00000000000a', 1, 'p', 'p', 'git_worktree', 'w', '{}', NULL, 1, 1, 1)",
            "INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency, version,
                                agent_id, parent_id, archived, created_at, updated_at, related, related_stale, snapshot)
             SELECT made.id, '00000000-0000-0000-0000-00000000000a', made.n, 'w', 's', 'review', made.standing,
                    FALSE, 'task', 0, 1, NULL, NULL, made.archived, 1, 1, '', FALSE, '{}'
             FROM (SELECT '00000000-0000-0000-0000-00000000000b' AS id, 1 AS n, 'submitted' AS standing, FALSE AS archived
                   UNION ALL SELECT '00000000-0000-0000-0000-00000000000c', 2, 'succeeded', FALSE
                   UNION ALL SELECT '00000000-0000-0000-0000-00000000000d', 3, 'open', TRUE) AS made",
        ];
        for row in rows {
            written(&old, move |tx| Box::pin(tx.execute(stmt(row)))).await;
        }
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        let unknown = needs_person::list_unknown(&db, 10).await.unwrap();
        let unknown: Vec<_> = unknown.iter().map(ToString::to_string).collect();
        assert_eq!(unknown, ["00000000-0000-0000-0000-00000000000b"], "neither ended nor archived ones");
        assert!(listed(&db, NeedsPersonFilter::default()).await.is_empty(), "not before it is known");
    }
}
