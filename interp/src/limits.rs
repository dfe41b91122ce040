//! What an execution may use, and who is told how far it is.

use crate::access::Access;
use crate::bridge::Bridge;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// How much an execution may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// IR instructions.
    pub steps: u64,
    /// Bytes of interpreted memory.
    pub memory: u64,
    /// Interpreted frames.
    pub depth: usize,
    /// The time at which the execution is given up.
    pub deadline: Option<Instant>,
    /// Seed of every free choice (`freeze`, `rand` of the hardware).
    pub seed: u64,
    /// Threads of an OpenMP region that does not say how many.
    pub threads: usize,
    /// What a program has set already for its OpenMP regions, if it has begun before.
    pub controls: Option<Controls>,
    /// Which files of the host may be touched.
    pub files: Access,
    /// Which native code may be called.
    pub bridge: Bridge,
    /// Who is told how far it is.
    pub watcher: Option<Watcher>,
}

/// What calls of the OpenMP library set for later regions (OpenMP 5.2, 2.1, "ICV Descriptions").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// `nthreads-var`
    pub threads: usize,
    /// `run-sched-var`: kind as in `omp_sched_t`, chunk.
    pub schedule: (u32, i64),
    /// `max-active-levels-var`
    pub max_active_levels: usize,
    /// `dyn-var`
    pub dynamic: bool,
}

impl Controls {
    /// Before a program has set any.
    pub fn new(threads: usize) -> Controls {
        Controls { threads: threads.max(1), schedule: (1, 0), max_active_levels: 1, dynamic: false }
    }
}

/// How far an execution is.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// IR instructions executed.
    pub steps: u64,
    /// Bytes in live objects.
    pub memory: u64,
    /// Threads that there have been.
    pub threads: usize,
    /// The function that is executed.
    pub function: &'a str,
    /// Where in it, if known.
    pub source: Option<ir::SourceLoc>,
}

/// Is told how far an execution is, about every million instructions.
#[derive(Clone)]
pub struct Watcher(Arc<dyn Fn(&Standing<'_>) + Send + Sync>);

impl Watcher {
    /// Tells this function.
    pub fn new(tell: impl Fn(&Standing<'_>) + Send + Sync + 'static) -> Watcher {
        Watcher(Arc::new(tell))
    }

    pub(crate) fn tell(&self, standing: &Standing<'_>) {
        (self.0)(standing);
    }
}

impl PartialEq for Watcher {
    fn eq(&self, other: &Watcher) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: u64::MAX,
            memory: 4 << 30,
            depth: 100_000,
            deadline: None,
            seed: 0,
            threads: 4,
            controls: None,
            files: Access::Refused,
            bridge: Bridge::Closed,
            watcher: None,
        }
    }
}
