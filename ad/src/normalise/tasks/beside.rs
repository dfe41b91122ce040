//! Whether the tasks of a program are executed beside each other in its derivative, and where they are awaited.
//!
//! A thread may execute a task while it waits for others. So a task of the reverse pass must not wait for its turn in
//! an order that has been recorded: who comes before it may be a task that the same thread has begun, and cannot go on
//! with. Nor has it variables of a thread of its own. Tasks that do such things are executed where they are made, in
//! both passes, and then all tasks of the program are.
//!
//! Each task awaits those that it has made before it ends, and so does each thread of a region; that is more than the
//! program asks for, and no task can tell (OpenMP 5.2, 12.5: a scheduling point may execute any of them). What a task
//! has made by the time that it waits, or comes to a barrier, is reversed from there on.

use super::{ALLOC, COPY, HAND_OVER, LOOP, REDUCES, REDUCES_IN_REGION, TASK};
use crate::base::names::called_outside;
use crate::normalise::sources::Sources;
use crate::normalise::{atomics, locks, once, threads};
use crate::program::call_graph::{address_taken, reachable_from};
use crate::program::externals::{External, classify};
use crate::program::openmp::{self, Order};
use crate::program::threads::is_without_derivative;
use crate::request::entry_points::is_entry_point;
use ir::{ConstKind, FuncId, Function, InstId, Module, Operand};
use std::collections::BTreeSet;

/// Where the tasks of a program are awaited that are executed beside each other.
pub struct Beside {
    /// The functions that are executed where tasks may have been made and not yet awaited.
    within: BTreeSet<FuncId>,
    /// Those at whose end they are awaited: what the threads of a region execute, and what is differentiated.
    ends: BTreeSet<FuncId>,
    /// The functions of tasks that make tasks.
    makers: BTreeSet<FuncId>,
}

impl Beside {
    /// Looks at what is reached from the function, and from those that have been looked at.
    pub fn find(m: &Module, sources: &Sources, root: FuncId) -> Option<Beside> {
        m.function(ALLOC)?;
        let pointed = address_taken(m, is_entry_point);
        let known: BTreeSet<FuncId> = sources.keys().copied().chain([root]).collect();
        let whole = reached(m, &known, &pointed);
        let entries = tasks(m, &whole)?;
        let decided = sources.values().any(openmp::hands_over);
        if entries.is_empty() || !decided && !may_be_beside(m, &whole, (&entries, &pointed)) {
            return None;
        }
        let outlined: BTreeSet<FuncId> = whole.iter().flat_map(|id| outlined(m, &m.functions[*id])).collect();
        let mut beside = Beside { within: BTreeSet::new(), ends: BTreeSet::new(), makers: BTreeSet::new() };
        for id in known.iter().chain(&outlined).chain(&entries) {
            let within = context(m, *id, &pointed);
            if within.iter().any(|f| !made(m, &m.functions[*f]).is_empty()) {
                beside.within.extend(within);
                if entries.contains(id) {
                    beside.makers.insert(*id);
                } else if outlined.contains(id) || sources.is_empty() {
                    beside.ends.insert(*id);
                }
            }
        }
        Some(beside)
    }

    /// May there be tasks that the one which executes the function has made and not yet awaited?
    pub fn is_within(&self, id: FuncId) -> bool {
        self.within.contains(&id)
    }

    /// Does whoever executes the function await its tasks at the end?
    pub fn ends(&self, id: FuncId) -> bool {
        self.ends.contains(&id)
    }

    /// Does the function of a task make tasks?
    pub fn makes(&self, entry: Operand, m: &Module) -> bool {
        m.as_function(entry).is_none_or(|f| self.makers.contains(&f))
    }
}

/// The functions that the tasks execute which these functions make; none, if one of them is not known.
fn tasks(m: &Module, whole: &BTreeSet<FuncId>) -> Option<BTreeSet<FuncId>> {
    whole.iter().flat_map(|id| made(m, &m.functions[*id])).collect()
}

/// The functions of the tasks that a function makes itself.
fn made(m: &Module, func: &Function) -> Vec<Option<FuncId>> {
    let entry = |(_, inst): (_, InstId)| {
        let callee = called_outside(m, &func.insts[inst]).filter(|callee| callee.name == ALLOC)?;
        debug_assert!(callee.is_declaration());
        Some(func.insts[inst].kind.as_call()?.args.get(ENTRY).and_then(|entry| m.as_function(*entry)))
    };
    func.inst_order().filter_map(entry).collect()
}

/// The argument that a task's function is.
const ENTRY: usize = 5;
/// How the names of functions begin that call the destructors of what tasks hold.
const DESTROYS: &str = ".omp_task_destructor.";
/// The numbers of threads in their teams: what lies in the place of one is touched in the order in which the thread
/// executes tasks.
const NUMBERS: [&str; 2] = ["omp_get_thread_num", "omp_get_ancestor_thread_num"];

/// The functions that the threads of a region execute which a function forks.
fn outlined(m: &Module, func: &Function) -> Vec<FuncId> {
    let body = |(_, inst): (_, InstId)| {
        let callee = called_outside(m, &func.insts[inst])?;
        openmp::fork(&callee.name)?;
        m.as_function(*func.insts[inst].kind.as_call()?.args.get(2)?)
    };
    func.inst_order().filter_map(body).collect()
}

/// What functions reach, where those that are called through pointers may be any whose address is taken.
fn reached(m: &Module, from: &BTreeSet<FuncId>, pointed: &BTreeSet<FuncId>) -> BTreeSet<FuncId> {
    let direct = reachable_from(m, from.iter().copied());
    match direct.iter().any(|id| calls_pointer(&m.functions[*id])) {
        true => reachable_from(m, direct.into_iter().chain(pointed.iter().copied())),
        false => direct,
    }
}

fn calls_pointer(func: &Function) -> bool {
    let pointer = |(_, inst): (_, InstId)| func.insts[inst].kind.as_call().is_some_and(|c| c.callee.local().is_some());
    func.inst_order().any(pointer)
}

/// What is executed by whoever executes the function: neither by threads of a region within, nor by tasks.
fn context(m: &Module, from: FuncId, pointed: &BTreeSet<FuncId>) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    let mut work = vec![from];
    while let Some(id) = work.pop() {
        if !out.insert(id) {
            continue;
        }
        let func = &m.functions[id];
        if calls_pointer(func) {
            work.extend(pointed);
        }
        for (_, inst) in func.inst_order() {
            let name = called_outside(m, &func.insts[inst]).map_or("", |callee| callee.name.as_str());
            if name != ALLOC && openmp::fork(name).is_none() {
                work.extend(func.insts[inst].kind.operands().into_iter().filter_map(|o| m.as_function(o)));
            }
        }
    }
    out
}

/// Does no task do what only the thread that has made it can do, or wait otherwise than for tasks?
fn may_be_beside(
    m: &Module,
    whole: &BTreeSet<FuncId>,
    (entries, pointed): (&BTreeSet<FuncId>, &BTreeSet<FuncId>),
) -> bool {
    let destroys = |id: &&FuncId| m.functions[**id].name.starts_with(DESTROYS);
    let executed = entries.iter().chain(whole.iter().filter(destroys)).copied().collect();
    let within = reached(m, &executed, pointed);
    let ordered = whole.iter().any(|id| atomics::order_matters(m, &m.functions[*id]));
    let fits = |id: &FuncId| {
        let func = &m.functions[*id];
        !(atomics::orders(m, func) || ordered && atomics::first(m, func).is_some() || once::first(m, func).is_some())
            && func.inst_order().all(|(_, inst)| !is_of_thread(m, func, inst))
    };
    let known = |id: &FuncId| {
        let func = &m.functions[*id];
        let plain = !threads::makes(m, func) && !atomics::has_points(m, func);
        plain && func.inst_order().all(|(_, inst)| is_known(m, func, inst))
    };
    within.iter().all(fits) && whole.iter().all(known)
}

/// Is it of an order that threads keep, or a variable of which each thread has its own?
pub fn is_of_thread(m: &Module, func: &Function, inst: InstId) -> bool {
    let kind = &func.insts[inst].kind;
    let own = |operand: Operand| {
        let variable = m.as_constant(operand).map(|constant| &constant.kind);
        matches!(variable, Some(ConstKind::Global(g)) if !m.globals[*g].thread_local.is_empty())
    };
    if kind.operands().into_iter().any(own) {
        return true;
    }
    let Some(callee) = called_outside(m, &func.insts[inst]) else { return false };
    let name = callee.name.as_str();
    let section = |order: Order| matches!(order, Order::Enter { .. } | Order::Leave { .. });
    openmp::order(name).is_some_and(section)
        || openmp::REDUCE.contains(&name)
        || is_without_derivative(name)
        || locks::tries(name)
        || NUMBERS.contains(&name)
        || name.starts_with("llvm.threadlocal.address")
        || matches!(classify(m, callee), External::Message(_))
}

/// Is it nothing that is only known of tasks which are executed where they are made?
fn is_known(m: &Module, func: &Function, inst: InstId) -> bool {
    let name = called_outside(m, &func.insts[inst]).map_or("", |callee| callee.name.as_str());
    let args = func.insts[inst].kind.as_call().map_or(&[][..], |call| &call.args[..]);
    if [REDUCES, COPY].contains(&name) || REDUCES_IN_REGION.contains(&name) {
        return false;
    }
    // A task that goes on later, and one whose parts are executed one after the other.
    let made_here = || {
        let task = args.get(TASK).and_then(|task| task.local()).and_then(|v| func.def_inst(v));
        let made = |task: InstId| called_outside(m, &func.insts[task]).is_some_and(|callee| callee.name == ALLOC);
        task.is_some_and(made)
    };
    let again = HAND_OVER.contains(&name) && !made_here();
    let at_once = name == LOOP && args.get(TASK + 1).and_then(|wanted| m.as_int(*wanted)) != Some(1);
    !again && !at_once
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::collect::collect;

    /// `f` makes a task of `entry`, which executes `work`, and waits for it.
    fn program(work: &str, more: &str) -> Module {
        let text = format!(
            "@own = thread_local global i32 0\n@lock = common global [8 x i32] zeroinitializer\n\
             declare ptr @__kmpc_omp_task_alloc(ptr, i32, i32, i64, i64, ptr)\n\
             declare i32 @__kmpc_omp_task(ptr, i32, ptr)\ndeclare i32 @__kmpc_omp_taskwait(ptr, i32)\n\
             declare void @__kmpc_critical(ptr, i32, ptr)\ndeclare void @__kmpc_end_critical(ptr, i32, ptr)\n\
             declare i32 @pthread_mutex_trylock(ptr)\ndeclare i32 @MPI_Barrier(ptr)\n\
             define internal void @work(i32 %n, ptr %t) {{\n{work}\n  ret void\n}}\n\
             define internal i32 @.omp_task_entry.(i32 %n, ptr %t) {{\n  call void @work(i32 %n, ptr %t)\n  \
             ret i32 0\n}}\n\
             define void @f(ptr %p, i32 %n) {{\n  \
             %t = call ptr @__kmpc_omp_task_alloc(ptr null, i32 %n, i32 1, i64 40, i64 0, ptr @.omp_task_entry.)\n  \
             %h = call i32 @__kmpc_omp_task(ptr null, i32 %n, ptr %t)\n  \
             %w = call i32 @__kmpc_omp_taskwait(ptr null, i32 %n)\n{more}\n  ret void\n}}\n"
        );
        ir::parse::parse(&text, "tasks").unwrap()
    }

    /// What `f` calls, in order, with what tasks make of it.
    fn calls(work: &str, more: &str) -> Vec<String> {
        let mut m = program(work, more);
        let root = m.function("f").unwrap();
        let sources = collect(&mut m, root).unwrap();
        let func = &sources[&root];
        let called = |(_, inst): (_, InstId)| func.insts[inst].kind.as_call().and_then(|c| m.as_function(c.callee));
        func.inst_order().filter_map(called).map(|f| m.functions[f].name.clone()).collect()
    }

    /// Are the tasks of the program executed where they are made?
    fn at_once(work: &str, more: &str) -> bool {
        let calls = calls(work, more);
        assert!(calls.contains(&".omp_task_entry.".to_owned()) || calls.contains(&"__adj_task_f_0".to_owned()));
        calls.contains(&".omp_task_entry.".to_owned())
    }

    #[test]
    fn a_task_is_handed_over_and_awaited() {
        assert_eq!(calls("", ""), ["malloc", "__adj_task_f_0", "__adj_await_tasks", "__adj_await_tasks"]);
    }

    #[test]
    fn what_waits_for_others_is_executed_where_it_is_made() {
        assert!(!at_once("  store double 1.0, ptr %t", ""));
        let section = "  call void @__kmpc_critical(ptr null, i32 %n, ptr @lock)\n  \
                       call void @__kmpc_end_critical(ptr null, i32 %n, ptr @lock)";
        assert!(at_once(section, ""));
        // Not in the task, but beside it.
        let section = section.replace("%n", "0");
        assert!(!at_once("", &section));
        assert!(at_once("  %l = call i32 @pthread_mutex_trylock(ptr @lock)", ""));
        assert!(at_once("  %s = call i32 @MPI_Barrier(ptr null)", ""));
    }

    #[test]
    fn what_a_thread_has_of_its_own_is_used_where_it_is() {
        assert!(at_once("  store i32 1, ptr @own", ""));
        assert!(!at_once("", "  store i32 1, ptr @own"));
    }

    #[test]
    fn the_order_of_single_accesses_matters_in_tasks() {
        let sum = "  %s = atomicrmw fadd ptr %t, double 1.0 monotonic, align 8";
        let product = "  %p = atomicrmw fmax ptr %t, double 1.0 monotonic, align 8";
        let counter = |order: &str| format!("  %c = atomicrmw add ptr %t, i32 1 {order}, align 4");
        assert!(!at_once(sum, ""));
        assert!(at_once(product, ""));
        assert!(!at_once(&counter("monotonic"), ""));
        assert!(at_once(&counter("acq_rel"), ""));
        // All of a float become sections if one does.
        assert!(at_once(sum, &product.replace("%t", "%p").replace("%p =", "%q =")));
        assert!(at_once("", "  fence seq_cst"));
    }

    #[test]
    fn an_unknown_function_may_be_any() {
        let unknown = "  %g = load ptr, ptr %t\n  call void %g(ptr %t)";
        assert!(!at_once(unknown, ""));
        let mut m = program(unknown, "");
        let text = m.to_string().replace(
            "@lock =",
            "@table = global ptr @locks\ndefine void @locks(ptr %p) {\n  \
             %l = call i32 @pthread_mutex_trylock(ptr %p)\n  ret void\n}\n@lock =",
        );
        m = ir::parse::parse(&text, "tasks").unwrap();
        let root = m.function("f").unwrap();
        assert!(Beside::find(&m, &Sources::new(), root).is_none());
    }
}
