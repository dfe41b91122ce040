//! Laws of expressions, on random ones: replacing a part by what is equal keeps the value, what an expression does not
//! need does not matter, and the two number types compute the same.

use proptest::prelude::*;
use rug::Float;
use rules::expr::{apply, int, ratio, when, x, y};
use rules::{Cond, Expr, Op, Point};

/// Expressions over three operands and the result.
fn expressions() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        4 => (0..3_usize).prop_map(x),
        1 => Just(y()),
        2 => (-9..10_i64).prop_map(int),
        1 => (-9..10_i64, 1..9_i64).prop_map(|(p, q)| ratio(p, q)),
    ];
    leaf.prop_recursive(5, 40, 3, |part| {
        let two = || (part.clone(), part.clone());
        prop_oneof![
            two().prop_map(|(a, b)| a + b),
            two().prop_map(|(a, b)| a - b),
            two().prop_map(|(a, b)| a * b),
            two().prop_map(|(a, b)| a / b),
            part.clone().prop_map(|a| -a),
            part.clone().prop_map(|a| apply(Op::Sqrt, [a])),
            part.clone().prop_map(|a| apply(Op::Fabs, [a])),
            (conditions(part.clone()), part.clone(), part.clone()).prop_map(|(c, a, b)| when(c, a, b)),
        ]
    })
}

fn conditions(part: impl Strategy<Value = Expr> + Clone + 'static) -> impl Strategy<Value = Cond> {
    let two = || (part.clone(), part.clone());
    let leaf = prop_oneof![
        two().prop_map(|(a, b)| a.lt(b)),
        two().prop_map(|(a, b)| a.le(b)),
        two().prop_map(|(a, b)| a.equals(b)),
        part.clone().prop_map(Expr::is_nan),
    ];
    leaf.prop_recursive(2, 6, 2, |c| {
        prop_oneof![
            c.clone().prop_map(|c| !c),
            (c.clone(), c.clone()).prop_map(|(a, b)| a.and(b)),
            (c.clone(), c).prop_map(|(a, b)| a.or(b)),
        ]
    })
}

fn numbers() -> impl Strategy<Value = [f64; 4]> {
    let one = prop_oneof![
        4 => -100.0..100.0_f64,
        2 => (-3..4_i8).prop_map(f64::from),
        1 => any::<f64>(),
        1 => prop::sample::select(vec![-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
    ];
    [one.clone(), one.clone(), one.clone(), one]
}

fn value(expr: &Expr, at: [f64; 4]) -> f64 {
    expr.eval(&Point { x: &at[..3], n: &[], y: &at[3] })
}

/// The same number, to the sign of zero; NaNs are not told apart.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// e[x0 := r] at a point is e at the point whose x0 is r there.
    #[test]
    fn replacing_an_operand_is_evaluating_elsewhere(e in expressions(), r in expressions(), at in numbers()) {
        let replaced = e.rewritten(&mut |part| (*part == x(0)).then(|| r.clone()));
        let there = [value(&r, at), at[1], at[2], at[3]];
        prop_assert!(same(value(&replaced, at), value(&e, there)), "{e} with x0 = {r}: {replaced}");
        prop_assert_eq!(e.rewritten(&mut |_| None), e);
    }

    /// What is not needed may be anything; a partial's need decides what is cached.
    #[test]
    fn what_is_not_needed_does_not_matter(e in expressions(), at in numbers(), other in numbers()) {
        let needs = e.needs();
        let kept = |i: usize| if i == 3 { needs.result } else { needs.input(i) };
        let there = std::array::from_fn(|i| if kept(i) { at[i] } else { other[i] });
        prop_assert!(same(value(&e, at), value(&e, there)), "{e}");
        let blind = e.rewritten(&mut |part| (*part == x(1)).then(|| x(2)));
        prop_assert!(!blind.needs().input(1), "{blind}");
        prop_assert_eq!(blind.needs().input(2), needs.input(1) || needs.input(2));
    }

    /// At 53 bits multi-precision arithmetic is that of `f64`, where no result leaves its range of exponents.
    #[test]
    fn numbers_of_53_bits_compute_as_f64(e in expressions(), at in numbers()) {
        let wide = at.map(|value| Float::with_val(53, value));
        let found = e.eval(&Point { x: &wide[..3], n: &[], y: &wide[3] });
        let mut ordinary = at.iter().all(|v| !v.is_subnormal());
        e.rewritten(&mut |part| {
            let value = value(part, at);
            let exact = part.eval(&Point { x: &wide[..3], n: &[], y: &wide[3] });
            // Neither beyond the exponents of `f64` nor rounded by them.
            ordinary &= exact.is_zero() || !exact.is_finite() || value.is_normal();
            None
        });
        prop_assume!(ordinary);
        prop_assert!(same(found.to_f64(), value(&e, at)), "{e}: {found} and {}", value(&e, at));
    }
}
