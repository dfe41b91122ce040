//! Rows of the complex arithmetic that compilers call out for.
//!
//! `X(0) + i·X(1)` and `X(2) + i·X(3)` are the operands; the real and the imaginary part of the result are two outputs.
//! As functions of four real variables they need no convention about conjugation.

use super::build::{F32, F64, F80, float_output, reals, row};
use crate::expr::build::{apply, int, x, y, zero};
use crate::expr::{Cond, Expr};
use crate::row::{Convention, Decision, Exception, Operand, Place, Proof, Row};
use crate::table::op::Op;

pub(super) fn rows() -> Vec<Row> {
    vec![multiply(), divide()]
}

fn complex(op: Op) -> Row {
    let any = || reals(-3.0, 3.0);
    row(op, &[Operand::Active; 4])
        .outputs(vec![float_output(Place::Field(0)), float_output(Place::Field(1))])
        .sampled([any(), any(), any(), any()])
        .proved(Proof::Algebraic, "real and imaginary part")
}

fn multiply() -> Row {
    let row = complex(Op::ComplexMul)
        .irregular(&[("__muldc3", F64), ("__mulsc3", F32), ("__mulxc3", F80)])
        .output_defined_as(0, x(0) * x(2) - x(1) * x(3))
        .output_defined_as(1, x(0) * x(3) + x(1) * x(2));
    let partials = [[x(2), -x(3), x(0), -x(1)], [x(3), x(2), x(1), x(0)]];
    with_partials(row, Cond::True, partials)
}

/// With N = x2² + x3²: ∂/∂x2 of a quotient p/N is (∂p/∂x2 - 2·x2·y)/N. N is never formed: its square root neither
/// overflows nor vanishes before the operands do.
fn divide() -> Row {
    let modulus = || apply(Op::Hypot, [x(2), x(3)]);
    let over_norm = |e: Expr| e / modulus() / modulus();
    let norm = || x(2) * x(2) + x(3) * x(3);
    let pole = || modulus().equals(zero());
    let mut row = complex(Op::ComplexDiv)
        .sampled([reals(-1e200, 1e200), reals(-1e200, 1e200), reals(1e200, 2e200), reals(-2e200, -1e200)])
        .irregular(&[("__divdc3", F64), ("__divsc3", F32), ("__divxc3", F80)])
        .output_defined_as(0, (x(0) * x(2) + x(1) * x(3)) / norm())
        .output_defined_as(1, (x(1) * x(2) - x(0) * x(3)) / norm());
    let bent = |numerator: Expr, part: usize| over_norm(numerator - int(2) * (x(part) * y()));
    let partials = [
        [over_norm(x(2)), over_norm(x(3)), bent(x(0), 2), bent(x(1), 3)],
        [-over_norm(x(3)), over_norm(x(2)), bent(x(1), 2), bent(-x(0), 3)],
    ];
    for output in 0..2 {
        for operand in 0..4 {
            row = row.add_convention(Convention {
                output,
                operand,
                when: pole(),
                points: vec![vec![1.0, 1.0, 0.0, 0.0]],
                ints: Vec::new(),
                value: Decision::NotFinite,
                reason: Exception::Pole("division by zero"),
            });
        }
    }
    with_partials(row, !pole(), partials)
}

fn with_partials(mut row: Row, smooth: Cond, partials: [[Expr; 4]; 2]) -> Row {
    for (output, partials) in partials.into_iter().enumerate() {
        for partial in partials {
            row = row.output_partial(output, smooth.clone(), partial);
        }
    }
    row
}
