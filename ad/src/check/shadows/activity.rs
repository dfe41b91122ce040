//! What of an active value is active, instruction by instruction.

use crate::check::shadows::{At, Checker, Found, holds_float};
use ir::{BinOp, Call, CastOp, ConstId, ConstKind, FloatKind, Function, InstKind, Module, Operand, Type};

impl Checker<'_> {
    /// Is what an instruction makes of an active value active?
    pub(super) fn moves_activity(&self, at: At) -> Found {
        let data = &at.func.insts[at.inst];
        // The second of two sums that round.
        if self.takes_off(at) {
            return Ok(());
        }
        if let InstKind::Ret(Some(value)) = &data.kind {
            let lost = self.active_number(at, *value) && !self.facts.returns_active(at.id);
            return if lost { Err("an active value that is returned is taken for a constant") } else { Ok(()) };
        }
        let Some(result) = data.result.map(Operand::Local) else {
            return data.kind.as_call().map_or(Ok(()), |call| self.calls(at, call, None));
        };
        let (float, active) = (holds_float(self.m, data.ty), self.active(at.id, result));
        let of = |operand: Operand| self.active_number(at, operand);
        let lost = match &data.kind {
            InstKind::FNeg { value, .. } => of(*value) && !active,
            InstKind::Binary { op, lhs, rhs, .. } if op.is_float() => (of(*lhs) || of(*rhs)) && !active,
            InstKind::Cast { op: CastOp::FPExt | CastOp::FPTrunc, value, .. } => of(*value) && !active,
            InstKind::Cast { op: CastOp::BitCast, value, .. } => float && of(*value) && !self.followed(at.id, result),
            InstKind::Phi { incoming, .. } => incoming.iter().any(|(v, _)| of(*v)) && !self.followed(at.id, result),
            InstKind::Select { if_true, if_false, .. } => {
                (of(*if_true) || of(*if_false)) && !self.followed(at.id, result)
            }
            InstKind::Freeze(v) => of(*v) && !self.followed(at.id, result),
            InstKind::ExtractValue { aggregate: v, .. } | InstKind::ExtractElement { vector: v, .. } => {
                float && of(*v) && !active
            }
            InstKind::InsertValue { value, .. } | InstKind::InsertElement { value, .. } => {
                float && of(*value) && !active
            }
            InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } if float => {
                self.targets(at.id, *ptr).keys().any(|o| self.facts.objects[*o].varied) && !active
            }
            InstKind::Load { ptr, .. } => self.loads_number(at, *ptr) && !self.followed(at.id, result),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => return self.calls(at, call, Some(result)),
            _ => false,
        };
        if lost { Err("what is made of an active value is taken for a constant") } else { Ok(()) }
    }

    /// Does an integer that is loaded lie exactly where active floats are, and nothing says that it is none?
    fn loads_number(&self, at: At, ptr: Operand) -> bool {
        let data = &at.func.insts[at.inst];
        if !matches!(self.m.types.get(data.ty), Type::Int(32 | 64)) || data.metadata("tbaa").is_some() {
            return false;
        }
        let size = self.m.size_of(data.ty);
        self.targets(at.id, ptr).iter().any(|(object, place)| {
            let object = &self.facts.objects[*object];
            let exact = place.stride == 0 && place.extent() == 0;
            let cell = object.cells.get(&(*place, size));
            exact && object.varied && cell.is_some_and(|cell| cell.float().is_some() && cell.size(size) == size)
        })
    }

    fn calls(&self, at: At, call: &Call, result: Option<Operand>) -> Found {
        if let Some((callee, body)) = self.body(call) {
            for (arg, param) in call.args.iter().zip(&body.params) {
                if self.active_number(at, *arg) && !self.active(callee, Operand::Local(param.value)) {
                    return Err("an active value that is passed is taken for a constant in the function that gets it");
                }
            }
            let back = result.is_none_or(|v| !self.facts.returns_active(callee) || self.active(at.id, v));
            return if back { Ok(()) } else { Err("an active value that a function returns is taken for a constant") };
        }
        let row = self.outside(call).and_then(rules::lookup).map(|symbol| symbol.row);
        // What returns an integer under such a name is another function.
        let result = result.filter(|v| holds_float(self.m, self.m.operand_ty(at.func, *v)));
        let (Some(row), Some(result)) = (row, result) else { return Ok(()) };
        let floats: Vec<usize> = row.float_positions().collect();
        let depends = |output: usize| {
            let active =
                |operand: usize| call.args.get(floats[operand]).is_some_and(|arg| self.active_number(at, *arg));
            row.partials(output).iter().any(|p| !p.expr.is_zero() && active(p.operand))
        };
        let given = |place: &rules::Place| matches!(place, rules::Place::Return | rules::Place::Field(_));
        let lost = (0..row.outputs.len()).any(|n| given(&row.outputs[n].place) && depends(n));
        match lost && !self.active(at.id, result) {
            true => Err("what a function makes of an active value is taken for a constant"),
            false => Ok(()),
        }
    }

    /// May it be the second of two sums that round to a multiple of a power of two: is a constant added that leaves no
    /// fraction, or what may be one?
    fn takes_off(&self, at: At) -> bool {
        let operands = match &at.func.insts[at.inst].kind {
            InstKind::Binary { op: BinOp::FAdd | BinOp::FSub, lhs, rhs, .. } => vec![*lhs, *rhs],
            InstKind::Call(call)
                if self.outside(call).is_some_and(|name| name.contains("fma") || name.contains("fmuladd")) =>
            {
                call.args.to_vec()
            }
            _ => return false,
        };
        operands.into_iter().any(|o| is_spread(self.m, at.func, o) || self.may_be_kept(at.func, o))
    }

    /// May a value be a constant that leaves no fraction, which the program keeps in memory, chooses or passes?
    fn may_be_kept(&self, func: &Function, value: Operand) -> bool {
        let Some(v) = value.local() else { return false };
        let computed = func.def_inst(v).is_some_and(|inst| {
            let kind = &func.insts[inst].kind;
            matches!(kind, InstKind::Binary { .. } | InstKind::Cast { .. })
        });
        !computed && *self.keeps_large.get_or_init(|| self.keeps_large())
    }

    fn keeps_large(&self) -> bool {
        let large = |o: Operand| o.constant().is_some_and(|c| is_large(self.m, c, Elements::Some));
        let kept = |kind: &InstKind| match kind {
            InstKind::Store { value, .. } | InstKind::Ret(Some(value)) => large(*value),
            InstKind::Call(call) => call.args.iter().any(|arg| large(*arg)),
            InstKind::Phi { incoming, .. } => incoming.iter().any(|(value, _)| large(*value)),
            InstKind::Select { if_true, if_false, .. } => large(*if_true) || large(*if_false),
            _ => false,
        };
        self.sources.values().any(|func| func.inst_order().any(|(_, inst)| kept(&func.insts[inst].kind)))
            || self.m.globals.values().any(|g| g.init.is_some_and(|init| is_large(self.m, init, Elements::Some)))
    }
}

/// Is a value such a constant, or a vector put together from one in a few steps?
fn is_spread(m: &Module, func: &Function, value: Operand) -> bool {
    let mut at = value;
    for _ in 0..16 {
        let v = match at {
            Operand::Const(c) => return is_large(m, c, Elements::All),
            Operand::Local(v) => v,
        };
        match func.def_inst(v).map(|inst| &func.insts[inst].kind) {
            Some(InstKind::ShuffleVector { a, .. }) => at = *a,
            Some(InstKind::InsertElement { value, .. } | InstKind::FNeg { value, .. }) => at = *value,
            _ => return false,
        }
    }
    false
}

/// Which elements of a vector or an aggregate have to be large.
#[derive(Clone, Copy, PartialEq)]
enum Elements {
    /// Each: then a sum with it rounds in all lanes.
    All,
    /// Any: then one may be taken out of it.
    Some,
}

/// Is it 2ᵏ or 1.5·2ᵏ with a last bit from 1/256 to 1?
fn is_large(m: &Module, constant: ConstId, which: Elements) -> bool {
    let c = m.constants.get(constant);
    // Bits of the fraction, its leading one among them where it is stored; the exponents.
    let rounds = |bits: u128, fraction: u32, exponents: std::ops::RangeInclusive<u128>| {
        let rest = bits & ((1 << fraction) - 1);
        let exponent = bits >> fraction & if fraction == 23 { 0xff } else { 0x7ff };
        exponents.contains(&exponent) && (rest == 0 || rest == 1 << (fraction - 1))
    };
    match &c.kind {
        ConstKind::Float(bits) => match m.types.float_kind(c.ty) {
            Some(FloatKind::Double) => rounds(*bits, 52, 1023 + 44..=1023 + 52),
            Some(FloatKind::Float) => rounds(*bits, 23, 127 + 15..=127 + 23),
            _ => true,
        },
        ConstKind::Aggregate(elems) => match which {
            Elements::All => elems.iter().all(|e| is_large(m, *e, which)),
            Elements::Some => elems.iter().any(|e| is_large(m, *e, which)),
        },
        _ => false,
    }
}
