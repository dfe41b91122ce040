//! What may be written after an instruction, until the differentiated function has ended.

use crate::analysis::context::{Callee, Context};
use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::reload::{Blocks, freed};
use crate::program::externals::{self, External};
use fixedbitset::FixedBitSet;
use ir::cfg::Cfg;
use ir::entity::EntityRef;
use ir::hash::HashMap;
use ir::{BlockId, FuncId, Function, InstId, InstKind, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// A set of objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Set(FixedBitSet);

impl Set {
    pub fn contains(&self, object: ObjId) -> bool {
        self.0.contains(object.index())
    }

    pub fn iter(&self) -> impl Iterator<Item = ObjId> {
        self.0.ones().map(ObjId::new)
    }

    fn insert(&mut self, object: ObjId) {
        self.0.grow_and_insert(object.index());
    }

    fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// Adds the other's objects; were there any new ones?
    pub fn add(&mut self, other: &Set) -> bool {
        let new = !other.0.is_subset(&self.0);
        if new {
            self.0.grow(other.0.len());
            self.0.union_with(&other.0);
        }
        new
    }
}

/// A call, with the functions that may be called.
type Site = (FuncId, InstId, Vec<FuncId>);

/// Who writes what.
pub(super) struct Writes {
    /// By an instruction, and by what it calls.
    by: HashMap<(FuncId, InstId), Set>,
    /// After a function has returned.
    later: BTreeMap<FuncId, Set>,
    /// Does any instruction write of which is not told where?
    pub anywhere: bool,
    /// Functions that are executed in the reverse pass.
    joint: BTreeSet<FuncId>,
}

impl Writes {
    pub fn new(root: &Context, blocks: &Blocks) -> Writes {
        let (facts, sources) = (root.facts, root.sources);
        let by_all = seen_by_all(facts);
        let (abroad, told) = (abroad(root, &by_all, is_foreign), abroad(root, &by_all, is_anybodys));
        let joint = facts.joint.clone();
        let mut writes = Writes { by: HashMap::default(), later: BTreeMap::new(), anywhere: false, joint };
        let mut calls: Vec<Site> = Vec::new();
        let mut within: BTreeMap<FuncId, Set> = BTreeMap::new();
        for (id, func) in sources {
            let cx = Context { id: *id, func, ..*root };
            let all = within.entry(*id).or_default();
            for (_, inst) in func.inst_order() {
                let set = written(&cx, inst, blocks, (&by_all, &abroad, &told));
                writes.anywhere |= leads_elsewhere(&cx, inst) || is_anybodys(&cx, inst);
                all.add(&set);
                let called = facts.called(root.m, sources, (*id, func), inst);
                if !called.is_empty() {
                    calls.push((*id, inst, called));
                }
                if !set.is_empty() {
                    writes.by.insert((*id, inst), set);
                }
            }
        }
        // What a function writes, its callers write.
        to_fixed_point(&calls, |(id, _, called)| {
            let theirs: Vec<Set> = called.iter().map(|f| within[f].clone()).collect();
            let ours = within.entry(*id).or_default();
            theirs.iter().filter(|set| ours.add(set)).count() > 0
        });
        for (id, inst, called) in &calls {
            let set = writes.by.entry((*id, *inst)).or_default();
            for f in called {
                set.add(&within[f]);
            }
        }
        // What is written after a call is written after the function has returned, if the function can have seen it.
        let made = made(facts, &calls);
        let mut after: HashMap<(FuncId, InstId), Set> = HashMap::default();
        let mut seen: HashMap<(FuncId, InstId), Set> = HashMap::default();
        for call in &calls {
            seen.insert((call.0, call.1), seen_by(root, call, &made, &by_all));
        }
        for (id, func) in sources {
            let sites: BTreeSet<InstId> = calls.iter().filter(|(f, ..)| f == id).map(|(_, inst, _)| *inst).collect();
            if !sites.is_empty() {
                writes.after_each(*id, func, |inst, set| {
                    if sites.contains(&inst) {
                        after.insert((*id, inst), set.clone());
                    }
                });
            }
        }
        let later = &mut writes.later;
        to_fixed_point(&calls, |(id, inst, called)| {
            let mut set = after.get(&(*id, *inst)).cloned().unwrap_or_default();
            set.add(later.entry(*id).or_default());
            set.0.intersect_with(&seen[&(*id, *inst)].0);
            called.iter().filter(|f| later.entry(**f).or_default().add(&set)).count() > 0
        });
        writes
    }

    /// What an instruction may write, and what it calls.
    pub fn by(&self, id: FuncId, inst: InstId) -> Option<&Set> {
        self.by.get(&(id, inst))
    }

    /// Visits the instructions of a function with what may be written after each.
    pub fn after_each(&self, id: FuncId, func: &Function, mut visit: impl FnMut(InstId, &Set)) {
        let cfg = Cfg::new(func);
        let by = |inst: &InstId| self.by.get(&(id, *inst));
        let mut whole: HashMap<BlockId, Set> = HashMap::default();
        for (block, inst) in func.inst_order() {
            if let Some(set) = by(&inst) {
                whole.entry(block).or_default().add(set);
            }
        }
        // What is written in the blocks that can be reached from the end of a block.
        let mut behind: HashMap<BlockId, Set> = HashMap::default();
        while {
            let mut grows = false;
            for block in cfg.rpo().iter().rev() {
                let mut set = behind.remove(block).unwrap_or_default();
                for succ in cfg.succs(*block) {
                    for theirs in [whole.get(succ), behind.get(succ)].into_iter().flatten() {
                        grows |= set.add(theirs);
                    }
                }
                behind.insert(*block, set);
            }
            grows
        } {}
        for block in cfg.rpo() {
            let mut set = behind.get(block).cloned().unwrap_or_default();
            // What is executed in the reverse pass is reversed at once.
            if let Some(later) = self.later.get(&id).filter(|_| !self.joint.contains(&id)) {
                set.add(later);
            }
            for inst in func.blocks[*block].insts.iter().rev() {
                visit(*inst, &set);
                if let Some(written) = by(inst) {
                    set.add(written);
                }
            }
        }
    }
}

/// Repeats a step for all calls until none of them finds anything new; to and fro, as what is found goes from callers
/// to callees or back.
fn to_fixed_point<T>(items: &[T], mut step: impl FnMut(&T) -> bool) {
    while items.iter().chain(items.iter().rev()).filter(|item| step(item)).count() > 0 {}
}

/// What an instruction writes itself.
fn written(cx: &Context, inst: InstId, blocks: &Blocks, (by_all, abroad, told): (&Set, &Set, &Set)) -> Set {
    let mut set = Set::default();
    // What waits frees nothing now, and what is left out ends nothing.
    let ends = freed(cx, inst).is_some() || externals::ends_life(cx.m, &cx.func.insts[inst]);
    let goes_on = |o: &&ObjId| ends && blocks.own.contains(o);
    let direct = cx.facts.writes(cx.id, inst);
    direct.iter().filter(|o| !goes_on(o)).for_each(|o| set.insert(*o));
    // A pointer that leads elsewhere leads to what all can find, or into what a foreign function was given (`strchr`).
    if leads_elsewhere(cx, inst) {
        set.add(by_all);
        set.add(abroad);
    }
    if is_foreign(cx, inst) {
        let anybodys = is_anybodys(cx, inst);
        // One of them may have kept an address for another one.
        if anybodys {
            set.add(told);
        }
        let counts = |o: &ObjId| anybodys || is_own(cx.facts, *o);
        visible(cx.facts, direct.to_vec(), by_all).iter().filter(counts).for_each(|o| set.insert(o));
    }
    set
}

/// Does it call a function that may write wherever it likes?
fn is_anybodys(cx: &Context, inst: InstId) -> bool {
    let call = cx.func.insts[inst].kind.as_call();
    is_foreign(cx, inst) && !call.is_some_and(|call| externals::keeps_to_arguments(cx.m, call))
}

/// Is it unknown where the instruction writes?
fn leads_elsewhere(cx: &Context, inst: InstId) -> bool {
    let elsewhere = |ptr: Operand| cx.facts.leads_elsewhere(cx.m, cx.id, ptr);
    match &cx.func.insts[inst].kind {
        InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
            elsewhere(*ptr)
        }
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(External::Copy | External::Set) => call.args.first().is_some_and(|to| elsewhere(*to)),
            Callee::External(External::Free { .. } | External::Allocate { .. } | External::Links(_)) => false,
            Callee::External(_) => {
                let pointer = |arg: &Operand| cx.m.types.is_ptr(cx.m.operand_ty(cx.func, *arg));
                let reads = |i: usize| call.arg_attrs.get(i).is_some_and(|a| a.has("readonly") || a.has("readnone"));
                let intrinsic =
                    cx.m.as_function(call.callee).is_some_and(|f| cx.m.functions[f].name.starts_with("llvm."));
                let args = call.args.iter().enumerate().filter(|(i, arg)| pointer(arg) && !reads(*i));
                !intrinsic && args.map(|(_, arg)| *arg).any(elsewhere)
            }
            Callee::Derived(_) | Callee::Plain => false,
        },
        _ => false,
    }
}

fn is_own(facts: &Facts, object: ObjId) -> bool {
    matches!(facts.objects[object].kind, ObjKind::Stack(..) | ObjKind::Heap(..))
}

/// What each function makes, and those that it calls.
fn made(facts: &Facts, calls: &[Site]) -> BTreeMap<FuncId, Set> {
    let mut out: BTreeMap<FuncId, Set> = BTreeMap::new();
    for (object, data) in facts.objects.iter() {
        if let ObjKind::Stack(f, _) | ObjKind::Heap(f, _) = data.kind {
            out.entry(f).or_default().insert(object);
        }
    }
    to_fixed_point(calls, |(id, _, called)| {
        let theirs: Vec<Set> = called.iter().filter_map(|f| out.get(f)).cloned().collect();
        let ours = out.entry(*id).or_default();
        theirs.iter().filter(|set| ours.add(set)).count() > 0
    });
    out
}

/// Does it call a foreign function, of which nothing is known but its name?
fn is_foreign(cx: &Context, inst: InstId) -> bool {
    let Some(call) = cx.func.insts[inst].kind.as_call() else { return false };
    let intrinsic = cx.m.as_function(call.callee).is_some_and(|f| cx.m.functions[f].name.starts_with("llvm."));
    let external = cx.callee(call);
    !intrinsic && matches!(external, Callee::External(External::Inactive | External::Unknown | External::Custom))
}

/// What foreign functions that may keep an address have been able to find, and functions that take what their
/// parameters do not name (`va_arg`).
fn abroad(root: &Context, by_all: &Set, keeps: impl Fn(&Context, InstId) -> bool) -> Set {
    let mut set = Set::default();
    for (id, func) in root.sources {
        let cx = Context { id: *id, func, ..*root };
        // What is stored where nothing is known is lost, too.
        for (_, inst) in func.inst_order() {
            if let InstKind::Store { value, ptr, .. } = func.insts[inst].kind
                && cx.facts.leads_elsewhere(cx.m, *id, ptr)
            {
                set.add(&visible(cx.facts, cx.targets(value).into_keys().collect(), by_all));
            }
        }
        let lost = |inst| keeps(&cx, inst) || !cx.facts.called(cx.m, cx.sources, (*id, func), inst).is_empty();
        for (_, inst) in func.inst_order().filter(|(_, inst)| lost(*inst)) {
            set.add(&visible(cx.facts, cx.facts.writes(*id, inst).to_vec(), by_all));
        }
    }
    set
}

/// What a call can have seen when it returns: what it finds from its arguments, and what its functions make.
fn seen_by(root: &Context, (id, inst, called): &Site, made: &BTreeMap<FuncId, Set>, by_all: &Set) -> Set {
    let cx = Context { id: *id, func: &root.sources[id], ..*root };
    let args = cx.func.insts[*inst].kind.as_call().map_or(&[][..], |call| &call.args);
    let given = args.iter().flat_map(|arg| cx.targets(*arg).into_keys()).collect();
    let mut set = visible(cx.facts, given, by_all);
    for theirs in called.iter().filter_map(|f| made.get(f)) {
        set.add(theirs);
    }
    set
}

/// What any function can find: memory of the caller, global variables, and what pointers there lead to.
fn seen_by_all(facts: &Facts) -> Set {
    let roots = facts.objects.keys().filter(|o| !is_own(facts, *o)).collect();
    visible(facts, roots, &Set::default())
}

/// What a function can find from what it is given, beyond what all can.
fn visible(facts: &Facts, given: Vec<ObjId>, by_all: &Set) -> Set {
    let mut work = given;
    let mut found = by_all.clone();
    while let Some(object) = work.pop() {
        if !found.contains(object) {
            found.insert(object);
            work.extend(facts.objects[object].pointers.values().flat_map(|t| t.keys().copied()));
        }
    }
    found
}
