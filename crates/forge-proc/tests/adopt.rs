//! Runs that outlive their server (E-12), with real servers that are killed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::process::{Command, Stdio};
use std::time::Duration;

use forge_proc::{
    AdoptError, Adopted, Claim, Ended, Ending, Exit, Mark, ProcessIdentity, Site, Spec, Stdin,
    adopt, end_marked, load_exit, read_rest, spawn,
};
use support::{Place, own_children};
use tokio_util::sync::CancellationToken;

const GRACE: Duration = Duration::from_millis(200);

async fn run(spec: Spec) -> Ended {
    spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await
}

fn claim(place: &Place, identity: ProcessIdentity) -> Claim {
    let (mark, log, site) = (place.mark.clone(), place.log(), Site::new(place.path()));
    Claim { identity, mark, log, site, deadline: None, grace: GRACE }
}

/// As below, where this process is the parent of all who lose theirs; asking once for nobody makes it so.
async fn orphaned(place: &Place, script: &str) -> ProcessIdentity {
    end_marked(&place.mark, GRACE).await.expect("there is nobody yet");
    orphaned_elsewhere(place, script).await
}

/// Starts the script under a server of its own, waits until it writes `settled`, and kills that server.
async fn orphaned_elsewhere(place: &Place, script: &str) -> ProcessIdentity {
    place.fifo("settled");
    place.fifo("go");
    std::fs::write(place.path().join("script"), script).expect("a script");
    let mut server = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "e_12_a_server_of_its_own"])
        .env("FORGE_TEST_PLACE", place.path())
        .env("FORGE_TEST_MARK", place.mark.as_str())
        .stdout(Stdio::null())
        .spawn()
        .expect("starts");
    place.reached("settled").await;
    server.kill().expect("is killed");
    server.wait().expect("is gone");
    let pid = place.read("pid").trim().parse().expect("a pid");
    ProcessIdentity::of(pid).expect("it outlives its server")
}

/// By itself one plain run; started again by the tests it is the server that gets killed.
#[tokio::test]
async fn e_12_a_server_of_its_own() {
    let Ok(home) = std::env::var("FORGE_TEST_PLACE") else {
        let place = Place::new("alone");
        assert_eq!(run(place.spec("exit 6").adoptable()).await.ending, Ending::Exited(6));
        return;
    };
    let place = Place::given(home, std::env::var("FORGE_TEST_MARK").expect("a mark"));
    let script = format!("echo $PPID > pid; {}", place.read("script"));
    run(place.spec(&script).log_cap(100_000).tail(1_000).adoptable()).await;
}

async fn end_of(adopted: Adopted, stop: &CancellationToken) -> Ended<Option<Ending>> {
    let never = CancellationToken::new();
    adopted.wait_or_let_go(stop, &never).await.expect("nobody lets it go")
}

async fn adopted(place: &Place, identity: ProcessIdentity) -> Adopted {
    adopt(claim(place, identity)).await.expect("is adopted")
}

#[tokio::test]
async fn e_4_an_adoptable_run_is_logged_like_any_other() {
    let place = Place::new("like");
    let script = "echo one; echo two > /dev/stderr; echo three; exit 7";
    let ended = run(place.spec(script).adoptable()).await;
    assert_eq!(ended.ending, Ending::Exited(7));
    assert_eq!(ended.tail, "one\ntwo\nthree\n");
    assert_eq!(place.read("log"), "one\ntwo\nthree\n");
    assert_eq!(own_children(), Vec::<String>::new());
    assert!(!place.path().join("log.spool").exists());
}

#[tokio::test]
async fn e_4_no_line_is_lost_or_repeated_between_the_files_of_a_relay() {
    let place = Place::new("chatty");
    // Small pieces fill a file after a few lines, so there are some hundred of them.
    let script = "i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done";
    let ended = run(place.spec(script).log_cap(100_000).tail(100).adoptable()).await;
    assert!(!ended.truncated);
    let numbers: String = (0..5000).map(|number| format!("{number}\n")).collect();
    assert_eq!(place.read("log"), numbers);
}

#[tokio::test]
async fn e_4_an_adoptable_flood_keeps_head_and_tail_and_counts_the_rest() {
    let place = Place::new("spoolflood");
    let script = "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end";
    let ended = run(place.spec(script).log_cap(100_000).tail(1_000).adoptable()).await;
    let log = place.read("log");
    assert_eq!(ended.tail.len(), 1_000);
    assert!(log.starts_with(&"x".repeat(100_000)));
    let left_out = 20_000_009 - 100_000 - 1_000;
    assert!(
        log.contains(&format!("[forge: {left_out} bytes are left out here]\n")),
        "{}",
        &log[100_000..]
    );
    assert!(log.ends_with("x\nthe end\n"));
}

#[tokio::test]
async fn e_12_a_run_goes_on_when_its_server_is_killed_and_nothing_of_its_output_is_lost() {
    let place = Place::new("adopt");
    let script =
        "echo before; echo yes > settled; cat go; seq 1 2000; cat back; echo after; exit 3";
    place.fifo("back");
    let identity = orphaned(&place, script).await;
    // Nobody serves it now; a broken pipe would end it here.
    place.tell("go", "away\n").await;
    let adopted = adopted(&place, identity.clone()).await;
    assert_eq!(adopted.identity(), &identity);
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(end_of(adopted, &never), place.tell("back", "back\n"));
    // Here the program came to us as an orphan, so its code is known.
    assert_eq!(ended.ending, Some(Ending::Exited(3)));
    let numbers: String = (1..=2000).map(|number| format!("{number}\n")).collect();
    assert_eq!(place.read("log"), format!("before\naway\n{numbers}back\nafter\n"));
    assert_eq!(ended.tail.len(), 1_000);
    assert!(ended.tail.ends_with("2000\nback\nafter\n"));
    assert_eq!(own_children(), Vec::<String>::new());
    assert!(!place.path().join("log.spool").exists());
}

#[tokio::test]
async fn e_12_an_adopted_run_is_stopped_with_all_that_escaped() {
    let place = Place::new("adoptstop");
    let script = "(cd /; exec env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 &); echo yes > settled; exec sleep 1000";
    let identity = orphaned(&place, script).await;
    let adopted = adopted(&place, identity.clone()).await;
    let stop = CancellationToken::new();
    stop.cancel();
    let ended = end_of(adopted, &stop).await;
    assert_eq!(ended.ending, Some(Ending::Stopped));
    assert_eq!(ended.stragglers, 1);
    assert!(!identity.is_alive());
    assert_eq!(own_children(), Vec::<String>::new());
}

#[tokio::test]
async fn e_12_an_exit_that_only_the_systems_first_process_saw_was_written_down() {
    for (end, ending) in [("exit 3", Ending::Exited(3)), ("kill -9 $$", Ending::Signalled(9))] {
        let place = Place::new("adoptunseen");
        let script = format!("echo before; echo yes > settled; cat go; {end}");
        let identity = orphaned_elsewhere(&place, &script).await;
        let adopted = adopted(&place, identity).await;
        let never = CancellationToken::new();
        let (ended, ()) = tokio::join!(end_of(adopted, &never), place.tell("go", "after\n"));
        assert_eq!(ended.ending, Some(ending));
        assert!(place.read("log").starts_with("before\nafter\n"));
    }
}

#[tokio::test]
async fn e_12_an_exit_that_nobody_wrote_down_is_not_made_up() {
    let place = Place::new("adoptunknown");
    let script = "echo yes > settled; cat go; kill -9 $PPID; exec sleep 1000";
    let identity = orphaned_elsewhere(&place, script).await;
    let adopted = adopted(&place, identity).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(end_of(adopted, &never), place.tell("go", ""));
    assert_eq!(ended.ending, None);
    assert_eq!(ended.stragglers, 1, "the program lost its keeper and was ended");
}

#[tokio::test]
async fn e_12_a_prompt_is_read_to_its_end_without_the_server() {
    let place = Place::new("adoptprompt");
    let prompt = "x".repeat(1_000_000);
    let input = place.shell("cat go > /dev/null; wc -c").stdin(Stdin::Bytes(prompt.into_bytes()));
    place.fifo("go");
    let spec = Spec::new(input, place.mark.clone(), place.log()).adoptable();
    let running = spawn(spec).await.expect("starts");
    let identity = running.identity().clone();
    running.let_go().await;
    let adopted = adopted(&place, identity).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(end_of(adopted, &never), place.tell("go", ""));
    assert_eq!(ended.tail.trim(), "1000000");
}

#[tokio::test]
async fn e_12_an_adopted_run_ends_with_its_value_and_not_when_it_is_let_go() {
    let place = Place::new("adoptdrop");
    let identity = orphaned(&place, "echo yes > settled; exec sleep 1000").await;
    adopted(&place, identity.clone()).await.let_go().await;
    assert!(identity.is_alive());
    drop(adopted(&place, identity.clone()).await);
    place.gone(&identity).await;
    end_marked(&place.mark, GRACE).await.expect("nobody is left");
}

/// E-12: mark and place are looked at besides pid, start and boot.
#[tokio::test]
async fn e_12_a_process_of_another_run_or_place_is_not_adopted() {
    let place = Place::new("adoptother");
    place.fifo("settled");
    let spec = place.spec("echo yes > settled; exec sleep 1000").adoptable();
    let running = spawn(spec).await.expect("starts");
    place.reached("settled").await;
    let claim = claim(&place, running.identity().clone());
    let other = Claim { mark: Mark::new("somebody-else").expect("a mark"), ..claim.clone() };
    assert!(matches!(adopt(other).await, Err(AdoptError::Unmarked { .. })));
    let astray = Claim { site: Site::new(place.path().join("below")), ..claim };
    assert!(matches!(adopt(astray).await, Err(AdoptError::Astray(_))));
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(running.wait(&stop).await.ending, Ending::Stopped);
}

#[tokio::test]
async fn e_12_a_deadline_counts_from_the_runs_own_start() {
    let place = Place::new("adoptlate");
    let identity = orphaned(&place, "echo yes > settled; exec sleep 1000").await;
    let claim = Claim { deadline: Some(Duration::ZERO), ..claim(&place, identity) };
    let ended = end_of(adopt(claim).await.expect("is adopted"), &CancellationToken::new()).await;
    assert_eq!(ended.ending, Some(Ending::TimedOut));
}

#[tokio::test]
async fn e_12_what_a_run_said_while_no_server_was_there_is_read_afterwards() {
    let place = Place::new("rest");
    let script = "echo before; echo yes > settled; cat go; seq 1 50000; echo last words";
    let identity = orphaned(&place, script).await;
    place.tell("go", "").await;
    place.gone(&identity).await;
    assert!(matches!(adopt(claim(&place, identity)).await, Err(AdoptError::Gone { .. })));
    end_marked(&place.mark, GRACE).await.expect("nobody is left");
    assert_eq!(load_exit(&place.log()), Some(Exit::Code(0)));
    let tail = read_rest(&place.log()).await.expect("is read");
    assert!(tail.ends_with("50000\nlast words\n"), "{tail}");
    let log = place.read("log");
    assert!(log.starts_with("before\n1\n2\n"));
    let all = 7 + (1..=50_000).map(|number: u32| number.to_string().len() + 1).sum::<usize>() + 11;
    let left_out = all - 100_000 - 1_000;
    assert!(
        log.contains(&format!("[forge: {left_out} bytes are left out here]\n")),
        "{}",
        &log[100_000..100_300]
    );
    assert_eq!(own_children(), Vec::<String>::new());
}

#[tokio::test]
async fn e_12_a_run_that_is_let_go_can_be_adopted_over_its_cap() {
    let place = Place::new("letgo");
    place.fifo("settled");
    place.fifo("go");
    let script = "head -c 300000 /dev/zero | tr '\\0' x; echo yes > settled; cat go; head -c 300000 /dev/zero | tr '\\0' y; echo end";
    let spec = place.spec(script).log_cap(100_000).tail(1_000).adoptable();
    let running = spawn(spec).await.expect("starts");
    let identity = running.identity().clone();
    place.reached("settled").await;
    running.let_go().await;
    assert!(identity.is_alive());
    let adopted = adopted(&place, identity).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(end_of(adopted, &never), place.tell("go", ""));
    assert!(ended.truncated);
    let log = place.read("log");
    let left_out = 600_004 - 100_000 - 1_000;
    assert!(
        log.contains(&format!("[forge: {left_out} bytes are left out here]\n")),
        "{}",
        &log[100_000..100_300]
    );
    assert_eq!(log.matches("limit of 100000 bytes").count(), 1);
    assert!(log.ends_with("y\nend\n") || log.ends_with("yend\n"));
}

#[tokio::test]
async fn e_12_a_run_that_was_not_started_for_it_is_not_adopted() {
    let place = Place::new("unadoptable");
    place.fifo("settled");
    let running = spawn(place.spec("echo yes > settled; exec sleep 1000")).await.expect("starts");
    place.reached("settled").await;
    let refused = adopt(claim(&place, running.identity().clone())).await;
    assert!(matches!(refused, Err(AdoptError::Output { .. })));
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(running.wait(&stop).await.ending, Ending::Stopped);
}
