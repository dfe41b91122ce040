//! Adjudicate decides whether a gradient is the derivative.
pub mod check;
pub mod direct;
pub mod error;
pub mod header;
pub mod judge;
pub mod report;
pub mod session;
pub mod tools;
pub mod verdict;
pub use ad::Fault;
pub use check::{Check, Progress, Stage, check};
pub use error::Error;
pub use llvm::source::UnknownLevel;
pub use llvm::{Input, Level};
pub use verdict::{Family, Severity, Verdict};
