//! Many claimers compete for the same tasks (T-3): each task is claimed exactly once, on both databases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{Actor, Assignee, Refusal, TaskCommand, TaskId, UserId};
use forge_engine::{EngineError, TaskSpec};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinSet;
use uuid::Uuid;

const TASKS: usize = 1000;
const CLAIMERS: usize = 64;
/// Number of parallel creators: a thousand would wait for connections longer than a request may.
const MAKERS: usize = 8;
/// How many tasks each claimer tries: eight claimers compete for every task.
const REACH: usize = TASKS * 8 / CLAIMERS;

forge_testkit::both_databases! {
    async fn t_3_sixty_four_claimers_on_a_thousand_tasks_claim_each_exactly_once(database: Arc<TestDatabase>) {
        let world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
        let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
        let mut making = JoinSet::new();
        for maker in 0..MAKERS {
            let engine = world.engine().clone();
            making.spawn(async move {
                let mut made = Vec::new();
                for number in (maker..TASKS).step_by(MAKERS) {
                    let asked = TaskSpec { title: format!("Task {number}"), ..TaskSpec::default() };
                    made.push(engine.commands().create_task(EngineFixture::acting_user(), project, asked).await.unwrap().id);
                }
                made
            });
        }
        let tasks: Vec<TaskId> = making.join_all().await.into_iter().flatten().collect();
        let tasks = Arc::new(tasks);

        let mut claimers = JoinSet::new();
        for claimer in 0..CLAIMERS {
            let (engine, tasks) = (world.engine().clone(), tasks.clone());
            claimers.spawn(async move {
                let id = UserId::new(Uuid::from_u128(1000 + claimer as u128));
                let mut won = Vec::new();
                for offset in 0..REACH {
                    let task = tasks[(offset + claimer * TASKS / CLAIMERS) % TASKS];
                    let command = TaskCommand::Claim { claimer: Assignee::User { id } };
                    match engine.commands().handle(Actor::User { id }, task, command).await {
                        Ok(_) => won.push((task, id)),
                        Err(EngineError::Refused(Refusal::AlreadyClaimed)) => {}
                        Err(error) => panic!("a claim failed otherwise: {error}"),
                    }
                }
                won
            });
        }
        let mut winners = BTreeMap::new();
        for (task, winner) in claimers.join_all().await.into_iter().flatten() {
            assert!(winners.insert(task, winner).is_none(), "{task} was claimed twice");
        }
        assert_eq!(winners.len(), TASKS, "every task was claimed");
        for task in tasks.iter() {
            let executions = tables::executions::list_of_task(world.engine().db(), *task).await.unwrap();
            assert_eq!(executions.len(), 1);
            assert_eq!(executions[0].user_id, Some(winners[task]));
        }
    }
}
