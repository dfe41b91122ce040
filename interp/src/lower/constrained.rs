//! Constrained floating-point intrinsics: `llvm.experimental.constrained.NAME.TYPES(operands, metadata …)`.

use super::{Lower, Lowered};
use crate::code::{ConstrainedOp, ConstrainedSite, Op, Rounding, Slot, kinds};
use crate::value::Leaf;
use ir::{BinOp, Call, ConstKind, FloatPred, Inst, MdOperand, Operand};

impl Lower<'_, '_> {
    /// `rest` is the name behind `llvm.experimental.constrained.`.
    pub(super) fn constrained(&mut self, call: &Call, inst: &Inst, rest: &str) -> Lowered {
        let (texts, values): (Vec<_>, Vec<_>) = call.args.iter().partition(|a| self.metadata_text(**a).is_some());
        let texts: Vec<String> = texts.iter().filter_map(|a| self.metadata_text(*a)).collect();
        let name = rest.split('.').next().unwrap_or(rest);
        let op = operation(name, &texts)?;
        let rounding = match texts.iter().find_map(|t| t.strip_prefix("round.")) {
            None | Some("dynamic") => None,
            Some("tonearest") => Some(Rounding::ToNearest),
            Some("downward") => Some(Rounding::Downward),
            Some("upward") => Some(Rounding::Upward),
            Some("towardzero") => Some(Rounding::TowardZero),
            Some("tonearestaway") => Some(Rounding::ToNearestAway),
            Some(other) => return Err(format!("the rounding mode {other}")),
        };
        let result = kinds(&*self.env.flat(inst.ty)?);
        let mut operands = Vec::with_capacity(values.len());
        for value in values {
            operands.push((self.slot(value)?, self.leaves(value)?));
        }
        let dst = self.result();
        for (lane, leaf) in (0..).zip(&result) {
            // A scalar operand of a vector operation (`powi`) serves all lanes.
            let of_lane = |(slot, leaves): &(Slot, Vec<Leaf>)| {
                let at = if leaves.len() > 1 { lane } else { 0 };
                leaves.get(at as usize).map(|leaf| (slot + at, *leaf))
            };
            let args: Option<Vec<_>> = operands.iter().map(of_lane).collect();
            let args = args.ok_or("operands of different lengths")?;
            self.code.constrained.push(ConstrainedSite { op, rounding, dst: dst + lane, result: *leaf, args });
            self.emit(Op::Constrained { site: self.code.constrained.len() as u32 - 1 });
        }
        Ok(())
    }

    /// The string of a metadata operand.
    fn metadata_text(&self, operand: Operand) -> Option<String> {
        let ConstKind::Metadata(MdOperand::Str(text)) = &self.env.module.as_constant(operand)?.kind else {
            return None;
        };
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

fn operation(name: &str, texts: &[String]) -> Lowered<ConstrainedOp> {
    let binary = |op| Ok(ConstrainedOp::Binary(op));
    match name {
        "fadd" => binary(BinOp::FAdd),
        "fsub" => binary(BinOp::FSub),
        "fmul" => binary(BinOp::FMul),
        "fdiv" => binary(BinOp::FDiv),
        "frem" => binary(BinOp::FRem),
        "fptosi" => Ok(ConstrainedOp::ToInt(true)),
        "fptoui" => Ok(ConstrainedOp::ToInt(false)),
        "sitofp" => Ok(ConstrainedOp::FromInt(true)),
        "uitofp" => Ok(ConstrainedOp::FromInt(false)),
        "fptrunc" | "fpext" => Ok(ConstrainedOp::Convert),
        "fcmp" | "fcmps" => {
            let pred = FloatPred::ALL.into_iter().find(|pred| texts.iter().any(|text| text == pred.name()));
            Ok(ConstrainedOp::Compare(pred.ok_or("a comparison without a predicate")?, name == "fcmps"))
        }
        _ => {
            let row = rules::lookup_intrinsic(&format!("llvm.{name}.f64")).map(|found| found.row);
            let single =
                |row: &rules::Row| row.returns_only() && matches!(row.outputs[0].value, rules::Value::Float { .. });
            match row {
                Some(row) if row.op == rules::Op::Fma => Ok(ConstrainedOp::Fma),
                Some(row) if row.op == rules::Op::FMulAdd => Ok(ConstrainedOp::FMulAdd),
                Some(row) if row.op == rules::Op::Sqrt => Ok(ConstrainedOp::Sqrt),
                Some(row) if row.op == rules::Op::Rint => Ok(ConstrainedOp::ToIntegral(true)),
                Some(row) if row.op == rules::Op::NearbyInt => Ok(ConstrainedOp::ToIntegral(false)),
                Some(row) if matches!(row.op, rules::Op::Lrint | rules::Op::Llrint) => Ok(ConstrainedOp::RoundToInt),
                Some(row) if single(row) => Ok(ConstrainedOp::Rule(row.op)),
                _ => Err("not supported".to_owned()),
            }
        }
    }
}
