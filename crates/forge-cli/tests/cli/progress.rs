//! `forge task complete`, `watch`, `checkout`, `open`, `forge open` and `forge merge` (SPEC S-4).

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::cli_fixture::{CliFixture, release_reader};
use crate::forge::search_path;
use crate::serve::TOKEN;
use crate::walk::git;

/// A workspace of the user with one commit, of the task T-1 with this check.
fn started(check: &str) -> (CliFixture, std::path::PathBuf) {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Greet", "--ci", check]);
    fixture.run(&["task", "claim", "T-1"]);
    let place = fixture.workspace("T-1");
    fs::write(place.join("greeting.txt"), "hello\n").expect("written");
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "-qm", "Greet"]);
    (fixture, place)
}

#[test]
fn s_4_complete_hands_in_and_reports_the_checks() {
    let (fixture, _) = started("test -f greeting.txt");
    let out = fixture.run(&["task", "complete", "T-1", "-r", "said hello"]);
    assert!(out.starts_with("T-1  review\nattempt 1: passed"), "{out}");
    let again = fixture.fail(1, &["task", "complete", "T-1"]);
    assert!(again.err.contains("[not_in_work]"), "{}", again.err);
    assert!(again.err.contains("`forge why T-1`"), "{}", again.err);
    fixture.stop();
}

#[test]
fn s_4_complete_exits_with_1_when_the_gate_rejects() {
    let (fixture, _) = started("echo no greeting; false");
    let ended = fixture.fail(1, &["task", "complete", "T-1"]);
    assert!(ended.out.contains("no greeting"), "{ended:?}");
    fixture.stop();
}

#[test]
fn s_4_merge_lands_the_workspace_that_the_user_stands_in() {
    let (fixture, place) = started("test -f greeting.txt");
    fs::create_dir(place.join("deep")).expect("made");
    let ended = fixture.user.run_in(&place.join("deep"), &["merge", "-r", "done"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.starts_with("T-1  done\n  landed: "), "{ended:?}");
    let steps: Vec<_> = ended.err.lines().filter(|line| line.starts_with("T-1")).collect();
    assert_eq!(
        steps,
        [
            "T-1  in_progress  hands in the work and runs the checks",
            "T-1  review  passed; moves on to merging",
        ]
    );
    assert!(ended.err.contains("attempt 1: passed"), "{ended:?}");
    assert_eq!(git(&fixture.repo, &["show", "main:greeting.txt"]), "hello\n");
    fixture.stop();
}

#[test]
fn s_4_merge_commits_nothing_and_says_what_is_missing() {
    let (fixture, place) = started("true");
    let outside = fixture.fail(2, &["merge"]);
    assert!(outside.err.contains("is in no workspace of a task"), "{}", outside.err);
    fs::write(place.join("greeting.txt"), "changed\n").expect("written");
    fs::write(place.join("new.txt"), "new\n").expect("written");
    let dirty = fixture.user.run_in(&place, &["merge"]);
    assert_eq!(dirty.code, 1, "{dirty:?}");
    assert!(dirty.err.contains("T-1 has uncommitted work: 1 modified, 1 untracked"), "{dirty:?}");
    assert!(dirty.err.contains("commits nothing by itself"), "{dirty:?}");
    git(&place, &["add", "--all"]);
    assert_eq!(fixture.json(&["task", "show", "T-1"])["status"], "in_progress", "nothing moved");
    let token = fixture.create_user("Ben");
    fixture.run(&["project", "add-member", "widget", "Ben"]);
    let ben = fixture.user_with_token(&token);
    let foreign = ben.run_in(&place, &["merge"]);
    assert_eq!(foreign.code, 1, "{foreign:?}");
    assert!(foreign.err.contains("T-1 is held by admin"), "{foreign:?}");
    fixture.stop();
}

#[test]
fn s_4_merge_stops_at_a_gate_that_rejects() {
    let (fixture, place) = started("echo no greeting; false");
    let ended = fixture.user.run_in(&place, &["merge"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.err.contains("no greeting"), "the checks' output: {ended:?}");
    assert!(ended.out.contains("T-1  in_progress  the gate sent it back"), "{ended:?}");
    assert!(ended.out.contains("  next  forge "), "a command to go on: {ended:?}");
    fixture.stop();
}

#[test]
fn s_4_merge_reports_a_conflict() {
    let (fixture, place) = started("true");
    fs::write(fixture.repo.join("greeting.txt"), "other\n").expect("written");
    git(&fixture.repo, &["add", "--all"]);
    git(&fixture.repo, &["commit", "-qm", "Other"]);
    let ended = fixture.user.run_in(&place, &["merge"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.out.contains("greeting.txt"), "{ended:?}");
    assert!(ended.out.contains("  next  forge "), "{ended:?}");
    assert_eq!(git(&fixture.repo, &["show", "main:greeting.txt"]), "other\n");
    fixture.stop();
}

#[test]
fn s_4_merge_names_the_files_in_the_way_of_the_landing() {
    let (fixture, place) = started("true");
    fs::write(fixture.repo.join("greeting.txt"), "mine, not committed\n").expect("written");
    let ended = fixture.user.run_in(&place, &["merge"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.out.contains("T-1  merging  has not landed\n"), "{ended:?}");
    assert!(ended.out.contains("    greeting.txt\n"), "{ended:?}");
    let kept = fs::read_to_string(fixture.repo.join("greeting.txt")).expect("kept");
    assert_eq!(kept, "mine, not committed\n");
    fs::remove_file(fixture.repo.join("greeting.txt")).expect("removed");
    fixture.wait_until("T-1", |task| task.landing.is_some() && task.busy.is_none());
    fixture.stop();
}

#[test]
fn s_4_watch_follows_a_task_to_a_person_and_to_its_end() {
    let fixture = CliFixture::with_project();
    let pipe = fixture.make_pipe("go");
    fixture.add_agent("ada", &format!("read go < {}; echo hi > hi.txt", pipe.display()));
    fixture.start_task("T-1", "Greet", "ada");
    let mut user = crate::forge::CliUser::at(fixture.serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    let watching = std::thread::spawn(move || user.run(&["task", "watch", "T-1"]));
    release_reader(&pipe);
    let ended = watching.join().expect("it ends");
    assert_eq!(ended.code, 7, "{ended:?}");
    assert!(ended.out.starts_with("T-1  in_progress  Greet\n"), "{ended:?}");
    assert!(ended.out.contains("in_progress → review"), "{ended:?}");
    assert!(ended.out.contains("T-1  review  waits for a person\n"), "{ended:?}");
    assert!(ended.out.contains("  next  forge task move T-1 merging"), "{ended:?}");
    let events = fixture.fail(7, &["task", "watch", "T-1", "--json"]);
    assert_eq!((events.out.as_str(), events.err.as_str()), ("", ""), "{events:?}");
    fixture.run(&["task", "move", "T-1", "merging"]);
    assert_eq!(fixture.run(&["task", "watch", "T-1"]).lines().count(), 2);
    fixture.run(&["task", "new", "Other"]);
    fixture.run(&["task", "cancel", "T-2"]);
    let cancelled = fixture.fail(8, &["task", "watch", "T-2"]);
    assert!(cancelled.out.contains("T-2  cancelled  Other"), "{cancelled:?}");
    fixture.stop();
}

#[test]
fn s_4_checkout_prints_a_line_for_the_shell() {
    let (fixture, place) = started("true");
    let path = place.to_str().expect("UTF-8");
    assert_eq!(fixture.run(&["task", "checkout", "T-1"]), format!("cd {path}\n"));
    assert_eq!(fixture.run(&["task", "checkout", "T-1", "--path"]), format!("{path}\n"));
    assert_eq!(fixture.json(&["task", "checkout", "T-1"])["path"], path);
    fixture.run(&["task", "new", "Other"]);
    let missing = fixture.fail(1, &["task", "checkout", "T-2"]);
    assert!(missing.err.contains("[workspace_missing]"), "{}", missing.err);
    fixture.stop();
}

#[test]
fn s_4_open_prints_the_page_or_shows_it() {
    let mut fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "One"]);
    let board = format!("{}/projects/widget\n", fixture.serving.url());
    let page = format!("{}/projects/widget/T-1\n", fixture.serving.url());
    assert_eq!(fixture.run(&["open"]), board, "without a display");
    assert_eq!(fixture.run(&["task", "open", "T-1"]), page);
    assert_eq!(fixture.json(&["task", "open", "T-1"])["url"], Value::from(page.trim_end()));
    let opener = fixture.user.home.path().join("xdg-open");
    let opened = fixture.user.home.path().join("opened");
    fs::write(&opener, format!("#!/bin/sh\necho \"$1\" >> {}\n", opened.display()))
        .expect("written");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o700)).expect("executable");
    let path = format!("{}:{}", fixture.user.home.path().display(), search_path());
    fixture.user.set("PATH", &path);
    fixture.user.set("DISPLAY", ":0");
    fixture.run(&["task", "open", "T-1"]);
    fixture.run(&["open", "widget", "--print"]);
    assert_eq!(fs::read_to_string(&opened).expect("a browser"), page, "only the first was shown");
    fixture.stop();
}
