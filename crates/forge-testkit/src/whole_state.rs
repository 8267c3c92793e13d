//! The whole state after a scenario, for a snapshot: without the identifiers, times and paths of a single run.

use crate::engine_fixture::EngineFixture;
use forge_domain::ProjectId;
use forge_domain::task::TaskSnapshot;
use forge_store::tables;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The first millisecond that counts as a time instead of a number.
const FIRST_TIME: i64 = 1_600_000_000_000;

impl EngineFixture {
    /// Every task with its executions, reviews, effects and events; the repository's branches and worktrees; what is
    /// left on the disk and in the process table.
    pub async fn whole_state(&self, project: ProjectId) -> Value {
        let filter = tables::tasks::TaskFilter::new(project);
        let page = tables::PageRequest::first(100);
        let found = tables::tasks::list(self.engine().db(), &filter, &page).await;
        let mut tasks = found.expect("the tasks").0;
        tasks.sort_by_key(|task| task.number);
        let mut normaliser = StateNormaliser::new(self.home(), &tasks);
        let mut documents = Vec::new();
        for task in &tasks {
            documents.push(self.task_document(task).await);
        }
        let end = self.end_state(project).await;
        let refs = self.list_refs().await;
        let worktrees = self.repository.git(&["worktree", "list"]).await;
        let worktrees: Vec<_> = worktrees.lines().map(str::trim).collect();
        normaliser.normalise(json!({
            "tasks": documents,
            "repository": {
                "landed": end.landed, "files": end.tree, "refs": refs, "worktrees": worktrees,
                "user's changes": end.person, "sound": end.sound,
            },
            "leftovers": {
                "open effects": end.open_steps, "ports": end.ports, "workspaces": end.workspaces,
                "processes": end.processes.len(), "pooled worktrees": end.waiting.0 + end.waiting.1,
            },
        }))
    }

    async fn task_document(&self, task: &TaskSnapshot) -> Value {
        let db = self.engine().db();
        let executions = tables::executions::list_of_task(db, task.id).await.expect("executions");
        let executions = executions.into_iter().map(|run| {
            json!({
                "role": run.role, "agent": run.agent_id, "user": run.user_id,
                "purpose": run.purpose, "status": run.status, "outcome": run.outcome,
            })
        });
        let reviews = tables::reviews::list_of_task(db, task.id).await.expect("reviews");
        let reviews = reviews.into_iter().map(|review| {
            json!({
                "attempt": review.attempt, "status": review.status, "commit": review.commit,
                "results": review.results, "verdict": review.verdict, "counted": review.counted,
                "decided": review.decided,
            })
        });
        let effects = tables::effects::list_of_task(db, task.id).await.expect("effects");
        let effects = effects.into_iter().map(|row| {
            json!({
                "effect": row.effect, "visit": row.visit, "ending": row.ending,
                "last_error": row.last_error,
            })
        });
        let events = tables::events::of_task(db, task.id).await.expect("events");
        let recorded = events.iter().cloned().map(|row| row.recorded().expect("a task's event"));
        let replays = forge_domain::replay(&recorded.collect::<Vec<_>>()).as_ref() == Some(task);
        let events: Vec<_> = events.into_iter().map(|event| event.kind).collect();
        json!({
            "task": task, "executions": executions.collect::<Vec<_>>(),
            "reviews": reviews.collect::<Vec<_>>(), "effects": effects.collect::<Vec<_>>(),
            "events": events, "events give the task": replays,
        })
    }

    async fn list_refs(&self) -> Value {
        let refs =
            self.repository.git(&["for-each-ref", "--format=%(refname) %(objectname)"]).await;
        let pairs = refs.lines().filter_map(|line| line.split_once(' '));
        Value::Object(pairs.map(|(name, object)| (name.to_owned(), json!(object))).collect())
    }
}

/// Replaces what differs between two runs by names in the order of their first appearance.
struct StateNormaliser {
    home: String,
    /// The end of each task's identifier, which is part of the name of its workspace.
    tasks: Vec<(String, String)>,
    ids: Vec<String>,
    commits: Vec<String>,
}

impl StateNormaliser {
    fn new(home: &Path, tasks: &[TaskSnapshot]) -> Self {
        let short = |task: &TaskSnapshot| {
            let id = task.id.to_string();
            (id[id.len() - 8..].to_owned(), format!("task-{}", task.number))
        };
        Self {
            home: home.to_str().expect("a path of plain text").to_owned(),
            tasks: tasks.iter().map(short).collect(),
            ids: tasks.iter().map(|task| task.id.to_string()).collect(),
            commits: Vec::new(),
        }
    }

    fn normalise(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Number(number) if number.as_i64() >= Some(FIRST_TIME) => json!("time"),
            Value::Array(items) => items.into_iter().map(|item| self.normalise(item)).collect(),
            Value::Object(fields) => {
                let mut stable = Map::new();
                for (name, value) in fields {
                    let value = match name.as_str() {
                        // How long a check took.
                        "duration_ms" => json!("duration"),
                        _ => self.normalise(value),
                    };
                    stable.insert(self.text(&name), value);
                }
                Value::Object(stable)
            }
            value => value,
        }
    }

    fn text(&mut self, text: &str) -> String {
        let text = text.replace(&self.home, "HOME");
        let mut stable = String::new();
        // A word is what can be an identifier, a commit or a part of one.
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let mut rest = text.as_str();
        while let Some(start) = rest.find(is_part) {
            let end =
                rest[start..].find(|letter| !is_part(letter)).map_or(rest.len(), |at| start + at);
            stable.push_str(&rest[..start]);
            stable.push_str(&self.word(&rest[start..end]));
            rest = &rest[end..];
        }
        stable + rest
    }

    fn word(&mut self, word: &str) -> String {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let groups: Vec<_> = word.split('-').map(str::len).collect();
        if groups == [8, 4, 4, 4, 12] && word.split('-').all(is_hex) {
            return format!("id-{}", place_of(&mut self.ids, word));
        }
        match word.len() {
            40 if is_hex(word) => format!("commit-{}", place_of(&mut self.commits, word)),
            64 if is_hex(word) => "hash".to_owned(),
            // An abbreviation of a commit that is listed in full before it.
            7..=12 if is_hex(word) => {
                let commit = self.commits.iter().position(|commit| commit.starts_with(word));
                commit.map_or_else(|| word.to_owned(), |at| format!("commit-{}", at + 1))
            }
            _ => {
                let short = self.tasks.iter().find(|(short, _)| word.ends_with(short));
                short.map_or_else(|| word.to_owned(), |(short, task)| word.replace(short, task))
            }
        }
    }
}

/// The place of the name in the list, from 1; a new name is appended.
fn place_of(names: &mut Vec<String>, name: &str) -> usize {
    let known = names.iter().position(|known| known == name);
    known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    }) + 1
}
