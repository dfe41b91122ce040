//! The table of derivative rules: one row for each differentiable operation, read by every consumer.
//!
//! # The parts
//! - [`Op`]: the operation's identity. Match on it exhaustively. `op.row()` is its [`Row`]; [`rows()`] is the whole
//!   table.
//! - From a program to a row: [`lookup`]`(name)` for any callee, [`lookup_opcode`]`("fadd")`,
//!   [`lookup_intrinsic`]`("llvm.fmuladd.v4f32")` (row, lane width, lanes), [`lookup_symbol`]`("sinf")` (row, width),
//!   [`lookup_reduction`]`("llvm.vector.reduce.fadd.v4f64")`. Back: [`Row::callee`] gives the name an emitter should
//!   call, [`Row::spellings`] every library name.
//! - A row lists its [`Row::operands`] by position in the call and its [`Row::outputs`](field@Row::outputs). `X(i)` in
//!   an expression counts the floating-point operands in order ([`Row::float_positions`]), `n(j)` the integer ones
//!   ([`Row::int_positions`]). `jn(int, double)` has `n(0)` at position 0 and `X(0)` at position 1. An [`Output`] is
//!   the returned value, a field of it (`llvm.frexp`, complex arithmetic) or what is stored through a pointer operand
//!   (`sincos`, `modf`, `frexp`).
//! - A [`Partial`] is the derivative of one output by one active operand: an [`Expr`] over `X`, `N` and `Y`, the value
//!   of that output. Synthesis adds `expr·ȳ` to the operand's adjoint, or `expr·ẋ` to the tangent; [`Expr::needs`] says
//!   what must be cached. A partial that [`Expr::is_zero`] contributes nothing.
//! - [`Expr`] is a closed, public tree: walk it exhaustively to emit it. Calls in partials go to operations with a
//!   single floating-point result; a [`Helper`] (digamma) is defined by its own expression over `x(0)`: emit one
//!   internal function of it, or substitute. [`Expr::eval`] evaluates in any [`Scalar`] (`f64` and `rug::Float` here);
//!   `Display` and [`Expr::latex`] print.
//! - [`primal()`] is the value of any output in multi-precision, [`integer_result`] that of the integer outputs. The
//!   host's library functions are declared from [`for_each_host_function!`], so that no library name stands outside
//!   this crate's `table` folder.
//! - [`describe`] puts one row into words, [`reference_markdown`] prints the whole table.
//! - [`row::Convention`]s say what a partial is where the derivative does not exist and what kind of point it is
//!   ([`Row::convention_at`] finds the one that speaks), [`row::Region`]s where to sample.
//! - [`blas`] has the rows of BLAS: matrix statements in place of expressions.
//! - [`check()`] tests a row against difference quotients of [`primal()`], which use none of its partials.
//!
//! # Conventions in short
//! Roots have slope 0 at zero (no 0·∞); |x| has 0 at 0; a tie of minimum or maximum goes to the second operand, as in
//! `x0 < x1 ? x0 : x1`; jumps (rounding, remainders) keep the slope of the piece; poles and infinite slopes at the ends
//! of a domain stay infinite or NaN.
//!
//! ```
//! use rules::{Point, lookup_symbol};
//!
//! let found = lookup_symbol("tanf").unwrap();
//! let partial = found.row.partial(0, 0).unwrap();
//! assert_eq!(partial.expr.to_string(), "1 + y·y");
//! assert!(partial.expr.needs().result && !partial.expr.needs().input(0));
//! let slope = partial.expr.eval(&Point { x: &[0.5], n: &[], y: &0.5_f64.tan() });
//! assert!((slope - 1.0 / 0.5_f64.cos().powi(2)).abs() < 1e-15);
//! ```

pub mod blas;
mod check;
mod eval;
pub mod expr;
mod helper;
mod lookup;
mod mpfr;
mod reference;
pub mod row;
mod shift;
mod structure;
mod table;

pub use crate::check::fault::Fault;
pub use crate::expr::needs::Needs;
pub use crate::mpfr::integers::integer_result;
pub use crate::table::op::Op;
pub use crate::table::reductions::{REDUCTIONS, Reduction};
pub use check::{Checked, check};
pub use eval::{Point, Scalar};
pub use expr::{Cond, Const, Expr, IntExpr};
pub use helper::Helper;
pub use lookup::{FoundReduction, Symbol, lookup, lookup_intrinsic, lookup_opcode, lookup_reduction, lookup_symbol};
pub use mpfr::primal;
pub use reference::{describe, describe_blas, reference_markdown};
pub use row::{Operand, Output, Partial, Place, Row, Value, Width};
pub use shift::Shift;
pub use table::rows;
