//! Small functions written out where they are called, in the copies of which gradients are made.
//!
//! C++ reaches every element through a handful of tiny functions, which without optimisation are all there. An analysis
//! that takes all calls of a function together would take all vectors of a program together. So, callees first (the
//! components of the call graph, Tarjan 1972), calls of small functions that do not call themselves are replaced by
//! their bodies, and slots that are now used by name alone are promoted. Instructions keep the link to those of the
//! function they came from ([`ir::Origin`]) and its lines.

use crate::base::blocks;
use crate::base::copy::{self, Copy};
use crate::normalise::collect::return_block;
use crate::normalise::indirect::{Chosen, Indirect};
use crate::normalise::sources::Sources;
use crate::normalise::threads::is_parallel;
use crate::normalise::{atomics, promote};
use ir::cfg::Cfg;
use ir::hash::HashMap;
use ir::{BlockId, FuncId, Function, Inst, InstId, InstKind, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Functions of at most so many instructions are small.
const SMALL: usize = 32;

/// A function is called at few places if it has at most so many instructions at all of them together.
const FEW: usize = 512;

/// A function grows to at most so many instructions.
const LARGE: usize = 4000;

/// Writes small functions out in all sources, and promotes their slots.
pub fn simplify(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect) {
    write_out(m, sources, indirect, |_| true, |_, body| size(body) <= SMALL);
}

/// The same in some of the sources alone.
pub fn simplify_some(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect, some: &BTreeSet<FuncId>) {
    write_out(m, sources, indirect, |id| some.contains(&id), |_, body| size(body) <= SMALL);
}

/// Writes functions out that are called at few places. What LLVM's inliner has left of these are functions that are too
/// large for it to pay there; but a call that is reversed costs a record, what it reads kept apart from what its caller
/// has, and analyses that take its calls together.
pub fn write_out_few(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect) {
    let mut places: HashMap<FuncId, usize> = HashMap::default();
    for func in sources.values() {
        let callees = func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee));
        callees.for_each(|callee| *places.entry(callee).or_default() += 1);
    }
    let few = |(id, func): (&FuncId, &Function)| {
        let places = places.get(id).copied().unwrap_or_default();
        (1..=FEW).contains(&(places * size(func))).then_some(*id)
    };
    let few: BTreeSet<FuncId> = sources.iter().filter_map(few).collect();
    if !few.is_empty() {
        write_out(m, sources, indirect, |_| true, |id, _| few.contains(&id));
    }
}

/// Writes functions out that exchange what only their callers know ([`atomics::exchanges_by_reference`]), or hand over
/// what lay where they added something, which their callers may not want ([`atomics::returns_former`]).
pub fn write_out_exchanges(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect) {
    let mut former = BTreeSet::new();
    for id in sources.iter().filter(|(_, func)| atomics::adds_to_float(m, func)).map(|(id, _)| *id).collect::<Vec<_>>()
    {
        let mut promoted = sources[&id].clone();
        promote::promote(m, &mut promoted);
        if atomics::returns_former(m, &promoted) {
            former.insert(id);
        }
    }
    let takes = |id: FuncId, body: &Function| atomics::exchanges_by_reference(body) || former.contains(&id);
    write_out(m, sources, indirect, |_| true, takes);
}

/// Writes these functions out in some of the sources.
pub fn write_out_these(
    m: &mut Module,
    sources: &mut Sources,
    indirect: &mut Indirect,
    some: impl Fn(FuncId) -> bool,
    these: &BTreeSet<FuncId>,
) {
    write_out(m, sources, indirect, some, |id, _| these.contains(&id));
}

fn size(body: &Function) -> usize {
    body.inst_order().count()
}

/// Writes out in some sources the calls of functions that are taken, and promotes slots.
fn write_out(
    m: &mut Module,
    sources: &mut Sources,
    indirect: &mut Indirect,
    some: impl Fn(FuncId) -> bool,
    takes: impl Fn(FuncId, &Function) -> bool,
) {
    for component in components(m, sources) {
        for id in component.iter().filter(|id| some(**id)) {
            let Some(mut func) = sources.remove(id) else { continue };
            let mut replaced = promote::promote(m, &mut func);
            follow(&replaced, *id, indirect);
            let outside = |callee: &FuncId| !component.contains(callee) && takes(*callee, &sources[callee]);
            if expand((m, sources), (*id, &mut func), outside, indirect, &mut replaced) {
                // Definitions before uses, as a walk over the blocks in their order expects.
                func.layout = Cfg::new(&func).rpo().to_vec();
                follow(&replaced, *id, indirect);
                replaced = promote::promote(m, &mut func);
                follow(&replaced, *id, indirect);
            }
            sources.insert(*id, func);
        }
    }
}

/// Promotes the slots of all sources, and writes nothing out.
pub fn promote_slots(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect) {
    promote_slots_of(m, sources, indirect, |_| true);
}

/// The same in some of the sources alone.
pub fn promote_slots_of(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect, some: impl Fn(FuncId) -> bool) {
    for (id, func) in sources.iter_mut().filter(|(id, _)| some(**id)) {
        follow(&promote::promote(m, func), *id, indirect);
    }
}

/// Drops what `root` does not call any more.
pub fn retain_reached(m: &Module, sources: &mut Sources, root: FuncId) {
    let mut reached = BTreeSet::new();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        let Some(func) = sources.get(&id).filter(|_| reached.insert(id)) else { continue };
        work.extend(func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee)));
    }
    sources.retain(|id, _| reached.contains(id));
}

/// Operands that are remembered for a function change with it.
fn follow(replaced: &HashMap<ValueId, Operand>, id: FuncId, indirect: &mut Indirect) {
    let new = |operand: &mut Operand| *operand = resolve(replaced, *operand);
    indirect.chosen.iter_mut().filter(|((f, _), _)| *f == id).for_each(|(_, chosen)| new(&mut chosen.pointer));
    indirect.declared.entry(id).or_default().iter_mut().for_each(|(operand, _)| new(operand));
}

/// What has taken the place of an operand in the end.
fn resolve(replaced: &HashMap<ValueId, Operand>, mut operand: Operand) -> Operand {
    while let Some(next) = operand.local().and_then(|v| replaced.get(&v)) {
        operand = *next;
    }
    operand
}

/// Replaces the calls of functions that are taken, and notes what takes the place of their results. Says whether there
/// was any.
fn expand(
    (m, sources): (&Module, &Sources),
    (id, func): (FuncId, &mut Function),
    takes: impl Fn(&FuncId) -> bool,
    indirect: &mut Indirect,
    replaced: &mut HashMap<ValueId, Operand>,
) -> bool {
    replaced.clear();
    let mut any = false;
    if is_parallel(func) {
        return any;
    }
    let mut grown = size(func);
    // What comes in with a body has been expanded before.
    let calls: Vec<InstId> = func.inst_order().map(|(_, i)| i).collect();
    for inst in calls {
        // What a function called through a pointer gets is told from its call ([`crate::analysis::memory`], receivers).
        if indirect.chosen.contains_key(&(id, inst)) {
            continue;
        }
        let Some(callee) = callee(m, sources, func, inst).filter(&takes) else { continue };
        let body = &sources[&callee];
        grown += size(body);
        if grown > LARGE {
            break;
        }
        let place = |b: &BlockId| func.blocks[*b].insts.iter().position(|i| *i == inst).map(|n| (*b, n));
        let Some(place) = func.layout.iter().find_map(place) else { continue };
        put(m, (id, func, inst, place), (callee, body), indirect, replaced);
        any = true;
    }
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        func.insts[inst].kind.for_each_operand_mut(|o| *o = resolve(replaced, *o));
    }
    any
}

/// The function that a call calls, if it can be written out.
fn callee(m: &Module, sources: &Sources, func: &Function, inst: InstId) -> Option<FuncId> {
    let InstKind::Call(call) = &func.insts[inst].kind else { return None };
    let callee = m.as_function(call.callee)?;
    let body = sources.get(&callee)?;
    // What tells something, by its name or by its calls, is kept.
    let told = |name: &str| name.starts_with("enzyme_") || name.starts_with("adj_");
    let reads_rest = |i: InstId| {
        let callee = body.insts[i].kind.as_call().and_then(|c| m.as_function(c.callee));
        callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.va_"))
    };
    let unread = !body.vararg || !body.inst_order().any(|(_, i)| reads_rest(i));
    let plain = unread
        && call.bundles.is_empty()
        && func.insts[inst].ty == body.ret
        && (call.args.len() == body.params.len() || body.vararg && call.args.len() > body.params.len())
        && call.args.iter().zip(&body.params).all(|(a, p)| m.operand_ty(func, *a) == p.ty)
        && !call.fn_attrs.0.iter().chain(&body.attrs.0).any(|a| told(&a.name))
        && !body.metadata.iter().any(|(name, _)| told(name));
    let fixed = |i: InstId| {
        !matches!(body.insts[i].kind, InstKind::Alloca { count: Some(_), .. } | InstKind::IndirectBr { .. })
    };
    (plain && body.inst_order().all(|(_, i)| fixed(i)) && return_block(body).is_some()).then_some(callee)
}

/// Puts the body of a function in the place of a call.
fn put(
    m: &Module,
    (id, func, inst, (block, at)): (FuncId, &mut Function, InstId, (BlockId, usize)),
    (callee, body): (FuncId, &Function),
    indirect: &mut Indirect,
    replaced: &mut HashMap<ValueId, Operand>,
) {
    let Some(call) = func.insts[inst].kind.as_call().cloned() else { return };
    let rest = blocks::split(func, block, at + 1, "returned");
    func.blocks[block].insts.pop();
    func.personality = func.personality.or(body.personality);
    let mut copy = Copy::default();
    copy.values.extend(body.params.iter().map(|p| p.value).zip(call.args.iter().copied()));
    copy.add_blocks(func, body.layout.iter().map(|b| (*b, body.blocks[*b].name.clone())));
    let entry = func.entry();
    for block in &body.layout {
        for old in &body.blocks[*block].insts {
            let original = copy::original(m, callee, body, *old);
            match original.1.kind {
                InstKind::Alloca { .. } => {
                    let slot = copy.make(func, *block, original);
                    func.blocks[entry].insts.insert(0, slot);
                }
                _ => {
                    copy.add(func, *block, original);
                }
            }
        }
    }
    copy.rename(func, |_, _| None);
    for (_, old, new) in &copy.insts {
        let loc = func.insts[*new].loc.or(func.insts[inst].loc);
        let data: &mut Inst = &mut func.insts[*new];
        data.loc = loc;
        if let InstKind::Ret(value) = data.kind {
            data.kind = InstKind::Br(rest);
            if let (Some(result), Some(value)) = (func.insts[inst].result, value) {
                replaced.insert(result, value);
            }
        }
        let chosen = indirect.chosen.get(&(callee, *old)).copied();
        let moved = |c: Chosen| Some(Chosen { pointer: here(&copy.values, c.pointer)?, ..c });
        if let Some(chosen) = chosen.and_then(moved) {
            indirect.chosen.insert((id, *new), chosen);
        }
    }
    let br = Inst { loc: func.insts[inst].loc, ..Inst::new(InstKind::Br(copy.blocks[&body.entry()]), void_of(body)) };
    func.append(block, br, false);
    let mut declared: Vec<_> =
        ir::debug::declared_pointers(m, body).into_iter().map(|(i, pointee)| (call.args[i], pointee)).collect();
    for (operand, pointee) in indirect.declared.get(&callee).into_iter().flatten() {
        declared.extend(here(&copy.values, *operand).map(|operand| (operand, *pointee)));
    }
    indirect.declared.entry(id).or_default().extend(declared);
}

/// An operand of the body where it was put, if it is still there.
fn here(values: &HashMap<ValueId, Operand>, operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Local(v) => values.get(&v).copied(),
        Operand::Const(_) => Some(operand),
    }
}

/// The type of an instruction without result: that of a return, which each body has that is written out.
fn void_of(body: &Function) -> ir::TypeId {
    let is_return = |inst: &InstId| matches!(body.insts[*inst].kind, InstKind::Ret(_));
    let found = body.inst_order().map(|(_, inst)| inst).find(is_return);
    found.map_or(body.ret, |inst| body.insts[inst].ty)
}

/// The strongly connected components of the call graph, callees first (Tarjan's algorithm).
fn components(m: &Module, sources: &Sources) -> Vec<BTreeSet<FuncId>> {
    let calls = |id: &FuncId| -> Vec<FuncId> {
        let func = &sources[id];
        let called = func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee));
        let set: BTreeSet<FuncId> = called.filter(|f| sources.contains_key(f)).collect();
        set.into_iter().collect()
    };
    let graph: BTreeMap<FuncId, Vec<FuncId>> = sources.keys().map(|id| (*id, calls(id))).collect();
    let (mut number, mut low) = (BTreeMap::new(), BTreeMap::new());
    let (mut stack, mut on_stack) = (Vec::new(), BTreeSet::new());
    let mut out = Vec::new();
    for root in graph.keys() {
        if number.contains_key(root) {
            continue;
        }
        let mut work = vec![(*root, 0)];
        while let Some((id, next)) = work.last_mut() {
            let id = *id;
            if *next == 0 {
                let n = number.len();
                number.insert(id, n);
                low.insert(id, n);
                stack.push(id);
                on_stack.insert(id);
            }
            match graph[&id].get(*next) {
                Some(callee) => {
                    *next += 1;
                    match number.get(callee) {
                        None => work.push((*callee, 0)),
                        Some(n) if on_stack.contains(callee) => {
                            let least = low[&id].min(*n);
                            low.insert(id, least);
                        }
                        Some(_) => {}
                    }
                }
                None => {
                    work.pop();
                    if let Some((caller, _)) = work.last() {
                        let least = low[caller].min(low[&id]);
                        low.insert(*caller, least);
                    }
                    if low[&id] == number[&id] {
                        let mut component = BTreeSet::new();
                        while let Some(member) = stack.pop() {
                            on_stack.remove(&member);
                            component.insert(member);
                            if member == id {
                                break;
                            }
                        }
                        out.push(component);
                    }
                }
            }
        }
    }
    out
}
