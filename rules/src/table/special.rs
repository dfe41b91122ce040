//! Rows of the error function, the gamma function and the Bessel functions (NIST Digital Library of Mathematical
//! Functions).

use super::build::{float_output, int_output, integers, reals, row, unary};
use crate::expr::build::{apply, apply_n, helper, int, n, one, x, y, zero};
use crate::expr::{Const, Expr, IntExpr};
use crate::helper::Helper;
use crate::row::{Decision, Exception, Operand, Place, Proof, Row};
use crate::table::op::Op;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = error_functions();
    rows.extend(gamma_functions());
    rows.extend(bessel_functions());
    rows
}

fn error_functions() -> Vec<Row> {
    let gauss = || Expr::from(Const::TwoOverSqrtPi) * apply(Op::Exp, [-(x(0) * x(0))]);
    vec![
        unary(Op::Erf)
            .library(&["erf"])
            .d(gauss())
            .sampled([reals(-3.0, 3.0)])
            .proved(Proof::NumericOnly, "DLMF 7.2.1"),
        unary(Op::Erfc)
            .library(&["erfc"])
            .defined_as(one() - apply(Op::Erf, [x(0)]))
            .d(-gauss())
            .errno()
            .sampled([reals(-3.0, 5.0)])
            .proved(Proof::NumericOnly, "DLMF 7.2.2"),
    ]
}

fn gamma_functions() -> Vec<Row> {
    let digamma = || helper(Helper::Digamma, [x(0)]);
    let pole = || x(0).le(zero()).and(x(0).is_integer());
    let gamma = |row: Row| {
        row.errno().sampled([reals(0.1, 12.0)]).sampled([reals(-1.9, -1.1)]).sampled([reals(-0.9, -0.1)]).convention(
            0,
            pole(),
            &[[0.0], [-1.0]],
            Decision::NotFinite,
            Exception::Pole("the slope has no finite limit"),
        )
    };
    let with_sign = row(Op::LGammaR, &[Operand::Active, Operand::IntOut])
        .outputs(vec![float_output(Place::Return), int_output(Place::Pointer(1))]);
    vec![
        gamma(unary(Op::TGamma).library(&["tgamma"]).partial_where(!pole(), y() * digamma()))
            .proved(Proof::NumericOnly, "Γ' = Γ·ψ, DLMF 5.2.2"),
        gamma(unary(Op::LGamma).library(&["lgamma", "gamma"]).partial_where(!pole(), digamma()).signgam())
            .proved(Proof::NumericOnly, "(log |Γ|)' = ψ, DLMF 5.2.2"),
        gamma(with_sign.library(&["lgamma*_r", "gamma*_r"]).partial_where(!pole(), digamma()))
            .proved(Proof::NumericOnly, "(log |Γ|)' = ψ, DLMF 5.2.2"),
    ]
}

/// The symmetric recurrence 2 C'ₙ = Cₙ₋₁ - Cₙ₊₁ has no singular term at 0, unlike Cₙ₋₁ - (n/x)·Cₙ.
fn bessel_functions() -> Vec<Row> {
    const SOURCE: &str = "DLMF 10.6.1, 10.6.3";
    let order = |op, order: IntExpr| apply_n(op, order, [x(0)]);
    let halved = |a: Expr, b: Expr| (a - b) / int(2);
    let first = |row: Row| row.errno().proved(Proof::NumericOnly, SOURCE);
    let second = |row: Row| row.errno().proved(Proof::NumericOnly, SOURCE);
    let positive = || zero().lt(x(0));
    let pole = || x(0).equals(zero());
    let with_order = |op| row(op, &[Operand::Integer, Operand::Active]);
    let yn_pole = crate::row::Convention {
        output: 0,
        operand: 0,
        when: pole(),
        points: vec![vec![0.0]],
        ints: vec![3],
        value: Decision::NotFinite,
        reason: Exception::Pole("the slope has no finite limit"),
    };
    vec![
        first(unary(Op::J0).library(&["j0"]).d(-apply(Op::J1, [x(0)]))).sampled([reals(-12.0, 12.0)]),
        first(unary(Op::J1).library(&["j1"]).d(halved(apply(Op::J0, [x(0)]), order(Op::Jn, 2.into()))))
            .sampled([reals(-12.0, 12.0)]),
        first(with_order(Op::Jn).library(&["jn"]).d(halved(order(Op::Jn, n(0) - 1), order(Op::Jn, n(0) + 1))))
            .sampled_n([reals(-12.0, 12.0)], [integers(-3, 6)]),
        second(unary(Op::Y0).library(&["y0"]).partial_where(positive(), -apply(Op::Y1, [x(0)])))
            .sampled([reals(0.1, 12.0)])
            .convention(0, pole(), &[[0.0]], Decision::NotFinite, Exception::Pole("the slope has no finite limit")),
        second(
            unary(Op::Y1)
                .library(&["y1"])
                .partial_where(positive(), halved(apply(Op::Y0, [x(0)]), order(Op::Yn, 2.into()))),
        )
        .sampled([reals(0.1, 12.0)])
        .convention(0, pole(), &[[0.0]], Decision::NotFinite, Exception::Pole("the slope has no finite limit")),
        second(
            with_order(Op::Yn)
                .library(&["yn"])
                .partial_where(positive(), halved(order(Op::Yn, n(0) - 1), order(Op::Yn, n(0) + 1))),
        )
        .sampled_n([reals(0.1, 12.0)], [integers(-3, 6)])
        .add_convention(yn_pole),
    ]
}
