//! What may be executed after an instruction, until the reverse of its function begins.
//!
//! The reverse of the differentiated function begins where it has returned, that of a function it calls later still,
//! when the reverse pass comes to the call. A function that is executed when it is reversed is reversed at once. So
//! what comes after an instruction is
//!
//! - what stands behind it in its block, and all of each block that can be reached from there: a block of a loop around
//!   it is, in a further iteration;
//! - all of each function that is called by one of these;
//! - in a function that others call, what comes after each of these calls. There only what the call can have seen is
//!   asked for: what it was given, what it made, and what everybody knows.
//!
//! The question is asked of the objects that a load may read, and answered by the first instruction that may write to
//! one of them and is not proved to be apart. All that may write somewhere is listed once for all functions.

use crate::analysis::context::Context;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::check::effects::{self, Effect, is_own, reached_from};
use fixedbitset::FixedBitSet;
use ir::cfg::Positions;
use ir::entity::EntityRef;
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, FuncId, InstId, InstKind};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// An instruction of a function.
pub(crate) type Site = (FuncId, InstId);

/// The writers of the functions of one differentiated call, found when they are first asked for.
#[derive(Default)]
pub struct Writers {
    found: OnceCell<Found>,
}

/// A block of a function, and objects.
type Asked = (FuncId, BlockId, BTreeSet<ObjId>);

struct Found {
    /// Who may write to an object.
    of: HashMap<ObjId, Vec<Site>>,
    /// Objects that are not the functions' own, to which anything writes.
    shared: Vec<ObjId>,
    /// Who may write to all that is known abroad.
    abroad: Vec<Site>,
    /// What is known abroad of the functions' own memory.
    known: HashSet<ObjId>,
    /// The calls of functions of ours, with these.
    calls: HashMap<FuncId, Vec<(InstId, Vec<FuncId>)>>,
    callers: HashMap<FuncId, Vec<Site>>,
    /// Each function and all that it may come to call.
    within: RefCell<HashMap<FuncId, Rc<HashSet<FuncId>>>>,
    /// What of the functions' own memory a call can have seen.
    visible: RefCell<HashMap<Site, Rc<HashSet<ObjId>>>>,
    flows: RefCell<HashMap<FuncId, Rc<Flow>>>,
    later: RefCell<HashMap<Asked, Rc<Later>>>,
}

/// Who may write to some objects: in a block, with its place there, and after the block.
#[derive(Default)]
struct Later {
    here: Vec<(usize, Site)>,
    behind: Vec<Site>,
}

/// The order of a function's instructions.
struct Flow {
    positions: Positions,
    /// The blocks that can be reached from the end of one.
    behind: RefCell<HashMap<BlockId, Rc<FixedBitSet>>>,
}

impl Writers {
    /// Does any function call it?
    pub(super) fn is_called(&self, cx: &Context, id: FuncId) -> bool {
        self.found(cx).callers.contains_key(&id)
    }

    /// An instruction that may write to one of the objects after `inst` of the context's function, until that is
    /// reversed, and is not told to be apart.
    pub(super) fn overwriter(
        &self,
        cx: &Context,
        inst: InstId,
        objects: &BTreeSet<ObjId>,
        is_apart: &dyn Fn(Site) -> bool,
    ) -> Option<Site> {
        let found = self.found(cx);
        let mut seen: HashSet<(Site, BTreeSet<ObjId>)> = HashSet::default();
        let mut work: Vec<(Site, BTreeSet<ObjId>)> = vec![((cx.id, inst), objects.clone())];
        while let Some((site, objects)) = work.pop() {
            if objects.is_empty() || !seen.insert((site, objects.clone())) {
                continue;
            }
            let (id, from) = site;
            let Some((block, at)) = found.flow(cx, id).positions.get(from) else { continue };
            let later = found.later(cx, (id, block), &objects);
            let here = later.here.iter().filter(|(place, _)| *place > at).map(|(_, writer)| writer);
            if let Some(writer) = here.chain(&later.behind).find(|writer| !is_apart(**writer)) {
                return Some(*writer);
            }
            if cx.facts.joint.contains(&id) {
                continue;
            }
            for caller in found.callers.get(&id).into_iter().flatten() {
                let visible = found.visible(cx, *caller);
                let left = objects.iter().filter(|o| !is_own(cx, **o) || visible.contains(o));
                work.push((*caller, left.copied().collect()));
            }
        }
        None
    }

    fn found(&self, cx: &Context) -> &Found {
        self.found.get_or_init(|| Found::new(cx))
    }
}

impl Found {
    fn new(root: &Context) -> Found {
        let mut found = Found {
            of: HashMap::default(),
            shared: Vec::new(),
            abroad: Vec::new(),
            known: HashSet::default(),
            calls: HashMap::default(),
            callers: HashMap::default(),
            within: RefCell::default(),
            visible: RefCell::default(),
            flows: RefCell::default(),
            later: RefCell::default(),
        };
        let facts = root.facts;
        let mut kept: Vec<ObjId> = facts.objects.keys().filter(|o| !is_own(root, *o)).collect();
        for (id, func) in root.sources {
            let cx = Context { id: *id, func, ..*root };
            for (_, inst) in func.inst_order() {
                let Effect { objects, abroad } = effects::of(&cx, inst);
                objects.into_iter().for_each(|o| found.of.entry(o).or_default().push((*id, inst)));
                found.abroad.extend(abroad.then_some((*id, inst)));
                let callees = facts.called(cx.m, cx.sources, (*id, func), inst);
                for callee in &callees {
                    found.callers.entry(*callee).or_default().push((*id, inst));
                }
                match &func.insts[inst].kind {
                    InstKind::Call(call) if callees.is_empty() && effects::keeps_addresses(&cx, call) => {
                        kept.extend(call.args.iter().flat_map(|arg| cx.targets(*arg).into_keys()));
                    }
                    InstKind::Store { value, ptr, .. } if facts.leads_elsewhere(cx.m, *id, *ptr) => {
                        kept.extend(cx.targets(*value).into_keys());
                    }
                    _ => {}
                }
                if !callees.is_empty() {
                    found.calls.entry(*id).or_default().push((inst, callees));
                }
            }
        }
        found.known = reached_from(root, kept).into_iter().filter(|o| is_own(root, *o)).collect();
        found.shared = found.of.keys().copied().filter(|o| !is_own(root, *o)).collect();
        found.shared.sort_unstable();
        found
    }

    /// All that may write to one of these objects, by whatever name.
    fn candidates(&self, cx: &Context, objects: &BTreeSet<ObjId>) -> Vec<Site> {
        let mut sites: BTreeSet<Site> = BTreeSet::new();
        // What is in a constant does not change (LangRef, "Global Variables").
        let is_constant = |o: &ObjId| match cx.facts.objects[*o].kind {
            ObjKind::Global(g) => cx.m.globals[g].constant,
            _ => false,
        };
        for object in objects.iter().filter(|o| !is_constant(o)) {
            let own = is_own(cx, *object);
            sites.extend(self.of.get(object).into_iter().flatten());
            if !own {
                let names = self.shared.iter().filter(|name| cx.facts.same_memory(**name, *object));
                sites.extend(names.flat_map(|name| &self.of[name]));
            }
            if !own || self.known.contains(object) {
                sites.extend(&self.abroad);
            }
        }
        sites.into_iter().collect()
    }

    /// Who may write to one of these objects, in a block or after it.
    fn later(&self, cx: &Context, (id, block): (FuncId, BlockId), objects: &BTreeSet<ObjId>) -> Rc<Later> {
        let key = (id, block, objects.clone());
        if let Some(known) = self.later.borrow().get(&key) {
            return known.clone();
        }
        let candidates = self.candidates(cx, objects);
        let mut later = Later::default();
        if !candidates.is_empty() {
            let flow = self.flow(cx, id);
            let behind = flow.behind(cx, id, block);
            let place = |inst| flow.positions.get(inst).map(|(b, at)| (behind.contains(b.index()), b == block, at));
            for writer in candidates.iter().filter(|(f, _)| *f == id) {
                match place(writer.1) {
                    Some((true, _, _)) => later.behind.push(*writer),
                    Some((false, true, at)) => later.here.push((at, *writer)),
                    _ => {}
                }
            }
            let mut called: HashSet<FuncId> = HashSet::default();
            for (call, callees) in self.calls.get(&id).into_iter().flatten() {
                match place(*call) {
                    Some((true, _, _)) => called.extend(callees),
                    Some((false, true, at)) => {
                        let within: Vec<_> = callees.iter().map(|f| self.within(*f)).collect();
                        let inner = candidates.iter().filter(|(f, _)| within.iter().any(|all| all.contains(f)));
                        later.here.extend(inner.map(|writer| (at, *writer)));
                    }
                    _ => {}
                }
            }
            let within: Vec<_> = called.into_iter().map(|f| self.within(f)).collect();
            let inner = candidates.iter().filter(|(f, _)| within.iter().any(|all| all.contains(f)));
            later.behind.extend(inner);
        }
        let later = Rc::new(later);
        self.later.borrow_mut().insert(key, later.clone());
        later
    }

    fn flow(&self, cx: &Context, id: FuncId) -> Rc<Flow> {
        let made = || Rc::new(Flow { positions: Positions::new(&cx.sources[&id]), behind: RefCell::default() });
        self.flows.borrow_mut().entry(id).or_insert_with(made).clone()
    }

    /// A function and all that it may come to call.
    fn within(&self, id: FuncId) -> Rc<HashSet<FuncId>> {
        if let Some(known) = self.within.borrow().get(&id) {
            return known.clone();
        }
        let (mut seen, mut work) = (HashSet::from_iter([id]), vec![id]);
        while let Some(id) = work.pop() {
            let callees = self.calls.get(&id).into_iter().flatten().flat_map(|(_, callees)| callees);
            work.extend(callees.copied().filter(|f| seen.insert(*f)));
        }
        let found = Rc::new(seen);
        self.within.borrow_mut().insert(id, found.clone());
        found
    }

    /// What of the functions' own memory a call can have seen: what it was given, what it made, and what is known
    /// everywhere.
    fn visible(&self, cx: &Context, site: Site) -> Rc<HashSet<ObjId>> {
        if let Some(known) = self.visible.borrow().get(&site) {
            return known.clone();
        }
        let (id, inst) = site;
        let func = &cx.sources[&id];
        let at = Context { id, func, ..*cx };
        let args = func.insts[inst].kind.as_call().map_or(&[][..], |call| &call.args);
        let given = args.iter().flat_map(|arg| at.targets(*arg).into_keys());
        let mut visible = reached_from(cx, given.chain(self.known.iter().copied()).collect());
        let calls = self.calls.get(&id).into_iter().flatten().filter(|(call, _)| *call == inst);
        let called: Vec<Rc<HashSet<FuncId>>> =
            calls.flat_map(|(_, callees)| callees).map(|f| self.within(*f)).collect();
        let made = cx.facts.objects.iter().filter(|(_, object)| match object.kind {
            ObjKind::Stack(f, _) | ObjKind::Heap(f, _) => called.iter().any(|within| within.contains(&f)),
            _ => false,
        });
        visible.extend(made.map(|(object, _)| object));
        let visible = Rc::new(visible);
        self.visible.borrow_mut().insert(site, visible.clone());
        visible
    }
}

impl Flow {
    /// The blocks that can be reached from the end of a block.
    fn behind(&self, cx: &Context, id: FuncId, block: BlockId) -> Rc<FixedBitSet> {
        if let Some(known) = self.behind.borrow().get(&block) {
            return known.clone();
        }
        let func = &cx.sources[&id];
        let mut reached = FixedBitSet::with_capacity(func.blocks.len());
        let mut work = func.successors(block);
        while let Some(next) = work.pop() {
            if !reached.put(next.index()) {
                work.extend(func.successors(next));
            }
        }
        let reached = Rc::new(reached);
        self.behind.borrow_mut().insert(block, reached.clone());
        reached
    }
}
