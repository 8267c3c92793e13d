//! Short commands whose output is the result.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::time::Duration;

use forge_proc::{CaptureError, CaptureLimits, ProcessExit, SpawnError, StdinSource, capture};
use support::ProcessFixture;

const LIMITS: CaptureLimits =
    CaptureLimits { stdout: 1 << 20, stderr: 1 << 10, deadline: Duration::from_secs(60) };

#[tokio::test]
async fn e_4_streams_and_exit_are_kept_apart() {
    let place = ProcessFixture::new("short");
    let call = place.shell("cat; echo wrong >&2; exit 5").stdin(StdinSource::Bytes(b"in".to_vec()));
    let captured = capture(call, LIMITS).await.expect("runs");
    assert_eq!(captured.exit, ProcessExit::Code(5));
    assert_eq!(captured.stdout, b"in");
    assert_eq!(captured.stderr, b"wrong\n");
    let killed = capture(place.shell("kill -KILL $$"), LIMITS).await.expect("runs");
    assert_eq!(killed.exit, ProcessExit::Signal(9));
}

/// Compares a foreground and a background command. Each reports its priority only after it reads its input, which is
/// written after the priority was set.
#[tokio::test]
async fn issue_13_24_e_4_background_commands_have_a_lower_priority() {
    let place = ProcessFixture::new("hurry");
    let call = || place.shell("read said; nice").stdin(StdinSource::Bytes(b"go\n".to_vec()));
    let ours = capture(call(), LIMITS).await.expect("runs").stdout;
    let unhurried =
        forge_proc::run_in_background(capture(call(), LIMITS)).await.expect("runs").stdout;
    let number = |said: &[u8]| String::from_utf8_lossy(said).trim().parse::<i32>().expect("said");
    // Relative to the priority of this process: the suite itself may run with a low one.
    assert_eq!(number(&unhurried), 19.min(10 + number(&ours)));
}

#[tokio::test]
async fn e_4_large_input_and_output_do_not_deadlock() {
    let place = ProcessFixture::new("large");
    let bytes = vec![b'y'; 1 << 20];
    let captured = capture(place.shell("cat").stdin(StdinSource::Bytes(bytes.clone())), LIMITS)
        .await
        .expect("runs");
    assert_eq!(captured.stdout, bytes);
}

#[tokio::test]
async fn e_4_too_much_stdout_is_an_error_but_too_much_stderr_is_not() {
    let place = ProcessFixture::new("much");
    let endless = capture(place.shell("yes"), LIMITS).await;
    assert!(matches!(endless, Err(CaptureError::TooMuchOutput { limit: 1_048_576, .. })));
    let loud = capture(place.shell("head -c 100000 /dev/zero >&2"), LIMITS).await.expect("runs");
    assert_eq!(loud.stderr.len(), 1 << 10);
}

#[tokio::test]
async fn e_4_a_background_child_that_holds_the_pipe_does_not_block_the_capture() {
    let place = ProcessFixture::new("background");
    let captured = capture(place.shell("sleep 1000 & echo done"), LIMITS).await.expect("runs");
    assert_eq!(captured.stdout, b"done\n");
}

#[tokio::test]
async fn e_4_a_deadline_asks_before_it_kills() {
    let place = ProcessFixture::new("late");
    let limits = CaptureLimits { deadline: Duration::from_millis(300), ..LIMITS };
    let script = "trap 'echo cleaned > cleaned; exit' TERM; while :; do sleep 0.02; done";
    let late = capture(place.shell(script), limits).await;
    assert!(matches!(late, Err(CaptureError::TimedOut { .. })));
    assert_eq!(place.read("cleaned"), "cleaned\n");
}

#[tokio::test]
async fn e_4_a_dropped_call_is_killed() {
    let place = ProcessFixture::new("dropped");
    let fifo = place.path().join("up");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
    assert!(made.success());
    let call = capture(place.shell("exec 3> up; sleep 1000"), LIMITS);
    let watch = async {
        // Opening for reading pairs with the child's open; the end of file then means that every writer has ended.
        tokio::fs::File::open(&fifo).await.expect("opens")
    };
    let mut reader = tokio::select! {
        _ = call => panic!("it does not end by itself"),
        reader = watch => reader,
    };
    let mut rest = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut rest)
        .await
        .expect("the writers are gone");
    assert!(rest.is_empty());
}

#[tokio::test]
async fn e_4_a_missing_program_is_its_own_error() {
    let place = ProcessFixture::new("absent");
    let call = forge_proc::ProgramInvocation::new("no-such-program", place.path())
        .env("PATH", support::PATH);
    assert!(matches!(
        capture(call, LIMITS).await,
        Err(CaptureError::Spawn(SpawnError::ProgramMissing { .. }))
    ));
}
