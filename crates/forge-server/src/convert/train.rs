//! Trains and what is known of checks.

use forge_api::{CarStanding, CheckRecord, Train, TrainCar};
use forge_domain::ProjectId;
use forge_domain::task::Snapshot;
use forge_domain::train::Standing;
use forge_engine::TrainView;

use super::time::rfc3339;

/// A line as members of one project see it: of others' tasks they see that they are there.
pub(crate) fn train(view: &TrainView, project: ProjectId, known: &[Snapshot]) -> Train {
    let cars = view.cars.iter().map(|car| {
        let task = known.iter().find(|task| task.id == car.task && task.project_id == project);
        TrainCar {
            task_id: car.task.uuid(),
            key: task.map(|task| task.key().to_string()),
            title: task.map(|task| task.title.clone()),
            standing: match view.node {
                Some(_) => CarStanding::Unknown,
                None => standing(car.standing),
            },
            commit: car.commit.clone(),
        }
    });
    Train {
        target: view.target.clone(),
        node: view.node.clone(),
        window: view.window.map(|window| u64::try_from(window).unwrap_or(u64::MAX)),
        cars: cars.collect(),
    }
}

fn standing(standing: Option<Standing>) -> CarStanding {
    match standing {
        None => CarStanding::Waiting,
        Some(Standing::Untried | Standing::Running) => CarStanding::Running,
        Some(Standing::Passed) => CarStanding::Passed,
        Some(Standing::Failed { .. }) => CarStanding::Failed,
        Some(Standing::Clashes) => CarStanding::Clashes,
        Some(Standing::Empty) => CarStanding::Empty,
    }
}

/// What is known of one check.
pub(crate) fn check(record: forge_engine::CheckRecord) -> CheckRecord {
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    CheckRecord {
        command: record.command,
        runs: count(record.runs),
        failures: count(record.failures),
        flips: count(record.flips),
        last_flip_at: record.last_flip_at.map(rfc3339),
        quarantined_until: record.quarantined_until.map(rfc3339),
    }
}
