//! What teams of threads execute, and what memory they share.
//!
//! A function is *inside* if a parallel region reaches it; where threads are made one by one, or tasks outside of
//! regions, whoever makes them goes on beside them, and all functions are. There several threads may add to one adjoint
//! at a time, but not to what only one of them can find: an object is *private* if it is made by a function that is
//! reached from regions alone, and if no pointer to it lies where another thread may look: in an object that is not
//! private, or among what a region within the region, a thread or a task is given. Two threads that execute one
//! allocation make two objects.
//!
//! (Who reads and clears an adjoint is in an order with all others that touch it, if the program has no data race:
//! the reverse of a store needs no protection, unless an optimiser has another thread load what it does not use
//! ([`Parallel::is_loaded_ahead`]). Increments are the reverse of loads, and loads need not be ordered.)

mod gathered;
pub(crate) mod orders;
mod owners;
mod uniform;

use crate::analysis::context::Context;
use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::normalise::fork::is_fork;
use crate::normalise::sources::Sources;
use crate::normalise::threads::{is_parallel, is_spawn};
use crate::program::device::is_of_device;
use crate::program::externals::{External, classify};
use crate::program::openmp::hands_over;
use crate::runtime::broadcast::BROADCAST;
use ir::hash::{HashMap, HashSet};
use ir::{FloatKind, FuncId, InstId, InstKind, Module, Operand};
use std::collections::BTreeSet;

/// Functions and objects of parallel regions.
#[derive(Debug, Default)]
pub struct Parallel {
    inside: BTreeSet<FuncId>,
    /// Functions that something else than a region reaches, too.
    outside: BTreeSet<FuncId>,
    private: HashSet<ObjId>,
    owned: HashSet<(FuncId, InstId)>,
    uniform: HashSet<(FuncId, InstId)>,
    gathered: gathered::Gathered,
    /// Loads whose value may never be used, by what they may read.
    ahead: HashMap<ObjId, Vec<Ahead>>,
}

/// A load whose value may never be used.
#[derive(Debug)]
struct Ahead {
    by: (FuncId, InstId),
    /// Where in the object, and how many bytes.
    at: Place,
    size: u64,
}

/// How the reverse of a load adds to the adjoint of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adding {
    /// No other thread adds to it at the same time.
    Plain,
    /// Each thread has a sum of its own, which is added in one piece in the end.
    Summed,
    /// Each thread keeps what it adds in memory of its own until it has to be seen ([`gathered`]).
    Gathered,
    /// In one piece.
    Atomic,
}

impl Parallel {
    /// Finds them.
    pub fn find(m: &Module, facts: &Facts, sources: &Sources) -> Parallel {
        let forks: Vec<FuncId> = sources.iter().filter(|(_, f)| is_fork(f)).map(|(id, _)| *id).collect();
        // A grid has many threads, each of which executes all of it.
        if sources.values().any(is_spawn) || sources.values().any(|func| is_of_device(m, func)) {
            return Parallel::everywhere(m, facts, sources);
        }
        if forks.is_empty() && !sources.values().any(hands_over) {
            return Parallel::default();
        }
        let called = |id: &FuncId| -> Vec<FuncId> {
            let func = &sources[id];
            func.inst_order().flat_map(|(_, inst)| facts.called(m, sources, (*id, func), inst)).collect()
        };
        let mut inside = BTreeSet::new();
        let mut work: Vec<FuncId> = forks.iter().flat_map(called).collect();
        while let Some(id) = work.pop() {
            if inside.insert(id) {
                work.extend(called(&id));
            }
        }
        // Functions that something else reaches, too.
        let mut outside = BTreeSet::new();
        let mut work: Vec<FuncId> = sources.keys().filter(|id| !inside.contains(id)).copied().collect();
        while let Some(id) = work.pop() {
            if outside.insert(id) && !forks.contains(&id) {
                work.extend(called(&id));
            }
        }
        // Whoever hands a task over outside of regions goes on beside it.
        if outside.iter().any(|id| hands_over(&sources[id])) {
            return Parallel::everywhere(m, facts, sources);
        }
        let parallel = Parallel { inside, ..Parallel::default() };
        let private = parallel.private(m, facts, sources, |id| !outside.contains(&id));
        let ahead = parallel.loaded_ahead(m, facts, sources);
        Parallel { private, ahead, outside, ..parallel }
    }

    /// All functions are inside.
    fn everywhere(m: &Module, facts: &Facts, sources: &Sources) -> Parallel {
        let parallel = Parallel { inside: sources.keys().copied().collect(), ..Parallel::default() };
        let private = parallel.private(m, facts, sources, |_| true);
        let ahead = parallel.loaded_ahead(m, facts, sources);
        Parallel { private, ahead, ..parallel }
    }

    /// Loads of what may not be used: an optimiser may have brought them ahead of a loop or a branch.
    fn loaded_ahead(&self, m: &Module, facts: &Facts, sources: &Sources) -> HashMap<ObjId, Vec<Ahead>> {
        let mut ahead: HashMap<ObjId, Vec<Ahead>> = HashMap::default();
        for (id, func) in sources.iter().filter(|(id, _)| self.is_inside(**id)) {
            for (load, _) in ir::uses::loaded_ahead(func, m) {
                let InstKind::Load { ptr, .. } = func.insts[load].kind else { continue };
                // At an index each thread has elements of its own.
                let single = facts.points_to(m, *id, ptr).into_iter().filter(|(_, at)| *at == Place::at(at.start));
                let size = m.size_of(func.insts[load].ty);
                for (object, at) in single {
                    ahead.entry(object).or_default().push(Ahead { by: (*id, load), at, size });
                }
            }
        }
        ahead
    }

    /// May a thread that does not use it have loaded what the pointer leads to, so that its reverse adds zero there
    /// while the thread that does use it reverses a store?
    pub fn is_loaded_ahead(&self, m: &Module, facts: &Facts, id: FuncId, ptr: Operand) -> bool {
        let added = |(object, place): (&ObjId, &Place)| {
            let loads = self.ahead.get(object).into_iter().flatten();
            loads
                .filter(|load| !self.owned.contains(&load.by))
                .any(|load| place.overlaps(load.size, load.at, load.size))
        };
        self.is_shared(m, facts, id, ptr) && facts.points_to(m, id, ptr).iter().any(added)
    }

    /// Is that of all functions, as somebody goes on beside others outside of regions?
    pub fn is_everywhere(&self, sources: &Sources) -> bool {
        self.inside.len() == sources.len()
    }

    /// Finds which increments need no protection ([`owners`]), and which are gathered.
    pub fn find_owners(&mut self, root: &Context) {
        if !self.inside.is_empty() {
            let (increments, regions) = owners::find(root, self);
            self.gathered = gathered::find(root, self, &regions, &increments);
        }
    }

    /// How the reverse of an instruction adds to what a pointer leads to.
    pub fn adding(&self, m: &Module, facts: &Facts, (id, inst): (FuncId, InstId), ptr: Operand) -> Adding {
        if self.owned.contains(&(id, inst)) || !self.is_shared(m, facts, id, ptr) {
            Adding::Plain
        } else if self.uniform.contains(&(id, inst)) {
            Adding::Summed
        } else if self.gathered.loads.contains(&(id, inst)) {
            Adding::Gathered
        } else {
            Adding::Atomic
        }
    }

    /// Is the sum that a thread has for a load gathered?
    pub fn gathers_sum(&self, id: FuncId, load: InstId) -> bool {
        self.gathered.sums.contains(&(id, load))
    }

    /// The kinds of floats that threads gather.
    pub fn gathered_kinds(&self) -> &[FloatKind] {
        &self.gathered.kinds
    }

    /// Do the threads of a region that this function forks claim memory to which they add?
    pub fn claims(&self, fork: FuncId) -> bool {
        self.gathered.claims.contains(&fork)
    }

    /// Are there regions of claims?
    pub fn has_claims(&self) -> bool {
        !self.gathered.claims.is_empty()
    }

    /// May the thread that reverses a store have gathered something for its bytes?
    pub fn settles(&self, id: FuncId, store: InstId) -> bool {
        self.gathered.stores.contains(&(id, store))
    }

    /// May several threads execute the function at a time?
    pub fn is_inside(&self, id: FuncId) -> bool {
        self.inside.contains(&id)
    }

    /// May another thread add to what the pointer leads to, at the same time?
    pub fn is_shared(&self, m: &Module, facts: &Facts, id: FuncId, ptr: Operand) -> bool {
        let targets = facts.points_to(m, id, ptr);
        let private = || targets.keys().all(|o| self.private.contains(o));
        self.is_inside(id) && (targets.is_empty() || facts.leads_elsewhere(m, id, ptr) || !private())
    }

    fn private(&self, m: &Module, facts: &Facts, sources: &Sources, only: impl Fn(FuncId) -> bool) -> HashSet<ObjId> {
        let own = |o: &ObjId| match facts.objects[*o].kind {
            ObjKind::Stack(f, _) | ObjKind::Heap(f, _) => self.is_inside(f) && only(f),
            _ => false,
        };
        let mut work: Vec<ObjId> = facts.objects.keys().filter(|o| !own(o)).collect();
        for (id, func) in sources.iter().filter(|(id, _)| self.is_inside(**id)) {
            for (_, inst) in func.inst_order() {
                let given = match &func.insts[inst].kind {
                    // What a region within the region captures, or a thread gets, and what a foreign function may pass
                    // on.
                    // A broadcast hands it to all threads.
                    kind if kind.as_call().is_some() => {
                        let call = kind.as_call().map_or(&[][..], |call| &call.args);
                        let ours = facts.called(m, sources, (*id, func), inst);
                        let plain = !ours.is_empty() && !ours.iter().any(|f| is_parallel(&sources[f]));
                        if plain { Vec::new() } else { call.to_vec() }
                    }
                    // What is stored where nobody knows.
                    InstKind::Store { value, ptr, .. } if facts.leads_elsewhere(m, *id, *ptr) => vec![*value],
                    _ => Vec::new(),
                };
                let known = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
                if known.is_some_and(|f| !sources.contains_key(&f) && passes_nothing_on(m, f)) {
                    continue;
                }
                work.extend(given.iter().flat_map(|arg| facts.points_to(m, *id, *arg).into_keys()));
            }
        }
        let mut shared = HashSet::default();
        while let Some(object) = work.pop() {
            if shared.insert(object) {
                work.extend(facts.objects[object].pointers.values().flat_map(|targets| targets.keys().copied()));
            }
        }
        facts.objects.keys().filter(|o| !shared.contains(o)).collect()
    }
}

/// Does a function without a body give no address that it gets to others? All but the unknown ones, and those with a
/// gradient of their own, are known to do what they do with their arguments alone.
fn passes_nothing_on(m: &Module, f: FuncId) -> bool {
    let func = &m.functions[f];
    func.name != BROADCAST && !matches!(classify(m, func), External::Unknown | External::Custom)
}
