//! A graceful stop of the server (E-13).

use crate::place::RestartFixture;
use forge_api::ExecutionOutcome;
use nix::sys::signal::Signal;

/// The server's log line once its readiness says that it stops.
const STOPS: &str = "server is stopping";

#[tokio::test]
async fn e_13_a_stop_leaves_running_agents_for_the_next_start() {
    let mut place = RestartFixture::new();
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let server = place.serve(&[]);
        if signal == Signal::SIGTERM {
            server.create_board(&place, 1).await;
            place.await_ups(1).await;
        }
        let project =
            server.client.projects().fetch_page(&Default::default()).await.unwrap().items[0].id;
        let tasks =
            server.client.tasks().fetch_page(project, &Default::default()).await.unwrap().items;
        server.await_running(project, &[tasks[0].id]).await;
        server.signal(signal);
        assert_eq!(server.wait_for_exit().await.code(), Some(0));
        assert!(!place.survivors().is_empty(), "the agent goes on");
        let said = place.server_errors();
        assert!(said.contains("1 agent goes on without the server"), "{said}");
    }
    let server = place.serve(&[]);
    let report = server.client.system().fetch_recovery().await.expect("the report");
    assert_eq!(report.executions_adopted, 1, "{report:?}");
    let project =
        server.client.projects().fetch_page(&Default::default()).await.unwrap().items[0].id;
    let tasks = server.client.tasks().fetch_page(project, &Default::default()).await.unwrap().items;
    place.open_gate(1);
    server.await_landed(project, &[tasks[0].id]).await;
    let runs = server.executions(tasks[0].id).await;
    assert_eq!(runs.len(), 1, "one run over three servers");
    assert_eq!(runs[0].outcome, Some(ExecutionOutcome::Succeeded));
    server.kill();
    assert_eq!(place.survivors(), Vec::<String>::new());
}

#[tokio::test]
async fn e_13_a_stop_that_ends_agents_lets_them_finish_first_and_reports_it() {
    let mut place = RestartFixture::new();
    // Longer than any test: the test waits for the agent.
    let settings = ["--executions-on-restart", "end", "--shutdown-grace-seconds", "3600"];
    let (server, log) = place.serve_with_log(&settings);
    let (project, tasks) = server.create_board(&place, 1).await;
    place.await_ups(1).await;
    server.await_running(project, &tasks).await;
    server.signal(Signal::SIGTERM);
    let (stops, _log) = log.wait_for(STOPS).await;
    assert!(stops, "{}", place.server_errors());
    let answer = server.readiness();
    assert!(answer.contains("stopping"), "{answer}");
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("1 agent may finish within 3600 s"), "{answer}");
    place.open_gate(1);
    assert_eq!(server.wait_for_exit().await.code(), Some(0));

    let server = place.serve(&settings);
    server.await_landed(project, &tasks).await;
    let runs = server.executions(tasks[0]).await;
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].outcome, Some(ExecutionOutcome::Succeeded));
    server.kill();
}

#[tokio::test]
async fn e_13_a_stop_ends_agents_after_the_grace_and_keeps_their_work() {
    let mut place = RestartFixture::new();
    let settings = ["--executions-on-restart", "end", "--shutdown-grace-seconds", "1"];
    let server = place.serve(&settings);
    let (project, tasks) = server.create_board(&place, 1).await;
    place.await_ups(1).await;
    server.await_running(project, &tasks).await;
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert_eq!(place.survivors(), Vec::<String>::new());

    let server = place.serve(&settings);
    let report = server.client.system().fetch_recovery().await.expect("the report");
    assert_eq!(report.executions_ended + report.executions_lost, 0, "all was put on record");
    place.await_ups(1).await;
    place.open_gate(1);
    server.await_landed(project, &tasks).await;
    let mut runs = server.executions(tasks[0]).await;
    runs.sort_by_key(|run| run.id);
    let outcomes: Vec<_> = runs.iter().map(|run| run.outcome).collect();
    assert_eq!(outcomes, [ExecutionOutcome::Lost, ExecutionOutcome::Succeeded].map(Some));
    server.kill();
}

#[tokio::test]
async fn e_13_a_second_signal_ends_at_once() {
    let mut place = RestartFixture::new();
    let settings = ["--executions-on-restart", "end", "--shutdown-grace-seconds", "3600"];
    let (server, log) = place.serve_with_log(&settings);
    let (project, tasks) = server.create_board(&place, 1).await;
    place.await_ups(1).await;
    server.await_running(project, &tasks).await;
    server.signal(Signal::SIGTERM);
    let (stops, _log) = log.wait_for(STOPS).await;
    assert!(stops, "{}", place.server_errors());
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait_for_exit().await.code(), Some(130));
}
