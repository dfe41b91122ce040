//! The adjoint of one instruction.

use crate::analysis::context::{Callee, Item};
use crate::analysis::copied_data::TURNS;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::query;
use crate::emit::expr::{self, Bindings};
use crate::emit::gathered_add::settle_bytes;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::cell::Cell;
use crate::program::externals::External;
use crate::reverse::Emitter;
use crate::reverse::adjoint::Target;
use ir::{Call, CastOp, InstId, InstKind, Operand, RmwOp, TypeId, ValueId};

impl Emitter<'_, '_> {
    /// Emits the adjoint of an instruction that acts.
    pub(super) fn reverse_inst(&mut self, inst: InstId) -> Result<(), Diagnostic> {
        let data = self.func.insts[inst].clone();
        match (&data.kind, data.result) {
            (InstKind::FNeg { value, .. }, Some(v)) => {
                self.apply_rule(rules::lookup_opcode("fneg"), &[*value], inst, v)
            }
            (InstKind::Binary { op, lhs, rhs, .. }, Some(v)) if op.is_float() => {
                self.apply_rule(rules::lookup_opcode(op.name()), &[*lhs, *rhs], inst, v)
            }
            (InstKind::Load { ptr, align, .. }, Some(v)) => self.reverse_load(inst, *ptr, *align, v),
            (InstKind::Store { value, ptr, align, .. }, _) => self.reverse_store(inst, *value, *ptr, *align),
            (InstKind::AtomicRmw { op, ptr, value, align, .. }, Some(v)) => {
                self.reverse_update(inst, *op, *value, (*ptr, *align), v)
            }
            (InstKind::Call(call), _) => self.reverse_call(inst, call, data.result),
            (InstKind::Cast { op, value, .. }, Some(v)) => self.reverse_cast(inst, *op, *value, v),
            (InstKind::Select { cond, if_true, if_false, .. }, Some(v)) => {
                self.reverse_select(inst, v, *cond, [*if_true, *if_false])
            }
            (InstKind::Freeze(value), Some(v)) => {
                let adjoint = self.take(v);
                self.pass_on(inst, v, *value, adjoint)
            }
            (InstKind::Binary { .. }, Some(v)) => self.reverse_moves(inst, v),
            (InstKind::ExtractElement { vector, index }, Some(v))
                if self.is_packed(*vector) && self.b.m.as_int(*index).is_some() =>
            {
                self.reverse_moves(inst, v)
            }
            (InstKind::InsertElement { index, .. }, Some(v))
                if self.is_packed(Operand::Local(v)) && self.b.m.as_int(*index).is_some() =>
            {
                self.reverse_moves(inst, v)
            }
            (InstKind::ShuffleVector { .. }, Some(v)) if self.is_packed(Operand::Local(v)) => {
                self.reverse_moves(inst, v)
            }
            (InstKind::ExtractValue { aggregate, .. }, Some(v)) if self.is_packed(*aggregate) => {
                self.reverse_moves(inst, v)
            }
            (InstKind::InsertValue { .. }, Some(v)) if self.is_packed(Operand::Local(v)) => self.reverse_moves(inst, v),
            (InstKind::ExtractElement { vector, index }, Some(v)) => {
                let adjoint = self.take(v);
                let ty = self.adjoint_ty(*vector);
                let part = self.element_ty(inst, ty, adjoint)?;
                let adjoint = self.view(adjoint, part);
                let index = self.reverse_primal(*index)?;
                let zero = self.b.m.zero(ty);
                let whole = self.b.value(InstKind::InsertElement { vector: zero, value: adjoint, index }, ty);
                self.accumulate(*vector, whole);
                Ok(())
            }
            (InstKind::InsertElement { vector, value, index }, Some(v)) => {
                self.reverse_insert(v, *vector, *value, *index)
            }
            (InstKind::ShuffleVector { a, b, mask }, Some(v)) => self.reverse_shuffle(*a, *b, mask, v),
            (InstKind::ExtractValue { aggregate, indices }, Some(v)) => {
                let adjoint = self.take(v);
                let ty = self.adjoint_ty(*aggregate);
                let zero = self.b.m.zero(ty);
                let kind = InstKind::InsertValue { aggregate: zero, value: adjoint, indices: indices.clone() };
                let whole = self.b.value(kind, ty);
                self.accumulate(*aggregate, whole);
                Ok(())
            }
            (InstKind::InsertValue { aggregate, value, indices }, Some(v)) => {
                self.reverse_insert_value(v, *aggregate, *value, indices)
            }
            _ => self.unsupported(inst, "an active value comes from an instruction that has no adjoint"),
        }
    }

    /// The chosen one has all, the other nothing.
    fn reverse_select(
        &mut self,
        inst: InstId,
        v: ValueId,
        cond: Operand,
        [if_true, if_false]: [Operand; 2],
    ) -> Result<(), Diagnostic> {
        let adjoint = self.take(v);
        let cond = self.reverse_primal(cond)?;
        let ty = self.b.ty(adjoint);
        let lanes = matches!(self.b.m.types.get(self.b.ty(cond)), ir::Type::Vector { .. });
        if lanes && self.b.m.types.element_count(ty) != self.b.m.types.element_count(self.b.ty(cond)) {
            return self.unsupported(inst, "a choice among integers of which each carries several floats");
        }
        let zero = self.b.m.zero(ty);
        // A value that nobody reads may be chosen by poison.
        let discarded = self.discarded.contains(&v) && cond.local().is_some();
        let cond = if discarded { self.frozen(cond) } else { cond };
        let arms = [self.b.select(cond, adjoint, zero), self.b.select(cond, zero, adjoint)];
        self.pass_on(inst, v, if_true, arms[0])?;
        self.pass_on(inst, v, if_false, arms[1])
    }

    /// The element has its part, and the vector the rest.
    fn reverse_insert(
        &mut self,
        v: ValueId,
        vector: Operand,
        value: Operand,
        index: Operand,
    ) -> Result<(), Diagnostic> {
        let adjoint = self.take(v);
        let ty = self.b.ty(adjoint);
        let elem = self.b.m.types.scalar(ty);
        let index = self.reverse_primal(index)?;
        let part = self.b.value(InstKind::ExtractElement { vector: adjoint, index }, elem);
        self.accumulate(value, part);
        let zero = self.b.m.zero(elem);
        let rest = self.b.value(InstKind::InsertElement { vector: adjoint, value: zero, index }, ty);
        self.accumulate(vector, rest);
        Ok(())
    }

    /// The member has its part, and the structure the rest.
    fn reverse_insert_value(
        &mut self,
        v: ValueId,
        aggregate: Operand,
        value: Operand,
        indices: &[u32],
    ) -> Result<(), Diagnostic> {
        let adjoint = self.take(v);
        let ty = self.b.ty(adjoint);
        let part_ty = self.cx().ty(value);
        let kind = InstKind::ExtractValue { aggregate: adjoint, indices: indices.to_vec() };
        let part = self.b.value(kind, part_ty);
        self.accumulate(value, part);
        let zero = self.b.m.zero(part_ty);
        let kind = InstKind::InsertValue { aggregate: adjoint, value: zero, indices: indices.to_vec() };
        let rest = self.b.value(kind, ty);
        self.accumulate(aggregate, rest);
        Ok(())
    }

    pub(super) fn adjoint_ty(&mut self, operand: Operand) -> TypeId {
        self.env.facts.adjoint_ty(self.b.m, self.id, self.func, operand)
    }

    /// The lane type of a vector's adjoint; lanes that hold several floats each are refused.
    fn element_ty(&mut self, inst: InstId, vector: TypeId, part: Operand) -> Result<TypeId, Diagnostic> {
        let elem = self.b.m.types.scalar(vector);
        let part = self.b.ty(part);
        let bits = |ty| self.b.m.layout.bit_width(&self.b.m.types, ty);
        if bits(elem) == bits(part) {
            Ok(elem)
        } else {
            self.unsupported(inst, "integer lanes that hold several floats each")
        }
    }

    fn reverse_load(&mut self, inst: InstId, ptr: Operand, align: u64, v: ValueId) -> Result<(), Diagnostic> {
        let adjoint = self.take(v);
        let ty = self.b.ty(adjoint);
        let size = self.b.m.size_of(self.func.value_ty(v));
        if self.has_fault(Fault::ActivityConstant) && self.is_local(ptr) {
            return Ok(());
        }
        if let Some(target) = self.target(inst, ptr, size)? {
            let turns = self.env.facts.may_turn(self.id, Operand::Local(v));
            if turns || self.is_packed(Operand::Local(v)) && !self.is_float_vector(ty) {
                if turns && !self.cx().own_shadows(&[ptr]) {
                    return self.unsupported(inst, TURNS);
                }
                return self.load_parts(inst, (target, ptr), (v, adjoint), align);
            }
            let from = self.b.f.insts.len();
            self.increment(inst, (ptr, target.ptr), (ty, adjoint), align)?;
            if self.has_fault(Fault::DoubleAdd) {
                self.increment(inst, (ptr, target.ptr), (ty, adjoint), align)?;
            }
            self.are_of(inst, (from, target));
        }
        Ok(())
    }

    /// Does the pointer point to memory that the differentiated functions allocate?
    fn is_local(&self, ptr: Operand) -> bool {
        let object = |o: &ObjId| &self.env.facts.objects[*o].kind;
        self.cx().targets(ptr).keys().any(|o| matches!(object(o), ObjKind::Stack(..) | ObjKind::Heap(..)))
    }

    fn reverse_store(&mut self, inst: InstId, value: Operand, ptr: Operand, align: u64) -> Result<(), Diagnostic> {
        let stored = self.cx().stored(&self.func.insts[inst]);
        if stored.iter().any(|s| s.cell == Cell::Conflict) {
            return self.unsupported(inst, "a store to memory that holds floats and other data at the same place");
        }
        let own = self.cx().ty(value);
        let size = self.b.m.size_of(own);
        let Some(target) = self.target(inst, ptr, size)? else { return Ok(()) };
        let ty = query::adjoint_type(self.b.m, own, &stored, 0);
        let turns = stored.iter().any(|s| s.cell == Cell::Either || s.cell == Cell::Ptr);
        let more = self.overwrites_more(value, ty);
        let from = self.b.f.insts.len();
        if self.env.parallel.settles(self.id, inst) {
            settle_bytes(&mut self.b, self.env.parallel.gathered_kinds(), target.ptr, size);
        }
        let byte = self.b.m.types.int(8);
        for at in self.cx().blank_bytes(inst) {
            let here = Target { ptr: self.b.offset(target.ptr, at), real: target.real };
            self.clear_memory(here, byte, 1);
        }
        if turns || more || !self.is_float_vector(ty) {
            self.store_parts(inst, target, (value, ptr), &stored, align)?;
        } else if self.cx().has_adjoint(value) {
            // What an integer carries is what lies where it is stored.
            let adjoint = self.take_memory(target, ty, align);
            self.accumulate(value, adjoint);
        } else {
            self.clear_memory(target, ty, align);
        }
        self.are_of(inst, (from, target));
        Ok(())
    }

    /// Is there more where an active value is stored, to be cleared, than what the value carries?
    fn overwrites_more(&mut self, value: Operand, stored: TypeId) -> bool {
        let (own, carried) = (self.cx().ty(value), self.env.facts.content(self.id, value).to_vec());
        self.cx().has_adjoint(value) && query::adjoint_type(self.b.m, own, &carried, 0) != stored
    }

    /// Is it the type of a float or of a vector of floats?
    fn is_float_vector(&self, ty: TypeId) -> bool {
        self.b.m.types.float_kind(self.b.m.types.scalar(ty)).is_some()
    }

    /// `r = *p; *p = r op x`: what the sum's adjoint gives to `x`, and `r`'s adjoint to the memory before.
    fn reverse_update(
        &mut self,
        inst: InstId,
        op: RmwOp,
        value: Operand,
        (ptr, align): (Operand, u64),
        v: ValueId,
    ) -> Result<(), Diagnostic> {
        let stored = self.cx().stored(&self.func.insts[inst]);
        let own = self.cx().ty(value);
        let float = self.is_float_vector(own);
        let ty = if float { own } else { query::adjoint_type(self.b.m, own, &stored, 0) };
        let more = !float && self.overwrites_more(value, ty);
        if stored.iter().any(|s| s.cell == Cell::Conflict) || more || !self.is_float_vector(ty) {
            return self.unsupported(inst, "an atomic update of memory that holds floats and other data");
        }
        let size = self.b.m.size_of(ty);
        let Some(target) = self.target(inst, ptr, size)? else { return Ok(()) };
        let adjoint = match op {
            RmwOp::Xchg => self.take_memory(target, ty, align),
            RmwOp::FAdd | RmwOp::FSub => {
                let adjoint = self.b.load(ty, target.ptr, align);
                match target.real {
                    None => adjoint,
                    Some(real) => {
                        let zero = self.b.m.zero(ty);
                        self.b.select(real, adjoint, zero)
                    }
                }
            }
            _ => return self.unsupported(inst, "an atomic update of an active value other than a sum or an exchange"),
        };
        if op == RmwOp::FSub {
            let negative = self.b.value(InstKind::FNeg { fast: Default::default(), value: adjoint }, ty);
            self.accumulate(value, negative);
        } else {
            self.accumulate(value, adjoint);
        }
        if self.cx().has_adjoint(Operand::Local(v)) && self.func.is_used(v) {
            let before = self.take(v);
            let before = self.view(before, ty);
            self.increment(inst, (ptr, target.ptr), (ty, before), align)?;
        }
        Ok(())
    }

    fn reverse_cast(&mut self, inst: InstId, op: CastOp, value: Operand, v: ValueId) -> Result<(), Diagnostic> {
        if matches!(op, CastOp::BitCast | CastOp::Trunc | CastOp::ZExt | CastOp::SExt) {
            return self.reverse_moves(inst, v);
        }
        let adjoint = self.take(v);
        let ty = self.adjoint_ty(value);
        let inverse = match op {
            CastOp::FPExt => CastOp::FPTrunc,
            CastOp::FPTrunc => CastOp::FPExt,
            _ => return self.unsupported(inst, "a conversion of an active value that has no adjoint"),
        };
        let adjoint = self.b.cast(inverse, adjoint, ty);
        self.accumulate(value, adjoint);
        Ok(())
    }

    fn reverse_shuffle(&mut self, a: Operand, b: Operand, mask: &[Option<u32>], v: ValueId) -> Result<(), Diagnostic> {
        let adjoint = self.take(v);
        let elem = {
            let ty = self.b.ty(adjoint);
            self.b.m.types.scalar(ty)
        };
        for (n, operand) in [a, b].into_iter().enumerate() {
            if !self.cx().has_adjoint(operand) {
                continue;
            }
            let ty = self.adjoint_ty(operand);
            let lanes = self.b.m.types.element_count(ty).unwrap_or(0) as u32;
            let mut whole = self.b.m.zero(ty);
            for (to, from) in mask.iter().enumerate() {
                let Some(lane) = from.and_then(|f| f.checked_sub(n as u32 * lanes)).filter(|l| *l < lanes) else {
                    continue;
                };
                let to = self.b.m.int(32, to as u128);
                let index = self.b.m.int(32, u128::from(lane));
                let part = self.b.value(InstKind::ExtractElement { vector: adjoint, index: to }, elem);
                let old = self.b.value(InstKind::ExtractElement { vector: whole, index }, elem);
                let sum = self.b.binary(ir::BinOp::FAdd, old, part);
                whole = self.b.value(InstKind::InsertElement { vector: whole, value: sum, index }, ty);
            }
            self.accumulate(operand, whole);
        }
        Ok(())
    }

    fn reverse_call(&mut self, inst: InstId, call: &Call, result: Option<ValueId>) -> Result<(), Diagnostic> {
        match self.cx().callee(call) {
            Callee::Derived(f) if self.env.facts.joint.contains(&f) => self.joint_reverse(inst, call, f, result),
            Callee::Derived(f) => self.call_reverse(inst, call, f, result),
            Callee::External(External::Copy) => self.reverse_copy(inst, call),
            Callee::External(External::Set) => self.reverse_set(inst, call),
            Callee::External(External::Custom) => self.reverse_custom(inst, call, result),
            Callee::External(External::Order(order)) => self.reverse_order(call, inst, order),
            Callee::External(External::Message(row)) => self.reverse_message(inst, call, row),
            Callee::External(External::Rule(row)) => self.reverse_library(inst, call, row, result),
            Callee::External(External::Held) => {
                if let Some(v) = result.filter(|_| self.cx().has_adjoint(call.args[1])) {
                    let adjoint = self.take(v);
                    self.accumulate(call.args[1], adjoint);
                }
                Ok(())
            }
            Callee::Plain | Callee::External(_) => {
                self.unsupported(inst, "a call that gives an active value and has no rule")
            }
        }
    }

    fn call_reverse(
        &mut self,
        inst: InstId,
        call: &Call,
        f: ir::FuncId,
        result: Option<ValueId>,
    ) -> Result<(), Diagnostic> {
        let record = self.fetch(Item::Record(inst))?;
        let seed = self.seed_of(inst, f, result)?;
        self.hand_back(inst, call, f, [record].into_iter().chain(seed).collect())
    }

    /// The adjoint of the result of a call, as the function's reverse takes it.
    pub(super) fn seed_of(
        &mut self,
        inst: InstId,
        f: ir::FuncId,
        result: Option<ValueId>,
    ) -> Result<Option<Operand>, Diagnostic> {
        let Some(seed) = self.env.derived[&f].seed else { return Ok(None) };
        // An active result that nobody uses has no adjoint slot; its adjoint is zero.
        Ok(Some(match result {
            Some(v) => {
                let adjoint = self.take(v);
                let (from, to) = (self.packing(Operand::Local(v)), self.return_packing(f));
                self.repack(inst, adjoint, &from, &to)?
            }
            None => self.b.m.zero(seed),
        }))
    }

    /// Calls the reverse of a function and adds what it returns to the adjoints of the arguments.
    pub(super) fn hand_back(
        &mut self,
        inst: InstId,
        call: &Call,
        f: ir::FuncId,
        args: Vec<Operand>,
    ) -> Result<(), Diagnostic> {
        let adjoints = self.b.call(self.env.derived[&f].reverse, args);
        self.take_back(inst, call, f, adjoints)
    }

    /// Accumulates the adjoints of arguments that a derivative returns.
    pub(super) fn take_back(
        &mut self,
        inst: InstId,
        call: &Call,
        f: ir::FuncId,
        adjoints: Option<Operand>,
    ) -> Result<(), Diagnostic> {
        let Some(adjoints) = adjoints else { return Ok(()) };
        let derived = self.env.derived[&f].clone();
        for (n, (i, _)) in derived.outs.iter().enumerate() {
            let adjoint = self.b.extract(adjoints, n as u32);
            if self.cx().has_adjoint(call.args[*i]) {
                let (from, to) = (self.param_packing(f, *i), self.packing(call.args[*i]));
                let adjoint = self.repack(inst, adjoint, &from, &to)?;
                self.accumulate(call.args[*i], adjoint);
            }
        }
        Ok(())
    }

    /// A call of a function of the table that returns a float.
    fn apply_rule(
        &mut self,
        row: Option<&rules::Row>,
        args: &[Operand],
        inst: InstId,
        v: ValueId,
    ) -> Result<(), Diagnostic> {
        let Some(row) = row else { return self.unsupported(inst, "this operation is not in the table of rules") };
        let adjoint = self.take(v);
        self.contribute((row, 0), args, inst, adjoint, Some((v, None)))
    }

    /// A call of the table that may store results through pointers too.
    fn reverse_library(
        &mut self,
        inst: InstId,
        call: &Call,
        row: &rules::Row,
        result: Option<ValueId>,
    ) -> Result<(), Diagnostic> {
        // The adjoint of a result of several members, which is taken once.
        let mut taken = None;
        for (n, output) in row.outputs.iter().enumerate() {
            match output.place {
                rules::Place::Return => {
                    let Some(v) = result.filter(|v| self.cx().has_adjoint(Operand::Local(*v))) else { continue };
                    let adjoint = self.take(v);
                    self.contribute((row, n), &call.args, inst, adjoint, Some((v, None)))?;
                }
                rules::Place::Field(field) => {
                    let Some(v) = result.filter(|v| self.cx().has_adjoint(Operand::Local(*v))) else { continue };
                    if row.partials(n).is_empty() {
                        continue;
                    }
                    let whole = taken.unwrap_or_else(|| self.take(v));
                    taken = Some(whole);
                    let adjoint = self.b.part(whole, field);
                    self.contribute((row, n), &call.args, inst, adjoint, Some((v, Some(field))))?;
                }
                rules::Place::Pointer(position) => {
                    if row.operands[position] != rules::Operand::FloatOut || !self.cx().varied(call.args[position]) {
                        continue;
                    }
                    if row.partials(n).iter().any(|p| p.expr.needs().result) {
                        return self.unsupported(inst, "a result stored through a pointer, whose derivative needs it");
                    }
                    let Some(first) = row.float_positions().next() else { continue };
                    let ty = self.cx().ty(call.args[first]);
                    let size = self.b.m.size_of(ty);
                    if let Some(target) = self.target(inst, call.args[position], size)? {
                        let align = self.b.align(ty);
                        let adjoint = self.take_memory(target, ty, align);
                        self.contribute((row, n), &call.args, inst, adjoint, None)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds `adjoint · partial` of an output of a row to each active argument. The output is the result, or a member of
    /// it.
    fn contribute(
        &mut self,
        (row, output): (&rules::Row, usize),
        args: &[Operand],
        inst: InstId,
        adjoint: Operand,
        result: Option<(ValueId, Option<usize>)>,
    ) -> Result<(), Diagnostic> {
        let ints: Vec<usize> = row.int_positions().collect();
        for partial in self.cx().partials(row, output, args, inst) {
            let arg = partial.inputs[partial.operand];
            let needs = partial.expr.needs();
            let mut bindings = Bindings::default();
            for (i, input) in partial.inputs.iter().enumerate() {
                bindings.x.push(if needs.input(i) { Some(self.reverse_primal(*input)?) } else { None });
            }
            for (j, position) in ints.iter().enumerate() {
                bindings.n.push(if needs.int(j) { Some(self.reverse_primal(args[*position])?) } else { None });
            }
            if needs.result {
                bindings.y = match result {
                    Some((v, None)) => Some(self.fetch(Item::Primal(v))?),
                    Some((v, Some(member))) => {
                        let whole = self.fetch(Item::Primal(v))?;
                        Some(self.b.part(whole, member))
                    }
                    None => None,
                };
            }
            if self.has_fault(Fault::DroppedTerm) && row.op == rules::Op::FMul && partial.operand == 1 {
                continue;
            }
            let discarded = self.func.insts[inst].result.is_some_and(|v| self.discarded.contains(&v));
            let strong = discarded || self.env.style.strong_zero || !partial.expr.is_finite_of_finite();
            // A result of zero is that of an infinite divisor, and of much else for other operations.
            let tells = bindings.x[partial.operand].is_some() || row.op == rules::Op::FDiv;
            let scaled = match tells && self.tames_pole(row, (output, partial.operand), arg) {
                true => expr::unknown_at_pole(&mut self.b, (&partial.expr, &bindings), adjoint, partial.operand),
                false => expr::scaled(&mut self.b, &partial.expr, &bindings, adjoint, strong),
            };
            let mut value = scaled.or_else(|message| self.unsupported(inst, message))?;
            if self.has_fault(Fault::WrongSign) && row.op == rules::Op::FSub && partial.operand == 1 {
                let ty = self.b.ty(value);
                value = self.b.value(InstKind::FNeg { fast: Default::default(), value }, ty);
            }
            if self.has_fault(Fault::WrongRule) && row.symbols.opcodes.is_empty() {
                value = self.b.binary(ir::BinOp::FAdd, value, value);
            }
            self.accumulate(arg, value);
        }
        Ok(())
    }

    /// Does it make a finite number of an operand that may be infinite because of a pole?
    fn tames_pole(&self, row: &rules::Row, (output, operand): (usize, usize), arg: Operand) -> bool {
        arg.local().is_some_and(|v| self.poles.contains(&v))
            && row.partials(output).iter().any(|p| p.operand == operand && !p.expr.is_polynomial())
    }

    /// The value, or any value if it is poison.
    fn frozen(&mut self, value: Operand) -> Operand {
        let ty = self.b.ty(value);
        self.b.value(InstKind::Freeze(value), ty)
    }
}
