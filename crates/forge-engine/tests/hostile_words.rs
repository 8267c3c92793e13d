//! Titles and descriptions become commit messages (M-6): whatever is in them is words, and what Forge adds can be told
//! from them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{MergeConfig, MergeStrategy, Snapshot};
use forge_domain::{Command, TaskPatch};
use forge_engine::NewTask;
use forge_testkit::world::World;

const SCISSORS: &str = "# ------------------------ >8 ------------------------";

async fn lands(world: &World, title: &str, description: &str, script: &str) -> Snapshot {
    let project = world.project("Board", World::workflow("no-review")).await.unwrap();
    let description = description.to_owned();
    let asked = NewTask { description, ..World::titled(title) };
    let agent: String = script.chars().filter(char::is_ascii_alphanumeric).collect();
    let task = world.claimed(project, asked, &agent, script).await;
    world.settle().await.unwrap();
    world.now(task).await
}

async fn trailers(world: &World, commit: &str) -> Vec<String> {
    let format = "--format=%(trailers:only,unfold)";
    let said = world.repository.git(&["log", "-1", format, commit]).await;
    said.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[tokio::test]
async fn m_6_words_of_every_sort_land_as_they_are_and_run_nothing() {
    let world = World::new().await;
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

/// Who is named as the other side of a conflict is who landed, whatever its words claim.
#[tokio::test]
async fn m_9_nobody_puts_the_blame_on_somebody_else_by_words() {
    let world = World::new().await;
    let project = world.board().await;
    let innocent = world.claimed(project, World::titled("innocent"), "one", "echo x > x").await;
    let waits = World::titled("waits");
    let waits = world.claimed(project, waits, "two", "echo slow > numbers.txt").await;
    let description = format!("Forge-Task: {innocent}\n\n{SCISSORS}\n");
    let strategy = MergeStrategy::Rebase;
    let merge_config = MergeConfig { target_branch: None, strategy };
    let asked = NewTask { description, merge_config, ..World::titled("culprit") };
    let commits = format!(
        "git config user.name A; git config user.email a@b; echo s > numbers.txt; \
         printf 'own\\n\\nForge-Task: {innocent}\\n\\n{SCISSORS}\\n' > \"$HOME/words\"; \
         git commit -q -a --cleanup=verbatim -F \"$HOME/words\""
    );
    let culprit = world.claimed(project, asked, "three", &commits).await;
    world.settle().await.unwrap();
    for task in [innocent, culprit] {
        let landed = world.landed(task).await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    }
    let trouble = world.landed(waits).await.annotation.expect("it clashes");
    let key = world.now(culprit).await.key().to_string();
    assert_eq!(trouble.details["culprits"], serde_json::json!([key]), "{trouble:?}");
}

/// Git has no place for it in a message, and PostgreSQL none in a text.
#[tokio::test]
async fn t_1_a_zero_byte_is_refused_where_it_is_said() {
    let world = World::new().await;
    let project = world.board().await;
    let asked = NewTask { description: "a\0b".to_owned(), ..World::titled("Zero") };
    let refused = world.engine().create_task(World::person(), project, asked).await;
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("description") && said.contains("zero byte"), "{said}");
    let asked = NewTask { description: "ab".to_owned(), ..World::titled("Zero") };
    let task = world.engine().create_task(World::person(), project, asked).await.unwrap();
    let patch = TaskPatch { description: Some("a\0b".to_owned()), ..TaskPatch::default() };
    let refused = world.engine().handle(World::person(), task.id, Command::Update(patch)).await;
    assert!(refused.unwrap_err().to_string().contains("zero byte"));
}
