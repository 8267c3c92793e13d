//! SQLite's plans of the statements that must not slow down as the tables grow (D-4).
#![allow(clippy::expect_used, clippy::panic)]

use forge_domain::workflow::{Phase, StateName};
use forge_domain::{AgentId, ProjectId, TaskId};
use uuid::Uuid;

use super::assembly::Assembly;
use super::dispatch;
use super::effects;
use super::members;
use super::page::Page;
use super::tasks::{self, TaskFilter, TaskSort};
use super::waiting;
use crate::db::Db;
use crate::dialect::Dialect;
use crate::statement::Stmt;
use crate::url::DatabaseUrl;

struct Plans {
    db: Db,
    _directory: tempfile::TempDir,
}

impl Plans {
    async fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let url = DatabaseUrl::sqlite(directory.path().join("forge.db"));
        Self { db: Db::open(&url).await.expect("it opens"), _directory: directory }
    }

    async fn of(&self, statement: Stmt) -> String {
        let rows = self.db.fetch_all(statement).await.expect("a plan");
        let steps: Vec<String> =
            rows.iter().map(|row| row.get("detail").expect("a step")).collect();
        steps.join("\n")
    }

    async fn of_list(&self, filter: &TaskFilter, page: &Page) -> String {
        let query = tasks::assemble(Dialect::Sqlite, filter, page)
            .expect("a query")
            .expect("something to look for");
        self.of(query.explained().expect("a statement")).await
    }
}

fn sorts() -> impl Iterator<Item = (TaskSort, bool)> {
    [TaskSort::Created, TaskSort::Updated, TaskSort::Priority]
        .into_iter()
        .flat_map(|sort| [(sort, false), (sort, true)])
}

fn pages(filter: &TaskFilter) -> [Page; 2] {
    let order = filter.order();
    let after = match filter.sort {
        TaskSort::Created => order.after([7.into()]),
        TaskSort::Updated | TaskSort::Priority => order.after([7.into(), 7.into()]),
    };
    [Page::first(50), Page { limit: 50, after: Some(after) }]
}

/// D-4: a page of the board is read from an index in its order, and nothing is sorted.
#[tokio::test]
async fn d_4_a_page_of_tasks_is_read_in_the_order_of_an_index() {
    let plans = Plans::new().await;
    for (sort, descending) in sorts() {
        let all = TaskFilter { sort, descending, ..TaskFilter::new(ProjectId::new(Uuid::nil())) };
        let in_state = TaskFilter { status: Some(StateName::new("anywhere")), ..all.clone() };
        let in_phase = TaskFilter { phase: Some(Phase::Working), ..all.clone() };
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

/// D-4: no filter makes a list read the whole table, and archived tasks are merged in, not waded through.
#[tokio::test]
async fn d_4_no_filter_reads_all_tasks() {
    let plans = Plans::new().await;
    for (sort, descending) in sorts() {
        let all = TaskFilter { sort, descending, ..TaskFilter::new(ProjectId::new(Uuid::nil())) };
        let filters = [
            TaskFilter { include_archived: true, ..all.clone() },
            TaskFilter { label: Some("bug".to_owned()), ..all.clone() },
            TaskFilter { text: Some("login form".to_owned()), ..all.clone() },
            TaskFilter { agent: Some(AgentId::new(Uuid::nil())), ..all.clone() },
            TaskFilter { parent: Some(TaskId::new(Uuid::nil())), ..all.clone() },
        ];
        for filter in filters {
            for page in pages(&filter) {
                let plan = plans.of_list(&filter, &page).await;
                for table in ["SCAN tasks", "SCAN task_labels", "SCAN task_words "] {
                    assert!(!plan.contains(table), "{filter:?}\n{plan}");
                }
            }
        }
    }
}

/// D-4, M-1: what is due, and whose turn it is, is read from indexes of what is open.
#[tokio::test]
async fn d_4_effects_are_found_without_reading_the_closed_ones() {
    let plans = Plans::new().await;
    let explained = |text| Assembly::new(text).explained().expect("a statement");
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

/// D-4, E-10: the next task to claim is read from an index of what can be claimed.
#[tokio::test]
async fn d_4_the_next_claimable_task_is_the_first_of_an_index() {
    let plans = Plans::new().await;
    let claimable = Assembly::new(tasks::CLAIMABLE).explained().expect("a statement");
    let plan = plans.of(claimable.bind("p").bind(1_i64)).await;
    assert_eq!(plan, "SEARCH tasks USING INDEX tasks_claimable (project_id=?)");
}

/// D-4, E-10: a round of the scheduler reads along indexes of what waits and of what is open; no task is looked at that
/// is not a candidate.
#[tokio::test]
async fn d_4_the_scheduler_reads_only_heads() {
    let plans = Plans::new().await;
    let explained = |text| Assembly::new(text).explained().expect("a statement");
    let heads = plans.of(explained(waiting::HEADS).bind(8_i64)).await;
    assert!(heads.contains("SEARCH head USING INDEX waiting_tasks_lane (lane=?)"), "{heads}");
    assert!(heads.contains("SEARCH following USING INDEX waiting_tasks_lane (lane>?)"), "{heads}");
    assert!(heads.contains("SEARCH waiting USING INDEX sqlite_autoindex_waiting_tasks"), "{heads}");
    for scanned in ["SCAN waiting\n", "SCAN head", "SCAN following", "SCAN projects", "TEMP B-TREE"]
    {
        assert!(!heads.contains(scanned), "{heads}");
    }
    let place = explained(waiting::PLACE).bind("l").bind(0_i64).bind(0_i64).bind(9_i64);
    let place = plans.of(place).await;
    let along = "INDEX waiting_tasks_lane (lane=? AND (urgency,number)<(?,?))";
    assert!(place.contains(along), "{place}");
    let served = plans.of(explained(dispatch::SERVED)).await;
    assert!(
        served.contains("SEARCH executions USING INDEX executions_served (project_id=?)"),
        "{served}"
    );
    let loads = plans.of(explained(dispatch::LOADS)).await;
    assert!(!loads.contains("SCAN executions\n"), "{loads}");
}

/// D-4, S-6: what stands before every request of a member is read by keys.
#[tokio::test]
async fn d_4_a_membership_is_found_by_keys() {
    let plans = Plans::new().await;
    for text in [members::OF_PROJECT, members::OF_TASK, members::OF_EXECUTION, members::OF_REVIEW] {
        let membership = Assembly::new(text).explained().expect("a statement");
        let plan = plans.of(membership.bind("u").bind("x")).await;
        assert!(!plan.contains("SCAN"), "{plan}");
        assert!(plan.contains("project_members USING COVERING INDEX"), "{plan}");
    }
}

/// D-4: the workspaces on disk are found by their index, however many tasks there are.
#[tokio::test]
async fn d_4_workspaces_are_listed_from_their_index() {
    let plans = Plans::new().await;
    let after = tasks::WORKSPACE_ORDER.after(["w".to_owned().into(), "x".to_owned().into()]);
    for page in [Page::first(50), Page { limit: 50, after: Some(after) }] {
        let query = tasks::assemble_workspaces(None, &page).expect("a query");
        let plan = plans.of(query.explained().expect("a statement")).await;
        assert!(plan.contains("tasks USING INDEX tasks_workspace"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
