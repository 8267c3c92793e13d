//! Test fixture: one task with its workflow, facts, effect rows and history. Each command is decided twice and
//! replayed, so every test also tests determinism and replay.

use super::cast::{machine, person, uuid};
use super::effects::{self, EffectEntry};
use forge_domain::task::{MergeConfig, ReviewConfig, TaskActivity, TaskKind, TaskSnapshot};
use forge_domain::workflow::{
    StateName, Workflow, WorkflowDefinition, WorkflowMigration, template,
};
use forge_domain::{
    Actor, AdoptWorkflow, AgentFacts, Budget, CommandEnvelope, CommandId, CreateTask, Decision,
    DecisionFacts, EffectReport, ProjectId, RecordedEvent, Refusal, RepoId, TaskCommand, Timestamp,
    adopt_workflow, apply, create, decide, replay,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone)]
pub(crate) struct TaskFixture {
    pub workflow: Workflow,
    pub task: TaskSnapshot,
    pub facts: DecisionFacts,
    pub steps: Vec<EffectEntry>,
    pub recorded: Vec<RecordedEvent>,
    /// All commands to the task, with the answers.
    pub given: Vec<GivenCommand>,
    now: i64,
    commands: u64,
    folded: TaskSnapshot,
    effect_ids: BTreeSet<uuid::Uuid>,
}

/// A command, its facts, and its answer.
#[derive(Debug, Clone)]
pub(crate) struct GivenCommand {
    pub facts: DecisionFacts,
    pub envelope: CommandEnvelope,
    pub answer: Result<Decision, Refusal>,
}

/// A shipped definition.
pub(crate) fn definition(name: &str) -> WorkflowDefinition {
    template(name).expect("a shipped template")
}

/// A shipped workflow.
pub(crate) fn workflow(name: &str) -> Workflow {
    Workflow::compile(definition(name)).expect("shipped templates are sound")
}

/// Facts that block nothing.
pub(crate) fn open_facts() -> DecisionFacts {
    DecisionFacts {
        has_repository: true,
        claimer: Some(AgentFacts {
            paused: false,
            quota_wait: false,
            running: 0,
            max_concurrent: 1,
        }),
        same_project: true,
        cleanup_delay_seconds: 86_400,
        ..DecisionFacts::default()
    }
}

/// A new task without special settings.
pub(crate) fn new_task() -> CreateTask {
    CreateTask {
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
        queued: false,
        origin: None,
        metadata: serde_json::Map::new(),
    }
}

impl TaskFixture {
    /// A new task in a shipped workflow.
    pub(crate) fn of(template: &str) -> Self {
        Self::with(workflow(template), new_task())
    }

    pub(crate) fn with(workflow: Workflow, asked: CreateTask) -> Self {
        let envelope = CommandEnvelope {
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

    /// Gives a command, accepted or refused.
    pub(crate) fn give(&mut self, actor: Actor, command: TaskCommand) -> Result<Decision, Refusal> {
        self.commands += 1;
        self.now += 1_000;
        let envelope = self.envelope(actor, command);
        let answer = decide(&self.workflow, &self.task, &self.facts, &envelope);
        let again = decide(&self.workflow, &self.task, &self.facts, &envelope);
        assert_eq!(answer, again, "the same inputs must be decided the same way");
        self.given.push(GivenCommand {
            facts: self.facts.clone(),
            envelope,
            answer: answer.clone(),
        });
        if let Ok(decision) = &answer {
            self.commit(decision);
        }
        answer
    }

    /// Moves the task into another workflow, if its state has a successor there.
    pub(crate) fn adopt(
        &mut self,
        actor: Actor,
        workflow: &Workflow,
        mapping: &BTreeMap<StateName, StateName>,
    ) -> Result<Decision, Refusal> {
        self.commands += 1;
        self.now += 1_000;
        let old = self.workflow.clone();
        let succession = WorkflowMigration::new(&old, workflow, mapping)
            .map_err(|problems| Refusal::InvalidMapping { problems })?;
        let envelope = self.envelope(actor, AdoptWorkflow);
        let answer = adopt_workflow(&succession, &self.task, &envelope);
        assert_eq!(answer, adopt_workflow(&succession, &self.task, &envelope), "decided twice");
        if let Ok(decision) = &answer {
            self.commit(decision);
            self.workflow = workflow.clone();
        }
        answer
    }

    /// The decision about a command, without applying it.
    pub(crate) fn consider(&self, actor: Actor, command: TaskCommand) -> Result<Decision, Refusal> {
        decide(&self.workflow, &self.task, &self.facts, &self.envelope(actor, command))
    }

    /// Gives a command that must be accepted.
    pub(crate) fn accept(&mut self, actor: Actor, command: TaskCommand) -> Decision {
        let asked = format!("{command:?}");
        self.give(actor, command).unwrap_or_else(|refusal| panic!("{asked} was refused: {refusal}"))
    }

    /// Gives a command that must be refused.
    pub(crate) fn refuse(&mut self, actor: Actor, command: TaskCommand) -> Refusal {
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

    /// Gives a report of the engine.
    pub(crate) fn report(&mut self, report: EffectReport) -> Decision {
        self.accept(machine(), TaskCommand::Report(report))
    }

    /// A person moves the task, with its current version.
    pub(crate) fn move_to(&mut self, state: &str, reason: Option<&str>) -> Decision {
        let command = self.moving(state, reason);
        self.accept(person(1), command)
    }

    pub(crate) fn moving(&self, state: &str, reason: Option<&str>) -> TaskCommand {
        TaskCommand::Move {
            to: StateName::new(state),
            version: Some(self.task.version),
            reason: reason.map(str::to_owned),
        }
    }

    pub(crate) fn state(&self) -> &str {
        self.task.state.as_str()
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now)
    }

    /// Advances the clock to a time.
    pub(crate) fn wait_until(&mut self, moment: Timestamp) {
        self.now = self.now.max(moment.millis());
    }

    pub(crate) fn is_stopping(&self) -> bool {
        matches!(self.task.activity, Some(TaskActivity::Stopping { .. }))
    }

    /// Names of the effects that have not ended, in order.
    pub(crate) fn outstanding(&self) -> Vec<&'static str> {
        self.steps.iter().map(|step| step.effect().name()).collect()
    }

    /// The last events, for the message of a failed assertion.
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

    /// Replays the whole history from its stored form.
    pub(crate) fn check_replay(&self) {
        assert_eq!(
            replay(&self.recorded).as_ref(),
            Some(&self.task),
            "replay of the whole history"
        );
    }

    fn envelope<C>(&self, actor: Actor, command: C) -> CommandEnvelope<C> {
        CommandEnvelope {
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

/// An event after a round trip through its stored form.
fn round_trip(recorded: &RecordedEvent) -> RecordedEvent {
    let value = serde_json::to_value(recorded).expect("events can be written");
    let kind = value["event"]["type"].as_str().map(str::to_owned);
    assert_eq!(kind.as_deref(), Some(recorded.event.kind().0), "the stored type is the kind");
    let text = value.to_string();
    let back: RecordedEvent = serde_json::from_str(&text).expect("events can be read");
    assert_eq!(&back, recorded, "an event survives storage: {text}");
    back
}
