//! The gate: what checks may do to a workspace (M-2), what a reviewer may do (M-3), and what a pass is worth (M-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, ReviewConfig, TaskSnapshot};
use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, CheckOutcome, TaskCommand, TaskId, TaskPatch, Verdict};
use forge_engine::{EngineLimits, TaskSpec};
use forge_store::tables::{self, reviews::ReviewRow, reviews::ReviewRowStatus};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;

async fn reviews(world: &EngineFixture, task: TaskId) -> Vec<ReviewRow> {
    tables::reviews::list_of_task(world.engine().db(), task).await.expect("reviews")
}

async fn landed_files(world: &EngineFixture) -> Vec<String> {
    let names = world.repository.git(&["ls-tree", "-r", "--name-only", "main"]).await;
    names.lines().map(str::to_owned).collect()
}

/// Everything that is kept besides branches.
async fn kept(world: &EngineFixture) -> String {
    let all = ["log", "--all", "--format=%s", "--name-only", "--glob=refs/forge/*"];
    world.repository.git(&all).await
}

/// A task with these checks and a reviewer with this script, after the coder has worked.
async fn judged(world: &EngineFixture, ci_steps: &[&str], reviewer: &str) -> TaskSnapshot {
    let id = world.agent("reviewer", reviewer).await.expect("an agent");
    let roles = [(RoleName::new("reviewer"), Assignee::Agent { id })].into();
    let asked = TaskSpec { roles, ..EngineFixture::checked_task_request("Work", ci_steps) };
    let task = world.work_on(asked, "echo good > good.txt").await;
    world.load_task(task).await
}

async fn approve(world: &EngineFixture, task: TaskId, attempt: u32, reason: &str) {
    let reason = Some(reason.to_owned());
    let command = TaskCommand::Approve { attempt, reason };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, command)
        .await
        .expect("a person may");
}

#[tokio::test]
async fn m_2_changes_by_checks_are_saved_and_reverted() {
    let world = EngineFixture::new().await;
    let check = "echo broken > numbers.txt; echo left > left.txt; git add left.txt; \
                 git -c user.name=ci -c user.email=ci@x commit --quiet -m 'by the check' -- left.txt; \
                 echo loose > loose.txt; git checkout --quiet --detach; rm README.md";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[check]), "echo good > good.txt")
        .await;
    let now = world.load_task(task).await;
    assert!(now.review_passed_at.is_some(), "{:?}", now.annotation);
    let place = world.workspace_dir(task).await;
    assert!(!place.join("left.txt").exists() && !place.join("loose.txt").exists());
    assert!(place.join("README.md").exists());
    let branch = now.workspace.clone().unwrap().branch;
    assert_eq!(world.repository.subjects(&branch).await, ["Work", "first"]);
    assert_eq!(world.repository.git(&["rev-parse", &branch]).await, now.reviewed.unwrap());
    let saved = kept(&world).await;
    assert!(saved.contains("loose.txt") && saved.contains("left.txt"), "P-1: {saved}");
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    assert_eq!(landed_files(&world).await, ["README.md", "good.txt", "numbers.txt"]);
}

#[tokio::test]
async fn m_2_files_left_by_checks_are_not_the_coders_work() {
    let world = EngineFixture::new().await;
    let check = "echo report > report.xml; test -f second.txt";
    let coder = "[ -f good.txt ] && echo more > second.txt; echo good > good.txt";
    let task = world.work_on(EngineFixture::checked_task_request("Work", &[check]), coder).await;
    let attempts = reviews(&world, task).await;
    let statuses: Vec<_> = attempts.iter().map(|review| (review.status, review.counted)).collect();
    assert_eq!(statuses, [(ReviewRowStatus::Failed, true), (ReviewRowStatus::Passed, false)]);
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    let files = landed_files(&world).await;
    assert_eq!(files, ["README.md", "good.txt", "numbers.txt", "second.txt"]);
}

#[tokio::test]
async fn m_2_a_check_that_hangs_is_its_own_result_and_leaves_nothing_running() {
    let world = EngineFixture::new().await;
    let daemon = "setsid sh -c 'echo $$ > \"$HOME/daemon\"; exec sleep 600' & \
                  until [ -s \"$HOME/daemon\" ]; do :; done";
    let hangs = format!("{daemon}; echo working; exec sleep 600");
    let review_config = Some(ReviewConfig {
        ci_steps: vec![daemon.to_owned(), format!("rm \"$HOME/daemon\"; {hangs}"), "false".into()],
        timeout_seconds: Some(2),
        ..ReviewConfig::default()
    });
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let asked = TaskSpec { review_config, ..EngineFixture::task_request("Work") };
    let task = world.claimed_task(project, asked, "coder", "echo good > good.txt").await;
    // Each attempt sends the work back until the gate is exhausted.
    world.settle().await.unwrap();
    let first = reviews(&world, task).await.remove(0);
    let outcomes: Vec<_> = first.results.iter().map(|result| result.outcome).collect();
    assert_eq!(outcomes, [CheckOutcome::Passed, CheckOutcome::TimedOut], "and no step after it");
    let [_, hung] = first.results.as_slice() else { panic!("two results") };
    assert_eq!((hung.exit_code, hung.output_tail.as_str()), (None, "working\n"));
    assert_eq!((hung.log.from, hung.log.to), (0, 8), "the first step printed nothing");
    assert!(hung.duration_ms >= 2000, "{}", hung.duration_ms);
    assert!(first.verdict.unwrap().feedback().unwrap().contains("took too long"));
    let pid = world.lines("daemon").remove(0);
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "the daemon lives: {state}");
}

#[tokio::test]
async fn m_2_a_check_that_floods_fills_neither_disk_nor_database() {
    let limits = EngineLimits { log_bytes: 100_000, ..EngineFixture::limits() };
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    let flood = "yes 'a line of the flood' | head -c 5000000; echo the end";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[flood]), "echo good > good.txt")
        .await;
    let review = reviews(&world, task).await.remove(0);
    assert_eq!(review.status, ReviewRowStatus::Passed);
    let tail = &review.results[0].output_tail;
    assert!(tail.len() <= 4096 && tail.ends_with("the end\n"), "{} bytes", tail.len());
    let log = std::fs::metadata(world.engine().home().log(review.id.uuid())).unwrap().len();
    assert!(log < 200_000, "{log} bytes");
}

#[tokio::test]
async fn m_2_a_check_that_writes_into_the_persons_checkout_lands_nothing_of_it() {
    let world = EngineFixture::new().await;
    let check = "echo sneaked > \"$HOME/repo/sneaked.txt\"";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[check]), "echo good > good.txt")
        .await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    assert_eq!(landed_files(&world).await, ["README.md", "good.txt", "numbers.txt"]);
    let person = world.repository.git(&["status", "--porcelain"]).await;
    assert_eq!(person, "?? sneaked.txt", "it is the person's to look at");
}

#[tokio::test]
async fn m_5_an_equal_tree_is_not_checked_twice_and_names_the_origin_of_its_results() {
    let world = EngineFixture::new().await;
    let check = "echo ran >> \"$HOME/runs\"; echo output";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[check]), "echo good > good.txt")
        .await;
    world.move_to(task, "in_progress").await;
    let now = world.load_task(task).await;
    assert!(now.state.as_str() == "review" && now.review_passed_at.is_some());
    assert_eq!(world.lines("runs"), ["ran"], "the coder changed nothing");
    let [first, second] = reviews(&world, task).await.try_into().expect("two attempts");
    assert_eq!((first.taken_from, second.results), (None, first.results.clone()));
    let origin = second.taken_from.expect("it says so");
    assert_eq!((origin.review, Some(origin.at)), (Some(first.id), first.finished_at));
    // Another task with the same tree, and the same tree with other checks.
    let same = world.work_on(EngineFixture::checked_task_request("Same", &[check]), "").await;
    assert_eq!(world.lines("runs"), ["ran"]);
    assert!(reviews(&world, same).await[0].taken_from.is_some());
    let other = EngineFixture::checked_task_request("Other", &[check, "true"]);
    let other = world.work_on(other, "").await;
    assert_eq!(world.lines("runs"), ["ran", "ran"]);
    assert!(reviews(&world, other).await[0].taken_from.is_none());
}

#[tokio::test]
async fn m_5_a_failure_is_no_receipt() {
    let world = EngineFixture::new().await;
    let check = "echo ran >> \"$HOME/runs\"; [ $(wc -l < \"$HOME/runs\") -gt 1 ]";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[check]), "echo good > good.txt")
        .await;
    let statuses: Vec<_> = reviews(&world, task).await.iter().map(|one| one.status).collect();
    assert_eq!(statuses, [ReviewRowStatus::Failed, ReviewRowStatus::Passed]);
    assert_eq!(world.lines("runs").len(), 2);
}

#[tokio::test]
async fn m_5_landing_requires_a_receipt_under_the_current_checks() {
    let world = EngineFixture::new().await;
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &["true"]), "echo good > good.txt")
        .await;
    let ci_steps = vec!["true".to_owned(), "test -f good.txt".to_owned()];
    let review_config = Some(ReviewConfig { ci_steps, ..ReviewConfig::default() });
    let patch = TaskPatch { review_config, ..TaskPatch::default() };
    let update = TaskCommand::Update(patch);
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, update)
        .await
        .expect("it is taken");
    let refused = world.land_task(task).await;
    assert_eq!(refused.state.as_str(), "blocked");
    let trouble = refused.annotation.expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::Unreviewed);
    assert!(trouble.message.contains("hand the task in again"), "{}", trouble.message);
    assert_eq!(world.repository.subjects("main").await, ["first"]);
    world.move_to(task, "in_progress").await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
}

#[tokio::test]
async fn m_4_an_override_after_an_exhausted_gate_lands_and_is_no_receipt() {
    let world = EngineFixture::new().await;
    let check = "echo ran >> \"$HOME/runs\"; false";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[check]), "echo good > good.txt")
        .await;
    let exhausted = world.load_task(task).await;
    assert_eq!(exhausted.state.as_str(), "blocked");
    assert_eq!(exhausted.annotation.unwrap().kind, AnnotationType::GateExhausted);
    let attempt = exhausted.attempts;
    approve(&world, task, attempt, "the linter is wrong").await;
    let now = world.load_task(task).await;
    assert_eq!((now.state.as_str(), now.attempts), ("review", attempt));
    let last = reviews(&world, task).await.pop().unwrap();
    assert_eq!((last.status, last.results[0].exit_code), (ReviewRowStatus::Passed, Some(1)));
    let decided = last.decided.expect("it is on record");
    assert!(decided.overrides);
    assert_eq!(decided.reason.as_deref(), Some("the linter is wrong"));
    let runs = world.lines("runs").len();
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    assert!(world.repository.path().join("good.txt").exists());
    // The same tree is checked again for the next task.
    let mut same = EngineFixture::checked_task_request("Same", &[check]);
    // It changes nothing, which this test is not about.
    same.review_config.as_mut().expect("has checks").allow_no_changes = true;
    let same = world.work_on(same, "echo good > good.txt").await;
    assert!(world.lines("runs").len() > runs, "an override is no receipt");
    assert_eq!(world.load_task(same).await.review_passed_at, None);
}

#[tokio::test]
async fn m_3_a_reviewers_edits_never_land_and_its_verdict_is_about_the_reviewed_commit() {
    let world = EngineFixture::new().await;
    let reviewer = "cat \"$FORGE_PROMPT_FILE\" > \"$HOME/prompt\"; echo better > good.txt; echo mine > mine.txt; \
                    git add -A; git -c user.name=r -c user.email=r@x commit --quiet -m 'by the reviewer'; \
                    git checkout --quiet -B mine; echo loose > loose.txt; echo '{\"verdict\":\"pass\",\"feedback\":\"fine\"}'";
    let now = judged(&world, &["true"], reviewer).await;
    let task = now.id;
    assert!(now.review_passed_at.is_some(), "{:?}", now.annotation);
    let branch = now.workspace.clone().unwrap().branch;
    assert_eq!(world.repository.subjects(&branch).await, ["Work", "first"]);
    let saved = kept(&world).await;
    assert!(saved.contains("mine.txt") && saved.contains("loose.txt"), "P-1: {saved}");
    let prompt = world.lines("prompt").join("\n");
    assert!(prompt.contains("+good") && prompt.contains("good.txt"), "the diff is in it: {prompt}");
    let review = reviews(&world, task).await.remove(0);
    assert_eq!(review.verdict, Some(Verdict::Pass { feedback: Some("fine".to_owned()) }));
    assert!(matches!(review.decided.map(|decided| decided.by), Some(Assignee::Agent { .. })));
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    assert_eq!(landed_files(&world).await, ["README.md", "good.txt", "numbers.txt"]);
    assert_eq!(world.repository.git(&["show", "main:good.txt"]).await, "good");
}

#[tokio::test]
async fn m_3_nonsense_and_silence_are_asked_about_once_more_and_then_parked() {
    for answer in ["echo looks good to me", ":", "echo '{\"verdict\":\"maybe\"}'", "exit 3"] {
        let world = EngineFixture::new().await;
        let script = format!("cat \"$FORGE_PROMPT_FILE\" >> \"$HOME/asked\"; {answer}");
        let now = judged(&world, &["true"], &script).await;
        assert_eq!(now.state.as_str(), "blocked", "{answer}");
        assert_eq!(now.annotation.unwrap().kind, AnnotationType::ReviewBlocked, "{answer}");
        assert!(now.rejections.is_empty() && now.review_passed_at.is_none(), "{answer}");
        let asked = world.lines("asked").join("\n");
        assert_eq!(asked.matches("## Your answer").count(), 2, "asked twice: {answer}");
        assert_eq!(asked.matches("no verdict in your answer").count(), 1, "{answer}");
        let review = reviews(&world, now.id).await.remove(0);
        assert_eq!((review.status, review.verdict), (ReviewRowStatus::Blocked, None), "{answer}");
    }
}

#[tokio::test]
async fn m_3_the_second_asking_can_bring_the_verdict() {
    let world = EngineFixture::new().await;
    let script = "if [ -e \"$HOME/again\" ]; then echo '{\"verdict\":\"pass\"}'; else touch \"$HOME/again\"; fi";
    let now = judged(&world, &["true"], script).await;
    assert!(now.review_passed_at.is_some(), "{:?}", now.annotation);
    assert_eq!((now.attempts, reviews(&world, now.id).await.len()), (1, 1), "one attempt");
}

#[tokio::test]
async fn m_3_a_blocked_reviewer_spends_no_attempt() {
    let world = EngineFixture::new().await;
    let script = "echo '{\"verdict\":\"blocked\",\"feedback\":\"no network\"}'";
    let now = judged(&world, &["true"], script).await;
    assert_eq!(now.state.as_str(), "blocked");
    let trouble = now.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::ReviewBlocked);
    assert!(trouble.message.contains("no network"), "{}", trouble.message);
    assert!(now.rejections.is_empty());
    let review = reviews(&world, now.id).await.remove(0);
    assert_eq!((review.status, review.counted), (ReviewRowStatus::Blocked, false));
}
