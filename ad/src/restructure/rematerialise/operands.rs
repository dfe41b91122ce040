//! Scratch memory that holds what its numbers are made of.
//!
//! A program moves points, `y = R x + t`, keeps `y` for the next loop, and the reverse pass needs `x`: both would be
//! kept. But if all that is stored there is cheap arithmetic of no more numbers of the same iteration than are stored,
//! the memory may hold these, and what loads it makes the rest of them ([`crate::analysis::reload::answer::Filled`]).
//! Then the plan has them there, as values that the program has stored. So it is done if the plan would keep them all,
//! and no load stands in more loops than the stores do. Derivatives of that memory are still those of `y`
//! ([`crate::runtime::substitute`]): what is added to them costs no more than before.
//!
//! What a store reads that stands before the loop, and yet not before a load, as the loop has a guard, goes there
//! through a variable, of which promotion makes phis; and so does what each iteration loads from the same place. (On
//! the way past the loop nothing was stored, and no load is defined.)
//!
//! What was computed once and loaded several times is computed several times, and must have the same bits each time: so
//! no flags of fast mathematics, and `llvm.fmuladd`, which may be fused or not as the code generator likes, is a
//! product and a sum here.

use crate::analysis::context::{Context, Item};
use crate::analysis::recompute::may_round_otherwise;
use crate::analysis::reload::answer::Filled;
use crate::analysis::wanted::{Assumptions, RecordTypes};
use crate::base::regions::Shape;
use crate::base::{alias_scopes, blocks};
use crate::normalise::collect::return_block;
use crate::normalise::promote;
use crate::options::Lever;
use crate::plan::data::Plan;
use crate::restructure::rematerialise::MOST;
use crate::runtime::substitute;
use ir::hash::HashMap;
use ir::{
    BinOp, FastMath, FuncId, Function, Inst, InstId, InstKind, IntFlags, MdId, Module, Operand, Origin, Role, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Memory, the numbers that it will hold, and what is made of them.
pub(super) struct Change {
    filled: Filled,
    /// The numbers, each in the place of that store.
    operands: Vec<ValueId>,
    /// For each store the instructions that make what it stored, in an order in which they can be executed.
    made: Vec<Vec<InstId>>,
    /// Values that are the same in each iteration, and not at hand at each load.
    guarded: Vec<ValueId>,
}

/// The memory of a function that is better changed.
pub(super) fn changes(cx: &Context, types: RecordTypes) -> Vec<Change> {
    let filled = cx.facts.reloads.filled(cx.id);
    let (Ok(shape), Some(exit)) = (Shape::new(cx.m, cx.func), return_block(cx.func)) else { return Vec::new() };
    if filled.is_empty() || cx.facts.without.has(Lever::Promotion) {
        return Vec::new();
    }
    let plan = Plan::new(cx, &shape, exit, (Assumptions { combined: true, arguments: false }, cx.facts.without), types);
    let primal = |item| match item {
        Item::Primal(v) => Some(v),
        _ => None,
    };
    let kept: BTreeSet<ValueId> = plan.stored.iter().filter_map(|w| primal(w.item)).collect();
    filled.iter().filter_map(|filled| Find { cx, shape: &shape, kept: &kept, filled }.change()).collect()
}

/// What is found of a store's value, and of those before.
struct Made {
    operands: Vec<ValueId>,
    guarded: Vec<ValueId>,
    insts: Vec<InstId>,
}

struct Find<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    kept: &'a BTreeSet<ValueId>,
    filled: &'a Filled,
}

impl Find<'_> {
    fn change(&self) -> Option<Change> {
        let mut made = Made { operands: Vec::new(), guarded: Vec::new(), insts: Vec::new() };
        let mut all = Vec::new();
        for (store, _) in &self.filled.stores {
            let InstKind::Store { value, .. } = self.cx.func.insts[*store].kind else { return None };
            self.value(value, &mut made)?;
            all.push(std::mem::take(&mut made.insts));
        }
        let Made { operands, guarded, .. } = made;
        let enough = (1..=self.filled.stores.len()).contains(&operands.len());
        let depth = |inst: InstId| self.shape.block(inst).map_or(0, |b| self.shape.depth(self.shape.region(b)));
        let seldom = self.filled.loads.iter().all(|(load, _)| depth(*load) <= depth(self.filled.stores[0].0));
        (enough && seldom).then(|| Change { filled: self.filled.clone(), operands, made: all, guarded })
    }

    /// Finds what makes a value, down to numbers that are kept and to what is there at all loads.
    fn value(&self, operand: Operand, made: &mut Made) -> Option<()> {
        let (cx, shape) = (self.cx, self.shape);
        let Some(inst) = operand.local().and_then(|v| cx.func.def_inst(v)) else { return Some(()) };
        let (v, block) = (operand.local()?, shape.block(inst)?);
        if !self.is_inside(operand) {
            let there = |(load, _): &(InstId, usize)| shape.dom.inst_dominates(&shape.positions, inst, *load);
            if !self.filled.loads.iter().all(there) && !made.guarded.contains(&v) {
                let once = shape.region(block).is_none() && !cx.func.insts[inst].kind.is_terminator();
                once.then(|| made.guarded.push(v))?;
            }
            return Some(());
        }
        if made.insts.contains(&inst) {
            return Some(());
        }
        let InstKind::Store { value: stored, .. } = cx.func.insts[self.filled.stores[0].0].kind else { return None };
        if self.kept.contains(&v) && cx.ty(operand) == cx.ty(stored) {
            if !made.operands.contains(&v) {
                made.operands.push(v);
            }
            return Some(());
        }
        let kind = &cx.func.insts[inst].kind;
        // The same in each iteration.
        if let InstKind::Load { ptr, volatile: false, atomic: None, .. } = kind
            && cx.facts.reloads.load(cx.id, inst)
            && !self.is_inside(*ptr)
        {
            made.guarded.extend((!made.guarded.contains(&v)).then_some(v));
            return Some(());
        }
        let arithmetic =
            matches!(kind, InstKind::Binary { .. } | InstKind::FNeg { .. }) && !may_round_otherwise(cx, inst);
        (arithmetic && cx.m.types.float_kind(cx.func.insts[inst].ty).is_some()
            || is_product_and_sum(cx.m, cx.func, inst))
        .then_some(())?;
        (made.insts.len() < MOST).then_some(())?;
        kind.operands().into_iter().try_for_each(|o| self.value(o, made))?;
        made.insts.push(inst);
        Some(())
    }

    /// Is it defined in the loop?
    fn is_inside(&self, operand: Operand) -> bool {
        let block = operand.local().and_then(|v| self.cx.func.def_inst(v)).and_then(|inst| self.shape.block(inst));
        block.is_some_and(|b| self.shape.loops.contains(self.filled.of, b))
    }
}

/// Is it `llvm.fmuladd` without flags?
fn is_product_and_sum(m: &Module, func: &Function, inst: InstId) -> bool {
    let call = func.insts[inst].kind.as_call().filter(|call| call.fast == FastMath::default());
    let callee = call.and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.fmuladd."))
}

/// Stores the numbers, and makes of them what was loaded.
pub(super) fn apply(m: &mut Module, (id, func): (FuncId, &mut Function), change: &Change) {
    let Change { filled, operands, made, guarded } = change;
    let slots: Vec<(ValueId, Operand)> = guarded.iter().filter_map(|v| Some((*v, variable(m, func, *v)?))).collect();
    let Some((last, _)) = filled.stores.last() else { return };
    let mut stores: Vec<InstId> = Vec::new();
    for (n, (store, _)) in filled.stores.iter().enumerate() {
        let mut inst = Inst { result: None, ..func.insts[*store].clone() };
        if let InstKind::Store { value, .. } = &mut inst.kind {
            let ty = m.operand_ty(func, *value);
            let held = operands.get(n).map_or_else(|| m.zero(ty), |v| Operand::Local(*v));
            let call = substitute::call(m, ty, [held, *value]);
            let Some(held) = blocks::before(func, *store, call, ty, &mut stores) else { return };
            *value = held;
        }
        stores.push(func.create_inst(inst, false));
    }
    let old: BTreeSet<InstId> = filled.stores.iter().map(|(store, _)| *store).collect();
    let insts = std::mem::take(&mut func.blocks[filled.block].insts);
    // Behind the last one all of them are there.
    let new = |inst: InstId| match () {
        () if inst == *last => stores.clone(),
        () if old.contains(&inst) => Vec::new(),
        () => vec![inst],
    };
    func.blocks[filled.block].insts = insts.into_iter().flat_map(new).collect();
    let mut renamed: HashMap<Operand, Operand> = HashMap::default();
    let mut held: BTreeSet<InstId> = BTreeSet::new();
    let passive = alias_scopes::records(m);
    for (load, store) in &filled.loads {
        let Some(block) = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(load)) else { continue };
        let InstKind::Store { value, .. } = func.insts[filled.stores[*store].0].kind else { continue };
        let made = &made[*store];
        let used = |func: &Function, v: Operand| {
            v == value || made.iter().any(|i| func.insts[*i].kind.operands().contains(&v))
        };
        let mut new = vec![*load];
        let mut making = Making { m, func, id, load: *load, new: &mut new, known: BTreeMap::new(), passive };
        for (v, (other, at)) in operands.iter().zip(&filled.stores) {
            if used(making.func, Operand::Local(*v)) {
                making.operand(*v, (*other, at - filled.stores[*store].1));
            }
        }
        slots.iter().for_each(|(v, slot)| making.guarded(*v, *slot));
        made.iter().for_each(|inst| making.again(*inst));
        let made = making.renamed(value);
        let Some(loaded) = func.insts[*load].result.map(Operand::Local) else { continue };
        let ty = func.insts[*load].ty;
        let call = substitute::call(m, ty, [made, loaded]);
        let result = blocks::before(func, *load, call, ty, &mut new);
        renamed.extend(result.map(|v| (loaded, v)));
        held.extend(result.and_then(|v| v.local()).and_then(|v| func.def_inst(v)));
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let replaced = |i| if i == *load { std::mem::take(&mut new) } else { vec![i] };
        func.blocks[block].insts = insts.into_iter().flat_map(replaced).collect();
    }
    for (_, data) in func.insts.iter_mut().filter(|(inst, _)| !held.contains(inst)) {
        data.kind.for_each_operand_mut(|o| *o = renamed.get(o).copied().unwrap_or(*o));
    }
    if !slots.is_empty() {
        promote::promote(m, func);
    }
}

/// A variable that holds a value from where that is defined, and zero before.
fn variable(m: &mut Module, func: &mut Function, v: ValueId) -> Option<Operand> {
    let (ty, ptr, void) = (func.value_ty(v), m.types.ptr(), m.types.void());
    let align = m.layout.align_of(&m.types, ty);
    let new = |func: &mut Function, kind, ty, result| func.create_inst(Inst::new(kind, ty), result);
    let alloca = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
    let slot = new(func, alloca, ptr, true);
    let at = func.insts[slot].result.map(Operand::Local)?;
    let store = |value| InstKind::Store { value, ptr: at, align, volatile: false, atomic: None };
    let zero = store(m.zero(ty));
    let (clear, entry) = (new(func, zero, void, false), func.entry());
    func.blocks[entry].insts.splice(0..0, [slot, clear]);
    let defined = func.def_inst(v)?;
    let block = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&defined))?;
    let set = new(func, store(Operand::Local(v)), void, false);
    let insts = &func.blocks[block].insts;
    let behind_phis = blocks::phis(func, block).len();
    let place = insts.iter().position(|i| *i == defined)? + 1;
    func.blocks[block].insts.insert(place.max(behind_phis), set);
    Some(at)
}

/// What stands in the place of a load.
struct Making<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    id: FuncId,
    load: InstId,
    new: &'a mut Vec<InstId>,
    known: BTreeMap<ValueId, Operand>,
    /// What the mark of passive instructions says: nothing more.
    passive: MdId,
}

impl Making<'_> {
    fn renamed(&self, operand: Operand) -> Operand {
        operand.local().and_then(|v| self.known.get(&v).copied()).unwrap_or(operand)
    }

    fn push(&mut self, mut inst: Inst) -> Option<Operand> {
        inst.metadata.push((substitute::PASSIVE.to_owned(), self.passive));
        let made = self.func.create_inst(inst, true);
        self.new.push(made);
        self.func.insts[made].result.map(Operand::Local)
    }

    /// Loads a number of the row, so many bytes from where the load was.
    fn operand(&mut self, v: ValueId, (store, apart): (InstId, i64)) -> Option<()> {
        let InstKind::Load { ptr, .. } = self.func.insts[self.load].kind else { return None };
        let InstKind::Store { align, .. } = self.func.insts[store].kind else { return None };
        let (i8t, ty) = (self.m.types.int(8), self.m.types.ptr());
        let indices = vec![self.m.int(64, apart as u128)];
        let place = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: ptr, indices };
        let ptr = blocks::before(self.func, self.load, place, ty, self.new)?;
        let data = &self.func.insts[self.load];
        let kind = InstKind::Load { ptr, align, volatile: false, atomic: None };
        // What is known of the type of that place is not known of this one.
        let load = Inst { result: None, kind, metadata: Vec::new(), ..data.clone() };
        let loaded = self.push(load)?;
        self.known.insert(v, loaded);
        Some(())
    }

    /// A value that is in a variable.
    fn guarded(&mut self, v: ValueId, ptr: Operand) {
        let ty = self.func.value_ty(v);
        let align = self.m.layout.align_of(&self.m.types, ty);
        let kind = InstKind::Load { ptr, align, volatile: false, atomic: None };
        let loaded = self.push(Inst::new(kind, ty));
        self.known.extend(loaded.map(|loaded| (v, loaded)));
    }

    /// Executes an instruction again.
    fn again(&mut self, old: InstId) {
        let data = self.func.insts[old].clone();
        let own = self.m.functions[self.id].insts.is_valid(old);
        let origin = data.origin.or(own.then_some(Origin { func: self.id, inst: old, role: Role::Clone }));
        let mut inst = Inst { result: None, origin, ..data.clone() };
        inst.kind.for_each_operand_mut(|o| *o = self.renamed(*o));
        if let Some(call) = inst.kind.as_call()
            && let [a, b, c] = call.args[..]
        {
            let of =
                |op, lhs, rhs| InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs };
            let product = Inst { kind: of(BinOp::FMul, a, b), ..inst.clone() };
            let Some(product) = self.push(product) else { return };
            inst.kind = of(BinOp::FAdd, product, c);
        }
        let made = self.push(inst);
        self.known.extend(data.result.zip(made));
    }
}
