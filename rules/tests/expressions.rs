//! Expressions: evaluation, free variables, print, helpers, and the ways from a name to a row and back.

use rug::Float;
use rules::expr::{apply, apply_n, n, one, ratio, when, x, y, zero};
use rules::{
    Const, Expr, Helper, Op, Place, Point, Width, integer_result, lookup_intrinsic, lookup_opcode, lookup_reduction,
    lookup_symbol, primal, rows,
};

fn partial(op: Op, operand: usize) -> &'static Expr {
    &op.row().partial(0, operand).unwrap().expr
}

#[test]
fn needs_are_the_free_variables() {
    let exp = partial(Op::Exp, 0).needs();
    assert!(exp.result && exp.inputs == 0);
    let sin = partial(Op::Sin, 0).needs();
    assert!(!sin.result && sin.input(0));
    let mul = partial(Op::FMul, 0).needs();
    assert!(!mul.input(0) && mul.input(1));
    let powi = partial(Op::Powi, 0).needs();
    assert!(powi.int(0) && powi.input(0));
    assert!(partial(Op::FAdd, 1).needs().is_empty());
    assert!(when(y().lt(x(2)), one(), zero()).needs().input(2));
}

#[test]
fn expressions_print_with_the_fewest_parentheses() {
    let cases = [
        ((x(0) - (x(1) - one())) * y(), "(x0 - (x1 - 1))·y"),
        (x(0) / (x(1) / y()), "x0 / (x1 / y)"),
        (-(x(0) + one()), "-(x0 + 1)"),
        (x(0) - x(1) - y(), "x0 - x1 - y"),
        (ratio(1, 2) * x(0), "1/2·x0"),
        (x(0) / ratio(1, 2), "x0 / (1/2)"),
        (apply_n(Op::Jn, n(0) - 1, [x(0)]), "jn(n0 - 1, x0)"),
        (when(x(0).equals(zero()), zero(), one()), "[x0 = 0 ? 0 : 1]"),
        (Expr::from(Const::TwoOverSqrtPi), "2/√π"),
    ];
    for (expr, text) in cases {
        assert_eq!(expr.to_string(), text);
    }
}

#[test]
fn latex_of_every_partial_is_balanced() {
    for row in rows() {
        for output in 0..row.outputs.len() {
            for partial in row.partials(output) {
                let latex = partial.expr.latex() + &partial.smooth.latex();
                assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{latex}");
                assert_eq!(latex.matches("\\left").count(), latex.matches("\\right").count(), "{latex}");
            }
        }
    }
    let quotient = (one() / x(0)).latex();
    assert_eq!(quotient, "\\frac{1}{x_{0}}");
}

#[test]
fn double_and_multi_precision_evaluate_alike() {
    let expr = apply(Op::Exp, [x(0)]) * Expr::from(Const::Ln10) + Expr::from(Const::Pi) / Expr::from(Const::Ln2);
    let double = expr.eval(&Point { x: &[0.75_f64], n: &[], y: &0.0 });
    let exact = expr.eval(&Point { x: &[Float::with_val(200, 0.75)], n: &[], y: &Float::new(200) });
    assert!((double - exact.to_f64()).abs() < 4e-15);
    assert_eq!(exact.prec(), 200);
}

/// ψ from its expression, in double, against MPFR.
#[test]
fn helpers_keep_double_precision() {
    for k in 0..4000 {
        let at = -6.0 + 0.00713 * f64::from(k);
        if at <= 0.0 && (at - at.round()).abs() < 1e-3 {
            continue;
        }
        let exact = Float::with_val(120, at).digamma().to_f64();
        for helper in [Helper::Digamma, Helper::DigammaRight] {
            if helper == Helper::DigammaRight && at < 0.5 {
                continue;
            }
            let found = helper.definition().eval(&Point { x: &[at], n: &[], y: &0.0 });
            // The zeros of ψ allow no relative bound; elsewhere this is a few units in the last place.
            let bound = 4e-15 * exact.abs().max(1.0);
            assert!((found - exact).abs() <= bound, "{}({at}) = {found}, exactly {exact}", helper.name());
        }
    }
}

#[test]
fn names_lead_to_rows() {
    let found = lookup_intrinsic("llvm.fmuladd.v4f32").unwrap();
    assert_eq!((found.row.op, found.width, found.lanes), (Op::FMulAdd, Width::F32, Some(4)));
    let found = lookup_intrinsic("llvm.powi.f80.i32").unwrap();
    assert_eq!((found.row.op, found.width, found.lanes), (Op::Powi, Width::F80, None));
    let found = lookup_intrinsic("llvm.lrint.i64.f32").unwrap();
    assert_eq!((found.row.op, found.width), (Op::Lrint, Width::F32));
    let found = lookup_intrinsic("llvm.is.fpclass.v2bf16").unwrap();
    assert_eq!((found.row.op, found.width, found.lanes), (Op::IsFpClass, Width::BF16, Some(2)));
    assert_eq!(lookup_symbol("lgammaf_r").map(|it| (it.row.op, it.width)), Some((Op::LGammaR, Width::F32)));
    assert_eq!(lookup_symbol("__exp_finite").map(|it| it.row.op), Some(Op::Exp));
    assert_eq!(lookup_symbol("jnl").map(|it| (it.row.op, it.width)), Some((Op::Jn, Width::F80)));
    assert_eq!(lookup_opcode("frem").map(|row| row.op), Some(Op::FRem));
    let found = lookup_reduction("llvm.vector.reduce.fadd.v8f64").unwrap();
    assert_eq!((found.reduction.op, found.reduction.start, found.lanes), (Op::FAdd, true, 8));
    for unknown in ["llvm.sin", "llvm.sin.i32", "llvm.sin.nxv4f64", "llvm.sine.f64", "llvm.vector.reduce.fadd.f64", ""]
    {
        assert!(lookup_intrinsic(unknown).is_none(), "{unknown}");
    }
    assert!(lookup_symbol("sinus").is_none() && lookup_opcode("sub").is_none());
    assert!(lookup_reduction("llvm.vector.reduce.add.v8i32").is_none());
}

/// Whatever a partial or a helper calls exists in the library of each of C's three widths.
#[test]
fn partials_can_be_emitted() {
    fn calls(expr: &Expr, found: &mut Vec<Op>) {
        match expr {
            Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => {}
            Expr::Neg(a) => calls(a, found),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Div(a, b) | Expr::Select(_, a, b) => {
                calls(a, found);
                calls(b, found);
            }
            Expr::Call { op, args, .. } => {
                found.push(*op);
                args.iter().for_each(|arg| calls(arg, found));
            }
            Expr::Helper(helper, args) => {
                calls(helper.definition(), found);
                args.iter().for_each(|arg| calls(arg, found));
            }
        }
    }
    let mut found = Vec::new();
    for row in rows() {
        for output in 0..row.outputs.len() {
            row.partials(output).iter().for_each(|partial| calls(&partial.expr, &mut found));
        }
    }
    assert!(found.contains(&Op::Log) && found.contains(&Op::Jn));
    for op in found {
        for width in [Width::F32, Width::F64, Width::F80] {
            assert!(op.row().callee(width).is_some(), "{} has no name in {width:?}", op.name());
        }
    }
    assert_eq!(Op::Sqrt.row().callee(Width::F80).as_deref(), Some("llvm.sqrt.f80"));
    assert_eq!(Op::Powi.row().callee(Width::F32).as_deref(), Some("llvm.powi.f32.i32"));
    assert_eq!(Op::Jn.row().callee(Width::F32).as_deref(), Some("jnf"));
    assert_eq!(Op::Hypot.row().callee(Width::F16), None);
}

#[test]
fn every_floating_point_output_has_a_multi_precision_value() {
    for row in rows() {
        let x: Vec<Float> = row.float_positions().map(|_| Float::with_val(256, 0.625)).collect();
        let n: Vec<i64> = row.int_positions().map(|_| 3).collect();
        for (index, output) in row.outputs.iter().enumerate() {
            let value = primal(row.op, index, &x, &n, 300);
            let expected = matches!(output.value, rules::Value::Float { .. });
            assert_eq!(value.is_some(), expected, "output {index} of {}", row.op.name());
            assert!(value.is_none_or(|value| value.prec() == 300));
            if let Place::Pointer(position) = output.place {
                assert!(position < row.operands.len() && !row.operands[position].is_float());
            }
        }
    }
}

#[test]
fn integer_results() {
    let of = |op, output, x: &[f64]| {
        let x: Vec<Float> = x.iter().map(|&value| Float::with_val(53, value)).collect();
        integer_result(op, output, &x)
    };
    assert_eq!(of(Op::Frexp, 1, &[-12.0]), Some(4));
    assert_eq!(of(Op::Ilogb, 0, &[12.0]), Some(3));
    assert_eq!(of(Op::Lround, 0, &[-2.5]), Some(-3));
    assert_eq!(of(Op::Lrint, 0, &[2.5]), Some(2));
    assert_eq!(of(Op::Lround, 0, &[f64::NAN]), None);
    assert_eq!(of(Op::LGammaR, 1, &[-0.5]), Some(-1));
    assert_eq!(of(Op::LGammaR, 1, &[-1.5]), Some(1));
    assert_eq!(of(Op::LGammaR, 1, &[-0.0]), Some(-1));
    assert_eq!(of(Op::Remquo, 1, &[29.0, 3.0]), Some(2));
    assert_eq!(of(Op::Remquo, 1, &[-29.0, 3.0]), Some(-2));
    assert_eq!(of(Op::Remquo, 1, &[1.0, 0.0]), None);
    assert_eq!(of(Op::IsInf, 0, &[f64::NEG_INFINITY]), Some(-1));
    assert_eq!(of(Op::SignBit, 0, &[-0.0]), Some(1));
    assert_eq!(of(Op::FpClassify, 0, &[1.0]), None);
}

#[test]
fn a_row_is_described_in_words() {
    let text = rules::describe(Op::Sqrt.row());
    for part in ["Sqrt: y² = x", "llvm.sqrt sqrt", "∂y/∂x0 = [x0 = 0 ? 0 : 1/2 / y]", "by x0 where 0 < x0", "singular"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn conventions_are_found_at_their_points() {
    let row = Op::Fmin.row();
    let at = |x: &[f64]| row.convention_at(0, 1, &Point { x, n: &[], y: &x[0] }).map(|it| it.reason.kind());
    assert_eq!(at(&[2.0, 2.0]), Some("kink"));
    assert_eq!(at(&[2.0, 2.5]), None);
}

#[test]
fn the_reference_page_is_up_to_date() {
    let page = include_str!("../../docs/rules.md");
    assert!(page == rules::reference_markdown(), "run: cargo run -p rules --example reference > docs/rules.md");
}
