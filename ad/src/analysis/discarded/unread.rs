//! What is stored, and on some way not read from there.
//!
//! Ways are followed by instructions and blocks, not by elements: what the iterations of a loop store, those of another
//! one that runs as far are taken to read.

use super::{made_of, returns};
use crate::analysis::context::Context;
use crate::analysis::loops::counters::Trips;
use crate::analysis::loops::{induction, trip_count};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::base::regions::Shape;
use crate::program::externals::{self, External};
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, FuncId, Function, Inst, InstId, InstKind, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Floats of which something that may be infinite is stored, and on some way not read, unless what is read is thrown
/// away. (What the function only stores, in memory that is not its own, others read.)
pub(super) fn of(
    cx: &Context,
    shape: &Shape,
    infinite: &HashSet<ValueId>,
    discarded: &HashSet<ValueId>,
) -> HashSet<ValueId> {
    let (m, func) = (cx.m, cx.func);
    if infinite.is_empty() {
        return HashSet::default();
    }
    let nests = Nests::new(cx, shape);
    let mut work = given_to_callers(cx, infinite);
    for (object, accesses) in accesses(cx, infinite, discarded) {
        let is_local = is_local(cx, object);
        let unread = |(v, store): &&(ValueId, Access)| {
            let ty = func.value_ty(*v);
            let (size, lane) = (m.size_of(ty), m.size_of(m.types.scalar(ty)).max(1));
            (0..size).step_by(lane as usize).any(|offset| {
                let lane = Access { place: store.place.moved(offset as i64, 0), size: lane, ..*store };
                accesses.need_not_read(cx, &nests, &lane, is_local)
            })
        };
        work.extend(accesses.stores.iter().filter(unread).map(|(v, _)| *v));
    }
    made_of(m, func, work)
}

/// A variable of the function, or memory that it allocates.
fn is_local(cx: &Context, object: ObjId) -> bool {
    match cx.facts.objects[object].kind {
        ObjKind::Stack(f, _) | ObjKind::Heap(f, _) => f == cx.id,
        _ => false,
    }
}

/// What may be infinite, and is returned or left in memory of others by a function that others call. What they do with
/// it is their business.
fn given_to_callers(cx: &Context, infinite: &HashSet<ValueId>) -> Vec<ValueId> {
    let (m, func) = (cx.m, cx.func);
    let names = |inst: &Inst| inst.kind.operands().iter().any(|operand| m.as_function(*operand) == Some(cx.id));
    if !cx.sources.values().any(|other| other.insts.values().any(names)) {
        return Vec::new();
    }
    let given = func.inst_order().filter_map(|(_, inst)| match &func.insts[inst].kind {
        InstKind::Ret(Some(value)) => value.local(),
        InstKind::Store { value, ptr, .. } if cx.targets(*ptr).keys().any(|object| !is_local(cx, *object)) => {
            value.local()
        }
        _ => None,
    });
    given.filter(|v| infinite.contains(v)).collect()
}

/// An access of an object: where in it, and how many bytes.
#[derive(Clone, Copy)]
struct Access {
    inst: InstId,
    block: BlockId,
    place: Place,
    size: u64,
}

impl Access {
    fn overlaps(&self, other: &Access) -> bool {
        self.size == u64::MAX || other.size == u64::MAX || self.place.overlaps(self.size, other.place, other.size)
    }
}

/// What a function does with an object.
#[derive(Default)]
struct Accesses {
    /// The stores of what may be infinite.
    stores: Vec<(ValueId, Access)>,
    /// All writes.
    writes: Vec<Access>,
    /// The reads, if what is read is neither thrown away nor only compared.
    reads: Vec<Access>,
    /// Is it read at all?
    is_read: bool,
}

fn accesses(cx: &Context, infinite: &HashSet<ValueId>, discarded: &HashSet<ValueId>) -> BTreeMap<ObjId, Accesses> {
    let (m, func) = (cx.m, cx.func);
    let used = used(cx);
    let mut written: HashMap<FuncId, BTreeSet<ObjId>> = HashMap::default();
    let mut out: BTreeMap<ObjId, Accesses> = BTreeMap::new();
    for (block, inst) in func.inst_order() {
        let data = &func.insts[inst];
        let mut reads = |address: Operand, size: u64| {
            for (object, place) in cx.targets(address) {
                let found = out.entry(object).or_default();
                found.is_read = true;
                if data.result.is_none_or(|v| !discarded.contains(&v) && used.contains(&v)) {
                    found.reads.push(Access { inst, block, place, size });
                }
            }
        };
        match &data.kind {
            InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                reads(*ptr, m.size_of(data.ty));
            }
            InstKind::Store { value, ptr, .. } => {
                let size = m.size_of(cx.ty(*value));
                for (object, place) in cx.targets(*ptr) {
                    let (found, access) = (out.entry(object).or_default(), Access { inst, block, place, size });
                    found.writes.push(access);
                    if let Some(v) = value.local().filter(|v| infinite.contains(v)) {
                        found.stores.push((v, access));
                    }
                }
                continue;
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let callee = m.as_function(call.callee).map(|f| &m.functions[f]);
                if callee.is_none_or(|f| self::reads(m, f)) {
                    call.args.iter().for_each(|arg| reads(*arg, u64::MAX));
                }
            }
            _ => {}
        }
        let called = cx.facts.called(m, cx.sources, (cx.id, func), inst);
        let by_called = called.into_iter().flat_map(|f| written.entry(f).or_insert_with(|| writes(cx, f)).clone());
        for object in cx.facts.writes(cx.id, inst).iter().copied().chain(by_called) {
            out.entry(object).or_default().writes.push(Access { inst, block, place: Place::at(0), size: u64::MAX });
        }
    }
    out
}

/// What a function of ours writes, and those that it calls.
fn writes(cx: &Context, id: FuncId) -> BTreeSet<ObjId> {
    let (mut out, mut seen, mut work) = (BTreeSet::new(), BTreeSet::from([id]), vec![id]);
    while let Some(id) = work.pop() {
        let func = &cx.sources[&id];
        for (_, inst) in func.inst_order() {
            out.extend(cx.facts.writes(id, inst));
            work.extend(cx.facts.called(cx.m, cx.sources, (id, func), inst).into_iter().filter(|f| seen.insert(*f)));
        }
    }
    out
}

/// Floats of which more comes than comparisons.
fn used(cx: &Context) -> HashSet<ValueId> {
    let (m, func) = (cx.m, cx.func);
    let is_value = |inst: InstId| match &func.insts[inst].kind {
        InstKind::FCmp { .. } => true,
        InstKind::Call(call) => m
            .as_function(call.callee)
            .is_some_and(|f| matches!(externals::classify(m, &m.functions[f]), External::Rule(_) | External::Inactive)),
        InstKind::Load { .. } | InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => false,
        _ => func.insts[inst].result.is_some_and(|v| externals::holds_float(m, func.value_ty(v))),
    };
    let mut out = HashSet::default();
    let mut work: Vec<InstId> = func.inst_order().map(|(_, inst)| inst).filter(|inst| !is_value(*inst)).collect();
    while let Some(inst) = work.pop() {
        let operands = func.insts[inst].kind.operands().into_iter().filter_map(|operand| operand.local());
        for v in operands.filter(|v| externals::holds_float(m, func.value_ty(*v)) && out.insert(*v)) {
            work.extend(func.def_inst(v));
        }
    }
    out
}

impl Accesses {
    /// Is there a way from a store on which it is written again before it is read, or to where the function returns?
    fn need_not_read(&self, cx: &Context, nests: &Nests, store: &Access, is_local: bool) -> bool {
        let (func, shape) = (cx.func, nests.shape);
        let reads: Vec<&Access> =
            self.reads.iter().filter(|read| read.overlaps(store) && nests.agree(read.block, store.block)).collect();
        let writes: HashSet<InstId> =
            self.writes.iter().filter(|write| write.overlaps(store)).map(|w| w.inst).collect();
        let read_at: HashSet<InstId> = reads.iter().map(|read| read.inst).collect();
        let beside: BTreeSet<BlockId> =
            reads.iter().flat_map(|read| in_loops(cx, shape, (read.block, store.block))).collect();
        let InstKind::Store { ptr, .. } = func.insts[store.inst].kind else { return false };
        // The same address in each iteration?
        let around = shape.region(store.block);
        let is_same = ptr.local().is_none_or(|v| shape.home(func, v) != around);
        let insts = |block: BlockId| func.blocks[block].insts.iter().copied();
        // What comes of it in a block: read, overwritten, or neither.
        let ends = |mut insts: Box<dyn Iterator<Item = InstId>>| {
            insts.find_map(|inst| match () {
                () if read_at.contains(&inst) => Some(false),
                () if inst == store.inst => Some(is_same),
                () if writes.contains(&inst) => Some(true),
                () => None,
            })
        };
        let mut seen = BTreeSet::new();
        let mut work = vec![(store.block, true)];
        while let Some((block, first)) = work.pop() {
            let skipped = insts(block).position(|inst| first && inst == store.inst).map_or(0, |at| at + 1);
            match ends(Box::new(insts(block).skip(skipped))) {
                Some(true) => return true,
                Some(false) => continue,
                None if returns(func, block) && (self.is_read || is_local) => return true,
                None => {}
            }
            let next = shape
                .cfg
                .succs(block)
                .iter()
                .filter(|next| !beside.contains(next) || reads.iter().any(|read| read.block == **next));
            work.extend(next.filter(|next| seen.insert(**next)).map(|next| (*next, false)));
        }
        false
    }
}

/// Does a function read numbers, with derivatives, of memory whose address it gets? What one with a body reads is its
/// own business.
fn reads(m: &Module, callee: &Function) -> bool {
    match externals::classify(m, callee) {
        External::Free { .. } | External::Set | External::Inactive => false,
        External::Unknown => callee.is_declaration(),
        _ => true,
    }
}

/// How far the loops of a function run.
struct Nests<'a> {
    shape: &'a Shape,
    trips: HashMap<LoopId, Trips>,
}

impl Nests<'_> {
    fn new<'a>(cx: &Context, shape: &'a Shape) -> Nests<'a> {
        let counters = induction::all(cx, shape);
        let trips = shape.loops.loops.keys().filter_map(|l| Some((l, trip_count::of(cx, shape, &counters, l)?)));
        Nests { shape, trips: trips.collect() }
    }

    /// Do the loops in which a block reads run as far as those in which the other one stores, so that it is likely to
    /// read all of it? A triangle of a square, or all but the first element, is not all.
    fn agree(&self, read: BlockId, stored: BlockId) -> bool {
        let around = |block: BlockId, other: BlockId| {
            let mut at = self.shape.region(block);
            let mut out = Vec::new();
            while let Some(l) = at.filter(|l| !self.shape.loops.contains(*l, other)) {
                out.push(l);
                at = self.shape.parent(l);
            }
            out
        };
        let far = |l: &LoopId| {
            self.trips.get(l).map(|trips| (trips.start, trips.bound, trips.stay, trips.after, trips.down, trips.step))
        };
        let (reads, mut stores) = (around(read, stored), around(stored, read));
        reads.iter().all(|l| {
            let same = stores.iter().position(|store| far(store).is_some() && far(store) == far(l));
            same.map(|at| stores.remove(at)).is_some()
        }) && stores.is_empty()
    }
}

/// A block that reads what another one stores, and those before loops that come to it in each iteration: loops are
/// taken for executed, also where a comparison of integers decides it.
fn in_loops(cx: &Context, shape: &Shape, (read, stored): (BlockId, BlockId)) -> BTreeSet<BlockId> {
    let (func, Shape { cfg, dom, loops, .. }) = (cx.func, shape);
    let (mut at, mut out) = (read, BTreeSet::from([read]));
    while let Some(l) = loops.innermost(at).filter(|l| !loops.contains(*l, stored)) {
        let data = &loops.loops[l];
        if !data.latches.iter().all(|latch| dom.dominates(at, *latch)) {
            break;
        }
        out.insert(data.header);
        let Some(before) = loops.preheader(cfg, l) else { break };
        let asks = |block: &BlockId| {
            let condition = match func.terminator(*block).map(|inst| &func.insts[inst].kind) {
                Some(InstKind::CondBr { cond, .. }) => cond.local().and_then(|v| func.def_inst(v)),
                _ => None,
            };
            condition.is_some_and(|inst| matches!(func.insts[inst].kind, InstKind::ICmp { .. }))
        };
        let guard = match cfg.preds(before) {
            // Of a loop before it, that is the end.
            [one] => Some(*one).filter(|one| loops.innermost(*one) == loops.innermost(before)).filter(asks),
            _ => None,
        };
        out.insert(before);
        at = guard.unwrap_or(before);
        out.insert(at);
    }
    out
}
