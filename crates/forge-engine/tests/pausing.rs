//! Pausing is stored, not only answered (T-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{Assignee, Refusal, TaskCommand};
use forge_engine::{EngineError, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;

#[tokio::test]
async fn t_4_pausing_and_resuming_agents_and_projects_is_stored() {
    let world = EngineFixture::new().await;
    let engine = world.engine();
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let agent = world.agent("coder", "true").await.unwrap();
    let asked = TaskSpec { title: "Wait".to_owned(), ..TaskSpec::default() };
    let task = world.task(project, asked).await.unwrap();
    let claim = || TaskCommand::Claim { claimer: Assignee::Agent { id: agent } };
    for (pause, version) in [(true, 2), (false, 3)] {
        let answered = engine
            .projects()
            .pause_project(EngineFixture::acting_user(), project, pause)
            .await
            .unwrap();
        let stored = engine.records().project(project).await.unwrap();
        assert_eq!(answered, stored);
        assert_eq!((stored.paused_at.is_some(), stored.version), (pause, version));
        if pause {
            let refused =
                engine.commands().handle(EngineFixture::acting_user(), task, claim()).await;
            assert!(matches!(refused, Err(EngineError::Refused(Refusal::ProjectPaused))));
        }
    }
    for (pause, version) in [(true, 2), (false, 3)] {
        let answered =
            engine.agents().pause_agent(EngineFixture::acting_user(), agent, pause).await.unwrap();
        let stored = engine.records().agent(agent).await.unwrap();
        assert_eq!(answered, stored);
        assert_eq!((stored.paused, stored.version), (pause, version));
        if pause {
            let refused =
                engine.commands().handle(EngineFixture::acting_user(), task, claim()).await;
            assert!(matches!(refused, Err(EngineError::Refused(Refusal::AgentPaused))));
        }
    }
}
