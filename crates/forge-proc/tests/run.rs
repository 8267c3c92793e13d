//! Supervised programs, with real children (E-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::time::Duration;

use forge_proc::{
    ProcessEnding, ProcessIdentity, ProcessOutcome, ProgramInvocation, SpawnError, StdinSource,
    SupervisionSpec, end_marked_processes, spawn,
};
use support::ProcessFixture;
use tokio_util::sync::CancellationToken;

async fn run(spec: SupervisionSpec) -> ProcessOutcome {
    spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await
}

#[tokio::test]
async fn e_4_exit_code_and_output_of_both_streams_in_order() {
    let place = ProcessFixture::new("exit");
    let ended = run(place.spec("echo one; echo two >&2; echo three; exit 7")).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(7));
    assert_eq!(ended.tail, "one\ntwo\nthree\n");
    assert_eq!(place.read("log"), "one\ntwo\nthree\n");
    assert_eq!(ended.log_bytes, 14);
    assert!(!ended.truncated);
}

#[tokio::test]
async fn e_4_a_signal_differs_from_a_code_and_half_a_line_is_kept() {
    let place = ProcessFixture::new("signal");
    let ended = run(place.spec("printf 'half a li'; kill -SEGV $$")).await;
    assert_eq!(ended.ending, ProcessEnding::Signalled(11));
    assert_eq!(ended.tail, "half a li");
}

#[tokio::test]
async fn e_4_the_environment_is_only_what_was_given() {
    let place = ProcessFixture::new("environment");
    let ended = run(place.spec("exec env")).await;
    let mut names: Vec<&str> =
        ended.tail.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    // The shell itself sets PWD.
    assert_eq!(names, ["FORGE_MARK", "PATH", "PWD"]);
}

#[tokio::test]
async fn e_4_it_leads_its_own_session_and_is_identified() {
    let place = ProcessFixture::new("session");
    let running = spawn(place.spec("cut -d' ' -f1,6 /proc/$$/stat")).await.expect("starts");
    let identity = running.identity().clone();
    let ended = running.wait(&CancellationToken::new()).await;
    assert_eq!(ended.tail.trim(), format!("{0} {0}", identity.pid));
    assert!(!identity.is_alive());
}

/// The test suite itself may run with a low priority.
fn own_niceness() -> i32 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the kernel's figures");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    fields.split_whitespace().nth(16).expect("a nineteenth field").parse().expect("a number")
}

/// E-4: the children of a program inherit its low priority, whether the kernel divides time among processes or
/// sessions.
#[tokio::test]
async fn e_4_a_program_has_a_lower_priority_than_its_server() {
    let place = ProcessFixture::new("gives_way");
    let told = "echo go > ready; read wait < go; cut -d' ' -f19 /proc/self/stat; cat /proc/self/autogroup 2> /dev/null";
    place.fifo("ready");
    place.fifo("go");
    let own = std::fs::read_to_string("/proc/self/autogroup").ok();
    let running = spawn(place.spec(told)).await.expect("starts");
    place.wait_for_fifo("ready").await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(running.wait(&never), place.write_fifo("go", "now\n"));
    let mut lines = ended.tail.lines();
    let behind = 19.min(10 + own_niceness());
    assert_eq!(lines.next(), Some(behind.to_string().as_str()), "{}", ended.tail);
    assert_eq!(std::fs::read_to_string("/proc/self/autogroup").ok(), own, "ours stays");
    if let Some(session) = lines.next() {
        assert!(session.ends_with("nice 10"), "{session}");
    }
}

#[tokio::test]
async fn e_4_input_is_given_and_a_child_that_ignores_it_still_ends() {
    let place = ProcessFixture::new("input");
    let read = place.shell("cat").stdin(StdinSource::Bytes(b"hello".to_vec()));
    let ended = run(SupervisionSpec::new(read, place.mark.clone(), place.log())).await;
    assert_eq!(ended.tail, "hello");
    let ignore = place.shell("exit 3").stdin(StdinSource::Bytes(vec![b'x'; 4 << 20]));
    let ended =
        run(SupervisionSpec::new(ignore, place.mark.clone(), place.path().join("second"))).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(3));
}

#[tokio::test]
async fn e_4_a_deadline_ends_the_whole_tree() {
    let place = ProcessFixture::new("deadline");
    let script = "sleep 1000 & sleep 1000 & wait";
    let ended = run(place.spec(script).deadline(Duration::from_millis(300))).await;
    assert_eq!(ended.ending, ProcessEnding::TimedOut);
    assert_eq!(place.marked_processes(), Vec::<u32>::new());
    assert_eq!(ended.surviving_pids, Vec::<u32>::new());
}

#[tokio::test]
async fn t_13_a_stop_sends_term_before_kill() {
    let place = ProcessFixture::new("stop");
    let script = "trap 'echo bye; exit 0' TERM; echo up > up; while :; do sleep 0.05; done";
    place.fifo("up");
    let running = spawn(place.spec(script).grace(Duration::from_secs(30))).await.expect("starts");
    let stop = CancellationToken::new();
    let waiting = running.wait(&stop);
    let stopping = async {
        place.wait_for_fifo("up").await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(waiting, stopping);
    assert_eq!(ended.ending, ProcessEnding::Stopped);
    // The shell may report its killed sleep first.
    assert!(ended.tail.ends_with("bye\n"), "{}", ended.tail);
    assert_eq!(place.marked_processes(), Vec::<u32>::new());
}

#[tokio::test]
async fn t_12_a_program_that_ignores_term_is_killed_after_the_grace() {
    let place = ProcessFixture::new("stubborn");
    place.fifo("up");
    let script = "trap '' TERM HUP INT; echo up > up; while :; do sleep 1; done";
    let running =
        spawn(place.spec(script).grace(Duration::from_millis(200))).await.expect("starts");
    let stop = CancellationToken::new();
    let stopping = async {
        place.wait_for_fifo("up").await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(running.wait(&stop), stopping);
    assert_eq!(ended.ending, ProcessEnding::Stopped);
    assert!(ended.duration >= Duration::from_millis(200), "{:?}", ended.duration);
    assert_eq!(place.marked_processes(), Vec::<u32>::new());
}

#[tokio::test]
async fn e_4_a_detached_daemon_that_holds_the_pipe_is_found_and_ended() {
    let place = ProcessFixture::new("daemon");
    place.fifo("up");
    // Forked twice and in its own session: neither parent, nor group, nor session leads to it.
    let script =
        "(setsid sh -c 'echo $$ > pid; echo up > up; exec sleep 1000' &) ; cat up; echo left";
    let ended = run(place.spec(script)).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(0));
    assert!(ended.tail.ends_with("left\n"), "{}", ended.tail);
    assert_eq!(ended.stragglers, 1);
    let pid: u32 = place.read("pid").trim().parse().expect("a pid");
    assert!(!ProcessIdentity::of(pid).is_some_and(|identity| identity.is_alive()));
    assert_eq!(place.marked_processes(), Vec::<u32>::new());
}

#[tokio::test]
async fn e_4_a_child_that_cleared_its_environment_is_found_by_its_session() {
    let place = ProcessFixture::new("unmarked");
    place.fifo("up");
    let script = "env -i sh -c 'echo up > up; exec /bin/sleep 1000' & cat up";
    let ended = run(place.spec(script)).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(0));
    assert_eq!(ended.stragglers, 1);
}

#[tokio::test]
async fn e_12_marked_processes_are_ended_without_their_supervisor() {
    let place = ProcessFixture::new("restart");
    place.fifo("up");
    // `setsid` makes it outlive the drop below, as it would outlive the death of the server.
    let script = "(setsid sh -c 'trap \"\" TERM; echo up > up; while :; do sleep 1; done' &) ; exec sleep 1000";
    let running = spawn(place.spec(script)).await.expect("starts");
    place.wait_for_fifo("up").await;
    drop(running);
    assert!(!place.marked_processes().is_empty(), "the daemon lives on");
    let ended =
        end_marked_processes(&place.mark, Duration::from_millis(100)).await.expect("all ended");
    assert!(ended >= 1);
    assert_eq!(place.marked_processes(), Vec::<u32>::new());
    assert_eq!(end_marked_processes(&place.mark, Duration::ZERO).await, Ok(0));
}

#[tokio::test]
async fn e_4_a_flood_stays_within_the_cap_and_does_not_block_the_child() {
    let place = ProcessFixture::new("flood");
    let script = "head -c 200000000 /dev/zero | tr '\\0' x; echo; echo the end";
    let ended = run(place.spec(script).log_cap(100_000).tail(1_000)).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(0));
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
    let place = ProcessFixture::new("cap");
    let ended = run(place.spec("printf 0123456789").log_cap(8).tail(100)).await;
    let log = place.read("log");
    assert!(log.starts_with("01234567\n[forge: "), "{log}");
    assert!(log.ends_with("]\n89"), "{log}");
    assert_eq!(ended.tail, "0123456789");
}

#[tokio::test]
async fn e_4_a_log_that_is_there_is_continued() {
    let place = ProcessFixture::new("append");
    run(place.spec("echo first")).await;
    run(place.spec("echo second")).await;
    assert_eq!(place.read("log"), "first\nsecond\n");
}

#[tokio::test]
async fn e_4_a_full_disk_does_not_stop_the_child() {
    let place = ProcessFixture::new("full");
    let spec =
        SupervisionSpec::new(place.shell("echo hello; exit 4"), place.mark.clone(), "/dev/full");
    let ended = run(spec).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(4));
    assert_eq!(ended.tail, "hello\n");
    assert!(ended.log_failure.is_some());
}

#[tokio::test]
async fn e_4_a_failed_start_names_the_reason() {
    let place = ProcessFixture::new("missing");
    let start = |invocation: ProgramInvocation, log| {
        spawn(SupervisionSpec::new(invocation, place.mark.clone(), log))
    };
    let unknown =
        ProgramInvocation::new("no-such-program", place.path()).env("PATH", support::PATH);
    assert!(matches!(
        start(unknown, place.log()).await,
        Err(SpawnError::ProgramMissing { program, .. }) if program == "no-such-program"
    ));
    let by_path = ProgramInvocation::new("/no/such/program", place.path());
    assert!(matches!(start(by_path, place.log()).await, Err(SpawnError::ProgramMissing { .. })));
    let nowhere =
        ProgramInvocation::new("sh", place.path().join("gone")).env("PATH", support::PATH);
    assert!(matches!(start(nowhere, place.log()).await, Err(SpawnError::DirectoryMissing { .. })));
    let unlogged = place.shell("true");
    assert!(matches!(
        start(unlogged, place.path().join("gone/log")).await,
        Err(SpawnError::Log { .. })
    ));
    std::fs::write(place.path().join("text"), "no program").expect("a file");
    let no_program = ProgramInvocation::new("./text", place.path());
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
