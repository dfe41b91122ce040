//! Bounds of expressions: the size of numbers, the range of integers.
//!
//! Interval arithmetic over the invariants of [`super::ast`]. The printer scales what exceeds them.

use super::ast::{BOUND, Cond, FIELD_INT, Float, Function, Int, Kind, Program};
use super::rules;

/// The largest size of a number.
pub fn size(program: &Program, f: &Function, e: &Float) -> f64 {
    let of = |e: &Float| size(program, f, e);
    match e {
        Float::Const(c) => c.abs(),
        Float::Get(_) => BOUND,
        Float::Neg(a) | Float::Cast(_, a) => of(a),
        Float::Add(a, b) | Float::Sub(a, b) => of(a) + of(b),
        Float::Mul(a, b) => of(a) * of(b),
        Float::Div(a, _, c) => of(a) / c,
        Float::Rule(rule, ..) => rules::all().get(*rule).map_or(BOUND, |r| r.bound),
        Float::Select(_, a, b) => of(a).max(of(b)),
        Float::Int(i) => {
            let (low, high) = range(program, f, i);
            (low.abs().max(high.abs())) as f64
        }
    }
}

/// The range of an integer.
pub fn range(program: &Program, f: &Function, e: &Int) -> (i64, i64) {
    let of = |e: &Int| range(program, f, e);
    let var = |v: usize| match f.vars[v].kind {
        Kind::Int(low, high) | Kind::Ints(_, low, high) => (low, high),
        _ => (0, 0),
    };
    match e {
        Int::Const(c) => (*c, *c),
        Int::Var(v) => var(*v),
        // The printer writes zero for an element of what is no array of integers.
        Int::Elem(v, _) if !matches!(f.vars[*v].kind, Kind::Ints(..)) => (0, 0),
        Int::Elem(v, _) => var(*v),
        Int::Field(..) => (0, FIELD_INT),
        Int::Add(a, b) => (of(a).0 + of(b).0, of(a).1 + of(b).1),
        Int::Sub(a, b) => (of(a).0 - of(b).1, of(a).1 - of(b).0),
        Int::Mul(a, b) => {
            let ((a0, a1), (b0, b1)) = (of(a), of(b));
            let all = [a0 * b0, a0 * b1, a1 * b0, a1 * b1];
            (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        }
        Int::Rem(a, m) => {
            let (low, high) = of(a);
            if low >= 0 { (0, high.min(m - 1)) } else { (1 - m, m - 1) }
        }
        Int::Of(a, k) => {
            let size = (size(program, f, a) * *k as f64).ceil() as i64;
            (-size, size)
        }
        Int::Select(_, a, b) => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
    }
}

/// Whether a condition or expression looks at numbers, so that a branch on it may be a kink.
pub fn looks_at_numbers(c: &Cond) -> bool {
    match c {
        Cond::Floats(..) => true,
        Cond::Ints(..) => false,
        Cond::And(a, b) | Cond::Or(a, b) => looks_at_numbers(a) || looks_at_numbers(b),
        Cond::Not(a) => looks_at_numbers(a),
    }
}
