//! Tests of SQLite's query plans for statements that must stay fast as the tables grow (D-4).
#![allow(clippy::expect_used, clippy::panic)]

use forge_domain::workflow::{BoardPhase, StateName};
use forge_domain::{AgentId, ProjectId, TaskId, Timestamp, UserId};
use uuid::Uuid;

use crate::database_url::DatabaseUrl;
use crate::db::Db;
use crate::dialect::SqlDialect;
use crate::statement::SqlStatement;
use crate::tables::account::members;
use crate::tables::dispatch::needs_person;
use crate::tables::dispatch::needs_person::NeedsPersonFilter;
use crate::tables::dispatch::served_projects;
use crate::tables::dispatch::waiting_tasks;
use crate::tables::effect::effects;
use crate::tables::overview;
use crate::tables::page::PageRequest;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks;
use crate::tables::tasks::{HitQuery, HitReading, RowSelection, TaskFilter, TaskSortKey};

struct QueryPlans {
    db: Db,
    _directory: tempfile::TempDir,
}

impl QueryPlans {
    async fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let url = DatabaseUrl::sqlite(directory.path().join("forge.db"));
        Self { db: Db::open(&url).await.expect("it opens"), _directory: directory }
    }

    async fn of(&self, statement: SqlStatement) -> String {
        let rows = self.db.fetch_all(statement).await.expect("a plan");
        let steps: Vec<String> =
            rows.iter().map(|row| row.get("detail").expect("a step")).collect();
        steps.join("\n")
    }

    async fn of_list(&self, filter: &TaskFilter, page: &PageRequest) -> String {
        let start = filter.order().start(page).expect("a cursor of this list");
        let query =
            tasks::assemble(filter, start.as_deref(), page.fetch_limit(), RowSelection::Matching);
        self.of(query.expect("a query").into_explain()).await
    }
}

fn sorts() -> impl Iterator<Item = (TaskSortKey, bool)> {
    [TaskSortKey::Created, TaskSortKey::Updated, TaskSortKey::Priority]
        .into_iter()
        .flat_map(|sort| [(sort, false), (sort, true)])
}

fn pages(filter: &TaskFilter) -> [PageRequest; 2] {
    let order = filter.order();
    let after = match filter.sort {
        TaskSortKey::Created => order.after([7.into()]),
        TaskSortKey::Updated | TaskSortKey::Priority => order.after([7.into(), 7.into()]),
    };
    [PageRequest::first(50), PageRequest { limit: 50, after: Some(after) }]
}

/// D-4: a page of the board is read in the order of an index, without a sort.
#[tokio::test]
async fn d_4_a_page_of_tasks_is_read_in_the_order_of_an_index() {
    let plans = QueryPlans::new().await;
    for (sort, descending) in sorts() {
        let all = TaskFilter { sort, descending, ..TaskFilter::new(ProjectId::new(Uuid::nil())) };
        let in_state = TaskFilter { status: Some(StateName::new("anywhere")), ..all.clone() };
        let in_phase = TaskFilter { phase: Some(BoardPhase::Working), ..all.clone() };
        for filter in [all, in_state, in_phase] {
            for page in pages(&filter) {
                let plan = plans.of_list(&filter, &page).await;
                assert!(plan.contains("SEARCH tasks USING INDEX tasks_"), "{filter:?}\n{plan}");
                assert!(!plan.contains("SCAN"), "{filter:?}\n{plan}");
                assert!(!plan.contains("TEMP B-TREE"), "{filter:?}\n{plan}");
            }
        }
    }
}

/// D-4: the full-text index returns its hits in the order of the list, so that a limit ends the read. Each hit is one
/// task, found by its key, and so is each task with a label.
#[tokio::test]
async fn d_4_hits_are_read_in_the_order_of_the_list() {
    let plans = QueryPlans::new().await;
    for descending in [false, true] {
        let label = Some("bug".to_owned());
        let all = TaskFilter { descending, ..TaskFilter::new(ProjectId::new(Uuid::nil())) };
        for filter in [all.clone(), TaskFilter { label, phase: Some(BoardPhase::Working), ..all }] {
            let wanted = ["login".to_owned(), "form".to_owned()];
            let asked = HitQuery {
                wanted: &wanted,
                extent: String::new(),
                numbers: (3, 9),
                limit: 51,
                reading: HitReading::InOrder,
            };
            let query = tasks::assemble_hits(SqlDialect::Sqlite, &filter, None, &asked);
            let plan = plans.of(query.expect("a query").into_explain()).await;
            assert!(plan.contains("SCAN task_search VIRTUAL TABLE INDEX"), "{plan}");
            assert!(plan.contains("tasks USING INDEX tasks_number (project_id=? AND"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
            assert!(!plan.contains("SCAN tasks"), "{plan}");
            let query = tasks::assemble_labelled(&filter, None, 51).expect("a query");
            let plan = plans.of(query.into_explain()).await;
            assert!(plan.contains("SEARCH task_labels USING"), "{plan}");
            assert!(plan.contains("tasks USING INDEX sqlite_autoindex_tasks_1 (id=?)"), "{plan}");
        }
    }
}

/// D-4: no filter makes a list read the whole table, and archived tasks are merged in from their own part of the index.
#[tokio::test]
async fn d_4_no_filter_reads_all_tasks() {
    let plans = QueryPlans::new().await;
    for (sort, descending) in sorts() {
        let all = TaskFilter { sort, descending, ..TaskFilter::new(ProjectId::new(Uuid::nil())) };
        let filters = [
            TaskFilter { include_archived: true, ..all.clone() },
            TaskFilter { agent: Some(AgentId::new(Uuid::nil())), ..all.clone() },
            TaskFilter { parent: Some(TaskId::new(Uuid::nil())), ..all.clone() },
        ];
        for filter in filters {
            for page in pages(&filter) {
                let plan = plans.of_list(&filter, &page).await;
                assert!(!plan.contains("SCAN tasks"), "{filter:?}\n{plan}");
            }
        }
    }
}

/// D-4, M-1: due effects, and the first of each lane, are read from indexes of open effects.
#[tokio::test]
async fn d_4_tasks_are_counted_without_reading_them() {
    let plans = QueryPlans::new().await;
    for text in [tasks::BY_STATE, tasks::BY_PHASE] {
        let explained = QueryBuilder::new(text).into_explain().bind(ProjectId::new(Uuid::nil()));
        let plan = plans.of(explained).await;
        assert!(plan.contains("USING COVERING INDEX tasks_"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}

#[tokio::test]
async fn d_4_effects_are_found_without_reading_the_closed_ones() {
    let plans = QueryPlans::new().await;
    let explained = |text| QueryBuilder::new(text).into_explain();
    let due = explained(effects::DUE).bind(0_i64).bind(10_i64).bind("n").bind(0_i64);
    let next = explained(effects::NEXT_DUE_AT);
    let lease = explained(effects::LEASE).bind("e").bind("n").bind(0_i64).bind(0_i64);
    for statement in [due, next, lease] {
        let plan = plans.of(statement).await;
        assert!(plan.contains("INDEX effects_lane"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        assert!(!plan.contains("SCAN effects\n"), "{plan}");
    }
}

/// D-4, E-10: the next task to claim is read from an index of claimable tasks.
#[tokio::test]
async fn d_4_the_next_claimable_task_is_the_first_of_an_index() {
    let plans = QueryPlans::new().await;
    let claimable = QueryBuilder::new(tasks::CLAIMABLE).into_explain();
    let plan = plans.of(claimable.bind("p").bind(1_i64)).await;
    assert_eq!(plan, "SEARCH tasks USING INDEX tasks_claimable (project_id=?)");
}

/// D-4, E-10: a scheduling round reads indexes of waiting tasks and open executions; only candidates are read.
#[tokio::test]
async fn d_4_the_scheduler_reads_only_lane_heads() {
    let plans = QueryPlans::new().await;
    let explained = |text| QueryBuilder::new(text).into_explain();
    let heads = plans.of(explained(waiting_tasks::HEADS).bind(8_i64)).await;
    assert!(heads.contains("SEARCH head USING INDEX waiting_tasks_lane (lane=?)"), "{heads}");
    assert!(heads.contains("SEARCH following USING INDEX waiting_tasks_lane (lane>?)"), "{heads}");
    assert!(heads.contains("SEARCH waiting USING INDEX sqlite_autoindex_waiting_tasks"), "{heads}");
    for scanned in ["SCAN waiting\n", "SCAN head", "SCAN following", "SCAN projects", "TEMP B-TREE"]
    {
        assert!(!heads.contains(scanned), "{heads}");
    }
    let place = explained(waiting_tasks::PLACE).bind("l").bind(0_i64).bind(0_i64).bind(9_i64);
    let place = plans.of(place).await;
    let along = "INDEX waiting_tasks_lane (lane=? AND (urgency,number)<(?,?))";
    assert!(place.contains(along), "{place}");
    let served = plans.of(explained(served_projects::SERVED)).await;
    assert!(
        served.contains("SEARCH executions USING INDEX executions_served (project_id=?)"),
        "{served}"
    );
    let loads = plans.of(explained(served_projects::LOADS)).await;
    assert!(!loads.contains("SCAN executions\n"), "{loads}");
}

/// D-4, S-6: the check before every request of a member uses keys.
#[tokio::test]
async fn d_4_a_membership_is_found_by_keys() {
    let plans = QueryPlans::new().await;
    for text in [members::OF_PROJECT, members::OF_TASK, members::OF_EXECUTION, members::OF_REVIEW] {
        let membership = QueryBuilder::new(text).into_explain();
        let plan = plans.of(membership.bind("u").bind("x")).await;
        assert!(!plan.contains("SCAN"), "{plan}");
        assert!(plan.contains("project_members USING COVERING INDEX"), "{plan}");
    }
}

/// D-4: workspaces on disk are found by their index, however many tasks there are.
#[tokio::test]
async fn d_4_workspaces_are_listed_from_their_index() {
    let plans = QueryPlans::new().await;
    let after = tasks::WORKSPACE_ORDER.after(["w".to_owned().into(), "x".to_owned().into()]);
    for page in [PageRequest::first(50), PageRequest { limit: 50, after: Some(after) }] {
        let query = tasks::assemble_workspaces(None, &page).expect("a query");
        let plan = plans.of(query.into_explain()).await;
        assert!(plan.contains("tasks USING INDEX tasks_workspace"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}

/// D-4, S-4: each part of the overview is read from an index, however many tasks there are.
#[tokio::test]
async fn d_4_the_overview_of_all_projects_reads_no_board() {
    let plans = QueryPlans::new().await;
    let projects = [ProjectId::new(Uuid::nil()), ProjectId::new(Uuid::max())];
    for member in [None, Some(UserId::new(Uuid::nil()))] {
        let working = overview::working_rows(member, 5).expect("a query");
        let landed = overview::landed_rows(member, Timestamp::from_millis(7)).expect("a query");
        for query in [working, overview::queue_heads(&projects, 5), landed] {
            let plan = plans.of(query.into_explain()).await;
            for scanned in ["SCAN tasks", "SCAN waiting_tasks\n", "SCAN needs_person"] {
                assert!(!plan.contains(scanned), "{scanned}: {plan}");
            }
        }
    }
    let heads = plans.of(overview::queue_heads(&projects, 5).into_explain()).await;
    assert!(heads.contains("waiting_tasks USING INDEX waiting_tasks_project"), "{heads}");
    let landed = overview::landed_rows(None, Timestamp::from_millis(7)).expect("a query");
    let landed = plans.of(landed.into_explain()).await;
    assert!(
        landed.contains("INDEX tasks_phase_by_update (project_id=? AND archived=?"),
        "{landed}"
    );
}

/// D-4, T-28: tasks that wait for a person are read from their own index, however many tasks there are.
#[tokio::test]
async fn t_28_tasks_that_wait_for_a_person_are_read_from_their_own_index() {
    let plans = QueryPlans::new().await;
    let project = Some(ProjectId::new(Uuid::nil()));
    let member = Some(UserId::new(Uuid::nil()));
    let after = needs_person::ORDER.after([7.into(), "x".to_owned().into()]);
    for page in [PageRequest::first(50), PageRequest { limit: 50, after: Some(after) }] {
        for (member, project) in [(None, None), (None, project), (member, None), (member, project)]
        {
            let query = needs_person::assemble(NeedsPersonFilter { member, project }, &page);
            let plan = plans.of(query.expect("a query").into_explain()).await;
            assert!(plan.contains("needs_person USING INDEX needs_person_"), "{plan}");
            assert!(!plan.contains("SCAN tasks"), "{plan}");
        }
    }
}
