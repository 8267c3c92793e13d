//! Supervised runs, with real children (E-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::time::Duration;

use forge_proc::{
    Ended, Ending, Invocation, ProcessIdentity, SpawnError, Spec, Stdin, end_marked, spawn,
};
use support::Place;
use tokio_util::sync::CancellationToken;

async fn run(spec: Spec) -> Ended {
    spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await
}

#[tokio::test]
async fn e_4_exit_code_and_output_of_both_streams_in_order() {
    let place = Place::new("exit");
    let ended = run(place.spec("echo one; echo two >&2; echo three; exit 7")).await;
    assert_eq!(ended.ending, Ending::Exited(7));
    assert_eq!(ended.tail, "one\ntwo\nthree\n");
    assert_eq!(place.read("log"), "one\ntwo\nthree\n");
    assert_eq!(ended.log_bytes, 14);
    assert!(!ended.truncated);
}

#[tokio::test]
async fn e_4_a_signal_is_told_apart_from_a_code_and_half_a_line_is_kept() {
    let place = Place::new("signal");
    let ended = run(place.spec("printf 'half a li'; kill -SEGV $$")).await;
    assert_eq!(ended.ending, Ending::Signalled(11));
    assert_eq!(ended.tail, "half a li");
}

#[tokio::test]
async fn e_4_the_environment_is_only_what_was_given() {
    let place = Place::new("environment");
    let ended = run(place.spec("exec env")).await;
    let mut names: Vec<&str> =
        ended.tail.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    // PWD is the shell's own doing.
    assert_eq!(names, ["FORGE_MARK", "PATH", "PWD"]);
}

#[tokio::test]
async fn e_4_it_leads_its_own_session_and_is_identified() {
    let place = Place::new("session");
    let running = spawn(place.spec("cut -d' ' -f1,6 /proc/$$/stat")).await.expect("starts");
    let identity = running.identity().clone();
    let ended = running.wait(&CancellationToken::new()).await;
    assert_eq!(ended.tail.trim(), format!("{0} {0}", identity.pid));
    assert!(!identity.is_alive());
}

/// E-4: what a run starts gives way too, whether the kernel shares out its time among processes or among sessions.
#[tokio::test]
async fn e_4_a_run_gives_way_to_its_server() {
    let place = Place::new("gives_way");
    let told = "echo go > ready; read wait < go; cut -d' ' -f19 /proc/self/stat; cat /proc/self/autogroup 2> /dev/null";
    place.fifo("ready");
    place.fifo("go");
    let own = std::fs::read_to_string("/proc/self/autogroup").ok();
    let running = spawn(place.spec(told)).await.expect("starts");
    place.reached("ready").await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(running.wait(&never), place.tell("go", "now\n"));
    let mut lines = ended.tail.lines();
    assert_eq!(lines.next(), Some("10"), "{}", ended.tail);
    assert_eq!(std::fs::read_to_string("/proc/self/autogroup").ok(), own, "ours stays");
    if let Some(session) = lines.next() {
        assert!(session.ends_with("nice 10"), "{session}");
    }
}

#[tokio::test]
async fn e_4_input_is_given_and_a_child_that_ignores_it_still_ends() {
    let place = Place::new("input");
    let read = place.shell("cat").stdin(Stdin::Bytes(b"hello".to_vec()));
    let ended = run(Spec::new(read, place.mark.clone(), place.log())).await;
    assert_eq!(ended.tail, "hello");
    let ignore = place.shell("exit 3").stdin(Stdin::Bytes(vec![b'x'; 4 << 20]));
    let ended = run(Spec::new(ignore, place.mark.clone(), place.path().join("second"))).await;
    assert_eq!(ended.ending, Ending::Exited(3));
}

#[tokio::test]
async fn e_4_a_deadline_ends_the_whole_tree() {
    let place = Place::new("deadline");
    let script = "sleep 1000 & sleep 1000 & wait";
    let ended = run(place.spec(script).deadline(Duration::from_millis(300))).await;
    assert_eq!(ended.ending, Ending::TimedOut);
    assert_eq!(place.marked(), Vec::<u32>::new());
    assert_eq!(ended.left_alive, Vec::<u32>::new());
}

#[tokio::test]
async fn t_13_a_stop_is_heard_and_term_comes_before_kill() {
    let place = Place::new("stop");
    let script = "trap 'echo bye; exit 0' TERM; echo up > up; while :; do sleep 0.05; done";
    place.fifo("up");
    let running = spawn(place.spec(script).grace(Duration::from_secs(30))).await.expect("starts");
    let stop = CancellationToken::new();
    let waiting = running.wait(&stop);
    let stopping = async {
        place.reached("up").await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(waiting, stopping);
    assert_eq!(ended.ending, Ending::Stopped);
    // The shell may tell of its killed sleep first.
    assert!(ended.tail.ends_with("bye\n"), "{}", ended.tail);
    assert_eq!(place.marked(), Vec::<u32>::new());
}

#[tokio::test]
async fn t_12_one_that_ignores_term_is_killed_after_the_grace() {
    let place = Place::new("stubborn");
    place.fifo("up");
    let script = "trap '' TERM HUP INT; echo up > up; while :; do sleep 1; done";
    let running =
        spawn(place.spec(script).grace(Duration::from_millis(200))).await.expect("starts");
    let stop = CancellationToken::new();
    let stopping = async {
        place.reached("up").await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(running.wait(&stop), stopping);
    assert_eq!(ended.ending, Ending::Stopped);
    assert!(ended.duration >= Duration::from_millis(200), "{:?}", ended.duration);
    assert_eq!(place.marked(), Vec::<u32>::new());
}

#[tokio::test]
async fn e_4_a_detached_daemon_that_holds_the_pipe_is_found_and_ended() {
    let place = Place::new("daemon");
    place.fifo("up");
    // Forked twice and in a session of its own: neither parent, nor group, nor session leads to it.
    let script =
        "(setsid sh -c 'echo $$ > pid; echo up > up; exec sleep 1000' &) ; cat up; echo left";
    let ended = run(place.spec(script)).await;
    assert_eq!(ended.ending, Ending::Exited(0));
    assert!(ended.tail.ends_with("left\n"), "{}", ended.tail);
    assert_eq!(ended.stragglers, 1);
    let pid: u32 = place.read("pid").trim().parse().expect("a pid");
    assert!(!ProcessIdentity::of(pid).is_some_and(|identity| identity.is_alive()));
    assert_eq!(place.marked(), Vec::<u32>::new());
}

#[tokio::test]
async fn e_4_a_child_that_cleared_its_environment_is_found_by_its_session() {
    let place = Place::new("unmarked");
    place.fifo("up");
    let script = "env -i sh -c 'echo up > up; exec /bin/sleep 1000' & cat up";
    let ended = run(place.spec(script)).await;
    assert_eq!(ended.ending, Ending::Exited(0));
    assert_eq!(ended.stragglers, 1);
}

#[tokio::test]
async fn e_12_marked_processes_are_ended_without_their_supervisor() {
    let place = Place::new("restart");
    place.fifo("up");
    // `setsid` makes it outlive the drop below, as it would outlive our own death.
    let script = "(setsid sh -c 'trap \"\" TERM; echo up > up; while :; do sleep 1; done' &) ; exec sleep 1000";
    let running = spawn(place.spec(script)).await.expect("starts");
    place.reached("up").await;
    drop(running);
    assert!(!place.marked().is_empty(), "the daemon lives on");
    let ended = end_marked(&place.mark, Duration::from_millis(100)).await.expect("all ended");
    assert!(ended >= 1);
    assert_eq!(place.marked(), Vec::<u32>::new());
    assert_eq!(end_marked(&place.mark, Duration::ZERO).await, Ok(0));
}

#[tokio::test]
async fn e_4_a_flood_stays_within_the_cap_and_does_not_block_the_child() {
    let place = Place::new("flood");
    let script = "head -c 200000000 /dev/zero | tr '\\0' x; echo; echo the end";
    let ended = run(place.spec(script).log_cap(100_000).tail(1_000)).await;
    assert_eq!(ended.ending, Ending::Exited(0));
    assert!(ended.truncated);
    assert!(ended.tail.ends_with("x\nthe end\n"));
    assert_eq!(ended.tail.len(), 1_000);
    let log = place.read("log");
    assert_eq!(log.len() as u64, ended.log_bytes);
    assert!(log.len() < 101_500, "{}", log.len());
    assert!(log.starts_with(&"x".repeat(100_000)));
    assert!(log.contains("\n[forge: the log's limit of 100000 bytes is reached"));
    let left_out = 200_000_009 - 100_000 - 1_000;
    assert!(log.contains(&format!("]\n[forge: {left_out} bytes are left out here]\n")));
    assert!(log.ends_with("x\nthe end\n"));
}

#[tokio::test]
async fn e_4_a_log_just_over_the_cap_repeats_nothing() {
    let place = Place::new("cap");
    let ended = run(place.spec("printf 0123456789").log_cap(8).tail(100)).await;
    let log = place.read("log");
    assert!(log.starts_with("01234567\n[forge: "), "{log}");
    assert!(log.ends_with("]\n89"), "{log}");
    assert_eq!(ended.tail, "0123456789");
}

#[tokio::test]
async fn e_4_a_log_that_is_there_is_continued() {
    let place = Place::new("append");
    run(place.spec("echo first")).await;
    run(place.spec("echo second")).await;
    assert_eq!(place.read("log"), "first\nsecond\n");
}

#[tokio::test]
async fn e_4_a_full_disk_does_not_stop_the_child() {
    let place = Place::new("full");
    let spec = Spec::new(place.shell("echo hello; exit 4"), place.mark.clone(), "/dev/full");
    let ended = run(spec).await;
    assert_eq!(ended.ending, Ending::Exited(4));
    assert_eq!(ended.tail, "hello\n");
    assert!(ended.log_failure.is_some());
}

#[tokio::test]
async fn e_4_what_cannot_start_says_why() {
    let place = Place::new("missing");
    let start = |invocation: Invocation, log| spawn(Spec::new(invocation, place.mark.clone(), log));
    let unknown = Invocation::new("no-such-program", place.path()).env("PATH", support::PATH);
    assert!(matches!(
        start(unknown, place.log()).await,
        Err(SpawnError::ProgramMissing { program, .. }) if program == "no-such-program"
    ));
    let by_path = Invocation::new("/no/such/program", place.path());
    assert!(matches!(start(by_path, place.log()).await, Err(SpawnError::ProgramMissing { .. })));
    let nowhere = Invocation::new("sh", place.path().join("gone")).env("PATH", support::PATH);
    assert!(matches!(start(nowhere, place.log()).await, Err(SpawnError::DirectoryMissing { .. })));
    let unlogged = place.shell("true");
    assert!(matches!(
        start(unlogged, place.path().join("gone/log")).await,
        Err(SpawnError::Log { .. })
    ));
    std::fs::write(place.path().join("text"), "no program").expect("a file");
    let no_program = Invocation::new("./text", place.path());
    assert!(matches!(start(no_program, place.log()).await, Err(SpawnError::System { .. })));
}

#[test]
fn w_4_an_identity_needs_pid_start_time_and_boot() {
    let own = ProcessIdentity::of_self().expect("this process");
    assert!(own.is_alive());
    let text = serde_json::to_string(&own).expect("serialises");
    assert_eq!(serde_json::from_str::<ProcessIdentity>(&text).expect("reads back"), own);
    let mut earlier = own.clone();
    earlier.start_ticks += 1;
    assert!(!earlier.is_alive());
    let mut other_boot = own;
    other_boot.boot_id = "another".to_owned();
    assert!(!other_boot.is_alive());
    assert_eq!(ProcessIdentity::of(u32::MAX), None);
}
