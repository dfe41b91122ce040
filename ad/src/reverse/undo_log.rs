//! The forward pass of functions with loops with checkpoints: what is saved before it is overwritten, what lives on
//! ([`crate::analysis::overwritten_by_steps`]).

use crate::analysis::context::Context;
use crate::analysis::overwritten_by_steps::{Extent, Undo, overwritten};
use crate::base::builder::Builder;
use crate::base::names::{self, declare};
use crate::error::Diagnostic;
use crate::program::externals;
use crate::reverse::Emitter;
use crate::runtime::tape;
use ir::{Call, CastOp, Function, InstId, InstKind, IntPred, Operand};

/// What is not saved.
pub(super) const TURNS: &str =
    "pointers and floats take turns in memory that a loop with checkpoints uses, or it may be constant memory";

/// `void (tape, address, bytes)`: memory is about to be overwritten.
const SAVE: &str = "__adj_undo_save";
/// `void (tape, address, count, stride)`: pointers are.
const SAVE_POINTERS: &str = "__adj_undo_save_pointers";
/// `void (tape, block, bytes)`: a step has allocated memory.
const ALLOCATED: &str = "__adj_undo_allocated";
/// `i32 (tape, block)`: may it be freed now?
const FREES: &str = "__adj_undo_frees";
/// `void (tape, retired)`: it is freed with the tape.
const RETIRE: &str = "__adj_undo_retire";

impl Emitter<'_, '_> {
    fn undo(&self) -> Option<&Undo> {
        self.env.undo.as_ref()
    }

    /// Saves what the instruction is about to overwrite.
    pub(super) fn save_overwritten(&mut self, inst: InstId) {
        let Some(undo) = self.undo() else { return };
        let cx = self.cx();
        let saved = overwritten(&cx, inst).into_iter().filter(|(ptr, _)| undo.saves(cx.facts, &cx.targets(*ptr)));
        for (ptr, extent) in saved.collect::<Vec<_>>() {
            let i64t = self.b.m.types.int(64);
            let bytes = match extent {
                Extent::Bytes(bytes) => self.b.m.int(64, u128::from(bytes)),
                Extent::Told(length) => {
                    let length = self.primal_of(length);
                    self.b.cast(CastOp::ZExt, length, i64t)
                }
            };
            let at = self.primal_of(ptr);
            self.save(SAVE, vec![at, bytes]);
        }
    }

    /// Saves one shadow of a pointer before it is overwritten, where the pointer is saved.
    pub(super) fn save_shadow(&mut self, ptr: Operand, at: Operand, bytes: u64) {
        if self.saves(ptr) {
            let bytes = self.b.m.int(64, u128::from(bytes));
            self.save(SAVE, vec![at, bytes]);
        }
    }

    /// Saves shadows of pointers, `stride` bytes apart.
    pub(super) fn save_shadows(&mut self, ptr: Operand, at: Operand, count: Operand, stride: Operand) {
        if self.saves(ptr) {
            self.save(SAVE_POINTERS, vec![at, count, stride]);
        }
    }

    /// Is what lies behind a pointer saved before it is overwritten?
    pub(super) fn saves(&self, ptr: Operand) -> bool {
        let cx = self.cx();
        self.undo().is_some_and(|undo| undo.saves(cx.facts, &cx.targets(ptr)))
    }

    fn save(&mut self, function: &str, args: Vec<Operand>) {
        let (ptr, i64t, void) = (self.b.m.types.ptr(), self.b.m.types.int(64), self.b.m.types.void());
        let types = [vec![ptr, ptr], vec![i64t; args.len() - 1]].concat();
        let save = declare(self.b.m, function, void, &types);
        let args = [vec![self.tape], args].concat();
        self.b.call(save, args);
    }

    /// Stack memory that must outlive the function is on the tape.
    pub(super) fn keep_stack(&mut self, inst: InstId) -> bool {
        let data = &self.func.insts[inst];
        let InstKind::Alloca { elem_ty, count, align, .. } = data.kind else { return false };
        let entry = self.shape.block(inst) == Some(self.func.entry());
        let stays = self.combined && entry && count.is_none();
        if stays || !self.undo().is_some_and(|undo| undo.keeps(self.env.facts, self.id, inst)) {
            return false;
        }
        let memory = self.stack_on_tape(elem_ty, count, align);
        self.primal.extend(self.func.insts[inst].result.map(|v| (v, memory)));
        true
    }

    /// Is the call to be left out: the end of the life of memory that lives on?
    pub(super) fn ends_life(&self, inst: InstId, call: &Call) -> bool {
        let kept = self.combined && self.env.facts.reloads.keeps_stack();
        if kept && externals::ends_life(self.b.m, &self.func.insts[inst]) {
            return true;
        }
        let name = self.b.m.as_function(call.callee).map(|f| self.b.m.functions[f].name.as_str());
        self.undo().is_some() && name.is_some_and(|name| name.starts_with("llvm.lifetime."))
    }

    /// The log hears of an allocation.
    pub(super) fn note_allocation(&mut self, inst: InstId, bytes: Operand) {
        let Some(block) = self.func.insts[inst].result.filter(|_| self.tends(inst)) else { return };
        let at = self.primal[&block];
        let i64t = self.b.m.types.int(64);
        let bytes = self.b.cast(CastOp::ZExt, bytes, i64t);
        self.save(ALLOCATED, vec![at, bytes]);
    }

    /// Must the log know?
    pub(super) fn tends(&self, inst: InstId) -> bool {
        let cx: Context = self.cx();
        self.undo().is_some_and(|undo| undo.tends(&cx, inst))
    }

    /// A free that waits until the reverse needs the memory no more: `void (tape, arguments of the free…)`, one
    /// function for each.
    pub(super) fn free_later(&mut self, inst: InstId, call: &Call, block: usize) -> Result<(), Diagnostic> {
        let Some(callee) = self.b.m.as_function(call.callee) else {
            return self.unsupported(inst, "memory that a loop with checkpoints uses is freed through a pointer");
        };
        let (ptr, i32t, void) = (self.b.m.types.ptr(), self.b.m.types.int(32), self.b.m.types.void());
        let types: Vec<_> = call.args.iter().map(|a| self.cx().ty(*a)).collect();
        let fields = self.b.m.types.tuple([vec![ptr, ptr], types.clone()].concat());
        let offsets: Vec<u64> = {
            let layout = self.b.m.layout.struct_layout(&self.b.m.types, fields);
            layout.map_or(Vec::new(), |l| l.offsets)
        };
        let name = self.b.m.functions[callee].name.clone();

        let internal = |m: &ir::Module, name: String, params: &[ir::TypeId]| {
            let mut f = Function::new(&names::unique(m, &name), void, params);
            f.flags.linkage = "internal".to_owned();
            f
        };
        // What is called when the tape is freed.
        let f = internal(self.b.m, format!("__adj_release_{name}"), &[ptr]);
        let mut b = Builder::new(self.b.m, f);
        let retired = b.f.param(0);
        let mut args = Vec::new();
        for (ty, offset) in types.iter().zip(&offsets[2..]) {
            let at = b.offset(retired, *offset);
            let align = b.align(*ty).min(8);
            args.push(b.load(*ty, at, align));
        }
        b.call(callee, args);
        b.effect(InstKind::Ret(None));
        let f = b.f;
        let release = self.b.m.functions.push(f);

        let f = internal(self.b.m, format!("__adj_later_{name}"), &[vec![ptr], types.clone()].concat());
        let mut b = Builder::new(self.b.m, f);
        let [now, later] = ["now", "later"].map(|name| b.f.add_block(name));
        let args: Vec<Operand> = (0..types.len()).map(|i| b.f.param(i + 1)).collect();
        let (tape, zero) = (b.f.param(0), b.m.int(32, 0));
        let frees = declare(b.m, FREES, i32t, &[ptr, ptr]);
        let at_once = b.call(frees, vec![tape, args[block]]).unwrap_or(zero);
        let waits = b.icmp(IntPred::Eq, at_once, zero);
        b.cond_br(waits, later, now);
        b.at = now;
        b.call(callee, args.clone());
        b.effect(InstKind::Ret(None));
        b.at = later;
        let alloc = tape::tape_alloc(b.m);
        let bytes = b.m.size_of(fields);
        let bytes = b.m.int(64, u128::from(bytes));
        let retired = b.call(alloc, vec![tape, bytes]).unwrap_or(tape);
        let how = b.m.function_address(release);
        let at = b.offset(retired, 8);
        b.store(how, at, 8);
        for ((arg, ty), offset) in args.iter().zip(&types).zip(&offsets[2..]) {
            let (at, align) = (b.offset(retired, *offset), b.align(*ty).min(8));
            b.store(*arg, at, align);
        }
        let retire = declare(b.m, RETIRE, void, &[ptr, ptr]);
        b.call(retire, vec![tape, retired]);
        b.effect(InstKind::Ret(None));
        let f = b.f;
        let later = self.b.m.functions.push(f);

        let args: Vec<Operand> = call.args.iter().map(|a| self.primal_of(*a)).collect();
        self.b.call(later, [vec![self.tape], args].concat());
        Ok(())
    }
}
