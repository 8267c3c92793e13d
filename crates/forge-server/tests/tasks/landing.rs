//! From the end of the coder's work through the gate to the target branch, as a client sees it (M-2 to M-10, W-2,
//! W-7).

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::board::{Board, text};

fn said(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default().trim_end().to_owned()
}

/// M-2, M-3, W-2: after the coder the checks run, then the reviewer, all in one workspace; then the task waits. M-6,
/// M-10, W-7: the landing is a separate request; its answer is the task after it, with the workspace cleaned up.
#[tokio::test]
async fn m_3_m_6_m_10_a_passed_task_waits_and_its_merge_answers_after_the_cleanup() {
    let board = Board::new().await;
    let place = tempfile::tempdir().expect("a directory");
    let at = |name: &str| place.path().join(name);
    let here = |name: &str| format!("pwd >> '{}'", at(name).display());
    let (judging, go) = (board.meeting("judging"), board.meeting("go"));
    let coder = board.agent("coder", &format!("{}; echo x > x.txt", here("coder"))).await;
    let script = format!(
        "{}; cat \"$FORGE_PROMPT_FILE\" > '{}'; {}; {}; echo '{{\"verdict\":\"pass\"}}'",
        here("reviewer"),
        at("asked").display(),
        judging.announce(),
        go.wait()
    );
    let reviewer = board.agent("reviewer", &script).await;
    let task = board
        .task(json!({
            "title": "Work",
            "review_config": { "ci_steps": [here("ci")], "review_prompt": "Mind the gap." },
            "roles": { "reviewer": { "agent_id": reviewer } },
        }))
        .await;
    board.claim(&task, &coder).await;
    judging.announced().await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    let path = text(&workspace["path"]);
    for who in ["coder", "ci", "reviewer"] {
        assert_eq!(said(&at(who)), path, "{who} was there once, and nowhere else");
    }
    assert!(workspace["lock"].is_object(), "the reviewer holds the workspace: {workspace}");
    let asked = said(&at("asked"));
    assert!(asked.contains("Mind the gap.") && asked.contains("+x"), "{asked}");
    go.go_on().await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    board.quiet(&task).await;

    let waits = board.show(&task).await;
    assert_eq!((&waits["status"], &waits["busy"]), (&json!("review"), &Value::Null), "{waits}");
    assert!(waits["review_passed_at"].is_string());
    let reviews = board.items(&format!("/tasks/{task}/reviews")).await;
    let review = reviews.first().expect("an attempt");
    assert_eq!((&review["status"], &review["verdict"]), (&json!("passed"), &json!("pass")));
    assert_eq!((&review["attempt_number"], reviews.len()), (&json!(1), 1));
    assert_eq!(board.repository.subjects("main").await, ["first"], "nothing merges by itself");

    let mut events = board.server.events("?type=workspace.cleaned", None).await;
    let landed = board.move_to(&task, "merging").await;
    assert_eq!((&landed["status"], &landed["busy"]), (&json!("done"), &Value::Null), "{landed}");
    assert!(!PathBuf::from(&path).exists(), "the directory is gone with the answer");
    // Forge saves the content after the answer and then removes the branch.
    board.quiet(&task).await;
    let branches = board.repository.git(&["branch", "--format=%(refname:short)"]).await;
    assert_eq!(branches, "main", "its branch is gone too");
    let listed = board.repository.git(&["worktree", "list"]).await;
    let own = listed.lines().filter(|line| !line.contains("/.pool/")).count();
    assert_eq!(own, 1, "git's record is gone: {listed}");
    let after = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(after["status"], "cleaned", "{after}");
    let cleaned = events.next().await.expect("it is told");
    assert_eq!(cleaned.data["task_id"], json!(task));
    let payload = &cleaned.data["data"];
    assert_eq!((&payload["branch_deleted"], &payload["warnings"]), (&json!(true), &json!([])));
    let commit = board.repository.git(&["log", "-1", "--format=%P", "main"]).await;
    assert_eq!(commit.split(' ').count(), 1, "M-6: one commit, squashed: {commit}");
}

/// M-9, W-7: the same request answers with the conflict and its files; nothing has changed.
#[tokio::test]
async fn m_9_a_conflict_is_the_answer_to_the_merge_and_changes_nothing() {
    let board = Board::new().await;
    let coder = board.agent("coder", "sed -i s/two/MINE/ numbers.txt").await;
    let task = board.task(json!({ "title": "Mine" })).await;
    board.claim(&task, &coder).await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    board.quiet(&task).await;
    let reviews = board.items(&format!("/tasks/{task}/reviews")).await;
    assert_eq!(reviews[0]["status"], "passed", "M-2: no checks pass by themselves");
    assert_eq!(reviews[0]["step_results"], json!([]));
    board.repository.write("numbers.txt", "one\nTHEIRS\nthree\n");
    board.repository.commit("theirs").await;
    let before = board.repository.git(&["rev-parse", "main"]).await;
    let answer = board.move_to(&task, "merging").await;
    assert_eq!(answer["status"], "merge_failed", "{answer}");
    let trouble = &answer["error_annotation"];
    assert_eq!(trouble["type"], "merge_conflict", "{trouble}");
    assert_eq!(trouble["details"]["files"], json!(["numbers.txt"]));
    assert_eq!(board.repository.git(&["rev-parse", "main"]).await, before);
    assert_eq!(board.repository.git(&["status", "--porcelain"]).await, "");
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(workspace["status"], "cleaned", "no worktree is kept for a failed merge");
    board.repository.git(&["rev-parse", "--verify", &text(&workspace["branch"])]).await;
    let history = board.items(&format!("/tasks/{task}/transitions")).await;
    let last = history.last().expect("a move");
    assert_eq!(
        (&last["from_state"], &last["to_state"]),
        (&json!("merging"), &json!("merge_failed"))
    );
}

/// M-6: a merge that needs a checkout uses `_merge-…`, detached on the default branch whatever its name, and always
/// removes it. The HEAD of the user's own checkout does not move.
#[tokio::test]
async fn m_6_a_merge_worktree_is_detached_and_always_removed() {
    let board = Board::new().await;
    let place = tempfile::tempdir().expect("a directory");
    let seen = place.path().join("seen");
    let check = format!(
        "case $PWD in */_merge-*) {{ basename \"$PWD\" | cut -c1-7; git symbolic-ref -q HEAD || echo detached; \
         git rev-parse HEAD^; git remote; }} >> '{}';; esac; test ! -e left -o ! -e right",
        seen.display()
    );
    let project = json!({ "name": "Trunk", "settings": { "default_review_config": { "ci_steps": [check] } } });
    let project = text(&board.created("/projects", project).await["id"]);
    let repository = board.server.repository_named("trunk").await;
    repository.git(&["branch", "--move", "main", "trunk"]).await;
    let asked = json!({ "path": repository.path() });
    let repo = board.created(&format!("/projects/{project}/repos"), asked).await;
    assert_eq!(repo["default_branch"], "trunk");
    repository.git(&["checkout", "--quiet", "-b", "mine"]).await;
    repository.write("numbers.txt", "one\nbeing edited\nthree\n");

    let mut tasks = Vec::new();
    for name in ["plain", "left", "right"] {
        let coder = board.agent(name, &format!("echo x > {name}")).await;
        let asked = json!({ "title": name });
        let task = text(&board.created(&format!("/projects/{project}/tasks"), asked).await["id"]);
        board.claim(&task, &coder).await;
        board.reached(&task, |task| task.review_passed_at.is_some()).await;
        board.quiet(&task).await;
        tasks.push(task);
    }
    for (task, status) in tasks.iter().zip(["done", "done", "merge_failed"]) {
        let tip = repository.git(&["rev-parse", "trunk"]).await;
        std::fs::write(&seen, "").expect("written");
        let answer = board.move_to(task, "merging").await;
        assert_eq!(answer["status"], status, "{answer}");
        let tried = said(&seen);
        // The tree of the first task is the one that passed its gate: it needs no checkout.
        let expected = format!("_merge-\ndetached\n{tip}");
        assert!(tried.starts_with(if task == &tasks[0] { "" } else { &expected }), "{tried}");
        assert_eq!(tried.is_empty(), task == &tasks[0], "{tried}");
        // A failed trial runs again before its task is evicted, each time in such a worktree.
        let tried: Vec<&str> = tried.lines().collect();
        assert!(tried.chunks(3).all(|one| one[..2] == ["_merge-", "detached"]), "{tried:?}");
        assert!(!repository.git(&["worktree", "list"]).await.contains("_merge-"));
        let left = std::fs::read_dir(board.server.directory().join("data/workspaces"));
        let mut left = left.expect("the workspaces").flatten().map(|entry| entry.file_name());
        assert!(!left.any(|name| name.as_encoded_bytes().starts_with(b"_merge-")));
        assert_eq!(repository.git(&["symbolic-ref", "HEAD"]).await, "refs/heads/mine");
        assert_eq!(repository.git(&["status", "--porcelain"]).await, " M numbers.txt");
    }
    assert_eq!(repository.subjects("trunk").await, ["left (T-2)", "plain (T-1)", "first"]);
    assert_eq!(repository.subjects("mine").await, ["first"]);
}

/// Issue 13.20: a request that waits for the landing reports another process's lock at once; the landing continues
/// when the lock is gone.
#[tokio::test]
async fn issue_13_20_a_landing_blocked_by_another_lock_is_answered_and_continues() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo x > x.txt").await;
    let task = board.task(json!({ "title": "Work" })).await;
    board.claim(&task, &coder).await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    board.quiet(&task).await;
    let lock = board.repository.path().join(".git/refs/heads/main.lock");
    std::fs::write(&lock, "").expect("written");
    let asked = json!({ "status": "merging", "version": board.show(&task).await["version"] });
    let path = format!("/tasks/{task}/transition");
    // The request is answered although the landing still waits.
    let details = board.refused(&path, asked, 503, "target_locked").await;
    assert!(text(&details["lock"]).ends_with("main.lock"), "{details}");
    assert_eq!(board.show(&task).await["error_annotation"]["type"], "target_locked");
    std::fs::remove_file(&lock).expect("removed");
    board.reached(&task, |task| task.state.as_str() == "done").await;
    assert_eq!(board.repository.subjects("main").await, ["Work (T-1)", "first"]);
}
