//! Who takes what next (E-10).

use crate::support::{Dice, task_id, uuid};
use forge_domain::dispatch::{Assignment, Candidate, Market, Share, Worker, plan};
use forge_domain::workflow::RoleName;
use forge_domain::{AgentId, ProjectId, TaskId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

fn project(number: u64) -> ProjectId {
    ProjectId::new(uuid(number))
}

fn agent(number: u64) -> AgentId {
    AgentId::new(uuid(number))
}

fn worker(number: u64, roles: &[&str], max_concurrent: u32) -> Worker {
    let roles = roles.iter().map(|role| RoleName::new(*role)).collect();
    Worker { id: agent(number), roles, running: 0, max_concurrent }
}

fn candidate(task: u64, of: u64, priority: i64, number: i64) -> Candidate {
    Candidate {
        task: task_id(task),
        project: project(of),
        role: RoleName::new("coder"),
        only: None,
        avoid: None,
        urgency: -priority,
        number,
    }
}

fn market(projects: &[u64], workers: Vec<Worker>, waiting: Vec<Candidate>) -> Market {
    let projects = projects.iter().map(|id| (project(*id), Share::default())).collect();
    Market { room: u32::MAX, projects, workers, waiting }
}

fn tasks(plan: &[Assignment]) -> Vec<TaskId> {
    plan.iter().map(|assignment| assignment.task).collect()
}

#[test]
fn e_10_priority_goes_first_and_then_age() {
    let waiting = vec![candidate(1, 1, 0, 1), candidate(2, 1, 5, 3), candidate(3, 1, 5, 2)];
    let planned = plan(&market(&[1], vec![worker(1, &["coder"], 2)], waiting));
    assert_eq!(tasks(&planned), [task_id(3), task_id(2)]);
}

#[test]
fn e_10_a_role_goes_to_who_takes_it_and_a_held_one_to_its_holder() {
    let mut reviewing = candidate(1, 1, 9, 1);
    reviewing.role = RoleName::new("reviewer");
    let mut held = candidate(2, 1, 5, 2);
    held.only = Some(agent(7));
    let workers = vec![worker(1, &["coder"], 5), worker(7, &["planner"], 1)];
    let planned = plan(&market(&[1], workers, vec![reviewing, held, candidate(3, 1, 0, 3)]));
    let expected =
        [(2, 7), (3, 1)].map(|(task, by)| Assignment { task: task_id(task), agent: agent(by) });
    assert_eq!(planned, expected);
}

/// T-20: who just let go of it is the last to get it, and gets it only where there is nobody else.
#[test]
fn t_20_a_task_does_not_go_back_to_who_handed_it_off_while_another_could_take_it() {
    let handed = Candidate { avoid: Some(agent(1)), ..candidate(1, 1, 9, 1) };
    let waiting = vec![handed, candidate(2, 1, 0, 2)];
    let (ada, ben) = (worker(1, &["coder"], 1), worker(2, &["coder"], 1));
    let planned = plan(&market(&[1], vec![ada.clone(), ben.clone()], waiting.clone()));
    let expected =
        [(1, 2), (2, 1)].map(|(task, by)| Assignment { task: task_id(task), agent: agent(by) });
    assert_eq!(planned, expected);
    let busy = Worker { running: 1, ..ben };
    let planned = plan(&market(&[1], vec![ada.clone(), busy], waiting.clone()));
    assert_eq!(
        tasks(&planned),
        [task_id(2)],
        "who is busy now is free later; others go on meanwhile"
    );
    let planned = plan(&market(&[1], vec![ada, worker(3, &["reviewer"], 1)], waiting));
    assert_eq!(tasks(&planned), [task_id(1)], "nobody else takes the role at all");
}

#[test]
fn e_10_who_is_there_for_the_role_comes_before_who_takes_everything() {
    let workers = vec![worker(1, &[], 1), worker(2, &["coder"], 1)];
    let planned = plan(&market(&[1], workers, vec![candidate(1, 1, 0, 1)]));
    assert_eq!(planned[0].agent, agent(2));
}

#[test]
fn e_10_a_board_full_of_urgent_tasks_does_not_keep_another_waiting() {
    let mut waiting: Vec<_> = (1..=10).map(|n| candidate(n, 1, 1000, n as i64)).collect();
    waiting.push(candidate(20, 2, 0, 1));
    let planned = plan(&market(&[1, 2], vec![worker(1, &[], 2)], waiting));
    assert_eq!(tasks(&planned), [task_id(1), task_id(20)]);
}

/// A market by chance: some boards, agents and tasks, with and without limits and holders.
fn any(dice: &mut Dice) -> Market {
    let roles = ["coder", "planner"];
    let projects: BTreeMap<_, _> = (1..=1 + dice.below(4) as u64)
        .map(|id| {
            let max_concurrent = dice.chance(50).then(|| dice.below(4) as u32);
            let served_at = dice.chance(50).then(|| Timestamp::from_millis(dice.below(9) as i64));
            (project(id), Share { running: dice.below(3) as u32, max_concurrent, served_at })
        })
        .collect();
    let workers: Vec<_> = (1..=1 + dice.below(4) as u64)
        .map(|id| {
            let named: &[&str] = if dice.chance(30) { &[] } else { &[*dice.pick(&roles)] };
            let running = dice.below(3) as u32;
            Worker { running, ..worker(id, named, 1 + dice.below(4) as u32) }
        })
        .collect();
    let waiting = (1..=dice.below(25) as u64)
        .map(|id| Candidate {
            role: RoleName::new(*dice.pick(&roles)),
            only: dice.chance(15).then(|| agent(1 + dice.below(5) as u64)),
            ..candidate(id, 1 + dice.below(projects.len()) as u64, dice.below(3) as i64, id as i64)
        })
        .collect();
    Market { room: dice.below(8) as u32, projects, workers, waiting }
}

/// The market after the plan was carried out, with what was left.
fn after(market: &Market, planned: &[Assignment]) -> Market {
    let mut left = market.clone();
    for assignment in planned {
        let place = left.waiting.iter().position(|waiting| waiting.task == assignment.task);
        let taken = left.waiting.remove(place.expect("a task is given once, and waited"));
        left.projects.get_mut(&taken.project).expect("its project").running += 1;
        let mut workers = left.workers.iter_mut();
        let by = workers.find(|worker| worker.id == assignment.agent).expect("an agent");
        assert!(by.suits(&taken), "{taken:?} is nothing for {by:?}");
        by.running += 1;
        left.room = left.room.checked_sub(1).expect("the node's room is kept");
    }
    left
}

#[test]
fn e_10_no_limit_is_ever_exceeded_and_nothing_is_left_that_somebody_could_take() {
    for seed in 0..3000 {
        let mut dice = Dice::new(seed);
        let market = any(&mut dice);
        let planned = plan(&market);
        let left = after(&market, &planned);
        for (before, now) in market.workers.iter().zip(&left.workers) {
            assert!(now.running <= now.max_concurrent.max(before.running), "{now:?}");
        }
        for (id, share) in &left.projects {
            let most = share.max_concurrent.unwrap_or(u32::MAX);
            assert!(share.running <= most.max(market.projects[id].running), "{share:?}");
        }
        let free = |candidate: &Candidate| {
            let able = |worker: &&Worker| worker.has_room() && worker.suits(candidate);
            left.projects[&candidate.project].has_room() && left.workers.iter().any(|w| able(&w))
        };
        assert!(left.room == 0 || !left.waiting.iter().any(free), "seed {seed}: {left:?}");
    }
}

#[test]
fn e_10_of_two_that_differ_in_nothing_else_the_more_urgent_is_never_left_behind() {
    for seed in 0..3000 {
        let mut dice = Dice::new(seed);
        let market = any(&mut dice);
        let given: BTreeSet<_> = tasks(&plan(&market)).into_iter().collect();
        let alike = |one: &Candidate, other: &Candidate| {
            (one.project, &one.role, one.only) == (other.project, &other.role, other.only)
        };
        for taken in market.waiting.iter().filter(|waiting| given.contains(&waiting.task)) {
            let rank = (taken.urgency, taken.number);
            for other in market.waiting.iter().filter(|other| alike(taken, other)) {
                let before = (other.urgency, other.number) < rank;
                assert!(!before || given.contains(&other.task), "seed {seed}");
            }
        }
    }
}

/// Boards that never run dry, agents that end in any order: whoever waits is served after at most as many others as
/// there are boards and places to run.
#[test]
fn e_10_no_board_starves() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let (boards, places) = (2 + dice.below(4) as u64, 1 + dice.below(3) as u32);
        let all: Vec<_> = (1..=boards).collect();
        let mut market = market(&all, vec![worker(1, &[], places)], Vec::new());
        let mut running: Vec<ProjectId> = Vec::new();
        let mut passed: BTreeMap<ProjectId, u32> = BTreeMap::new();
        for turn in 0..300 {
            market.waiting = all
                .iter()
                .map(|of| candidate(*of, *of, dice.below(1000) as i64 * i64::from(*of == 1), turn))
                .collect();
            for assignment in plan(&market) {
                let place = market.waiting.iter().position(|w| w.task == assignment.task).unwrap();
                let served = market.waiting[place].project;
                let share = market.projects.get_mut(&served).unwrap();
                share.running += 1;
                share.served_at = Some(Timestamp::from_millis(turn));
                market.workers[0].running += 1;
                running.push(served);
                for (id, _) in market.projects.iter().filter(|(_, share)| share.running == 0) {
                    *passed.entry(*id).or_default() += 1;
                }
                passed.insert(served, 0);
            }
            let most = passed.values().max().copied().unwrap_or_default();
            assert!(most <= boards as u32 + places, "a board was passed over {most} times");
            let ended = running.swap_remove(dice.below(running.len()));
            market.projects.get_mut(&ended).unwrap().running -= 1;
            market.workers[0].running -= 1;
        }
    }
}
