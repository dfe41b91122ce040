//! Rows of rounding to an integer: flat between the jumps, and 0 at them. Roundings written as sums:
//! [`Shift`](crate::shift::Shift).

use super::build::{reals, unary};
use crate::expr::Cond;
use crate::expr::build::{ratio, x, zero};
use crate::row::{Decision, Exception, Proof, Row};
use crate::table::op::Op;

pub(super) fn rows() -> Vec<Row> {
    const JUMP: Exception = Exception::Jump("flat on both sides");
    let to_side = |op| {
        let jump: Cond = x(0).is_integer();
        (unary(op), jump, [[2.0], [-3.0]])
    };
    let to_nearest = |op| (unary(op), (x(0) + ratio(1, 2)).is_integer(), [[1.5], [-2.5]]);
    let spell = |(row, jump, points): (Row, Cond, [[f64; 1]; 2]), library, intrinsics| {
        row.library(library)
            .intrinsics(intrinsics)
            .partial_where(!jump.clone(), zero())
            .sampled([reals(-9.0, 9.0)])
            .convention(0, jump, &points, Decision::Number(0.0), JUMP)
            .proved(Proof::Algebraic, "piecewise constant")
    };
    let (trunc, integer, points) = to_side(Op::Trunc);
    let trunc = (trunc, integer.and(!x(0).equals(zero())), points);
    vec![
        spell(to_side(Op::Floor), &["floor"], &["llvm.floor"]),
        spell(to_side(Op::Ceil), &["ceil"], &["llvm.ceil"]),
        spell(trunc, &["trunc"], &["llvm.trunc"]),
        spell(to_nearest(Op::Round), &["round"], &["llvm.round"]),
        spell(to_nearest(Op::RoundEven), &["roundeven"], &["llvm.roundeven"]),
        spell(to_nearest(Op::Rint), &["rint"], &["llvm.rint"]),
        spell(to_nearest(Op::NearbyInt), &["nearbyint"], &["llvm.nearbyint"]),
    ]
}
