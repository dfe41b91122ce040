//! The vocabulary the rows are written in.

use crate::expr::{Cond, Expr};
use crate::row::{
    Convention, Decision, Effects, Exception, Operand, Output, Partial, Place, Proof, Range, Region, Row, Special,
    Symbols, Value, Width,
};
use crate::table::op::Op;

pub(super) const F32: Width = Width::F32;
pub(super) const F64: Width = Width::F64;
pub(super) const F80: Width = Width::F80;

/// Starts a row with the given operands and one floating-point return value.
pub(super) fn row(op: Op, operands: &[Operand]) -> Row {
    Row {
        op,
        symbols: Symbols::default(),
        operands: operands.to_vec(),
        outputs: vec![float_output(Place::Return)],
        specials: Vec::new(),
        regions: Vec::new(),
        conventions: Vec::new(),
        effects: Effects::default(),
        proof: Proof::Nothing,
        source: "",
    }
}

/// A row of one active operand.
pub(super) fn unary(op: Op) -> Row {
    row(op, &[Operand::Active])
}

/// A row of two active operands.
pub(super) fn binary(op: Op) -> Row {
    row(op, &[Operand::Active, Operand::Active])
}

/// A row of one inactive operand and an integer result.
pub(super) fn integer_valued(op: Op) -> Row {
    row(op, &[Operand::Inactive("the result is an integer")]).outputs(vec![int_output(Place::Return)])
}

pub(super) fn float_output(place: Place) -> Output {
    Output { place, value: Value::Float { definition: None, partials: Vec::new() } }
}

pub(super) fn int_output(place: Place) -> Output {
    Output { place, value: Value::Integer }
}

/// Real numbers between the two.
pub(super) fn reals(low: f64, high: f64) -> Range {
    Range::Reals(low, high)
}

/// Integers between the two.
pub(super) fn integers(low: i64, high: i64) -> Range {
    Range::Integers(low, high)
}

impl Row {
    /// Library names for double, from which the other widths follow.
    pub(super) fn library(mut self, names: &'static [&'static str]) -> Row {
        self.symbols.library = names;
        self
    }

    /// Library names that follow no pattern.
    pub(super) fn irregular(mut self, names: &'static [(&'static str, Width)]) -> Row {
        self.symbols.irregular = names;
        self
    }

    /// Intrinsic names without type suffix.
    pub(super) fn intrinsics(mut self, names: &'static [&'static str]) -> Row {
        self.symbols.intrinsics = names;
        self
    }

    /// Instruction mnemonic.
    pub(super) fn opcode(mut self, names: &'static [&'static str]) -> Row {
        self.symbols.opcodes = names;
        self
    }

    /// Replaces the single return value.
    pub(super) fn outputs(mut self, outputs: Vec<Output>) -> Row {
        self.outputs = outputs;
        self
    }

    /// The library function may set `errno`.
    pub(super) fn errno(mut self) -> Row {
        self.effects.errno = true;
        self
    }

    /// The library function sets `signgam`.
    pub(super) fn signgam(mut self) -> Row {
        self.effects.signgam = true;
        self
    }

    /// Proof class and citation.
    pub(super) fn proved(mut self, proof: Proof, source: &'static str) -> Row {
        self.proof = proof;
        self.source = source;
        self
    }

    /// Defining expression of the first output.
    pub(super) fn defined_as(self, expr: Expr) -> Row {
        self.output_defined_as(0, expr)
    }

    /// Defining expression of an output.
    pub(super) fn output_defined_as(mut self, output: usize, expr: Expr) -> Row {
        if let Value::Float { definition, .. } = &mut self.outputs[output].value {
            *definition = Some(expr);
        }
        self
    }

    /// The next partial of the first output.
    pub(super) fn partial_where(self, smooth: Cond, expr: Expr) -> Row {
        self.output_partial(0, smooth, expr)
    }

    /// The next partial of the first output, classical everywhere.
    pub(super) fn d(self, expr: Expr) -> Row {
        self.output_partial(0, Cond::True, expr)
    }

    /// The next partial of an output: partials are given in the order of the active operands.
    pub(super) fn output_partial(mut self, output: usize, smooth: Cond, expr: Expr) -> Row {
        let active: Vec<usize> = self.active_operands().collect();
        if let Value::Float { partials, .. } = &mut self.outputs[output].value {
            // A partial too many gets an operand that does not exist, which the check of the row refuses.
            let operand = active.get(partials.len()).copied().unwrap_or(usize::MAX);
            partials.push(Partial { operand, expr, smooth });
        }
        self
    }

    /// The partial of the first output by `X(operand)` where `X(constant)` is the constant `value`.
    pub(super) fn where_constant(mut self, (constant, value): (usize, f64), operand: usize, expr: Expr) -> Row {
        self.specials.push(Special { constant, value, operand, expr });
        self
    }

    /// A box to sample floating-point operands from.
    pub(super) fn sampled<const K: usize>(self, x: [Range; K]) -> Row {
        self.sampled_n(x, [])
    }

    /// A box to sample floating-point and integer operands from.
    pub(super) fn sampled_n<const K: usize, const L: usize>(mut self, x: [Range; K], n: [Range; L]) -> Row {
        self.regions.push(Region { x: x.to_vec(), n: n.to_vec() });
        self
    }

    /// By decision, the partial of the first output by `X(operand)` is `value` where `when` holds.
    pub(super) fn convention<const K: usize>(
        self,
        operand: usize,
        when: Cond,
        points: &[[f64; K]],
        value: Decision,
        reason: Exception,
    ) -> Row {
        let points = points.iter().map(|point| point.to_vec()).collect();
        self.add_convention(Convention { output: 0, operand, when, points, ints: Vec::new(), value, reason })
    }

    /// Any convention.
    pub(super) fn add_convention(mut self, convention: Convention) -> Row {
        self.conventions.push(convention);
        self
    }
}
