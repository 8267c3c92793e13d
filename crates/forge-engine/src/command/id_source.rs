//! Identifiers, injected so that tests repeat exactly.

use forge_domain::Timestamp;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use uuid::{Builder, ContextV7, Uuid};

/// Source of identifiers; clones of a counted source share its counter.
#[derive(Debug, Clone)]
pub enum IdSource {
    /// Random ids from the system.
    Random,
    /// Sequential ids, for tests that must repeat exactly.
    Counted(Arc<AtomicU64>),
}

impl IdSource {
    /// Starts counting at one.
    pub fn counted() -> Self {
        Self::Counted(Arc::new(AtomicU64::new(1)))
    }

    /// A new UUIDv7 with the given time; of two ids with the same time the later one is greater.
    pub fn next(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.millis()).unwrap_or(0);
        match self {
            Self::Random => {
                static ORDER: Mutex<ContextV7> = Mutex::new(ContextV7::new());
                let nanos = u32::try_from(millis % 1_000 * 1_000_000).unwrap_or(0);
                Uuid::new_v7(uuid::Timestamp::from_unix(&ORDER, millis / 1_000, nanos))
            }
            Self::Counted(counter) => {
                let count = counter.fetch_add(1, Ordering::Relaxed);
                let mut bytes = [0_u8; 10];
                // Leaves the low bits for ids that a command derives.
                bytes[2..].copy_from_slice(&(count << 32).to_be_bytes());
                Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d_1_rows_of_one_millisecond_keep_their_order() {
        let now = Timestamp::from_millis(1_767_225_600_123);
        let ids: Vec<_> = (0..1_000).map(|_| IdSource::Random.next(now)).collect();
        assert!(ids.is_sorted_by(|earlier, later| earlier < later));
        assert!(ids[0].to_string().starts_with("019b76da-a87b-7"), "{}", ids[0]);
    }
}
