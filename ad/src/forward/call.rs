//! Calls: of functions with a tangent, of allocators and copies, and of the table's functions.

use super::Emitter;
use crate::analysis::context::Callee;
use crate::analysis::memory::pieces;
use crate::analysis::memory::query::PointerKind;
use crate::emit::expr::{Absorbs, Bindings, absorbed, scaled};
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::externals::External;
use crate::program::{attributes, custom_rule, externals};
use crate::request::entry_points;
use ir::{BinOp, Call, FuncId, Inst, InstId, InstKind, Operand, Role, ValueId};

impl Emitter<'_, '_> {
    /// Emits a call and its tangent.
    pub(super) fn call(&mut self, inst: InstId, data: &Inst, call: &Call) -> Result<(), Diagnostic> {
        if let Some((f, tangent)) = self.given(call) {
            return self.call_given(inst, data, call, f, tangent);
        }
        let callee = self.cx().callee(call);
        if let Callee::Derived(f) = callee {
            self.call_tangent(data, call, f);
            return Ok(());
        }
        if let Callee::External(External::Message(row)) = callee
            && row.acts(self.b.m, call)
        {
            return self.message(inst, data, call, row);
        }
        self.clone_inst(data);
        self.stand_for(inst, Role::Tangent);
        let dual_result = data.result.filter(|v| self.has_dual(Operand::Local(*v)));
        let Callee::External(external) = callee else { return self.no_dual(inst, dual_result) };
        match external {
            External::Allocate { size, times, .. } => {
                let Some(v) = dual_result else { return Ok(()) };
                let shared = self.has_fault(Fault::SharedShadow);
                let duals = self.directions().map(|_| match shared {
                    true => self.primal[&v],
                    false => self.allocate(inst, data, call, (size, times)),
                });
                let duals = duals.collect();
                self.duals.insert(v, duals);
            }
            // The tape of an inner gradient holds the shadows of what is on it, and goes as a whole.
            External::Free { .. } if self.is_tape(call) => {}
            External::Free { block } => self.free(inst, data, call, block)?,
            External::Custom => return self.unsupported(inst, "a function with a gradient of its own and no tangent"),
            External::Copy => self.copy(inst, data, call)?,
            External::Set => self.set(inst, data, call)?,
            External::Rule(row) => return self.library(inst, call, row, dual_result),
            External::Links(_) => return self.links(inst, call, dual_result),
            External::Order(_) => {}
            External::Inactive if dual_result.is_some() && self.moves_bits(call) => self.mirror_call(call, dual_result),
            External::Message(_) | External::Inactive => return self.no_dual(inst, dual_result),
            External::Held => {
                let Some(v) = dual_result else { return Ok(()) };
                let duals = self.directions().map(|d| self.dual(call.args[1], d)).collect();
                self.duals.insert(v, duals);
            }
            External::Reduction(_) => return self.no_dual(inst, dual_result),
            External::Unknown => {
                let cx = self.cx();
                let active = |a: &&Operand| cx.has_adjoint(**a) || cx.has_shadow(**a);
                if let Some(arg) = call.args.iter().find(active) {
                    let what = if cx.has_adjoint(*arg) { "an active value" } else { "active memory" };
                    let name = cx.m.as_function(call.callee).map(|f| cx.m.functions[f].name.clone());
                    return match name {
                        Some(name) => Err(entry_points::without_body(self.b.m, self.func, inst, &name, what)),
                        None => self.unsupported(inst, format!("an indirect call gets {what}")),
                    };
                }
                return self.no_dual(inst, dual_result);
            }
        }
        // `memcpy` and `memset` return their destination.
        if let (External::Copy | External::Set, Some(v)) = (external, dual_result) {
            let duals = self.directions().map(|d| self.dual(call.args[0], d)).collect();
            self.duals.insert(v, duals);
        }
        Ok(())
    }

    /// The called function and the tangent that the program gives for it, where the call gets anything active.
    fn given(&self, call: &Call) -> Option<(FuncId, FuncId)> {
        let f = self.b.m.as_function(call.callee)?;
        let tangent = attributes::derivative(self.b.m, &self.b.m.functions[f])?;
        call.args.iter().any(|a| self.has_dual(*a)).then_some((f, tangent))
    }

    /// A call of the program's own tangent: each pointer and each float with its dual behind it. It returns the tangent
    /// alone, or the result and the tangent; in the latter case, and when nothing is returned, it also does what the
    /// function does.
    fn call_given(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &Call,
        f: FuncId,
        tangent: FuncId,
    ) -> Result<(), Diagnostic> {
        let (params, both) = match custom_rule::tangent(self.b.m, f, tangent) {
            Ok(shape) => shape,
            Err(message) => return self.unsupported(inst, message),
        };
        let alone = !both && data.result.is_some();
        if !alone && self.env.width > 1 {
            return self.unsupported(
                inst,
                "a tangent of the program's own that does what the function does, in several directions",
            );
        }
        if alone {
            self.clone_inst(data);
        }
        self.stand_for(inst, Role::Tangent);
        let mut duals = Vec::new();
        for d in self.directions() {
            let mut args = Vec::new();
            for (arg, doubled) in call.args.iter().zip(&params) {
                args.push(self.primal_of(*arg));
                if *doubled {
                    args.push(self.dual(*arg, d));
                }
            }
            let Some(result) = self.b.call(tangent, args) else { continue };
            match data.result {
                Some(v) if both => {
                    let primal = self.b.extract(result, 0);
                    self.primal.insert(v, primal);
                    duals.push(self.b.extract(result, 1));
                }
                _ => duals.push(result),
            }
        }
        if let Some(v) = data.result.filter(|v| self.has_dual(Operand::Local(*v))) {
            self.duals.insert(v, duals);
        }
        Ok(())
    }

    /// Joins the shadows of nodes as the nodes were joined.
    fn links(&mut self, inst: InstId, call: &Call, result: Option<ValueId>) -> Result<(), Diagnostic> {
        let cx = self.cx();
        let nodes = call.args.iter().filter(|a| cx.m.types.is_ptr(cx.ty(**a)));
        let kinds: Vec<PointerKind> = nodes.map(|a| cx.pointer_kind(*a)).collect();
        if kinds.iter().all(|k| *k == PointerKind::Constant) {
            return self.no_dual(inst, result);
        }
        let (Some(callee), true) = (cx.m.as_function(call.callee), kinds.iter().all(|k| *k == PointerKind::Duplicated))
        else {
            return self.unsupported(inst, "nodes of a container of which some may be constant");
        };
        let mut duals = Vec::new();
        for d in self.directions() {
            let args = call.args.iter().map(|a| if self.has_dual(*a) { self.dual(*a, d) } else { self.primal_of(*a) });
            let args = args.collect();
            duals.extend(self.b.call(callee, args));
        }
        if let Some(v) = result {
            self.duals.insert(v, duals);
        }
        Ok(())
    }

    fn is_tape(&self, call: &Call) -> bool {
        let callee = self.b.m.as_function(call.callee);
        callee.is_some_and(|f| externals::frees_tape(&self.b.m.functions[f].name))
    }

    /// Does the call only move the bits of its arguments?
    fn moves_bits(&self, call: &Call) -> bool {
        let callee = self.b.m.as_function(call.callee);
        callee.is_some_and(|f| pieces::moves_bits(&self.b.m.functions[f].name))
    }

    /// The same call on the duals: bits of an address go as those of the primal do.
    fn mirror_call(&mut self, call: &Call, result: Option<ValueId>) {
        let mut duals = Vec::new();
        for d in self.directions() {
            let args = call.args.iter().map(|a| if self.has_dual(*a) { self.dual(*a, d) } else { self.primal_of(*a) });
            let args = args.collect();
            let callee = self.b.m.as_function(call.callee);
            duals.extend(callee.and_then(|f| self.b.call(f, args)));
        }
        if let Some(v) = result {
            self.duals.insert(v, duals);
        }
    }

    fn no_dual(&self, inst: InstId, dual_result: Option<ValueId>) -> Result<(), Diagnostic> {
        match dual_result {
            None => Ok(()),
            Some(_) => self.unsupported(inst, "a call that gives an active value or pointer and has no tangent"),
        }
    }

    /// A call of a function with a tangent: each argument with its duals behind it.
    fn call_tangent(&mut self, data: &Inst, call: &Call, f: FuncId) {
        let derived = self.env.derived[&f].clone();
        let mut args = Vec::new();
        for (arg, dual) in call.args.iter().zip(&derived.params) {
            args.push(self.primal_of(*arg));
            if *dual {
                args.extend(self.directions().map(|d| self.dual(*arg, d)).collect::<Vec<_>>());
            }
        }
        args.extend(self.arena);
        let (Some(result), Some(v)) = (self.b.call(derived.function, args), data.result) else { return };
        if !derived.returns {
            self.primal.insert(v, result);
            return;
        }
        let primal = self.b.extract(result, 0);
        self.primal.insert(v, primal);
        if self.has_dual(Operand::Local(v)) {
            let duals = self.directions().map(|d| self.b.extract(result, 1 + d as u32)).collect();
            self.duals.insert(v, duals);
        }
    }

    /// A call of the table. Each output has its tangent where it appears itself.
    fn library(
        &mut self,
        inst: InstId,
        call: &Call,
        row: &rules::Row,
        result: Option<ValueId>,
    ) -> Result<(), Diagnostic> {
        let primal = self.func.insts[inst].result.map(|v| self.primal[&v]);
        let mut duals = Vec::new();
        for d in self.directions() {
            let ty = self.func.insts[inst].ty;
            let mut whole = result.map(|_| self.b.m.zero(ty));
            for (n, output) in row.outputs.iter().enumerate() {
                match output.place {
                    rules::Place::Return if result.is_some() => {
                        let tangent = self.rule(row, n, &call.args, (inst, primal), d)?;
                        whole = tangent.or(whole);
                    }
                    rules::Place::Field(field) if !row.partials(n).is_empty() => {
                        let Some(aggregate) = whole else { continue };
                        let y = primal.map(|p| self.b.part(p, field));
                        if let Some(tangent) = self.rule(row, n, &call.args, (inst, y), d)? {
                            whole = Some(self.b.with_part(aggregate, field, tangent));
                        }
                    }
                    rules::Place::Pointer(position) if row.operands[position] == rules::Operand::FloatOut => {
                        self.stored_output((inst, call), row, (n, position), d)?;
                    }
                    rules::Place::Return | rules::Place::Field(_) | rules::Place::Pointer(_) => {}
                }
            }
            duals.extend(whole);
        }
        if let Some(v) = result {
            self.duals.insert(v, duals);
        }
        Ok(())
    }

    /// The tangent of a result that the function stores through a pointer.
    fn stored_output(
        &mut self,
        (inst, call): (InstId, &Call),
        row: &rules::Row,
        (output, position): (usize, usize),
        d: usize,
    ) -> Result<(), Diagnostic> {
        let ptr = call.args[position];
        let kind = self.cx().pointer_kind(ptr);
        let float = row.float_positions().next().and_then(|first| self.float_kind(call.args[first]));
        let (Some(float), false) = (float, kind == PointerKind::Constant) else { return Ok(()) };
        let ty = self.b.m.types.float(float);
        let align = self.b.align(ty);
        let needed = row.partials(output).iter().any(|p| p.expr.needs().result);
        let y = needed.then(|| {
            let at = self.primal_of(ptr);
            self.b.load(ty, at, align)
        });
        let tangent = self.rule(row, output, &call.args, (inst, y), d)?;
        let tangent = tangent.unwrap_or_else(|| self.b.m.zero(ty));
        let size = self.b.m.size_of(ty);
        let to = self.destination(inst, ptr, kind, size, d)?;
        self.b.store(tangent, to, align);
        Ok(())
    }

    /// `Σ ∂y/∂xⱼ · ẋⱼ` over the active operands; none if there is none. `y` is the value of the output.
    pub(super) fn rule(
        &mut self,
        row: &rules::Row,
        output: usize,
        args: &[Operand],
        (inst, y): (InstId, Option<Operand>),
        d: usize,
    ) -> Result<Option<Operand>, Diagnostic> {
        let floats: Vec<usize> = row.float_positions().collect();
        let mut bindings = Bindings { y, ..Bindings::default() };
        bindings.x.extend(floats.iter().map(|p| Some(self.primal_of(args[*p]))));
        bindings.n.extend(row.int_positions().map(|p| Some(self.primal_of(args[p]))));
        let mut sum = None;
        for partial in row.partials(output) {
            let arg = args[floats[partial.operand]];
            if !self.cx().has_adjoint(arg) || partial.expr.is_zero() {
                continue;
            }
            if self.has_fault(Fault::DroppedTerm) && row.op == rules::Op::FMul && partial.operand == 1 {
                continue;
            }
            let tangent = self.dual(arg, d);
            // A pole of the derivative does not matter to a direction that does not move the operand.
            let strong = self.env.style.strong_zero || !partial.expr.is_finite_of_finite();
            let absorbs = self.absorbs(arg, &partial.expr, bindings.x[partial.operand]);
            let term = match absorbs {
                Some(of) => absorbed(&mut self.b, (&partial.expr, &bindings), tangent, of),
                None => scaled(&mut self.b, &partial.expr, &bindings, tangent, strong),
            };
            let mut term = match term {
                Ok(term) => term,
                Err(message) => return self.unsupported(inst, message),
            };
            if self.has_fault(Fault::WrongSign) && row.op == rules::Op::FSub && partial.operand == 1 {
                let ty = self.b.ty(term);
                term = self.b.value(InstKind::FNeg { fast: Default::default(), value: term }, ty);
            }
            if self.has_fault(Fault::WrongRule) && row.symbols.opcodes.is_empty() {
                term = self.b.binary(BinOp::FAdd, term, term);
            }
            sum = Some(match sum {
                None => term,
                Some(sum) => self.b.binary(BinOp::FAdd, sum, term),
            });
        }
        Ok(sum)
    }

    /// Does an infinite tangent of an operand end where the partial is zero? How it does, if so.
    fn absorbs(&self, arg: Operand, partial: &rules::Expr, x: Option<Operand>) -> Option<Absorbs> {
        let v = arg.local()?;
        match () {
            () if self.absorbed.chosen.contains(&v) && partial.chooses() => Some(Absorbs::Always),
            () if self.absorbed.tamed.contains(&v) && !partial.is_polynomial() => x.map(Absorbs::Unless),
            () => None,
        }
    }
}
