//! A day of unattended work (issue 13): twelve tasks, four agents on overlapping files, checks, a reviewer that rejects
//! three tasks once, and the shipped autopilot with a train. Every task lands, or waits for a person and says why; main
//! is green at every commit.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::workflow::{RoleName, StateName};
use forge_domain::{AgentId, Assignee, TaskCommand, TaskId};
use forge_engine::{AgentSpec, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;
use serde_json::json;

const TASKS: usize = 12;
/// Adds a line to a file that other tasks change too, and a name that must be unique. Resolves conflicts by keeping
/// both sides, and a taken name by choosing another, which shows only after the other task landed.
const CODER: &str = r#"
eval "$(sed -n 's/^RUN: //p' "$FORGE_PROMPT_FILE")"
for file in area-*.txt; do
    if grep -q '^<<<<<<<' "$file"; then
        sed '/^<<<<<<</d; /^|||||||/d; /^=======/d; /^>>>>>>>/d' "$file" > merged.tmp
        cat merged.tmp > "$file"; rm merged.tmp
    fi
done
grep -q "^task $N\$" "area-$AREA.txt" || echo "task $N" >> "area-$AREA.txt"
mkdir -p names
[ -e "names/$N.txt" ] || echo "$NAME" > "names/$N.txt"
for other in names/*; do
    if [ "$other" != "names/$N.txt" ] && cmp -s "$other" "names/$N.txt"; then
        echo "$NAME-$N" > "names/$N.txt"
    fi
done
"#;
const REVIEWER: &str = r#"
eval "$(sed -n 's/^RUN: //p' "$FORGE_PROMPT_FILE")"
case "$N" in
2|5|9) [ -e "$HOME/failed-$N" ] || { touch "$HOME/failed-$N"; echo '{"verdict": "fail", "feedback": "look again"}'; exit; } ;;
esac
echo '{"verdict": "pass"}'
"#;
const CHECK: &str = "! grep -q '^<<<<<<<\\|^>>>>>>>' area-*.txt && \
                     test -z \"$(cat names/* 2>/dev/null | sort | uniq -d)\"";

async fn agent(world: &EngineFixture, name: &str, role: &str, script: &str, hands: i64) -> AgentId {
    let asked = AgentSpec {
        name: name.to_owned(),
        executor: json!({ "kind": "shell", "command": ["sh", "-ec", script] }),
        roles: vec![role.to_owned()],
        max_concurrent: hands,
        ephemeral: false,
        fallback: None,
    };
    world.engine().agents().create_agent(EngineFixture::acting_user(), asked).await.unwrap().id
}

/// Whether a task waits for a decision of a person, and says which.
fn asks_a_person(task: &TaskSnapshot) -> bool {
    let Some(found) = &task.annotation else { return false };
    let kinds = [
        AnnotationType::MergeConflict,
        AnnotationType::MergeChecksFailed,
        AnnotationType::GateExhausted,
    ];
    kinds.contains(&found.kind) && found.message.contains("decide")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn issue_13_a_day_of_unattended_work_lands_everything_or_asks_a_person() {
    let world = EngineFixture::new().await;
    for area in 0..3 {
        world.repository.write(&format!("area-{area}.txt"), "start\n");
    }
    world.repository.commit("areas").await;
    let settings = json!({
        "merge": { "train": true },
        "dispatch": { "enabled": true },
        "default_review_config": { "ci_steps": [CHECK] },
    });
    let project = world.project_with("Board", EngineFixture::workflow("autopilot"), settings);
    let project = project.await.unwrap();
    for number in 1..=4 {
        agent(&world, &format!("coder-{number}"), "coder", CODER, 1).await;
    }
    let reviewer = agent(&world, "reviewer", "reviewer", REVIEWER, 10).await;
    let mut tasks: Vec<TaskId> = Vec::new();
    for number in 1..=TASKS {
        // Three tasks want every fourth name.
        let name = if number % 4 == 0 { "common".to_owned() } else { format!("name-{number}") };
        let description = format!("RUN: N={number} AREA={} NAME={name}", number % 3);
        let reviewer = (RoleName::new("reviewer"), Assignee::Agent { id: reviewer });
        let roles = [reviewer].into_iter().collect();
        let title = format!("task {number}");
        let asked = TaskSpec { title, description, roles, ..TaskSpec::default() };
        let task = world
            .engine()
            .commands()
            .create_task(EngineFixture::acting_user(), project, asked)
            .await
            .unwrap();
        let to = StateName::new("todo");
        let queue = TaskCommand::Move { to, version: Some(task.version), reason: None };
        world
            .engine()
            .commands()
            .handle(EngineFixture::acting_user(), task.id, queue)
            .await
            .unwrap();
        tasks.push(task.id);
    }
    // From here on only dispatch runs, whenever an agent is free.
    while world.engine().dispatch().assign_tasks().await.unwrap() > 0 {
        world.settle().await.unwrap();
    }

    let mut landed = 0;
    for task in &tasks {
        let task = world.load_task(*task).await;
        let is_in = task.state.as_str() == "done";
        landed += usize::from(is_in);
        assert!(
            is_in || asks_a_person(&task),
            "{}: {} {:?}",
            task.title,
            task.state,
            task.annotation
        );
    }
    assert!(landed >= 9, "most of it lands without a person: {landed}");
    for failed in [2, 5, 9] {
        assert!(world.home().join(format!("failed-{failed}")).exists(), "{failed} was failed once");
    }
    let repository = &world.repository;
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "", "the checkout has followed");
    let commits = repository.git(&["rev-list", "main"]).await;
    assert_eq!(commits.lines().count(), landed + 2, "each landed once");
    repository.git(&["worktree", "add", "--quiet", "--detach", "../green", "main"]).await;
    let green = forge_testkit::test_repository::TestRepository::open(&world.home().join("green"));
    for commit in commits.lines() {
        green.git(&["checkout", "--quiet", commit]).await;
        let check = forge_proc::ProgramInvocation::new("/bin/sh", world.home().join("green"))
            .args(["-c", CHECK])
            .env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let limits = forge_proc::CaptureLimits {
            stdout: 1 << 16,
            stderr: 1 << 16,
            deadline: std::time::Duration::from_secs(60),
        };
        let ran = forge_proc::capture(check, limits).await.unwrap();
        assert!(ran.exit.is_success(), "main is red at {commit}");
    }
}
