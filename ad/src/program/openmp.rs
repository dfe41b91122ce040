//! What the functions of LLVM's OpenMP runtime mean to differentiation: one table of names.
//!
//! Clang turns a parallel region into a function, the *outlined* one, which the runtime calls once in each thread of a
//! team (`__kmpc_fork_call`), and everything else of OpenMP into calls within it (LLVM/OpenMP runtime, "Interface for
//! compilers", `kmp.h`). Most of these compute integers, or tell something to the runtime: who executes which
//! iterations, who is the master. A derivative executes them as the program does. Those that put the threads in an
//! order have a counterpart in the reverse pass ([`Order`]).

use crate::program::threads;
use ir::{Function, Module};

/// What to do about a construct that is refused.
pub const ADVICE: &str = "do it outside of what is differentiated, or give the function a gradient of its own";

/// What a call that orders threads becomes in the reverse pass. What others have written is seen behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// All threads of the team wait for each other, there and here.
    Barrier,
    /// Threads of a grid wait for each other, there and here ([`crate::program::device`]).
    Meet,
    /// Here a section begins that only one thread executes at a time; in the reverse pass it ends.
    Enter {
        /// The argument that says which section; none for those that are executed in the order of iterations.
        key: Option<usize>,
    },
    /// Here it ends; in the reverse pass the thread waits for its turn, the last first.
    Leave {
        /// The same.
        key: Option<usize>,
    },
    /// A region that a team of one executes begins here; in the reverse pass it ends.
    Serialize,
    /// It ends here, and begins there.
    Join,
}

/// A function that calls the outlined function several times at once, and how its threads are told apart.
#[derive(Debug)]
pub struct Fork {
    /// Its name.
    pub name: &'static str,
    /// `void (ptr, i32 thread, i32 number)`, perhaps with a limit behind: how many there are to be next time.
    pub ask: &'static str,
    /// `i32 ()`: the number of the one that asks.
    pub number: &'static str,
    /// `i32 ()`: how many there are.
    pub count: &'static str,
}

/// The function that forks a team of threads.
pub const FORK_CALL: &str = "__kmpc_fork_call";
/// A team of threads.
const TEAM: Fork =
    Fork { name: FORK_CALL, ask: PUSH_THREADS, number: "omp_get_thread_num", count: "omp_get_num_threads" };

/// A league of teams, each with one thread so far.
pub const LEAGUE: Fork =
    Fork { name: "__kmpc_fork_teams", ask: PUSH_TEAMS, number: "omp_get_team_num", count: "omp_get_num_teams" };

/// How a function of this name forks, if it does.
pub fn fork(name: &str) -> Option<&'static Fork> {
    [&TEAM, &LEAGUE].into_iter().find(|fork| fork.name == name)
}

/// May several threads execute the module, of OpenMP or made one by one?
pub fn has_threads(m: &Module) -> bool {
    threads::are_made(m) || [FORK_CALL, LEAGUE.name].iter().any(|name| m.function(name).is_some())
}

/// What a call says that enters or leaves the section in which a thread adds its part of a reduction.
pub(crate) const OF_REDUCTION: &str = "adj_of_reduction";

/// How many teams the next league is to have.
pub const PUSH_TEAMS: &str = "__kmpc_push_num_teams";
/// On a function that does nothing but to fork a team ([`crate::normalise::fork`]).
pub const FORKS: &str = "adj_fork";
/// `void (ptr thread, ptr number)`: what the runtime gives each thread of a team, for the analyses alone.
pub const NUMBERS: &str = "__adj_thread_numbers";
/// The number of a thread.
pub const THREAD: &str = "__kmpc_global_thread_num";
/// How many threads the next team is to have.
pub const PUSH_THREADS: &str = "__kmpc_push_num_threads";
/// All threads of the team wait for each other.
pub const BARRIER: &str = "__kmpc_barrier";
/// What one thread has computed, all get.
pub const COPYPRIVATE: &str = "__kmpc_copyprivate";
/// A section begins.
pub const CRITICAL: &str = "__kmpc_critical";
/// A section ends.
pub const END_CRITICAL: &str = "__kmpc_end_critical";
/// A reduction begins, at whose end the threads wait for each other, or do not.
pub const REDUCE: [&str; 2] = ["__kmpc_reduce", "__kmpc_reduce_nowait"];
/// It ends.
pub const END_REDUCE: [&str; 2] = ["__kmpc_end_reduce", "__kmpc_end_reduce_nowait"];
/// A team of one begins.
pub const SERIALIZED: &str = "__kmpc_serialized_parallel";
/// It ends.
pub const END_SERIALIZED: &str = "__kmpc_end_serialized_parallel";

/// `ptr (ptr place, i32 thread, i32 flags, i64 size, i64 shared, ptr entry)`: makes a task.
pub const TASK_ALLOC: &str = "__kmpc_omp_task_alloc";
/// `i32 (ptr place, i32 thread, ptr task)`: hands a task over.
pub const TASK: &str = "__kmpc_omp_task";
/// The same, with `i32 count, ptr dependences, i32 0, ptr null` behind.
pub const TASK_WITH_DEPS: &str = "__kmpc_omp_task_with_deps";
/// `i32 (ptr place, i32 thread)`: waits until the tasks have ended that the running one has made.
pub const TASKWAIT: &str = "__kmpc_omp_taskwait";
/// On a function that does nothing but to hand a task over ([`crate::normalise::tasks`]).
pub const HANDS_OVER: &str = "adj_task";
/// On a function that does nothing but to wait for tasks.
pub const AWAITS_TASKS: &str = "adj_await_tasks";

/// Does the function nothing but to hand a task over?
pub fn hands_over(func: &Function) -> bool {
    func.attrs.has(HANDS_OVER)
}

/// Does the function nothing but to wait for tasks?
pub fn awaits_tasks(func: &Function) -> bool {
    func.attrs.has(AWAITS_TASKS)
}

/// Those that put threads in an order.
const ORDERS: &[(&str, Order)] = &[
    (BARRIER, Order::Barrier),
    (CRITICAL, Order::Enter { key: Some(2) }),
    ("__kmpc_critical_with_hint", Order::Enter { key: Some(2) }),
    (END_CRITICAL, Order::Leave { key: Some(2) }),
    ("__kmpc_ordered", Order::Enter { key: None }),
    ("__kmpc_end_ordered", Order::Leave { key: None }),
    ("pthread_mutex_lock", Order::Enter { key: Some(0) }),
    ("pthread_mutex_unlock", Order::Leave { key: Some(0) }),
    ("mtx_lock", Order::Enter { key: Some(0) }),
    ("mtx_unlock", Order::Leave { key: Some(0) }),
    (SERIALIZED, Order::Serialize),
    (END_SERIALIZED, Order::Join),
    ("pthread_rwlock_rdlock", Order::Enter { key: Some(0) }),
    ("pthread_rwlock_wrlock", Order::Enter { key: Some(0) }),
    ("pthread_rwlock_unlock", Order::Leave { key: Some(0) }),
    ("pthread_spin_lock", Order::Enter { key: Some(0) }),
    ("pthread_spin_unlock", Order::Leave { key: Some(0) }),
    ("omp_set_lock", Order::Enter { key: Some(0) }),
    ("omp_unset_lock", Order::Leave { key: Some(0) }),
    ("omp_set_nest_lock", Order::Enter { key: Some(0) }),
    ("omp_unset_nest_lock", Order::Leave { key: Some(0) }),
    (ENTERED, Order::Enter { key: Some(0) }),
    (LEAVING, Order::Leave { key: Some(0) }),
    (LOCK_CELL, Order::Enter { key: Some(0) }),
    (UNLOCK_CELL, Order::Leave { key: Some(0) }),
];

/// `void (ptr lock)`: an attempt to get a lock has succeeded ([`crate::normalise::locks`]).
pub const ENTERED: &str = "__adj_entered";
/// `void (ptr lock)`: a lock is about to be let go of, until a condition holds.
pub const LEAVING: &str = "__adj_leaving";
/// `void (ptr cell)`: begins a section of one atomic access.
pub const LOCK_CELL: &str = "__adj_lock_cell";
/// `void (ptr cell)`: ends it.
pub const UNLOCK_CELL: &str = "__adj_unlock_cell";

/// Those that say who executes what, or ask: they compute integers, and write none but behind their arguments.
const WITHOUT_DERIVATIVE: &[&str] = &[
    THREAD,
    NUMBERS,
    PUSH_THREADS,
    PUSH_TEAMS,
    "__kmpc_push_num_teams_51",
    "__kmpc_push_proc_bind",
    "__kmpc_bound_thread_num",
    "__kmpc_for_static_init_4",
    "__kmpc_for_static_init_4u",
    "__kmpc_for_static_init_8",
    "__kmpc_for_static_init_8u",
    "__kmpc_for_static_fini",
    "__kmpc_flush",
    "__kmpc_doacross_init",
    "__kmpc_doacross_wait",
    "__kmpc_doacross_post",
    "__kmpc_doacross_fini",
    "__kmpc_dispatch_init_4",
    "__kmpc_dispatch_init_4u",
    "__kmpc_dispatch_init_8",
    "__kmpc_dispatch_init_8u",
    "__kmpc_dispatch_next_4",
    "__kmpc_dispatch_next_4u",
    "__kmpc_dispatch_next_8",
    "__kmpc_dispatch_next_8u",
    "__kmpc_dispatch_fini_4",
    "__kmpc_dispatch_fini_4u",
    "__kmpc_dispatch_fini_8",
    "__kmpc_dispatch_fini_8u",
    "__kmpc_dispatch_deinit",
    "__kmpc_single",
    "__kmpc_end_single",
    "__kmpc_master",
    "__kmpc_end_master",
    "__kmpc_masked",
    "__kmpc_end_masked",
    "omp_get_thread_num",
    "omp_get_num_threads",
    "omp_get_max_threads",
    "omp_get_num_procs",
    "omp_get_team_num",
    "omp_get_num_teams",
    "omp_get_max_teams",
    "omp_get_teams_thread_limit",
    "omp_is_initial_device",
    "omp_get_num_devices",
    "omp_get_default_device",
    "omp_get_initial_device",
    "omp_get_device_num",
    "omp_set_default_device",
    "omp_get_level",
    "omp_get_active_level",
    "omp_get_ancestor_thread_num",
    "omp_get_team_size",
    "omp_get_thread_limit",
    "omp_get_dynamic",
    "omp_get_nested",
    "omp_get_max_active_levels",
    "omp_get_wtime",
    "omp_get_wtick",
    "omp_get_schedule",
    "omp_in_final",
    "omp_in_parallel",
    "omp_set_num_threads",
    "omp_set_dynamic",
    "omp_set_nested",
    "omp_set_max_active_levels",
    "omp_set_schedule",
    "omp_init_lock",
    "omp_init_lock_with_hint",
    "omp_destroy_lock",
    "omp_test_lock",
    "omp_init_nest_lock",
    "omp_init_nest_lock_with_hint",
    "omp_destroy_nest_lock",
    "omp_test_nest_lock",
];

/// The order that a function of this name makes.
pub fn order(name: &str) -> Option<Order> {
    ORDERS.iter().find(|(known, _)| *known == name).map(|(_, order)| *order)
}

/// Does it carry no derivative, and order nothing?
pub fn is_without_derivative(name: &str) -> bool {
    WITHOUT_DERIVATIVE.contains(&name)
}

/// What a function of the runtime is that is in neither list, and why it has no derivative.
pub fn refused(m: &Module, id: ir::FuncId) -> Option<String> {
    let func = &m.functions[id];
    let name = func.name.as_str();
    let runtime = ["__kmpc_", "__tgt_", "omp_"].iter().any(|prefix| name.starts_with(prefix));
    if !func.is_declaration() || !runtime || order(name).is_some() || is_without_derivative(name) {
        return None;
    }
    let what = [
        ("__kmpc_omp_task", "a task"),
        ("__kmpc_taskloop", "a task"),
        ("__kmpc_taskgroup", "a group of tasks"),
        ("__kmpc_cancel", "cancellation"),
        ("__tgt_", "a target region"),
    ];
    let what = what.iter().find(|(prefix, _)| name.starts_with(prefix));
    let what = what.map_or_else(String::new, |(_, what)| format!("{what}, "));
    Some(format!("{what}`{name}`: this construct of OpenMP is not differentiated; {ADVICE}"))
}
