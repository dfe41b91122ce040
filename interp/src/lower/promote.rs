//! Stack objects that are registers: which they are, and what need not be copied from and to them.
//!
//! A scalar on the stack whose address is only loaded from and stored to, always as the same leaf, cannot be told from
//! a register of the frame: nobody else can reach it, every access is inside, aligned and of what was stored. `alloca`
//! makes the register undefined, which is what "allocated memory is uninitialized" comes to (LangRef, `alloca`); a load
//! and a store are a copy. Registers of a frame may be written any number of times, so that nothing of the construction
//! of SSA form (Cytron et al., TOPLAS 1991) is needed.
//!
//! Most of these copies go too, within a block. The result of a load *is* the register ("home") if all its uses come
//! before the home is written again. A value whose only use is to be stored is computed in the home, if nobody needs
//! the home's old value in between.
//!
//! Machines that want to see every access have objects in memory instead
//! ([`Machine::OBSERVES_LOCALS`](crate::machine::Machine::OBSERVES_LOCALS)).

use super::{Env, Slot};
use crate::code::kinds;
use crate::intrinsics::Intrinsic;
use crate::value::Leaf;
use ir::entity::SecondaryMap;
use ir::{BlockId, Function, InstId, InstKind, Operand, TypeId, ValueId};

/// Bytes of the largest scalar.
const WIDEST: u64 = 16;

/// What is a register.
#[derive(Default)]
pub struct Homes {
    /// Of the address that an `alloca` would have, what the object holds.
    leaf: SecondaryMap<ValueId, Option<Leaf>>,
    /// Of a value, the object whose register it shares.
    shares: SecondaryMap<ValueId, Option<ValueId>>,
    /// Of an address, nothing can be read before something is written.
    written_first: SecondaryMap<ValueId, bool>,
}

impl Homes {
    /// Of a function.
    pub fn find(env: &Env<'_>, func: &Function) -> Homes {
        let mut homes = Homes { leaf: candidates(env, func), ..Homes::default() };
        keep_accessed_alike(env, func, &mut homes.leaf);
        if homes.leaf.iter().any(|(_, leaf)| leaf.is_some()) {
            let uses = Uses::of(func);
            for block in &func.layout {
                homes.share(env, func, *block, &uses);
            }
            homes.find_written_first(func);
        }
        homes
    }

    /// What the object holds whose address this is, if it is a register.
    pub fn leaf(&self, address: Operand) -> Option<Leaf> {
        address.local().and_then(|value| self.leaf[value])
    }

    /// What the objects hold, each once.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut all: Vec<Leaf> = Vec::new();
        for leaf in self.leaf.iter().filter_map(|(_, leaf)| *leaf) {
            if !all.contains(&leaf) {
                all.push(leaf);
            }
        }
        all
    }

    /// Values that share the register of an object, and the object.
    pub fn shares(&self) -> Vec<(ValueId, ValueId)> {
        self.shares.iter().filter_map(|(value, home)| Some((value, (*home)?))).collect()
    }

    /// The object whose register the value shares.
    pub fn shared(&self, value: ValueId) -> Option<ValueId> {
        self.shares[value]
    }

    /// The object that an instruction loads from, or stores to.
    fn loaded(&self, kind: &InstKind) -> Option<ValueId> {
        match kind {
            InstKind::Load { ptr, .. } => ptr.local().filter(|v| self.leaf[*v].is_some()),
            _ => None,
        }
    }

    fn written(&self, func: &Function, inst: InstId) -> Option<ValueId> {
        match &func.insts[inst].kind {
            InstKind::Store { ptr, .. } => ptr.local().filter(|v| self.leaf[*v].is_some()),
            InstKind::Alloca { .. } => func.insts[inst].result.filter(|v| self.leaf[*v].is_some()),
            _ => None,
        }
    }

    /// The entry block is executed once: what it writes before it reads anything need not be undefined before.
    fn find_written_first(&mut self, func: &Function) {
        let mut made: Vec<ValueId> = Vec::new();
        for inst in &func.blocks[func.entry()].insts {
            let kind = &func.insts[*inst].kind;
            if let (InstKind::Alloca { .. }, Some(home)) = (kind, self.written(func, *inst)) {
                made.push(home);
            } else if let Some(home) = self.written(func, *inst).or(self.loaded(kind))
                && let Some(at) = made.iter().position(|m| *m == home)
            {
                made.swap_remove(at);
                self.written_first[home] = self.loaded(kind).is_none();
            }
        }
    }

    /// Is the object written before it can be read?
    pub fn is_written_first(&self, address: ValueId) -> bool {
        self.written_first[address]
    }

    /// Finds the copies of a block that are not needed.
    fn share(&mut self, env: &Env<'_>, func: &Function, block: BlockId, uses: &Uses) {
        let insts = &func.blocks[block].insts;
        // Where each home is read: loads, up to their last use. And where it is written.
        let mut reads: Vec<Read> = Vec::new();
        let mut writes: Vec<(ValueId, usize)> = Vec::new();
        for (at, inst) in insts.iter().enumerate() {
            if let Some(home) = self.loaded(&func.insts[*inst].kind)
                && let Some(value) = func.insts[*inst].result
            {
                let last = uses.last_in(block, value);
                reads.push(Read { home, value, at, last: last.unwrap_or(at), local: last.is_some() });
            }
        }
        for (at, inst) in insts.iter().enumerate() {
            let Some(home) = self.written(func, *inst) else { continue };
            let made = self.made_for(env, func, block, uses, (at, *inst));
            // In between, nobody reads the home, or still uses what was read from it.
            let made = made.filter(|(_, from)| {
                let read = |r: &Read| r.home == home && r.at < at && (r.at > *from || r.local && r.last > *from);
                !reads.iter().any(read) && !writes.iter().any(|(other, w)| *other == home && w > from)
            });
            if let Some((value, from)) = made {
                self.shares[value] = Some(home);
                writes.push((home, from));
            } else {
                writes.push((home, at));
            }
        }
        for read in reads.iter().filter(|r| r.local) {
            // An instruction reads its operands before it writes.
            if !writes.iter().any(|(home, at)| *home == read.home && (read.at + 1..read.last).contains(at)) {
                self.shares[read.value] = Some(read.home);
            }
        }
    }

    /// The value that a store at `at` stores, and where it is computed, if it is computed for that only, in one go.
    fn made_for(
        &self,
        env: &Env<'_>,
        func: &Function,
        block: BlockId,
        uses: &Uses,
        (at, store): (usize, InstId),
    ) -> Option<(ValueId, usize)> {
        let InstKind::Store { value, .. } = &func.insts[store].kind else { return None };
        let value = value.local()?;
        let inst = func.def_inst(value)?;
        let from = func.blocks[block].insts[..at].iter().rposition(|i| *i == inst)?;
        let kind = &func.insts[inst].kind;
        let atomic = matches!(kind, InstKind::Load { atomic: Some(_), .. });
        let plain = match kind {
            InstKind::Binary { .. }
            | InstKind::FNeg { .. }
            | InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Gep { .. } => true,
            InstKind::Load { .. } => !atomic && self.loaded(kind).is_none(),
            // A call writes its result when it returns; what intrinsics do with operands and results they say
            // themselves.
            InstKind::Call(call) => {
                let callee = env.module.as_function(call.callee);
                callee.is_some_and(|f| !env.module.functions[f].name.starts_with("llvm."))
            }
            _ => false,
        };
        (plain && uses.count[value] == 1).then_some((value, from))
    }
}

/// A load from a home: of the block, its positions; whether all uses are in the block.
struct Read {
    home: ValueId,
    value: ValueId,
    at: usize,
    last: usize,
    local: bool,
}

/// Uses of values.
struct Uses {
    count: SecondaryMap<ValueId, u32>,
    /// The last use, as long as there is none in another block or by a phi.
    last: SecondaryMap<ValueId, Option<(BlockId, usize)>>,
    elsewhere: SecondaryMap<ValueId, bool>,
}

impl Uses {
    fn of(func: &Function) -> Uses {
        let mut uses = Uses { count: SecondaryMap::new(), last: SecondaryMap::new(), elsewhere: SecondaryMap::new() };
        for block in &func.layout {
            let insts = &func.blocks[*block].insts;
            for (at, inst) in insts.iter().enumerate() {
                let kind = &func.insts[*inst].kind;
                // A comparison may be executed with the branch that ends its block.
                let at = if matches!(kind, InstKind::ICmp { .. }) { insts.len() - 1 } else { at };
                for value in kind.operands().into_iter().filter_map(Operand::local) {
                    uses.count[value] += 1;
                    uses.elsewhere[value] |= matches!(kind, InstKind::Phi { .. })
                        || uses.last[value].is_some_and(|(other, _)| other != *block);
                    let before = uses.last[value].map_or(0, |(_, before)| before);
                    uses.last[value] = Some((*block, before.max(at)));
                }
            }
        }
        uses
    }

    /// Position of the last use of a value, if all uses are in this block.
    fn last_in(&self, block: BlockId, value: ValueId) -> Option<usize> {
        self.last[value].filter(|(other, _)| *other == block && !self.elsewhere[value]).map(|(_, at)| at)
    }
}

/// Every `alloca` of one object, by its address, with a leaf yet to be found. Where the stack is given back to a mark
/// (`llvm.stackrestore`), objects made since are gone: only what the entry block makes before any mark is certain to be
/// older.
fn candidates(env: &Env<'_>, func: &Function) -> SecondaryMap<ValueId, Option<Leaf>> {
    let calls = |inst: InstId, intrinsic: Intrinsic| match &func.insts[inst].kind {
        InstKind::Call(call) => env.module.as_function(call.callee).is_some_and(|callee| {
            let name = &env.module.functions[callee].name;
            name.starts_with("llvm.stack") && Intrinsic::find(name) == Some(intrinsic)
        }),
        _ => false,
    };
    let mut found = SecondaryMap::new();
    let restores = func.inst_order().any(|(_, inst)| calls(inst, Intrinsic::StackRestore));
    for (block, inst) in func.inst_order() {
        if restores && (block != func.entry() || calls(inst, Intrinsic::StackSave)) {
            break;
        }
        // Larger ones are no scalars, even if nobody accesses them.
        if let InstKind::Alloca { count, elem_ty, inalloca: false, .. } = &func.insts[inst].kind
            && env.module.size_of(*elem_ty) <= WIDEST
            && count.is_none_or(|count| env.module.as_int(count) == Some(1))
            && let Some(address) = func.insts[inst].result
        {
            // Any leaf stands for one that is not known yet.
            found[address] = Some(Leaf::Ptr);
        }
    }
    found
}

/// Removes what has another use than loads and stores, or is not always accessed as the same leaf.
fn keep_accessed_alike(env: &Env<'_>, func: &Function, objects: &mut SecondaryMap<ValueId, Option<Leaf>>) {
    let mut known: SecondaryMap<ValueId, bool> = SecondaryMap::new();
    for (_, inst) in func.inst_order() {
        let inst = &func.insts[inst];
        let access = match &inst.kind {
            InstKind::Load { ptr, align, volatile: false, atomic: None } => Some((*ptr, *align, inst.ty, None)),
            InstKind::Store { value, ptr, align, volatile: false, atomic: None } => {
                Some((*ptr, *align, env.module.operand_ty(func, *value), value.local()))
            }
            _ => None,
        };
        let Some((ptr, align, ty, stored)) = access else {
            inst.kind.operands().into_iter().filter_map(Operand::local).for_each(|value| objects[value] = None);
            continue;
        };
        if let Some(value) = stored {
            objects[value] = None;
        }
        let Some(address) = ptr.local() else { continue };
        let leaf = accessed(env, func, address, align, ty);
        if known[address] && objects[address] != leaf || leaf.is_none() {
            objects[address] = None;
        } else if !known[address] && objects[address].is_some() {
            objects[address] = leaf;
        }
        known[address] = true;
    }
}

/// The leaf of an access that is certain to be allowed.
fn accessed(env: &Env<'_>, func: &Function, address: ValueId, align: u64, ty: TypeId) -> Option<Leaf> {
    let InstKind::Alloca { elem_ty, align: given, .. } = &func.insts[func.def_inst(address)?].kind else { return None };
    let (module, flat) = (env.module, env.flat(ty).ok()?);
    let given = if *given == 0 { module.layout.align_of(&module.types, *elem_ty) } else { *given };
    match kinds(&flat).as_slice() {
        [leaf] if align <= given && leaf.store_size() <= module.size_of(*elem_ty) && !flat.packed_bits => Some(*leaf),
        _ => None,
    }
}

impl super::Lower<'_, '_> {
    /// A register becomes undefined, as an object on the stack is when it is made.
    pub(super) fn make_home(&mut self, leaf: Leaf) {
        if self.func.insts[self.inst].result.is_some_and(|address| self.homes.is_written_first(address)) {
            return;
        }
        let undefined =
            self.undefined.iter().find(|(other, _)| *other == leaf).map_or(super::POISON, |(_, slot)| *slot);
        let dst = self.result();
        self.emit(crate::code::Op::Copy { dst, src: undefined, n: 1 });
    }

    /// Copies a register, unless it is the same.
    pub(super) fn copy(&mut self, dst: Slot, src: Slot) {
        if dst != src {
            self.emit(crate::code::Op::Copy { dst, src, n: 1 });
        }
    }
}
