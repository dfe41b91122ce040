//! A rule that does not hold, at a point: found in the solver's model or among the row's own samples, confirmed by
//! running.
//!
//! A model is a point of the real numbers in which functions known by axioms only may have values that they do not
//! have. So nothing is called a counterexample before the operation itself, in multi-precision, has contradicted the
//! partial there.

use super::spec;
use crate::solver::Model;
use rug::Float;
use rules::row::{Decision, Operand, Place, Range};
use rules::{Const, Expr, Op, Point, Row, Scalar};
use std::fmt::Write;

/// Bits of the confirmation.
const PRECISION: u32 = 384;
/// The step of the difference quotient is this power of two.
const STEP: i32 = -96;
/// Points tried in each region.
const SAMPLES: usize = 16;

/// A point at which a partial is not what the row says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// The floating-point operands.
    pub x: Vec<f64>,
    /// The integer operands.
    pub n: Vec<i64>,
    /// The partial there.
    pub claimed: f64,
    /// The difference quotient, or the value that the row's convention states.
    pub actual: f64,
    /// The solver found the point.
    pub from_model: bool,
    /// A program in C that shows it: it returns 1 if partial and quotient disagree. None where C cannot say it.
    pub program: Option<String>,
}

/// Looks for a point that contradicts the partial of `output` by `operand`: the model's first, then the row's samples
/// and conventions.
pub fn counterexample(row: &Row, output: usize, operand: usize, model: &Model) -> Option<Counterexample> {
    let floats = row.float_positions().count();
    let ints = row.int_positions().count();
    let value = |name: String| model.get(&name).copied().unwrap_or(0.0);
    let modelled: Vec<f64> = (0..floats).map(|i| value(format!("x{i}"))).collect();
    let modelled_ints: Vec<i64> = (0..ints).map(|j| value(format!("n{j}")) as i64).collect();
    let mut candidates = vec![(modelled, modelled_ints)];
    for region in &row.regions {
        for sample in 0..SAMPLES {
            let draw = |i: usize, range: &Range| drawn(range, sample * 7 + i * 3);
            let x = region.x.iter().enumerate().map(|(i, range)| draw(i, range)).collect();
            let n = region.n.iter().enumerate().map(|(i, range)| draw(i + floats, range) as i64).collect();
            candidates.push((x, n));
        }
    }
    let found = candidates.into_iter().enumerate().find_map(|(index, (x, n))| {
        let (claimed, actual) = contradiction(row, output, operand, &x, &n)?;
        let program = program(row, output, operand, &x, &n);
        Some(Counterexample { x, n, claimed, actual, from_model: index == 0, program })
    });
    found.or_else(|| against_convention(row, output, operand))
}

/// The k-th of a few numbers spread over a range.
fn drawn(range: &Range, k: usize) -> f64 {
    let fraction = (k * 37 % 101 + 1) as f64 / 103.0;
    match *range {
        Range::Reals(low, high) => low + (high - low) * fraction,
        Range::Integers(low, high) => (low as f64 + (high - low) as f64 * fraction).round(),
    }
}

/// Partial and difference quotient, where the row says that they agree and they do not.
fn contradiction(row: &Row, output: usize, operand: usize, x: &[f64], n: &[i64]) -> Option<(f64, f64)> {
    let partial = row.partial(output, operand)?;
    let wide = |value: f64| Float::with_val(PRECISION, value);
    let operands: Vec<Float> = x.iter().copied().map(wide).collect();
    let y = rules::primal(row.op, output, &operands, n, PRECISION).filter(Float::is_finite)?;
    let at = Point { x: &operands, n, y: &y };
    if !partial.smooth.holds(&at) {
        return None;
    }
    let scale = x[operand].abs().max(1.0);
    let step = wide(scale) << STEP;
    let moved = |by: &Float| {
        let mut moved = operands.clone();
        moved[operand] += by;
        rules::primal(row.op, output, &moved, n, PRECISION).filter(Float::is_finite)
    };
    let (above, below) = (moved(&step)?, moved(&-step.clone())?);
    let quotient: Float = (above - below) / (step << 1);
    let claimed = partial.expr.eval(&at);
    let error = claimed.sub(&quotient).abs();
    let allowed = (Float::with_val(PRECISION, quotient.abs_ref()) + wide(1.0)) >> 80;
    // NaN agrees with nothing.
    let agrees = error.compare(&allowed).is_some_and(std::cmp::Ordering::is_le);
    (!agrees).then(|| (claimed.to_f64(), quotient.to_f64()))
}

/// A point at which a convention states another value than the formula takes.
fn against_convention(row: &Row, output: usize, operand: usize) -> Option<Counterexample> {
    let partial = row.partial(output, operand)?;
    let stated = row.conventions.iter().filter(|it| (it.output, it.operand) == (output, operand));
    stated.flat_map(|convention| convention.points.iter().map(move |point| (convention, point))).find_map(
        |(convention, point)| {
            let x: Vec<Float> = point.iter().map(|&value| Float::with_val(PRECISION, value)).collect();
            let y = rules::primal(row.op, output, &x, &convention.ints, PRECISION)?;
            let claimed = partial.expr.eval(&Point { x: &x, n: &convention.ints, y: &y }).to_f64();
            let actual = match convention.value {
                Decision::Number(number) if claimed != number => number,
                Decision::Formula if !claimed.is_finite() => 0.0,
                Decision::NotFinite if claimed.is_finite() => f64::NAN,
                _ => return None,
            };
            let n = convention.ints.clone();
            Some(Counterexample { x: point.clone(), n, claimed, actual, from_model: false, program: None })
        },
    )
}

/// A C program that compares partial and difference quotient at the point.
fn program(row: &Row, output: usize, operand: usize, x: &[f64], n: &[i64]) -> Option<String> {
    let partial = &row.partial(output, operand)?.expr;
    let claimed = c_expr(partial)?;
    let body = c_primal(row, output)?;
    let params: Vec<String> =
        (0..x.len()).map(|i| format!("double x{i}")).chain((0..n.len()).map(|j| format!("int n{j}"))).collect();
    let names: Vec<String> =
        (0..x.len()).map(|i| format!("x{i}")).chain((0..n.len()).map(|j| format!("n{j}"))).collect();
    let moved = |sign: &str| {
        let name = |(i, name): (usize, &String)| if i == operand { format!("x{i} {sign} h") } else { name.clone() };
        names.iter().enumerate().map(name).collect::<Vec<String>>().join(", ")
    };
    let mut text =
        format!("// {}: the partial of output {output} by x{operand} is said to be {partial}.\n", row.op.name());
    text += "#define _GNU_SOURCE\n#include <math.h>\n#include <stdio.h>\n";
    // Writing to a String cannot fail.
    let _ = write!(text, "static double f({}) {{\n{body}}}\nint main(void) {{\n", params.join(", "));
    for (i, value) in x.iter().enumerate() {
        let _ = writeln!(text, "  double x{i} = {value:?};");
    }
    for (j, value) in n.iter().enumerate() {
        let _ = writeln!(text, "  int n{j} = {value};");
    }
    let _ = write!(
        text,
        "  double y = f({}), h = 1e-5 * (fabs(x{operand}) > 1 ? fabs(x{operand}) : 1);\n  double claimed = \
         {claimed};\n  double quotient = (f({}) - f({})) / (2 * h);\n  printf(\"y = %g, claimed %.9g, quotient %.9g\\n\
         \", y, claimed, quotient);\n  return !(fabs(claimed - quotient) <= 1e-6 * (1 + fabs(quotient)));\n}}\n",
        names.join(", "),
        moved("+"),
        moved("-"),
    );
    Some(text)
}

/// The statements of a function that computes an output of the operation.
fn c_primal(row: &Row, output: usize) -> Option<String> {
    if let Some(definition) = spec::definition(row.op, output) {
        return Some(format!("  return {};\n", c_expr(&definition)?));
    }
    let name = c_name(row.op)?;
    let (mut declared, mut args) = (String::new(), Vec::new());
    let (mut floats, mut ints) = (0, 0);
    for (position, operand) in row.operands.iter().enumerate() {
        args.push(match operand {
            Operand::Active | Operand::Inactive(_) | Operand::InactiveOf(..) => {
                floats += 1;
                format!("x{}", floats - 1)
            }
            Operand::Integer => {
                ints += 1;
                format!("n{}", ints - 1)
            }
            Operand::FloatOut => {
                declared += &format!("  double out{position};\n");
                format!("&out{position}")
            }
            Operand::IntOut => {
                declared += &format!("  int out{position};\n");
                format!("&out{position}")
            }
            Operand::Text => return None,
        });
    }
    let call = format!("{name}({})", args.join(", "));
    match row.outputs.get(output)?.place {
        Place::Return => Some(format!("{declared}  return {call};\n")),
        Place::Pointer(position) => Some(format!("{declared}  {call};\n  return out{position};\n")),
        Place::Field(_) => None,
    }
}

/// What C calls an operation; of those that only LLVM has, the nearest.
fn c_name(op: Op) -> Option<String> {
    let op = match op {
        Op::FRem => Op::Fmod,
        Op::RoundEven => Op::Rint,
        Op::Powi => Op::Pow,
        other => other,
    };
    op.row().symbols.library.first().map(|name| name.replace('*', ""))
}

/// An expression in C, where C can say it.
pub fn in_c(expr: &Expr) -> Option<String> {
    c_expr(expr)
}

fn c_expr(expr: &Expr) -> Option<String> {
    let binary = |a: &Expr, sign: &str, b: &Expr| Some(format!("({} {sign} {})", c_expr(a)?, c_expr(b)?));
    Some(match expr {
        Expr::X(i) => format!("x{i}"),
        Expr::N(integer) => c_int(integer),
        Expr::Y => "y".into(),
        Expr::Const(Const::Ratio(p, q)) => format!("({p}.0 / {q}.0)"),
        Expr::Const(constant) => format!("{:?}", constant.to_f64()),
        Expr::Neg(a) => format!("(-{})", c_expr(a)?),
        Expr::Add(a, b) => binary(a, "+", b)?,
        Expr::Sub(a, b) => binary(a, "-", b)?,
        Expr::Mul(a, b) => binary(a, "*", b)?,
        Expr::Div(a, b) => binary(a, "/", b)?,
        Expr::Call { op, ints, args } => {
            let row = op.row();
            let name = c_name(*op)?;
            let (mut ints, mut args) = (ints.iter(), args.iter());
            let mut list = Vec::new();
            for operand in &row.operands {
                list.push(if operand.is_float() { c_expr(args.next()?)? } else { c_int(ints.next()?) });
            }
            format!("{name}({})", list.join(", "))
        }
        Expr::Helper(..) => return None,
        Expr::Select(condition, a, b) => format!("({} ? {} : {})", c_cond(condition)?, c_expr(a)?, c_expr(b)?),
    })
}

fn c_int(integer: &rules::IntExpr) -> String {
    match integer.operand {
        Some(j) => format!("({} * n{j} + {})", integer.sign, integer.offset),
        None => format!("({})", integer.offset),
    }
}

fn c_cond(condition: &rules::Cond) -> Option<String> {
    use rules::Cond;
    let compare = |a: &Expr, sign: &str, b: &Expr| Some(format!("({} {sign} {})", c_expr(a)?, c_expr(b)?));
    Some(match condition {
        Cond::True => "1".into(),
        Cond::Lt(a, b) => compare(a, "<", b)?,
        Cond::Le(a, b) => compare(a, "<=", b)?,
        Cond::Eq(a, b) => compare(a, "==", b)?,
        Cond::IsNan(a) => format!("({0} != {0})", c_expr(a)?),
        Cond::Not(a) => format!("!{}", c_cond(a)?),
        Cond::And(a, b) => format!("({} && {})", c_cond(a)?, c_cond(b)?),
        Cond::Or(a, b) => format!("({} || {})", c_cond(a)?, c_cond(b)?),
    })
}
