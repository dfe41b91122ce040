//! The test of a row: a library function, so that generators of wrong rows and the table's own test share it.
//!
//! Each partial is compared with the central difference quotient of the operation's multi-precision value at sampled
//! points of the row's regions. With 384 bits and a step of 2⁻⁹⁶ of the operand, truncation error is near 2⁻¹⁹² and
//! rounding error near 2⁻²⁸⁸ relative to the function's scale; agreement is demanded to 2⁻¹⁰⁰. The difference quotient
//! uses no derivative, so it is a witness independent of the row. The same partial is evaluated in `f64` to see that
//! its formula keeps its bits. Each convention is evaluated at its points in both precisions.

pub(crate) mod fault;
mod random;

pub use fault::Fault;

use crate::eval::{Point, Scalar};
use crate::expr::{Cond, Expr};
use crate::mpfr;
use crate::row::{Convention, Decision, Exception, Partial, Range, Region, Row, Value};
use random::Random;
use rug::Float;

/// Working precision of the comparison.
const PRECISION: u32 = 384;
/// The step is this power of two times the operand.
const STEP: i32 = -96;
/// Agreement demanded of partial and difference quotient.
const AGREEMENT: i32 = -100;
/// Relative error allowed to a partial evaluated in double, whose operand `y` is rounded.
const DOUBLE_AGREEMENT: f64 = 1e-11;
/// Points drawn from each region.
const SAMPLES: usize = 24;

/// What a successful check has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Comparisons of a partial with a difference quotient.
    pub partials: usize,
    /// Evaluations of a convention.
    pub conventions: usize,
    /// Comparisons of a definition with the function.
    pub definitions: usize,
}

/// Checks a row. Every fault found is returned, at most a few of each kind.
pub fn check(row: &Row) -> Result<Checked, Vec<Fault>> {
    let faults = crate::structure::faults(row);
    if !faults.is_empty() {
        return Err(faults.into_iter().map(Fault::Malformed).collect());
    }
    let mut checker =
        Checker { row, checked: Checked::default(), faults: Vec::new(), seen: Vec::new(), random: Random::of(row) };
    for region in &row.regions {
        for _ in 0..SAMPLES {
            checker.sample(region);
        }
    }
    for convention in &row.conventions {
        checker.convention(convention);
    }
    checker.demand_coverage();
    checker.faults.truncate(8);
    if checker.faults.is_empty() { Ok(checker.checked) } else { Err(checker.faults) }
}

struct Checker<'a> {
    row: &'a Row,
    checked: Checked,
    faults: Vec<Fault>,
    /// Partials compared at least once: output and operand.
    seen: Vec<(usize, usize)>,
    random: Random,
}

impl Checker<'_> {
    fn sample(&mut self, region: &Region) {
        let x: Vec<Float> = region.x.iter().map(|range| Float::with_val(PRECISION, self.random.float(range))).collect();
        let n: Vec<i64> = region.n.iter().map(|range| self.random.integer(range)).collect();
        for (output, definition) in self.row.outputs.iter().map(|output| &output.value).enumerate() {
            let Value::Float { definition, partials } = definition else { continue };
            let Some(y) = mpfr::primal(self.row.op, output, &x, &n, PRECISION) else {
                self.faults.push(Fault::Malformed(format!("output {output} has no multi-precision value")));
                return;
            };
            let at = Point { x: &x, n: &n, y: &y };
            if let Some(definition) = definition {
                self.definition(output, definition, &at);
            }
            for partial in partials {
                if partial.smooth.holds(&at) && !on_grid(&region.x[partial.operand]) {
                    self.compare(output, partial, &at);
                }
            }
        }
    }

    fn definition(&mut self, output: usize, definition: &Expr, at: &Point<'_, Float>) {
        self.checked.definitions += 1;
        let value = definition.eval(at);
        let scale = Float::with_val(PRECISION, at.y.abs_ref()) + 1;
        if !close(&value, at.y, &(scale >> 300)) {
            self.faults.push(Fault::WrongDefinition { output, point: describe(at.x, at.n) });
        }
    }

    fn compare(&mut self, output: usize, partial: &Partial, at: &Point<'_, Float>) {
        let place = (output, partial.operand);
        self.seen.push(place);
        self.checked.partials += 1;
        let value = partial.expr.eval(at);
        let Some(quotient) = self.difference_quotient(output, partial.operand, at) else {
            self.faults.push(Fault::Unchecked(format!("no difference quotient at {}", describe(at.x, at.n))));
            return;
        };
        // Both errors of the quotient scale with y/x, not with the slope, which may be smaller.
        let slack = Float::with_val(PRECISION, at.y / &at.x[partial.operand]).abs() >> 160;
        let tolerance = (Float::with_val(PRECISION, quotient.abs_ref()) << AGREEMENT) + slack;
        if !close(&value, &quotient, &tolerance) {
            let point = describe(at.x, at.n);
            self.faults.push(Fault::WrongPartial {
                at: place,
                point,
                partial: value.to_f64(),
                quotient: quotient.to_f64(),
            });
        }
        self.in_double(place, partial, at, value.to_f64());
    }

    fn difference_quotient(&self, output: usize, operand: usize, at: &Point<'_, Float>) -> Option<Float> {
        let step = Float::with_val(PRECISION, at.x[operand].abs_ref()) << STEP;
        let moved = |by: Float| {
            let mut x = at.x.to_vec();
            x[operand] = by;
            mpfr::primal(self.row.op, output, &x, at.n, PRECISION)
        };
        let above = moved(Float::with_val(PRECISION, &at.x[operand] + &step))?;
        let below = moved(Float::with_val(PRECISION, &at.x[operand] - &step))?;
        let quotient: Float = (above - below) / (step << 1);
        quotient.is_finite().then_some(quotient)
    }

    /// Samples are doubles, so only the result is rounded before the formula is evaluated in double.
    fn in_double(&mut self, place: (usize, usize), partial: &Partial, at: &Point<'_, Float>, exact: f64) {
        let x: Vec<f64> = at.x.iter().map(Float::to_f64).collect();
        let double = partial.expr.eval(&Point { x: &x, n: at.n, y: &at.y.to_f64() });
        let scale = exact.abs() + 1e-9 * (at.y.to_f64() / x[partial.operand]).abs();
        let agrees = (double - exact).abs() <= DOUBLE_AGREEMENT * scale + f64::MIN_POSITIVE;
        if !agrees {
            self.faults.push(Fault::Inaccurate { at: place, point: describe(at.x, at.n), double, exact });
        }
    }

    fn convention(&mut self, convention: &Convention) {
        let place = (convention.output, convention.operand);
        let Some(partial) = self.row.partial(convention.output, convention.operand) else {
            self.faults.push(Fault::Malformed(format!("convention for x{} which has no partial", convention.operand)));
            return;
        };
        for point in &convention.points {
            let x: Vec<Float> = point.iter().map(|&value| Float::with_val(PRECISION, value)).collect();
            let n = &convention.ints;
            let Some(y) = mpfr::primal(self.row.op, convention.output, &x, n, PRECISION) else {
                self.faults.push(Fault::Malformed("convention at an output without a value".into()));
                return;
            };
            let at = Point { x: &x, n, y: &y };
            if !convention.when.holds(&at) {
                self.faults
                    .push(Fault::Malformed(format!("convention point {point:?} is not where `{}`", convention.when)));
                continue;
            }
            let double = partial.expr.eval(&Point { x: point, n, y: &y.to_f64() });
            self.kind_of_point(convention, &at);
            if partial.smooth.holds(&at) {
                self.faults
                    .push(Fault::Malformed(format!("convention point {point:?} is where the derivative exists")));
            }
            for found in [partial.expr.eval(&at).to_f64(), double] {
                self.checked.conventions += 1;
                let agrees = match convention.value {
                    Decision::Number(value) => found == value,
                    Decision::Formula => found.is_finite(),
                    Decision::NotFinite => !found.is_finite(),
                };
                if !agrees {
                    let fault =
                        Fault::WrongConvention { at: place, point: describe(&x, n), found, stated: convention.value };
                    self.faults.push(fault);
                }
            }
        }
    }

    /// What a convention says of its points must be true of the function: finite or not, and a kink has two slopes.
    fn kind_of_point(&mut self, convention: &Convention, at: &Point<'_, Float>) {
        let fits = match convention.reason {
            Exception::Jump(_) | Exception::Singular(_) => at.y.is_finite(),
            Exception::Kink(_) => at.y.is_finite() && self.has_two_slopes(convention, at),
            Exception::Pole(_) => !at.y.is_finite(),
            Exception::Outside(_) => true,
        };
        if !fits {
            let point = describe(at.x, at.n);
            self.faults.push(Fault::Malformed(format!("{point} is no {}", convention.reason.kind())));
        }
    }

    fn has_two_slopes(&self, convention: &Convention, at: &Point<'_, Float>) -> bool {
        let step = Float::with_val(PRECISION, 1) << STEP;
        let slope = |step: Float| {
            let mut x = at.x.to_vec();
            x[convention.operand] += &step;
            let moved = mpfr::primal(self.row.op, convention.output, &x, at.n, PRECISION)?;
            Some(Float::with_val(PRECISION, moved - at.y) / step)
        };
        match (slope(step.clone()), slope(-step)) {
            (Some(above), Some(below)) => !close(&above, &below, &(Float::with_val(PRECISION, 1) >> 8)),
            _ => false,
        }
    }

    /// No partial may go unchecked, and where one is not classical everywhere the row must say what holds there.
    fn demand_coverage(&mut self) {
        for output in 0..self.row.outputs.len() {
            for partial in self.row.partials(output) {
                let place = (output, partial.operand);
                if !self.seen.contains(&place) {
                    self.faults.push(Fault::Unchecked(format!("partial of output {output} by x{}", partial.operand)));
                }
                let stated =
                    self.row.conventions.iter().any(|it| (it.output, it.operand) == place && !it.points.is_empty());
                if partial.smooth != Cond::True && !stated && !partial.expr.is_zero() {
                    self.faults.push(Fault::Unchecked(format!(
                        "no convention for x{} where not {}",
                        partial.operand, partial.smooth
                    )));
                }
            }
        }
    }
}

/// Operands drawn from integers are not moved: the function need not be defined around them.
fn on_grid(range: &Range) -> bool {
    matches!(range, Range::Integers(..))
}

fn close(a: &Float, b: &Float, tolerance: &Float) -> bool {
    a.sub(b).abs() <= *tolerance
}

fn describe(x: &[Float], n: &[i64]) -> String {
    let numbers = x.iter().map(|value| format!("{:e}", value.to_f64())).chain(n.iter().map(i64::to_string));
    format!("({})", numbers.collect::<Vec<_>>().join(", "))
}
