//! What a supervised program costs: the server's memory under a flood, the program's processor time and memory (E-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::time::Duration;

use forge_proc::{ProcessEnding, ProcessOutcome, SupervisionSpec, spawn};
use support::{ProcessFixture, own_children};
use tokio_util::sync::CancellationToken;

async fn run(spec: SupervisionSpec) -> ProcessOutcome {
    spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await
}

fn own_memory_kib(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc");
    let value = status.lines().find_map(|found| found.strip_prefix(line)).expect("a known line");
    value.split_ascii_whitespace().next().expect("a number").parse().expect("a number")
}

/// `FORGE_TEST_FLOOD=10` floods for ten seconds.
async fn flood(name: &str, prepare: impl Fn(SupervisionSpec) -> SupervisionSpec) {
    let seconds =
        std::env::var("FORGE_TEST_FLOOD").map_or(1, |seconds| seconds.parse().expect("a number"));
    let place = ProcessFixture::new(name);
    let before = own_memory_kib("VmRSS:");
    let spec = place.spec("exec yes").deadline(Duration::from_secs(seconds));
    let ended = run(prepare(spec.log_cap(1 << 20))).await;
    assert_eq!(ended.ending, ProcessEnding::TimedOut);
    assert!(ended.truncated, "a flood that is worth the name");
    let grown = own_memory_kib("VmHWM:").saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} KiB more than before");
    assert!(ended.log_bytes < (1 << 20) + 100_000, "{}", ended.log_bytes);
    assert_eq!(own_children(), Vec::<String>::new());
}

#[tokio::test]
async fn e_4_a_flood_does_not_grow_our_memory() {
    flood("flood", |spec| spec).await;
}

#[tokio::test]
async fn e_4_an_adoptable_flood_does_not_grow_our_memory() {
    flood("spooled", SupervisionSpec::adoptable).await;
}

#[tokio::test]
async fn e_4_cpu_time_and_memory_are_recorded() {
    let place = ProcessFixture::new("usage");
    place.fifo("worked");
    // A fixed amount of work: on a busy machine it takes longer, and costs the same processor time.
    let script =
        "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo up > worked; while :; do :; done";
    let stop = CancellationToken::new();
    let process = spawn(place.spec(script)).await.expect("starts");
    let stop_after_work = async {
        place.wait_for_fifo("worked").await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(process.wait(&stop), stop_after_work);
    assert_eq!(ended.ending, ProcessEnding::Stopped);
    assert!(ended.cpu_time >= Duration::from_millis(50), "{:?}", ended.cpu_time);
    assert!(ended.peak_memory_kib.is_some_and(|kib| kib > 100), "{:?}", ended.peak_memory_kib);
}

#[tokio::test]
async fn e_4_processor_time_of_an_orphan_without_a_waiting_parent_counts() {
    let place = ProcessFixture::new("orphan");
    place.fifo("up");
    // Its parent ends at once; it works, exits, and is reparented here.
    let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo up > up";
    let script = format!("(setsid sh -c '{busy}' >/dev/null 2>&1 &); cat up > /dev/null");
    let ended = run(place.spec(&script)).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(0));
    assert!(ended.cpu_time >= Duration::from_millis(20), "{:?}", ended.cpu_time);
    assert_eq!(own_children(), Vec::<String>::new());
}
