//! An execution that ends while the database is unreachable (E-12, P-4): its result is recorded when the database is
//! back.

use crate::place::{RestartFixture, ServerProcess};
use forge_api::ExecutionOutcome;
use forge_testkit::postgres::{self, InitialContents};

/// The server's log line when it cannot store the result of an effect.
const NOT_RECORDED: &str = "could not record an effect's result";

#[tokio::test]
async fn issue_13_04_an_execution_that_ends_without_a_database_is_not_repeated() {
    let (name, _) = postgres::create_database(InitialContents::Tables).await;
    let address = postgres::address_of(&name).await;
    let mut place = RestartFixture::new();
    let (server, log) = place.serve_on_with_log(&address);
    let (project, tasks) = server.create_board(&place, 1).await;
    place.await_ups(1).await;
    server.await_running(project, &tasks).await;

    postgres::refuse_connections(&name).await;
    place.open_gate(1);
    let (failed, _log) = log.wait_for(NOT_RECORDED).await;
    assert!(failed, "the run ended without a database: {}", place.server_errors());
    server.kill();
    postgres::accept_connections(&name).await;

    let server = place.serve_on(&address);
    server.await_landed(project, &tasks).await;
    assert_ran_once(&server, &tasks).await;
    server.kill();
    postgres::drop_database(&name).await;
}

/// The same without a restart: the server continues with the execution once its lease has expired.
#[tokio::test]
async fn issue_13_04_a_server_records_ended_executions_when_its_database_is_back() {
    let (name, _) = postgres::create_database(InitialContents::Tables).await;
    let address = postgres::address_of(&name).await;
    let mut place = RestartFixture::new();
    let (server, log) = place.serve_on_with_log(&address);
    let (project, tasks) = server.create_board(&place, 1).await;
    place.await_ups(1).await;
    server.await_running(project, &tasks).await;

    postgres::refuse_connections(&name).await;
    place.open_gate(1);
    let (failed, _log) = log.wait_for(NOT_RECORDED).await;
    assert!(failed, "the run ended without a database: {}", place.server_errors());
    postgres::accept_connections(&name).await;

    server.await_landed(project, &tasks).await;
    assert_ran_once(&server, &tasks).await;
    server.kill();
    postgres::drop_database(&name).await;
}

async fn assert_ran_once(server: &ServerProcess, tasks: &[uuid::Uuid]) {
    let runs = server.executions(tasks[0]).await;
    let outcomes: Vec<_> = runs.iter().map(|run| (run.outcome, run.exit_code)).collect();
    assert_eq!(outcomes, [(Some(ExecutionOutcome::Succeeded), Some(0))]);
}
