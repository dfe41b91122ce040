//! Programs nobody wrote, to find gradients that are wrong.
//!
//! | module | job |
//! |---|---|
//! | [`choices`] | where decisions come from: a seed, or the bytes of a fuzzer |
//! | [`shrink`] | the search for a smaller program |
//! | [`strategy`] | the generators as strategies of proptest |
//! | [`c`] | programs in C: the tree, the generator and its odds, the printer, the reducer |
//! | [`mod@ir`] | programs in LLVM IR: the generator and its odds |
//! | [`claims`] | what the analyses claim, refuted by executions |
//! | [`mod@check`] | what must hold of every program, as functions |
//! | [`campaign`] | many programs: findings once each, refusals and constructs counted |
//! | [`isolate`] | panics as values |
//! | [`mutate`], [`mutants`] | gradients with one instruction changed, and whether that is noticed |
//! | [`planted`] | defects of parallel gradients, to see that they are found |
//! | [`tool`] | another AD tool under test: a command |
//! | [`store`] | a campaign on disk and on paper |

pub mod c;
pub mod campaign;
pub mod check;
pub mod choices;
pub mod claims;
pub mod ir;
pub mod isolate;
pub mod mutants;
pub mod mutate;
pub mod planted;
pub mod shrink;
pub mod store;
pub mod strategy;
mod summary;
pub mod tool;

pub use check::{Finding, Options, Outcome, TestCase, check};
