//! People and agents who ask for anything at any time.

use super::cast::{agent_actor, by_agent, by_user, person, role, task_id};
use super::desk::{Desk, new_task, open_facts};
use super::dice::Dice;
use forge_domain::workflow::{RoleName, Standing, StateName, Workflow};
use forge_domain::{
    ActionKind, Actor, AgentFacts, Assignee, Command, Create, DependencyFacts, Facts, Reset,
    TaskPatch, Verdict, allowed,
};

/// A new task of which chance has given some roles away.
pub(crate) fn random_task(workflow: &Workflow, dice: &mut Dice) -> Create {
    let mut asked = new_task();
    for role in workflow.roles() {
        if dice.chance(50) {
            asked.roles.insert(role.clone(), assignee(dice));
        }
    }
    asked
}

/// Gives one command by chance, sensible or not.
pub(crate) fn play(desk: &mut Desk, dice: &mut Dice) {
    desk.facts = facts(dice);
    let actor = actor(desk, dice);
    let command = command(desk, dice, &actor);
    // Refusals are answers too; the desk checks that they change nothing.
    let _ = desk.give(actor, command);
    desk.facts = open_facts();
}

fn facts(dice: &mut Dice) -> Facts {
    let mut facts = open_facts();
    if dice.chance(80) {
        return facts;
    }
    facts.project_paused = dice.chance(20);
    if dice.chance(20) {
        facts.budget.of_project.tokens = Some(1);
        facts.budget.used_by_project.output_tokens = 1;
    }
    facts.has_repository = dice.chance(80);
    facts.same_project = dice.chance(80);
    facts.is_family = dice.chance(20);
    facts.claimer = dice.chance(80).then(|| AgentFacts {
        paused: dice.chance(20),
        quota_wait: false,
        running: dice.below(3) as u32,
        max_concurrent: 2,
    });
    if dice.chance(30) {
        facts.way_back = vec!["T-3".to_owned(), "T-12".to_owned()];
    }
    for n in 0..dice.below(3) as u64 {
        facts.dependencies.push(DependencyFacts {
            task_id: task_id(n),
            key: format!("T-{n}"),
            standing: *dice.pick(&[
                Standing::Open,
                Standing::Submitted,
                Standing::Succeeded,
                Standing::Ended,
            ]),
            holder: dice.chance(70).then(|| assignee(dice)),
        });
    }
    facts
}

fn actor(desk: &Desk, dice: &mut Dice) -> Actor {
    match &desk.task.run {
        Some(run) if dice.chance(20) => agent_actor(1, run.execution),
        _ => person(1 + dice.below(2) as u64),
    }
}

fn assignee(dice: &mut Dice) -> Assignee {
    let n = 1 + dice.below(2) as u64;
    if dice.chance(70) { by_agent(n) } else { by_user(n) }
}

fn command(desk: &Desk, dice: &mut Dice, actor: &Actor) -> Command {
    match dice.below(20) {
        0..=3 => Command::Claim { claimer: assignee(dice) },
        4..=11 => moving(desk, dice, actor),
        12 => Command::Cancel { reason: dice.chance(50).then(|| "no longer needed".to_owned()) },
        13..=15 => Command::Assign {
            role: any_role(desk, dice),
            assignee: assignee(dice),
            reset: *dice.pick(&[Reset::Nothing, Reset::Nothing, Reset::Worktree, Reset::Workspace]),
        },
        16 => dice.pick(&[Command::Archive, Command::Unarchive]).clone(),
        17 => Command::AddDependency { on: task_id(dice.below(3) as u64) },
        18 => Command::RemoveDependency { on: task_id(dice.below(3) as u64) },
        _ if dice.chance(30) => rescue(desk, dice),
        _ if dice.chance(50) => judge(desk, dice),
        _ if dice.chance(20) => Command::CleanWorkspace,
        _ if dice.chance(30) => Command::Rebase { message: Some("mind the limit".to_owned()) },
        _ if dice.chance(30) => Command::ResetWorkspace,
        _ if dice.chance(30) => Command::HandOff { message: "half done".to_owned() },
        _ if dice.chance(50) => Command::Comment { body: "looks good".to_owned(), parent: None },
        _ => Command::Update(TaskPatch {
            version: dice.chance(50).then_some(desk.task.version - dice.below(2) as i64),
            priority: Some(dice.below(5) as i32),
            ..TaskPatch::default()
        }),
    }
}

fn any_role(desk: &Desk, dice: &mut Dice) -> RoleName {
    let roles: Vec<_> = desk.workflow.roles().cloned().collect();
    if roles.is_empty() || dice.chance(5) { role("juggler") } else { dice.pick(&roles).clone() }
}

fn rescue(desk: &Desk, dice: &mut Dice) -> Command {
    let last = desk.task.last_run.as_ref().map(|run| run.execution);
    let execution = last.unwrap_or_else(|| forge_domain::ExecutionId::new(super::cast::uuid(9)));
    match dice.below(4) {
        3 => {
            let live = dice.chance(50);
            Command::Steer { execution, message: "faster".to_owned(), live }
        }
        0 => Command::StopRun { execution, reason: None },
        1 => Command::Restart { execution },
        _ => Command::MarkFailed { execution, reason: Some("it loops".to_owned()) },
    }
}

fn judge(desk: &Desk, dice: &mut Dice) -> Command {
    let attempt = desk.task.attempts - u32::from(desk.task.attempts > 0 && dice.chance(5));
    let run = desk.task.run.as_ref().map(|run| run.execution);
    let execution = run.unwrap_or_else(|| forge_domain::ExecutionId::new(super::cast::uuid(9)));
    match dice.below(4) {
        0 => Command::Approve { attempt, reason: Some("good enough".to_owned()) },
        1 => Command::Reject { attempt, reason: "not yet".to_owned() },
        2 => Command::GiveVerdict { execution, verdict: Verdict::Pass { feedback: None } },
        _ => {
            let verdict = Verdict::Fail { feedback: "more tests".to_owned() };
            Command::GiveVerdict { execution, verdict }
        }
    }
}

fn moving(desk: &Desk, dice: &mut Dice, actor: &Actor) -> Command {
    let offered: Vec<StateName> = allowed(&desk.workflow, &desk.task, actor)
        .into_iter()
        .filter_map(|action| match action.kind {
            ActionKind::Move { to } => Some(to),
            _ => None,
        })
        .collect();
    let to = if offered.is_empty() || dice.chance(30) {
        let states: Vec<_> = desk.workflow.definition().state.iter().collect();
        StateName::new(dice.pick(&states).name.clone())
    } else {
        dice.pick(&offered).clone()
    };
    let version = desk.task.version - i64::from(dice.chance(5));
    Command::Move { to, version, reason: dice.chance(50).then(|| "because".to_owned()) }
}
