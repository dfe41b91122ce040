//! Rows of roots and powers.
//!
//! Convention "roots at zero": where a root has slope infinity its partial is 0. A norm or a distance at its zero then
//! gives 0 instead of 0·∞ = NaN, and `pow(x, 0.5)` agrees with `sqrt(x)`, into which optimisers turn it.

use super::build::{F32, F64, F80, binary, integers, reals, row, unary};
use crate::expr::Expr;
use crate::expr::build::{apply, apply_n, int, n, one, ratio, when, x, y, zero};
use crate::row::{Convention, Decision, Exception, Operand, Proof, Row};
use crate::table::op::Op;

const AT_ZERO: Exception = Exception::Singular("root at zero: 0 instead of infinity, so that 0·∞ does not arise");

pub(super) fn rows() -> Vec<Row> {
    let origin = || y().equals(zero());
    let zero_operand = || x(0).equals(zero());
    vec![
        unary(Op::Sqrt)
            .library(&["sqrt"])
            .intrinsics(&["llvm.sqrt"])
            .partial_where(zero().lt(x(0)), when(zero_operand(), zero(), ratio(1, 2) / y()))
            .sampled([reals(1e-3, 9.0)])
            .convention(0, zero_operand(), &[[0.0], [-0.0]], Decision::Number(0.0), AT_ZERO)
            .convention(0, x(0).lt(zero()), &[[-1.0]], Decision::NotFinite, Exception::Outside("no real value"))
            .errno()
            .proved(Proof::Implicit, "y² = x"),
        unary(Op::Cbrt)
            .library(&["cbrt"])
            .partial_where(!zero_operand(), when(zero_operand(), zero(), one() / (int(3) * (y() * y()))))
            .sampled([reals(-9.0, -1e-3)])
            .sampled([reals(1e-3, 9.0)])
            .convention(0, zero_operand(), &[[0.0], [-0.0]], Decision::Number(0.0), AT_ZERO)
            .proved(Proof::Implicit, "y³ = x"),
        binary(Op::Hypot)
            .library(&["hypot"])
            // The float and long double forms of `cabs` take a vector or a pointer.
            .irregular(&[("cabs", F64)])
            .defined_as(apply(Op::Sqrt, [x(0) * x(0) + x(1) * x(1)]))
            .partial_where(!origin(), when(origin(), zero(), x(0) / y()))
            .partial_where(!origin(), when(origin(), zero(), x(1) / y()))
            .sampled([reals(-4.0, 4.0), reals(-4.0, 4.0)])
            .sampled([reals(1e200, 9e200), reals(-9e200, -1e200)])
            .sampled([reals(1e-200, 9e-200), reals(1e-200, 9e-200)])
            .convention(
                0,
                origin(),
                &[[0.0, 0.0]],
                Decision::Number(0.0),
                Exception::Singular("the subgradient of least norm"),
            )
            .convention(
                1,
                origin(),
                &[[0.0, 0.0]],
                Decision::Number(0.0),
                Exception::Singular("the subgradient of least norm"),
            )
            .errno()
            .proved(Proof::Implicit, "y² = x0² + x1²"),
        pow(),
        powi(),
    ]
}

fn pow() -> Row {
    let zero_base = || x(0).equals(zero());
    let negative_base = || x(0).lt(zero());
    let integral = || x(1).is_integer();
    let root = || zero_base().and(zero().lt(x(1))).and(x(1).lt(one()));
    // A constant function of the base, even where the power rule would say 0·∞.
    let exponent_zero = || x(1).equals(zero());
    let power_rule = x(1) * apply(Op::Pow, [x(0), x(1) - one()]);
    let flat = || zero_base().and(zero().le(x(1)));
    let by_base_smooth =
        zero().lt(x(0)).or(integral().and(!zero_base())).or(integral().and(one().le(x(1)))).or(exponent_zero());
    binary(Op::Pow)
        .library(&["pow"])
        .intrinsics(&["llvm.pow"])
        .partial_where(by_base_smooth, when(exponent_zero().or(root()), zero(), power_rule))
        .partial_where(
            zero().lt(x(0)).or(zero_base().and(zero().lt(x(1)))),
            when(flat(), zero(), y() * apply(Op::Log, [x(0)])),
        )
        .sampled([reals(0.05, 6.0), reals(-4.0, 4.0)])
        .sampled([reals(-6.0, -0.05), integers(-5, 5)])
        .sampled([reals(0.0, 0.0), reals(0.5, 4.0)])
        .convention(0, root(), &[[0.0, 0.5]], Decision::Number(0.0), AT_ZERO)
        .convention(
            0,
            zero_base().and(one().lt(x(1))).and(!integral()),
            &[[0.0, 1.5]],
            Decision::Number(0.0),
            Exception::Singular("defined on one side only; its derivative there"),
        )
        .convention(
            0,
            zero_base().and(x(1).lt(zero())),
            &[[0.0, -1.0]],
            Decision::NotFinite,
            Exception::Pole("division by zero"),
        )
        .convention(
            0,
            negative_base().and(!integral()),
            &[[-2.0, 0.5]],
            Decision::NotFinite,
            Exception::Outside("no real value"),
        )
        .convention(
            1,
            zero_base().and(exponent_zero()),
            &[[0.0, 0.0]],
            Decision::Number(0.0),
            Exception::Jump("as 0^y = 0 for y > 0"),
        )
        .convention(
            1,
            zero_base().and(x(1).lt(zero())),
            &[[0.0, -1.0]],
            Decision::NotFinite,
            Exception::Pole("division by zero"),
        )
        .convention(
            1,
            negative_base(),
            &[[-2.0, 3.0]],
            Decision::NotFinite,
            Exception::Outside("defined at isolated exponents only"),
        )
        .errno()
        .proved(Proof::FromAxioms, "x^y = exp(y·log x)")
}

fn powi() -> Row {
    let exponent = || Expr::from(n(0));
    let pole = || x(0).equals(zero()).and(exponent().lt(zero()));
    row(Op::Powi, &[Operand::Active, Operand::Integer])
        .intrinsics(&["llvm.powi"])
        .irregular(&[("__powidf2", F64), ("__powisf2", F32), ("__powixf2", F80)])
        .partial_where(
            !pole(),
            when(exponent().equals(zero()), zero(), exponent() * apply_n(Op::Powi, n(0) - 1, [x(0)])),
        )
        .sampled_n([reals(-3.0, 3.0)], [integers(-6, 9)])
        .add_convention(Convention {
            output: 0,
            operand: 0,
            when: pole(),
            points: vec![vec![0.0]],
            ints: vec![-2],
            value: Decision::NotFinite,
            reason: Exception::Pole("division by zero"),
        })
        .proved(Proof::Algebraic, "power rule, by induction on the exponent")
}
