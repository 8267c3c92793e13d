//! Dependencies between tasks (T-4, T-5, T-16).

use std::collections::{HashMap, VecDeque};

use forge_domain::task::{TaskKey, TaskSnapshot};
use forge_domain::{DependencyFacts, TaskId};

use crate::db::Db;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::history::counters;
use crate::tables::tasks::store;
use crate::tx::Tx;

/// Facts about the dependencies for a claim. A task that does not exist is omitted.
pub async fn dependency_facts(
    tx: &mut Tx,
    ids: &[TaskId],
) -> Result<Vec<DependencyFacts>, StoreError> {
    let tasks = store::load_many_in(tx, ids).await?;
    Ok(tasks
        .into_iter()
        .map(|task| DependencyFacts {
            task_id: task.id,
            key: task.key().to_string(),
            standing: task.standing,
            holder: task.holder,
        })
        .collect())
}

/// The tasks that depend on this one, oldest first.
pub async fn dependents(db: &Db, id: TaskId) -> Result<Vec<TaskSnapshot>, StoreError> {
    let select = stmt(
        "SELECT tasks.snapshot AS snapshot FROM task_dependencies
         JOIN tasks ON tasks.id = task_dependencies.task_id
         WHERE task_dependencies.depends_on_id = $1 ORDER BY tasks.number",
    );
    let rows = db.fetch_all(select.bind(id)).await?;
    rows.iter().map(store::read).collect()
}

/// The shortest path from one task along its dependencies to another, as keys with both ends; empty if there is none.
///
/// Until the transaction ends no other transaction can change a dependency in the project: two new edges, each valid
/// alone, could otherwise close a cycle.
pub async fn find_cycle(tx: &mut Tx, from: TaskId, to: TaskId) -> Result<Vec<String>, StoreError> {
    let Some(first) = store::load_in(tx, from).await? else {
        return Ok(Vec::new());
    };
    counters::lock(tx, first.project_id).await?;
    if from == to {
        return Ok(vec![first.key().to_string()]);
    }
    let select = stmt(
        "WITH RECURSIVE reached (id) AS (
             SELECT depends_on_id FROM task_dependencies WHERE task_id = $1
             UNION
             SELECT task_dependencies.depends_on_id FROM task_dependencies
             JOIN reached ON reached.id = task_dependencies.task_id
         )
         SELECT edge.task_id AS source, edge.depends_on_id AS target, tasks.number AS number
         FROM task_dependencies AS edge JOIN tasks ON tasks.id = edge.depends_on_id
         WHERE edge.task_id = $1 OR edge.task_id IN (SELECT id FROM reached)
         ORDER BY tasks.number",
    );
    let mut edges: HashMap<TaskId, Vec<TaskId>> = HashMap::new();
    let mut numbers = HashMap::from([(from, first.number)]);
    for row in tx.fetch_all(select.bind(from)).await? {
        let target = row.parse("target")?;
        edges.entry(row.parse("source")?).or_default().push(target);
        numbers.insert(target, row.get("number")?);
    }
    Ok(shortest(&edges, from, to)
        .into_iter()
        .filter_map(|id| numbers.get(&id))
        .map(|number| TaskKey(*number).to_string())
        .collect())
}

fn shortest(edges: &HashMap<TaskId, Vec<TaskId>>, from: TaskId, to: TaskId) -> Vec<TaskId> {
    let mut came_from = HashMap::from([(from, None)]);
    let mut queue = VecDeque::from([from]);
    while let Some(here) = queue.pop_front() {
        if here == to {
            let mut way: Vec<TaskId> =
                std::iter::successors(Some(to), |id| came_from.get(id).copied().flatten())
                    .collect();
            way.reverse();
            return way;
        }
        for next in edges.get(&here).into_iter().flatten() {
            came_from.entry(*next).or_insert_with(|| {
                queue.push_back(*next);
                Some(here)
            });
        }
    }
    Vec::new()
}
