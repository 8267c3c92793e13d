//! One task with everything around it: its workflow, its facts, its effect rows, its history. Each command that is
//! given here is decided twice and replayed, so every test is also a test of determinism and of replay.

use super::cast::{machine, person, uuid};
use super::effects::{self, Step};
use forge_domain::task::{Activity, MergeConfig, ReviewConfig, Snapshot, TaskKind};
use forge_domain::workflow::{Definition, StateName, Succession, Workflow, template};
use forge_domain::{
    Actor, Adopt, AgentFacts, Budget, Command, CommandId, Create, Decision, Envelope, Facts,
    ProjectId, Recorded, Refusal, RepoId, Report, Timestamp, adopt, apply, create, decide, replay,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub workflow: Workflow,
    pub task: Snapshot,
    pub facts: Facts,
    pub steps: Vec<Step>,
    pub recorded: Vec<Recorded>,
    /// Everything that was asked of the task, with the answers.
    pub given: Vec<Given>,
    now: i64,
    commands: u64,
    folded: Snapshot,
    effect_ids: BTreeSet<uuid::Uuid>,
}

/// A command, what it was decided by, and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub facts: Facts,
    pub envelope: Envelope,
    pub answer: Result<Decision, Refusal>,
}

/// A shipped definition.
pub(crate) fn definition(name: &str) -> Definition {
    template(name).expect("a shipped template")
}

/// A shipped workflow.
pub(crate) fn workflow(name: &str) -> Workflow {
    Workflow::compile(definition(name)).expect("shipped templates are sound")
}

/// Surroundings in which nothing stands in the way.
pub(crate) fn open_facts() -> Facts {
    Facts {
        has_repository: true,
        claimer: Some(AgentFacts {
            paused: false,
            quota_wait: false,
            running: 0,
            max_concurrent: 1,
        }),
        same_project: true,
        cleanup_delay_seconds: 86_400,
        ..Facts::default()
    }
}

/// A plain new task.
pub(crate) fn new_task() -> Create {
    Create {
        project_id: ProjectId::new(uuid(1)),
        repo_id: Some(RepoId::new(uuid(2))),
        number: 12,
        kind: TaskKind::Task,
        title: "Add rate limiting".to_owned(),
        description: "Per address.".to_owned(),
        priority: 0,
        labels: BTreeSet::new(),
        review_config: ReviewConfig::default(),
        merge_config: MergeConfig::default(),
        roles: BTreeMap::new(),
        dependencies: BTreeSet::new(),
        parent: None,
        subtask: None,
        budget: Budget::default(),
        origin: None,
        metadata: serde_json::Map::new(),
    }
}

impl Desk {
    /// A new task in a shipped workflow.
    pub(crate) fn of(template: &str) -> Self {
        Self::with(workflow(template), new_task())
    }

    pub(crate) fn with(workflow: Workflow, asked: Create) -> Self {
        let envelope = Envelope {
            id: CommandId::new(uuid(0x10_0000)),
            at: Timestamp::from_millis(1_000),
            actor: person(1),
            command: asked,
        };
        let decision = create(&workflow, &envelope).expect("the task can be made");
        assert_eq!(create(&workflow, &envelope).as_ref(), Ok(&decision), "decided twice");
        let recorded: Vec<_> = decision.events.iter().map(round_trip).collect();
        let folded = replay(&recorded).expect("it begins with its creation");
        assert_eq!(folded, decision.snapshot, "replay");
        let mut steps = Vec::new();
        effects::write(&mut steps, &decision, envelope.at);
        Self {
            workflow,
            task: decision.snapshot,
            facts: open_facts(),
            steps,
            recorded,
            given: Vec::new(),
            now: 1_000,
            commands: 0,
            folded,
            effect_ids: BTreeSet::new(),
        }
    }

    /// Gives a command, whatever comes of it.
    pub(crate) fn give(&mut self, actor: Actor, command: Command) -> Result<Decision, Refusal> {
        self.commands += 1;
        self.now += 1_000;
        let envelope = self.envelope(actor, command);
        let answer = decide(&self.workflow, &self.task, &self.facts, &envelope);
        let again = decide(&self.workflow, &self.task, &self.facts, &envelope);
        assert_eq!(answer, again, "the same inputs must be decided the same way");
        self.given.push(Given { facts: self.facts.clone(), envelope, answer: answer.clone() });
        if let Ok(decision) = &answer {
            self.commit(decision);
        }
        answer
    }

    /// The task goes on in another workflow, if that has a place for it.
    pub(crate) fn adopt(
        &mut self,
        actor: Actor,
        workflow: &Workflow,
        mapping: &BTreeMap<StateName, StateName>,
    ) -> Result<Decision, Refusal> {
        self.commands += 1;
        self.now += 1_000;
        let old = self.workflow.clone();
        let succession = Succession::new(&old, workflow, mapping)
            .map_err(|problems| Refusal::InvalidMapping { problems })?;
        let envelope = self.envelope(actor, Adopt);
        let answer = adopt(&succession, &self.task, &envelope);
        assert_eq!(answer, adopt(&succession, &self.task, &envelope), "decided twice");
        if let Ok(decision) = &answer {
            self.commit(decision);
            self.workflow = workflow.clone();
        }
        answer
    }

    /// What a command would lead to.
    pub(crate) fn consider(&self, actor: Actor, command: Command) -> Result<Decision, Refusal> {
        decide(&self.workflow, &self.task, &self.facts, &self.envelope(actor, command))
    }

    /// Gives a command that must be carried out.
    pub(crate) fn accept(&mut self, actor: Actor, command: Command) -> Decision {
        let asked = format!("{command:?}");
        self.give(actor, command).unwrap_or_else(|refusal| panic!("{asked} was refused: {refusal}"))
    }

    /// Gives a command that must be refused.
    pub(crate) fn refuse(&mut self, actor: Actor, command: Command) -> Refusal {
        let before = self.task.clone();
        let asked = format!("{command:?}");
        match self.give(actor, command) {
            Ok(decision) => panic!("{asked} was carried out: {:?}", decision.events),
            Err(refusal) => {
                assert_eq!(self.task, before, "a refusal changes nothing");
                refusal
            }
        }
    }

    /// Forge reports.
    pub(crate) fn report(&mut self, report: Report) -> Decision {
        self.accept(machine(), Command::Report(report))
    }

    /// A person moves the task, having seen its present version.
    pub(crate) fn move_to(&mut self, state: &str, reason: Option<&str>) -> Decision {
        let command = self.moving(state, reason);
        self.accept(person(1), command)
    }

    pub(crate) fn moving(&self, state: &str, reason: Option<&str>) -> Command {
        Command::Move {
            to: StateName::new(state),
            version: self.task.version,
            reason: reason.map(str::to_owned),
        }
    }

    pub(crate) fn state(&self) -> &str {
        self.task.state.as_str()
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now)
    }

    /// Lets time pass up to a moment.
    pub(crate) fn wait_until(&mut self, moment: Timestamp) {
        self.now = self.now.max(moment.millis());
    }

    pub(crate) fn is_stopping(&self) -> bool {
        matches!(self.task.activity, Some(Activity::Stopping { .. }))
    }

    /// The names of the effects that have not ended, in order.
    pub(crate) fn outstanding(&self) -> Vec<&'static str> {
        self.steps.iter().map(|step| step.effect().name()).collect()
    }

    /// The last things that happened, for the message of a failing law.
    pub(crate) fn story(&self) -> String {
        let mut lines = Vec::new();
        for given in &self.given {
            if let Ok(decision) = &given.answer
                && !decision.events.is_empty()
            {
                let kinds: Vec<_> =
                    decision.events.iter().map(|found| found.event.kind().0).collect();
                lines.push(format!("\n  {:?} -> {kinds:?}", given.envelope.command));
            }
        }
        format!("after:{}", lines[lines.len().saturating_sub(15)..].concat())
    }

    /// The whole history, folded anew from its stored form.
    pub(crate) fn check_replay(&self) {
        assert_eq!(
            replay(&self.recorded).as_ref(),
            Some(&self.task),
            "replay of the whole history"
        );
    }

    fn envelope<C>(&self, actor: Actor, command: C) -> Envelope<C> {
        Envelope {
            id: CommandId::new(uuid(0x10_0000 + self.commands)),
            at: self.now(),
            actor,
            command,
        }
    }

    fn commit(&mut self, decision: &Decision) {
        for recorded in &decision.events {
            let stored = round_trip(recorded);
            apply(&mut self.folded, &stored.event, stored.at);
            self.folded.version = stored.version;
            self.recorded.push(stored);
        }
        assert_eq!(self.folded, decision.snapshot, "the events must add up to the snapshot");
        for planned in &decision.effects {
            assert!(self.effect_ids.insert(planned.id.uuid()), "an effect's id must be its own");
        }
        let at = self.now();
        effects::write(&mut self.steps, decision, at);
        self.task = decision.snapshot.clone();
    }
}

/// An event as it comes back from storage.
fn round_trip(recorded: &Recorded) -> Recorded {
    let value = serde_json::to_value(recorded).expect("events can be written");
    let kind = value["event"]["type"].as_str().map(str::to_owned);
    assert_eq!(kind.as_deref(), Some(recorded.event.kind().0), "the stored type is the kind");
    let text = value.to_string();
    let back: Recorded = serde_json::from_str(&text).expect("events can be read");
    assert_eq!(&back, recorded, "an event survives storage: {text}");
    back
}
