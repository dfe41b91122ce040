//! Threads of POSIX, of C and of C++: the functions that make and await them, and what stands for these in the
//! normalised program.

use ir::Module;

/// Makes a thread: POSIX (`pthread_create`, XSH), C11 (7.26.5.1), libstdc++ (`std_thread.h`).
pub const MAKE: [&str; 3] = [CREATE, C_CREATE, START];
/// Are threads made one by one somewhere in the module?
pub fn are_made(m: &Module) -> bool {
    MAKE.iter().any(|name| m.function(name).is_some())
}

/// `int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)`
pub const CREATE: &str = "pthread_create";
/// `int pthread_join(pthread_t, void **)`
pub const JOIN: &str = "pthread_join";
/// `int thrd_create(thrd_t *, int (*)(void *), void *)`
pub const C_CREATE: &str = "thrd_create";
/// `int thrd_join(thrd_t, int *)`
pub const C_JOIN: &str = "thrd_join";
/// `void std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)())`
pub const START: &str = "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE";
/// `std::thread::_State::~_State()`, of what a thread of C++ executes
pub const END_OF_STATE: &str = "_ZNSt6thread6_StateD2Ev";
/// `void std::thread::join()`
pub const CXX_JOIN: &str = "_ZNSt6thread4joinEv";

/// On a function that does nothing but to make a thread ([`crate::normalise::threads`]).
pub const SPAWNS: &str = "adj_spawn";
/// On a function that does nothing but to await one.
pub const AWAITS: &str = "adj_await";
/// A variable: the number of a thread, for the analyses alone.
pub const NUMBER: &str = "__adj_thread_number";

/// How the names of functions begin that make and end what orders threads, tell something to those who wait, or ask:
/// they carry no derivative, and write nothing but behind their arguments. (Those that put threads in an order are in
/// [`crate::program::openmp`], beside those of OpenMP.) The beginnings are reserved to POSIX and to the library.
const OF_THREADS: [&str; 10] = [
    "pthread_attr_",
    "pthread_barrier",
    "pthread_cond",
    "pthread_mutex",
    "pthread_rwlock",
    "pthread_setconcurrency",
    "pthread_spin_",
    "_ZNSt18condition_variable",
    "_ZNSt6chrono3_V2",
    "_ZNSt6thread20hardware_concurrencyEv",
];

/// Others of these, whose names might begin those of a program's own functions: C11, 7.26, and POSIX.
const WITHOUT_DERIVATIVE: [&str; 29] = [
    // Where it is called by its name it has been replaced.
    CXX_JOIN,
    "cnd_broadcast",
    "cnd_destroy",
    "cnd_init",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "mtx_destroy",
    "mtx_init",
    "mtx_timedlock",
    "mtx_trylock",
    "nanosleep",
    "pthread_equal",
    "pthread_self",
    "sched_yield",
    "sem_clockwait",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_post",
    "sem_timedwait",
    "sem_trywait",
    "sem_wait",
    "thrd_current",
    "thrd_equal",
    "thrd_sleep",
    "thrd_yield",
    "usleep",
    "sleep",
];

/// Does a function of this name carry no derivative?
pub fn is_without_derivative(name: &str) -> bool {
    WITHOUT_DERIVATIVE.contains(&name) || OF_THREADS.iter().any(|known| name.starts_with(known))
}

/// Is it a variable of each thread that is set right before it is looked at, and is of no use in the reverse pass?
pub fn is_of_once(name: &str) -> bool {
    name == ONCE_CALL || name == ONCE_CALLABLE
}

/// `void ()`: what libstdc++'s `std::call_once` gives `pthread_once`; it calls what [`ONCE_CALL`] holds.
pub const ONCE_PROXY: &str = "__once_proxy";
/// A variable of which each thread has its own: `void (*)()`, set right before.
pub const ONCE_CALL: &str = "_ZSt11__once_call";
/// The same: what that function works on.
pub const ONCE_CALLABLE: &str = "_ZSt15__once_callable";
