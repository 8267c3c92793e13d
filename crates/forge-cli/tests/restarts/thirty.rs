//! `kill -9` of the server with thirty agents at work (E-12, P-1, P-4, P-5).

use crate::place::RestartFixture;
use forge_api::{ExecutionOutcome, PageQuery};

const AGENTS: usize = 30;

/// Assertions that hold under both policies once everything has ended.
fn nothing_is_lost_or_doubled(place: &RestartFixture, tasks: &[uuid::Uuid]) {
    assert!(!place.path().join("double").exists(), "two agents were in one worktree");
    for task in tasks {
        for half in ["half", "whole"] {
            let file = format!("main:{half}-{task}.txt");
            assert_eq!(place.git(&["show", &file]), half, "what each agent did has landed");
        }
    }
    place.git(&["fsck", "--no-dangling"]);
    assert_eq!(place.survivors(), Vec::<String>::new(), "no agent outlives its task");
}

#[tokio::test]
async fn e_12_thirty_agents_continue_after_a_kill() {
    let mut place = RestartFixture::new();
    let server = place.serve(&[]);
    let (project, tasks) = server.create_board(&place, AGENTS).await;
    place.await_ups(AGENTS).await;
    server.await_running(project, &tasks).await;
    server.kill();

    let server = place.serve(&[]);
    let report = server.client.system().fetch_recovery().await.expect("the report");
    let counts = (report.executions_adopted, report.executions_ended, report.executions_lost);
    assert_eq!(counts, (AGENTS as u64, 0, 0), "{report:?}");
    place.open_gate(AGENTS);
    server.await_landed(project, &tasks).await;
    for task in &tasks {
        let runs = server.executions(*task).await;
        let outcomes: Vec<_> = runs.iter().map(|run| (run.outcome, run.exit_code)).collect();
        assert_eq!(outcomes, [(Some(ExecutionOutcome::Succeeded), Some(0))]);
        let log = server
            .client
            .executions()
            .fetch_log(runs[0].id, &Default::default())
            .await
            .expect("a log");
        let log = serde_json::to_string(&log).unwrap();
        assert!(log.contains("before") && log.contains("after"), "{log}");
    }
    nothing_is_lost_or_doubled(&place, &tasks);
    server.kill();
}

#[tokio::test]
async fn e_12_thirty_agents_are_ended_and_restarted_after_a_kill() {
    const END: &[&str] = &["--executions-on-restart", "end"];
    let mut place = RestartFixture::new();
    let server = place.serve(END);
    let (project, tasks) = server.create_board(&place, AGENTS).await;
    place.await_ups(AGENTS).await;
    server.await_running(project, &tasks).await;
    server.kill();

    let server = place.serve(END);
    let report = server.client.system().fetch_recovery().await.expect("the report");
    let counts = (report.executions_adopted, report.executions_ended + report.executions_lost);
    assert_eq!(counts, (0, AGENTS as u64), "{report:?}");
    place.await_ups(AGENTS).await;
    place.open_gate(AGENTS);
    server.await_landed(project, &tasks).await;
    for task in &tasks {
        let mut runs = server.executions(*task).await;
        runs.sort_by_key(|run| run.id);
        let outcomes: Vec<_> = runs.iter().map(|run| run.outcome).collect();
        let expected = [ExecutionOutcome::Lost, ExecutionOutcome::Succeeded].map(Some);
        assert_eq!(outcomes, expected);
        let journal = server.client.journal().fetch_page(*task, &PageQuery::default()).await;
        assert!(!journal.expect("the journal").items.is_empty(), "the work is journalled");
    }
    nothing_is_lost_or_doubled(&place, &tasks);
    server.kill();
}
