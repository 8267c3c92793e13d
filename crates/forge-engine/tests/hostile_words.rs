//! Titles and descriptions become commit messages (M-6): their content stays plain text, apart from what Forge adds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{MergeConfig, MergeStrategy, TaskSnapshot};
use forge_domain::{TaskCommand, TaskPatch};
use forge_engine::TaskSpec;
use forge_testkit::engine_fixture::EngineFixture;

const SCISSORS: &str = "# ------------------------ >8 ------------------------";

async fn lands(
    world: &EngineFixture,
    title: &str,
    description: &str,
    script: &str,
) -> TaskSnapshot {
    let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
    let description = description.to_owned();
    let asked = TaskSpec { description, ..EngineFixture::task_request(title) };
    let agent: String = script.chars().filter(char::is_ascii_alphanumeric).collect();
    let task = world.claimed_task(project, asked, &agent, script).await;
    world.settle().await.unwrap();
    world.load_task(task).await
}

async fn trailers(world: &EngineFixture, commit: &str) -> Vec<String> {
    let format = "--format=%(trailers:only,unfold)";
    let said = world.repository.git(&["log", "-1", format, commit]).await;
    said.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[tokio::test]
async fn m_6_unusual_texts_land_unchanged_and_run_nothing() {
    let world = EngineFixture::new().await;
    let long = "word \u{1f980} ".repeat(110_000);
    let cases = [
        (
            "$(touch \"$HOME/sprung\") `id`; rm -rf \"$HOME\" && 'x",
            "\"; touch $HOME/sprung; '$(id)",
        ),
        ("--amend -F/etc/passwd", "-m x\n--no-verify"),
        ("# a title that git would drop", "# a line\n#another\n\n# end"),
        (
            "\u{1f980}\u{200d}\u{1f525} emoji \u{202e}and marks",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
        ),
        ("long", long.trim()),
        (
            "own trailers",
            "Body.\n\nForge-Task: 00000000-0000-0000-0000-000000000000\nSigned-off-by: Me <me@x>",
        ),
        ("a divider", "before\n---\nafter\n\nForge-Agent: nobody"),
        ("lines", "one\r\ntwo\n\n\n\nthree   \n\t"),
        ("scissors", &format!("Forge-Task: forged\n\n{SCISSORS}\nafter")),
        ("scissors first", SCISSORS),
        ("%s %H $Id$ {task_id}", "%(trailers) \\x00 \\n"),
    ];
    for (number, (title, description)) in cases.iter().enumerate() {
        let script = format!("echo {number} > file-{number}");
        let task = lands(&world, title, description, &script).await;
        assert_eq!(task.state.as_str(), "done", "{title}: {:?}", task.annotation);
        let message = world.repository.git(&["log", "-1", "--format=%B", "main"]).await;
        assert!(message.starts_with(&format!("{title} ({})\n\n", task.key())), "{title}");
        let kept = description.trim().replace(SCISSORS, &format!(" {SCISSORS}"));
        assert!(message.contains(kept.trim()), "{title}: {}", &message[..message.len().min(500)]);
        let trailers = trailers(&world, "main").await;
        let own: Vec<_> = trailers.iter().filter(|line| line.starts_with("Forge-Task: ")).collect();
        assert_eq!(own, [&format!("Forge-Task: {}", task.id)], "{title}: {trailers:?}");
        assert!(trailers.iter().all(|line| line.starts_with("Forge-")), "{title}: {trailers:?}");
        let branch = task.workspace.map(|workspace| workspace.branch).unwrap_or_default();
        assert!(branch.is_ascii(), "{branch}");
    }
    assert!(!world.home().join("sprung").exists());
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
}

/// The culprit of a conflict is the task that landed, whatever commit messages claim.
#[tokio::test]
async fn m_9_a_commit_message_cannot_blame_another_task() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let innocent = world
        .claimed_task(project, EngineFixture::task_request("innocent"), "one", "echo x > x")
        .await;
    let waits = EngineFixture::task_request("waits");
    let waits = world.claimed_task(project, waits, "two", "echo slow > numbers.txt").await;
    let description = format!("Forge-Task: {innocent}\n\n{SCISSORS}\n");
    let strategy = MergeStrategy::Rebase;
    let merge_config = MergeConfig { target_branch: None, strategy };
    let asked = TaskSpec { description, merge_config, ..EngineFixture::task_request("culprit") };
    let commits = format!(
        "git config user.name A; git config user.email a@b; echo s > numbers.txt; \
         printf 'own\\n\\nForge-Task: {innocent}\\n\\n{SCISSORS}\\n' > \"$HOME/words\"; \
         git commit -q -a --cleanup=verbatim -F \"$HOME/words\""
    );
    let culprit = world.claimed_task(project, asked, "three", &commits).await;
    world.settle().await.unwrap();
    for task in [innocent, culprit] {
        let landed = world.land_task(task).await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    }
    let trouble = world.land_task(waits).await.annotation.expect("it clashes");
    let key = world.load_task(culprit).await.key().to_string();
    assert_eq!(trouble.details["culprits"], serde_json::json!([key]), "{trouble:?}");
}

/// Git cannot store a zero byte in a message, nor PostgreSQL in a text.
#[tokio::test]
async fn t_1_a_zero_byte_is_refused_where_it_is_said() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let asked = TaskSpec { description: "a\0b".to_owned(), ..EngineFixture::task_request("Zero") };
    let refused =
        world.engine().commands().create_task(EngineFixture::acting_user(), project, asked).await;
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("description") && said.contains("zero byte"), "{said}");
    let asked = TaskSpec { description: "ab".to_owned(), ..EngineFixture::task_request("Zero") };
    let task = world
        .engine()
        .commands()
        .create_task(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap();
    let patch = TaskPatch { description: Some("a\0b".to_owned()), ..TaskPatch::default() };
    let refused = world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task.id, TaskCommand::Update(patch))
        .await;
    assert!(refused.unwrap_err().to_string().contains("zero byte"));
}
