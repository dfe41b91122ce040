//! Everything else stays as it is: what a gradient must not do to memory.
//!
//! Compared are the memory that the primal leaves and the memory that the gradient leaves, on every object that existed
//! before the call and is no shadow. Blocks that the gradient allocates and loses are leaks, unless the primal loses as
//! many of that size.

use super::gradient::Run;
use super::orders::Orders;
use super::reference::Primal;
use super::region::{Pair, Regions};
use interp::memory::{AllocInfo, Contents, state};
use interp::{AllocId, AllocKind, Location, Memory};
use ir::FuncId;
use ir::hash::HashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A byte of primal memory that the gradient changed and the primal did not, or differently.
#[derive(Clone, Debug)]
pub struct Corruption {
    /// Its address.
    pub address: u64,
    /// The object.
    pub object: AllocInfo,
    /// Is it behind a constant argument or otherwise outside of all duplicated objects?
    pub constant: bool,
    /// Did the gradient leave it undefined?
    pub undefined: bool,
    /// The last store to it, if it was a plain store.
    pub store: Option<Location>,
}

/// Words behind duplicated pointers that the primal leaves as they are, and whose shadows the gradient leaves so too,
/// as it has to; 0 if there are others.
pub fn untouched(primal: &Primal<'_>, before: &Memory<()>, regions: &Regions, run: &Run) -> usize {
    const WORD: u64 = 8;
    let same = |id: AllocId, was: &Memory<()>, is: Option<&Contents>| was.data(id).is_some_and(|data| Some(data) == is);
    let stays = |pair: &Pair| {
        same(pair.primal.id, before, primal.after.data(pair.primal.id))
            && same(pair.shadow.id, before, run.memory.data(pair.shadow.id))
    };
    let words = |pair: &Pair| pair.primal.size.div_ceil(WORD) as usize;
    if regions.pairs().iter().all(stays) { regions.pairs().iter().map(words).sum() } else { 0 }
}

/// Finds the first changed byte of primal memory.
///
/// Where the schedule decides what the primal leaves, the gradient may leave something else (`orders`).
///
/// Variables that the program's own rules for its functions write (to count their calls, say) are the program's
/// business: `rules` are the functions of which these rules are made.
pub fn corruption(
    primal: &Primal<'_>,
    before: &Memory<()>,
    (regions, rules): (&Regions, &BTreeSet<FuncId>),
    run: &Run,
) -> Option<Corruption> {
    let shadows: HashSet<AllocId> = regions.shadows().collect();
    let primals: HashSet<AllocId> = regions.primals().collect();
    let noneed: HashSet<AllocId> = regions.pairs().iter().filter(|p| p.noneed).map(|p| p.primal.id).collect();
    let old: BTreeSet<u64> = before.objects().map(|o| o.id.bits()).collect();
    let orders = Orders::new(primal, run);
    for object in before.objects() {
        let exempt = match object.kind {
            AllocKind::Function(_) | AllocKind::Runtime => true,
            AllocKind::Global(g) => {
                let name = &primal.program().module.globals[g].name;
                ad::is_of_gradients(name) || is_of_library(name)
            }
            AllocKind::Stack | AllocKind::Heap(_) | AllocKind::Shared(_) => false,
        };
        if exempt || shadows.contains(&object.id) || noneed.contains(&object.id) {
            continue;
        }
        let (Some(mine), Some(theirs)) = (primal.after.data(object.id), run.memory.data(object.id)) else {
            // The primal freed it: so may the gradient.
            continue;
        };
        if mine == theirs {
            continue;
        }
        for (offset, ((byte, was), (new, is))) in mine.cells(0).zip(theirs.cells(0)).enumerate() {
            let alike = was == is || is == state::INIT || state::is_number(is);
            let same = byte == new && alike;
            // An address of something made during the call is another one in each run.
            let pointer = |s: u8, prov: u64| s == state::POINTER && !old.contains(&prov);
            let fresh = pointer(was, mine.prov_at(offset)) && pointer(is, theirs.prov_at(offset));
            // So is the number of a thread, and a gradient may have other things in the place of numbers.
            let thread = || {
                is_thread(mine, offset, primal.threads)
                    && (pointer(is, theirs.prov_at(offset)) || is_thread(theirs, offset, run.threads))
            };
            // What the primal leaves undefined, the gradient may leave as it likes.
            if same || fresh || !state::is_defined(was) || thread() || orders.decide(&object, offset) {
                continue;
            }
            let address = object.base + offset as u64;
            let covering = (address.saturating_sub(15)..=address).rev();
            let store = covering.filter_map(|a| run.probe.stores.get(&a).map(|s| (a, s)));
            let store = store.filter(|(a, s)| a + s.leaf.store_size() > address).map(|(_, s)| s.last).next();
            let constant = !primals.contains(&object.id);
            if constant && store.is_some_and(|at| rules.contains(&at.func)) {
                continue;
            }
            let undefined = !state::is_defined(is);
            return Some(Corruption { address, object, constant, undefined, store });
        }
    }
    None
}

/// Does a byte belong to a word that holds the number of one of so many threads?
fn is_thread(data: &Contents, offset: usize, threads: usize) -> bool {
    const WORD: usize = 8;
    let first = offset - offset % WORD;
    let bytes: Vec<u8> = data.cells(first).take(WORD).map(|(byte, _)| byte).collect();
    let word = <[u8; WORD]>::try_from(bytes).map(u64::from_le_bytes);
    word.ok().and_then(interp::thread_of_handle).is_some_and(|thread| thread < threads)
}

/// Is it a variable of the C++ library's own, in a function or a class of it? The program cannot name these, and where
/// what lies in them may depend on addresses: a table of those who wait, say.
fn is_of_library(name: &str) -> bool {
    let inner = name.strip_prefix("_ZGV").or_else(|| name.strip_prefix("_Z"));
    inner.is_some_and(|inner| ["NSt", "ZNSt", "ZNKSt"].iter().any(|known| inner.starts_with(known)))
}

/// Blocks that the derivative lost, beyond those that the primal loses, each with that many shadows.
pub fn leaks(primal: &Primal<'_>, before: &Memory<()>, run: &Run, shadows: usize) -> Vec<AllocInfo> {
    let old: HashSet<AllocId> = before.objects().map(|o| o.id).collect();
    let mut allowed: BTreeMap<u64, usize> = BTreeMap::new();
    for block in primal.after.leaks().into_iter().filter(|b| !old.contains(&b.id)) {
        *allowed.entry(block.size).or_default() += 1 + shadows;
    }
    let mut lost = Vec::new();
    for block in run.memory.leaks().into_iter().filter(|b| !old.contains(&b.id)) {
        match allowed.get_mut(&block.size) {
            Some(left) if *left > 0 => *left -= 1,
            _ => lost.push(block),
        }
    }
    lost
}
