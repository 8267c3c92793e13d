//! Programs that outlive their server (E-12), with real servers that are killed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::process::{Command, Stdio};
use std::time::Duration;

use forge_proc::{
    AdoptError, AdoptionRequest, ExpectedWorkdir, ProcessAdoption, ProcessEnding, ProcessIdentity,
    ProcessMark, ProcessOutcome, StdinSource, SupervisionSpec, adopt, await_unsupervised_ending,
    end_marked_processes, load_ending, read_remaining_output, remove_process_records, spawn,
};
use rustix::process::{Pid, Signal, kill_process};
use support::{ProcessFixture, own_children};
use tokio_util::sync::CancellationToken;

const GRACE: Duration = Duration::from_millis(200);

async fn run(spec: SupervisionSpec) -> ProcessOutcome {
    spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await
}

fn adoption_request(place: &ProcessFixture, identity: ProcessIdentity) -> AdoptionRequest {
    let (mark, log, site) = (place.mark.clone(), place.log(), ExpectedWorkdir::new(place.path()));
    AdoptionRequest { identity, mark, log, workdir: site, deadline: None, grace: GRACE }
}

/// Like `orphaned_elsewhere`, but this process becomes the parent of the orphan; ending an empty tree once makes it
/// the subreaper.
async fn start_orphan(place: &ProcessFixture, script: &str) -> ProcessIdentity {
    end_marked_processes(&place.mark, GRACE).await.expect("no process is there yet");
    start_orphan_of_init(place, script).await
}

/// Starts the script under a separate server process, waits until it writes `settled`, and kills that server.
async fn start_orphan_of_init(place: &ProcessFixture, script: &str) -> ProcessIdentity {
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
    place.wait_for_fifo("settled").await;
    server.kill().expect("is killed");
    server.wait().expect("is gone");
    let pid = place.read("pid").trim().parse().expect("a pid");
    ProcessIdentity::of(pid).expect("it outlives its server")
}

/// Run alone this is one plain program; started again by the tests it is the server that gets killed.
#[tokio::test]
async fn e_12_a_server_of_its_own() {
    let Ok(home) = std::env::var("FORGE_TEST_PLACE") else {
        let place = ProcessFixture::new("alone");
        assert_eq!(run(place.spec("exit 6").adoptable()).await.ending, ProcessEnding::Exited(6));
        return;
    };
    let place = ProcessFixture::open(home, std::env::var("FORGE_TEST_MARK").expect("a mark"));
    let script = format!("echo $PPID > pid; {}", place.read("script"));
    run(place.spec(&script).log_cap(100_000).tail(1_000).adoptable()).await;
}

async fn wait_for_outcome(
    adopted: ProcessAdoption,
    stop: &CancellationToken,
) -> ProcessOutcome<Option<ProcessEnding>> {
    let never = CancellationToken::new();
    adopted.wait_or_release(stop, &never).await.expect("it is not released")
}

async fn adopt_process(place: &ProcessFixture, identity: ProcessIdentity) -> ProcessAdoption {
    adopt(adoption_request(place, identity)).await.expect("is adopted")
}

#[tokio::test]
async fn e_4_an_adoptable_run_is_logged_like_any_other() {
    let place = ProcessFixture::new("like");
    let script = "echo one; echo two > /dev/stderr; echo three; exit 7";
    let ended = run(place.spec(script).adoptable()).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(7));
    assert_eq!(ended.tail, "one\ntwo\nthree\n");
    assert_eq!(place.read("log"), "one\ntwo\nthree\n");
    assert_eq!(own_children(), Vec::<String>::new());
    remove_process_records(&place.log()).expect("is removed");
    assert!(!place.path().join("log.spool").exists());
}

#[tokio::test]
async fn issue_13_04_the_ending_is_known_until_the_records_are_removed() {
    for (script, ending, said) in [
        ("echo said; exit 7", ProcessEnding::Exited(7), "said\n"),
        ("exec sleep 1000", ProcessEnding::TimedOut, ""),
        ("echo said; kill -9 $PPID; exec sleep 1000", ProcessEnding::Signalled(9), "said\n"),
    ] {
        let place = ProcessFixture::new("evidence");
        let spec = place.spec(script).adoptable();
        let spec = match ending {
            ProcessEnding::TimedOut => spec.deadline(Duration::from_millis(200)),
            _ => spec,
        };
        let log = place.log();
        assert_eq!(run(spec).await.ending, ending);
        // Simulates a new server after the kill of the server that saw the end.
        assert_eq!(load_ending(&log), Some(ending));
        assert_eq!(read_remaining_output(&log).await.expect("there is nothing more"), "");
        assert_eq!(place.read("log"), said, "nothing is written twice");
        assert_eq!(load_ending(&log), Some(ending));
        remove_process_records(&log).expect("is removed");
        assert_eq!(load_ending(&log), None);
        remove_process_records(&log).expect("again is fine");
    }
}

#[tokio::test]
async fn e_4_no_line_is_lost_or_repeated_between_the_files_of_a_relay() {
    let place = ProcessFixture::new("chatty");
    // Small pieces fill a file after a few lines, so there are several hundred files.
    let script = "i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done";
    let ended = run(place.spec(script).log_cap(100_000).tail(100).adoptable()).await;
    assert!(!ended.truncated);
    let numbers: String = (0..5000).map(|number| format!("{number}\n")).collect();
    assert_eq!(place.read("log"), numbers);
}

#[tokio::test]
async fn e_4_an_adoptable_flood_keeps_head_and_tail_and_counts_the_rest() {
    let place = ProcessFixture::new("spoolflood");
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
async fn e_12_a_program_survives_its_server_and_no_output_is_lost() {
    let place = ProcessFixture::new("adopt");
    let script =
        "echo before; echo yes > settled; cat go; seq 1 2000; cat back; echo after; exit 3";
    place.fifo("back");
    let identity = start_orphan(&place, script).await;
    // No server reads the output now; a broken pipe would end the program here.
    place.write_fifo("go", "away\n").await;
    let adopted = adopt_process(&place, identity.clone()).await;
    assert_eq!(adopted.identity(), &identity);
    let never = CancellationToken::new();
    let (ended, ()) =
        tokio::join!(wait_for_outcome(adopted, &never), place.write_fifo("back", "back\n"));
    // Here the program was reparented to this process, so its exit code is known.
    assert_eq!(ended.ending, Some(ProcessEnding::Exited(3)));
    let numbers: String = (1..=2000).map(|number| format!("{number}\n")).collect();
    assert_eq!(place.read("log"), format!("before\naway\n{numbers}back\nafter\n"));
    assert_eq!(ended.tail.len(), 1_000);
    assert!(ended.tail.ends_with("2000\nback\nafter\n"));
    assert_eq!(own_children(), Vec::<String>::new());
    assert_eq!(
        load_ending(&place.log()),
        Some(ProcessEnding::Exited(3)),
        "known until it is on record"
    );
}

#[tokio::test]
async fn e_12_an_adopted_run_is_stopped_with_all_that_escaped() {
    let place = ProcessFixture::new("adoptstop");
    let script = "(cd /; exec env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 &); echo yes > settled; exec sleep 1000";
    let identity = start_orphan(&place, script).await;
    let adopted = adopt_process(&place, identity.clone()).await;
    let stop = CancellationToken::new();
    stop.cancel();
    let ended = wait_for_outcome(adopted, &stop).await;
    assert_eq!(ended.ending, Some(ProcessEnding::Stopped));
    assert_eq!(ended.stragglers, 1);
    assert!(!identity.is_alive());
    assert_eq!(own_children(), Vec::<String>::new());
}

#[tokio::test]
async fn e_12_an_exit_that_only_init_saw_was_recorded() {
    for (end, ending) in
        [("exit 3", ProcessEnding::Exited(3)), ("kill -9 $$", ProcessEnding::Signalled(9))]
    {
        let place = ProcessFixture::new("adoptunseen");
        let script = format!("echo before; echo yes > settled; cat go; {end}");
        let identity = start_orphan_of_init(&place, &script).await;
        let adopted = adopt_process(&place, identity).await;
        let never = CancellationToken::new();
        let (ended, ()) =
            tokio::join!(wait_for_outcome(adopted, &never), place.write_fifo("go", "after\n"));
        assert_eq!(ended.ending, Some(ending));
        assert!(place.read("log").starts_with("before\nafter\n"));
    }
}

#[tokio::test]
async fn e_12_an_unrecorded_exit_is_unknown() {
    let place = ProcessFixture::new("adoptunknown");
    let script = "echo yes > settled; cat go; kill -9 $PPID; exec sleep 1000";
    let identity = start_orphan_of_init(&place, script).await;
    let adopted = adopt_process(&place, identity).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(wait_for_outcome(adopted, &never), place.write_fifo("go", ""));
    assert_eq!(ended.ending, None);
    assert_eq!(ended.stragglers, 1, "the program lost its exit recorder and was ended");
}

#[tokio::test]
async fn e_12_a_prompt_is_read_to_its_end_without_the_server() {
    let place = ProcessFixture::new("adoptprompt");
    let prompt = "x".repeat(1_000_000);
    let input =
        place.shell("cat go > /dev/null; wc -c").stdin(StdinSource::Bytes(prompt.into_bytes()));
    place.fifo("go");
    let spec = SupervisionSpec::new(input, place.mark.clone(), place.log()).adoptable();
    let running = spawn(spec).await.expect("starts");
    let identity = running.identity().clone();
    running.release().await;
    let adopted = adopt_process(&place, identity).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(wait_for_outcome(adopted, &never), place.write_fifo("go", ""));
    assert_eq!(ended.tail.trim(), "1000000");
}

#[tokio::test]
async fn e_12_dropping_an_adopted_program_ends_it_and_releasing_does_not() {
    let place = ProcessFixture::new("adoptdrop");
    let identity = start_orphan(&place, "echo yes > settled; exec sleep 1000").await;
    adopt_process(&place, identity.clone()).await.release().await;
    assert!(identity.is_alive());
    drop(adopt_process(&place, identity.clone()).await);
    place.wait_until_exited(&identity).await;
    end_marked_processes(&place.mark, GRACE).await.expect("no process is left");
}

/// E-12: mark and directory are checked besides pid, start time and boot.
#[tokio::test]
async fn e_12_a_process_with_another_mark_or_directory_is_not_adopted() {
    let place = ProcessFixture::new("adoptother");
    place.fifo("settled");
    let spec = place.spec("echo yes > settled; exec sleep 1000").adoptable();
    let running = spawn(spec).await.expect("starts");
    place.wait_for_fifo("settled").await;
    let claim = adoption_request(&place, running.identity().clone());
    let other = AdoptionRequest {
        mark: ProcessMark::new("another-mark").expect("a mark"),
        ..claim.clone()
    };
    assert!(matches!(adopt(other).await, Err(AdoptError::Unmarked { .. })));
    let astray =
        AdoptionRequest { workdir: ExpectedWorkdir::new(place.path().join("below")), ..claim };
    assert!(matches!(adopt(astray).await, Err(AdoptError::WrongWorkdir(_))));
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(running.wait(&stop).await.ending, ProcessEnding::Stopped);
}

#[tokio::test]
async fn e_12_a_deadline_counts_from_the_start_of_the_program() {
    let place = ProcessFixture::new("adoptlate");
    let identity = start_orphan(&place, "echo yes > settled; exec sleep 1000").await;
    let claim =
        AdoptionRequest { deadline: Some(Duration::ZERO), ..adoption_request(&place, identity) };
    let ended =
        wait_for_outcome(adopt(claim).await.expect("is adopted"), &CancellationToken::new()).await;
    assert_eq!(ended.ending, Some(ProcessEnding::TimedOut));
}

#[tokio::test]
async fn e_12_output_printed_without_a_server_is_read_afterwards() {
    let place = ProcessFixture::new("rest");
    let script = "echo before; echo yes > settled; cat go; seq 1 50000; echo last words";
    let identity = start_orphan(&place, script).await;
    place.write_fifo("go", "").await;
    place.wait_until_exited(&identity).await;
    assert!(matches!(
        adopt(adoption_request(&place, identity)).await,
        Err(AdoptError::Exited { .. })
    ));
    end_marked_processes(&place.mark, GRACE).await.expect("no process is left");
    assert_eq!(load_ending(&place.log()), Some(ProcessEnding::Exited(0)));
    let tail = read_remaining_output(&place.log()).await.expect("is read");
    assert!(tail.ends_with("50000\nlast words\n"), "{tail}");
    let log = place.read("log");
    assert_eq!(read_remaining_output(&place.log()).await.expect("is read"), "");
    assert_eq!(place.read("log"), log, "its end is not written a second time");
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

/// The next server asks for the ending before the exit recorder has written the exit of the program.
#[tokio::test]
async fn issue_13_04_an_ending_that_is_not_recorded_yet_is_waited_for() {
    let place = ProcessFixture::new("latenote");
    place.fifo("left");
    let script = "exec 3> left; echo yes > settled; cat go; exit 7";
    let left = place.path().join("left");
    let left = tokio::spawn(tokio::fs::read(left));
    let keeper = start_orphan_of_init(&place, script).await;
    let pid = Pid::from_raw(keeper.pid.try_into().expect("a pid")).expect("a pid");
    kill_process(pid, Signal::STOP).expect("is stopped");
    place.write_fifo("go", "").await;
    left.await.expect("no panic").expect("the program has left");
    assert_eq!(load_ending(&place.log()), None, "its exit recorder could not write");
    assert_eq!(
        await_unsupervised_ending(&place.log(), &place.mark).await,
        Some(ProcessEnding::Exited(7))
    );
    end_marked_processes(&place.mark, GRACE).await.expect("no process is left");
}

#[tokio::test]
async fn issue_13_04_a_running_program_cannot_exit_while_it_is_being_ended() {
    let place = ProcessFixture::new("frozen");
    let script = "echo yes > settled; cat go; echo whole > whole; exit 0";
    let keeper = start_orphan_of_init(&place, script).await;
    assert_eq!(await_unsupervised_ending(&place.log(), &place.mark).await, None);
    assert!(keeper.is_alive());
    // A server that dies here leaves a stopped program; the next server wakes it if it adopts it.
    place.write_fifo("go", "").await;
    assert!(!place.path().join("whole").exists(), "it is stopped");
    end_marked_processes(&place.mark, GRACE).await.expect("no process is left");
    assert!(!place.path().join("whole").exists(), "it was at work and was ended");
}

#[tokio::test]
async fn issue_13_04_a_stopped_program_continues_when_it_is_adopted() {
    let place = ProcessFixture::new("woken");
    let keeper = start_orphan_of_init(&place, "echo yes > settled; cat go; exit 3").await;
    assert_eq!(await_unsupervised_ending(&place.log(), &place.mark).await, None);
    let adopted = adopt_process(&place, keeper).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(wait_for_outcome(adopted, &never), place.write_fifo("go", ""));
    assert_eq!(ended.ending, Some(ProcessEnding::Exited(3)));
}

#[tokio::test]
async fn e_12_a_released_program_can_be_adopted_beyond_its_log_cap() {
    let place = ProcessFixture::new("letgo");
    place.fifo("settled");
    place.fifo("go");
    let script = "head -c 300000 /dev/zero | tr '\\0' x; echo yes > settled; cat go; head -c 300000 /dev/zero | tr '\\0' y; echo end";
    let spec = place.spec(script).log_cap(100_000).tail(1_000).adoptable();
    let running = spawn(spec).await.expect("starts");
    let identity = running.identity().clone();
    place.wait_for_fifo("settled").await;
    running.release().await;
    assert!(identity.is_alive());
    let adopted = adopt_process(&place, identity).await;
    let never = CancellationToken::new();
    let (ended, ()) = tokio::join!(wait_for_outcome(adopted, &never), place.write_fifo("go", ""));
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
async fn e_12_a_program_that_is_not_adoptable_is_not_adopted() {
    let place = ProcessFixture::new("unadoptable");
    place.fifo("settled");
    let running = spawn(place.spec("echo yes > settled; exec sleep 1000")).await.expect("starts");
    place.wait_for_fifo("settled").await;
    let refused = adopt(adoption_request(&place, running.identity().clone())).await;
    assert!(matches!(refused, Err(AdoptError::Output { .. })));
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(running.wait(&stop).await.ending, ProcessEnding::Stopped);
}
