//! Memory of event streams. A client that does not read keeps unsent data in memory; when it disconnects, that memory
//! is free only inside the process. So after streams end, the server returns free memory to the system.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// Streams end in groups, when a network or a proxy goes down: one release is enough for all of them.
const PAUSE: Duration = Duration::from_secs(1);

static PENDING: AtomicBool = AtomicBool::new(false);
static RELEASES: std::sync::LazyLock<watch::Sender<u64>> =
    std::sync::LazyLock::new(|| watch::Sender::new(0));

/// Held by a stream while it is open; dropping it triggers a release.
#[derive(Debug)]
pub(crate) struct StreamMemoryGuard;

impl Drop for StreamMemoryGuard {
    fn drop(&mut self) {
        if PENDING.swap(true, Ordering::AcqRel) {
            return;
        }
        // Use a separate thread: the allocator blocks it, and the runtime's threads answer requests.
        let spawned = std::thread::Builder::new().name("free-memory".to_owned()).spawn(|| {
            #[expect(
                clippy::disallowed_methods,
                reason = "no event reports the end of the last stream of a group"
            )]
            std::thread::sleep(PAUSE);
            // Reset before the release, so that a stream that ends from here on triggers another one.
            PENDING.store(false, Ordering::Release);
            forge_engine::release_free_memory();
            RELEASES.send_modify(|count| *count += 1);
        });
        if let Err(error) = spawned {
            PENDING.store(false, Ordering::Release);
            tracing::debug!(%error, "failed to return free memory to the system");
        }
    }
}

/// Number of releases, as it changes.
pub fn memory_releases() -> watch::Receiver<u64> {
    RELEASES.subscribe()
}
