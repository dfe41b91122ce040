//! Shadows of memory that may be there when the call has ended ([`crate::analysis::outlives`]): of the same allocator,
//! so that whoever frees the one can free the other. Where the program itself frees such memory, the reverse pass still
//! needs its shadow, which goes when the execution of the gradient ends ([`crate::runtime::run`]).

use crate::analysis::memory::query::PointerKind;
use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::reverse::Emitter;
use crate::runtime::{run, tape};
use ir::{Call, CastOp, FuncId, Function, InstId, InstKind, Operand, Type};

impl Emitter<'_, '_> {
    /// Shadow memory from the allocator that is called: clear, of that many bytes.
    pub(super) fn outliving_shadow(&mut self, inst: InstId, (bytes, is_clear): (Operand, bool)) -> Operand {
        let data = &self.func.insts[inst];
        let (mut kind, ty) = (data.kind.clone(), data.ty);
        kind.for_each_operand_mut(|o| *o = self.primal_of(*o));
        let shadow = self.b.value(kind, ty);
        if !is_clear && !self.has_fault(Fault::UninitialisedShadow) {
            let bytes = self.b.as_i64(bytes);
            tape::clear(&mut self.b, shadow, bytes);
        }
        if self.env.has_run {
            let made = run::made(self.b.m);
            self.b.call(made, vec![shadow]);
        }
        shadow
    }

    /// The program frees memory, some of which may outlive the call elsewhere: its shadow goes at the end.
    pub(super) fn shadow_may_go(&mut self, inst: InstId, call: &Call, block: usize) -> Result<(), Diagnostic> {
        let (cx, ptr) = (self.cx(), call.args[block]);
        let outlives = cx.targets(ptr).keys().any(|object| self.env.outliving.contains(object));
        if !outlives || cx.pointer_kind(ptr) == PointerKind::Constant || self.has_fault(Fault::Leak) {
            return Ok(());
        }
        let Some(callee) = self.b.m.as_function(call.callee) else { return Ok(()) };
        let mut numbers = call.args.iter().enumerate().filter(|(i, arg)| *i != block && arg.local().is_some());
        let number = numbers.next().map(|(i, arg)| (i, *arg));
        let is_number = |arg: Operand| matches!(self.b.m.types.get(self.b.m.operand_ty(self.func, arg)), Type::Int(_));
        if numbers.next().is_some() || number.is_some_and(|(_, arg)| !is_number(arg)) {
            return self.unsupported(inst, "what frees this memory gets more than its address and one number");
        }
        let release = self.release(callee, call, (block, number.map(|(i, _)| i)));
        let argument = match number {
            Some((_, arg)) => {
                let value = self.primal_of(arg);
                self.b.as_i64(value)
            }
            None => self.b.m.int(64, 0),
        };
        let (freed, release, shadow) = (run::freed(self.b.m), self.b.m.function_address(release), self.shadow_of(ptr));
        self.b.call(freed, vec![shadow, release, argument]);
        Ok(())
    }

    /// `void (ptr shadow, i64 number)`: calls what frees the memory, with the shadow and the number in their places.
    fn release(&mut self, callee: FuncId, call: &Call, (block, number): (usize, Option<usize>)) -> FuncId {
        let (ptr, i64t, void) = (self.b.m.types.ptr(), self.b.m.types.int(64), self.b.m.types.void());
        let name = unique(self.b.m, &format!("__adj_release_{}", self.b.m.functions[callee].name));
        let mut f = Function::new(&name, void, &[ptr, i64t]);
        f.flags.linkage = "internal".to_owned();
        let types: Vec<_> = call.args.iter().map(|arg| self.cx().ty(*arg)).collect();
        let mut b = Builder::new(self.b.m, f);
        let mut args = call.args.clone();
        args[block] = b.f.param(0);
        if let Some(i) = number {
            let value = b.f.param(1);
            args[i] = if types[i] == i64t { value } else { b.cast(CastOp::Trunc, value, types[i]) };
        }
        b.call(callee, args);
        b.effect(InstKind::Ret(None));
        let f = b.f;
        self.b.m.functions.push(f)
    }
}
