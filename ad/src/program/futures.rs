//! Futures of libstdc++ (`std::async`, `std::promise`, `std::packaged_task`): what of them is in the library, and not
//! in the headers.
//!
//! What a thread leaves for another one, how it says so, and how that one waits is written out in the headers, with
//! `std::call_once`, atomic accesses and threads, and is differentiated as all code is. The library puts whoever waits
//! to sleep, and handles the exceptions that a future may hold in the place of a result.

/// How the names of functions begin that carry no derivative and leave no pointer: of `__atomic_futex_unsigned_base`,
/// which sleep and wake; and constructors, destructors and counters of what holds a result or an exception. (No
/// exception is ever held in a differentiated function: it ends where one begins.)
const WITHOUT_DERIVATIVE: [&str; 3] =
    ["_ZNSt28__atomic_futex_unsigned_base", "_ZNSt13__future_base", "_ZNSt15__exception_ptr13exception_ptr"];

/// Asks for what only the exceptions of futures are made with: `const std::error_category &std::future_category()`.
pub const CATEGORY: &str = "_ZSt15future_categoryv";
/// `void std::rethrow_exception(std::exception_ptr)`
pub const RETHROW: &str = "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE";

/// Does a function of the library carry no derivative?
pub fn is_without_derivative(name: &str) -> bool {
    WITHOUT_DERIVATIVE.iter().any(|known| name.starts_with(known))
}
