//! What a call adds to the facts: of a function of ours, of one from outside, or of nobody knows what.

use crate::analysis::memory::blind::Blind;
use crate::analysis::memory::object::{ObjKind, Targets};
use crate::analysis::memory::pieces::moves_bits;
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, Key};
use crate::normalise::indirect::Chosen;
use crate::normalise::sources::Sources;
use crate::program::attributes::INACTIVE;
use crate::program::cell::Cell;
use crate::program::externals::{External, classify, first_float};
use crate::program::{annotations, externals};
use ir::{Call, FuncId, Function, Inst, InstId, Module, Operand};

impl Facts {
    pub(super) fn call(&mut self, m: &Module, sources: &Sources, id: FuncId, func: &Function, at: InstId, call: &Call) {
        match self.indirect.candidates.get(&(id, at)) {
            None => self.call_of(m, sources, (id, func), at, call, m.as_function(call.callee)),
            Some(candidates) => {
                for f in candidates.clone() {
                    self.call_of(m, sources, (id, func), at, call, Some(f));
                }
            }
        }
    }

    fn call_of(
        &mut self,
        m: &Module,
        sources: &Sources,
        (id, func): (FuncId, &Function),
        at: InstId,
        call: &Call,
        callee: Option<FuncId>,
    ) {
        let inst = &func.insts[at];
        if let Some((cell, size)) = callee.and_then(|f| annotations::told(&m.functions[f])) {
            let targets = self.targets(m, id, call.args[0]);
            let bytes = call.args.get(1).and_then(|b| m.as_int(*b));
            return self.seed_array(&targets, cell, size, bytes.map(|b| b as u64));
        }
        if let Some(target) = callee
            && let Some(body) = sources.get(&target)
            && !call.fn_attrs.has(INACTIVE)
        {
            let chosen = self.indirect.chosen((id, at), call, target);
            return self.call_body(m, (id, func), inst, call, (target, body), chosen);
        }
        let external = match callee {
            _ if call.fn_attrs.has(INACTIVE) => External::Inactive,
            Some(c) => classify(m, &m.functions[c]),
            None => External::Unknown,
        };
        match external {
            External::Allocate { size, times, .. } => {
                let object = self.object(ObjKind::Heap(id, at));
                let number = |i: usize| call.args.get(i).and_then(|a| m.as_int(*a)).map(|n| n as u64);
                if let (Some(size), Some(times)) = (number(size), times.map_or(Some(1), number)) {
                    self.set_size(object, size.saturating_mul(times));
                }
                self.result_points_to(id, inst, &Targets::from([(object, Place::at(0))]));
            }
            External::Copy => {
                let [to, from] = [0, 1].map(|i| self.targets(m, id, call.args[i]));
                let size = m.as_int(call.args[2]).map(|v| v as u64);
                for object in to.keys() {
                    self.set_written(*object);
                }
                for side in [&to, &from] {
                    self.seed_tag(m, inst, side, size);
                }
                self.set_raw(&to);
                self.set_raw(&from);
                self.copy(m, &to, &from, size);
                self.result_points_to(id, inst, &to);
            }
            External::Set => {
                let to = self.targets(m, id, call.args[0]);
                for object in to.keys() {
                    self.set_written(*object);
                }
                self.seed_tag(m, inst, &to, m.as_int(call.args[2]).map(|v| v as u64));
                self.result_points_to(id, inst, &to);
            }
            External::Rule(row) => self.call_rule(m, id, func, inst, call, row),
            External::Reduction(_) => {
                for arg in &call.args {
                    self.flow_active(id, *arg, inst);
                }
            }
            External::Held => self.flow_active(id, call.args[1], inst),
            // What others have written is written by their instructions.
            External::Order(_) => {}
            External::Links(offsets) => self.call_links(m, id, inst, call, offsets),
            External::Message(row) => self.call_message(m, id, call, row),
            External::Custom => self.call_custom(m, id, func, at, call),
            External::Free { block } => {
                for object in self.targets(m, id, call.args[block]).keys() {
                    self.set_written(*object);
                }
            }
            External::Inactive | External::Unknown => {
                let inactive = matches!(external, External::Inactive);
                self.call_unknown(m, (id, func), inst, (call, callee), inactive);
            }
        }
    }

    /// A call of which nothing is known but that it has no derivative, or that it has none here.
    fn call_unknown(
        &mut self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        (call, callee): (&Call, Option<FuncId>),
        inactive: bool,
    ) {
        // Intrinsics on integers compute with what these carry.
        self.flow_data(m, id, func, inst);
        if callee.is_some_and(|f| moves_bits(&m.functions[f].name)) {
            call.args.iter().for_each(|arg| self.flow(m, id, *arg, inst));
            return;
        }
        for arg in &call.args {
            for object in self.targets(m, id, *arg).keys() {
                self.set_written(*object);
            }
        }
        let object = self.object(ObjKind::Opaque);
        // A function without a body may leave a pointer of its own where it can write.
        if !inactive && callee.is_some() {
            for (arg, attrs) in call.args.iter().zip(&call.arg_attrs) {
                let reads = ["readonly", "readnone"].iter().any(|a| attrs.has(a));
                for target in self.targets(m, id, *arg).into_keys().filter(|_| !reads) {
                    self.store_pointers(target, Place::ANY, &Targets::from([(object, Place::ANY)]));
                }
            }
        }
        if externals::holds_pointer(m, inst.ty) {
            self.result_points_to(id, inst, &Targets::from([(object, Place::ANY)]));
        }
    }

    /// The call of a function of ours, directly or through a pointer.
    fn call_body(
        &mut self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        call: &Call,
        (target, body): (FuncId, &Function),
        chosen: Option<Chosen>,
    ) {
        self.is_called(target);
        for (arg, param) in call.args.iter().zip(&body.params) {
            let to: Key = (target, param.value);
            let targets = self.received(m, (id, func), *arg, chosen);
            if !self.overlooks(Blind::PassedPointer) {
                self.point_to_all(to, &targets);
            }
            if self.is_active(id, *arg) && !self.overlooks(Blind::PassedActivity) {
                self.set_active(to);
            }
            self.is_called_with(m, (id, func), *arg, to);
            if self.has_active_bits(id, *arg) {
                self.set_bits(to, 0);
            }
            if m.operand_ty(func, *arg) == param.ty {
                self.share_content(m, (id, func, *arg), (target, body, Operand::Local(param.value)));
            }
        }
        // What a function of variable arguments does with the rest is not followed: it may write there.
        for arg in call.args.iter().skip(body.params.len()) {
            for object in self.targets(m, id, *arg).keys() {
                self.set_written(*object);
            }
        }
        let Some(v) = inst.result else { return };
        let targets = self.ret_targets.get(&target).cloned().unwrap_or_default();
        if !self.overlooks(Blind::ReturnedPointer) {
            self.point_to_all((id, v), &targets);
        }
        if self.ret_active.contains(&target) && !self.overlooks(Blind::ReturnedActivity) {
            self.set_active((id, v));
        }
        if self.ret_bits.contains(&target) {
            self.set_bits((id, v), 0);
        }
        if inst.ty == body.ret {
            self.share_return(m, target, (id, func, Operand::Local(v)), false);
        }
    }

    fn call_rule(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst, call: &Call, row: &rules::Row) {
        // An integer that is left behind a pointer is no output of the row.
        for (_, arg) in row.operands.iter().zip(&call.args).filter(|(kind, _)| **kind == rules::Operand::IntOut) {
            for object in self.targets(m, id, *arg).into_keys() {
                self.set_written(object);
            }
        }
        let first = row.float_positions().next().unwrap_or(0);
        for (n, output) in row.outputs.iter().enumerate() {
            let active = self.is_active_output(id, call, row, n);
            match output.place {
                rules::Place::Return | rules::Place::Field(_) => {
                    if let (Some(v), true) = (inst.result, active && !self.overlooks(Blind::RuleActivity)) {
                        self.set_active((id, v));
                    }
                }
                rules::Place::Pointer(position) => {
                    let targets = self.targets(m, id, call.args[position]);
                    if let Some(kind) = first_float(m, m.operand_ty(func, call.args[first]))
                        && row.operands[position] == rules::Operand::FloatOut
                    {
                        self.seed_cell(&targets, Cell::Float(kind), 8);
                    }
                    for object in targets.keys() {
                        self.set_written(*object);
                        if active && !self.overlooks(Blind::RuleOutput) {
                            self.set_varied(*object);
                        }
                    }
                }
            }
        }
    }

    /// Does an output of a function of the table depend on an active operand?
    pub(super) fn is_active_output(&self, id: FuncId, call: &Call, row: &rules::Row, output: usize) -> bool {
        let floats: Vec<usize> = row.float_positions().collect();
        let active = |operand: usize| self.is_active(id, call.args[floats[operand]]);
        row.partials(output).iter().any(|p| !p.expr.is_zero() && active(p.operand))
    }
}
