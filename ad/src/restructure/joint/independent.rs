//! Loops that only write the caller's memory, whose iterations may be independent of each other: residuals, stencils,
//! maps.
//!
//! Such an iteration can be executed when it is reversed if
//!
//! 1. nothing is left of the loop but what it has written, and what comes after it neither reads that nor writes what
//!    the loop accesses;
//! 2. no iteration writes what another one reads or writes, as they are executed in another order, the last one first.
//!
//! The first is told by the analyses of memory. They cannot tell the second of arrays that the caller gives, as they
//! may overlap, so it is asked for when the loop is entered (LLVM's loop vectoriser does the same). Two accesses of
//! different iterations are apart, if one of them is a store and
//!
//! - either all addresses of the one are below those of the other ([`crate::restructure::joint::bounds`]);
//! - or both move by the same stride, and in the first iteration both lie within so many bytes: then each iteration has
//!   a piece of memory of its own.

use crate::analysis::context::{Callee, Context};
use crate::analysis::loops::counters::Induction;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::base::regions::Shape;
use crate::program::externals::External;
use crate::restructure::joint;
use crate::restructure::joint::bounds::{Ends, Num, Truth};
use crate::restructure::joint::reduction::Shell;
use crate::restructure::joint::terms::{Term, Terms};
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, InstId, InstKind, IntPred, Operand, ValueId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many accesses are compared with each other at most.
const MOST: usize = 64;

/// An access of the loop.
#[derive(Debug)]
pub(super) struct Access {
    pub inst: InstId,
    store: bool,
    address: Rc<Term>,
    /// How far the address moves in an iteration of the loop, if always as far.
    stride: Option<Rc<Term>>,
    size: i64,
    /// The pointer that the address begins with.
    root: Operand,
}

/// The accesses that must be apart, if the loop is one of these.
pub(super) fn of(
    (cx, shape): (&Context, &Shape),
    counters: &HashMap<ValueId, Induction>,
    shell: &Shell,
) -> Option<Vec<Access>> {
    let l = shell.of;
    let insts = || shape.loops.loops[l].blocks.iter().flat_map(|b| cx.func.blocks[*b].insts.iter().copied());
    let mut terms = Terms::new(cx, shape, counters, l);
    let mut accesses = Vec::new();
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    for inst in insts() {
        let data = &cx.func.insts[inst];
        let (ptr, ty, store) = match data.kind {
            InstKind::Load { ptr, volatile: false, atomic: None, .. } => (ptr, data.ty, false),
            InstKind::Store { value, ptr, volatile: false, atomic: None, .. } => (ptr, cx.ty(value), true),
            _ if joint::is_pure(cx, inst) => continue,
            _ => return None,
        };
        let targets: Vec<ObjId> = cx.targets(ptr).into_keys().collect();
        let is_callers = |o: &ObjId| matches!(cx.facts.objects[*o].kind, ObjKind::External { .. });
        let told = !targets.is_empty() && !cx.facts.leads_elsewhere(cx.m, cx.id, ptr);
        if store {
            if !told || !targets.iter().all(is_callers) || cx.moves_shadow(inst) {
                return None;
            }
            written.extend(targets);
        } else {
            if cx.facts.reloads.load(cx.id, inst) {
                continue;
            }
            if !told || !targets.iter().all(is_callers) {
                return None;
            }
            read.extend(targets);
        }
        let address = terms.of(ptr)?;
        let (stride, size) = (address.stride(l), i64::try_from(cx.m.size_of(ty)).ok().filter(|s| *s < 1 << 20)?);
        accesses.push(Access { inst, store, address, stride, size, root: terms.root(ptr) });
    }
    let few = accesses.len() <= MOST && !written.is_empty();
    (few && is_last((cx, shape), shell.exit.1, (&read, &written))).then_some(accesses)
}

/// Does nothing that may come after the loop read what it writes, or write what it accesses?
fn is_last(
    (cx, shape): (&Context, &Shape),
    exit: BlockId,
    (read, written): (&BTreeSet<ObjId>, &BTreeSet<ObjId>),
) -> bool {
    let mut after = BTreeSet::from([exit]);
    let mut work = vec![exit];
    while let Some(block) = work.pop() {
        work.extend(shape.cfg.succs(block).iter().copied().filter(|s| after.insert(*s)));
    }
    let facts = cx.facts;
    let meets = |o: ObjId, others: &BTreeSet<ObjId>| others.iter().any(|w| facts.same_memory(*w, o));
    let reads = |ptr: Operand| {
        let targets = cx.targets(ptr);
        targets.is_empty() || facts.leads_elsewhere(cx.m, cx.id, ptr) || targets.into_keys().any(|o| meets(o, written))
    };
    let is_own = |ptr: Operand| {
        let targets = cx.targets(ptr);
        let own = |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
        !targets.is_empty() && !facts.leads_elsewhere(cx.m, cx.id, ptr) && targets.keys().all(own)
    };
    let untouched = |o: &ObjId| !meets(*o, written) && !meets(*o, read);
    after.iter().flat_map(|b| &cx.func.blocks[*b].insts).all(|inst| match &cx.func.insts[*inst].kind {
        InstKind::Load { ptr, volatile: false, .. } => !reads(*ptr),
        InstKind::Store { ptr, volatile: false, .. } => {
            let targets = cx.targets(*ptr);
            is_own(*ptr) || !reads(*ptr) && targets.keys().all(untouched)
        }
        InstKind::Ret(_) | InstKind::Alloca { .. } => true,
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(External::Free { block }) => is_own(call.args[block]),
            _ => joint::is_pure(cx, *inst),
        },
        _ => joint::is_pure(cx, *inst),
    })
}

/// Loads of which no store of the loop can meet anything, if the loop is as asked for.
pub(super) fn untouched(accesses: &[Access]) -> impl Iterator<Item = InstId> + '_ {
    let roots: HashSet<Operand> = accesses.iter().filter(|a| a.store).map(|a| a.root).collect();
    accesses.iter().filter(move |a| !a.store && !roots.contains(&a.root)).map(|a| a.inst)
}

/// An access, or all loads of an array that the loop does not write to: where it goes in the first iteration (the least
/// and the most that its address can be), and its stride.
struct Place<'a> {
    accesses: Vec<&'a Access>,
    first: Option<(Num, Num, Num)>,
    /// The least address of all iterations, and the one behind the last, once they have been asked for.
    all: Option<(Num, Num)>,
}

impl Place<'_> {
    fn is_store(&self) -> bool {
        self.accesses.iter().any(|a| a.store)
    }

    fn size(&self) -> Num {
        Num::Known(self.accesses[0].size)
    }

    fn all(&mut self, ends: &mut Ends) -> (Num, Num) {
        let mut made: Option<(Num, Num)> = self.all;
        if made.is_none() {
            for access in &self.accesses {
                let (low, high) = ends.of(&access.address, false);
                let high = ends.sum(high, Num::Known(access.size));
                made = Some(match made {
                    None => (low, high),
                    Some((least, most)) => (ends.least(least, low), ends.most(most, high)),
                });
            }
            self.all = made;
        }
        // There is an access in every place.
        made.unwrap_or((Num::Known(i64::MIN), Num::Known(i64::MAX)))
    }
}

/// Emits what must hold.
pub(super) fn ask(ends: &mut Ends, accesses: &[Access]) {
    let roots: HashSet<Operand> = accesses.iter().filter(|a| a.store).map(|a| a.root).collect();
    let mut places: Vec<Place> = Vec::new();
    let mut arrays: HashMap<Operand, usize> = HashMap::default();
    for access in accesses {
        if !access.store && !roots.contains(&access.root) {
            let at = *arrays.entry(access.root).or_insert(places.len());
            match places.get_mut(at) {
                Some(place) => place.accesses.push(access),
                None => places.push(Place { accesses: vec![access], first: None, all: None }),
            }
            continue;
        }
        let first = access.stride.as_ref().map(|stride| {
            let ((low, high), (stride, _)) = (ends.of(&access.address, true), ends.of(stride, true));
            (low, high, stride)
        });
        places.push(Place { accesses: vec![access], first, all: None });
    }
    for n in 0..places.len() {
        let (before, rest) = places.split_at_mut(n);
        let one = &mut rest[0];
        if one.is_store() {
            let own = stays_in_its_piece(ends, one, None);
            ends.ask(own);
        }
        let writes = one.is_store();
        for other in before.iter_mut().filter(|other| writes || other.is_store()) {
            let apart = match stays_in_its_piece(ends, one, Some(other)) {
                Truth::Always => Truth::Always,
                within => {
                    let (all, others) = (one.all(ends), other.all(ends));
                    let below = ends.is(IntPred::Sle, all.1, others.0);
                    let above = ends.is(IntPred::Sle, others.1, all.0);
                    let elsewhere = ends.either(below, above);
                    ends.either(elsewhere, within)
                }
            };
            ends.ask(apart);
        }
    }
}

/// Has each iteration a piece of memory of its own for what it accesses, here and there?
fn stays_in_its_piece(ends: &mut Ends, one: &Place, other: Option<&Place>) -> Truth {
    let Some((low, high, stride)) = one.first else { return Truth::Never };
    let (together, extent) = match other {
        None => {
            let more = ends.difference(high, low);
            (Truth::Always, ends.sum(more, one.size()))
        }
        Some(other) => {
            let Some((also_low, also_high, also)) = other.first else { return Truth::Never };
            let (end, also_end) = (ends.sum(high, one.size()), ends.sum(also_high, other.size()));
            let (least, most) = (ends.least(low, also_low), ends.most(end, also_end));
            (ends.is(IntPred::Eq, stride, also), ends.difference(most, least))
        }
    };
    let back = ends.difference(Num::Known(0), stride);
    let far = ends.most(stride, back);
    let fits = ends.is(IntPred::Sle, extent, far);
    ends.both(together, fits)
}
