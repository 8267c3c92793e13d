//! People and agents who give any command at any time.

use super::cast::{agent_actor, by_agent, by_user, person, role, task_id};
use super::dice::SeededRandom;
use super::fixture::{TaskFixture, new_task, open_facts};
use forge_domain::workflow::{RoleName, StateName, TaskStanding, Workflow};
use forge_domain::{
    Actor, AgentFacts, Assignee, CreateTask, DecisionFacts, DependencyFacts, ResetScope,
    TaskActionKind, TaskCommand, TaskPatch, Verdict, allowed_actions,
};

/// A new task with some roles assigned at random.
pub(crate) fn random_task(workflow: &Workflow, dice: &mut SeededRandom) -> CreateTask {
    let mut asked = new_task();
    for role in workflow.roles() {
        if dice.chance(50) {
            asked.roles.insert(role.clone(), assignee(dice));
        }
    }
    asked
}

/// Gives one random command, sensible or not.
pub(crate) fn play(fixture: &mut TaskFixture, dice: &mut SeededRandom) {
    fixture.facts = facts(dice);
    let actor = actor(fixture, dice);
    let command = command(fixture, dice, &actor);
    // A refusal is an answer too; the fixture checks that it changes nothing.
    let _ = fixture.give(actor, command);
    fixture.facts = open_facts();
}

fn facts(dice: &mut SeededRandom) -> DecisionFacts {
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
        facts.dependency_cycle = vec!["T-3".to_owned(), "T-12".to_owned()];
    }
    for n in 0..dice.below(3) as u64 {
        facts.dependencies.push(DependencyFacts {
            task_id: task_id(n),
            key: format!("T-{n}"),
            standing: *dice.pick(&[
                TaskStanding::Open,
                TaskStanding::Submitted,
                TaskStanding::Succeeded,
                TaskStanding::Ended,
            ]),
            holder: dice.chance(70).then(|| assignee(dice)),
        });
    }
    facts
}

fn actor(fixture: &TaskFixture, dice: &mut SeededRandom) -> Actor {
    match &fixture.task.run {
        Some(run) if dice.chance(20) => agent_actor(1, run.execution),
        _ => person(1 + dice.below(2) as u64),
    }
}

fn assignee(dice: &mut SeededRandom) -> Assignee {
    let n = 1 + dice.below(2) as u64;
    if dice.chance(70) { by_agent(n) } else { by_user(n) }
}

fn command(fixture: &TaskFixture, dice: &mut SeededRandom, actor: &Actor) -> TaskCommand {
    match dice.below(20) {
        0..=3 => TaskCommand::Claim { claimer: assignee(dice) },
        4..=11 => moving(fixture, dice, actor),
        12 => {
            TaskCommand::Cancel { reason: dice.chance(50).then(|| "no longer needed".to_owned()) }
        }
        13..=15 => TaskCommand::Assign {
            role: any_role(fixture, dice),
            assignee: assignee(dice),
            reset: *dice.pick(&[
                ResetScope::Nothing,
                ResetScope::Nothing,
                ResetScope::Worktree,
                ResetScope::Workspace,
            ]),
        },
        16 => dice.pick(&[TaskCommand::Archive, TaskCommand::Unarchive]).clone(),
        17 => TaskCommand::AddDependency { on: task_id(dice.below(3) as u64) },
        18 => TaskCommand::RemoveDependency { on: task_id(dice.below(3) as u64) },
        _ if dice.chance(30) => rescue(fixture, dice),
        _ if dice.chance(50) => judge(fixture, dice),
        _ if dice.chance(20) => TaskCommand::CleanWorkspace,
        _ if dice.chance(30) => TaskCommand::Rebase { message: Some("mind the limit".to_owned()) },
        _ if dice.chance(30) => TaskCommand::ResetWorkspace,
        _ if dice.chance(30) => TaskCommand::HandOff { message: "half done".to_owned() },
        _ if dice.chance(50) => {
            TaskCommand::Comment { body: "looks good".to_owned(), parent: None }
        }
        _ => TaskCommand::Update(TaskPatch {
            version: dice.chance(50).then_some(fixture.task.version - dice.below(2) as i64),
            priority: Some(dice.below(5) as i32),
            ..TaskPatch::default()
        }),
    }
}

fn any_role(fixture: &TaskFixture, dice: &mut SeededRandom) -> RoleName {
    let roles: Vec<_> = fixture.workflow.roles().cloned().collect();
    if roles.is_empty() || dice.chance(5) { role("juggler") } else { dice.pick(&roles).clone() }
}

fn rescue(fixture: &TaskFixture, dice: &mut SeededRandom) -> TaskCommand {
    let last = fixture.task.last_run.as_ref().map(|run| run.execution);
    let execution = last.unwrap_or_else(|| forge_domain::ExecutionId::new(super::cast::uuid(9)));
    match dice.below(6) {
        5 => TaskCommand::Ask { text: "Which port?".to_owned(), is_awaited: dice.chance(50) },
        4 => {
            let open = fixture.task.questions.first().map(|question| question.number);
            TaskCommand::Answer {
                number: open.unwrap_or(1),
                text: "8080".to_owned(),
                live: dice.chance(50),
            }
        }
        3 => {
            let live = dice.chance(50);
            TaskCommand::Steer { execution, message: "faster".to_owned(), live }
        }
        0 => TaskCommand::StopRun { execution, reason: None },
        1 => TaskCommand::Restart { execution },
        _ => TaskCommand::MarkFailed { execution, reason: Some("it loops".to_owned()) },
    }
}

fn judge(fixture: &TaskFixture, dice: &mut SeededRandom) -> TaskCommand {
    let attempt = fixture.task.attempts - u32::from(fixture.task.attempts > 0 && dice.chance(5));
    let run = fixture.task.run.as_ref().map(|run| run.execution);
    let execution = run.unwrap_or_else(|| forge_domain::ExecutionId::new(super::cast::uuid(9)));
    match dice.below(4) {
        0 => TaskCommand::Approve { attempt, reason: Some("good enough".to_owned()) },
        1 => TaskCommand::Reject { attempt, reason: "not yet".to_owned() },
        2 => TaskCommand::GiveVerdict { execution, verdict: Verdict::Pass { feedback: None } },
        _ => {
            let verdict = Verdict::Fail { feedback: "more tests".to_owned() };
            TaskCommand::GiveVerdict { execution, verdict }
        }
    }
}

fn moving(fixture: &TaskFixture, dice: &mut SeededRandom, actor: &Actor) -> TaskCommand {
    let offered: Vec<StateName> = allowed_actions(&fixture.workflow, &fixture.task, actor)
        .into_iter()
        .filter_map(|action| match action.kind {
            TaskActionKind::Move { to } => Some(to),
            _ => None,
        })
        .collect();
    let to = if offered.is_empty() || dice.chance(30) {
        let states: Vec<_> = fixture.workflow.definition().state.iter().collect();
        StateName::new(dice.pick(&states).name.clone())
    } else {
        dice.pick(&offered).clone()
    };
    let seen = fixture.task.version - i64::from(dice.chance(5));
    let version = dice.chance(90).then_some(seen);
    TaskCommand::Move { to, version, reason: dice.chance(50).then(|| "because".to_owned()) }
}
