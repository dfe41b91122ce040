//! What a gradient begins with: its tape, its record, shadows of variables that are clear.

use crate::emit::shadow_globals::clear_globals;
use crate::reverse::Emitter;
use crate::runtime::{run, tape};
use ir::{InstKind, Operand};

/// The address of the run's table, and the run that the thread was in ([`run`]).
type Run = (Operand, Operand);

impl Emitter<'_, '_> {
    /// The tape's head and the record of a combined gradient are on its stack. Its run, if it has one.
    pub(super) fn begin_combined(&mut self) -> Option<Run> {
        let i8t = self.b.m.types.int(8);
        let head = self.b.m.types.array(tape::TAPE_SIZE, i8t);
        self.tape = self.stack(head, 8);
        let zero = self.b.m.zero(head);
        self.b.store(zero, self.tape, 8);
        self.begin_record();
        clear_globals(&mut self.b, &self.env.globals);
        self.begin_room();
        self.env.has_run.then(|| self.begin_run())
    }

    /// What a combined gradient ends with.
    pub(super) fn end_combined(&mut self, run: Option<Run>) {
        if let Some(run) = run {
            self.end_run(run);
        }
        self.without_idle_room();
    }

    /// The first bytes that the tape gives are on the stack, too.
    fn begin_room(&mut self) {
        let i8t = self.b.m.types.int(8);
        let ty = self.b.m.types.array(tape::ROOM, i8t);
        let room = self.stack(ty, tape::TAPE_ALIGN);
        let before = self.b.f.blocks[self.b.at].insts.len();
        let (end_at, end) = (self.b.offset(self.tape, 8), self.b.offset(room, tape::ROOM));
        self.b.store(room, self.tape, 8);
        self.b.store(end, end_at, 8);
        self.room.extend(&self.b.f.blocks[self.b.at].insts[before..]);
        self.room.extend(room.local().and_then(|v| self.b.f.def_inst(v)));
    }

    /// What takes nothing of the tape needs no room for it.
    fn without_idle_room(&mut self) {
        let takes = |inst: &ir::Inst| {
            let call = inst.kind.as_call().filter(|call| call.args.contains(&self.tape));
            let callee = call.and_then(|call| self.b.m.as_function(call.callee));
            callee.is_some_and(|f| self.b.m.functions[f].name != tape::TAPE_FREE)
        };
        if !self.b.f.inst_order().any(|(_, inst)| takes(&self.b.f.insts[inst])) {
            let entry = self.b.f.entry();
            self.b.f.blocks[entry].insts.retain(|inst| !self.room.contains(inst));
        }
    }

    /// The gradient is a run of its own.
    fn begin_run(&mut self) -> Run {
        let ptr = self.b.m.types.ptr();
        let (table, null) = (self.stack(ptr, 8), self.b.m.zero(ptr));
        self.b.store(null, table, 8);
        (table, run::begin(&mut self.b, table))
    }

    /// Wherever the gradient returns, its run has ended.
    fn end_run(&mut self, (table, before): Run) {
        let free = run::end(self.b.m);
        for block in self.b.f.layout.clone() {
            let last = self.b.f.blocks[block].insts.last().copied();
            let Some(ret) = last.filter(|inst| matches!(self.b.f.insts[*inst].kind, InstKind::Ret(_))) else {
                continue;
            };
            self.b.f.blocks[block].insts.pop();
            self.b.at = block;
            self.b.call(free, vec![table]);
            run::go_back(&mut self.b, before);
            self.b.f.blocks[block].insts.push(ret);
        }
    }

    /// The record is on the stack.
    pub(super) fn begin_record(&mut self) {
        let ty = self.record_types[&None].ty;
        let align = self.b.align(ty);
        let record = self.stack(ty, align.max(8));
        self.records.insert(None, record);
    }

    pub(super) fn begin_split(&mut self) {
        let ty = self.record_types[&None].ty;
        let size = self.b.m.size_of(ty);
        let record = self.allocate_record(size);
        self.records.insert(None, record);
    }

    /// A record of that size on the tape; null if there is nothing to record.
    pub(super) fn allocate_record(&mut self, size: u64) -> Operand {
        let ptr = self.b.m.types.ptr();
        let null = self.b.m.zero(ptr);
        if size == 0 {
            return null;
        }
        let alloc = tape::tape_alloc(self.b.m);
        let (tape, size) = (self.tape, self.b.m.int(64, u128::from(size)));
        self.b.call(alloc, vec![tape, size]).unwrap_or(null)
    }
}
