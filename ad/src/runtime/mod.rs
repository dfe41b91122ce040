//! What gradients call and keep: the tape and what reads it, and numbers that stand for others.
//!
//! | module | job |
//! |---|---|
//! | [`tape`] | blocks of memory that grow: the functions that gradients call |
//! | [`tape_marks`] | the tape is taken back to a mark |
//! | [`tape_log`] | each value that goes on a tape is told to whoever judges it |
//! | [`turns`] | the order of sections that exclude each other, and its reverse |
//! | [`broadcast`] | an address that one thread has, for all of a team |
//! | [`chunk_pool`] | chunks are kept from one gradient to the next |
//! | [`substitute`] | the primal of one value with the adjoint of another |

pub mod broadcast;
pub mod chunk_pool;
pub mod refuse;
pub mod run;
pub mod substitute;
pub mod tape;
pub mod tape_log;
pub mod tape_marks;
pub mod turns;
