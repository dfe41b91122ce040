//! Which adjoints each thread gathers in memory of its own before it adds to them ([`crate::emit::gathered_add`]).
//!
//! An addition in one piece takes ten times as long as a plain one, and more where threads contend for a line of the
//! cache. What the threads of a region only read, all of them add to, again and again: weights, positions, the factors
//! of a product. Each thread may keep what it adds to itself as long as nobody looks: until it reverses a store to the
//! same bytes itself, or until it reverses what orders it with another thread, which may then reverse such a store (the
//! program has no data race). In the end of a region all is added. Where barriers alone put threads in an order, one
//! thread may even have a part of memory to itself. So a load is *gathered* if all that its memory is written by in the
//! regions that reach it are plain stores, and those stores *settle* first what the thread has for their bytes.

use super::owners::{Increment, Regions};
use super::{Adding, Parallel};
use crate::analysis::context::Context;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::query::PointerKind;
use crate::normalise::fork::is_fork;
use crate::options::Lever;
use crate::program::externals::{External, classify};
use crate::program::openmp::{CRITICAL, OF_REDUCTION, Order, hands_over};
use ir::cfg::Cfg;
use ir::hash::HashSet;
use ir::{BlockId, FloatKind, FuncId, Function, InstId, InstKind, Module, Operand, Ordering};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a store that may have to settle.
const MOST: u64 = 64;

/// A store, with what it may write; `None` if nobody knows.
struct Written {
    at: (FuncId, InstId),
    to: Option<Vec<ObjId>>,
}

/// What the threads of one region do to memory.
#[derive(Default)]
struct Effects {
    /// Plain stores.
    stores: Vec<Written>,
    /// What is written, or freed, in any other way.
    others: HashSet<ObjId>,
    /// They do what may put them in an order, and is no call that is known to.
    unknown: bool,
    /// They do no more than to read and write memory, to call functions of ours, and to meet at barriers.
    plain: bool,
}

/// Loads whose adjoints are gathered, those whose sums are, stores that settle, and functions that fork regions of
/// claims.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) loads: HashSet<(FuncId, InstId)>,
    pub(super) sums: HashSet<(FuncId, InstId)>,
    pub(super) stores: HashSet<(FuncId, InstId)>,
    pub(super) claims: BTreeSet<FuncId>,
    /// The kinds of floats, `double` first.
    pub(super) kinds: Vec<FloatKind>,
}

/// Finds them, of the regions that reach each function and the increments of these.
pub(super) fn find(root: &Context, parallel: &Parallel, regions: &Regions, increments: &[Increment]) -> Gathered {
    let mut out = Gathered::default();
    let without = root.facts.without.has(Lever::Gathering);
    if without || parallel.is_everywhere(root.sources) || root.sources.values().any(hands_over) {
        return out;
    }
    let forks: BTreeSet<FuncId> = regions.values().flatten().copied().collect();
    let of_fork = |fork: &FuncId| {
        let functions = regions.iter().filter(|(_, forks)| forks.contains(fork)).map(|(id, _)| *id);
        (*fork, effects(root, functions))
    };
    let effects: BTreeMap<FuncId, Effects> = forks.iter().map(of_fork).collect();
    let mut objects: BTreeMap<FuncId, HashSet<ObjId>> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for (id, forks) in regions {
        let cx = Context { id: *id, func: &root.sources[id], ..*root };
        for (_, inst) in cx.func.inst_order() {
            let Some(Lasting { kind, ptr, to }) = lasting(&cx, parallel, inst) else { continue };
            let adding = parallel.adding(cx.m, cx.facts, (cx.id, inst), ptr);
            if adding == Adding::Summed {
                // It is of what nobody writes.
                out.sums.insert((*id, inst));
                kinds.insert(kind == FloatKind::Float);
            }
            // Zeros for what a thread does not use may meet the reverse of a store.
            let ahead = to.iter().any(|o| parallel.ahead.contains_key(o));
            let written = |fork: &FuncId| {
                let Effects { stores, others, unknown, .. } = &effects[fork];
                let share = |w: &ObjId| to.iter().any(|o| shares(root, *o, *w));
                *unknown
                    || others.iter().any(share)
                    || ahead && stores.iter().any(|s| s.to.as_ref().is_none_or(|to| to.iter().any(share)))
            };
            if adding == Adding::Atomic && !forks.iter().any(written) {
                out.loads.insert((*id, inst));
                kinds.insert(kind == FloatKind::Float);
                forks.iter().for_each(|fork| objects.entry(*fork).or_default().extend(to.iter().copied()));
            }
        }
    }
    if out.loads.is_empty() {
        return Gathered::default();
    }
    for (fork, effects) in &effects {
        let Some(objects) = objects.get(fork) else { continue };
        let met = |to: &Option<Vec<ObjId>>| match to {
            None => true,
            Some(to) => to.iter().any(|w| objects.iter().any(|o| shares(root, *o, *w))),
        };
        out.stores.extend(effects.stores.iter().filter(|store| met(&store.to)).map(|store| store.at));
    }
    // An addition in one piece and a plain one may not meet.
    let meets = |fork: &FuncId, increment: &Increment| {
        let reached = regions.get(&increment.at.0).is_some_and(|forks| forks.contains(fork));
        let alone = [&parallel.owned, &out.sums, &out.loads].iter().any(|set| set.contains(&increment.at));
        reached
            && !alone
            && (increment.elsewhere
                || increment.objects.iter().any(|o| objects[fork].iter().any(|g| shares(root, *o, *g))))
    };
    let claims = |(fork, effects): &(&FuncId, &Effects)| {
        effects.plain
            && objects.contains_key(fork)
            && !parallel.is_inside(**fork)
            && !increments.iter().any(|increment| meets(fork, increment))
    };
    let claims: BTreeSet<FuncId> = effects.iter().filter(claims).map(|(fork, _)| *fork).collect();
    out.claims = claims;
    out.kinds = kinds.into_iter().map(|single| if single { FloatKind::Float } else { FloatKind::Double }).collect();
    out
}

fn shares(root: &Context, one: ObjId, other: ObjId) -> bool {
    one == other || root.facts.same_memory(one, other)
}

fn effects(root: &Context, functions: impl Iterator<Item = FuncId>) -> Effects {
    let mut out = Effects { plain: true, ..Effects::default() };
    for id in functions {
        out.plain &= !is_fork(&root.sources[&id]);
        let cx = Context { id, func: &root.sources[&id], ..*root };
        let reducing = reducing(cx.m, cx.func);
        for (_, inst) in cx.func.inst_order() {
            let written = root.facts.writes(id, inst);
            let plain = |order: &Ordering| matches!(order, Ordering::Unordered | Ordering::Monotonic);
            match &cx.func.insts[inst].kind {
                InstKind::Store { value, ptr, align, volatile: false, atomic: None } => {
                    let size = cx.m.size_of(cx.ty(*value));
                    if size <= MOST && *align >= size.min(8) && !reducing.contains(&inst) {
                        let known = !root.facts.leads_elsewhere(cx.m, id, *ptr);
                        out.stores.push(Written { at: (id, inst), to: known.then(|| written.to_vec()) });
                        continue;
                    }
                }
                InstKind::Load { atomic: Some(atomic), .. } | InstKind::Store { atomic: Some(atomic), .. } => {
                    out.unknown |= !plain(&atomic.ordering);
                }
                InstKind::AtomicRmw { ordering, .. } => out.unknown |= !plain(ordering),
                InstKind::Fence(_) | InstKind::CmpXchg { .. } => out.unknown = true,
                kind => {
                    if let Some(call) = kind.as_call() {
                        let callee = cx.m.as_function(call.callee).map(|f| classify(cx.m, &cx.m.functions[f]));
                        let ours = !cx.facts.called(cx.m, cx.sources, (id, cx.func), inst).is_empty();
                        let reaches = call.args.iter().any(|arg| cx.m.types.is_ptr(cx.ty(*arg)));
                        match callee {
                            // All that any thread writes.
                            Some(External::Order(order)) => {
                                out.plain &= order == Order::Barrier || call.fn_attrs.has(OF_REDUCTION);
                                continue;
                            }
                            Some(External::Custom) => out.unknown = true,
                            Some(External::Inactive | External::Allocate { .. } | External::Free { .. }) => {}
                            Some(External::Copy | External::Set) => {}
                            _ => out.plain &= ours || !reaches,
                        }
                    }
                }
            }
            out.others.extend(written);
            out.unknown |= !written.is_empty() && destination(&cx, inst).is_some_and(|to| is_elsewhere(&cx, to));
        }
    }
    out
}

/// What is executed in sections in which threads add their parts of reductions.
fn reducing(m: &Module, func: &Function) -> HashSet<InstId> {
    let enters = |inst: InstId| {
        let call = func.insts[inst].kind.as_call().filter(|call| call.fn_attrs.has(OF_REDUCTION))?;
        Some(m.as_function(call.callee).is_some_and(|f| m.functions[f].name == CRITICAL))
    };
    let cfg = Cfg::new(func);
    let (mut out, mut seen) = (HashSet::default(), HashSet::default());
    // Blocks in which a section goes on, and those in which one may begin.
    let mut work: Vec<(BlockId, bool)> = func.layout.iter().map(|block| (*block, false)).collect();
    while let Some((block, mut within)) = work.pop() {
        if !seen.insert((block, within)) {
            continue;
        }
        for inst in &func.blocks[block].insts {
            within = enters(*inst).unwrap_or(within);
            if within {
                out.insert(*inst);
            }
        }
        if within {
            work.extend(cfg.succs(block).iter().map(|next| (*next, true)));
        }
    }
    out
}

/// What an instruction that is no plain store writes to, as far as one operand says.
fn destination(cx: &Context, inst: InstId) -> Option<Operand> {
    match &cx.func.insts[inst].kind {
        InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } => Some(*ptr),
        kind => kind.as_call().and_then(|call| call.args.first().copied()).filter(|to| cx.m.types.is_ptr(cx.ty(*to))),
    }
}

fn is_elsewhere(cx: &Context, to: Operand) -> bool {
    cx.facts.leads_elsewhere(cx.m, cx.id, to)
}

/// A load of floats of one kind, with the objects that it may read.
struct Lasting {
    kind: FloatKind,
    ptr: Operand,
    to: Vec<ObjId>,
}

/// A load of floats, if what it adds to their adjoints may wait for the end of the region. A function that something
/// else than a region calls, too, has no such end.
fn lasting(cx: &Context, parallel: &Parallel, inst: InstId) -> Option<Lasting> {
    let InstKind::Load { ptr, align, volatile: false, atomic: None } = cx.func.insts[inst].kind else { return None };
    let ty = cx.m.types.scalar(cx.func.insts[inst].ty);
    let kind = cx.m.types.float_kind(ty).filter(|kind| matches!(kind, FloatKind::Float | FloatKind::Double))?;
    if !cx.acts(inst)
        || parallel.outside.contains(&cx.id)
        || cx.pointer_kind(ptr) != PointerKind::Duplicated
        || is_elsewhere(cx, ptr)
        || align < cx.m.size_of(ty)
    {
        return None;
    }
    let to: Vec<ObjId> = cx.targets(ptr).into_keys().collect();
    (!to.is_empty() && to.iter().all(|o| outlasts(cx, parallel, *o))).then_some(Lasting { kind, ptr, to })
}

/// Is it the same memory for all threads of the regions, from before them until they have ended?
fn outlasts(cx: &Context, parallel: &Parallel, object: ObjId) -> bool {
    match cx.facts.objects[object].kind {
        ObjKind::External { .. } => true,
        ObjKind::Global(global) => cx.m.globals[global].thread_local.is_empty(),
        ObjKind::Stack(id, _) | ObjKind::Heap(id, _) => !parallel.is_inside(id),
        _ => false,
    }
}
