//! Two jobs at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `job` for every item, two at a time, and gives the messages of those that failed.
pub fn two_at_a_time<T: Sync>(items: &[T], job: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(message) = job(item) {
                        let mut failures = failures.lock().unwrap_or_else(|error| error.into_inner());
                        failures.push(message);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap_or_else(|error| error.into_inner());
    failures.sort();
    failures
}
