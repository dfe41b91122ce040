//! Partial derivatives as they are where an operation stands in a program.
//!
//! The table's partial is an expression over the operands and the result. Where the program says more, the same partial
//! costs less:
//! - an operand is a known constant, for which the table has a partial of its own (`1/x`);
//! - the program itself calls what the partial calls, on the same operands and in the same block: `sin x` beside
//!   `cos x`. Then the value is taken from there, as one more operand. LLVM does not find this by itself where the
//!   reverse pass comes to its block by a way of its own.

use crate::analysis::context::Context;
use crate::options::Lever;
use crate::program::externals::{External, classify};
use ir::{ConstKind, InstId, InstKind, Operand, ValueId};
use rules::{Expr, Op, Row};
use std::borrow::Cow;

/// A partial derivative of one instruction.
pub struct Local<'r> {
    /// The floating-point operand that it belongs to.
    pub operand: usize,
    /// Its expression.
    pub expr: Cow<'r, Expr>,
    /// What `X(i)` stands for: the floating-point operands, then what is known besides.
    pub inputs: Vec<Operand>,
}

impl Context<'_> {
    /// The partials of an output of a row that contribute to an adjoint: those of operands that have one, and not zero.
    pub fn partials<'r>(&self, row: &'r Row, output: usize, args: &[Operand], inst: InstId) -> Vec<Local<'r>> {
        let floats: Vec<Operand> = row.float_positions().map(|position| args[position]).collect();
        let constant = |i: usize| self.number(*floats.get(i)?);
        let mut out = Vec::new();
        for partial in row.partials(output) {
            let Some(expr) = row.partial_given(output, partial.operand, constant) else { continue };
            if !self.has_adjoint(floats[partial.operand]) || expr.is_zero() {
                continue;
            }
            let mut inputs = floats.clone();
            let expr = match expr.calls() && !self.facts.without.has(Lever::SharedCalls) {
                true => Cow::Owned(self.without_calls_made(expr, inst, &mut inputs)),
                false => Cow::Borrowed(expr),
            };
            out.push(Local { operand: partial.operand, expr, inputs });
        }
        out
    }

    /// The expression with the program's own values in place of calls.
    fn without_calls_made(&self, expr: &Expr, inst: InstId, inputs: &mut Vec<Operand>) -> Expr {
        expr.rewritten(&mut |part| {
            let Expr::Call { op, ints, args } = part else { return None };
            let operand = |arg: &Expr| if let Expr::X(i) = arg { inputs.get(*i).copied() } else { None };
            let operands: Vec<Operand> = args.iter().map(operand).collect::<Option<_>>()?;
            let value = self.called_beside(inst, *op, &operands).filter(|_| ints.is_empty())?;
            inputs.push(Operand::Local(value));
            Some(Expr::X(inputs.len() - 1))
        })
    }

    /// The result of a call of an operation on these operands in the block of an instruction.
    fn called_beside(&self, inst: InstId, op: Op, operands: &[Operand]) -> Option<ValueId> {
        let blocks = self.func.layout.iter().map(|b| &self.func.blocks[*b].insts);
        let block = blocks.into_iter().find(|insts| insts.contains(&inst))?;
        block.iter().find_map(|other| {
            let data = &self.func.insts[*other];
            let InstKind::Call(call) = &data.kind else { return None };
            let callee = &self.m.functions[self.m.as_function(call.callee)?];
            let External::Rule(row) = classify(self.m, callee) else { return None };
            (row.op == op && row.returns_only() && call.args == operands).then_some(data.result)?
        })
    }

    /// The number that a constant of type `double` or `float` is.
    fn number(&self, operand: Operand) -> Option<f64> {
        let constant = self.m.as_constant(operand)?;
        match (&constant.kind, self.m.types.float_kind(constant.ty)?) {
            (ConstKind::Float(bits), ir::FloatKind::Double) => Some(f64::from_bits(*bits as u64)),
            (ConstKind::Float(bits), ir::FloatKind::Float) => Some(f64::from(f32::from_bits(*bits as u32))),
            _ => None,
        }
    }
}
