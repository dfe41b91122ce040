//! Calls and returns.

use crate::code::{Arg, CallSite, Callee, Code, Param, Slot};
use crate::engine::{Engine, Shim};
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::{CallContext, Loss, Machine};
use crate::memory::AllocKind;
use crate::outcome::{Fault, FaultKind, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::threads::Awaited;
use crate::threads::frame::{Frame, Piece, Variadic};
use crate::value::{Leaf, Scalar, Value};
use ir::FuncId;
use smallvec::SmallVec;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Executes a call op: enters the function, or runs a shim or the machine's interceptor to its end.
    pub(super) fn op_call(&mut self, code: &Code, site: u32) -> Res {
        let site = &code.calls[site as usize];
        for arg in &site.args {
            if let Some(checks) = &arg.checks {
                self.check_value(self.base + arg.slot as usize, checks)?;
            }
        }
        let func = match site.callee {
            Callee::Direct(func) => func,
            Callee::Indirect(slot) => self.callee(slot)?,
        };
        if self.intercepted[crate::program::index(func)] {
            match self.intercepted_call(site, func) {
                Err(fault) if fault.kind == FaultKind::Declined => {}
                result => return self.finish_call(code, site, &result?),
            }
        }
        let target = self.code(func);
        if target.ops.is_empty() {
            let result = self.library_call(site, func)?;
            return self.finish_call(code, site, &result);
        }
        self.agree(site, target, func)?;
        if M::OBSERVES_CALLS {
            let leaves = |arg: &Arg| (0..arg.leaves.len() as Slot).map(|i| self.reg(arg.slot + i)).collect::<Vec<_>>();
            let args: Vec<Scalar> = site.args.iter().flat_map(leaves).collect();
            self.machine.called(self.here(), func, &args);
        }
        self.push(code, site, target, func)
    }

    /// The function an indirect call calls.
    fn callee(&self, slot: Slot) -> Res<FuncId> {
        let pointer = self.need(self.reg(slot), "the function called")?.as_ptr();
        self.memory.function_at(pointer).ok_or_else(|| {
            // The library's own tables have that in the place of a virtual function.
            if self.memory.info(pointer).is_some_and(|object| object.kind == AllocKind::Runtime) {
                return Fault::unsupported("a virtual function of the library's own, which is not modelled");
            }
            let text = match self.memory.info(pointer) {
                _ if pointer.is_null() => "a call through a null pointer".to_owned(),
                Some(_) => format!("a call of {:#x}, which is not the address of a function", pointer.addr),
                None => format!("a call of {:#x}, where nothing is", pointer.addr),
            };
            Fault::ub(UbKind::BadCall, text)
        })
    }

    /// Does the call have the function's parameters and result?
    fn agree(&self, site: &CallSite, target: &Code, func: FuncId) -> Res {
        let enough =
            if target.vararg { site.args.len() >= target.params.len() } else { site.args.len() == target.params.len() };
        let same = enough
            && site.args.iter().zip(&target.params).all(|(arg, param)| arg.leaves == param.leaves)
            && site.result == target.result;
        let name = || &self.program.module.functions[func].name;
        if !same {
            let text = format!("{} is called with other parameters or another result than it has", name());
            return Err(Fault::ub(UbKind::BadCall, text));
        }
        let by_value = |byval: Option<(u64, u64)>| match byval {
            Some((size, _)) => format!("a copy of {size} bytes (byval)"),
            None => "a pointer".to_owned(),
        };
        // An attribute that changes how the argument travels has to be the same on both sides.
        match site
            .args
            .iter()
            .zip(&target.params)
            .enumerate()
            .find(|(_, (arg, param))| arg.byval.map(|(size, _)| size) != param.byval.map(|(size, _)| size))
        {
            None => Ok(()),
            Some((at, (arg, param))) => {
                let (given, taken) = (by_value(arg.byval), by_value(param.byval));
                let text = format!("argument {} of {} is given as {given}, but is taken as {taken}", at + 1, name());
                Err(Fault::ub(UbKind::BadCall, text))
            }
        }
    }

    fn check_depth(&self) -> Res {
        if self.frames.len() >= self.limits.depth {
            return Err(Fault::resource(format!("stack overflow: {} calls inside each other", self.frames.len())));
        }
        Ok(())
    }

    /// Makes room for a frame at `base` and loads its constants.
    fn prepare(&mut self, base: usize, target: &Code) -> Res {
        let end = base + target.frame;
        if self.regs.len() < end {
            // Few threads need much, and there may be thousands.
            let least = if self.threads.current == 0 { 1024 } else { 64 };
            self.regs.resize(end.next_power_of_two().max(least), Scalar::default());
            if M::SHADOWS {
                self.shadows.resize(self.regs.len(), M::Shadow::default());
            }
        }
        let consts = base..base + target.consts.len();
        self.regs[consts.clone()].copy_from_slice(&target.consts);
        if M::SHADOWS {
            self.shadows[consts].fill(M::Shadow::default());
            if M::LITERALS && self.machine.moves_literals() {
                for (slot, kind) in &target.literals {
                    let index = base + *slot as usize;
                    self.shadows[index] = self.machine.literal(*kind, self.regs[index].bits());
                }
            }
            // Everything above the caller's frame is dead.
            drop(self.parts.split_off(&base));
        }
        if !target.thread_locals.is_empty() && self.threads.current != 0 {
            for slot in &target.thread_locals {
                let at = base + *slot as usize;
                self.regs[at] = Scalar::ptr(self.thread_local(self.regs[at].as_ptr())?);
            }
        }
        Ok(())
    }

    fn push(&mut self, code: &Code, site: &CallSite, target: &Code, func: FuncId) -> Res {
        self.check_depth()?;
        let base = self.base + code.frame;
        self.prepare(base, target)?;
        let stack_mark = self.memory.stack_mark();
        let mut at = base + target.consts.len();
        for (arg, param) in site.args.iter().zip(&target.params) {
            let from = self.base + arg.slot as usize;
            for i in 0..arg.leaves.len() {
                self.move_register(at + i, from + i);
            }
            if self.forgets(Forgets::Argument) {
                self.forget_at(at, arg.leaves.len());
            }
            self.pass(at, param)?;
            at += arg.leaves.len();
        }
        let varargs = if target.vararg { self.varargs(&site.args[target.params.len()..])? } else { Vec::new() };
        self.enter_frame(
            Frame { func, pc: 0, base, stack_mark, varargs, again: false, context: 0, progress: None },
            target,
        )
    }

    /// Makes the copy of a `byval` argument and checks the parameter's own attributes.
    fn pass(&mut self, at: usize, param: &Param) -> Res {
        if let Some((size, align)) = param.byval {
            let source = self.need(self.regs[at], "the address of a byval argument")?.as_ptr();
            let here = self.location();
            let copy = self.memory.allocate(size, align, AllocKind::Stack, here)?;
            self.memory.copy(copy, source, size)?;
            self.forget_cells(Forgets::ByValue, copy, size);
            self.regs[at] = Scalar::ptr(copy);
        }
        if let Some(checks) = &param.checks {
            self.check_value(at, checks)?;
        }
        Ok(())
    }

    fn varargs(&mut self, args: &[Arg]) -> Res<Vec<Variadic<M::Shadow>>> {
        let mut out = Vec::new();
        for arg in args {
            let mut pieces: Vec<Piece<M::Shadow>> = Vec::new();
            for (slot, leaf) in (arg.slot..).zip(&arg.leaves) {
                let parts = self.own_parts(slot).to_vec();
                pieces.push(Piece { value: self.reg(slot), shadow: self.shadow(slot), parts, leaf: *leaf });
            }
            // A structure passed by value lies in the overflow area as a whole; the pointer to a copy stands for it.
            if let (Some((size, align)), Some(pointer)) = (arg.byval, pieces.first_mut()) {
                let source = self.need(pointer.value, "the address of a byval argument")?.as_ptr();
                let here = self.location();
                let copy = self.memory.allocate(size, align, AllocKind::Stack, here)?;
                self.memory.copy(copy, source, size)?;
                pointer.value = Scalar::ptr(copy);
            }
            if arg.vector {
                out.push(Variadic { pieces, by_value: false });
            } else {
                let by_value = arg.byval.is_some();
                out.extend(pieces.into_iter().map(|piece| Variadic { pieces: vec![piece], by_value }));
            }
        }
        Ok(out)
    }

    fn enter_frame(&mut self, frame: Frame<M::Shadow>, target: &Code) -> Res {
        if let Some(caller) = self.frames.last_mut() {
            caller.pc = self.pc;
        }
        (self.base, self.pc, self.func) = (frame.base, 0, frame.func);
        self.frames.push(frame);
        self.steps += u64::from(target.entry_cost);
        self.observe_block(target, 0);
        if self.steps > self.next_check {
            self.check_limits()?;
        }
        Ok(())
    }

    /// Calls a function with values and executes until it returns.
    pub(crate) fn enter(&mut self, func: FuncId, args: &[Value<M::Shadow>]) -> Res<Value<M::Shadow>> {
        let target = self.code(func);
        if target.ops.is_empty() || self.intercepted[crate::program::index(func)] {
            return self.enter_declared(func, args);
        }
        self.push_call(func, args, false)?;
        let floor = self.frames.len() - 1;
        // What a library function calls is no part of the library.
        let touched = if M::FOLLOWS_LOSSES { self.memory.record_touches(false) } else { None };
        self.run(floor)?;
        if M::FOLLOWS_LOSSES {
            self.memory.touches(touched);
        }
        Ok(std::mem::take(&mut self.returned))
    }

    /// A frame for a call with values; `again` if the library call below is to be executed again afterwards.
    pub(crate) fn push_call(&mut self, func: FuncId, args: &[Value<M::Shadow>], again: bool) -> Res {
        let program = self.program;
        let target = self.code(func);
        self.check_depth()?;
        if args.len() != target.params.len() && !(target.vararg && args.len() > target.params.len()) {
            let name = &program.module.functions[func].name;
            return Err(Fault::ub(UbKind::BadCall, format!("{name} is called with {} arguments", args.len())));
        }
        // Above everything in use: the running frame, if any, ends where its code says.
        let base = if self.frames.is_empty() { 0 } else { self.base + self.code(self.func).frame };
        self.prepare(base, target)?;
        let stack_mark = self.memory.stack_mark();
        let mut at = base + target.consts.len();
        for (value, param) in args.iter().zip(&target.params) {
            if value.leaves.len() != param.leaves.len() {
                return Err(Fault::ub(UbKind::BadCall, "an argument of another type than the parameter's"));
            }
            for (i, (scalar, shadow)) in value.leaves.iter().enumerate() {
                self.regs[at + i] = *scalar;
                if M::SHADOWS {
                    self.shadows[at + i] = shadow.clone();
                }
            }
            self.pass(at, param)?;
            at += param.leaves.len();
        }
        let varargs = Vec::new();
        self.enter_frame(Frame { func, pc: 0, base, stack_mark, varargs, again, context: 0, progress: None }, target)
    }

    /// A callback or a direct request that names a library function.
    fn enter_declared(&mut self, func: FuncId, args: &[Value<M::Shadow>]) -> Res<Value<M::Shadow>> {
        let code = self.code(func);
        let leaves: Vec<Leaf> = code.params.iter().flat_map(|p| p.leaves.iter().copied()).collect();
        let flat: Vec<Scalar> = args.iter().flat_map(|a| a.leaves.iter().map(|(s, _)| *s)).collect();
        let shadows: Vec<M::Shadow> = args.iter().flat_map(|a| a.leaves.iter().map(|(_, s)| s.clone())).collect();
        if self.intercepted[crate::program::index(func)] {
            return self.intercept(func, args, &leaves, &code.result).map_err(|fault| match fault.kind {
                FaultKind::Declined => Fault::unsupported("a call back, by the library, that is not taken over"),
                _ => fault,
            });
        }
        let call = ShimCall {
            func,
            args: &flat,
            shadows: &shadows,
            leaves: &leaves,
            fixed: leaves.len(),
            result: &code.result,
            at: self.here(),
        };
        self.shim(func, &call)
    }

    fn shim(&mut self, func: FuncId, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
        if let Some((op, kind)) = self.program.math[func]
            && let Some(mut value) = self.table_call(op, kind, call)
        {
            if self.forgets(Forgets::CalledFunction) {
                value.leaves.iter_mut().for_each(|(_, shadow)| *shadow = M::Shadow::default());
            }
            return Ok(value);
        }
        let name = &self.program.module.functions[func].name;
        let shim = *self.shims.entry(func).or_insert_with(|| L::find(name));
        if M::FOLLOWS_LOSSES {
            return self.followed(call, |interp| interp.library_function(shim, call));
        }
        self.library_function(shim, call)
    }

    fn library_function(&mut self, shim: Option<Shim<M, L>>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
        match shim {
            Some(shim) => shim(self, call).map_err(|fault| self.with_poison(fault, call.args)),
            None => self.native_call(call).map_err(|fault| self.with_poison(fault, call.args)),
        }
    }

    /// Adds where the first poison argument was made, if the library refused poison.
    fn with_poison(&self, fault: Box<Fault>, args: &[Scalar]) -> Box<Fault> {
        let refused = fault.kind == FaultKind::Undefined(UbKind::Poison) && fault.notes.is_empty();
        let poison = args.iter().find(|arg| refused && arg.tag == crate::value::Tag::Poison);
        match poison {
            Some(poison) => self.with_origin(fault, *poison),
            None => fault,
        }
    }

    fn library_call(&mut self, site: &CallSite, func: FuncId) -> Res<Value<M::Shadow>> {
        let mut args: SmallVec<[Scalar; 8]> = SmallVec::new();
        let mut shadows: Vec<M::Shadow> = Vec::new();
        let mut fixed = 0;
        for (n, arg) in site.args.iter().enumerate() {
            if n < site.fixed {
                fixed += arg.leaves.len();
            }
            for i in 0..arg.leaves.len() as Slot {
                args.push(self.reg(arg.slot + i));
                if M::SHADOWS {
                    shadows.push(self.given(arg.slot + i));
                }
            }
        }
        let call = ShimCall {
            func,
            args: &args,
            shadows: &shadows,
            leaves: &site.leaves,
            fixed,
            result: &site.result,
            at: self.here(),
        };
        self.shim(func, &call)
    }

    fn intercepted_call(&mut self, site: &CallSite, func: FuncId) -> Res<Value<M::Shadow>> {
        let mut values = Vec::with_capacity(site.args.len());
        for arg in &site.args {
            if M::SHADOWS && !self.parts.is_empty() {
                (0..arg.leaves.len() as Slot).for_each(|i| self.join(arg.slot + i));
            }
            let leaves = (0..arg.leaves.len() as Slot).map(|i| (self.reg(arg.slot + i), self.shadow(arg.slot + i)));
            values.push(Value { leaves: leaves.collect() });
        }
        self.intercept(func, &values, &site.leaves, &site.result)
    }

    fn intercept(
        &mut self,
        func: FuncId,
        args: &[Value<M::Shadow>],
        leaves: &[Leaf],
        result: &[Leaf],
    ) -> Res<Value<M::Shadow>> {
        let (stack, own) = (self.stack(), self.own_variables()?);
        let again = self.progress().is_some();
        let mut context = CallContext {
            program: self.program,
            memory: &mut self.memory,
            stack,
            libraries: &mut self.runtime,
            parallel: self.threads.live,
            again,
            own,
            output: self.output.as_mut(),
            limits: &self.limits,
            leaves,
            result,
        };
        match self.machine.call(&mut context, func, args) {
            Err(fault) if fault.kind == FaultKind::Parked => Err(self.wait(Awaited::Rank, fault.message, None)),
            done => done,
        }
    }

    /// Puts the result of a call that ran to its end where the site wants it.
    fn finish_call(&mut self, code: &Code, site: &CallSite, value: &Value<M::Shadow>) -> Res {
        if site.noreturn {
            return Err(Fault::ub(UbKind::NoReturn, "a function returned that promises not to"));
        }
        if value.leaves.len() < site.result.len() {
            return Err(Fault::ub(UbKind::BadCall, "a library function is declared with a result it does not have"));
        }
        for (i, (leaf, (scalar, shadow))) in site.result.iter().zip(&value.leaves).enumerate() {
            // A shim's int may be declared narrower or wider than it is.
            let scalar = match (leaf, scalar.tag) {
                (Leaf::Int(width), crate::value::Tag::Init) if *width < 64 => {
                    Scalar::word(scalar.lo & crate::value::mask64(*width))
                }
                _ => *scalar,
            };
            self.set_shadowed(site.dst + i as Slot, scalar, shadow.clone());
        }
        self.after_call(code, site)
    }

    /// What the call site still asks for, once its result is there.
    fn after_call(&mut self, code: &Code, site: &CallSite) -> Res {
        if let Some(checks) = &site.ret_checks {
            self.check_value(self.base + site.dst as usize, checks)?;
        }
        if let Some(edge) = site.normal {
            self.pc = self.follow(code, edge)?;
        }
        Ok(())
    }

    /// Returns from the running function; true if the loop's floor is reached.
    pub(super) fn ret(&mut self, code: &Code, src: Slot, n: u32, floor: usize) -> Res<bool> {
        if code.noreturn {
            return Err(Fault::ub(UbKind::NoReturn, "a function returns that promises not to"));
        }
        let from = self.base + src as usize;
        if let Some(checks) = &code.ret_checks {
            self.check_value(from, checks)?;
        }
        if M::SHADOWS && code.inactive {
            // What the program declares to carry no derivative is a number like any other.
            if M::FOLLOWS_LOSSES {
                self.consume_now(&(src..src + n as Slot).collect::<Vec<_>>(), Loss::Inactive);
                self.residue = M::Shadow::default();
            }
            self.shadows[from..from + n as usize].fill(M::Shadow::default());
        }
        if M::SHADOWS && !self.parts.is_empty() && self.frames.len() == floor + 1 {
            (src..src + n as Slot).for_each(|slot| self.join(slot));
        }
        let here = self.location();
        let Some(frame) = self.frames.pop() else { return Err(Fault::bug("a return without a frame")) };
        self.memory.stack_release(frame.stack_mark, here);
        if self.frames.len() == floor {
            let leaf = |i: usize| {
                let shadow = if M::SHADOWS { self.shadows[from + i].clone() } else { M::Shadow::default() };
                (self.regs[from + i], shadow)
            };
            self.returned = Value { leaves: (0..n as usize).map(leaf).collect() };
            return Ok(true);
        }
        let Some(caller) = self.frames.last() else { return Err(Fault::bug("a return to no frame")) };
        (self.base, self.pc, self.func) = (caller.base, caller.pc, caller.func);
        if frame.again {
            self.pc -= 1;
            return Ok(false);
        }
        let caller = self.code(self.func);
        let crate::code::Op::Call { site } = caller.ops[self.pc - 1] else {
            return Err(Fault::bug("a return to something that is no call"));
        };
        let site = &caller.calls[site as usize];
        if site.noreturn {
            return Err(Fault::ub(UbKind::NoReturn, "a function returned that promises not to"));
        }
        for i in 0..n as usize {
            let to = self.base + site.dst as usize + i;
            self.move_register(to, from + i);
        }
        self.forget(Forgets::Return, site.dst, n);
        self.after_call(caller, site)?;
        Ok(false)
    }
}
