//! What puts threads in an order of which the reverse pass would know nothing.
//!
//! One thread may tell another that data are ready by a variable that is read in one piece with *acquire* semantics
//! (C11, 7.17.3), by a semaphore, or by a condition. The reverse pass would have to tell it in the opposite direction.
//! Counters that are only added to order nothing that matters here: what they have shown is kept.

use super::Parallel;
use crate::error::{Diagnostic, Reason};
use crate::normalise::collect::Sources;
use crate::normalise::threads::makes_threads;
use crate::program::externals::{External, classify};
use ir::{Function, InstId, InstKind, Module, Ordering, RmwOp};

/// How the names of functions begin that wait for, or tell, other threads.
const WAITING: [&str; 9] = [
    "pthread_barrier_wait",
    "pthread_cond_",
    "pthread_mutex_t",
    "pthread_rwlock_",
    "pthread_spin_",
    "sem_",
    "cnd_",
    "mtx_",
    "_ZNSt18condition_variable",
];

/// Refuses them in what several threads execute; everywhere, if threads are made.
pub(super) fn refuse_unknown(m: &Module, sources: &Sources, parallel: &Parallel) -> Result<(), Diagnostic> {
    let threads = sources.keys().any(|id| makes_threads(m, &m.functions[*id]));
    for (_, func) in sources.iter().filter(|(id, _)| threads || parallel.is_inside(**id)) {
        for (_, inst) in func.inst_order() {
            if let Some(what) = unknown_order(m, func, inst) {
                let message = format!("{what} orders threads, and the reverse pass would not know how");
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
            }
        }
    }
    Ok(())
}

fn unknown_order(m: &Module, func: &Function, inst: InstId) -> Option<String> {
    let acquires = |ordering: Ordering| matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst);
    match &func.insts[inst].kind {
        InstKind::Load { atomic: Some(atomic), .. } if acquires(atomic.ordering) => {
            Some("a value that is read with acquire semantics".to_owned())
        }
        InstKind::CmpXchg { success, .. } if acquires(*success) => {
            Some("an exchange with acquire semantics".to_owned())
        }
        InstKind::AtomicRmw { op: RmwOp::Xchg, ordering, .. } if acquires(*ordering) => {
            Some("an exchange with acquire semantics".to_owned())
        }
        InstKind::Fence(_) => Some("a fence".to_owned()),
        kind => {
            let callee = kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f])?;
            let waits = WAITING.iter().any(|name| callee.name.starts_with(name));
            let message = matches!(classify(m, callee), External::Message(_));
            (callee.is_declaration() && (waits || message)).then(|| format!("`{}`", callee.name))
        }
    }
}
