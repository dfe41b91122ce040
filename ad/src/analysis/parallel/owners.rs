//! Which adjoints are added to by one thread alone, although all threads could.
//!
//! *By what is written.* A thread that loads `x[i]` and stores `y[i]` in the same phase, where `x` and `y` are the same
//! in all threads, is the only one in that phase that stores that `y[i]`: another one would race with it, and the
//! program has no data race. So it is the only one that loads the `x[i]` which lies as far from `x`: bytes of `x` have
//! the owners of bytes of `y`. That holds for any schedule and needs no knowledge of loops. All increments of what `x`
//! may be have to be owned in this way, by the same `y` at the same distance, or be of other bytes than these. A thread
//! that stores the very bytes that it loads is alone with them under any name: whoever else loads them in that phase
//! races with the store.
//!
//! *Uniform.* What all threads load from one address, and none of them writes, has its sum in each thread first, and is
//! added to the adjoint once, when the function has been reversed.

use super::Parallel;
use super::uniform::{Address, Known, Uniform};
use crate::analysis::context::Context;
use crate::analysis::memory::object::ObjId;
use crate::analysis::memory::query::PointerKind;
use crate::normalise::fork::is_fork;
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use ir::cfg::Cfg;
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, FloatKind, FuncId, InstId, InstKind, Operand, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// An increment of the reverse pass, by what it is the reverse of.
pub(super) struct Increment {
    pub(super) at: (FuncId, InstId),
    pub(super) objects: Vec<ObjId>,
    /// The pointer may lead to more.
    pub(super) elsewhere: bool,
    /// Where, and how many bytes.
    address: Option<(Address, u64)>,
    /// The store whose bytes' owner owns these, with the distance.
    owner: Option<(Uniform, i64)>,
    /// It is the reverse of nothing but a read.
    read: bool,
    /// Threads may have made that read that do not use it: they add zero.
    ahead: bool,
}

impl Increment {
    /// Does its thread store the bytes that it loads, in the same phase?
    fn is_overwritten(&self) -> bool {
        let this = self.address.as_ref().map(|(address, _)| (address.base.clone(), 0));
        self.owner.is_some() && self.owner == this
    }
}

/// The regions that reach each function.
pub(super) type Regions = BTreeMap<FuncId, BTreeSet<FuncId>>;

/// Finds the increments that need no protection, and those that are of uniform addresses. All of them, and the regions
/// that reach them.
pub(super) fn find(root: &Context, parallel: &mut Parallel) -> (Vec<Increment>, Regions) {
    let regions = regions(root, parallel);
    let written = written(root, parallel);
    let parameters = parameters(root, parallel, &written);
    let known = Known { parameters: &parameters, written: &written };
    let mut increments = Vec::new();
    for id in parallel.inside.clone() {
        let cx = Context { id, func: &root.sources[&id], ..*root };
        let increments_of = of_function(&cx, parallel, &known);
        increments.extend(increments_of);
    }
    let mut owned: Vec<bool> = increments.iter().map(|i| i.owner.is_some()).collect();
    let together = |a: &Increment, b: &Increment| {
        let (a, b) = (&regions[&a.at.0], &regions[&b.at.0]);
        a.intersection(b).next().is_some()
    };
    while {
        let mut fewer = false;
        for (n, increment) in increments.iter().enumerate() {
            if !owned[n] {
                continue;
            }
            let clashes = |(k, other): (usize, &Increment)| {
                k != n && together(increment, other) && clash(root, increment, (other, owned[k]))
            };
            if increments.iter().enumerate().any(clashes) {
                owned[n] = false;
                fewer = true;
            }
        }
        fewer
    } {}
    for (increment, owned) in increments.iter().zip(owned) {
        if owned {
            parallel.owned.insert(increment.at);
        }
    }
    for increment in &increments {
        let cx = Context { id: increment.at.0, func: &root.sources[&increment.at.0], ..*root };
        if !parallel.owned.contains(&increment.at) && is_uniform(&cx, increment, &written) {
            parallel.uniform.insert(increment.at);
        }
    }
    (increments, regions)
}

/// The regions that reach each function.
fn regions(root: &Context, parallel: &Parallel) -> Regions {
    let mut out = Regions::new();
    if parallel.is_everywhere(root.sources) {
        // Whoever makes a thread, or a task, goes on beside it.
        return parallel.inside.iter().map(|id| (*id, BTreeSet::from([root.id]))).collect();
    }
    for (fork, _) in root.sources.iter().filter(|(_, f)| is_fork(f)) {
        let mut work = called(root, *fork);
        while let Some(id) = work.pop() {
            if parallel.inside.contains(&id) && out.entry(id).or_default().insert(*fork) {
                work.extend(called(root, id));
            }
        }
    }
    out
}

fn called(root: &Context, id: FuncId) -> Vec<FuncId> {
    let func = &root.sources[&id];
    func.inst_order().flat_map(|(_, inst)| root.facts.called(root.m, root.sources, (id, func), inst)).collect()
}

fn orders(root: &Context, id: FuncId, inst: InstId) -> bool {
    crate::program::externals::orders_threads(root.m, &root.sources[&id].insts[inst])
}

/// What the threads write.
fn written(root: &Context, parallel: &Parallel) -> HashSet<ObjId> {
    let mut out = HashSet::default();
    for id in &parallel.inside {
        let func = &root.sources[id];
        for (_, inst) in func.inst_order().filter(|(_, inst)| !orders(root, *id, *inst)) {
            out.extend(root.facts.writes(*id, inst));
        }
    }
    // What one object may be under another name.
    let names: Vec<ObjId> = root.facts.objects.keys().collect();
    let others: Vec<ObjId> =
        names.iter().filter(|o| out.iter().any(|w| root.facts.same_memory(*w, **o))).copied().collect();
    out.extend(others);
    out
}

/// Parameters that get the same in all threads, wherever these call the function.
fn parameters(root: &Context, parallel: &Parallel, written: &HashSet<ObjId>) -> HashSet<(FuncId, usize)> {
    let sources: &Sources = root.sources;
    let mut out: HashSet<(FuncId, usize)> = HashSet::default();
    for id in &parallel.inside {
        out.extend((0..sources[id].params.len()).map(|i| (*id, i)));
    }
    loop {
        let before = out.len();
        let known = Known { parameters: &out, written };
        let mut given: HashMap<(FuncId, usize), Option<Address>> = HashMap::default();
        for (id, func) in sources {
            let cx = Context { id: *id, func, ..*root };
            for (_, inst) in func.inst_order() {
                let Some(call) = func.insts[inst].kind.as_call() else { continue };
                for f in root.facts.called(root.m, sources, (*id, func), inst) {
                    for i in (0..sources[&f].params.len()).filter(|i| out.contains(&(f, *i))) {
                        let of_thread = is_fork(func) && i < 2;
                        // Outside of regions there is one thread; what a fork gets there, all threads get.
                        if !parallel.inside.contains(id) && !of_thread {
                            continue;
                        }
                        let address = call.args.get(i).and_then(|arg| known.address(&cx, *arg));
                        let address = address.filter(|a| !of_thread && a.terms.is_empty() && a.at == 0);
                        // All calls have to give the same.
                        let known = given.entry((f, i)).or_insert_with(|| address.clone());
                        if *known != address {
                            *known = None;
                        }
                    }
                }
            }
        }
        out.retain(|parameter| !matches!(given.get(parameter), Some(None)));
        if out.len() == before {
            return out;
        }
    }
}

/// The increments of a function.
fn of_function(cx: &Context, parallel: &Parallel, known: &Known) -> Vec<Increment> {
    let cfg = Cfg::new(cx.func);
    let mut out = Vec::new();
    for (block, inst) in cx.func.inst_order() {
        let (ptr, load) = match &cx.func.insts[inst].kind {
            InstKind::Load { ptr, .. } if cx.acts(inst) => (*ptr, true),
            InstKind::Call(call) => match cx.m.as_function(call.callee).map(|f| classify(cx.m, &cx.m.functions[f])) {
                Some(External::Copy) => (call.args[1], false),
                // What a gradient of the program's own adds to.
                Some(External::Custom) => {
                    let more = call.args.iter().filter(|arg| cx.m.types.is_ptr(cx.ty(**arg)));
                    out.extend(more.map(|arg| Increment {
                        at: (cx.id, inst),
                        objects: cx.targets(*arg).into_keys().collect(),
                        elsewhere: cx.facts.leads_elsewhere(cx.m, cx.id, *arg),
                        address: None,
                        owner: None,
                        read: false,
                        ahead: false,
                    }));
                    continue;
                }
                _ => continue,
            },
            InstKind::AtomicRmw { ptr, .. } => (*ptr, false),
            _ => continue,
        };
        if !parallel.is_shared(cx.m, cx.facts, cx.id, ptr) {
            continue;
        }
        let size = cx.m.size_of(cx.func.insts[inst].ty);
        let address = known.address(cx, ptr).filter(|_| load);
        let read = |address| Read { at: (block, inst), address, size, cfg: &cfg };
        let owner = address.as_ref().and_then(|address| owner(cx, (parallel, known), &read(address)));
        out.push(Increment {
            at: (cx.id, inst),
            objects: cx.targets(ptr).into_keys().collect(),
            elsewhere: cx.facts.leads_elsewhere(cx.m, cx.id, ptr),
            address: address.map(|a| (a, size)),
            owner,
            read: true,
            ahead: parallel.ahead.values().flatten().any(|load| load.by == (cx.id, inst)),
        });
    }
    out
}

/// A store that is executed in the phase of a load whenever that is, and of the same values: at which uniform distance
/// its bytes lie. That of the bytes that are loaded, if there is one.
fn owner(cx: &Context, (parallel, known): (&Parallel, &Known), load: &Read) -> Option<(Uniform, i64)> {
    if load.address.terms.is_empty() {
        return None;
    }
    let mut stores: BTreeMap<(Uniform, i64), HashSet<InstId>> = BTreeMap::new();
    for (_, inst) in cx.func.inst_order() {
        let InstKind::Store { value, ptr, volatile: false, atomic: None, .. } = cx.func.insts[inst].kind else {
            continue;
        };
        if !parallel.is_shared(cx.m, cx.facts, cx.id, ptr) || cx.m.size_of(cx.ty(value)) < load.size {
            continue;
        }
        let Some(at) = known.address(cx, ptr).filter(|at| at.terms == load.address.terms) else { continue };
        if let Some(distance) = at.at.checked_sub(load.address.at) {
            stores.entry((at.base, distance)).or_default().insert(inst);
        }
    }
    let own = (load.address.base.clone(), 0);
    let first = stores.remove_entry(&own);
    first.into_iter().chain(stores).find(|(_, stores)| load.meets(cx, stores)).map(|(owner, _)| owner)
}

/// A load, and where it looks.
struct Read<'a> {
    at: (BlockId, InstId),
    address: &'a Address,
    size: u64,
    cfg: &'a Cfg,
}

impl Read<'_> {
    /// Does one of these stores come before on each way to the load, or behind it on each way on, in the same phase
    /// and of the same values?
    fn meets(&self, cx: &Context, stores: &HashSet<InstId>) -> bool {
        self.passes(cx, stores, true) || self.passes(cx, stores, false)
    }

    fn passes(&self, cx: &Context, stores: &HashSet<InstId>, onwards: bool) -> bool {
        // Blocks that are looked at.
        const MOST: usize = 256;
        let (block, load) = self.at;
        let insts = &cx.func.blocks[block].insts;
        let Some(at) = insts.iter().position(|inst| *inst == load) else { return false };
        let ahead = if onwards { &insts[at + 1..] } else { &insts[..at] };
        let mut work = Vec::new();
        let mut seen: HashSet<BlockId> = HashSet::default();
        let mut walk = |block: BlockId, insts: &[InstId], work: &mut Vec<BlockId>| {
            let mut ordered: Vec<InstId> = insts.to_vec();
            if !onwards {
                ordered.reverse();
            }
            for inst in ordered {
                if stores.contains(&inst) {
                    return true;
                }
                let anew = |v| self.address.terms.iter().any(|(_, term)| *term == v);
                if breaks_phase(cx, inst) || cx.func.insts[inst].result.is_some_and(anew) {
                    return false;
                }
            }
            let next = if onwards { self.cfg.succs(block) } else { self.cfg.preds(block) };
            work.extend(next.iter().filter(|b| seen.insert(**b)));
            // A way that ends was without the store.
            !next.is_empty() && seen.len() <= MOST
        };
        if !walk(block, ahead, &mut work) {
            return false;
        }
        while let Some(block) = work.pop() {
            if !walk(block, &cx.func.blocks[block].insts, &mut work) {
                return false;
            }
        }
        true
    }
}

/// May the instruction begin another phase, in which other threads write?
fn breaks_phase(cx: &Context, inst: InstId) -> bool {
    let kind = &cx.func.insts[inst].kind;
    let ours = || !cx.facts.called(cx.m, cx.sources, (cx.id, cx.func), inst).is_empty();
    match kind.as_call() {
        Some(call) => match cx.m.as_function(call.callee).map(|f| classify(cx.m, &cx.m.functions[f])) {
            Some(External::Order(_) | External::Custom) | None => true,
            Some(External::Unknown) => ours() || !cx.m.as_function(call.callee).is_some_and(|f| harmless(cx, f)),
            Some(_) => false,
        },
        None => matches!(kind, InstKind::Fence(_) | InstKind::CmpXchg { .. }),
    }
}

/// An intrinsic that nothing is known of orders no threads.
fn harmless(cx: &Context, f: FuncId) -> bool {
    cx.m.functions[f].name.starts_with("llvm.")
}

/// May two increments of one region meet, although the first is owned?
fn clash(root: &Context, one: &Increment, (other, owned): (&Increment, bool)) -> bool {
    let share = |a: &ObjId, b: &ObjId| a == b || root.facts.same_memory(*a, *b);
    let meet =
        one.elsewhere || other.elsewhere || one.objects.iter().any(|a| other.objects.iter().any(|b| share(a, b)));
    let reads = other.read && !other.ahead && (one.is_overwritten() || owned && other.is_overwritten());
    if !meet || reads {
        return false;
    }
    let (Some((this, size)), Some((that, other_size))) = (&one.address, &other.address) else { return true };
    if this.base != that.base {
        return true;
    }
    if owned && one.owner == other.owner {
        return false;
    }
    // Members of the elements of one array.
    let strides = this.terms.iter().chain(&that.terms).map(|(scale, _)| scale.unsigned_abs());
    let Ok(stride) = i64::try_from(strides.fold(0, gcd)) else { return true };
    if stride == 0 {
        return true;
    }
    let distance = that.at.wrapping_sub(this.at).rem_euclid(stride).unsigned_abs();
    !(distance >= *size && distance + other_size <= stride.unsigned_abs())
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Is it of an address that the function is given, or of a variable, where no thread writes, in a loop?
fn is_uniform(cx: &Context, increment: &Increment, written: &HashSet<ObjId>) -> bool {
    let InstKind::Load { ptr, volatile: false, atomic: None, .. } = cx.func.insts[increment.at.1].kind else {
        return false;
    };
    let given = match ptr {
        Operand::Local(v) => matches!(cx.func.values[v].def, ValueDef::Param(_)),
        Operand::Const(_) => true,
    };
    given
        && cx.pointer_kind(ptr) == PointerKind::Duplicated
        && !increment.elsewhere
        && increment.address.as_ref().is_some_and(|(a, _)| a.terms.is_empty())
        && increment.objects.iter().all(|o| !written.contains(o))
        && matches!(cx.m.types.float_kind(cx.func.insts[increment.at.1].ty), Some(FloatKind::Float | FloatKind::Double))
}
