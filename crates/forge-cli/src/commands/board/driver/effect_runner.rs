//! Performs requests in the background.

use std::path::PathBuf;
use std::time::Duration;

use forge_api::{LogEventQuery, NewTask, PageQuery};
use forge_client::{ApiClient, ClientError, collect_pages};
use futures::future::join_all;
use tokio::sync::mpsc::UnboundedSender;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::board::driver::load_board::{load_board, load_branches, load_needs};
use crate::commands::board::state::TaskDetail;
use crate::commands::board::update::{ActionWish, BoardEffect, BoardEvent, LoadedLog, LoadedTasks};
use crate::commands::task::execution::execution_target::last_execution;
use crate::lookup::fetch_agents;

/// Events of a log that are loaded at first.
const LOG_TAIL: u32 = 1000;
/// How long a growing log waits before it asks for more.
const LOG_PAUSE: Duration = Duration::from_millis(700);

/// Sends the requests of effects; their answers are events.
#[derive(Debug, Clone)]
pub(crate) struct EffectRunner {
    pub(crate) client: ApiClient,
    pub(crate) project: Uuid,
    pub(crate) sender: UnboundedSender<BoardEvent>,
}

impl EffectRunner {
    /// Starts the request of an effect.
    pub(crate) fn start(&self, effect: BoardEffect) {
        let runner = self.clone();
        tokio::spawn(async move {
            if let Some(event) = Box::pin(runner.answer(effect)).await {
                // The board may have been closed meanwhile.
                let _ = runner.sender.send(event);
            }
        });
    }

    async fn answer(&self, effect: BoardEffect) -> Option<BoardEvent> {
        let client = &self.client;
        Some(match effect {
            BoardEffect::LoadBoard => BoardEvent::BoardLoaded(
                load_board(client, self.project).await.map(Box::new).map_err(describe),
            ),
            BoardEffect::LoadTasks(ids) => BoardEvent::TasksLoaded(self.load_tasks(ids).await),
            BoardEffect::LoadNeeds => {
                BoardEvent::NeedsLoaded(load_needs(client, self.project).await.map_err(describe))
            }
            // Without the branches, the search finds tasks by everything else.
            BoardEffect::LoadBranches => {
                BoardEvent::BranchesLoaded(load_branches(client).await.unwrap_or_default())
            }
            BoardEffect::LoadDetail(task) => {
                BoardEvent::DetailLoaded { task, detail: Box::new(self.load_detail(task).await) }
            }
            BoardEffect::LoadActions { task, wish } => self.load_actions(task, wish).await,
            BoardEffect::Explain { task, intro } => {
                let why = client.tasks().fetch_wait(task).await;
                let why = why.map(|why| why.message).unwrap_or_else(describe);
                BoardEvent::Explained(format!("{intro} {why}"))
            }
            BoardEffect::LoadLog { task, visit, execution, after, pauses } => {
                if pauses {
                    pause().await;
                }
                let log = self.load_log(task, execution, after).await.map_err(describe);
                BoardEvent::LogLoaded { visit, log }
            }
            BoardEffect::LoadDiff(task) => {
                let patch = client.workspaces().fetch_patch(task, Default::default()).await;
                BoardEvent::DiffLoaded { task, patch: patch.map_err(describe) }
            }
            BoardEffect::Perform { task, action, parameters, words } => {
                let answer = client.tasks().perform(&action, &parameters).await;
                BoardEvent::Performed { task, words, answer: answer.map_err(describe) }
            }
            BoardEffect::CreateTask { title } => {
                let task = NewTask { title, ..NewTask::default() };
                let created = client.tasks().create(self.project, &task).await;
                BoardEvent::TaskCreated(created.map(Box::new).map_err(describe))
            }
            BoardEffect::FindWorktree(task) => {
                BoardEvent::WorktreeFound(self.find_worktree(task).await)
            }
            BoardEffect::OpenEditor(_)
            | BoardEffect::OpenPager(_)
            | BoardEffect::RingBell
            | BoardEffect::SetTitle(_)
            | BoardEffect::Redraw
            | BoardEffect::Suspend
            | BoardEffect::Quit => return None,
        })
    }

    async fn load_tasks(&self, ids: Vec<Uuid>) -> LoadedTasks {
        let tasks = self.client.tasks();
        let answers = join_all(ids.iter().map(|id| tasks.fetch(*id))).await;
        let mut loaded = LoadedTasks::default();
        for (id, answer) in ids.into_iter().zip(answers) {
            match answer {
                Ok(task) if task.project_id == self.project => loaded.tasks.push(task),
                Ok(_) => {}
                Err(ClientError::Api { status: 403 | 404, .. }) => loaded.gone.push(id),
                Err(error) => {
                    loaded.failed.push(id);
                    loaded.problem = Some(describe(error));
                }
            }
        }
        loaded
    }

    /// What is missing in an answer is left out on the screen.
    async fn load_detail(&self, task: Uuid) -> TaskDetail {
        let client = &self.client;
        let page = PageQuery::default();
        let (waiting, workspace, executions) = tokio::join!(
            client.tasks().fetch_wait(task),
            client.workspaces().fetch(task),
            client.tasks().fetch_executions(task, &page),
        );
        TaskDetail {
            waiting: waiting.ok(),
            workspace: workspace.ok(),
            executions: executions.map(|page| page.items).unwrap_or_default(),
        }
    }

    /// Agents may have changed since the board was loaded; those are offered that exist now.
    async fn load_actions(&self, task: Uuid, wish: ActionWish) -> BoardEvent {
        let client = &self.client;
        let (actions, agents) =
            tokio::join!(client.tasks().fetch_actions(task), fetch_agents(client));
        BoardEvent::ActionsLoaded {
            task,
            wish,
            actions: actions.map(|page| page.items).map_err(describe),
            agents: agents.map(|page| page.items).unwrap_or_default(),
        }
    }

    async fn load_log(
        &self,
        task: Uuid,
        execution: Option<Uuid>,
        after: u64,
    ) -> Result<LoadedLog, ClientError> {
        let client = &self.client;
        let execution = match execution {
            Some(execution) => execution,
            None => {
                let all = collect_pages(LOG_TAIL as usize, async |page: PageQuery| {
                    client.tasks().fetch_executions(task, &page).await
                });
                match last_execution(all.await?.items) {
                    Some(execution) => execution.id,
                    None => {
                        let none = LoadedLog {
                            execution: None,
                            events: Vec::new(),
                            next: 0,
                            has_ended: false,
                        };
                        return Ok(none);
                    }
                }
            }
        };
        let query = match after {
            0 => LogEventQuery { tail: Some(LOG_TAIL), ..LogEventQuery::default() },
            after => LogEventQuery { after: Some(after), ..LogEventQuery::default() },
        };
        let page = client.executions().fetch_log_events(execution, &query).await?;
        Ok(LoadedLog {
            execution: Some(execution),
            events: page.events,
            next: page.next,
            has_ended: page.end,
        })
    }

    async fn find_worktree(&self, task: Uuid) -> Result<PathBuf, String> {
        let found = self.client.workspaces().fetch(task).await.map_err(describe)?;
        let path = PathBuf::from(&found.path);
        if path.is_dir() {
            return Ok(path);
        }
        let url = self.client.url();
        Err(format!("the worktree {} is not on this machine; it is where {url} runs", found.path))
    }
}

/// What went wrong and what to do next, in one line.
fn describe(error: ClientError) -> String {
    CliError::from(error).sentence()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the API has no event for new output of one execution; the pause limits the request rate"
)]
async fn pause() {
    tokio::time::sleep(LOG_PAUSE).await;
}
