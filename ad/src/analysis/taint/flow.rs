//! How marks flow: what one instruction adds to them.

use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{completeness, integer_lanes, lanes};
use crate::analysis::taint::library::{Effect, Reads};
use crate::analysis::taint::{Left, MANY, Mark, Taint, add, library};
use crate::base::names::GIVES_TEXT;
use crate::program::attributes::INACTIVE;
use crate::program::externals::{External, classify, first_float};
use crate::program::mpi::{Buffer, Count, Kind, Row, is_in_place, size_of_integer};
use crate::runtime::substitute;
use ir::{BlockId, Call, CastOp, FuncId, Function, Inst, InstId, InstKind, Operand, TypeId};
use std::collections::BTreeMap;

/// Bytes that the masks of decisions are looked at in.
const TRACE: u32 = 8;

impl Taint<'_> {
    /// Applies all instructions of a function once.
    pub(super) fn function(&mut self, id: FuncId) {
        let sources = self.sources;
        let func = &sources[&id];
        for (n, block) in func.layout.iter().enumerate() {
            let mut held = self.held.get(&(id, *block)).copied().flatten();
            if let (0, Some(mark)) = (n, self.entered.get(&id).copied().flatten()) {
                add(&mut held, mark);
            }
            for inst in &func.blocks[*block].insts {
                self.instruction((id, func), *block, *inst, &mut held);
            }
            let Some(mark) = held else { continue };
            for next in self.shapes.of(id, func).0.succs(*block).to_vec() {
                self.changed |= add(self.held.entry((id, next)).or_default(), mark);
            }
        }
    }

    fn instruction(&mut self, (id, func): (FuncId, &Function), block: BlockId, at: InstId, held: &mut Option<Mark>) {
        let inst = &func.insts[at];
        if substitute::is_passive(inst) {
            return;
        }
        // Bits of an active float, cut or computed with.
        if let Some(first) = inst.result.and_then(|v| self.facts.active_bits_from(id, Operand::Local(v))) {
            self.set(id, inst.result, Some(Mark { first: byte(first), ..Mark::new((id, at)) }));
        }
        match &inst.kind {
            InstKind::Load { ptr, .. } => {
                let mut mark = self.loaded((id, func), at, inst.ty, *ptr);
                let carried = inst
                    .result
                    .map(Operand::Local)
                    .is_some_and(|v| self.facts.has_adjoint(self.m, id, func, v) || self.facts.has_active_bits(id, v));
                let part = || !carried && self.facts.reads_part(self.m, (id, func), at);
                if self.facts.reads_untold(self.m, id, func, at) || part() {
                    let number = inst.result.is_some_and(|v| completeness::is_number(func, Operand::Local(v)));
                    add(&mut mark, Mark { untold: true, number, ..Mark::new((id, at)) });
                }
                self.set(id, inst.result, mark);
            }
            InstKind::Store { value, ptr, .. } => self.store((id, func), block, at, *value, *ptr),
            InstKind::AtomicRmw { value, ptr, .. } | InstKind::CmpXchg { new: value, ptr, .. } => {
                let mark = self.loaded((id, func), at, self.m.operand_ty(func, *value), *ptr);
                self.set(id, inst.result, mark);
                self.store((id, func), block, at, *value, *ptr);
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let call: &Call = call;
                for callee in self.facts.callees(self.m, id, at, call) {
                    self.call((id, func), at, (call, callee), held);
                }
            }
            InstKind::Ret(Some(value)) => {
                if let Some(mark) = self.mark(id, *value) {
                    self.changed |= add(self.returned.entry(id).or_default(), mark);
                }
            }
            InstKind::Cast { op: CastOp::FPToSI | CastOp::FPToUI, .. } | InstKind::FCmp { .. } => {}
            InstKind::ICmp { lhs, rhs, .. } => {
                let both = [*lhs, *rhs].map(|o| self.bits((id, func), at, o));
                let decisions = both.iter().flatten().map(|mark| mark.decisions).max();
                let mark = both.into_iter().flatten().next();
                self.set(id, inst.result, mark.map(|mark| decided(mark, decisions.unwrap_or(0))));
            }
            InstKind::Cast { op, value, .. } => {
                let mark = match op {
                    CastOp::IntToPtr => self.bits((id, func), at, *value).map(|mark| Mark { first: 0, ..mark }),
                    _ => self.onward((id, func), inst, *value),
                };
                let mark = mark.and_then(|mark| self.as_float((id, func), at, (*op, *value), mark));
                self.set(id, inst.result, mark);
            }
            InstKind::Gep { base, indices, .. } => {
                let mut mark = self.mark(id, *base);
                for index in indices {
                    let many = |mark: &Mark| mark.is_data() || mark.decisions >= MANY;
                    if let Some(found) = self.bits((id, func), at, *index).filter(many) {
                        add(&mut mark, Mark { index: true, decisions: 0, ..found });
                    }
                }
                self.set(id, inst.result, mark);
            }
            InstKind::Binary { op, lhs, rhs, .. } => self.arithmetic((id, func), inst, (*op, [*lhs, *rhs])),
            InstKind::Phi { incoming, .. } => {
                let values: Vec<Operand> = incoming.iter().map(|(value, _)| *value).collect();
                let mark = self.chosen((id, func), at, &values, |taint| taint.shapes.condition(id, func, block));
                self.set(id, inst.result, mark);
            }
            InstKind::Select { cond, if_true, if_false, .. } => {
                let mark = self.chosen((id, func), at, &[*if_true, *if_false], |_| Some(*cond));
                self.set(id, inst.result, mark);
            }
            kind => {
                let mut mark = self.listed(id).filter(|_| matches!(kind, InstKind::VaArg { .. }));
                for operand in kind.operands() {
                    if let Some(found) = self.onward((id, func), inst, operand) {
                        add(&mut mark, found);
                    }
                }
                self.set(id, inst.result, mark);
            }
        }
    }

    /// What two operands give together.
    fn arithmetic(
        &mut self,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        (op, [lhs, rhs]): (ir::BinOp, [Operand; 2]),
    ) {
        let marks = [lhs, rhs].map(|o| self.onward((id, func), inst, o));
        let mut mark = None;
        for found in marks.into_iter().flatten() {
            add(&mut mark, found);
        }
        // Decisions on both sides are as many as there are.
        if let ([Some(one), Some(other)], Some(joined)) = (marks, &mut mark)
            && !joined.is_data()
            && lhs != rhs
        {
            joined.decisions = one.decisions.saturating_add(other.decisions).min(MANY);
        }
        if let Some(joined) = &mut mark {
            joined.number |= !op.is_float() && !completeness::is_of_bits(op);
        }
        self.set(id, inst.result, mark);
    }

    /// The mark of an operand as far as it reaches the result: bits below it may be all that is taken.
    fn onward(&self, (id, func): (FuncId, &Function), inst: &Inst, operand: Operand) -> Option<Mark> {
        let mark = self.mark(id, operand)?;
        let first = integer_lanes::spread(self.m, func, inst, operand, u64::from(mark.first))?;
        Some(Mark { first: byte(first), ..mark })
    }

    /// The mark of an integer or a pointer: its own, or of the bits of an active float that it holds.
    fn bits(&self, (id, func): (FuncId, &Function), at: InstId, operand: Operand) -> Option<Mark> {
        // An integer is one, wherever it is used as one.
        let own = self.mark(id, operand).filter(|mark| !mark.untold);
        let float = self.m.types.float_kind(self.m.types.scalar(self.m.operand_ty(func, operand))).is_some();
        let holds = || self.facts.has_active_bits(id, operand) || self.facts.has_adjoint(self.m, id, func, operand);
        own.filter(|mark| mark.is_data()).or_else(|| (!float && holds()).then(|| Mark::new((id, at)))).or(own)
    }

    /// A value that is one of these, by a condition.
    fn chosen(
        &self,
        (id, func): (FuncId, &Function),
        at: InstId,
        values: &[Operand],
        condition: impl Fn(&Self) -> Option<Operand>,
    ) -> Option<Mark> {
        let mut mark = None;
        for value in values {
            if let Some(found) = self.mark(id, *value) {
                add(&mut mark, found);
            }
        }
        // Choosing between floats is differentiated; what is carried has its derivative.
        let inst = &func.insts[at];
        let result = Operand::Local(inst.result?);
        let integer = self.m.types.is_int(self.m.types.scalar(inst.ty));
        if !integer || self.facts.has_adjoint(self.m, id, func, result) || self.facts.has_active_bits(id, result) {
            return mark;
        }
        let decision = condition(self).and_then(|c| self.bits((id, func), at, c));
        match (mark, decision) {
            (Some(mark), _) if mark.is_data() => Some(mark),
            (mark, Some(decision)) => {
                let before = mark.map_or(0, |mark| mark.decisions);
                Some(decided(mark.unwrap_or(decision), before.saturating_add(1)))
            }
            (mark, None) => mark,
        }
    }

    /// A mark of what is cast. Decisions make a float only if they make its fraction.
    fn as_float(
        &self,
        (id, func): (FuncId, &Function),
        at: InstId,
        (op, value): (CastOp, Operand),
        mark: Mark,
    ) -> Option<Mark> {
        let (from, to) = (self.m.operand_ty(func, value), func.insts[at].ty);
        let kind = |ty: TypeId| self.m.types.float_kind(self.m.types.scalar(ty));
        let Some(float) = kind(to).filter(|_| kind(from).is_none()) else { return Some(mark) };
        if mark.untold && op != CastOp::BitCast {
            return None;
        }
        let mark = Mark { untold: false, ..mark };
        let made = Mark { back: mark.back.or(Some((id, at))), text: false, index: false, ..mark };
        if mark.is_data() {
            return Some(made);
        }
        let fraction = (1u128 << lanes::mantissa_bits(float).min(127)) - 1;
        let constant = || lanes::zero_bits(self.m, func, value, TRACE) & fraction == fraction;
        let made_of = match op {
            CastOp::BitCast => !constant(),
            _ => true,
        };
        (mark.decisions >= MANY && made_of).then_some(Mark { decisions: 0, ..made })
    }

    fn loaded(&self, (id, func): (FuncId, &Function), at: InstId, ty: TypeId, ptr: Operand) -> Option<Mark> {
        let address = self.mark(id, ptr).filter(|mark| mark.is_data() && !mark.untold);
        // Where a list of variable arguments lies, the ABI tells, and nobody here.
        let listed = self.listed(id).filter(|_| self.facts.leads_elsewhere(self.m, id, ptr));
        if self.memory.is_empty() && address.is_none() && listed.is_none() {
            return None;
        }
        let float = first_float(self.m, ty).is_some();
        let size = self.m.layout.store_size(&self.m.types, ty);
        let targets = self.facts.points_to(self.m, id, ptr);
        let mut mark = self.found(&targets, Some(size));
        if let Some(mark) = &mut mark
            && self.m.types.is_int(ty)
        {
            let behind = |at: u8| targets.iter().map(|(o, place)| (*o, place.moved(i64::from(at), 0))).collect();
            mark.first = (0..byte(size)).find(|at| self.found(&behind(*at), Some(1)).is_some()).unwrap_or(0);
        }
        if let Some(listed) = listed {
            add(&mut mark, listed);
        }
        if float {
            mark = mark.filter(|mark| !mark.text && (mark.is_data() || mark.decisions >= MANY));
        }
        // A table that is read where the number says tells of the number; of floats, it is a choice.
        let carried = func.insts[at].result.is_some_and(|v| {
            let result = Operand::Local(v);
            self.facts.has_adjoint(self.m, id, func, result) || self.facts.has_active_bits(id, result)
        });
        let integer = self.m.types.is_int(self.m.types.scalar(ty));
        if let Some(found) = address.filter(|mark| integer && !carried || !mark.index) {
            add(&mut mark, Mark { index: false, ..found });
        }
        mark.map(|mark| match float {
            true => Mark { back: mark.back.or(Some((id, at))), decisions: 0, untold: false, ..mark },
            false => mark,
        })
    }

    fn store(&mut self, (id, func): (FuncId, &Function), block: BlockId, at: InstId, value: Operand, ptr: Operand) {
        let ty = self.m.operand_ty(func, value);
        let mut mark = self.mark(id, value);
        let integer = self.m.types.is_int(self.m.types.scalar(ty));
        let carried = self.facts.has_adjoint(self.m, id, func, value) || self.facts.has_active_bits(id, value);
        if integer && !carried && mark.is_none_or(|mark| !mark.is_data()) {
            let condition = self.shapes.condition(id, func, block).and_then(|c| self.bits((id, func), at, c));
            if let Some(decision) = condition {
                let before = mark.map_or(0, |mark| mark.decisions);
                mark = Some(decided(mark.unwrap_or(decision), before.saturating_add(1)));
            }
        }
        let Some(mark) = mark else { return };
        let size = self.m.layout.store_size(&self.m.types, ty);
        let first = u64::from(mark.first).min(size.saturating_sub(1));
        for (object, place) in self.facts.points_to(self.m, id, ptr) {
            let place = place.moved(first as i64, 0);
            self.leave(object, place, Some(size - first), Mark { first: 0, ..mark }, (id, at));
        }
    }

    fn call(
        &mut self,
        (id, func): (FuncId, &Function),
        at: InstId,
        (call, callee): (&Call, Option<FuncId>),
        held: &mut Option<Mark>,
    ) {
        let m = self.m;
        if call.fn_attrs.has(GIVES_TEXT) {
            return self.text_of((id, func), at, call, *held);
        }
        if call.fn_attrs.has(INACTIVE) || callee.is_some_and(|f| m.functions[f].attrs.has(INACTIVE)) {
            return;
        }
        if let Some(target) = callee.filter(|f| self.sources.contains_key(f)) {
            return self.call_body((id, func), at, (call, target), held);
        }
        let external = callee.map_or(External::Unknown, |f| classify(m, &m.functions[f]));
        match external {
            External::Allocate { .. } | External::Free { .. } | External::Links(_) | External::Order(_) => {}
            External::Copy => self.copy(id, at, call),
            External::Set => {
                if let Some(mark) = self.bits((id, func), at, call.args[1]).filter(|mark| mark.is_data()) {
                    let size = m.as_int(call.args[2]).map(|n| n as u64);
                    for (object, place) in self.facts.points_to(m, id, call.args[0]) {
                        self.leave(object, place, size.or(Some(1)), mark, (id, at));
                    }
                }
            }
            // Its bits are a code's, or what the program has kept there.
            External::Held => {
                let mark = self.onward((id, func), &func.insts[at], call.args[1]);
                self.set(id, func.insts[at].result, mark);
            }
            External::Rule(_) | External::Reduction(_) | External::Custom => {
                let mut mark = None;
                for arg in &call.args {
                    if let Some(found) = self.onward((id, func), &func.insts[at], *arg) {
                        add(&mut mark, found);
                    }
                }
                self.set(id, func.insts[at].result, mark);
            }
            External::Message(row) if row.follows_floats(m, call) || self.moves_integers(id, call, row) => {}
            External::Inactive | External::Unknown | External::Message(_) => {
                let name = callee.map(|f| m.functions[f].name.as_str());
                if name.is_some_and(library::is_inert) {
                    return;
                }
                let mut effect = name.map_or_else(library::unknown, library::effect);
                // Another rank may be elsewhere: what comes was sent by any call of the program.
                effect.reloads |= matches!(external, External::Message(_));
                match name.filter(|name| name.starts_with("llvm.")) {
                    Some(_) => {
                        let mut mark = None;
                        for arg in &call.args {
                            if let Some(found) = self.onward((id, func), &func.insts[at], *arg) {
                                add(&mut mark, found);
                            }
                        }
                        self.set(id, func.insts[at].result, mark);
                    }
                    None => self.call_library((id, func), at, (call, name), effect, held),
                }
            }
        }
    }

    /// Does a message consist of integers, of which none has anything to do with an active number, and beside which
    /// nothing is moved? What comes may have been sent by any call: so none may send such integers.
    fn moves_integers(&self, id: FuncId, call: &Call, row: &Row) -> bool {
        let plain = |buffer: &Buffer| {
            let (Count::Whole(count), Some(size)) = (buffer.count, size_of_integer(self.m, call.args[buffer.ty]))
            else {
                return false;
            };
            let Some(bytes) = self.m.as_int(call.args[count]).and_then(|n| size.checked_mul(n as u64)) else {
                return false;
            };
            let pointer = call.args[buffer.at];
            let targets = self.facts.points_to(self.m, id, pointer);
            if targets.is_empty() || self.facts.leads_elsewhere(self.m, id, pointer) {
                return false;
            }
            let empty = |(object, place): (&ObjId, &Place)| !self.facts.may_meet_float(*object, *place, bytes);
            targets.iter().all(empty) && self.found(&targets, Some(bytes)).is_none()
        };
        let in_place = |buffer: &Buffer| is_in_place(self.m, call.args[buffer.at]);
        let ours = self.ever.is_none() && !matches!(row.kind, Kind::Refused(_));
        ours && row.buffers.iter().all(|buffer| in_place(buffer) || plain(buffer))
    }

    fn call_body(
        &mut self,
        (id, func): (FuncId, &Function),
        at: InstId,
        (call, target): (&Call, FuncId),
        held: &mut Option<Mark>,
    ) {
        let body = &self.sources[&target];
        for (arg, param) in call.args.iter().zip(&body.params) {
            let mark = self.mark(id, *arg);
            self.set(target, Some(param.value), mark);
        }
        for arg in call.args.iter().skip(body.params.len()) {
            if let Some(mark) = self.given((id, func), at, (*arg, Reads::Bytes)) {
                self.changed |= add(self.variable.entry(target).or_default(), mark);
            }
        }
        // A list of variable arguments is handed on by its address.
        if let Some(mark) = self.listed(id).filter(|_| body.params.iter().any(|p| self.m.types.is_ptr(p.ty))) {
            self.changed |= add(self.variable.entry(target).or_default(), mark);
        }
        let mark = self.returned.get(&target).copied().flatten();
        self.set(id, func.insts[at].result, mark);
        if let Some(mark) = *held {
            self.changed |= add(self.entered.entry(target).or_default(), mark);
        }
        if let Some(mark) = self.leaves.get(&target).copied().flatten() {
            self.keep(id, mark, held);
        }
    }

    /// The library holds something marked from here on.
    fn keep(&mut self, id: FuncId, mark: Mark, held: &mut Option<Mark>) {
        add(held, mark);
        self.changed |= add(&mut self.ever, mark);
        self.changed |= add(self.leaves.entry(id).or_default(), mark);
    }

    /// Marks go along with the bytes.
    fn copy(&mut self, id: FuncId, at: InstId, call: &Call) {
        let [to, from] = [0, 1].map(|i| self.facts.points_to(self.m, id, call.args[i]));
        let size = self.m.as_int(call.args[2]).map(|n| n as u64);
        let at = (id, at);
        let text = |object, place| self.facts.short_text(object, place);
        self.changed |= self.memory.copy((&to, &from), size, text, |left| Left { mark: left.mark, at });
        // An address that was computed from the number says where, not what.
        let address = self.mark(id, call.args[1]).filter(|mark| mark.is_data() && !mark.index && !mark.untold);
        if let Some(mark) = address {
            self.changed |= self.memory.spread(&to, None, size, text, Left { mark, at });
        }
    }

    /// What an external function gets by an argument: the number, its bits, or memory that holds either. Text ends in
    /// the array of characters in which it begins (C11, 7.24.1, 1 and 7.1.1, 1), and what is told of it (a length, an
    /// order, a number that it spells) does not follow bytes of numbers within it; what is copied of it does.
    fn given(&self, (id, func): (FuncId, &Function), at: InstId, (arg, reads): (Operand, Reads)) -> Option<Mark> {
        let m = self.m;
        if let Some(mark) = self.bits((id, func), at, arg).filter(|mark| mark.is_data()) {
            return Some(Mark { first: 0, ..mark });
        }
        if self.facts.has_adjoint(m, id, func, arg) {
            return Some(Mark::new((id, at)));
        }
        if !m.types.is_ptr(m.operand_ty(func, arg)) {
            return None;
        }
        let reached = if reads == Reads::Bytes { self.reached(id, arg) } else { self.facts.points_to(m, id, arg) };
        if let Some(mark) = self.found(&reached, None).filter(|mark| mark.is_data() && !mark.untold) {
            return Some(mark);
        }
        let holds = |(o, place): (&ObjId, &Place)| {
            let object = &self.facts.objects[*o];
            let of_text = |at: &Place, size: u64| match reads {
                Reads::Bytes => true,
                Reads::Text => at.overlaps(size, *place, 1),
                Reads::Copied => !object.declares_text(*place),
            };
            let mut floats = object.cells.iter().filter(|(_, cell)| cell.may_be_float());
            // Text in a string ends there.
            let text = self.facts.short_text(*o, *place).is_some();
            object.bits
                || !text
                    && object.varied
                    && self.facts.is_shadowed(*o)
                    && floats.any(|((at, size), _)| of_text(at, *size))
        };
        reached.iter().any(holds).then(|| Mark::new((id, at)))
    }

    /// The text of an object has no derivative, but numbers may have been written to it: there, or where the library
    /// keeps it.
    fn text_of(&mut self, (id, func): (FuncId, &Function), at: InstId, call: &Call, held: Option<Mark>) {
        let written = call.args.iter().filter_map(|object| self.found(&self.reached(id, *object), None));
        let numbers = written.chain(held).filter(|mark| mark.is_data() && !mark.untold);
        if let Some(mark) = numbers.reduce(Mark::join) {
            self.set(id, func.insts[at].result, Some(Mark { index: false, ..mark }));
        }
    }

    fn call_library(
        &mut self,
        (id, func): (FuncId, &Function),
        at: InstId,
        (call, name): (&Call, Option<&str>),
        effect: Effect,
        held: &mut Option<Mark>,
    ) {
        let mut by: Vec<Option<Mark>> = Vec::new();
        for (i, arg) in call.args.iter().enumerate() {
            by.push(if effect.outs.only_written(i) && !is_read_too(name, i) {
                self.mark(id, *arg).filter(|mark| mark.is_data() && !mark.untold)
            } else {
                let reads = name.map_or(Reads::Bytes, |name| library::reads(name, i));
                self.given((id, func), at, (*arg, reads))
            });
        }
        let mut gets = by.iter().copied().flatten().reduce(Mark::join);
        if let (true, Some(mark)) = (name.is_some_and(library::takes_list), self.listed(id)) {
            add(&mut gets, Mark { from: (id, at), ..mark });
        }
        let library = if effect.reloads { self.ever } else { held.filter(|_| effect.gives) };
        let mut gives = gets;
        if let Some(mark) = library {
            add(&mut gives, mark);
        }
        let Some(mark) = gives else { return };
        // What comes out is text, or a number of which the text is told; where it is a float, it is back.
        let back = |mark: Mark, float: bool| Mark {
            back: mark.back.or(float.then_some((id, at))),
            text: false,
            index: false,
            ..mark
        };
        let float = first_float(self.m, func.insts[at].ty).is_some();
        self.set(id, func.insts[at].result, Some(back(mark, float)));
        for (i, arg) in call.args.iter().enumerate().filter(|(i, _)| effect.outs.written(*i)) {
            let read_only =
                ["readonly", "readnone"].iter().any(|a| call.arg_attrs.get(i).is_some_and(|attrs| attrs.has(a)));
            // What is active is not changed by a function that only keeps it.
            let others = by.iter().enumerate().any(|(j, other)| j != i && other.is_some());
            if read_only || !(others || library.is_some() || self.listed(id).is_some() || by[i].is_none()) {
                continue;
            }
            let targets: BTreeMap<ObjId, Place> = self.facts.points_to(self.m, id, *arg);
            for (object, place) in targets {
                if matches!(self.facts.objects[object].kind, ObjKind::Opaque | ObjKind::Function(_)) {
                    continue;
                }
                // What is copied is what it was.
                let text = effect.text && (mark.text || !name.is_some_and(library::copies_text));
                let made = Mark { text, ..back(mark, false) };
                self.leave(object, place, None, made, (id, at));
            }
        }
        let terminal = effect.stream.and_then(|i| call.args.get(i)).is_some_and(|s| self.is_terminal(func, *s, 0));
        if let (Some(mark), true, false) = (gets, effect.keeps, terminal) {
            self.keep(id, mark, held);
        }
    }

    /// Is the stream one of the terminal's, or what a function returned that printed to it?
    fn is_terminal(&self, func: &Function, stream: Operand, depth: u32) -> bool {
        const MAX_DEPTH: u32 = 64;
        let named = |operand: Operand| {
            let Some(ir::ConstKind::Global(g)) = self.m.as_constant(operand).map(|c| &c.kind) else { return false };
            library::is_terminal(&self.m.globals[*g].name)
        };
        if named(stream) {
            return true;
        }
        let Some(inst) = stream.local().and_then(|v| func.def_inst(v)).filter(|_| depth < MAX_DEPTH) else {
            return false;
        };
        match &func.insts[inst].kind {
            InstKind::Load { ptr, .. } => named(*ptr),
            InstKind::Call(call) => {
                let name = self.m.as_function(call.callee).map(|f| self.m.functions[f].name.as_str());
                let stream = name.and_then(|name| library::effect(name).stream).and_then(|i| call.args.get(i));
                stream.is_some_and(|s| self.is_terminal(func, *s, depth + 1))
            }
            _ => false,
        }
    }
}

/// Is an argument that is written read before? Text is joined to text, streams go on.
fn is_read_too(name: Option<&str>, index: usize) -> bool {
    let reads = |n: &str| n.contains("cat") || n.starts_with("_Z") || n == "setvbuf" || n == "fmemopen";
    index < 2 && name.is_some_and(reads)
}

/// A choice by so many decisions, at least one.
fn decided(mark: Mark, decisions: u8) -> Mark {
    Mark { decisions: decisions.clamp(1, MANY), text: false, index: false, first: 0, ..mark }
}

/// The offset of a byte in an integer: none is wider than 128 bits of which more is asked than that it is marked.
fn byte(at: u64) -> u8 {
    at.try_into().unwrap_or(0)
}
