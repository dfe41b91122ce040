//! Programs in LLVM IR, built in memory: nothing is parsed or compiled before they are executed and differentiated.
//!
//! [`ty`] and [`build`] make instructions, [`generate`] draws programs with the odds of [`mod@odds`], [`batch`] puts
//! several into one module, [`mod@check`] executes and judges them, [`census`] tells what they contain, [`reduce`]
//! makes them smaller.

pub mod batch;
pub mod build;
pub mod census;
pub mod check;
pub mod generate;
pub mod odds;
pub mod reduce;
pub mod ty;

pub use batch::{Batch, Purpose};
pub use generate::ways_to_travel;
