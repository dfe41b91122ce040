//! What is loaded of scratch memory is made again from what was stored there.
//!
//! A program that keeps `x[l] - m[l]` in an array for one loop, to read it in the next, has the reverse pass keep it
//! once more, if the array is used again in each iteration of a loop around both. But where one known store is what the
//! load sees ([`crate::analysis::reload::answer::Covering`]), its value may be computed at the load: the same
//! instructions, with the load's counter in the place of the store's. So it is done, in the copies that are
//! differentiated, if
//!
//! - the plan would keep what is loaded ([`crate::plan`]);
//! - what is computed is cheap arithmetic of memory that lasts and of values that do not change between the two;
//! - it has the same bits again ([`crate::analysis::recompute::may_round_otherwise`]).
//!
//! The plan then finds nothing to keep, and the adjoint goes straight to where the numbers came from. A store that
//! nobody reads any more is left out. (Rematerialisation across memory: Briggs, Cooper & Torczon, "Rematerialization",
//! PLDI 1992, for values.)

mod operands;

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Context, Item};
use crate::analysis::memory::Facts;
use crate::analysis::memory::object::ObjId;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::recompute::{Recompute, may_round_otherwise};
use crate::analysis::reload::answer::{Covering, Seen};
use crate::analysis::reload::reads;
use crate::analysis::wanted::{Assumptions, RecordTypes, Wanted};
use crate::base::alias_scopes::leave_scopes;
use crate::base::blocks;
use crate::base::regions::Shape;
use crate::check::shadows;
use crate::error::Diagnostic;
use crate::normalise::collect::return_block;
use crate::normalise::sources::Sources;
use crate::plan::data::Plan;
use crate::restructure::joint;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{
    BinOp, CastOp, FastMath, FuncId, Function, Inst, InstId, InstKind, IntFlags, Module, Operand, Origin, Role, Type,
    TypeId, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// As many instructions are executed again for a load, besides those that compute addresses.
const MOST: usize = 8;

/// Changes what memory holds ([`operands`]), then replaces loads, in all functions that run once, as long as there are
/// any, and analyses what is there then; `differentiable` are the functions with a derivative.
pub(crate) fn apply(
    m: &mut Module,
    (sources, facts): (&mut Sources, &mut Analyses),
    differentiable: &mut BTreeSet<FuncId>,
    root: FuncId,
    analyse: impl Fn(&Module, &Sources) -> Result<Facts, Diagnostic>,
) {
    let types = crate::analysis::wanted::record_field_types(m);
    let mut changed: Changed = BTreeMap::new();
    for (id, func) in sources.iter() {
        let changes = operands::changes(&Context { m, facts, sources, differentiable, id: *id, func }, types);
        if !changes.is_empty() {
            let mut func = func.clone();
            changes.iter().for_each(|change| operands::apply(m, (*id, &mut func), change));
            changed.insert(*id, func);
        }
    }
    exchange(m, (sources, facts), (differentiable, root), (changed, &[]), &analyse);
    while facts.reloads.covers() {
        let mut changed: Changed = BTreeMap::new();
        let mut idle: Vec<(FuncId, Covering)> = Vec::new();
        for (id, func) in sources.iter() {
            let cx = Context { m, facts, sources, differentiable, id: *id, func };
            let copies = copies(&cx, types);
            if !copies.is_empty() {
                let mut func = func.clone();
                idle.extend(copies.iter().map(|copy| (*id, copy.covering.clone())));
                copies.iter().for_each(|copy| replace(m, (*id, &mut func), copy));
                changed.insert(*id, func);
            }
        }
        if !exchange(m, (sources, facts), (differentiable, root), (changed, &idle), &analyse) {
            break;
        }
    }
}

/// Functions as they are to be.
type Changed = BTreeMap<FuncId, Function>;

/// Puts changed functions in the place of others, without stores that are idle then, and analyses what is there; if
/// there are any, and the analyses can say everything of them.
fn exchange(
    m: &Module,
    (sources, facts): (&mut Sources, &mut Analyses),
    (differentiable, root): (&mut BTreeSet<FuncId>, FuncId),
    (changed, idle): (Changed, &[(FuncId, Covering)]),
    analyse: impl Fn(&Module, &Sources) -> Result<Facts, Diagnostic>,
) -> bool {
    if changed.is_empty() {
        return false;
    }
    let before: Vec<(FuncId, Function)> = changed.keys().map(|id| (*id, sources[id].clone())).collect();
    sources.extend(changed);
    leave_out((m, facts), sources, root, idle);
    let analysed = analyse(m, sources).and_then(|new| {
        new.validate(m, sources, true)?;
        shadows::check(m, sources, &new).map(|()| new)
    });
    let Ok(new) = analysed else {
        sources.extend(before);
        return false;
    };
    *differentiable = joint::renew(m, (sources, facts), (root, &BTreeSet::new()), new);
    true
}

/// Leaves out stores that nobody reads any more.
fn leave_out((m, facts): (&Module, &Analyses), sources: &mut Sources, root: FuncId, stores: &[(FuncId, Covering)]) {
    let nobody = BTreeSet::new();
    for (id, covering) in stores {
        let objects: BTreeSet<ObjId> = covering.objects.iter().copied().collect();
        let cx = Context { m, facts, sources, differentiable: &nobody, id: root, func: &sources[&root] };
        if !reads(&cx, &objects, |_, _| false)
            && let Some(func) = sources.get_mut(id)
        {
            func.blocks.values_mut().for_each(|b| b.insts.retain(|i| *i != covering.store));
        }
    }
}

/// A load, and the instructions whose copies give what it gives.
struct Copy {
    load: InstId,
    covering: Covering,
    /// In an order in which they can be executed.
    insts: Vec<InstId>,
    /// Loads among what they read that must be replaced before.
    needs: Vec<InstId>,
}

/// The loads of a function that are replaced.
fn copies(cx: &Context, types: RecordTypes) -> Vec<Copy> {
    let known = |inst: InstId| Some((inst, cx.facts.reloads.covering(cx.id, inst)?));
    let loads: Vec<(InstId, &Covering)> = cx.func.inst_order().filter_map(|(_, inst)| known(inst)).collect();
    let (Ok(shape), Some(exit)) = (Shape::new(cx.m, cx.func), return_block(cx.func)) else { return Vec::new() };
    if loads.is_empty() {
        return Vec::new();
    }
    let assume = (Assumptions { combined: true, arguments: false }, cx.facts.without);
    let mut recompute = Recompute::new(cx, &shape, exit, assume);
    let copy = |(load, covering): (InstId, &Covering)| {
        let InstKind::Store { value, .. } = cx.func.insts[covering.store].kind else { return None };
        let (here, there) = (shape.block(covering.store)?, shape.block(load)?);
        let around = shape.loops.around(here).filter(|l| !shape.loops.contains(*l, there)).collect();
        let (insts, needs) = (Vec::new(), Vec::new());
        let mut gather = Gather { recompute: &mut recompute, load, covering, around, insts, needs, counted: 0 };
        gather.value(value)?;
        Some(Copy { load, covering: covering.clone(), insts: gather.insts, needs: gather.needs })
    };
    let mut found: Vec<Copy> = loads.into_iter().filter_map(copy).collect();
    if found.is_empty() {
        return found;
    }
    let plan = Plan::new(cx, &shape, exit, assume, types);
    let kept = |inst: InstId| {
        cx.func.insts[inst].result.is_some_and(|v| plan.stored.iter().any(|w| w.item == Item::Primal(v)))
    };
    let mut work: Vec<InstId> = found.iter().map(|copy| copy.load).filter(|load| kept(*load)).collect();
    let mut wanted: BTreeSet<InstId> = BTreeSet::new();
    while let Some(load) = work.pop() {
        if wanted.insert(load) {
            work.extend(found.iter().filter(|copy| copy.load == load).flat_map(|copy| &copy.needs));
        }
    }
    found.retain(|copy| wanted.contains(&copy.load) && copy.needs.is_empty());
    found
}

/// Finds what must be executed again.
struct Gather<'a, 'b> {
    recompute: &'b mut Recompute<'a>,
    load: InstId,
    covering: &'b Covering,
    /// Loops around the store that are not around the load.
    around: Vec<LoopId>,
    insts: Vec<InstId>,
    /// Loads that see what is known, too.
    needs: Vec<InstId>,
    counted: usize,
}

impl Gather<'_, '_> {
    fn value(&mut self, operand: Operand) -> Option<()> {
        let (cx, shape) = (self.recompute.cx, self.recompute.shape);
        let Some(inst) = operand.local().and_then(|v| cx.func.def_inst(v)) else { return Some(()) };
        let (v, block) = (operand.local()?, shape.block(inst)?);
        let is_counter = self.covering.seen.iter().any(|(counter, _)| *counter == v);
        // What stands before these loops is there at the load as well, if that cannot be reached past it.
        let outside = !self.around.iter().any(|l| shape.loops.contains(*l, block));
        let before = outside && shape.dom.inst_dominates(&shape.positions, inst, self.load);
        if is_counter || before || self.insts.contains(&inst) {
            return Some(());
        }
        let data = &cx.func.insts[inst];
        let wanted = Wanted::new(cx.func, shape, Item::Primal(v), shape.region(block));
        let again = matches!(self.recompute.recipe(wanted), Recipe::Again(i, _) if i == inst);
        if !again && cx.facts.reloads.covering(cx.id, inst).is_some() {
            self.needs.push(inst);
            return Some(());
        }
        (again && !may_round_otherwise(cx, inst)).then_some(())?;
        let addresses = matches!(data.kind, InstKind::Gep { .. } | InstKind::Cast { .. }) || cx.m.types.is_int(data.ty);
        self.counted += usize::from(!addresses);
        (self.counted <= MOST && self.insts.len() < 4 * MOST).then_some(())?;
        data.kind.operands().into_iter().try_for_each(|o| self.value(o))?;
        self.insts.push(inst);
        Some(())
    }
}

/// Puts copies in the place of a load.
fn replace(m: &mut Module, (id, func): (FuncId, &mut Function), copy: &Copy) {
    let Some(block) = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&copy.load)) else { return };
    let InstKind::Store { value, .. } = func.insts[copy.covering.store].kind else { return };
    let mut new: Vec<InstId> = Vec::new();
    let mut known: HashMap<ValueId, Operand> = HashMap::default();
    for (counter, seen) in &copy.covering.seen {
        let ty = func.value_ty(*counter);
        let operand = counted(m, (func, copy.load), (ty, *seen), &mut new);
        known.extend(operand.map(|o| (*counter, o)));
    }
    let renamed =
        |o: Operand, known: &HashMap<ValueId, Operand>| o.local().and_then(|v| known.get(&v)).copied().unwrap_or(o);
    for old in &copy.insts {
        let data = &func.insts[*old];
        let mut inst = Inst { result: None, ..data.clone() };
        leave_scopes(&mut inst.metadata);
        // What is no instruction of the program stands for nothing.
        let own = m.functions[id].insts.is_valid(*old);
        inst.origin = inst.origin.or(own.then_some(Origin { func: id, inst: *old, role: Role::Clone }));
        inst.kind.for_each_operand_mut(|o| *o = renamed(*o, &known));
        let from = data.result;
        let made = func.create_inst(inst, from.is_some());
        new.push(made);
        known.extend(from.zip(func.insts[made].result.map(Operand::Local)));
    }
    let value = renamed(value, &known);
    let insts = std::mem::take(&mut func.blocks[block].insts);
    func.blocks[block].insts =
        insts.into_iter().flat_map(|i| if i == copy.load { std::mem::take(&mut new) } else { vec![i] }).collect();
    let loaded = func.insts[copy.load].result.map(Operand::Local);
    for data in func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| *o = if Some(*o) == loaded { value } else { *o });
    }
}

/// The value of a counter in the iteration that a load sees.
fn counted(
    m: &mut Module,
    (func, load): (&mut Function, InstId),
    (ty, seen): (TypeId, Seen),
    new: &mut Vec<InstId>,
) -> Option<Operand> {
    let bits = |m: &Module, ty: TypeId| match m.types.get(ty) {
        Type::Int(bits) => Some(*bits),
        _ => None,
    };
    let width = bits(m, ty)?;
    let (v, more) = match seen {
        Seen::At(n) => return Some(m.int(width, n as u128)),
        Seen::With(v, more) => (Operand::Local(v), more),
    };
    let from = func.value_ty(v.local()?);
    let narrow = bits(m, from)?;
    // A narrow one is compared with its sign.
    let op = if narrow < width { CastOp::SExt } else { CastOp::Trunc };
    let cast = InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value: v };
    let lhs = if narrow == width { v } else { blocks::before(func, load, cast, ty, new)? };
    if more == 0 {
        return Some(lhs);
    }
    let rhs = m.int(width, more as u128);
    let add = InstKind::Binary { op: BinOp::Add, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs };
    blocks::before(func, load, add, ty, new)
}
