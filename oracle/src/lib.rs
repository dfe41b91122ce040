//! Adjudicate decides whether a gradient is the derivative, and says where it first goes wrong.
//!
//! - [`check()`]: a whole program, or with [`Check::function`] one function at one point; the answer is a
//!   [`report::Report`].
//! - [`judge`]: how one differentiated call is judged, step by step.
//! - [`native`]: a gradient as a pointer to a function, loaded into the process.
//! - [`driver`]: clang's command line, with gradients in what it makes; [`carried`]: programs that are judged when they
//!   are run.
//! - [`session`]: one program at one level, [`runs`]: run several times. [`tools`]: the other subcommands of `adj`.
//!
//! What a gradient is stands in `docs/contract.md`, the verdicts in `docs/verdicts.md`, the JSON report in
//! `docs/json.md`.
//!
//! ```no_run
//! # fn main() -> Result<(), adjudicate::Error> {
//! // Every gradient that a program computes, at two levels of optimisation:
//! adjudicate::check("tests/descent.c").levels(["O0", "O2"]).run()?.assert_correct();
//! // One function at one point:
//! let check = adjudicate::check("tests/rosenbrock.c").function("rosenbrock");
//! check.dup(&[1.2, 0.8]).constant(2).run()?.assert_correct();
//! # Ok(())
//! # }
//! ```

mod calls;
pub mod carried;
pub mod check;
pub mod circumstances;
pub mod direct;
pub mod driver;
pub mod error;
mod explained;
pub mod header;
pub mod judge;
pub mod kernel;
pub mod native;
pub mod observe;
pub mod report;
mod requirements;
pub mod runs;
pub mod session;
pub mod tools;
pub mod verdict;
pub use ad::Fault;
pub use check::{Check, Progress, Stage, check};
pub use error::Error;
pub use interp::{Standing, Watcher};
pub use llvm::source::UnknownLevel;
pub use llvm::{Input, Language, Level, Passes};
pub use native::load;
pub use verdict::{Family, Severity, Verdict};
