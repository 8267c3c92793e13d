//! Loads everything that the board shows at its start.

use std::collections::HashMap;

use forge_api::{
    NeedsPerson, NeedsPersonQuery, PageQuery, SortOrder, Task, TaskPhase, TaskQuery, TaskSort,
};
use forge_client::{ApiClient, ClientError, collect_pages};
use uuid::Uuid;

use crate::commands::board::update::LoadedBoard;
use crate::lookup::fetch_agents;

/// Tasks of each phase that a person can still look through.
const MOST_TASKS: usize = 1000;
/// Ended tasks: only the last ones matter.
const MOST_ENDED_TASKS: usize = 100;
const MOST_WORKSPACES: usize = 2000;

/// Loads the board; all requests run at the same time.
pub(crate) async fn load_board(
    client: &ApiClient,
    project: Uuid,
) -> Result<LoadedBoard, ClientError> {
    let projects = client.projects();
    let phase = |phase| load_phase(client, project, phase);
    let (project, workflow, agents, me, needs, backlog, ready, working, review, done) = tokio::try_join!(
        projects.fetch(project),
        projects.fetch_workflow(project),
        fetch_agents(client),
        client.accounts().fetch_me(),
        load_needs(client, project),
        phase(TaskPhase::Backlog),
        phase(TaskPhase::Ready),
        phase(TaskPhase::Working),
        phase(TaskPhase::Review),
        phase(TaskPhase::Done),
    )?;
    let mut board = LoadedBoard {
        project,
        workflow,
        agents: agents.items,
        me: me.user.map(|user| user.id),
        tasks: Vec::new(),
        truncated: Vec::new(),
        needs,
    };
    for (phase, tasks, has_more) in [backlog, ready, working, review, done] {
        board.tasks.extend(tasks);
        board.truncated.extend(has_more.then_some(phase));
    }
    Ok(board)
}

async fn load_phase(
    client: &ApiClient,
    project: Uuid,
    phase: TaskPhase,
) -> Result<(TaskPhase, Vec<Task>, bool), ClientError> {
    let (sort, most) = match phase {
        TaskPhase::Done => (TaskSort::Updated, MOST_ENDED_TASKS),
        _ => (TaskSort::Priority, MOST_TASKS),
    };
    let page = collect_pages(most, async |page: PageQuery| {
        let query = TaskQuery {
            phase: Some(phase),
            sort: Some(sort),
            order: Some(SortOrder::Desc),
            limit: page.limit,
            cursor: page.cursor,
            ..TaskQuery::default()
        };
        client.tasks().fetch_page(project, &query).await
    })
    .await?;
    Ok((phase, page.items, page.next_cursor.is_some()))
}

/// The tasks of the project that wait for a person, longest wait first.
pub(crate) async fn load_needs(
    client: &ApiClient,
    project: Uuid,
) -> Result<Vec<NeedsPerson>, ClientError> {
    let page = collect_pages(MOST_TASKS, async |page: PageQuery| {
        let PageQuery { limit, cursor } = page;
        let query = NeedsPersonQuery { project: Some(project), limit, cursor };
        client.tasks().fetch_needs_person(&query).await
    })
    .await?;
    Ok(page.items)
}

/// The branch of each task with a workspace.
pub(crate) async fn load_branches(
    client: &ApiClient,
) -> Result<HashMap<Uuid, String>, ClientError> {
    let page = collect_pages(MOST_WORKSPACES, async |page: PageQuery| {
        client.workspaces().fetch_page(&page).await
    })
    .await?;
    let named = page.items.into_iter().filter_map(|found| Some((found.task_id, found.branch?)));
    Ok(named.collect())
}
