//! Roundings written as two sums, `(x + 0x1p52) - 0x1p52`, have slope zero: [`Shift`] says which constants and why.
//!
//! The second sum is the rounding, if what it takes the constant off comes from a sum that has added it, by whatever
//! way floats go: registers, variables (volatile ones, too, by which programs keep compilers from joining the two
//! sums), arrays, parameters, results. A forward may-analysis over values and memory, with the points-to sets of
//! [`Facts`], tells of each float whether it may be such a sum, such a constant, or something else:
//!
//! | may be, on some path | the second sum is |
//! |---|---|
//! | sums with this constant, and constants | a rounding |
//! | something else, no such sum | a sum like any other |
//! | both | in doubt: refused, if it depends on active inputs |
//!
//! A constant in place of the sum has no derivative in either case.
//!
//! The bits of the first sum are a multiple of a power of two, too, where they are taken apart.

use crate::analysis::memory::marked::{Marked, Marker};
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, Key, lane_bits};
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify, width};
use ir::hash::{HashMap, HashSet};
use ir::{BinOp, Call, CastOp, ConstId, FloatKind, FuncId, Function, InstId, InstKind, Module, Operand, TypeId};
use rules::{Op, Shift};
use std::collections::BTreeSet;

/// What floats are, as far as roundings go.
#[derive(Clone, Debug, Default)]
pub(super) struct Roundings {
    certain: HashSet<(FuncId, InstId)>,
    doubtful: BTreeSet<(FuncId, InstId)>,
    sums: HashSet<Key>,
}

impl Roundings {
    /// Finds them, when it is settled where pointers point.
    pub(super) fn find(m: &Module, sources: &Sources, facts: &Facts, root: FuncId) -> Roundings {
        let mut search = Search {
            m,
            sources,
            facts,
            kinds: Vec::new(),
            crowded: false,
            values: HashMap::default(),
            memory: Marked::default(),
            returned: HashMap::default(),
            changed: true,
        };
        if !search.has_constants() {
            return Roundings::default();
        }
        for param in &sources[&root].params {
            search.values.insert((root, param.value), Origin::OTHER);
        }
        while search.changed {
            search.changed = false;
            for (id, func) in sources {
                for (_, inst) in func.inst_order() {
                    search.instruction((*id, func), inst);
                }
            }
        }
        search.told()
    }

    /// Does the instruction take off, in every lane, the constant that made its operand a multiple of a power of two?
    pub(super) fn rounds(&self, id: FuncId, inst: InstId) -> bool {
        self.certain.contains(&(id, inst))
    }

    /// Is the value a sum that leaves no fraction?
    pub(super) fn is_sum(&self, id: FuncId, value: Operand) -> bool {
        value.local().is_some_and(|v| self.sums.contains(&(id, v)))
    }

    /// Refuses an instruction that may be a rounding and may be none, where that makes a difference.
    pub(super) fn refuse(&self, m: &Module, sources: &Sources, facts: &Facts) -> Result<(), Diagnostic> {
        for (id, inst) in &self.doubtful {
            let func = &sources[id];
            if !func.insts[*inst].result.is_some_and(|v| facts.active.contains(&(*id, v))) {
                continue;
            }
            let message = "this takes off a constant that may have been added to round to an integer, and may not, as \
                far as can be told: the derivative is zero in one case and one in the other. Round with `rint`, or \
                keep both sums in one function, the first in a variable that holds nothing else";
            return Err(Diagnostic::at(m, func, *inst, Reason::Unsupported, message));
        }
        Ok(())
    }
}

/// What a float may be: a set of [`Kind`]s, by index, of constants that are none of them, and of anything else.
/// Nothing, where no value has been seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Origin(u64);

impl Origin {
    const OTHER: Origin = Origin(1);
    /// A constant that plays no part in a rounding.
    const STILL: Origin = Origin(2);

    fn of(kind: usize) -> Origin {
        Origin(4 << kind)
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn may_be(self, other: Origin) -> bool {
        self.0 & other.0 != 0
    }

    fn kinds(self) -> impl Iterator<Item = usize> {
        (0..MAX_KINDS).filter(move |kind| self.0 & Origin::of(*kind).0 != 0)
    }
}

impl std::ops::BitOr for Origin {
    type Output = Origin;

    fn bitor(self, other: Origin) -> Origin {
        Origin(self.0 | other.0)
    }
}

impl FromIterator<Origin> for Origin {
    fn from_iter<I: IntoIterator<Item = Origin>>(all: I) -> Origin {
        all.into_iter().fold(Origin::default(), |all, one| all | one)
    }
}

impl Marker for Origin {
    fn join(self, other: Origin) -> Origin {
        self | other
    }
}

/// How many kinds are told apart. In a program with more of them every second sum is in doubt.
const MAX_KINDS: usize = 62;

/// What a float is, if it plays a part in a rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A constant that leaves no fraction when it is added.
    Constant(FloatKind, u128),
    /// A sum with such a constant.
    Sum(Shift),
}

impl Kind {
    /// The constant of the sum that it is; one by itself is a sum with zero.
    fn as_sum(self) -> Option<Shift> {
        match self {
            Kind::Constant(kind, bits) => Shift::of(Op::FAdd, 1, width(kind).precision(), bits),
            Kind::Sum(shift) => Some(shift),
        }
    }
}

struct Search<'a> {
    m: &'a Module,
    sources: &'a Sources,
    facts: &'a Facts,
    kinds: Vec<Kind>,
    crowded: bool,
    values: HashMap<Key, Origin>,
    memory: Marked<Origin>,
    returned: HashMap<FuncId, Origin>,
    changed: bool,
}

impl Search<'_> {
    /// Does any instruction, or variable with an initial value, have such a constant?
    fn has_constants(&mut self) -> bool {
        let sources = self.sources;
        let named = sources.iter().any(|(id, func)| {
            func.inst_order().any(|(_, inst)| {
                func.insts[inst].kind.operands().into_iter().any(|o| {
                    o.local().is_none() && self.constant((*id, func), o).is_some_and(|o| o.kinds().next().is_some())
                })
            })
        });
        let objects: Vec<Origin> = self.facts.objects.keys().map(|object| self.initial(object)).collect();
        named || objects.into_iter().any(|o| o.kinds().next().is_some())
    }

    fn kind(&mut self, kind: Kind) -> Origin {
        if let Some(known) = self.kinds.iter().position(|k| *k == kind) {
            return Origin::of(known);
        }
        if self.kinds.len() == MAX_KINDS {
            self.crowded = true;
            return Origin::OTHER;
        }
        self.kinds.push(kind);
        Origin::of(self.kinds.len() - 1)
    }

    /// A float of these bits.
    fn number(&mut self, kind: FloatKind, bits: u128) -> Origin {
        match Shift::of(Op::FAdd, 1, width(kind).precision(), bits) {
            Some(_) => self.kind(Kind::Constant(kind, bits)),
            None => Origin::STILL,
        }
    }

    /// The opposites of constants.
    fn negated(&mut self, origin: Origin) -> Origin {
        let all: Vec<Kind> = origin.kinds().map(|kind| self.kinds[kind]).collect();
        let opposite = |search: &mut Self, kind: Kind| match kind {
            Kind::Constant(kind, bits) => search.number(kind, bits ^ 1 << (kind.bits() - 1)),
            Kind::Sum(_) => Origin::OTHER,
        };
        let kinds: Origin = all.into_iter().map(|kind| opposite(self, kind)).collect();
        kinds | Origin(origin.0 & (Origin::OTHER.0 | Origin::STILL.0))
    }

    fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        self.m.types.float_kind(self.m.types.scalar(ty))
    }

    /// The lanes of a value that constants make; none if it is no float, or is not known.
    fn constant(&mut self, (_, func): (FuncId, &Function), operand: Operand) -> Option<Origin> {
        let kind = self.float_kind(self.m.operand_ty(func, operand))?;
        let lanes = lane_bits::each_lane(self.m, func, operand, kind.bits())?;
        Some(lanes.into_iter().map(|bits| self.number(kind, bits)).collect())
    }

    fn origin(&mut self, (id, func): (FuncId, &Function), operand: Operand) -> Origin {
        if let Some(constant) = self.constant((id, func), operand) {
            return constant;
        }
        match operand {
            Operand::Local(v) => self.values.get(&(id, v)).copied().unwrap_or_default(),
            Operand::Const(_) => Origin::STILL,
        }
    }

    fn all(&mut self, of: (FuncId, &Function), operands: &[Operand]) -> Origin {
        operands.iter().map(|o| self.origin(of, *o)).collect()
    }

    fn set(&mut self, id: FuncId, value: Option<ir::ValueId>, origin: Origin) {
        let Some(v) = value.filter(|_| !origin.is_empty()) else { return };
        let known = self.values.entry((id, v)).or_default();
        let joined = *known | origin;
        self.changed |= joined != *known;
        *known = joined;
    }

    fn instruction(&mut self, (id, func): (FuncId, &Function), at: InstId) {
        let (m, facts) = (self.m, self.facts);
        let inst = &func.insts[at];
        let of = (id, func);
        let origin = match &inst.kind {
            InstKind::Load { ptr, .. } => match stored(m, func, at, *ptr) {
                Some(value) => self.origin(of, value),
                None => self.loaded(id, *ptr, inst.ty),
            },
            InstKind::Store { value, ptr, .. } => {
                let origin = self.origin(of, *value);
                self.leave(id, *ptr, Some(m.operand_ty(func, *value)), origin);
                return;
            }
            InstKind::AtomicRmw { ptr, value, .. } | InstKind::CmpXchg { ptr, new: value, .. } => {
                let ty = m.operand_ty(func, *value);
                let origin = self.origin(of, *value) | Origin::OTHER;
                self.leave(id, *ptr, Some(ty), origin);
                self.loaded(id, *ptr, ty) | Origin::OTHER
            }
            InstKind::Freeze(value)
            | InstKind::Cast { op: CastOp::BitCast | CastOp::FPExt | CastOp::FPTrunc, value, .. } => {
                let origin = self.origin(of, *value);
                // In another format a constant has other bits.
                let other = self.float_kind(inst.ty) != self.float_kind(m.operand_ty(func, *value));
                self.kept(origin, |kind| !other || matches!(kind, Kind::Sum(_)))
            }
            InstKind::Phi { incoming, .. } => {
                let values: Vec<Operand> = incoming.iter().map(|(value, _)| *value).collect();
                self.all(of, &values)
            }
            InstKind::Select { if_true, if_false, .. } => self.all(of, &[*if_true, *if_false]),
            InstKind::ExtractElement { vector, .. } => self.origin(of, *vector),
            InstKind::InsertElement { vector, value, .. } => self.joined(of, at, &[*vector, *value]),
            InstKind::ShuffleVector { a, b, .. } => self.joined(of, at, &[*a, *b]),
            InstKind::ExtractValue { aggregate, .. } => self.origin(of, *aggregate),
            InstKind::InsertValue { aggregate, value, .. } => self.joined(of, at, &[*aggregate, *value]),
            InstKind::FNeg { value, .. } => {
                let origin = self.origin(of, *value);
                self.negated(origin)
            }
            InstKind::Ret(Some(value)) => {
                let origin = self.origin(of, *value);
                let known = self.returned.entry(id).or_default();
                self.changed |= *known | origin != *known;
                *known = *known | origin;
                return;
            }
            kind => {
                if let Some(origin) = self.sum(of, at) {
                    origin
                } else if let Some(call) = kind.as_call() {
                    let callees = facts.callees(m, id, at, call);
                    callees.into_iter().map(|f| self.call(of, (call, inst.result), f)).collect()
                } else {
                    Origin::OTHER
                }
            }
        };
        self.set(id, inst.result, origin);
    }

    /// The kinds that are kept; others become something else.
    fn kept(&self, origin: Origin, keeps: impl Fn(Kind) -> bool) -> Origin {
        let others = Origin(origin.0 & (Origin::OTHER.0 | Origin::STILL.0));
        let kept = |kind: usize| match self.kinds[kind] {
            known if keeps(known) => Origin::of(kind),
            Kind::Constant(..) => Origin::STILL,
            Kind::Sum(_) => Origin::OTHER,
        };
        others | origin.kinds().map(kept).collect()
    }

    /// Values put together; what is undefined in them is none.
    fn joined(&mut self, (id, func): (FuncId, &Function), at: InstId, parts: &[Operand]) -> Origin {
        // Where all of it is known, its lanes are.
        if let Some(v) = func.insts[at].result
            && let Some(lanes) = self.constant((id, func), Operand::Local(v))
        {
            return lanes;
        }
        let undefined = |o: &Operand| {
            let kind = self.m.as_constant(*o).map(|c| &c.kind);
            matches!(kind, Some(ir::ConstKind::Undef | ir::ConstKind::Poison))
        };
        let parts: Vec<Operand> = parts.iter().copied().filter(|o| !undefined(o)).collect();
        self.all((id, func), &parts)
    }

    /// What a sum of floats is; none if the instruction makes none.
    fn sum(&mut self, of: (FuncId, &Function), at: InstId) -> Option<Origin> {
        let (op, terms) = sum(self.m, of.1, at)?;
        let origins: Vec<Origin> = terms.iter().map(|term| self.origin(of, *term)).collect();
        if origins.iter().any(|origin| origin.is_empty()) {
            return Some(Origin::default());
        }
        let kind = self.float_kind(of.1.insts[at].ty)?;
        let mut out = Origin::default();
        let mut certain = false;
        for (i, origin) in origins.iter().enumerate() {
            let mut only = !origin.may_be(Origin::OTHER | Origin::STILL);
            for constant in origin.kinds() {
                let shift = match self.kinds[constant] {
                    Kind::Constant(k, bits) if k == kind => Shift::of(op, i, width(kind).precision(), bits),
                    _ => None,
                };
                only &= shift.is_some();
                if let Some(shift) = shift {
                    out = out | self.kind(Kind::Sum(shift));
                }
            }
            certain |= only;
        }
        Some(if certain { out } else { out | Origin::OTHER })
    }

    /// May the instruction be a rounding, and can it be something else?
    fn is_rounding(&mut self, of: (FuncId, &Function), at: InstId) -> Option<bool> {
        let (op, terms) = sum(self.m, of.1, at).filter(|(_, terms)| terms.len() == 2)?;
        let kind = self.float_kind(of.1.insts[at].ty)?;
        let origins: Vec<Origin> = terms.iter().map(|term| self.origin(of, *term)).collect();
        let mut possible = false;
        for (shifted, constant) in [(0, 1), (1, 0)] {
            let (sums, constants) = (origins[shifted], origins[constant]);
            let mut certain = !sums.may_be(Origin::OTHER) && !constants.may_be(Origin::OTHER | Origin::STILL);
            let mut any = false;
            for (sum, constant) in sums.kinds().flat_map(|sum| constants.kinds().map(move |constant| (sum, constant))) {
                let off = match (self.kinds[sum].as_sum(), self.kinds[constant]) {
                    (Some(shift), Kind::Constant(k, bits)) if k == kind => {
                        shift.is_taken_off(op, shifted, width(kind).precision(), bits)
                    }
                    _ => false,
                };
                any |= off;
                certain &= off;
            }
            any |= self.crowded && constants.kinds().next().is_some();
            if any && certain && !self.crowded {
                return Some(true);
            }
            possible |= any;
        }
        possible.then_some(false)
    }

    fn loaded(&mut self, id: FuncId, ptr: Operand, ty: TypeId) -> Origin {
        let targets = self.facts.points_to(self.m, id, ptr);
        if targets.is_empty() {
            return Origin::OTHER;
        }
        let size = self.m.layout.store_size(&self.m.types, ty);
        let initial: Origin = targets.keys().map(|object| self.initial(*object)).collect();
        initial | self.memory.found(&targets, Some(size)).unwrap_or_default()
    }

    /// What memory holds before anything is stored there.
    fn initial(&mut self, object: ObjId) -> Origin {
        match self.facts.objects[object].kind {
            ObjKind::Stack(..) | ObjKind::Heap(..) => Origin::default(),
            ObjKind::Global(g) => {
                let global = &self.m.globals[g];
                let known = global.constant || !self.facts.put_elsewhere.contains(&g);
                let initial = global.init.map_or(Origin::OTHER, |init| self.initialiser(init, 0));
                if known { initial } else { initial | Origin::OTHER }
            }
            ObjKind::Function(_) | ObjKind::External { .. } | ObjKind::Opaque | ObjKind::Lost => Origin::OTHER,
        }
    }

    /// The floats of an initial value.
    fn initialiser(&mut self, init: ConstId, depth: u32) -> Origin {
        const DEPTH: u32 = 16;
        let constant = self.m.constants.get(init);
        match (&constant.kind, self.m.types.float_kind(constant.ty)) {
            (ir::ConstKind::Float(bits), Some(kind)) => self.number(kind, *bits),
            (ir::ConstKind::Aggregate(_), _) if depth == DEPTH => Origin::OTHER,
            (ir::ConstKind::Aggregate(parts), _) => {
                parts.iter().map(|part| self.initialiser(*part, depth + 1)).collect()
            }
            _ => Origin::STILL,
        }
    }

    /// Leaves something where a pointer leads: a value of this type, or any number of them.
    fn leave(&mut self, id: FuncId, ptr: Operand, ty: Option<TypeId>, origin: Origin) {
        if origin.is_empty() {
            return;
        }
        let size = ty.map(|ty| self.m.layout.store_size(&self.m.types, ty));
        for (object, place) in self.facts.points_to(self.m, id, ptr) {
            let place = if size.is_some() { place } else { Place::ANY };
            self.changed |= self.memory.leave(object, place, size, origin);
        }
    }

    /// What a call gives, and what it leaves in memory.
    fn call(
        &mut self,
        (id, func): (FuncId, &Function),
        (call, result): (&Call, Option<ir::ValueId>),
        callee: Option<FuncId>,
    ) -> Origin {
        let (m, sources) = (self.m, self.sources);
        let external = callee.map_or(External::Unknown, |f| classify(m, &m.functions[f]));
        if let Some(body) = callee.filter(|_| matches!(external, External::Unknown)).and_then(|f| sources.get(&f)) {
            let target = callee.unwrap_or(id);
            for (arg, param) in call.args.iter().zip(&body.params) {
                let origin = self.origin((id, func), *arg);
                self.set(target, Some(param.value), origin);
            }
            return self.returned.get(&target).copied().unwrap_or_default();
        }
        let name = callee.map_or("", |f| m.functions[f].name.as_str());
        match external {
            External::Copy => {
                let [to, from]: [Targets; 2] = [0, 1].map(|i| self.facts.points_to(m, id, call.args[i]));
                let size = m.as_int(call.args[2]).map(|n| n as u64);
                let initial: Origin = from.keys().map(|object| self.initial(*object)).collect();
                self.changed |= self.memory.copy((&to, &from), size, |_, _| None, |origin| origin);
                self.leave(id, call.args[0], None, initial);
                Origin::OTHER
            }
            External::Allocate { times, .. } => {
                // What is cleared holds zeros.
                if let (Some(_), Some(v)) = (times, result) {
                    self.leave(id, Operand::Local(v), None, Origin::STILL);
                }
                Origin::OTHER
            }
            External::Set => {
                self.leave(id, call.args[0], None, Origin::STILL);
                Origin::OTHER
            }
            External::Held => self.all((id, func), &call.args),
            External::Free { .. } => Origin::OTHER,
            _ if name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.") => Origin::OTHER,
            _ => {
                for arg in &call.args {
                    self.leave(id, *arg, None, Origin::OTHER);
                }
                Origin::OTHER
            }
        }
    }

    /// What has been found.
    fn told(mut self) -> Roundings {
        let mut out = Roundings::default();
        let sources = self.sources;
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                match self.is_rounding((*id, func), inst) {
                    Some(true) => drop(out.certain.insert((*id, inst))),
                    Some(false) => drop(out.doubtful.insert((*id, inst))),
                    None => {}
                }
            }
        }
        let is_sum = |origin: &Origin| {
            let mut kinds = origin.kinds().map(|kind| self.kinds[kind]);
            !origin.may_be(Origin::OTHER) && kinds.any(|kind| matches!(kind, Kind::Sum(_)))
        };
        out.sums = self.values.iter().filter(|(_, origin)| is_sum(origin)).map(|(key, _)| *key).collect();
        out
    }
}

/// The operation of the table that an instruction is, if it makes a sum, and its operands.
fn sum(m: &Module, func: &Function, inst: InstId) -> Option<(Op, Vec<Operand>)> {
    match &func.insts[inst].kind {
        InstKind::Binary { op: BinOp::FAdd, lhs, rhs, .. } => Some((Op::FAdd, vec![*lhs, *rhs])),
        InstKind::Binary { op: BinOp::FSub, lhs, rhs, .. } => Some((Op::FSub, vec![*lhs, *rhs])),
        InstKind::Call(call) => {
            let op = rules::lookup(&m.functions[m.as_function(call.callee)?].name)?.row.op;
            matches!(op, Op::Fma | Op::FMulAdd).then(|| (op, call.args.to_vec()))
        }
        _ => None,
    }
}

/// What a load from a variable gives, if it was stored before in the same block, whole, and nothing in between may have
/// changed that.
fn stored(m: &Module, func: &Function, load: InstId, ptr: Operand) -> Option<Operand> {
    let is_variable = |o: Operand| {
        let inst = o.local().and_then(|v| func.def_inst(v));
        inst.is_some_and(|i| matches!(func.insts[i].kind, InstKind::Alloca { .. }))
    };
    let elsewhere = |to: Operand| to != ptr && is_variable(to);
    let block = func.blocks.values().find(|block| block.insts.contains(&load)).filter(|_| is_variable(ptr))?;
    let before = block.insts.iter().take_while(|i| **i != load).collect::<Vec<_>>();
    for inst in before.into_iter().rev() {
        match &func.insts[*inst].kind {
            InstKind::Store { ptr: to, value, atomic: None, .. } if *to == ptr => {
                return Some(*value).filter(|v| m.operand_ty(func, *v) == func.insts[load].ty);
            }
            InstKind::Store { ptr: to, .. } if elsewhere(*to) => {}
            InstKind::Call(call) => {
                let callee = &m.functions[m.as_function(call.callee)?];
                match classify(m, callee) {
                    External::Copy if elsewhere(*call.args.first()?) => {}
                    External::Rule(_) if call.args.iter().all(|arg| !m.types.is_ptr(m.operand_ty(func, *arg))) => {}
                    _ if callee.name.starts_with("llvm.lifetime.") => {}
                    _ => return None,
                }
            }
            InstKind::Store { .. } | InstKind::CmpXchg { .. } | InstKind::AtomicRmw { .. } | InstKind::VaArg { .. } => {
                return None;
            }
            _ => {}
        }
    }
    None
}
