//! Identifiers, as an input.

use forge_domain::Timestamp;
use std::sync::atomic::{AtomicU64, Ordering};
use uuid::{Builder, Uuid};

/// Where the engine gets identifiers from.
#[derive(Debug)]
pub enum Ids {
    /// From the system's randomness.
    Random,
    /// One after the other, for scenarios that must repeat exactly.
    Counted(AtomicU64),
}

impl Ids {
    /// Counts from one.
    pub fn counted() -> Self {
        Self::Counted(AtomicU64::new(1))
    }

    /// A new UUIDv7 with the given time in front.
    pub fn next(&self, now: Timestamp) -> Uuid {
        let mut bytes = [0_u8; 10];
        match self {
            Self::Random => {
                // The system's source fails only before the machine has booted; the counter keeps ids distinct then.
                static FALLBACK: AtomicU64 = AtomicU64::new(1);
                if getrandom::fill(&mut bytes).is_err() {
                    fill_from(&FALLBACK, &mut bytes);
                }
            }
            Self::Counted(counter) => fill_from(counter, &mut bytes),
        }
        let millis = u64::try_from(now.millis()).unwrap_or(0);
        Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}

fn fill_from(counter: &AtomicU64, bytes: &mut [u8; 10]) {
    let count = counter.fetch_add(1, Ordering::Relaxed);
    bytes[2..].copy_from_slice(&count.to_be_bytes());
}
