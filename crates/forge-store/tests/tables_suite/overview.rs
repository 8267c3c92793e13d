//! The overview of all projects (S-4).

use std::sync::Arc;

use forge_domain::task::LandingRecord;
use forge_domain::workflow::{BoardPhase, RoleName, TaskStanding};
use forge_domain::{AccountRole, Effect, EffectId, ExecutionId, PlannedEffect, UserId};
use forge_store::tables::overview::{self, OverviewPart};
use forge_store::tables::users::UserRow;
use forge_store::tables::{effects, members, needs_person, users, waiting_tasks};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};

fn titles(part: &OverviewPart) -> (u32, Vec<&str>) {
    (part.count, part.rows.iter().map(|row| row.task.title.as_str()).collect())
}

/// Stores a task in a phase; with an open effect if it is busy.
async fn task_in(board: &TestBoard, title: &str, phase: BoardPhase, busy: Option<u64>) {
    let task = board
        .task(title, |task| {
            task.phase = phase;
            task.claimable = phase == BoardPhase::Ready;
        })
        .await;
    if let Some(n) = busy {
        let effect = Effect::RunExecution { execution: ExecutionId::new(id(n)) };
        let planned = [PlannedEffect { id: EffectId::new(id(n)), effect, not_before: at(0) }];
        commit!(board.db, (task, planned), |tx| effects::insert_planned(tx, &task, &planned, None));
    }
    let role = (phase == BoardPhase::Ready).then(|| RoleName::new("coder"));
    commit!(board.db, (task, role), |tx| waiting_tasks::put(tx, &task, role.as_ref()));
}

both_databases! {
    /// Each task is in one part, the count goes beyond the rows, and members see only their own projects.
    async fn s_4_the_overview_has_each_task_in_its_part(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let other = TestBoard::add(board.db.clone(), 2).await;
        let db = &board.db;
        task_in(&board, "busy", BoardPhase::Working, Some(501)).await;
        task_in(&board, "checked", BoardPhase::Review, Some(502)).await;
        task_in(&board, "idle", BoardPhase::Review, None).await;
        task_in(&board, "removed", BoardPhase::Done, Some(503)).await;
        for title in ["first", "second", "third"] {
            task_in(&board, title, BoardPhase::Ready, None).await;
        }
        task_in(&other, "foreign", BoardPhase::Ready, None).await;
        task_in(&board, "later", BoardPhase::Backlog, None).await;
        let parked = board.task("parked", |task| task.phase = BoardPhase::Working).await;
        commit!(board.db, (parked), |tx| needs_person::put(tx, &parked, "parked", at(5)));
        let landed = |title: &'static str, millis| board.task(title, move |task| {
            (task.phase, task.standing) = (BoardPhase::Done, TaskStanding::Succeeded);
            task.updated_at = at(90);
            let record = LandingRecord { commit: None, target: "main".to_owned(), at: at(millis) };
            task.post_landing.landed = Some(record);
        });
        landed("yesterday", 10).await;
        landed("today", 80).await;

        let working = overview::working(db, None, 1).await.unwrap();
        assert_eq!(working.count, 2);
        assert_eq!(working.rows.len(), 1);
        let queued = overview::queued(db, None, 2).await.unwrap();
        assert_eq!((queued.count, queued.rows.len()), (4, 2));
        let landed = overview::landed(db, None, at(50), 5).await.unwrap();
        assert_eq!(titles(&landed), (1, vec!["today"]));
        assert_eq!(landed.rows[0].since, at(80));
        assert_eq!(overview::count_needs_person(db, None).await.unwrap(), 1);
        assert_eq!(overview::count_backlog(db, None).await.unwrap(), 1);

        let user = UserRow {
            id: UserId::new(id(70)),
            name: "mia".to_owned(),
            password_hash: None,
            role: AccountRole::Member,
            created_at: at(1),
            removed_at: None,
        };
        commit!(board.db, (user), |tx| users::insert(tx, &user));
        let (theirs, mia) = (other.project, user.id);
        commit!(board.db, (), |tx| members::add(tx, theirs, mia, 0, at(1)));
        let member = Some(mia);
        assert_eq!(titles(&overview::queued(db, member, 5).await.unwrap()), (1, vec!["foreign"]));
        assert_eq!(titles(&overview::working(db, member, 5).await.unwrap()), (0, Vec::new()));
        assert_eq!(overview::landed(db, member, at(0), 5).await.unwrap().count, 0);
        assert_eq!(overview::count_needs_person(db, member).await.unwrap(), 0);
        assert_eq!(overview::count_backlog(db, member).await.unwrap(), 0);
    }
}
