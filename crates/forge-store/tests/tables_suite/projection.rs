//! The projection of events into list tables, and replay.

use std::sync::Arc;

use forge_domain::task::{
    ExecutionOverrides, ExecutionPurpose, ReasoningEffort, TaskSnapshot, Workspace, WorkspaceStatus,
};
use forge_domain::workflow::{RoleName, StateName, Workflow, WorkflowMigration};
use forge_domain::{
    AdoptWorkflow, AgentId, Assignee, CheckOutcome, CheckResult, Decision, EffectReport,
    ExecutionEnding, ExecutionId, ExecutionResult, PermissionPolicy, ProcessRecord, RecordedEvent,
    ResetScope, TaskCommand, TaskEvent, UserId, adopt_workflow, replay,
};
use forge_store::tables::executions::{self, ExecutionRowStatus};
use forge_store::tables::questions::{QuestionAnswer, QuestionRow};
use forge_store::tables::reviews::{self, ReviewRowStatus};
use forge_store::tables::{PageRequest, comments, events, projection, questions, transitions};
use forge_store::{ConstraintRule, StoreError};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, id, person};

fn someone() -> Assignee {
    Assignee::User { id: UserId::new(id(1)) }
}

/// A task with an open execution of this assignee.
pub(crate) async fn run(board: &TestBoard, assignee: Assignee) -> TaskSnapshot {
    let mut decision = board.draft("work");
    let task = &mut decision.snapshot;
    let run = forge_domain::task::TaskExecution {
        execution: ExecutionId::new(task.id.uuid()),
        role: RoleName::new("coder"),
        assignee,
        purpose: ExecutionPurpose::Work,
        follow_up: None,
        messages: Vec::new(),
        steers: Vec::new(),
        overrides: Default::default(),
    };
    task.run = Some(run.clone());
    decision.events.push(RecordedEvent {
        event: TaskEvent::ExecutionCreated(run),
        at: at(5),
        version: 1,
    });
    board.commit(&decision, 5).await
}

/// Ends the execution of [`run`].
pub(crate) async fn end(board: &TestBoard, task: &TaskSnapshot) {
    let execution = task.run.as_ref().expect("a run").execution;
    let result = ExecutionResult::without_work(ExecutionEnding::Exited { code: 0 });
    let event = TaskEvent::ExecutionFinished { execution, result };
    let events = vec![RecordedEvent { event, at: at(9), version: 1 }];
    let snapshot = TaskSnapshot { run: None, ..task.clone() };
    board.commit(&Decision { snapshot, events, effects: vec![], supersedes: false }, 9).await;
}

async fn moved(board: &TestBoard, task: &TaskSnapshot, to: &str, now: i64) -> TaskSnapshot {
    let reason = Some(format!("to {to} \0"));
    let command = TaskCommand::Move { to: StateName::new(to), version: Some(task.version), reason };
    board.order(task, command, now).await
}

/// Drives a task through the default workflow until the checks have failed once.
async fn rejected_once(board: &TestBoard) -> TaskSnapshot {
    let created = board.draft("a task");
    let task = board.commit(&created, 1).await;
    let assign = TaskCommand::Assign {
        role: RoleName::new("coder"),
        assignee: someone(),
        reset: ResetScope::Nothing,
    };
    let task = board.order(&task, assign, 2).await;
    let task = moved(board, &task, "todo", 3).await;
    let task = board.order(&task, TaskCommand::Claim { claimer: someone() }, 4).await;
    let execution = task.run.as_ref().expect("a run").execution;
    let workspace = Workspace {
        path: "w".to_owned(),
        branch: "b".to_owned(),
        base: "0".to_owned(),
        status: WorkspaceStatus::Ready,
    };
    let ready = EffectReport::WorkspaceReady { execution, workspace };
    let task = board.order(&task, TaskCommand::Report(ready), 5).await;
    let task = moved(board, &task, "review", 6).await;
    let review = task.review.expect("a review");
    let results = vec![CheckResult {
        command: "make test".to_owned(),
        exit_code: Some(2),
        outcome: CheckOutcome::Failed,
        duration_ms: 12,
        output_tail: "no\0".to_owned(),
        log: forge_domain::LogSpan { from: 3, to: 6 },
    }];
    let ended = EffectReport::ChecksEnded {
        review,
        commit: "c0ffee".to_owned(),
        results,
        setup_failed: false,
        receipt: None,
        taken_from: None,
    };
    board.order(&task, TaskCommand::Report(ended), 7).await
}

/// The workflow with one renamed state.
pub(crate) fn other_workflow(workflow: &Workflow, from: &str, to: &str) -> Workflow {
    let text = serde_json::to_string(workflow.definition()).expect("JSON");
    let text = text.replace(&format!("\"{from}\""), &format!("\"{to}\""));
    Workflow::compile(serde_json::from_str(&text).expect("a definition")).expect("a sound workflow")
}

async fn adopted(
    board: &TestBoard,
    task: &TaskSnapshot,
    old: &Workflow,
    new: &Workflow,
    mapping: &[(&str, &str)],
    now: i64,
) -> TaskSnapshot {
    let mapping = mapping.iter().map(|(from, to)| (StateName::new(*from), StateName::new(*to)));
    let mapping = mapping.collect();
    let succession = WorkflowMigration::new(old, new, &mapping).expect("it fits");
    let decision = adopt_workflow(&succession, task, &board.envelope(AdoptWorkflow, now))
        .expect("it has a place");
    board.commit(&decision, now).await
}

both_databases! {
    /// T-10, M-2: executions, reviews and transitions are derived from the events of real decisions.
    async fn t_10_lists_follow_from_events(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = Box::pin(rejected_once(&board)).await;

        let reviews = reviews::list_of_task(db, task.id).await.unwrap();
        assert_eq!(reviews.len(), 1);
        let review = &reviews[0];
        assert_eq!((review.attempt, review.status, review.commit.as_deref()), (1, ReviewRowStatus::Failed, Some("c0ffee")));
        assert_eq!((review.results[0].exit_code, review.started_at, review.finished_at), (Some(2), at(6), Some(at(7))));
        assert_eq!(reviews::load(db, review.id).await.unwrap().as_ref(), Some(review));

        let executions = executions::list_of_task(db, task.id).await.unwrap();
        let statuses: Vec<_> = executions.iter().map(|e| (e.status, e.user_id, e.created_at, e.finished_at)).collect();
        let user = someone().user();
        assert_eq!(statuses, [
            (ExecutionRowStatus::Finished, user, at(4), Some(at(6))),
            (ExecutionRowStatus::Pending, user, at(7), None),
        ]);
        assert_eq!(executions[0].outcome.as_ref().map(|result| result.ending), Some(ExecutionEnding::Submitted));
        assert_eq!(executions::list_open(db).await.unwrap(), executions[1..]);
        assert_eq!(executions::load(db, executions[0].id).await.unwrap().as_ref(), Some(&executions[0]));

        let mut page = PageRequest::first(2);
        let mut walked = Vec::new();
        loop {
            let (moves, next) = transitions::list_of_task(db, task.id, &page).await.unwrap();
            walked.extend(moves);
            let Some(next) = next else { break };
            page.after = Some(transitions::ORDER.cursor(&next.encode()).unwrap());
        }
        let states: Vec<&str> = walked.iter().map(|t| t.to_state.as_str()).collect();
        assert_eq!(states, ["todo", "planning", "in_progress", "review", "in_progress"]);
        assert!(walked.windows(2).all(|pair| pair[0].to_state == pair[1].from_state));
        let ids: Vec<i64> = walked.iter().map(|t| t.id).collect();
        assert_eq!(ids, [1, 2, 3, 4, 5]);
        let rejections: Vec<bool> = walked.iter().map(|t| t.rejection).collect();
        assert_eq!(rejections, [false, false, false, false, true]);
        assert_eq!(walked[0].reason.as_deref(), Some("to todo \0"));
        assert!(walked.iter().all(|t| t.actor == person()));
    }

    /// F-5, T-10: replacing the workflow is a transition only where the state's name changes.
    async fn f_5_t_10_a_workflow_migration_is_a_transition_if_the_name_changes(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = Box::pin(rejected_once(&board)).await;
        let coding = other_workflow(board.workflow(), "in_progress", "coding");
        let task = adopted(&board, &task, board.workflow(), &coding, &[("in_progress", "coding")], 8).await;
        let same = other_workflow(&coding, "blocked", "stuck");
        let task = adopted(&board, &task, &coding, &same, &[], 9).await;
        let task = adopted(&board, &task, &same, board.workflow(), &[("coding", "in_progress")], 10).await;
        let task = moved(&board, &task, "blocked", 11).await;
        let (walked, _) = transitions::list_of_task(&board.db, task.id, &PageRequest::first(50)).await.unwrap();
        let walked: Vec<_> = walked.iter().map(|t| (t.id, t.from_state.as_str(), t.to_state.as_str(), t.at)).collect();
        assert_eq!(walked[5..], [
            (6, "in_progress", "coding", at(8)),
            (7, "coding", "in_progress", at(10)),
            (8, "in_progress", "blocked", at(11)),
        ]);
        let rows = events::of_task(&board.db, task.id).await.unwrap();
        let recorded: Vec<RecordedEvent> = rows.into_iter().map(|row| row.recorded().unwrap()).collect();
        assert_eq!(replay(&recorded), Some(task));
    }

    /// P-6: the stored events fold into the stored snapshot.
    async fn p_6_replaying_the_stored_events_gives_the_snapshot(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = Box::pin(rejected_once(&board)).await;
        let rows = events::of_task(&board.db, task.id).await.unwrap();
        let recorded: Vec<RecordedEvent> = rows.into_iter().map(|row| row.recorded().unwrap()).collect();
        assert_eq!(replay(&recorded), Some(task));
    }

    /// P-5: the database refuses a second open execution of a task, and accepts one after the first has ended.
    async fn p_5_one_open_execution_per_task(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = run(&board, someone()).await;
        let second = forge_domain::task::TaskExecution {
            execution: ExecutionId::new(id(900)),
            ..task.run.clone().expect("a run")
        };
        let opened = vec![RecordedEvent { event: TaskEvent::ExecutionCreated(second), at: at(6), version: 1 }];
        let (snapshot, events) = (task.clone(), opened.clone());
        let refused: Result<(), StoreError> = board.db.write(move |tx| {
            let (snapshot, events) = (snapshot.clone(), events.clone());
            Box::pin(async move { projection::record(tx, &snapshot, &events, &person()).await })
        }).await;
        assert!(matches!(refused, Err(StoreError::Constraint { rule: ConstraintRule::Unique, .. })), "{refused:?}");
        end(&board, &task).await;
        board.commit(&Decision { snapshot: task.clone(), events: opened, effects: vec![], supersedes: false }, 10).await;
        assert_eq!(executions::list_of_task(&board.db, task.id).await.unwrap().len(), 2);
    }

    /// T-3: the overrides of a claim are stored with its executions, and replay gives the same snapshot.
    async fn t_3_the_overrides_of_a_claim_are_recorded(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = board.commit(&board.draft("a task"), 1).await;
        let overrides = ExecutionOverrides {
            model: Some("opus".to_owned()),
            reasoning_effort: Some(ReasoningEffort::High),
            permission_policy: Some(PermissionPolicy::Plan),
            deadline_seconds: Some(60),
            may_widen_policy: true,
        };
        let agent = AgentId::new(id(7));
        let claim = TaskCommand::ClaimWithOverrides { agent, overrides: Box::new(overrides.clone()) };
        let task = board.order(&task, claim, 2).await;
        let rows = executions::list_of_task(&board.db, task.id).await.unwrap();
        assert_eq!(rows[0].overrides, Some(overrides));
        let rows = events::of_task(&board.db, task.id).await.unwrap();
        let recorded: Vec<RecordedEvent> = rows.into_iter().map(|row| row.recorded().unwrap()).collect();
        assert_eq!(replay(&recorded), Some(task));
        let plain = run(&board, someone()).await;
        let rows = executions::list_of_task(&board.db, plain.id).await.unwrap();
        assert_eq!(rows[0].overrides, None);
    }

    /// E-12: a started process is recorded, so that a restarted node can find it.
    async fn e_12_the_process_of_an_execution_is_recorded(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = run(&board, someone()).await;
        let execution = task.run.as_ref().expect("a run").execution;
        let process = ProcessRecord { pid: 42, start_ticks: u64::MAX, boot_id: "boot".to_owned() };
        let event = TaskEvent::ExecutionStarted { execution, process: Some(process.clone()) };
        let events = vec![RecordedEvent { event, at: at(6), version: 1 }];
        board.commit(&Decision { snapshot: task, events, effects: vec![], supersedes: false }, 6).await;
        let open = executions::list_open(&board.db).await.unwrap();
        assert_eq!(open.len(), 1);
        assert_eq!((open[0].status, open[0].started_at), (ExecutionRowStatus::Running, Some(at(6))));
        assert_eq!(open[0].process, Some(process));
    }

    /// T-21: comments are kept in order with their author and the comment they answer.
    async fn t_21_comments(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = board.commit(&board.draft("t"), 1).await;
        let say = |body: &str, parent| TaskCommand::Comment { body: body.to_owned(), parent };
        let task = board.order(&task, say("first \0 **bold**", None), 2).await;
        let (first, _) = comments::list_of_task(&board.db, task.id, &PageRequest::first(1)).await.unwrap();
        board.order(&task, say("answer", Some(first[0].id)), 2).await;
        let (page, next) = comments::list_of_task(&board.db, task.id, &PageRequest::first(1)).await.unwrap();
        assert_eq!((page[0].body.as_str(), &page[0].author), ("first \0 **bold**", &person()));
        let (page, next) = comments::list_of_task(&board.db, task.id, &PageRequest { limit: 1, after: next }).await.unwrap();
        assert_eq!((page[0].body.as_str(), page[0].parent_id), ("answer", Some(first[0].id)));
        assert_eq!(next, None);
        assert_eq!(comments::load(&board.db, first[0].id).await.unwrap().as_ref(), Some(&first[0]));
    }

    /// T-27: questions are kept in order with their answers, also after the task ended.
    async fn t_27_questions(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = run(&board, someone()).await;
        let ask = |text: &str| TaskCommand::Ask { text: text.to_owned(), is_awaited: false };
        let task = board.order(&task, ask("which \0 port?"), 6).await;
        let task = board.order(&task, ask("and host?"), 7).await;
        let answer = TaskCommand::Answer { number: 1, text: "80\0".to_owned(), live: false };
        let task = board.order(&task, answer, 8).await;
        let task = board.order(&task, TaskCommand::Cancel { reason: None }, 9).await;
        let (page, next) = questions::list_of_task(&board.db, task.id, &PageRequest::first(1)).await.unwrap();
        let answered = QuestionAnswer { text: "80\0".to_owned(), by: person(), at: at(8) };
        let execution_id = task.last_run.as_ref().map(|run| run.execution);
        let first = QuestionRow {
            task_id: task.id,
            number: 1,
            text: "which \0 port?".to_owned(),
            asked_by: person(),
            execution_id,
            asked_at: at(6),
            answer: Some(answered),
            closed_at: None,
        };
        assert_eq!(page, [first]);
        let (page, next) = questions::list_of_task(&board.db, task.id, &PageRequest { limit: 1, after: next }).await.unwrap();
        assert_eq!((page[0].number, page[0].answer.clone(), page[0].closed_at), (2, None, Some(at(9))));
        assert_eq!(next, None);
        assert_eq!(questions::load(&board.db, task.id, 2).await.unwrap().as_ref(), Some(&page[0]));
        assert_eq!(questions::load(&board.db, task.id, 3).await.unwrap(), None);
    }

    /// M-2: a review that the reviewer could not judge differs from one that was superseded.
    async fn m_2_a_review_without_verdict_has_a_reason(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = Box::pin(rejected_once(&board)).await;
        let execution = task.run.as_ref().expect("a run").execution;
        let ready = EffectReport::WorkspaceReady { execution, workspace: task.workspace.clone().expect("one") };
        let task = board.order(&task, TaskCommand::Report(ready), 8).await;
        let task = moved(&board, &task, "review", 9).await;
        let review = task.review.expect("a review");
        let results = vec![CheckResult {
            command: "setup".to_owned(), exit_code: None, outcome: CheckOutcome::TimedOut, duration_ms: 1, output_tail: String::new(),
            log: forge_domain::LogSpan::default(),
        }];
        let broken = EffectReport::ChecksEnded { review, commit: "c".to_owned(), results, setup_failed: true, receipt: None, taken_from: None };
        let task = board.order(&task, TaskCommand::Report(broken), 10).await;
        let statuses: Vec<_> = reviews::list_of_task(&board.db, task.id).await.unwrap().iter().map(|r| r.status).collect();
        assert_eq!(statuses, [ReviewRowStatus::Failed, ReviewRowStatus::Blocked]);
    }
}
