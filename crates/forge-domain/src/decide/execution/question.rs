//! Questions of an execution to the person in charge (T-27). An answer becomes a message to the role that asked.
//!
//! An execution that ends while a question is open does not hand its work in: the task waits in its state
//! ([`AnswerTurn`]), and the answer to the last open question opens the next execution. Nothing else does, so an
//! unanswered question never starts an agent.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::ExecutionResult;
use crate::task::{
    AnswerTurn, ExecutionPurpose, FollowUpMessage, OpenQuestion, SteerMessage, TaskActivity,
    TaskExecution,
};
use crate::workflow::{StateBehaviour, StateRef, WorkflowState};
use crate::{Actor, Assignee, Effect, Refusal, TaskEvent};

const LONGEST_QUESTION: usize = 20_000;
const LONGEST_ANSWER: usize = 100_000;
/// Maximum number of open questions: the task's record contains them.
const MOST_OPEN: usize = 20;

impl DecisionBuilder<'_> {
    /// Records a question.
    pub(crate) fn ask(&mut self, text: &str, is_awaited: bool) -> Result<(), Refusal> {
        self.check_ask()?;
        check_length("text", text, LONGEST_QUESTION)?;
        if self.task.questions.len() >= MOST_OPEN {
            let problem = format!(
                "{} already has {MOST_OPEN} open questions; wait for their answers",
                self.task.key()
            );
            return Err(Refusal::InvalidField { field: "text", problem });
        }
        let last = self.task.last_run.as_ref();
        let question = OpenQuestion {
            number: self.task.asked_questions + 1,
            text: text.trim().to_owned(),
            by: self.actor().clone(),
            execution: last.map(|run| run.execution),
            role: last.map(|run| run.role.clone()),
            is_awaited,
            at: self.now(),
        };
        self.emit(TaskEvent::QuestionAsked { question: Box::new(question) });
        Ok(())
    }

    /// Records an answer and sends it to the role that asked. `live` says whether the asking program accepts messages
    /// while it runs.
    pub(crate) fn answer(&mut self, number: u32, text: &str, live: bool) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("answer a question"));
        }
        let open = self.task.questions.iter().find(|question| question.number == number);
        let Some(question) = open.cloned() else {
            return Err(Refusal::QuestionClosed { key: self.task.key(), number });
        };
        check_length("text", text, LONGEST_ANSWER)?;
        let answer = text.trim().to_owned();
        let message = self.answer_message(&question, &answer, live);
        let delivered = message.as_ref().filter(|message| message.live);
        let delivered = delivered.map(|message| message.execution);
        self.emit(TaskEvent::QuestionAnswered { number, answer, message });
        if let Some(execution) = delivered {
            self.plan_effect(Effect::DeliverSteer { execution });
        }
        self.start_answer_turn()
    }

    /// The asking program has fetched the answer itself, so it is no message any more. Repeating it changes nothing.
    pub(crate) fn receive_answer(&mut self, number: u32) -> Result<(), Refusal> {
        let Actor::Agent { execution, .. } = self.actor() else {
            return Err(Refusal::NotTheAsker { key: self.task.key(), number });
        };
        let is_it = |message: &SteerMessage| {
            message.question == Some(number) && message.execution == *execution
        };
        if self.task.steers.iter().any(is_it) {
            self.emit(TaskEvent::QuestionReceived { number });
        }
        Ok(())
    }

    /// Checks that the actor can ask now: an agent only in its own execution.
    pub(crate) fn check_ask(&self) -> Result<(), Refusal> {
        let key = self.task.key();
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        if let Actor::Agent { execution, .. } = self.actor() {
            let stopping = matches!(self.task.activity, Some(TaskActivity::Stopping { .. }));
            let own = |run: &TaskExecution| run.execution == *execution;
            if stopping || !self.task.run.as_ref().is_some_and(own) {
                return Err(Refusal::ExecutionEnded { key });
            }
        }
        Ok(())
    }

    /// P-3: an agent does not hand in work about which it still asks.
    pub(crate) fn check_questions_answered(&self, target: &StateRef) -> Result<(), Refusal> {
        let Some(question) = self.task.questions.first() else { return Ok(()) };
        if self.actor().is_person() || !self.submits_work(self.state()?, target)? {
            return Ok(());
        }
        Err(Refusal::QuestionOpen { key: self.task.key(), number: question.number })
    }

    /// Lets the task wait for the answers after its execution ended well. Returns whether it waits.
    pub(crate) fn wait_for_answers(
        &mut self,
        run: &TaskExecution,
        result: &ExecutionResult,
    ) -> bool {
        let judged = run.purpose == ExecutionPurpose::Judge
            && (self.task.gate.verdict.is_some() || result.printed_verdict().is_some());
        if judged {
            // The verdict is given, so the answer would reach no reviewer.
            self.close_questions(|question| question.role.as_ref() == Some(&run.role));
        }
        if judged || self.task.questions.is_empty() {
            return false;
        }
        let turn = AnswerTurn { role: run.role.clone(), purpose: run.purpose };
        self.emit(TaskEvent::QuestionsAwaited { turn });
        true
    }

    /// A person who hands work in has decided to go on without an answer.
    pub(crate) fn close_skipped_questions(
        &mut self,
        state: &WorkflowState,
        target: &StateRef,
    ) -> Result<(), Refusal> {
        if self.actor().is_person() && self.submits_work(state, target)? {
            self.close_questions(|_| true);
        }
        Ok(())
    }

    /// Closes open questions without an answer.
    pub(crate) fn close_questions(&mut self, is_meant: impl Fn(&OpenQuestion) -> bool) {
        let meant = self.task.questions.iter().filter(|question| is_meant(question));
        let numbers: Vec<_> = meant.map(|question| question.number).collect();
        if !numbers.is_empty() {
            self.emit(TaskEvent::QuestionsClosed { numbers });
        }
    }

    /// Opens the execution that waits for answers, once no question is open.
    fn start_answer_turn(&mut self) -> Result<(), Refusal> {
        if !self.task.questions.is_empty() || self.task.is_executing() {
            return Ok(());
        }
        let Some(turn) = self.task.answer_turn.clone() else { return Ok(()) };
        let holder = self.task.roles.get(&turn.role).and_then(Assignee::agent);
        let session = self.task.sessions.get(&turn.role);
        let session = session.filter(|known| Some(known.agent) == holder);
        self.follow_up = session
            .map(|known| FollowUpMessage { session: known.id.clone(), message: String::new() });
        self.open_execution(&turn.role, turn.purpose)
    }

    /// The message with the answer; `None` for a question that was asked before any execution.
    fn answer_message(
        &mut self,
        question: &OpenQuestion,
        answer: &str,
        live: bool,
    ) -> Option<Box<SteerMessage>> {
        let (execution, role) = (question.execution?, question.role.clone()?);
        let running = self.task.activity == Some(TaskActivity::Running { execution });
        Some(Box::new(SteerMessage {
            id: self.derive_id(),
            execution,
            role,
            message: format!(
                "Question {}:\n\n{}\n\nThe answer:\n\n{answer}",
                question.number, question.text
            ),
            live: live && running && !question.is_awaited,
            question: Some(question.number),
            by: self.actor().clone(),
            at: self.now(),
        }))
    }

    /// Whether the move hands the work of a state in.
    fn submits_work(&self, state: &WorkflowState, target: &StateRef) -> Result<bool, Refusal> {
        let StateBehaviour::Work { done, .. } = &state.behaviour else { return Ok(false) };
        let into = &self.resolve(target)?.behaviour;
        let judged = matches!(into, StateBehaviour::Gate { .. } | StateBehaviour::Merge { .. });
        Ok(done == target || judged)
    }
}

fn check_length(field: &'static str, text: &str, longest: usize) -> Result<(), Refusal> {
    if !text.trim().is_empty() && text.len() <= longest {
        return Ok(());
    }
    let problem = format!("must have between 1 and {longest} bytes");
    Err(Refusal::InvalidField { field, problem })
}
