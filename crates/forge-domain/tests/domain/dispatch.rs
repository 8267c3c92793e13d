//! The dispatch plan (E-10).

use crate::support::{SeededRandom, task_id, uuid};
use forge_domain::dispatch::{
    DispatchAgent, DispatchCandidate, DispatchInput, ProjectShare, TaskAssignment, plan,
};
use forge_domain::workflow::RoleName;
use forge_domain::{AgentId, ProjectId, TaskId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

fn project(number: u64) -> ProjectId {
    ProjectId::new(uuid(number))
}

fn agent(number: u64) -> AgentId {
    AgentId::new(uuid(number))
}

fn worker(number: u64, roles: &[&str], max_concurrent: u32) -> DispatchAgent {
    let roles = roles.iter().map(|role| RoleName::new(*role)).collect();
    DispatchAgent { id: agent(number), project: None, roles, running: 0, max_concurrent }
}

fn candidate(task: u64, of: u64, priority: i64, number: i64) -> DispatchCandidate {
    DispatchCandidate {
        task: task_id(task),
        project: project(of),
        role: RoleName::new("coder"),
        holder: None,
        handed_off_by: None,
        declined_by: BTreeSet::new(),
        urgency: -priority,
        number,
    }
}

fn market(
    projects: &[u64],
    workers: Vec<DispatchAgent>,
    waiting: Vec<DispatchCandidate>,
) -> DispatchInput {
    let projects = projects.iter().map(|id| (project(*id), ProjectShare::default())).collect();
    DispatchInput { capacity: u32::MAX, projects, agents: workers, candidates: waiting }
}

fn tasks(plan: &[TaskAssignment]) -> Vec<TaskId> {
    plan.iter().map(|assignment| assignment.task).collect()
}

#[test]
fn e_10_priority_goes_first_and_then_age() {
    let waiting = vec![candidate(1, 1, 0, 1), candidate(2, 1, 5, 3), candidate(3, 1, 5, 2)];
    let planned = plan(&market(&[1], vec![worker(1, &["coder"], 2)], waiting));
    assert_eq!(tasks(&planned), [task_id(3), task_id(2)]);
}

#[test]
fn e_10_a_role_goes_to_an_agent_that_accepts_it_and_a_held_one_to_its_holder() {
    let mut reviewing = candidate(1, 1, 9, 1);
    reviewing.role = RoleName::new("reviewer");
    let mut held = candidate(2, 1, 5, 2);
    held.holder = Some(agent(7));
    let workers = vec![worker(1, &["coder"], 5), worker(7, &["planner"], 1)];
    let planned = plan(&market(&[1], workers, vec![reviewing, held, candidate(3, 1, 0, 3)]));
    let expected =
        [(2, 7), (3, 1)].map(|(task, by)| TaskAssignment { task: task_id(task), agent: agent(by) });
    assert_eq!(planned, expected);
}

/// T-20: the agent that handed the task off gets it only if there is no other agent.
#[test]
fn t_20_a_task_does_not_return_to_the_agent_that_handed_it_off_while_another_suits() {
    let handed = DispatchCandidate { handed_off_by: Some(agent(1)), ..candidate(1, 1, 9, 1) };
    let waiting = vec![handed, candidate(2, 1, 0, 2)];
    let (ada, ben) = (worker(1, &["coder"], 1), worker(2, &["coder"], 1));
    let planned = plan(&market(&[1], vec![ada.clone(), ben.clone()], waiting.clone()));
    let expected =
        [(1, 2), (2, 1)].map(|(task, by)| TaskAssignment { task: task_id(task), agent: agent(by) });
    assert_eq!(planned, expected);
    let busy = DispatchAgent { running: 1, ..ben };
    let planned = plan(&market(&[1], vec![ada.clone(), busy], waiting.clone()));
    assert_eq!(
        tasks(&planned),
        [task_id(2)],
        "who is busy now is free later; others go on meanwhile"
    );
    let planned = plan(&market(&[1], vec![ada, worker(3, &["reviewer"], 1)], waiting));
    assert_eq!(tasks(&planned), [task_id(1)], "no other agent accepts the role");
}

/// The rule above is for handoffs by people; an agent that declined a task itself never gets it again.
#[test]
fn issue_13_15_t_20_a_task_never_goes_back_to_an_agent_that_handed_it_off_in_this_visit() {
    let declined_by = BTreeSet::from([agent(1), agent(2)]);
    let handed =
        DispatchCandidate { declined_by, handed_off_by: Some(agent(2)), ..candidate(1, 1, 9, 1) };
    let (ada, ben) = (worker(1, &["coder"], 1), worker(2, &["coder"], 1));
    let planned = plan(&market(&[1], vec![ada.clone(), ben.clone()], vec![handed.clone()]));
    assert!(planned.is_empty(), "{planned:?}");
    let cleo = worker(3, &[], 1);
    let planned = plan(&market(&[1], vec![ada, ben, cleo], vec![handed]));
    assert_eq!(planned, [TaskAssignment { task: task_id(1), agent: agent(3) }]);
}

#[test]
fn e_10_an_agent_for_the_role_comes_before_one_for_every_role() {
    let workers = vec![worker(1, &[], 1), worker(2, &["coder"], 1)];
    let planned = plan(&market(&[1], workers, vec![candidate(1, 1, 0, 1)]));
    assert_eq!(planned[0].agent, agent(2));
}

#[test]
fn e_10_a_board_full_of_urgent_tasks_does_not_starve_another() {
    let mut waiting: Vec<_> = (1..=10).map(|n| candidate(n, 1, 1000, n as i64)).collect();
    waiting.push(candidate(20, 2, 0, 1));
    let planned = plan(&market(&[1, 2], vec![worker(1, &[], 2)], waiting));
    assert_eq!(tasks(&planned), [task_id(1), task_id(20)]);
}

/// Random input: some boards, agents and tasks, with and without limits and holders.
fn any(dice: &mut SeededRandom) -> DispatchInput {
    let roles = ["coder", "planner"];
    let projects: BTreeMap<_, _> = (1..=1 + dice.below(4) as u64)
        .map(|id| {
            let max_concurrent = dice.chance(50).then(|| dice.below(4) as u32);
            let served_at = dice.chance(50).then(|| Timestamp::from_millis(dice.below(9) as i64));
            (project(id), ProjectShare { running: dice.below(3) as u32, max_concurrent, served_at })
        })
        .collect();
    let workers: Vec<_> = (1..=1 + dice.below(4) as u64)
        .map(|id| {
            let named: &[&str] = if dice.chance(30) { &[] } else { &[*dice.pick(&roles)] };
            let running = dice.below(3) as u32;
            DispatchAgent { running, ..worker(id, named, 1 + dice.below(4) as u32) }
        })
        .collect();
    let waiting = (1..=dice.below(25) as u64)
        .map(|id| DispatchCandidate {
            role: RoleName::new(*dice.pick(&roles)),
            holder: dice.chance(15).then(|| agent(1 + dice.below(5) as u64)),
            ..candidate(id, 1 + dice.below(projects.len()) as u64, dice.below(3) as i64, id as i64)
        })
        .collect();
    DispatchInput { capacity: dice.below(8) as u32, projects, agents: workers, candidates: waiting }
}

/// The input after the plan was performed.
fn after(market: &DispatchInput, planned: &[TaskAssignment]) -> DispatchInput {
    let mut left = market.clone();
    for assignment in planned {
        let place = left.candidates.iter().position(|waiting| waiting.task == assignment.task);
        let taken = left.candidates.remove(place.expect("a task is given once, and waited"));
        left.projects.get_mut(&taken.project).expect("its project").running += 1;
        let mut workers = left.agents.iter_mut();
        let by = workers.find(|worker| worker.id == assignment.agent).expect("an agent");
        assert!(by.can_take(&taken), "{taken:?} is nothing for {by:?}");
        by.running += 1;
        left.capacity = left.capacity.checked_sub(1).expect("the node's room is kept");
    }
    left
}

#[test]
fn e_10_no_limit_is_exceeded_and_no_assignable_task_is_left() {
    for seed in 0..3000 {
        let mut dice = SeededRandom::new(seed);
        let market = any(&mut dice);
        let planned = plan(&market);
        let left = after(&market, &planned);
        for (before, now) in market.agents.iter().zip(&left.agents) {
            assert!(now.running <= now.max_concurrent.max(before.running), "{now:?}");
        }
        for (id, share) in &left.projects {
            let most = share.max_concurrent.unwrap_or(u32::MAX);
            assert!(share.running <= most.max(market.projects[id].running), "{share:?}");
        }
        let free = |candidate: &DispatchCandidate| {
            let able = |worker: &&DispatchAgent| worker.has_room() && worker.can_take(candidate);
            left.projects[&candidate.project].has_room() && left.agents.iter().any(|w| able(&w))
        };
        assert!(left.capacity == 0 || !left.candidates.iter().any(free), "seed {seed}: {left:?}");
    }
}

#[test]
fn e_10_of_two_otherwise_equal_tasks_the_more_urgent_is_assigned_first() {
    for seed in 0..3000 {
        let mut dice = SeededRandom::new(seed);
        let market = any(&mut dice);
        let given: BTreeSet<_> = tasks(&plan(&market)).into_iter().collect();
        let alike = |one: &DispatchCandidate, other: &DispatchCandidate| {
            (one.project, &one.role, one.holder) == (other.project, &other.role, other.holder)
        };
        for taken in market.candidates.iter().filter(|waiting| given.contains(&waiting.task)) {
            let rank = (taken.urgency, taken.number);
            for other in market.candidates.iter().filter(|other| alike(taken, other)) {
                let before = (other.urgency, other.number) < rank;
                assert!(!before || given.contains(&other.task), "seed {seed}");
            }
        }
    }
}

/// Boards that always have tasks, agents that end in any order: a waiting task is served after at most as many others
/// as there are boards and slots.
#[test]
fn e_10_no_board_starves() {
    for seed in 0..200 {
        let mut dice = SeededRandom::new(seed);
        let (boards, places) = (2 + dice.below(4) as u64, 1 + dice.below(3) as u32);
        let all: Vec<_> = (1..=boards).collect();
        let mut market = market(&all, vec![worker(1, &[], places)], Vec::new());
        let mut running: Vec<ProjectId> = Vec::new();
        let mut passed: BTreeMap<ProjectId, u32> = BTreeMap::new();
        for turn in 0..300 {
            market.candidates = all
                .iter()
                .map(|of| candidate(*of, *of, dice.below(1000) as i64 * i64::from(*of == 1), turn))
                .collect();
            for assignment in plan(&market) {
                let place =
                    market.candidates.iter().position(|w| w.task == assignment.task).unwrap();
                let served = market.candidates[place].project;
                let share = market.projects.get_mut(&served).unwrap();
                share.running += 1;
                share.served_at = Some(Timestamp::from_millis(turn));
                market.agents[0].running += 1;
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
            market.agents[0].running -= 1;
        }
    }
}
