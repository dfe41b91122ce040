//! Rows of the table: what is known of one operation, and the small builder the table is written with.

use crate::eval::{Point, Scalar};
use crate::expr::{Cond, Expr};
use crate::table::op::Op;

/// Floating-point formats a row may be spelled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// IEEE half.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
    /// x87 extended.
    F80,
    /// IEEE quad.
    F128,
}

/// What an operand of the call or instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A floating-point number through which derivatives pass.
    Active,
    /// A floating-point number through which none passes, and why.
    Inactive(&'static str),
    /// A floating-point number of a width of its own (`nexttoward`), inactive.
    InactiveOf(Width, &'static str),
    /// An integer.
    Integer,
    /// A pointer through which a floating-point result of the row's width is stored.
    FloatOut,
    /// A pointer through which an `int` is stored.
    IntOut,
    /// A pointer to a string that is read.
    Text,
}

impl Operand {
    /// Whether the operand is a floating-point number, counted by `X(i)`.
    pub fn is_float(self) -> bool {
        match self {
            Operand::Active | Operand::Inactive(_) | Operand::InactiveOf(..) => true,
            Operand::Integer | Operand::FloatOut | Operand::IntOut | Operand::Text => false,
        }
    }
}

/// Where a result appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The returned value.
    Return,
    /// This field of the returned structure, or lane of the returned vector.
    Field(usize),
    /// The memory behind the operand at this position of the call.
    Pointer(usize),
}

/// One result of an operation.
#[derive(Clone, Debug)]
pub struct Output {
    /// Where it appears.
    pub place: Place,
    /// Its kind and derivatives.
    pub value: Value,
}

/// The value of an output.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer: derivatives end here.
    Integer,
    /// A floating-point number.
    Float {
        /// The value as an expression over the operands, where the language can say it without naming the operation
        /// itself. The multi-precision value is always [`crate::mpfr::primal`].
        definition: Option<Expr>,
        /// One for each active operand, in order.
        partials: Vec<Partial>,
    },
}

impl Value {
    /// The defining expression of a floating-point value, where there is one.
    pub fn definition(&self) -> Option<&Expr> {
        match self {
            Value::Float { definition, .. } => definition.as_ref(),
            Value::Integer => None,
        }
    }
}

/// The derivative of one output with respect to one operand.
#[derive(Clone, Debug)]
pub struct Partial {
    /// Which floating-point operand, as counted by `X(i)`.
    pub operand: usize,
    /// The derivative over the operands and the result (`Y` is this output).
    pub expr: Expr,
    /// Where the expression is the classical derivative. Elsewhere a convention speaks.
    pub smooth: Cond,
}

/// A partial that is cheaper where an operand is a known constant.
#[derive(Clone, Debug)]
pub struct Special {
    /// The floating-point operand that is the constant.
    pub constant: usize,
    /// The constant.
    pub value: f64,
    /// The floating-point operand that the partial belongs to.
    pub operand: usize,
    /// The derivative of the first output, equal to the row's partial there.
    pub expr: Expr,
}

/// The values one operand is sampled from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Real numbers between the two.
    Reals(f64, f64),
    /// Integers between the two, as a floating-point or integer operand.
    Integers(i64, i64),
}

/// A box of operands for sampling: inside the domain, with intermediate values that stay finite.
#[derive(Clone, Debug)]
pub struct Region {
    /// One for each floating-point operand.
    pub x: Vec<Range>,
    /// One for each integer operand.
    pub n: Vec<Range>,
}

/// The value a partial takes by decision where the classical derivative does not exist.
#[derive(Clone, Debug)]
pub struct Convention {
    /// Index of the output.
    pub output: usize,
    /// Which floating-point operand the partial belongs to.
    pub operand: usize,
    /// Where it speaks.
    pub when: Cond,
    /// Operands at which it it is tested.
    pub points: Vec<Vec<f64>>,
    /// Integer operands at these points.
    pub ints: Vec<i64>,
    /// The value.
    pub value: Decision,
    /// What kind of point it is, and why this value.
    pub reason: Exception,
}

/// The value of a partial where it is a matter of decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// This number.
    Number(f64),
    /// The formula as it stands, which is finite there (a one-sided derivative, or the derivative off a jump).
    Formula,
    /// The formula as it stands, which is infinite or NaN there: a pole, or outside the domain.
    NotFinite,
}

/// Why a partial is not the classical derivative at a point. The text says why the row answers as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// The value is continuous and has different slopes on different sides.
    Kink(&'static str),
    /// The value jumps.
    Jump(&'static str),
    /// The value is finite and its slope is infinite or has no limit.
    Singular(&'static str),
    /// The value is infinite.
    Pole(&'static str),
    /// The operation is not defined there, or not around there.
    Outside(&'static str),
}

impl Exception {
    /// One word for the kind of point.
    pub fn kind(self) -> &'static str {
        match self {
            Exception::Kink(_) => "kink",
            Exception::Jump(_) => "jump",
            Exception::Singular(_) => "singular",
            Exception::Pole(_) => "pole",
            Exception::Outside(_) => "outside",
        }
    }

    /// Why this value.
    pub fn reason(self) -> &'static str {
        match self {
            Exception::Kink(why)
            | Exception::Jump(why)
            | Exception::Singular(why)
            | Exception::Pole(why)
            | Exception::Outside(why) => why,
        }
    }
}

/// How strong a proof of the partials can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Polynomial or rational: exact identity in the increment.
    Algebraic,
    /// By differentiating the defining equation (sqrt, cbrt).
    Implicit,
    /// From axioms such as sin' = cos, exp' = exp, log' = 1/x.
    FromAxioms,
    /// Compared with numbers only.
    NumericOnly,
    /// Nothing to prove: no active operand or no floating-point result.
    Nothing,
}

/// What a call does besides computing its outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The library function may set `errno`.
    pub errno: bool,
    /// The library function sets the global `signgam`.
    pub signgam: bool,
}

/// How programs spell the operation.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Library function names for double; the `f` and `l` spellings follow from them. Their ending stands at `*`, or
    /// last.
    pub library: &'static [&'static str],
    /// Library names that follow no pattern.
    pub irregular: &'static [(&'static str, Width)],
    /// LLVM intrinsic names without the type suffix.
    pub intrinsics: &'static [&'static str],
    /// LLVM instruction mnemonics.
    pub opcodes: &'static [&'static str],
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The operation.
    pub op: Op,
    /// Its spellings.
    pub symbols: Symbols,
    /// Operands by position in the call.
    pub operands: Vec<Operand>,
    /// Results.
    pub outputs: Vec<Output>,
    /// Partials of the first output where an operand is a known constant.
    pub specials: Vec<Special>,
    /// Where to sample.
    pub regions: Vec<Region>,
    /// What holds where the derivative does not exist.
    pub conventions: Vec<Convention>,
    /// Side effects of the library function.
    pub effects: Effects,
    /// How its partials can be proved.
    pub proof: Proof,
    /// Where the derivative comes from.
    pub source: &'static str,
}

impl Row {
    /// Is the operation defined by arithmetic and choices alone, without a function: as cheap as an instruction or two?
    pub fn is_arithmetic(&self) -> bool {
        matches!(self.outputs.as_slice(), [Output { place: Place::Return, value }]
            if value.definition().is_some_and(|definition| !definition.calls()))
    }

    /// Is the result finite wherever the operands are, unless it is too large for its format? (Exponentials have no
    /// poles.)
    pub fn only_overflows(&self) -> bool {
        matches!(self.op, Op::Exp | Op::Exp2 | Op::Exp10 | Op::Expm1 | Op::Sinh | Op::Cosh)
    }

    /// May the result be infinite although the operands are not, and not only because it is too large?
    pub fn has_pole(&self) -> bool {
        self.conventions.iter().any(|convention| matches!(convention.reason, Exception::Pole(_)))
    }

    /// Is it infinite as a logarithm is, so that an exponential of it may have any slope? (`exp(log(x))` is `x`.)
    pub fn is_logarithmic(&self) -> bool {
        let ops = [Op::Log, Op::Log2, Op::Log10, Op::Log1p, Op::Logb, Op::Atanh, Op::LGamma, Op::LGammaR, Op::Y0];
        ops.contains(&self.op)
    }

    /// Does it come to its limits at infinity faster than any power? (Then it is flat there, if its operand is no
    /// logarithm: `exp(-1/r)` at zero.)
    pub fn settles(&self) -> bool {
        matches!(self.op, Op::Exp | Op::Exp2 | Op::Exp10 | Op::Expm1 | Op::Tanh | Op::Erf | Op::Erfc)
    }

    /// Is a product part of the definition, which a compiler may fuse with a sum or not?
    pub fn multiplies(&self) -> bool {
        let definitions = self.outputs.iter().filter_map(|output| output.value.definition());
        definitions.into_iter().any(Expr::multiplies)
    }

    /// Positions in the call of the floating-point operands: `X(i)` stands at the i-th.
    pub fn float_positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.operands.iter().enumerate().filter(|(_, operand)| operand.is_float()).map(|(position, _)| position)
    }

    /// Positions in the call of the integer operands: `n(j)` stands at the j-th.
    pub fn int_positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.operands
            .iter()
            .enumerate()
            .filter(|(_, operand)| **operand == Operand::Integer)
            .map(|(position, _)| position)
    }

    /// Bits of the integer operands of the library function: those of C's `int`, or of `long`.
    pub fn integer_bits(&self) -> u32 {
        if self.op == Op::Scalbln { 64 } else { 32 }
    }

    /// The floating-point operands through which derivatives pass, as counted by `X(i)`.
    pub fn active_operands(&self) -> impl Iterator<Item = usize> + '_ {
        let floats = self.operands.iter().filter(|operand| operand.is_float());
        floats.enumerate().filter(|(_, operand)| **operand == Operand::Active).map(|(i, _)| i)
    }

    /// The partials of an output; none for an integer output.
    pub fn partials(&self, output: usize) -> &[Partial] {
        match self.outputs.get(output).map(|output| &output.value) {
            Some(Value::Float { partials, .. }) => partials,
            Some(Value::Integer) | None => &[],
        }
    }

    /// The partial of output `output` with respect to the floating-point operand `X(operand)`.
    pub fn partial(&self, output: usize, operand: usize) -> Option<&Partial> {
        self.partials(output).iter().find(|partial| partial.operand == operand)
    }

    /// The expression of the partial of output `output` by `X(operand)`, given which floating-point operands are
    /// constants.
    pub fn partial_given(
        &self,
        output: usize,
        operand: usize,
        constant: impl Fn(usize) -> Option<f64>,
    ) -> Option<&Expr> {
        let applies = |s: &&Special| output == 0 && s.operand == operand && constant(s.constant) == Some(s.value);
        let special = self.specials.iter().find(applies).map(|s| &s.expr);
        special.or_else(|| self.partial(output, operand).map(|p| &p.expr))
    }

    /// The convention that speaks for a partial at a point, if one does.
    ///
    /// # Panics
    /// If the point has fewer operands than the row.
    pub fn convention_at<S: Scalar>(&self, output: usize, operand: usize, at: &Point<'_, S>) -> Option<&Convention> {
        let mut stated = self.conventions.iter().filter(|it| it.output == output && it.operand == operand);
        stated.find(|convention| convention.when.holds(at))
    }

    /// Whether no derivative passes through the operation at all.
    pub fn is_inactive(&self) -> bool {
        (0..self.outputs.len()).all(|output| self.partials(output).iter().all(|partial| partial.expr.is_zero()))
    }

    /// Whether a derivative is a [`crate::helper::Helper`]'s: a series that is cut off at the last place of its format,
    /// and not a closed expression.
    pub fn is_differentiated_by_a_series(&self) -> bool {
        (0..self.outputs.len()).any(|output| self.partials(output).iter().any(|partial| partial.expr.has_helper()))
    }

    /// The single returned value, for operations whose only output it is.
    pub fn returns_only(&self) -> bool {
        matches!(self.outputs.as_slice(), [Output { place: Place::Return, .. }])
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Point;
    use crate::table::rows;

    #[test]
    fn partials_at_constants_are_the_partials_there() {
        let mut seen = 0;
        for row in rows() {
            for special in &row.specials {
                let general = row.partial(0, special.operand).unwrap();
                for other in [-3.5_f64, -1.0, -0.003, 0.7, 1e3] {
                    let x: Vec<f64> = row
                        .active_operands()
                        .map(|i| if i == special.constant { special.value } else { other })
                        .collect();
                    let wide: Vec<rug::Float> = x.iter().map(|v| rug::Float::with_val(200, v)).collect();
                    let y = crate::mpfr::primal(row.op, 0, &wide, &[], 200).unwrap().to_f64();
                    let at = Point { x: &x, n: &[], y: &y };
                    let (a, b) = (special.expr.eval(&at), general.expr.eval(&at));
                    assert!(((a - b) / b).abs() < 1e-15, "{:?} at {x:?}: {a} is not {b}", row.op);
                    seen += 1;
                }
                let given = |constant| row.partial_given(0, special.operand, move |_| constant).unwrap();
                assert_eq!(given(Some(special.value)), &special.expr);
                assert_eq!(given(None), &general.expr);
            }
        }
        assert!(seen > 0);
    }
}
