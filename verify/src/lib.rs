//! Proofs: that the rules of the table are derivatives, and that synthesised gradients are gradients, for all inputs.
//!
//! Two kinds of proof, both by the solver z3 over the real numbers (rounding is the oracle's business):
//!
//! - [`rule`]: each row of `rules` becomes obligations: the partials are what the difference quotient tends to, the
//!   conventions are what the formula takes where they speak, forward and reverse mode are transposes. The derivative
//!   comes from its definition (Carathéodory's), functions from their functional equations: no rule of differentiation
//!   is assumed.
//!
//! - [`gradient`]: translation validation. A program runs symbolically, and at each differentiated call the synthesised
//!   gradient is proved to be the derivative of what the primal computes, for all values of the floating-point numbers
//!   it can reach.
//!
//! [`subjects`] lists what there is to prove, [`Subject::prove`] proves it, [`cache`] keeps the results. Terms and
//! what is asked of them are in [`term`] and [`obligation`]; [`solver`] asks, by a process of its own ([`worker`]).
//!
//! ```
//! let tangent = rules::lookup("tan").unwrap().row;
//! let obligations = verify::rule::obligations(tangent).unwrap();
//! assert!(obligations.iter().any(|it| it.obligation.name.starts_with("partial")));
//! ```

pub mod cache;
mod error;
mod exec;
pub mod gradient;
mod normal;
pub mod obligation;
mod question;
pub mod report;
pub mod rule;
pub mod solver;
pub mod structure;
pub mod term;
mod watch;
mod wire;
pub mod worker;

pub use report::{Failure, Report, Status, Subject, SubjectReport};
pub use solver::{Outcome, Solver, SolverError};

/// Everything there is to prove: the rows of the table.
pub fn subjects() -> Vec<Subject> {
    rules::rows().iter().map(Subject::of_row).collect()
}

/// The subjects of that name: a row's, a rule's, or what programs call the operation; all of them without a name.
pub fn subjects_named(name: Option<&str>) -> Vec<Subject> {
    let Some(name) = name else { return subjects() };
    let spelled = rules::lookup(name).map(|symbol| symbol.row).or_else(|| rules::lookup_opcode(name));
    let is_meant = |subject: &Subject| {
        let spelled = spelled.is_some_and(|row| subject.row.is_some_and(|it| it.op == row.op));
        spelled || subject.name.eq_ignore_ascii_case(name)
    };
    subjects().into_iter().filter(is_meant).collect()
}
