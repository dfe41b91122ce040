//! The table: one row for each differentiable operation. The only place where a library function is named.
//!
//! To add an operation: add its name to `op.rs`, its multi-precision value to `mpfr/mod.rs`, its row to the file of its
//! family below, and its C signature to `host.rs` if the C library has it. The tests then demand the rest: exactly one
//! row for each operation, every partial compared with differences, every convention evaluated.

mod arithmetic;
pub(crate) mod blas;
mod build;
mod complex;
mod elementary;
mod host;
mod inactive;
pub(crate) mod lapack;
pub(crate) mod op;
mod parts;
pub(crate) mod reductions;
mod roots;
mod rounding;
mod special;
mod trigonometry;

pub use op::Op;

use crate::row::Row;
use std::sync::LazyLock;

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows: Vec<Row> = [
        arithmetic::rows(),
        roots::rows(),
        elementary::rows(),
        trigonometry::rows(),
        rounding::rows(),
        parts::rows(),
        special::rows(),
        inactive::rows(),
        complex::rows(),
    ]
    .into_iter()
    .flatten()
    .collect();
    rows.sort_by_key(|row| row.op);
    rows
});

/// All rows, in the order of [`Op::ALL`]: `rows()[op as usize].op == op`.
pub fn rows() -> &'static [Row] {
    &ROWS
}

impl Op {
    /// The row of this operation.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}
