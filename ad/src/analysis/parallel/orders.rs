//! What a derivative cannot do to threads without changing what the program means.
//!
//! *An order of which the reverse pass would know nothing.* One thread may tell another by something that is in no list
//! here that data are ready. The reverse pass would have to tell it in the opposite direction. (A variable that is
//! accessed in one piece with *acquire* and *release* semantics, C11, 7.17.3, a fence and a semaphore are of sections
//! whose order is known: [`crate::normalise::atomics`].)
//!
//! *What only a thread of its own can do.* What reverses a thread is another thread, which has variables of its own;
//! and of a thread that ends otherwise than by returning, or that nobody awaits, nobody knows where its reverse begins.
//! In forward mode, threads of POSIX and of C++ are executed where they are made ([`crate::normalise::threads`]). So
//! there they have no number of their own either, and must not wait for what comes later, be it by looking at a
//! variable again and again.
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
use crate::program::call_graph::{address_taken, reachable_from};
use crate::program::externals::{External, classify};
use crate::program::openmp::{ADVICE, awaits_tasks, hands_over};
use crate::program::threads::is_of_once;
use crate::request::entry_points::is_entry_point;
use ir::{BlockId, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Ordering, RmwOp, Type};
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

/// How the names of functions begin that wait for other threads, or tell them, where no section says so.
const UNKNOWN: [&str; 7] =
    ["pthread_barrier_wait", "sem_clockwait", "sem_post", "sem_timedwait", "sem_trywait", "sem_wait", "__kmpc_flush"];

/// How the names of functions begin that wait for conditions, or tell of them: the locks tell the reverse pass all
/// ([`crate::normalise::locks`]).
const CONDITIONS: [&str; 4] = ["pthread_cond_", "cnd_wait", "cnd_timedwait", "_ZNSt18condition_variable"];

/// How the names of functions begin that end threads otherwise than by returning, leave them alone, or have variables
/// of theirs.
const OF_THREADS: [&str; 12] = [
    "pthread_cancel",
    "pthread_detach",
    "pthread_exit",
    "pthread_getspecific",
    "pthread_setspecific",
    "pthread_timedjoin",
    "pthread_tryjoin",
    "thrd_detach",
    "thrd_exit",
    "tss_",
    "llvm.threadlocal.address",
    "_ZNSt6thread6detachEv",
];

/// And that ask for a thread's number, or tell others by it.
const BY_NUMBER: [&str; 3] = ["pthread_kill", "pthread_self", "thrd_current"];

/// Refuses that in what is differentiated: orders only where there is a reverse pass.
pub(crate) fn refuse(
    m: &Module,
    sources: &Sources,
    differentiable: &BTreeSet<FuncId>,
    reversed: Option<&Parallel>,
) -> Result<(), Diagnostic> {
    let made = makes_threads(m, sources);
    let serial = made && reversed.is_none();
    let again = if serial { executed_again(m, sources) } else { BTreeSet::new() };
    for (id, func) in sources {
        let inside = reversed.is_some_and(|parallel| parallel.is_inside(*id));
        let sections = atomics::in_sections(m, func);
        for (block, inst) in func.inst_order() {
            // Who does not wait finds what lies there in the order in which threads are executed here.
            let looks = looks(&func.insts[inst].kind);
            if looks && !inside && !may_wait(m, func, (block, inst), again.contains(id)) {
                continue;
            }
            let unknown = serial || inside && !sections.contains(&inst);
            let order = || unknown.then(|| unknown_order(m, func, inst, serial)).flatten();
            let own = || made.then(|| of_thread(m, func, inst, serial)).flatten();
            if let Some(why) = order().or_else(own) {
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, format!("{why}: {ADVICE}")));
            }
        }
    }
    refuse_awkward(m, sources, differentiable)?;
    refuse_two_ways(m, sources, differentiable)
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

/// Does it look at what other threads may write?
fn looks(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Load { atomic: Some(_), .. } | InstKind::CmpXchg { .. })
}

/// May a function look at something until it is as wished for: does it depend on that whether a loop goes on, or, in a
/// function that is executed again and again, what that returns or leaves in memory?
fn may_wait(m: &Module, func: &Function, (block, inst): (BlockId, InstId), again: bool) -> bool {
    let (looped, tells) = (is_in_cycle(func, block), again && !matches!(m.types.get(func.ret), Type::Void));
    if !looped && !tells {
        return false;
    }
    let mut seen = BTreeSet::new();
    let mut work: Vec<_> = func.insts[inst].result.into_iter().collect();
    while let Some(value) = work.pop() {
        for (user, used) in func.inst_order() {
            let kind = &func.insts[used].kind;
            if !kind.operands().contains(&Operand::Local(value)) {
                continue;
            }
            let leaves =
                || tells || func.successors(user).into_iter().any(|next| looped && !is_reached(func, next, block));
            match kind {
                InstKind::Ret(_) => return true,
                // A variable of the function may be what the loop looks at.
                InstKind::Store { ptr, .. } if tells || is_variable(func, *ptr) => return true,
                _ if kind.is_terminator() && leaves() => return true,
                _ => work.extend(func.insts[used].result.filter(|result| seen.insert(*result))),
            }
        }
    }
    false
}

fn is_variable(func: &Function, ptr: Operand) -> bool {
    let made = ptr.local().and_then(|v| func.def_inst(v)).map(|inst| &func.insts[inst].kind);
    matches!(made, Some(InstKind::Alloca { .. }))
}

/// Does a way lead from one block to the other?
fn is_reached(func: &Function, from: BlockId, to: BlockId) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if block == to {
            return true;
        }
        work.extend(func.successors(block).into_iter().filter(|next| seen.insert(*next)));
    }
    false
}

/// Does a way lead from the block back to it?
fn is_in_cycle(func: &Function, block: BlockId) -> bool {
    func.successors(block).into_iter().any(|next| is_reached(func, next, block))
}

/// The functions that a loop calls, or a function that calls itself, and those that they call. Functions are as they
/// are in the program: there, what a thread executes is not called by whoever makes it.
fn executed_again(m: &Module, sources: &Sources) -> BTreeSet<FuncId> {
    let pointed: Vec<FuncId> = address_taken(m, is_entry_point).into_iter().collect();
    let mut calls: BTreeMap<FuncId, [Vec<FuncId>; 2]> = BTreeMap::new();
    let mut work: Vec<FuncId> = sources.keys().copied().collect();
    while let Some(id) = work.pop() {
        if let Entry::Vacant(new) = calls.entry(id) {
            let found = new.insert(calls_of(m, &m.functions[id], &pointed));
            work.extend(&found[ANYWHERE]);
        }
    }
    let mut out: BTreeSet<FuncId> = calls.values().flat_map(|found| found[LOOPED].iter().copied()).collect();
    out.extend(calls.keys().filter(|id| reached(&calls, &calls[*id][ANYWHERE]).contains(id)));
    reached(&calls, &out.into_iter().collect::<Vec<_>>())
}

/// The functions that are called in loops, and those that are called at all.
const LOOPED: usize = 0;
const ANYWHERE: usize = 1;

/// The functions with a body that a function may call: which it names, or which are pointed to.
fn calls_of(m: &Module, func: &Function, pointed: &[FuncId]) -> [Vec<FuncId>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    for block in &func.layout {
        let mut called = Vec::new();
        for inst in &func.blocks[*block].insts {
            let kind = &func.insts[*inst].kind;
            called.extend(kind.operands().into_iter().filter_map(|operand| m.as_function(operand)));
            if kind.as_call().is_some_and(|call| call.callee.local().is_some()) {
                called.extend(pointed);
            }
        }
        called.retain(|f| !m.functions[*f].is_declaration());
        if !called.is_empty() && is_in_cycle(func, *block) {
            out[LOOPED].extend(&called);
        }
        out[ANYWHERE].extend(called);
    }
    out
}

fn reached(calls: &BTreeMap<FuncId, [Vec<FuncId>; 2]>, from: &[FuncId]) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    let mut work = from.to_vec();
    while let Some(id) = work.pop() {
        if out.insert(id) {
            work.extend(&calls[&id][ANYWHERE]);
        }
    }
    out
}

fn unknown_order(m: &Module, func: &Function, inst: InstId, serial: bool) -> Option<String> {
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
            let waits = starts(&UNKNOWN) || serial && starts(&CONDITIONS);
            let message = matches!(classify(m, callee), External::Message(_));
            (waits || message).then(|| format!("`{}`", callee.name))?
        }
    };
    Some(format!("{what} orders threads, and the reverse pass would not know how"))
}

/// What only a thread of its own can do, or may wait for another one by doing it again and again.
fn of_thread(m: &Module, func: &Function, inst: InstId, serial: bool) -> Option<String> {
    let what = match &func.insts[inst].kind {
        kind if serial && looks(kind) => "a variable that other threads may write is looked at".to_owned(),
        kind => {
            let asked = called_outside(m, &func.insts[inst]).map(|callee| callee.name.as_str());
            let mut known = OF_THREADS.iter().chain(BY_NUMBER.iter().filter(|_| serial));
            let asked = asked.filter(|name| known.any(|known| name.starts_with(known)));
            let own = kind.operands().into_iter().find_map(|o| own_variable(m, o));
            if own.is_some_and(is_of_once) {
                return None;
            }
            match (own, asked) {
                (Some(name), _) => format!("`{name}`, of which each thread has its own, is used"),
                (None, Some(name)) => format!("`{name}` is called"),
                (None, None) => return None,
            }
        }
    };
    let why = match serial {
        true => "a thread is executed where it is made",
        false => "what reverses a thread is another one",
    };
    Some(format!("{what}, but {why}"))
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
             declare i64 @pthread_self()\ndeclare i1 @more()\ndeclare ptr @__kmpc_omp_task_alloc(ptr, i32, i32, i64, i64, ptr)\n\
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
    fn what_only_a_thread_of_its_own_has() {
        let body =
            |what: &str| format!("{MADE}define void @f(ptr %t) {{\n  call void @g(ptr %t)\n  {what}\n  ret void\n}}\n");
        let all = ["f", "g"];
        assert!(said(&body("%n = call i64 @pthread_self()"), &all).unwrap().contains("`pthread_self` is called"));
        assert!(said(&body("store double 1.0, ptr @own"), &all).unwrap().contains("`own`, of which each thread"));
        // Without a thread that is made there is only one.
        let alone = "define void @f() {\n  store double 1.0, ptr @own\n  ret void\n}\n";
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

    #[test]
    fn who_looks_again_and_again_waits() {
        const LOOK: &str = "  %v = load atomic i32, ptr %t acquire, align 4\n";
        let body = |what: &str| {
            format!(
                "{MADE}define i32 @ask(ptr %t) {{\n{LOOK}  ret i32 %v\n}}\ndefine void @look(ptr %t) {{\n{LOOK}  \
                 %c = icmp eq i32 %v, 0\n  br i1 %c, label %then, label %end\nthen:\n  store i32 1, ptr %t\n  \
                 br label %end\nend:\n  ret void\n}}\n\
                 define void @f(ptr %t) {{\n  call void @g(ptr %t)\n{what}  ret void\n}}\n"
            )
        };
        let all = ["f", "g", "ask", "look"];
        let looped = |what: &str, until: &str| {
            format!("  br label %again\nagain:\n{what}  {until}\n  br i1 %c, label %again, label %done\ndone:\n")
        };
        let waits = |what: &str| said(&body(what), &all);
        let (zero, counted) = ("%c = icmp eq i32 %v, 0", "%c = call i1 @more()");
        assert_eq!(waits(LOOK), None);
        assert!(waits(&looped(LOOK, zero)).unwrap().contains("acquire semantics"));
        assert!(waits(&looped("  %v = call i32 @ask(ptr %t)\n", zero)).unwrap().contains("acquire semantics"));
        // What becomes of it does not decide whether the loop goes on.
        assert_eq!(waits(&looped(LOOK, counted)), None);
        assert_eq!(waits(&looped("  call void @look(ptr %t)\n", counted)), None);
    }
}
