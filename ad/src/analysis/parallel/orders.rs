//! What a derivative cannot do to threads without changing what the program means.
//!
//! *An order of which the reverse pass would know nothing.* One thread may tell another that data are ready by a
//! variable that is read in one piece with *acquire* semantics (C11, 7.17.3), by a semaphore, or by a condition. The
//! reverse pass would have to tell it in the opposite direction. Counters that are only added to order nothing that
//! matters here: what they have shown is kept.
//!
//! *A thread that is not executed where it is made.* Threads of POSIX and of C++ are ([`crate::normalise::threads`]), in
//! both modes. So they have no variables and no number of their own, cannot end but by returning, and must not wait for
//! what comes later, be it by looking at a variable again and again.
//!
//! *Two ways of executing at a time.* A function without a derivative is called as the program has it: a thread or a
//! task that it makes runs beside the others, an access in one piece is one of the processor. Where functions with a
//! derivative do the same in the way of [`crate::normalise`], neither would wait for the other.

use super::Parallel;
use crate::error::{Diagnostic, Reason};
use crate::normalise::collect::Sources;
use crate::normalise::{atomics, tasks, threads};
use crate::program::externals::{External, classify};
use ir::{ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Ordering, RmwOp};
use std::collections::BTreeSet;

/// How the names of functions begin that wait for other threads, or tell them.
const WAITING: [&str; 11] = [
    "pthread_barrier_wait",
    "pthread_cond_",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_rwlock_",
    "pthread_spin_",
    "sem_",
    "cnd_",
    "mtx_",
    "thrd_",
    "_ZNSt18condition_variable",
];

/// How the names of functions begin that ask or tell what only a thread of its own can.
const OF_THREADS: [&str; 11] = [
    "pthread_cancel",
    "pthread_detach",
    "pthread_exit",
    "pthread_getspecific",
    "pthread_kill",
    "pthread_self",
    "pthread_setspecific",
    "pthread_timedjoin",
    "pthread_tryjoin",
    "llvm.threadlocal.address",
    "_ZNSt6thread6detachEv",
];

const ADVICE: &str = "do it outside of what is differentiated, or give the function a gradient of its own";

/// Refuses that in what is differentiated: orders only where there is a reverse pass.
pub(crate) fn refuse(
    m: &Module,
    sources: &Sources,
    differentiable: &BTreeSet<FuncId>,
    reversed: Option<&Parallel>,
) -> Result<(), Diagnostic> {
    let made = sources.keys().any(|id| threads::makes(m, &m.functions[*id]));
    for (id, func) in sources {
        let inside = reversed.is_some_and(|parallel| parallel.is_inside(*id));
        for (_, inst) in func.inst_order() {
            let order = || (made || inside).then(|| unknown_order(m, func, inst)).flatten();
            let own = || made.then(|| of_thread(m, func, inst)).flatten();
            if let Some(why) = order().or_else(own) {
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, format!("{why}: {ADVICE}")));
            }
        }
    }
    refuse_two_ways(m, sources, differentiable)
}

fn unknown_order(m: &Module, func: &Function, inst: InstId) -> Option<String> {
    let acquires = |ordering: Ordering| matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst);
    let what = match &func.insts[inst].kind {
        InstKind::Load { atomic: Some(atomic), .. } if acquires(atomic.ordering) => {
            "a value that is read with acquire semantics".to_owned()
        }
        InstKind::CmpXchg { success, .. } if acquires(*success) => "an exchange with acquire semantics".to_owned(),
        InstKind::AtomicRmw { op: RmwOp::Xchg, ordering, .. } if acquires(*ordering) => {
            "an exchange with acquire semantics".to_owned()
        }
        InstKind::Fence(_) => "a fence".to_owned(),
        _ => {
            let callee = declared(m, func, inst)?;
            let waits = WAITING.iter().any(|name| callee.name.starts_with(name));
            let message = matches!(classify(m, callee), External::Message(_));
            (waits || message).then(|| format!("`{}`", callee.name))?
        }
    };
    Some(format!("{what} orders threads, and the reverse pass would not know how"))
}

/// What only a thread of its own can do, or may wait for another one by doing it again and again.
fn of_thread(m: &Module, func: &Function, inst: InstId) -> Option<String> {
    let what = match &func.insts[inst].kind {
        InstKind::Load { atomic: Some(_), .. } | InstKind::CmpXchg { .. } => {
            "a variable that other threads may write is looked at".to_owned()
        }
        kind => {
            let asked = declared(m, func, inst).map(|callee| callee.name.as_str());
            let asked = asked.filter(|name| OF_THREADS.iter().any(|known| name.starts_with(known)));
            let own = kind.operands().into_iter().find_map(|o| own_variable(m, o));
            match (own, asked) {
                (Some(name), _) => format!("`{name}`, of which each thread has its own, is used"),
                (None, Some(name)) => format!("`{name}` is called"),
                (None, None) => return None,
            }
        }
    };
    Some(format!("{what}, but a thread is executed where it is made"))
}

/// A variable of which each thread has its own.
fn own_variable(m: &Module, operand: Operand) -> Option<&str> {
    match m.as_constant(operand)?.kind {
        ConstKind::Global(g) if !m.globals[g].thread_local.is_empty() => Some(m.globals[g].name.as_str()),
        _ => None,
    }
}

/// The function without a body that an instruction calls.
fn declared<'m>(m: &'m Module, func: &Function, inst: InstId) -> Option<&'m Function> {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee))?;
    Some(&m.functions[callee]).filter(|f| f.is_declaration())
}

/// What is done in two ways, as the program's own functions show.
fn refuse_two_ways(m: &Module, sources: &Sources, differentiable: &BTreeSet<FuncId>) -> Result<(), Diagnostic> {
    type Finds = fn(&Module, &Function) -> Option<InstId>;
    let found = |find: Finds| differentiable.iter().any(|id| find(m, &m.functions[*id]).is_some());
    let kinds: [(&str, Finds, bool); 3] = [
        ("threads are made or awaited", threads::first, found(threads::first)),
        ("tasks are made or awaited", tasks::first, found(tasks::first)),
        ("a float is accessed in one piece", atomics::first, sources.values().any(|func| atomics::locks(m, func))),
    ];
    for (what, find, _) in kinds.iter().filter(|(.., lowered)| *lowered) {
        for id in sources.keys().filter(|id| !differentiable.contains(id)) {
            let func = &m.functions[*id];
            if let Some(inst) = find(m, func) {
                let message = format!("{what} here, where nothing is differentiated, and where something is: {ADVICE}");
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
            }
        }
    }
    Ok(())
}
