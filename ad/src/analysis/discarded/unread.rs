//! Floats that are stored, and need not be read from there.

use super::returns;
use super::same::Same;
use crate::analysis::context::Context;
use crate::analysis::loops::counters::Trips;
use crate::analysis::loops::{induction, trip_count};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::base::regions::Shape;
use crate::program::externals::{self, External};
use ir::cfg::Cfg;
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, Function, InstKind, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Elements of an array that are looked at one by one, and bytes within which they lie.
const MANY: usize = 64;
const FAR: u64 = 1 << 16;

/// In which block something is read, where in the object, and how many bytes.
type Read = (BlockId, Place, u64);

/// What a function does with an object.
#[derive(Default)]
struct Accesses {
    stores: Vec<Store>,
    /// Those of which something is not thrown away.
    reads: Vec<Read>,
    /// Is it read at all?
    is_read: bool,
}

/// A float that is stored.
struct Store {
    value: ValueId,
    block: BlockId,
    ptr: Operand,
    /// Where in the object.
    place: Place,
}

/// Floats that may be infinite, and are stored and on some way not read from there. (What the function only stores, in
/// memory that is not its own, others read.)
pub(super) fn unread(
    cx: &Context,
    shape: &Shape,
    infinite: &HashSet<ValueId>,
    discarded: &HashSet<ValueId>,
) -> Vec<ValueId> {
    let (m, func) = (cx.m, cx.func);
    if infinite.is_empty() {
        return Vec::new();
    }
    let nests = Nests::new(cx, shape);
    let mut accesses: BTreeMap<ObjId, Accesses> = BTreeMap::new();
    for (block, inst) in func.inst_order() {
        let data = &func.insts[inst];
        let mut reads = |address: Operand, size: u64| {
            for (object, place) in cx.targets(address) {
                let found = accesses.entry(object).or_default();
                found.is_read = true;
                if data.result.is_none_or(|v| !discarded.contains(&v)) {
                    found.reads.push((block, place, size));
                }
            }
        };
        match &data.kind {
            InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                reads(*ptr, m.size_of(data.ty));
            }
            InstKind::Store { value: Operand::Local(v), ptr, .. } if infinite.contains(v) => {
                for (object, place) in cx.targets(*ptr) {
                    accesses.entry(object).or_default().stores.push(Store { value: *v, block, ptr: *ptr, place });
                }
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let callee = m.as_function(call.callee).map(|f| &m.functions[f]);
                if callee.is_none_or(|f| self::reads(m, f)) {
                    call.args.iter().for_each(|arg| reads(*arg, u64::MAX));
                }
            }
            _ => {}
        }
    }
    let mut work = Vec::new();
    // A variable of the function, or memory that it allocates.
    let is_local = |object: ObjId| match cx.facts.objects[object].kind {
        ObjKind::Stack(f, _) | ObjKind::Heap(f, _) => f == cx.id,
        _ => false,
    };
    for (object, Accesses { stores, reads, is_read }) in &accesses {
        let local = is_local(*object);
        if !*is_read && !local {
            continue;
        }
        let unread = |store: &&Store| {
            let ty = func.value_ty(store.value);
            let (size, lane) = (m.size_of(ty), m.size_of(m.types.scalar(ty)).max(1));
            let lanes = (0..size).step_by(lane as usize);
            lanes.flat_map(|offset| members(store.place.moved(offset as i64, 0))).any(|there| {
                let meet = |(_, read, size): &&Read| *size == u64::MAX || there.overlaps(lane, *read, *size);
                let one = |place: Place| (place.stride, place.extent()) == (0, 0);
                let all = |(block, read, _): &&Read| one(there) && one(*read) || nests.agree(*block, store.block);
                let beside = |(read, ..): &Read| in_loops(cx, shape, (*read, store.block));
                let passed: BTreeSet<BlockId> = reads.iter().filter(meet).filter(all).flat_map(beside).collect();
                !passed.contains(&store.block)
                    && returns_without(func, &shape.cfg, store.block, &passed)
                    && (local || !nests.is_read_in_turns(cx, store, &passed))
            })
        };
        work.extend(stores.iter().filter(unread).map(|store| store.value));
    }
    work
}

/// The places of an array that has few, one by one.
fn members(place: Place) -> Vec<Place> {
    let few = place.stride == 0 && place.extent() < FAR;
    let end = place.start.saturating_add_unsigned(place.extent() + 1);
    let members = place.members(place.start, end).take(MANY + 1).map(Place::at);
    Some(members.collect()).filter(|members: &Vec<Place>| few && members.len() <= MANY).unwrap_or(vec![place])
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
    same: Same,
}

impl Nests<'_> {
    fn new<'a>(cx: &Context, shape: &'a Shape) -> Nests<'a> {
        let counters = induction::all(cx, shape);
        let trips = shape.loops.loops.keys().filter_map(|l| Some((l, trip_count::of(cx, shape, &counters, l)?)));
        Nests { shape, trips: trips.collect(), same: Same::new(cx) }
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
            let trips = self.trips.get(l)?;
            let [start, bound] = [trips.start, trips.bound].map(|end| self.same.of(end));
            Some((start, bound, trips.stay, trips.after, trips.down, trips.step))
        };
        let (reads, mut stores) = (around(read, stored), around(stored, read));
        reads.iter().all(|l| {
            let same = stores.iter().position(|store| far(store).is_some() && far(store) == far(l));
            same.map(|at| stores.remove(at)).is_some()
        }) && stores.is_empty()
    }

    /// Is a loop around those that store all of it, in which one of these blocks is passed before it is stored anew?
    /// Then it is what the loop works with, and what it leaves behind, in memory of the caller, is a result.
    fn is_read_in_turns(&self, cx: &Context, store: &Store, passed: &BTreeSet<BlockId>) -> bool {
        let Shape { cfg, loops, .. } = self.shape;
        let moving = moving(cx, self.shape, store.ptr);
        let (mut outermost, mut at) = (None, self.shape.region(store.block));
        while let Some(l) = at {
            outermost = if moving.contains(&l) { Some(l) } else { outermost };
            at = self.shape.parent(l);
        }
        let turns = match outermost {
            Some(l) => self.shape.parent(l),
            None => self.shape.region(store.block),
        };
        let anew = outermost.map_or(store.block, |l| loops.loops[l].header);
        let inside = |block: BlockId| outermost.is_some_and(|l| loops.contains(l, block));
        let (mut seen, mut work) = (BTreeSet::new(), vec![store.block]);
        while let Some(at) = work.pop() {
            for next in cfg.succs(at) {
                // Another iteration reads another element.
                if !inside(at) && *next == anew {
                    return false;
                }
                if !passed.contains(next) && seen.insert(*next) {
                    work.push(*next);
                }
            }
        }
        turns.is_some()
    }
}

/// The loops whose iterations move an address.
fn moving(cx: &Context, shape: &Shape, ptr: Operand) -> BTreeSet<LoopId> {
    let (func, mut out) = (cx.func, BTreeSet::new());
    let (mut seen, mut work) = (HashSet::default(), vec![ptr]);
    while let Some(operand) = work.pop() {
        let v = operand.local().filter(|v| seen.insert(*v));
        let Some(inst) = v.and_then(|v| func.def_inst(v)) else { continue };
        let kind = &func.insts[inst].kind;
        if let (InstKind::Phi { .. }, Some(block)) = (kind, shape.block(inst)) {
            out.extend(shape.region(block).filter(|l| shape.loops.loops[*l].header == block));
        }
        work.extend(kind.operands());
    }
    out
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
            [one] => Some(*one).filter(asks),
            _ => None,
        };
        out.insert(before);
        at = guard.unwrap_or(before);
        out.insert(at);
    }
    out
}

/// Is there a way from a block to where the function returns, past none of these?
fn returns_without(func: &Function, cfg: &Cfg, from: BlockId, past: &BTreeSet<BlockId>) -> bool {
    let (mut seen, mut work) = (BTreeSet::from([from]), vec![from]);
    while let Some(at) = work.pop() {
        if returns(func, at) {
            return true;
        }
        work.extend(cfg.succs(at).iter().filter(|next| !past.contains(next) && seen.insert(**next)));
    }
    false
}
