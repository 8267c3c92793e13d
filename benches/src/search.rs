//! Searching a board and reading a page of it, on a small and on a very large board, on both engines (D-4).

use forge_domain::project::ProjectSettings;
use forge_domain::workflow::template;
use forge_domain::{Actor, ProjectId, WorkspaceType};
use forge_engine::{ProjectSpec, TaskSpec};
use forge_store::stmt;
use forge_store::tables::PageRequest;
use forge_store::tables::tasks::{self, TaskFilter, TaskSortKey};
use forge_testkit::database::TestDatabaseEngine as Database;

use crate::bench_board::BenchBoard;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::bulk_tasks;
use crate::duration_sample::{DurationSample, millis};
use crate::raw_inserts::DESCRIPTION;
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;

const MOST_RATIO: f64 = 2.0;
const PAGE: u32 = 50;
const WARM_UPS: usize = 5;

/// The queries: name, text, order, and whether an index supports the order.
const QUERIES: [(&str, &str, TaskSortKey, bool); 11] = [
    ("page, newest first", "", TaskSortKey::Created, true),
    ("page, last changed first", "", TaskSortKey::Updated, true),
    ("word of every task", "requests", TaskSortKey::Created, true),
    ("one letter", "r", TaskSortKey::Created, true),
    ("word of one in 3", "dense", TaskSortKey::Created, true),
    ("word of one in 140", "middle", TaskSortKey::Created, true),
    ("word of few", "rare", TaskSortKey::Created, true),
    ("frequent and rare word", "requests rare", TaskSortKey::Created, true),
    ("word of none", "absent", TaskSortKey::Created, true),
    ("word of every task, last changed first", "requests", TaskSortKey::Updated, true),
    ("word of one in 140, last changed first", "middle", TaskSortKey::Updated, false),
];

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    for (name, kind) in [("SQLite", Database::Sqlite), ("PostgreSQL", Database::Postgres)] {
        report.heading(&format!(
            "Search, {} against {} tasks, {name}",
            scope.searched, scope.small_board
        ));
        let watch = BenchStopwatch::start();
        let (few, small) = fill_board(kind, scope.small_board).await?;
        let (many, large) = fill_board(kind, scope.searched).await?;
        report.add(ReportFigure::new("filling both boards", watch.elapsed().as_secs_f64(), "s"));
        report.add(ReportFigure::new(
            "database per task of the large board",
            size(&many).await? / scope.searched as f64,
            "B",
        ));
        for (what, text, sort, is_bounded) in QUERIES {
            let (mut on_few, mut on_many) = (DurationSample::default(), DurationSample::default());
            for round in 0..WARM_UPS + scope.commands {
                // Alternating, so that a slow minute of the machine affects both.
                for (board, project, sample) in
                    [(&few, small, &mut on_few), (&many, large, &mut on_many)]
                {
                    let taken = measure_query(board, project, text, sort).await?;
                    if round >= WARM_UPS {
                        sample.add(taken);
                    }
                }
            }
            let (few, many) = (millis(on_few.median()), millis(on_many.median()));
            report.add(ReportFigure::new(format!("{what}: small board"), few, "ms"));
            report.add(ReportFigure::new(format!("{what}: large board"), many, "ms"));
            let ratio = ReportFigure::new(format!("{what}: large ÷ small"), many / few, "x");
            let aim =
                if is_bounded { FigureTarget::AtMost(MOST_RATIO) } else { FigureTarget::None };
            report.add(ratio.target(aim));
        }
        few.close().await;
        many.close().await;
    }
    Ok(())
}

async fn measure_query(
    board: &BenchBoard,
    project: ProjectId,
    text: &str,
    sort: TaskSortKey,
) -> Result<std::time::Duration, BenchError> {
    let text = Some(text.to_owned());
    let filter = TaskFilter { sort, text, descending: true, ..TaskFilter::new(project) };
    let watch = BenchStopwatch::start();
    tasks::list(board.engine().db(), &filter, &PageRequest::first(PAGE)).await?;
    Ok(watch.elapsed())
}

async fn fill_board(kind: Database, tasks: usize) -> Result<(BenchBoard, ProjectId), BenchError> {
    let board = BenchBoard::open(kind).await?;
    let engine = board.engine();
    let actor = Actor::system("bench");
    let asked = ProjectSpec {
        name: "Search".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: template("default").ok_or("the default workflow ships with Forge")?,
        settings: ProjectSettings::default(),
    };
    let project = engine.projects().create_project(actor.clone(), asked).await?.id;
    let asked = TaskSpec {
        title: bulk_tasks::TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
        ..TaskSpec::default()
    };
    let model = engine.commands().create_task(actor, project, asked).await?;
    bulk_tasks::fill(engine, &model, tasks).await?;
    for (word, expected) in [("requests", PAGE as usize), ("dense", tasks / 3), ("rare", 1)] {
        let filter = TaskFilter { text: Some(word.to_owned()), ..TaskFilter::new(project) };
        let (found, _) =
            forge_store::tables::tasks::list(engine.db(), &filter, &PageRequest::first(PAGE))
                .await?;
        if found.len() < expected.min(PAGE as usize) {
            return Err(format!("`{word}` is found in {} tasks only", found.len()).into());
        }
    }
    Ok((board, project))
}

/// The size of the database in bytes.
async fn size(board: &BenchBoard) -> Result<f64, BenchError> {
    let db = board.engine().db();
    let text = match db.dialect() {
        forge_store::SqlDialect::Sqlite => {
            "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size"
        }
        forge_store::SqlDialect::Postgres => "SELECT pg_database_size(current_database()) AS bytes",
    };
    Ok(db.fetch_one(stmt(text)).await?.get::<i64>("bytes")? as f64)
}
