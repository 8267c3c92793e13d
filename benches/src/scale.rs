//! Claim, transition and one page of a list, on a small and on a large board, on both engines.

use forge_domain::task::Snapshot;
use forge_domain::workflow::template;
use forge_domain::{Actor, Assignee, Command, TaskId, UserId};
use forge_engine::{NewAgent, NewProject, NewRepo, NewTask};
use forge_store::tables::Page;
use forge_store::tables::tasks::{self, TaskFilter, TaskSort};
use forge_testkit::database::Engine as Database;
use forge_testkit::repository::Repository;
use serde_json::json;
use uuid::Uuid;

use crate::bench_error::BenchError;
use crate::board::Board;
use crate::figure::{Aim, Figure};
use crate::raw::DESCRIPTION;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::seed::fill;
use crate::stopwatch::Stopwatch;

const MOST_RATIO: f64 = 2.0;
const PAGE: u32 = 50;
const WARM_UPS: usize = 5;

/// A board with its tasks, and what was measured on it.
struct Filled {
    board: Board,
    model: Snapshot,
    agent: Assignee,
    /// Not touched yet.
    fresh: std::vec::IntoIter<TaskId>,
    claim: Sample,
    transition: Sample,
    list: Sample,
}

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    for (name, kind) in [("SQLite", Database::Sqlite), ("PostgreSQL", Database::Postgres)] {
        report.heading(&format!("{} against {} tasks, {name}", scope.many, scope.few));
        let mut few = Filled::make(kind, scope.few).await?;
        let mut many = Filled::make(kind, scope.many).await?;
        for round in 0..WARM_UPS + scope.commands {
            // In turns, so that a slow minute of the machine hits both.
            for filled in [&mut few, &mut many] {
                filled.measure(round >= WARM_UPS).await?;
            }
        }
        let pairs = [
            ("claim", &few.claim, &many.claim),
            ("transition", &few.transition, &many.transition),
            ("list of 50", &few.list, &many.list),
        ];
        for (what, few, many) in pairs {
            let (few, many) = (millis(few.median()), millis(many.median()));
            report.add(Figure::new(format!("{what}, median on the small board"), few, "ms"));
            report.add(Figure::new(format!("{what}, median on the large board"), many, "ms"));
            let ratio = Figure::new(format!("{what}, large ÷ small"), many / few, "x");
            report.add(ratio.aim(Aim::AtMost(MOST_RATIO)));
        }
        few.board.close().await;
        many.board.close().await;
    }
    Ok(())
}

impl Filled {
    async fn make(kind: Database, tasks: usize) -> Result<Self, BenchError> {
        let board = Board::open(kind).await?;
        let engine = board.engine();
        let asked = NewProject {
            name: "Scale".to_owned(),
            workspace_type: "git_worktree".to_owned(),
            workflow: template("default").ok_or("the default workflow ships with Forge")?,
            settings: json!({}),
        };
        let project = engine.create_project(person(), asked).await?.id;
        let repository = Repository::create(&board.directory().join("repo")).await;
        let asked = NewRepo { path: repository.path().to_owned(), name: None };
        engine.add_repo(person(), project, asked).await?;
        let asked = NewAgent {
            name: "agent".to_owned(),
            executor: json!({ "kind": "shell", "command": ["true"] }),
            roles: Vec::new(),
            max_concurrent: 1000,
            ephemeral: false,
            fallback: None,
        };
        let agent = Assignee::Agent { id: engine.create_agent(person(), asked).await?.id };
        let asked = NewTask {
            title: "The first".to_owned(),
            description: DESCRIPTION.to_owned(),
            ..NewTask::default()
        };
        let model = engine.create_task(person(), project, asked).await?;
        let fresh = fill(engine, &model, tasks).await?;
        // From all over the board, and as many on a large one as on a small one.
        let step = (fresh.len() / tasks.min(99)).max(1);
        let fresh: Vec<_> = fresh.into_iter().step_by(step).collect();
        Ok(Self {
            board,
            model,
            agent,
            fresh: fresh.into_iter(),
            claim: Sample::default(),
            transition: Sample::default(),
            list: Sample::default(),
        })
    }

    async fn measure(&mut self, counts: bool) -> Result<(), BenchError> {
        let engine = self.board.engine();
        let next = "the board has no fresh task left";
        let (claimed, moved) = (self.fresh.next().ok_or(next)?, self.fresh.next().ok_or(next)?);
        let workflow = engine.workflow(&self.model.workflow).await?;
        let pool = workflow.pool().ok_or("the default workflow has a pool")?;

        let command = Command::Claim { claimer: self.agent };
        let watch = Stopwatch::start();
        engine.handle(person(), claimed, command).await?;
        let claim = watch.elapsed();

        let to = pool.name().clone();
        let command = Command::Move { to, version: self.model.version, reason: None };
        let watch = Stopwatch::start();
        engine.handle(person(), moved, command).await?;
        let transition = watch.elapsed();

        let mut filter = TaskFilter::new(self.model.project_id);
        (filter.sort, filter.descending) = (TaskSort::Updated, true);
        let watch = Stopwatch::start();
        let (page, _) = tasks::list(engine.db(), &filter, &Page::first(PAGE)).await?;
        let list = watch.elapsed();
        if page.len() != PAGE as usize {
            return Err(format!("a page has {} tasks", page.len()).into());
        }
        if counts {
            self.claim.add(claim);
            self.transition.add(transition);
            self.list.add(list);
        }
        Ok(())
    }
}

fn person() -> Actor {
    Actor::User { id: UserId::new(Uuid::from_u128(7)) }
}
