//! Replacing a workflow while its tasks are worked on (F-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{TaskActivity, TaskSnapshot, WorkspaceStatus};
use forge_domain::workflow::{StateName, TaskStanding, Workflow, WorkflowDefinition};
use forge_domain::{Actor, Assignee, ProjectId, Refusal, TaskCommand, TaskId, TaskPatch};
use forge_engine::{Engine, EngineError, TaskSpec, WorkflowSpec};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use nix::sys::stat::Mode;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const OTHER: &str = r#"
name = "other"
initial = "inbox"
fault = "stuck"
cancel = "dropped"

[[state]]
name = "inbox"
kind = "queue"
claimable = true
claim_target = "coding"

[[state]]
name = "coding"
kind = "work"
role = "coder"
done = "checking"

[[state]]
name = "checking"
kind = "gate"
pass = "landing"
reject = "coding"
max_attempts = 3
auto_advance = true

[[state]]
name = "landing"
kind = "merge"
merged = "in"

[[state]]
name = "stuck"
kind = "hold"
manual = ["inbox"]

[[state]]
name = "in"
kind = "terminal"
outcome = "success"

[[state]]
name = "dropped"
kind = "terminal"
outcome = "cancelled"
"#;

fn other() -> WorkflowDefinition {
    WorkflowDefinition::from_toml(OTHER).unwrap()
}

fn replacement(version: i64) -> WorkflowSpec {
    let mapping = [
        ("backlog", "inbox"),
        ("todo", "inbox"),
        ("in_progress", "coding"),
        ("review", "checking"),
        ("blocked", "stuck"),
    ];
    let mapping = mapping.map(|(old, new)| (StateName::new(old), StateName::new(new))).into();
    WorkflowSpec { version, definition: other(), mapping }
}

fn titled(title: &str) -> TaskSpec {
    TaskSpec { title: title.to_owned(), ..TaskSpec::default() }
}

/// The states of [`other`], and their names in [`renamed`].
const NAMES: [(&str, &str); 2] = [("inbox", "intake"), ("coding", "making")];

fn renamed() -> WorkflowDefinition {
    let text = NAMES.iter().fold(OTHER.to_owned(), |text, (old, new)| text.replace(old, new));
    WorkflowDefinition::from_toml(&text).unwrap()
}

/// From [`other`] to [`renamed`] at odd versions of the project, and back at even ones.
fn there_or_back(version: i64) -> WorkflowSpec {
    let there = version % 2 == 1;
    let mapping = NAMES
        .map(|(old, new)| if there { (old, new) } else { (new, old) })
        .map(|(from, to)| (StateName::new(from), StateName::new(to)))
        .into();
    WorkflowSpec { version, definition: if there { renamed() } else { other() }, mapping }
}

/// Creates tasks until stopped; returns false if it created `most` before that.
async fn make_tasks(
    engine: Engine,
    project: ProjectId,
    most: usize,
    stop: CancellationToken,
    (progress, fresh): (mpsc::UnboundedSender<()>, mpsc::Sender<TaskId>),
) -> Result<bool, EngineError> {
    for n in 0..most {
        if stop.is_cancelled() {
            return Ok(true);
        }
        let task = engine
            .commands()
            .create_task(EngineFixture::acting_user(), project, titled(&format!("{n}")))
            .await?;
        // After the last replacement nothing receives this, and the mover takes as many tasks as it can.
        let _ = progress.send(());
        let _ = fresh.try_send(task.id);
    }
    Ok(stop.is_cancelled())
}

/// Edits, claims and comments on each new task.
async fn move_tasks(engine: Engine, mut fresh: mpsc::Receiver<TaskId>) -> Result<(), EngineError> {
    let Actor::User { id } = EngineFixture::acting_user() else { panic!("a person is a user") };
    while let Some(task) = fresh.recv().await {
        let edit = TaskPatch { version: Some(1), priority: Some(1), ..TaskPatch::default() };
        let commands = [
            TaskCommand::Update(edit),
            TaskCommand::Claim { claimer: Assignee::User { id } },
            TaskCommand::Comment { body: "Mine now".to_owned(), parent: None },
        ];
        for command in commands {
            match engine.commands().handle(EngineFixture::acting_user(), task, command).await {
                Ok(_) | Err(EngineError::Refused(Refusal::VersionConflict { .. })) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

async fn all_tasks(engine: &Engine, project: ProjectId) -> Vec<TaskSnapshot> {
    let filter = tables::tasks::TaskFilter::new(project);
    let (mut tasks, mut page) = (Vec::new(), tables::PageRequest::first(100));
    loop {
        let (found, next) = tables::tasks::list(engine.db(), &filter, &page).await.unwrap();
        tasks.extend(found);
        let Some(cursor) = next else { return tasks };
        page.after = Some(cursor);
    }
}

#[tokio::test]
async fn f_5_a_task_that_is_worked_on_is_adopted_in_the_middle_and_lands() {
    let world = EngineFixture::new().await;
    let engine = world.engine().clone();
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let meeting = world.workspaces().with_file_name("meeting");
    nix::unistd::mkfifo(&meeting, Mode::S_IRWXU).unwrap();
    let script = format!("echo new > added.txt; read word < '{}'", meeting.display());
    let agent = world.agent("coder", &script).await.unwrap();
    let task = world.task(project, titled("Move house")).await.unwrap();
    let idle = world.task(project, titled("Waits")).await.unwrap();
    let gone = world.task(project, titled("Gone")).await.unwrap();
    engine
        .commands()
        .handle(EngineFixture::acting_user(), gone, TaskCommand::Cancel { reason: None })
        .await
        .unwrap();
    world.claim(task, agent).await.unwrap();
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (engine, stop) = (engine.clone(), stop.clone());
        async move { engine.run(stop).await }
    });
    let runs = |task: &forge_domain::task::TaskSnapshot| {
        matches!(task.activity, Some(TaskActivity::Running { .. }))
    };
    let before = engine.progress().wait_until(task, runs).await.unwrap();

    let replaced = engine
        .projects()
        .replace_workflow(EngineFixture::acting_user(), project, replacement(1))
        .await
        .unwrap();
    let hash = Workflow::compile(other()).unwrap().hash().clone();
    assert_eq!((replaced.version, &replaced.workflow), (2, &hash));
    assert_eq!(engine.records().project(project).await.unwrap(), replaced);
    let adopted = engine.records().task(task).await.unwrap();
    assert_eq!((adopted.state.as_str(), &adopted.workflow), ("coding", &hash));
    assert_eq!((adopted.run, adopted.visit), (before.run, before.visit), "its agent works on");
    let waiting = engine.records().task(idle).await.unwrap();
    assert_eq!((waiting.state.as_str(), waiting.claimable), ("inbox", true));
    let ended = engine.records().task(gone).await.unwrap();
    assert_eq!(ended.state.as_str(), "cancelled", "an ended task keeps what it ended in");
    assert_ne!(ended.workflow, hash);
    let late = world.task(project, titled("Late")).await.unwrap();
    assert_eq!(engine.records().task(late).await.unwrap().state.as_str(), "inbox");

    tokio::fs::write(&meeting, "go on\n").await.unwrap();
    let is_clean = |task: &forge_domain::task::TaskSnapshot| {
        task.workspace.as_ref().is_some_and(|found| found.status == WorkspaceStatus::Cleaned)
    };
    let landed = engine
        .progress()
        .wait_until(task, |task| is_clean(task) && !task.is_settling())
        .await
        .unwrap();
    assert_eq!((landed.state.as_str(), landed.standing), ("in", TaskStanding::Succeeded));
    stop.cancel();
    running.await.unwrap();
    let traces = world.end_state(project).await;
    assert_eq!(traces.landed, ["Move house (T-1)", "first"]);
    assert_eq!((traces.open_steps, traces.sound, traces.processes.len()), (0, true, 0));
    assert!(traces.tasks.values().all(|task| task.replays), "{traces:#?}");
    let page = tables::PageRequest::first(50);
    let (moves, _) = tables::transitions::list_of_task(engine.db(), task, &page).await.unwrap();
    let moves: Vec<_> = moves.iter().map(|found| found.to_state.as_str()).collect();
    let expected = ["todo", "planning", "in_progress", "coding", "checking", "landing", "in"];
    assert_eq!(moves, expected, "T-10: the change of names is on record");
}

#[tokio::test]
async fn f_5_the_same_workflow_again_changes_nothing_and_only_a_person_asks() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let before = world.engine().records().project(project).await.unwrap();
    let definition = EngineFixture::workflow("default");
    let same = || WorkflowSpec { version: 1, definition: definition.clone(), mapping: [].into() };
    let again = world
        .engine()
        .projects()
        .replace_workflow(EngineFixture::acting_user(), project, same())
        .await
        .unwrap();
    assert_eq!(again, before);
    let machine = Actor::system("tests");
    let refused = world.engine().projects().replace_workflow(machine, project, same()).await;
    assert!(matches!(refused, Err(EngineError::Refused(Refusal::PeopleOnly(_)))), "{refused:?}");
}

forge_testkit::both_databases! {
    /// F-5: with concurrent creation and moves no task is left in the old workflow.
    async fn f_5_no_task_is_left_behind_by_a_replacement_that_others_race(database: Arc<TestDatabase>) {
        let world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
        let engine = world.engine();
        let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
        let mut first = Vec::new();
        for n in 0..30 {
            first.push(world.task(project, titled(&format!("First {n}"))).await.unwrap());
        }
        let mut racing = JoinSet::new();
        for (n, task) in first.into_iter().enumerate() {
            let maker = engine.clone();
            racing.spawn(async move {
                let asked = titled(&format!("Second {n}"));
                maker.commands().create_task(EngineFixture::acting_user(), project, asked).await.map(drop)
            });
            let mover = engine.clone();
            racing.spawn(async move {
                let command = TaskCommand::Move { to: StateName::new("todo"), version: Some(1), reason: None };
                match mover.commands().handle(EngineFixture::acting_user(), task, command).await {
                    Ok(_) | Err(EngineError::Refused(Refusal::VersionConflict { .. })) => Ok(()),
                    Err(error) => Err(error),
                }
            });
        }
        let replaced = engine.projects().replace_workflow(EngineFixture::acting_user(), project, replacement(1)).await.unwrap();
        for ended in racing.join_all().await {
            ended.unwrap();
        }
        let filter = tables::tasks::TaskFilter::new(project);
        let (tasks, _) = tables::tasks::list(engine.db(), &filter, &tables::PageRequest::first(100)).await.unwrap();
        assert_eq!(tasks.len(), 60);
        for task in tasks {
            assert_eq!((&task.workflow, task.state.as_str()), (&replaced.workflow, "inbox"), "{}", task.title);
        }
    }

    /// F-5: a project in which tasks are created and changed all the time still gets its new workflow each time, and of
    /// two editors with the same version one is refused.
    async fn f_5_replacements_get_their_turn_on_a_board_that_never_rests(database: Arc<TestDatabase>) {
        const MAKERS: usize = 6;
        const MOST: usize = 150;
        const LAST: i64 = 6;
        let world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
        let engine = world.engine();
        let project = world.project("Board", other()).await.unwrap();
        let stop = CancellationToken::new();
        let (progress, mut made) = mpsc::unbounded_channel();
        let (mut makers, mut movers) = (JoinSet::new(), JoinSet::new());
        for _ in 0..MAKERS {
            let (fresh, taken) = mpsc::channel(1);
            let told = (progress.clone(), fresh);
            makers.spawn(make_tasks(engine.clone(), project, MOST, stop.clone(), told));
            movers.spawn(move_tasks(engine.clone(), taken));
        }
        drop(progress);
        for version in 1..=LAST {
            for _ in 0..2 * MAKERS {
                made.recv().await.expect("the makers are at work");
            }
            while made.try_recv().is_ok() {}
            let edit = || engine.projects().replace_workflow(EngineFixture::acting_user(), project, there_or_back(version));
            let outcomes: [_; 2] = tokio::join!(edit(), edit()).into();
            let won = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok());
            assert_eq!(won.map(|project| project.version).collect::<Vec<_>>(), [version + 1], "{outcomes:?}");
            let refused = |outcome: &_| matches!(outcome, Err(EngineError::Refused(Refusal::VersionConflict { .. })));
            assert!(outcomes.iter().any(refused), "{outcomes:?}");
        }
        stop.cancel();
        for ended in makers.join_all().await {
            assert!(ended.unwrap(), "a replacement had to wait until no more tasks were made");
        }
        for ended in movers.join_all().await {
            ended.unwrap();
        }
        let hash = Workflow::compile(other()).unwrap().hash().clone();
        assert_eq!(engine.records().project(project).await.unwrap().workflow, hash);
        let tasks = all_tasks(engine, project).await;
        assert!(tasks.iter().any(|task| task.run.is_some()), "some were claimed");
        for task in tasks {
            let state = if task.run.is_some() { "coding" } else { "inbox" };
            assert_eq!((&task.workflow, task.state.as_str()), (&hash, state), "{}", task.key());
        }
    }
}
