//! What both modes emit: expressions of the table, shadows of variables, calls of BLAS and LAPACK, messages, threads
//! and tasks, numbers of iterations.

pub mod atomic_add;
pub mod blas;
mod block_memory;
pub mod expr;
pub mod gathered_add;
pub mod messages;
pub mod shadow_globals;
pub mod shadow_memory;
pub mod tasks;
pub mod threads;
pub mod trip_count;
pub mod zero_guard;
