//! Claim, transition, one page of a list and the overview of all projects, on a small and on a large board, on both engines.

use forge_domain::project::ProjectSettings;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::template;
use forge_domain::{Actor, Assignee, TaskCommand, TaskId, UserId, WorkspaceType};
use forge_engine::{AgentSpec, LocalRepoSpec, ProjectSpec, TaskSpec};
use forge_store::tables::PageRequest;
use forge_store::tables::tasks::{self, TaskFilter, TaskSortKey};
use forge_testkit::database::TestDatabaseEngine as Database;
use forge_testkit::test_repository::TestRepository;
use serde_json::json;
use uuid::Uuid;

use crate::bench_board::BenchBoard;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis};
use crate::raw_inserts::DESCRIPTION;
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;
use crate::task_seed::fill;

const MOST_RATIO: f64 = 2.0;
const PAGE: u32 = 50;
const WARM_UPS: usize = 5;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
const OVERVIEW_TASKS: u32 = 5;

/// A board with its tasks, and the measurements on it.
struct FilledBoard {
    board: BenchBoard,
    model: TaskSnapshot,
    agent: Assignee,
    /// Tasks that no measurement has changed yet.
    fresh: std::vec::IntoIter<TaskId>,
    claim: DurationSample,
    transition: DurationSample,
    list: DurationSample,
    overview: DurationSample,
}

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    for (name, kind) in [("SQLite", Database::Sqlite), ("PostgreSQL", Database::Postgres)] {
        report
            .heading(&format!("{} against {} tasks, {name}", scope.large_board, scope.small_board));
        let mut few = FilledBoard::make(kind, scope.small_board).await?;
        let mut many = FilledBoard::make(kind, scope.large_board).await?;
        for round in 0..WARM_UPS + scope.commands {
            // Alternating, so that a slow minute of the machine affects both.
            for filled in [&mut few, &mut many] {
                filled.measure(round >= WARM_UPS).await?;
            }
        }
        let pairs = [
            ("claim", &few.claim, &many.claim),
            ("transition", &few.transition, &many.transition),
            ("list of 50", &few.list, &many.list),
            ("overview of all projects", &few.overview, &many.overview),
        ];
        for (what, few, many) in pairs {
            let (few, many) = (millis(few.median()), millis(many.median()));
            report.add(ReportFigure::new(format!("{what}, median on the small board"), few, "ms"));
            report.add(ReportFigure::new(format!("{what}, median on the large board"), many, "ms"));
            let ratio = ReportFigure::new(format!("{what}, large ÷ small"), many / few, "x");
            report.add(ratio.target(FigureTarget::AtMost(MOST_RATIO)));
        }
        few.board.close().await;
        many.board.close().await;
    }
    Ok(())
}

impl FilledBoard {
    async fn make(kind: Database, tasks: usize) -> Result<Self, BenchError> {
        let board = BenchBoard::open(kind).await?;
        let engine = board.engine();
        let asked = ProjectSpec {
            name: "Scale".to_owned(),
            workspace_type: WorkspaceType::GitWorktree,
            workflow: template("default").ok_or("the default workflow ships with Forge")?,
            settings: ProjectSettings::default(),
        };
        let project = engine.projects().create_project(acting_user(), asked).await?.id;
        let repository = TestRepository::create(&board.directory().join("repo")).await;
        let asked = LocalRepoSpec { path: repository.path().to_owned(), name: None };
        engine.repos().add_repo(acting_user(), project, asked).await?;
        let asked = AgentSpec {
            name: "agent".to_owned(),
            executor: json!({ "kind": "shell", "command": ["true"] }),
            roles: Vec::new(),
            max_concurrent: 1000,
            ephemeral: false,
            fallback: None,
        };
        let agent =
            Assignee::Agent { id: engine.agents().create_agent(acting_user(), asked).await?.id };
        let asked = TaskSpec {
            title: "The first".to_owned(),
            description: DESCRIPTION.to_owned(),
            ..TaskSpec::default()
        };
        let model = engine.commands().create_task(acting_user(), project, asked).await?;
        let fresh = fill(engine, &model, tasks).await?;
        // Taken from all over the board, and as many on a large one as on a small one.
        let step = (fresh.len() / tasks.min(99)).max(1);
        let fresh: Vec<_> = fresh.into_iter().step_by(step).collect();
        Ok(Self {
            board,
            model,
            agent,
            fresh: fresh.into_iter(),
            claim: DurationSample::default(),
            transition: DurationSample::default(),
            list: DurationSample::default(),
            overview: DurationSample::default(),
        })
    }

    async fn measure(&mut self, counts: bool) -> Result<(), BenchError> {
        let engine = self.board.engine();
        let next = "the board has no fresh task left";
        let (claimed, moved) = (self.fresh.next().ok_or(next)?, self.fresh.next().ok_or(next)?);
        let workflow = engine.records().workflow(&self.model.workflow).await?;
        let pool = workflow.claim_queue().ok_or("the default workflow has a pool")?;

        let command = TaskCommand::Claim { claimer: self.agent };
        let watch = BenchStopwatch::start();
        engine.commands().handle(acting_user(), claimed, command).await?;
        let claim = watch.elapsed();

        let to = pool.name().clone();
        let command = TaskCommand::Move { to, version: Some(self.model.version), reason: None };
        let watch = BenchStopwatch::start();
        engine.commands().handle(acting_user(), moved, command).await?;
        let transition = watch.elapsed();

        let mut filter = TaskFilter::new(self.model.project_id);
        (filter.sort, filter.descending) = (TaskSortKey::Updated, true);
        let watch = BenchStopwatch::start();
        let (page, _) = tasks::list(engine.db(), &filter, &PageRequest::first(PAGE)).await?;
        let list = watch.elapsed();
        if page.len() != PAGE as usize {
            return Err(format!("a page has {} tasks", page.len()).into());
        }
        let watch = BenchStopwatch::start();
        let overview = engine.work_overview();
        overview.load_overview(&acting_user(), None, DAY_MILLIS, OVERVIEW_TASKS).await?;
        let overview = watch.elapsed();
        if counts {
            self.overview.add(overview);
            self.claim.add(claim);
            self.transition.add(transition);
            self.list.add(list);
        }
        Ok(())
    }
}

fn acting_user() -> Actor {
    Actor::User { id: UserId::new(Uuid::from_u128(7)) }
}
