//! The outside world, as values that a caller hands in.

use delta::storage::{InMemory, Storage};
use std::fmt::{Debug, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// 2026-01-15T00:00:00Z, milliseconds since the epoch: where lessons and recorded cases start unless they say otherwise.
pub const START_MS: i64 = 1_768_435_200_000;

/// Everything a statement may ask of the world around it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Env {
    /// Where tables live.
    pub storage: Arc<dyn Storage>,
    pub clock: Arc<dyn Clock>,
    pub names: Arc<dyn Names>,
    /// What commits carry as `userMetadata`.
    pub note: Option<String>,
}

/// Tells the time. Within one statement it stands still.
pub trait Clock: Send + Sync + Debug {
    /// Milliseconds since the epoch.
    fn now_ms(&self) -> i64;
    /// Called once before each statement.
    fn next_statement(&self);
}

/// Invents identifiers of files, tables and transactions.
pub trait Names: Send + Sync + Debug {
    /// A UUID in its usual text form.
    fn uuid(&self) -> String;

    /// So many letters and digits, for the folder of a data file whose path must not tell anything.
    fn prefix(&self, length: usize) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let mut prefix = String::with_capacity(length);
        while prefix.len() < length {
            let digits: Vec<u32> = self.uuid().chars().filter_map(|digit| digit.to_digit(16)).collect();
            for pair in digits.chunks_exact(2).take(length - prefix.len()) {
                let number = pair.iter().fold(0, |number, digit| number * 16 + digit) as usize;
                prefix.extend(ALPHABET.get(number % ALPHABET.len()).map(|byte| char::from(*byte)));
            }
        }
        prefix
    }
}

impl Env {
    /// An empty in-memory world in which every run gives the same bytes: the clock starts at
    /// `start_ms` and goes on by a second per statement.
    pub fn deterministic(start_ms: i64) -> Self {
        Self::over(Arc::new(InMemory::new()), start_ms)
    }

    /// The same over a store that already exists.
    pub fn over(storage: Arc<dyn Storage>, start_ms: i64) -> Self {
        Self {
            storage,
            clock: Arc::new(SteppingClock::new(start_ms)),
            names: Arc::new(CountedNames::default()),
            note: None,
        }
    }
}

/// One second per statement.
#[derive(Debug)]
pub struct SteppingClock {
    now_ms: AtomicI64,
}

impl SteppingClock {
    /// The first statement sees `start_ms` plus one second.
    pub fn new(start_ms: i64) -> Self {
        Self { now_ms: AtomicI64::new(start_ms) }
    }
}

impl Clock for SteppingClock {
    fn now_ms(&self) -> i64 {
        self.now_ms.load(Ordering::Relaxed)
    }

    fn next_statement(&self) {
        self.now_ms.fetch_add(1_000, Ordering::Relaxed);
    }
}

/// UUIDs in version 4 form from a counter, scrambled so that they look unlike each other.
#[derive(Debug, Default)]
pub struct CountedNames {
    next: AtomicU64,
}

impl CountedNames {
    /// Names from the `n`-th on: for a store that already holds files named by an earlier count.
    pub fn from_count(n: u64) -> Self {
        Self { next: AtomicU64::new(n) }
    }
}

impl Names for CountedNames {
    fn uuid(&self) -> String {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let high = scramble(2 * n + 1);
        let low = scramble(2 * n + 2);
        let mut bytes = [0u8; 16];
        bytes[..8].copy_from_slice(&high.to_be_bytes());
        bytes[8..].copy_from_slice(&low.to_be_bytes());
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let mut text = String::with_capacity(36);
        for (idx, byte) in bytes.iter().enumerate() {
            if matches!(idx, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

/// SplitMix64's finaliser: a bijection, so different counters never collide.
fn scramble(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
