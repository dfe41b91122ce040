//! What a derivative cannot do to threads without changing what the program means.
//!
//! *An order of which the reverse pass would know nothing.* One thread may tell another by something that is in no list
//! here that data are ready. The reverse pass would have to tell it in the opposite direction. (A variable that is
//! accessed in one piece with *acquire* and *release* semantics, C11, 7.17.3, a fence and a semaphore are of sections
//! whose order is known: [`crate::normalise::atomics`].)
//!
//! *What only a thread of its own can do.* What reverses a thread is another thread, which has variables of its own;
//! and of a thread that ends otherwise than by returning, or that nobody awaits, nobody knows where its reverse begins.
//! In both modes the address of a record stands for a thread ([`crate::emit::threads`]): what looks for it elsewhere
//! would not find it.
//!
//! *Two ways of executing at a time.* A function without a derivative is called as the program has it: a thread or a
//! task that it makes runs beside the others, an access in one piece is one of the processor. Where functions with a
//! derivative do the same in the way of [`crate::normalise`], neither would wait for the other.

use super::Parallel;
use crate::analysis::memory::Facts;
use crate::base::names::called_outside;
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::normalise::{atomics, once, tasks, threads};
use crate::program::call_graph::reachable_from;
use crate::program::device::is_of_device;
use crate::program::externals::{External, classify};
use crate::program::openmp::{ADVICE, awaits_tasks, hands_over};
use crate::program::threads::is_of_once;
use crate::runtime::turns::TURN;
use ir::{ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Ordering, RmwOp};
use std::collections::BTreeSet;

/// How the names of functions begin that wait for other threads, or tell them, where no section says so.
const UNKNOWN: [&str; 7] =
    ["pthread_barrier_wait", "sem_clockwait", "sem_post", "sem_timedwait", "sem_trywait", "sem_wait", "__kmpc_flush"];

/// How the names of functions begin that end threads otherwise than by returning, leave them alone, look for them, or
/// have variables of theirs.
const OF_THREADS: [&str; 14] = [
    "pthread_cancel",
    "pthread_detach",
    "pthread_equal",
    "pthread_exit",
    "pthread_getspecific",
    "pthread_kill",
    "pthread_setspecific",
    "pthread_timedjoin",
    "pthread_tryjoin",
    "thrd_detach",
    "thrd_equal",
    "thrd_exit",
    "tss_",
    "_ZNSt6thread6detachEv",
];

/// Refuses that in what is differentiated: orders only where there is a reverse pass.
pub(crate) fn refuse(
    m: &Module,
    sources: &Sources,
    differentiable: &BTreeSet<FuncId>,
    reversed: Option<&Parallel>,
) -> Result<(), Diagnostic> {
    let made = makes_threads(m, sources);
    for (id, func) in sources {
        let inside = reversed.is_some_and(|parallel| parallel.is_inside(*id));
        if let Some(inst) = func.inst_order().map(|(_, inst)| inst).find(|inst| is_turn_of_grid(m, func, *inst)) {
            let message = format!("{OF_GRID}: {ADVICE}");
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
        }
        let sections = atomics::in_sections(m, func);
        for (_, inst) in func.inst_order() {
            let unknown = inside && !sections.contains(&inst);
            let order = || unknown.then(|| unknown_order(m, func, inst)).flatten();
            let own = || made.then(|| of_thread(m, func, inst, reversed.is_some())).flatten();
            if let Some(why) = order().or_else(own) {
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, format!("{why}: {ADVICE}")));
            }
        }
    }
    refuse_awkward(m, sources, differentiable)?;
    refuse_two_ways(m, sources, differentiable)
}

const OF_GRID: &str = "a float is accessed in one piece here, and the reverse pass needs to know in which order the \
    threads of a grid did so; sums whose former value nobody uses are in no order";

/// Does a section of one access begin in code of a device, where nobody notes whose turn it was?
fn is_turn_of_grid(m: &Module, func: &Function, inst: InstId) -> bool {
    is_of_device(m, func) && atomics::is_lock(m, func, inst)
}

const TWICE: &str = "a gradient reverses sections here that exclude each other, and is itself differentiated in reverse \
    mode, where nobody would know the order of their reverse: differentiate it in forward mode (`__enzyme_fwddiff`)";

/// Refuses to reverse what is the reverse of sections: the counters of their order would be asked for by both.
pub(crate) fn refuse_twice(m: &Module, primal: FuncId) -> Result<(), Diagnostic> {
    for id in reachable_from(m, [primal]) {
        let func = &m.functions[id];
        let is_of_a_gradient = |inst: &InstId| {
            let callee = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
            callee.is_some_and(|f| m.functions[f].name.starts_with(TURN)) && !func.name.starts_with(TURN)
        };
        if let Some(inst) = func.inst_order().map(|(_, inst)| inst).find(is_of_a_gradient) {
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, TWICE));
        }
    }
    Ok(())
}

/// Refuses what waits for others in a task that is executed beside others, or has a thread of its own: where functions
/// are called through pointers, that is known only now ([`crate::normalise::tasks`]).
pub(crate) fn refuse_in_tasks(m: &Module, facts: &Facts, sources: &Sources) -> Result<(), Diagnostic> {
    let called = |id: FuncId, func: &Function| -> Vec<FuncId> {
        func.inst_order().flat_map(|(_, inst)| facts.called(m, sources, (id, func), inst)).collect()
    };
    let handing = sources.iter().filter(|(_, func)| hands_over(func));
    let mut work: Vec<FuncId> = handing.flat_map(|(id, func)| called(*id, func)).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = work.pop() {
        let Some(func) = sources.get(&id).filter(|_| seen.insert(id)) else { continue };
        work.extend(called(id, func));
        if hands_over(func) || awaits_tasks(func) || threads::is_parallel(func) {
            continue;
        }
        let within = |inst: &InstId| tasks::is_of_thread(m, func, *inst) || atomics::is_lock(m, func, *inst);
        if let Some(inst) = func.inst_order().map(|(_, inst)| inst).find(within) {
            let message = format!(
                "this orders threads, or is of one thread, in a task that is known only by a pointer: {ADVICE}"
            );
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
        }
    }
    Ok(())
}

/// Threads that end otherwise than by returning, or that others have made.
fn refuse_awkward(m: &Module, sources: &Sources, differentiable: &BTreeSet<FuncId>) -> Result<(), Diagnostic> {
    let refuse = |func: &Function, what: &str| {
        let at = func.inst_order().map(|(_, inst)| inst).next();
        let message = format!("{what}: {ADVICE}");
        Err(match at {
            Some(at) => Diagnostic::at(m, func, at, Reason::Unsupported, message),
            None => Diagnostic::of(m, func, Reason::Unsupported, message),
        })
    };
    for (makes, what) in [(threads::is_spawn as fn(&Function) -> bool, "thread"), (hands_over, "task")] {
        let endless = |(id, func): &(&FuncId, &Function)| makes(func) && !differentiable.contains(id);
        if let Some((_, func)) = sources.iter().find(endless) {
            return refuse(func, &format!("a {what} is made that does not return"));
        }
    }
    if !sources.values().any(threads::is_spawn) {
        for func in sources.values() {
            let awaits = |inst: &InstId| {
                let called = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
                called.and_then(|f| sources.get(&f)).is_some_and(threads::is_await)
            };
            if let Some(inst) = func.inst_order().map(|(_, inst)| inst).find(awaits) {
                let message = format!("a thread is awaited here, and none is made: {ADVICE}");
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
            }
        }
    }
    Ok(())
}

/// Are threads made by the functions, or by those that are written out in them?
fn makes_threads(m: &Module, sources: &Sources) -> bool {
    reachable_from(m, sources.keys().copied()).iter().any(|id| threads::makes(m, &m.functions[*id]))
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
            let callee = called_outside(m, &func.insts[inst])?;
            let starts = |names: &[&str]| names.iter().any(|name| callee.name.starts_with(name));
            let waits = starts(&UNKNOWN);
            let message = matches!(classify(m, callee), External::Message(_));
            (waits || message).then(|| format!("`{}`", callee.name))?
        }
    };
    Some(format!("{what} orders threads, and the reverse pass would not know how"))
}

/// What only a thread of its own can do. In forward mode each thread has its variables as in the program.
fn of_thread(m: &Module, func: &Function, inst: InstId, reversed: bool) -> Option<String> {
    let asked = called_outside(m, &func.insts[inst]).map(|callee| callee.name.as_str());
    let known = |name: &&str| {
        OF_THREADS.iter().any(|known| name.starts_with(known))
            || reversed && name.starts_with("llvm.threadlocal.address")
    };
    let own = func.insts[inst].kind.operands().into_iter().find_map(|o| own_variable(m, o));
    if own.is_some_and(is_of_once) {
        return None;
    }
    let what = match (own.filter(|_| reversed), asked.filter(known)) {
        (Some(name), _) => format!("`{name}`, of which each thread has its own, is used"),
        (None, Some(name)) => format!("`{name}` is called"),
        (None, None) => return None,
    };
    Some(format!("{what}, but what executes a thread in a derivative is another one"))
}

/// A variable of which each thread has its own.
fn own_variable(m: &Module, operand: Operand) -> Option<&str> {
    match m.as_constant(operand)?.kind {
        ConstKind::Global(g) if !m.globals[g].thread_local.is_empty() => Some(m.globals[g].name.as_str()),
        _ => None,
    }
}

/// What is done in two ways, as the program's own functions show.
fn refuse_two_ways(m: &Module, sources: &Sources, differentiable: &BTreeSet<FuncId>) -> Result<(), Diagnostic> {
    type Finds = fn(&Module, &Function) -> Option<InstId>;
    let found = |find: Finds| differentiable.iter().any(|id| find(m, &m.functions[*id]).is_some());
    let kinds: [(&str, Finds, bool); 4] = [
        ("threads are made or awaited", threads::first, found(threads::first)),
        ("tasks are made or awaited", tasks::first, found(tasks::first)),
        ("something is called once", once::first, found(once::first)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::collect::collect;

    /// Functions of these names, and those that stand for the threads and tasks they make: all of them return.
    fn with_threads(m: &Module, sources: &Sources, names: &[&str]) -> BTreeSet<FuncId> {
        let stands = |func: &Function| threads::is_spawn(func) || hands_over(func) || awaits_tasks(func);
        let made = sources.iter().filter(|(_, func)| stands(func)).map(|(id, _)| *id);
        names.iter().map(|name| m.function(name).unwrap()).chain(made).collect()
    }

    /// `f` calls `g`; what is said if these have a derivative.
    fn said(bodies: &str, differentiable: &[&str]) -> Option<String> {
        let mut m = ir::parse::parse(&declared(bodies), "threads").unwrap();
        let root = m.function("f").unwrap();
        let sources = collect(&mut m, root).unwrap();
        let differentiable = with_threads(&m, &sources, differentiable);
        refuse(&m, &sources, &differentiable, None).err().map(|refused| refused.message)
    }

    /// Some functions, with what they may call.
    fn declared(bodies: &str) -> String {
        format!(
            "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n\
             declare i32 @pthread_equal(i64, i64)\ndeclare ptr @__kmpc_omp_task_alloc(ptr, i32, i32, i64, i64, ptr)\n\
             declare i32 @__kmpc_omp_task(ptr, i32, ptr)\ndeclare i32 @__kmpc_omp_taskwait(ptr, i32)\n\
             @own = thread_local global double 0.0\n\
             define ptr @work(ptr %p) {{\n  ret ptr null\n}}\n\
             define i32 @entry(i32 %n, ptr %t) {{\n  ret i32 0\n}}\n{bodies}"
        )
    }

    const MADE: &str = "define void @g(ptr %t) {\n  \
                        %r = call i32 @pthread_create(ptr %t, ptr null, ptr @work, ptr null)\n  ret void\n}\n";

    #[test]
    fn a_thread_that_is_made_in_one_way_and_awaited_in_another() {
        let f = format!(
            "{MADE}define void @f(ptr %t) {{\n  call void @g(ptr %t)\n  %n = load i64, ptr %t\n  \
             %r = call i32 @pthread_join(i64 %n, ptr null)\n  ret void\n}}\n"
        );
        assert_eq!(said(&f, &["f", "g"]), None);
        assert!(said(&f, &["f"]).unwrap().contains("threads are made or awaited here"));
        assert!(said(&f, &["g"]).unwrap().contains("threads are made or awaited here"));
    }

    #[test]
    fn a_task_that_is_made_in_one_way_and_awaited_in_another() {
        let f = "define void @g() {\n  \
                 %t = call ptr @__kmpc_omp_task_alloc(ptr null, i32 0, i32 1, i64 40, i64 0, ptr @entry)\n  \
                 %r = call i32 @__kmpc_omp_task(ptr null, i32 0, ptr %t)\n  ret void\n}\n\
                 define void @f() {\n  call void @g()\n  \
                 %r = call i32 @__kmpc_omp_taskwait(ptr null, i32 0)\n  ret void\n}\n";
        assert_eq!(said(f, &["f", "g"]), None);
        assert!(said(f, &["f"]).unwrap().contains("tasks are made or awaited here"));
    }

    #[test]
    fn a_float_that_is_accessed_in_one_piece_in_two_ways() {
        let f = "define void @g(ptr %p) {\n  %r = atomicrmw fadd ptr %p, double 1.0 monotonic, align 8\n  ret void\n}\n\
                 define double @f(ptr %p) {\n  call void @g(ptr %p)\n  \
                 %r = load atomic double, ptr %p monotonic, align 8\n  ret double %r\n}\n";
        let mut m = ir::parse::parse(f, "atomics").unwrap();
        let ids = ["f", "g"].map(|name| m.function(name).unwrap());
        let mut sources = collect(&mut m, ids[0]).unwrap();
        let alone = BTreeSet::from([ids[0]]);
        assert!(refuse(&m, &sources, &alone, None).is_ok(), "nothing is lowered");
        atomics::lower(&mut m, &mut sources);
        let refused = refuse(&m, &sources, &alone, None).unwrap_err();
        assert!(refused.message.contains("a float is accessed in one piece here"), "{}", refused.message);
        assert!(refuse(&m, &sources, &BTreeSet::from(ids), None).is_ok());
    }

    #[test]
    fn a_thread_that_does_not_return() {
        let f = format!("{MADE}define void @f(ptr %t) {{\n  call void @g(ptr %t)\n  ret void\n}}\n");
        let mut m = ir::parse::parse(&declared(&f), "threads").unwrap();
        let ids = ["f", "g"].map(|name| m.function(name).unwrap());
        let sources = collect(&mut m, ids[0]).unwrap();
        let refused = refuse(&m, &sources, &BTreeSet::from(ids), Some(&Parallel::default())).unwrap_err();
        assert!(refused.message.contains("a thread is made that does not return"), "{}", refused.message);
    }

    #[test]
    fn what_stands_for_a_thread_is_found_nowhere_else() {
        let body =
            |what: &str| format!("{MADE}define void @f(ptr %t) {{\n  call void @g(ptr %t)\n  {what}\n  ret void\n}}\n");
        let all = ["f", "g"];
        let equal = said(&body("%n = call i32 @pthread_equal(i64 1, i64 2)"), &all);
        assert!(equal.unwrap().contains("`pthread_equal` is called"));
        // In forward mode, a thread has what it has in the program, and waits as there.
        assert_eq!(said(&body("store double 1.0, ptr @own"), &all), None);
        assert_eq!(said(&body("%v = load atomic i32, ptr %t acquire, align 4"), &all), None);
        // Without a thread that is made there is only one.
        let alone = "define void @f() {\n  %n = call i32 @pthread_equal(i64 1, i64 2)\n  ret void\n}\n";
        assert_eq!(said(alone, &["f"]), None);
    }

    #[test]
    fn what_has_a_reverse_if_that_is_a_thread_of_its_own() {
        let reversed = |what: &str| {
            let text = format!(
                "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i64 @pthread_self()\n\
                 declare i32 @pthread_detach(i64)\ndeclare i32 @pthread_cond_wait(ptr, ptr)\n\
                 @own = thread_local global double 0.0\ndefine ptr @work(ptr %p) {{\n  ret ptr null\n}}\n\
                 {MADE}define void @f(ptr %t) {{\n  call void @g(ptr %t)\n  {what}\n  ret void\n}}\n"
            );
            let mut m = ir::parse::parse(&text, "threads").unwrap();
            let root = m.function("f").unwrap();
            let sources = collect(&mut m, root).unwrap();
            let all = with_threads(&m, &sources, &["f", "g"]);
            refuse(&m, &sources, &all, Some(&Parallel::default())).err().map(|refused| refused.message)
        };
        assert_eq!(reversed("%n = call i64 @pthread_self()"), None);
        assert_eq!(reversed("%r = call i32 @pthread_cond_wait(ptr %t, ptr %t)"), None);
        assert!(reversed("%r = call i32 @pthread_detach(i64 1)").unwrap().contains("`pthread_detach` is called"));
        assert!(reversed("store double 1.0, ptr @own").unwrap().contains("`own`, of which each thread"));
    }
}
