//! Where pointers point, what lies there, and what of it depends on active inputs.
//!
//! One whole-program analysis of the functions a differentiated call reaches, in three lattices that
//! grow together to a fixed point:
//!
//! - *points-to*, inclusion based (Andersen 1994), flow and context insensitive, with offsets as
//!   congruence classes ([`place::Place`]): for each value, the objects it may point into;
//! - *types* of memory cells and of integers that carry floats or pointers, from the accesses
//!   themselves, source element types, TBAA and copies, which pass types both ways;
//! - *activity*, forward: a value is active if it may depend on an active input, an object is
//!   *varied* if it may hold an active float.
//!
//! Worst case. There are at most [`MAX_ROUNDS`] rounds over the instructions, in which loads look at no more than
//! [`MAX_LOOKED_AT`] pointers: what has not converged by then is refused. In a round an instruction looks at `t`
//! targets, at `p` pointers in each, and at `t` targets of each of these. Here `t` is at most the number of allocation
//! sites, globals and functions that the program names, and for each parameter [`merge_targets`] bounds the names of
//! the caller's memory in a set (merging more into one, which is an over-approximation); `p` is bounded by the loads
//! and stores of pointers, and the cells of an object by a limit after which they are folded. Names of the caller's
//! memory are bounded by [`MAX_CHAIN`] and [`MAX_EXTERNALS`]. In practice a few rounds with a few targets each.

pub mod alignment;
pub mod blind;
mod callbacks;
mod calls;
pub mod cells;
pub mod completeness;
mod constant;
pub mod custom_rules;
pub mod debug_types;
mod disguised;
pub mod escape;
pub mod integer_lanes;
pub mod lane_bits;
pub mod lanes;
pub mod marked;
pub mod merge_targets;
mod messages;
pub mod object;
pub mod pieces;
pub mod place;
pub mod query;
mod reached;
mod receiver;
pub mod rounding;
mod set_first;
mod strings;
mod tags;
pub mod thread_links;
pub mod transfer;
mod trees;
mod types;
mod unknown;
mod validate;

pub use crate::analysis::memory::blind::Blind;
pub use crate::analysis::memory::completeness::filling;
pub use crate::analysis::memory::object::{ObjId, ObjKind, Object, Targets, places};
pub use crate::analysis::memory::place::Place;

use crate::analysis::memory::lanes::Lanes;
use crate::analysis::memory::merge_targets::Set;
use crate::program::attributes::INACTIVE;
use crate::program::cell::Cell;
use crate::program::externals::orders_threads;

use crate::error::{Diagnostic, Reason};
use crate::mode::Activity;
use crate::normalise::indirect::Indirect;
use crate::normalise::sources::Sources;
use ir::entity::PrimaryMap;
use ir::hash::{HashMap, HashSet};
use ir::{
    ConstExpr, ConstId, ConstKind, FloatKind, FuncId, Function, GlobalId, InstId, MdId, Module, Operand, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Loads from a parameter after which memory of the caller is folded onto what was already met, if it is a list or a
/// tree.
const MAX_DEPTH: u32 = 5;

/// The same, whatever it is.
const MAX_CHAIN: u32 = 32;

/// Objects of the caller's memory beyond which it is folded wherever it is deep, and beyond which everywhere.
const MAX_APART: usize = 128;
const MAX_EXTERNALS: usize = 512;

/// Rounds after which the analysis gives up with an error instead of an answer.
const MAX_ROUNDS: usize = 200;

/// Pointers in memory, looked at by loads, after which it gives up too: a few seconds. (Programs that are told apart
/// well have thousands, those with large tables of pointers and maps of vectors up to ten million.)
pub const MAX_LOOKED_AT: usize = 50_000_000;

/// A value of a function.
pub type Key = (FuncId, ValueId);

/// What the analysis found.
#[derive(Debug, Default)]
pub struct Facts {
    /// All objects.
    pub objects: PrimaryMap<ObjId, Object>,
    /// What each pointer (or integer that carries one) may point to.
    targets: HashMap<Key, Targets>,
    /// What integers carry.
    content: HashMap<Key, Lanes>,
    /// Values that may depend on active inputs.
    active: HashSet<Key>,
    /// Integers computed from the bits of active floats: their way back to a float has no derivative here.
    /// With the first byte that may be such.
    bits: HashMap<Key, u64>,
    /// The same as the first three, for the returned value of each function.
    ret_targets: HashMap<FuncId, Targets>,
    ret_content: HashMap<FuncId, Lanes>,
    ret_active: HashSet<FuncId>,
    /// Functions whose result is computed from the bits of active floats.
    ret_bits: HashSet<FuncId>,
    /// Objects that have a shadow.
    shadowed: BTreeSet<ObjId>,
    sites: HashMap<ObjKind, ObjId>,
    /// Nodes of trees that are rebalanced ([`trees`]).
    trees: Targets,
    /// How many of them are memory of the caller.
    externals: usize,
    /// Parameters of the root whose memory has no other name (`noalias`).
    separate: BTreeSet<usize>,
    /// Variables that memory of the caller may be.
    exposed: BTreeSet<GlobalId>,
    /// Variables in which others than the differentiated functions may have put pointers.
    put_elsewhere: BTreeSet<GlobalId>,
    /// Strings of the C++ library.
    strings: strings::Strings,
    /// Pointers that may lead elsewhere than is told.
    unknown: unknown::Unknown,
    /// A duplicated pointer of the caller may be its own shadow, and then points to constant memory.
    at_run_time: bool,
    /// Calls of functions with a gradient of their own.
    custom: BTreeMap<(FuncId, InstId), custom_rules::CustomCall>,
    /// What messages that are begun by one call and completed by another may write ([`messages`]).
    pending: BTreeSet<ObjId>,
    /// Types of debug information that others inherit from.
    bases: BTreeSet<MdId>,
    /// Sets of targets that have grown large ([`merge_targets`]).
    crowded: BTreeSet<Set>,
    changed: bool,
    /// How many pointers in memory loads have looked at, and how many they may.
    looked_at: usize,
    limit: Limit,
    phase: Phase,
    /// Sums that round.
    roundings: rounding::Roundings,
    /// What indirect calls may call.
    indirect: Indirect,
    /// The objects that each instruction may write or free, but for what a function does that it calls.
    writes: HashMap<(FuncId, InstId), Vec<ObjId>>,
    /// Those of the instruction that is looked at.
    writing: Vec<ObjId>,
    /// The differentiated function and the activities of its parameters.
    asked: Option<(FuncId, Vec<Activity>)>,
    /// What is executed, where not all calls are known yet.
    reached: Option<reached::Reached>,
    /// A defect that is planted.
    blind: Option<Blind>,
    /// Instructions by which active data may be lost in constant memory ([`constant`]).
    lost: BTreeMap<(FuncId, InstId), constant::Lost>,
}

/// Pointers in memory that loads may look at.
#[derive(Clone, Copy, Debug)]
struct Limit(usize);

impl Default for Limit {
    fn default() -> Limit {
        Limit(MAX_LOOKED_AT)
    }
}

/// The analysis runs to a fixed point four times: what is found later must not be judged by half of what is found
/// before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Default)]
enum Phase {
    /// Where pointers point, and the types that accesses tell.
    #[default]
    Accesses,
    /// Types pass through copies.
    Copies,
    /// Types are known; what becomes of pointers in pieces ([`pieces`])?
    Pieces,
    /// What depends on active inputs?
    Activity,
}

impl Facts {
    /// [`Facts::analyse_with`] where a duplicated pointer always has a shadow of its own.
    pub fn analyse(
        m: &Module,
        sources: &Sources,
        root: FuncId,
        params: &[Activity],
        indirect: &Indirect,
    ) -> Result<Facts, Diagnostic> {
        Facts::analyse_with(m, sources, root, params, indirect, false)
    }

    /// Analyses `sources` for a call of `root` whose parameters have these activities. An indirect call calls its
    /// candidates, and does nothing if it has none. With activity told at run time a duplicated pointer may be its own
    /// shadow, and then points to constant memory.
    pub fn analyse_with(
        m: &Module,
        sources: &Sources,
        root: FuncId,
        params: &[Activity],
        indirect: &Indirect,
        at_run_time: bool,
    ) -> Result<Facts, Diagnostic> {
        let facts = Facts { indirect: indirect.clone(), at_run_time, ..Facts::default() };
        facts.solve(m, sources, (root, params))
    }

    /// [`Facts::analyse`] of a program all of whose indirect calls are found by and by: what they would do with numbers
    /// that nobody gives them does not count ([`reached`]).
    pub fn analyse_reached(
        m: &Module,
        sources: &Sources,
        root: FuncId,
        params: &[Activity],
        indirect: &Indirect,
    ) -> Result<Facts, Diagnostic> {
        let reached = Some(reached::Reached::new(root));
        Facts { indirect: indirect.clone(), reached, ..Facts::default() }.solve(m, sources, (root, params))
    }

    /// [`Facts::analyse`] with a defect, to see that it is found.
    pub fn analyse_blind(
        m: &Module,
        sources: &Sources,
        root: FuncId,
        params: &[Activity],
        blind: Blind,
    ) -> Result<Facts, Diagnostic> {
        Facts { blind: Some(blind), ..Facts::default() }.solve(m, sources, (root, params))
    }

    /// How many pointers in memory loads have looked at: what the analysis has cost.
    pub fn looked_at(&self) -> usize {
        self.looked_at
    }

    /// The fixed point.
    fn solve(self, m: &Module, sources: &Sources, (root, params): (FuncId, &[Activity])) -> Result<Facts, Diagnostic> {
        let mut facts = Facts { asked: Some((root, params.to_vec())), ..self };
        // Tables of C++ are declared as variables, and are none.
        let changes = |g: &ir::Global| !g.constant && g.alias_of.is_none() && !g.name.starts_with("_ZT");
        let variables = m.globals.iter().filter(|(_, g)| changes(g)).map(|(id, _)| id);
        (facts.exposed, facts.put_elsewhere) =
            escape::find(m, &variables.collect(), &sources.keys().copied().collect());
        let exposed = &facts.exposed;
        facts.put_elsewhere.retain(|g| exposed.contains(g) || !set_first::is_set_first(m, sources, root, *g));
        facts.bases = ir::debug::base_classes(m);
        let func = &sources[&root];
        for (i, (param, activity)) in func.params.iter().zip(params).enumerate() {
            let key = (root, param.value);
            if m.types.is_ptr(param.ty) {
                if param.attrs.has("noalias") {
                    facts.separate.insert(i);
                }
                let constant = *activity == Activity::Const;
                let either = if facts.at_run_time && !constant { vec![false, true] } else { vec![constant] };
                for constant in either {
                    let object = facts.object(ObjKind::External { param: i, depth: 0, constant, parent: None });
                    facts.point_to(key, object, Place::at(0));
                }
            } else if *activity != Activity::Const {
                facts.active.insert(key);
            }
        }
        for round in 0.. {
            facts.changed = false;
            for (id, func) in sources {
                facts.seed_debug(m, *id, func);
                let reached = facts.reached_blocks(m, *id, func);
                for (block, inst) in func.inst_order() {
                    if reached.as_ref().is_some_and(|reached| !reached.contains(&block)) {
                        continue;
                    }
                    facts.transfer(m, sources, *id, func, inst);
                    facts.merge_crowds();
                }
            }
            if !facts.changed {
                if let (Phase::Accesses, Some(strings)) = (facts.phase, facts.strings.with_found()) {
                    return facts.begin_again(strings).solve(m, sources, (root, params));
                }
                facts.phase = match facts.phase {
                    Phase::Accesses => {
                        facts.set_limits();
                        Phase::Copies
                    }
                    Phase::Copies => Phase::Pieces,
                    Phase::Pieces => {
                        facts.roundings = rounding::Roundings::find(m, sources, &facts, root);
                        Phase::Activity
                    }
                    Phase::Activity => break,
                };
            }
            if round > MAX_ROUNDS || facts.looked_at > facts.limit.0 {
                return Err(not_converged(m, func));
            }
        }
        if let Some(strings) = facts.without_wrong_strings() {
            return facts.begin_again(strings).solve(m, sources, (root, params));
        }
        facts.roundings.refuse(m, sources, &facts)?;
        facts.tell_writes(m, sources);
        facts.unknown = unknown::Unknown::find(&facts, m, sources);
        facts.find_turns(root);
        facts.find_shadowed();
        facts.find_trees(m, sources);
        facts.find_lost(m, sources);
        Ok(facts)
    }

    /// The analysis as it was asked for, with what is known of strings.
    fn begin_again(self, strings: strings::Strings) -> Facts {
        let reached = self.reached.and(self.asked.map(|(root, _)| reached::Reached::new(root)));
        let (indirect, at_run_time, blind, limit) = (self.indirect, self.at_run_time, self.blind, self.limit);
        Facts { strings, reached, indirect, at_run_time, blind, limit, ..Facts::default() }
    }

    /// Nothing is new any more: in a last round each instruction tells what it writes. Behind a call that orders
    /// threads there may be what any of them has written.
    fn tell_writes(&mut self, m: &Module, sources: &Sources) {
        let written = |(object, data): (ObjId, &Object)| data.written.then_some(object);
        for (id, func) in sources {
            let reached = self.reached_blocks(m, *id, func);
            for (block, inst) in func.inst_order() {
                if reached.as_ref().is_some_and(|reached| !reached.contains(&block)) {
                    continue;
                }
                self.writing.clear();
                self.transfer(m, sources, *id, func, inst);
                if orders_threads(m, &func.insts[inst]) {
                    self.writing = self.objects.iter().filter_map(written).collect();
                }
                if !self.writing.is_empty() {
                    self.writes.insert((*id, inst), std::mem::take(&mut self.writing));
                }
            }
        }
    }

    /// The object of that kind, made if it is new.
    fn object(&mut self, kind: ObjKind) -> ObjId {
        if let Some(id) = self.sites.get(&kind) {
            return *id;
        }
        self.changed = true;
        self.externals += usize::from(matches!(kind, ObjKind::External { .. }));
        let id = self.objects.push(Object::new(kind));
        self.sites.insert(kind, id);
        id
    }

    fn point_to(&mut self, key: Key, object: ObjId, place: Place) {
        let entry = self.targets.entry(key).or_default();
        self.changed |= add_target(entry, object, place);
        let size = entry.len();
        self.note_size(Set::Value(key), size);
    }

    fn point_to_all(&mut self, key: Key, targets: &Targets) {
        if targets.is_empty() {
            return;
        }
        let entry = self.targets.entry(key).or_default();
        for (object, place) in targets {
            self.changed |= add_target(entry, *object, *place);
        }
        let size = entry.len();
        self.note_size(Set::Value(key), size);
    }

    fn set_active(&mut self, key: Key) {
        self.changed |= self.phase == Phase::Activity && self.active.insert(key);
    }

    /// Where an operand of `func` may point.
    pub fn targets(&mut self, m: &Module, func: FuncId, operand: Operand) -> Targets {
        match operand {
            Operand::Local(v) => self.targets.get(&(func, v)).cloned().unwrap_or_default(),
            Operand::Const(c) => self.constant_targets(m, c),
        }
    }

    fn constant_targets(&mut self, m: &Module, constant: ConstId) -> Targets {
        match &m.constants.get(constant).kind {
            ConstKind::Global(g) => match m.globals[*g].alias_of {
                Some(target) => self.constant_targets(m, target),
                None => {
                    let object = self.global_object(m, *g);
                    Targets::from([(object, Place::at(0))])
                }
            },
            ConstKind::Function(f) => {
                let object = self.object(ObjKind::Function(*f));
                Targets::from([(object, Place::at(0))])
            }
            ConstKind::Aggregate(elems) => {
                let mut out = Targets::new();
                for elem in elems.clone() {
                    for (object, place) in self.constant_targets(m, elem) {
                        add_target(&mut out, object, place);
                    }
                }
                out
            }
            ConstKind::Expr(ConstExpr::Cast(_, inner)) => self.constant_targets(m, *inner),
            ConstKind::Expr(ConstExpr::Gep { elem_ty, base, indices, .. }) => {
                let indices: Vec<Operand> = indices.iter().map(|i| Operand::Const(*i)).collect();
                let base = self.constant_targets(m, *base);
                types::gep_step(m, *elem_ty, &indices).reach_all(&base)
            }
            _ => Targets::new(),
        }
    }

    /// The object of a global variable, with the types and pointers of its initialiser.
    fn global_object(&mut self, m: &Module, global: GlobalId) -> ObjId {
        let kind = ObjKind::Global(global);
        if let Some(id) = self.sites.get(&kind) {
            return *id;
        }
        let id = self.object(kind);
        self.objects[id].inactive = m.globals[global].attrs.has(INACTIVE);
        self.seed_type(m, &Targets::from([(id, Place::at(0))]), m.globals[global].ty);
        if let Some(init) = m.globals[global].init {
            self.seed_initialiser(m, id, 0, init);
        }
        id
    }

    fn seed_initialiser(&mut self, m: &Module, object: ObjId, at: u64, constant: ConstId) {
        let c = m.constants.get(constant);
        if let ConstKind::Aggregate(elems) = &c.kind {
            for (i, elem) in elems.clone().into_iter().enumerate() {
                let offset = m.layout.element_offset(&m.types, c.ty, i as u64).unwrap_or(0);
                self.seed_initialiser(m, object, at + offset, elem);
            }
            return;
        }
        if m.types.is_ptr(c.ty) {
            let targets = self.constant_targets(m, constant);
            self.store_pointers(object, Place::at(at as i64), &targets);
        }
    }

    /// What is stored as a pointer, or a part of one, at `place` of `object` may now point to `targets`. Where the
    /// object is known not to reach, nothing is stored (LangRef, "Pointer Aliasing Rules": an access of what is not
    /// the memory of the address is undefined behaviour).
    fn store_pointers(&mut self, object: ObjId, place: Place, targets: &Targets) {
        let Some(place) = place.within_object(8, self.objects[object].size).filter(|_| !targets.is_empty()) else {
            return;
        };
        let entry = self.objects[object].pointers.entry(place).or_default();
        for (target, at) in targets {
            self.changed |= add_target(entry, *target, *at);
        }
        let size = entry.len();
        self.note_size(Set::Stored(object, place), size);
    }

    fn find_turns(&mut self, root: FuncId) {
        for object in self.found_outside(root, false) {
            // A variable is gone with its function.
            self.objects[object].outlives = !matches!(self.objects[object].kind, ObjKind::Stack(..));
        }
        for object in self.objects.values_mut() {
            let holds = |cell: Cell| object.cells.values().any(|c| *c == cell);
            object.turns = holds(Cell::Either) || holds(Cell::Ptr) && holds(Cell::Float(FloatKind::Double));
            object.both = !object.pointers.is_empty() && object.cells.values().any(|c| c.float().is_some());
        }
    }

    fn find_shadowed(&mut self) {
        loop {
            let given = self.given_to_rules();
            let wanted = |id, o| self.wants_shadow(o) || given.contains(&id);
            let new: Vec<ObjId> = self
                .objects
                .iter()
                .filter(|(id, o)| !self.shadowed.contains(id) && !o.is_constant() && wanted(*id, o))
                .map(|(id, _)| id)
                .collect();
            if new.is_empty() {
                return;
            }
            self.shadowed.extend(new);
        }
    }

    fn wants_shadow(&self, object: &Object) -> bool {
        matches!(object.kind, ObjKind::External { .. })
            || object.varied && !self.overlooks(Blind::ShadowOfActive)
            || !self.overlooks(Blind::ShadowOfPointers)
                && object.pointers.values().flat_map(|t| t.keys()).any(|o| self.shadowed.contains(o))
    }
}

/// The analysis of what is differentiated has become too much.
pub fn not_converged(m: &Module, root: &Function) -> Diagnostic {
    let message = "the memory analysis did not converge: too many pointers may lead to too many objects. Compile with \
                   optimisation, or give a function that is called here a gradient of its own";
    Diagnostic::of(m, root, Reason::Unsupported, message)
}

/// Adds a target; says whether the set grew.
fn add_target(set: &mut Targets, object: ObjId, place: Place) -> bool {
    match set.get_mut(&object) {
        None => {
            set.insert(object, place);
            true
        }
        Some(old) => {
            let joined = old.join(place);
            let grew = joined != *old;
            *old = joined;
            grew
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::collect::collect;

    /// What the analysis of a function costs that finds the caller's pointers in a table of its own, and what it says.
    fn analysed(limit: Limit) -> Result<usize, Diagnostic> {
        let text = "define double @f(ptr %x, ptr %y, i64 %n) {\nentry:\n  %table = alloca [2 x ptr], align 8\n  \
                    store ptr %x, ptr %table, align 8\n  %q = getelementptr inbounds ptr, ptr %table, i64 1\n  \
                    store ptr %y, ptr %q, align 8\n  %at = getelementptr inbounds ptr, ptr %table, i64 %n\n  \
                    %p = load ptr, ptr %at, align 8\n  %v = load double, ptr %p, align 8\n  ret double %v\n}\n";
        let mut m = ir::parse(text, "limit").expect("the test's IR parses");
        let f = m.function("f").expect("f is there");
        let sources = collect(&mut m, f).expect("it can be normalised");
        let activities = [Activity::Dup, Activity::Dup, Activity::Const];
        let facts = Facts { limit, ..Facts::default() }.solve(&m, &sources, (f, &activities))?;
        Ok(facts.looked_at())
    }

    #[test]
    fn beyond_the_limit_there_is_an_error_and_no_answer() {
        let cost = analysed(Limit::default()).expect("two pointers are not too many");
        assert!(cost > 0 && analysed(Limit(cost)).is_ok());
        let refused = analysed(Limit(1)).expect_err("each round takes two");
        assert!(refused.message.contains("did not converge"), "{}", refused.message);
        assert_eq!(refused.function, "f");
    }
}
