//! The tangent of one instruction.

use super::Emitter;
use crate::analysis::memory::object::Object;
use crate::analysis::memory::pieces;
use crate::analysis::memory::query::PointerKind;
use crate::emit::shadow_memory;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::cell::Cell;
use crate::program::externals;
use crate::runtime::tape;
use ir::{BinOp, FloatKind, Inst, InstId, InstKind, IntFlags, Operand, Role, Type, ValueId};

impl Emitter<'_, '_> {
    /// Emits an instruction of the primal and what it does to duals.
    pub(super) fn instruction(&mut self, inst: InstId) -> Result<(), Diagnostic> {
        self.stand_for(inst, Role::Clone);
        self.guard(inst);
        let data = self.func.insts[inst].clone();
        match &data.kind {
            InstKind::Phi { .. } => self.begin_phi(inst, &data),
            InstKind::Ret(value) => self.give_back(*value),
            InstKind::Call(call) => self.call(inst, &data, call)?,
            InstKind::Store { value, ptr, align, .. } => {
                self.clone_inst(&data);
                self.stand_for(inst, Role::Tangent);
                self.store(inst, *value, *ptr, *align)?;
            }
            InstKind::AtomicRmw { op, ptr, value, align, .. } => {
                self.clone_inst(&data);
                self.stand_for(inst, Role::Tangent);
                self.update(inst, *op, *value, (*ptr, *align))?;
            }
            InstKind::CmpXchg { ptr, new, .. } => {
                self.clone_inst(&data);
                let (cx, new) = (self.cx(), *new);
                let there = self.env.facts.overwritten(&cx.targets(*ptr), 0, cx.m.size_of(cx.ty(new)));
                let plain = !self.has_dual(new) && there.iter().all(|span| span.cell == Cell::Int);
                if !plain && self.is_differentiated(*ptr) {
                    return self.unsupported(inst, "an atomic update of memory that holds active values or pointers");
                }
            }
            _ => {
                self.clone_inst(&data);
                if let Some(v) = data.result.filter(|v| self.has_dual(Operand::Local(*v))) {
                    self.spoil(&data, v);
                    self.stand_for(inst, Role::Tangent);
                    let mut duals = Vec::new();
                    for d in self.directions() {
                        duals.push(self.result_dual(inst, &data, v, d)?);
                    }
                    if let Some(text) = self.env.facts.text_of_variable(self.b.m, (self.id, self.func), inst) {
                        tape::guard_variable(&mut self.b, [self.primal[&v], duals[0]], &text);
                    }
                    self.duals.insert(v, duals);
                }
            }
        }
        Ok(())
    }

    /// Stops where active data comes to constant memory from which it may be read again
    /// ([`crate::analysis::analyses::Analyses::may_lose`]).
    fn guard(&mut self, inst: InstId) {
        if !self.env.facts.may_lose(self.id, inst) {
            return;
        }
        let text = self.env.facts.lost_text(self.b.m, (self.id, self.func), inst);
        for (to, from) in self.env.facts.lost_through(self.b.m, (self.id, self.func), inst) {
            let pair = |e: &mut Self, ptr: Operand| [e.primal_of(ptr), e.dual(ptr, 0)];
            let to = pair(self, to);
            let from = from.filter(|from| self.cx().pointer_kind(*from) != PointerKind::Duplicated);
            let from = from.map(|from| pair(self, from));
            tape::guard_constant(&mut self.b, to, from, &text);
        }
    }

    /// Plants the defect that changes primal memory, if it is asked for.
    fn spoil(&mut self, data: &Inst, v: ValueId) {
        if let (true, InstKind::Load { ptr, align, .. }) = (self.has_fault(Fault::PrimalCorruption), &data.kind)
            && self.b.m.types.float_kind(data.ty).is_some()
        {
            let (value, at) = (self.primal[&v], self.primal_of(*ptr));
            let double = self.b.binary(BinOp::FAdd, value, value);
            self.b.store(double, at, *align);
        }
    }

    /// The dual of an instruction's result in one direction.
    fn result_dual(&mut self, inst: InstId, data: &Inst, v: ValueId, d: usize) -> Result<Operand, Diagnostic> {
        Ok(match &data.kind {
            InstKind::FNeg { value, .. } => self.instruction_rule("fneg", &[*value], inst, v, d)?,
            InstKind::Binary { op, lhs, rhs, .. } if op.is_float() => {
                self.instruction_rule(op.name(), &[*lhs, *rhs], inst, v, d)?
            }
            InstKind::Binary { op, lhs, rhs, .. } => self.integer(v, *op, *lhs, *rhs, d),
            InstKind::Load { ptr, align, .. } => self.load(data.ty, v, *ptr, *align, d),
            InstKind::Alloca { .. } => self.alloca(data, v),
            InstKind::Gep { .. }
            | InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. } => self.mirror(data, d),
            _ => return self.unsupported(inst, "an active value comes from an instruction that has no tangent"),
        })
    }

    /// The same instruction on duals; conditions and indices are the primal's.
    fn mirror(&mut self, data: &Inst, d: usize) -> Operand {
        let mut kind = data.kind.clone();
        let mut operands = kind.operands();
        for (position, operand) in operands.iter_mut().enumerate() {
            let is_data = shadow_memory::is_data(&data.kind, position);
            *operand = if is_data { self.dual(*operand, d) } else { self.primal_of(*operand) };
        }
        let mut mapped = operands.into_iter();
        kind.for_each_operand_mut(|o| {
            if let Some(new) = mapped.next() {
                *o = new;
            }
        });
        if let InstKind::Cast { flags, .. } = &mut kind {
            *flags = IntFlags::default();
        }
        self.b.value(kind, data.ty)
    }

    /// Arithmetic on an integer that carries a pointer or floats. Operands without a dual are distances, masks and the
    /// like, or other data beside the floats; constant floats among them have no tangent.
    fn integer(&mut self, v: ValueId, op: BinOp, lhs: Operand, rhs: Operand, d: usize) -> Operand {
        let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
        if divides && !pieces::is_shift(self.b.m, op, [lhs, rhs]) {
            return self.primal[&v];
        }
        let joins = matches!(op, BinOp::Or | BinOp::Add | BinOp::Xor | BinOp::Sub);
        let [lhs, rhs] = [lhs, rhs].map(|operand| match operand {
            _ if self.has_dual(operand) => self.dual(operand, d),
            Operand::Local(_) => self.constant_dual(operand),
            Operand::Const(_) if joins => self.without_floats(operand, v),
            Operand::Const(_) => operand,
        });
        self.b.binary(op, lhs, rhs)
    }

    /// An integer constant with zeros where the result of an operation carries floats.
    fn without_floats(&mut self, constant: Operand, result: ValueId) -> Operand {
        let ty = self.b.m.operand_ty(self.func, constant);
        let (Some(value), Type::Int(bits)) = (self.b.m.as_int(constant), self.b.m.types.get(ty)) else {
            return constant;
        };
        let (mut value, bits) = (value, *bits);
        for span in self.env.facts.content(self.id, Operand::Local(result)) {
            if span.cell.float().is_some() {
                let ones = 1u128.checked_shl(8 * span.size as u32).map_or(u128::MAX, |top| top - 1);
                value &= !ones.checked_shl(8 * span.offset as u32).unwrap_or(0);
            }
        }
        self.b.m.int(bits, value)
    }

    /// The tangent of an instruction that is in the table.
    fn instruction_rule(
        &mut self,
        opcode: &str,
        args: &[Operand],
        inst: InstId,
        v: ValueId,
        d: usize,
    ) -> Result<Operand, Diagnostic> {
        let Some(row) = rules::lookup_opcode(opcode) else {
            return self.unsupported(inst, "this operation is not in the table of rules");
        };
        let y = self.primal[&v];
        let tangent = self.rule(row, 0, args, (inst, Some(y)), d)?;
        let ty = self.b.ty(y);
        Ok(tangent.unwrap_or_else(|| self.b.m.zero(ty)))
    }

    /// May the memory hold data that have duals?
    pub(super) fn is_differentiated(&self, ptr: Operand) -> bool {
        let cx = self.cx();
        let holds = |object: &Object| object.cells.values().any(|cell| *cell != Cell::Int);
        cx.targets(ptr).keys().any(|o| self.env.facts.is_shadowed(*o) && holds(&self.env.facts.objects[*o]))
    }

    /// The format of a library function's first float.
    pub(super) fn float_kind(&self, operand: Operand) -> Option<FloatKind> {
        externals::first_float(self.b.m, self.cx().ty(operand))
    }
}
