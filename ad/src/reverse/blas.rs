//! The augmented forward and the reverse of a routine, from its row.
//!
//! The forward calls the routine, and records everything that its terms name: flags, counts, numbers, pointers,
//! shadows, and packed copies of what the reverse reads and somebody may overwrite before. The reverse executes the
//! terms.

use crate::analysis::context::Context;
use crate::analysis::memory::query::PointerKind;
use crate::base::alias_scopes;
use crate::base::builder::Builder;
use crate::emit::blas::lower::Lower;
use crate::emit::blas::{Rule, origin};
use crate::reverse::Env;
use crate::runtime::tape;
use crate::runtime::tape_log::{self, Kept};
use ir::{ConstKind, FuncId, InstKind, Module, Operand, Role, TypeId};
use rules::blas::{Kind, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What the facts say of the operands.
struct Activity {
    /// Parameters by name.
    positions: BTreeMap<&'static str, usize>,
    /// Operands with a derivative, and whether their memory may be constant.
    active: BTreeMap<&'static str, bool>,
    /// Matrices and vectors that nobody overwrites before the reverse.
    kept: BTreeSet<&'static str>,
}

impl Activity {
    fn has(&self, term: &&Term) -> bool {
        self.active.contains_key(term.of)
    }
}

impl Rule {
    /// The parameter of each operand.
    pub(crate) fn positions(self) -> BTreeMap<&'static str, usize> {
        let mut next = usize::from(self.spelling.cblas && self.routine.has_layout());
        let mut out = BTreeMap::new();
        for (name, kind) in self.routine.operands() {
            out.insert(name, next);
            next += if matches!(kind, Kind::Data(_)) { 2 } else { 1 };
        }
        out
    }

    fn activity(self, cx: &Context) -> Activity {
        let positions = self.positions();
        let mut out = Activity { positions, active: BTreeMap::new(), kept: BTreeSet::new() };
        for (name, kind) in self.routine.operands() {
            let param = cx.func.param(out.positions[name]);
            let floats = kind.is_memory() || kind == Kind::Scalar;
            if floats && (cx.has_adjoint(param) || cx.has_shadow(param)) {
                out.active.insert(name, cx.pointer_kind(param) == PointerKind::Mixed);
            }
            if kind.is_memory() && cx.never_written(param) {
                out.kept.insert(name);
            }
        }
        out
    }

    /// The versions of memory that the terms read: `A`, `A0`, `A1`.
    fn read(self, activity: &Activity) -> BTreeSet<&'static str> {
        let mut out = BTreeSet::new();
        for step in self.routine.adjoints.iter().filter(|t| activity.has(t)).flat_map(Term::steps) {
            let Some(callee) = step.callee() else { continue };
            for ((_, kind), token) in callee.operands().into_iter().zip(step.tokens().iter().copied()) {
                let of = token.trim_end_matches(['0', '1']);
                if kind.is_memory() && activity.positions.contains_key(of) {
                    out.insert(token);
                }
            }
        }
        out
    }
}

/// Emits the bodies of a routine's split derivative.
pub(crate) fn split(m: &mut Module, env: &Env, id: FuncId, rule: Rule) {
    let source = &env.sources[&id];
    let activity = {
        let (facts, sources, differentiable) = (env.facts, env.sources, env.differentiable);
        rule.activity(&Context { m, facts, sources, differentiable, id, func: source })
    };
    let outputs = rule.routine.outputs();
    let alive = match rule.routine.returns() {
        true => env.derived[&id].seed.is_some(),
        false => outputs.iter().any(|o| activity.active.contains_key(o)),
    };
    let record = forward(m, env, id, rule, (&activity, alive));
    reverse(m, env, id, rule, (&activity, alive), &record);
}

/// What the forward pass leaves for the reverse: names, in the order of the members of a structure.
struct Record {
    names: Vec<String>,
    ty: TypeId,
}

/// The augmented forward pass: copies of what the terms read, and the routine between them.
fn forward(m: &mut Module, env: &Env, id: FuncId, rule: Rule, (activity, alive): (&Activity, bool)) -> Record {
    let (source, derived, outputs) = (&env.sources[&id], &env.derived[&id], rule.routine.outputs());
    let signature = m.functions[derived.forward].clone();
    let list = alias_scopes::records(m);
    let mut builder = Builder::new(m, signature);
    builder.origin = origin(source, id, Role::Clone);
    let count = source.params.len();
    let arguments: Vec<Operand> = (0..count).map(|i| builder.f.param(i)).collect();
    let tape = builder.f.param(count + derived.shadows.len());
    let mut lower = Lower::new(&mut builder, rule);
    lower.arguments(&arguments);
    for name in activity.active.keys() {
        if let Some(n) = derived.shadows.iter().position(|i| *i == activity.positions[name]) {
            lower.values.insert(format!("{name}'"), lower.b.f.param(count + n));
        }
    }
    lower.active = activity.active.clone();
    let read = if alive { rule.read(activity) } else { BTreeSet::new() };
    let copies = |lower: &mut Lower, wanted: &dyn Fn(&str) -> bool| {
        for version in read.iter().filter(|v| wanted(v)) {
            let name = version.trim_end_matches(['0', '1']);
            let mut condition = lower.nonempty();
            if !outputs.contains(&name)
                && let Some(product) = lower.product()
            {
                condition = lower.and(condition, product);
            }
            lower.copy(name, version, condition, tape);
        }
    };
    let [clone, push] = [Role::Clone, Role::Push].map(|role| origin(source, id, role));
    lower.b.origin = push;
    copies(&mut lower, &|version| !version.ends_with('1') && !activity.kept.contains(version));
    lower.b.origin = clone;
    let result = lower.b.call(id, arguments);
    lower.called(result);
    lower.b.origin = push;
    copies(&mut lower, &|version| version.ends_with('1'));
    let values = std::mem::take(&mut lower.values);
    let types: Vec<TypeId> = values.values().map(|v| lower.b.ty(*v)).collect();
    let record_ty = builder.m.types.tuple(types);
    let ptr = builder.m.types.ptr();
    let null = builder.m.zero(ptr);
    let size = builder.m.size_of(record_ty);
    let size = builder.m.int(64, u128::from(size));
    let alloc = tape::tape_alloc(builder.m);
    let record = builder.call(alloc, vec![tape, size]).unwrap_or(null);
    for (i, value) in values.values().enumerate() {
        let at = field(&mut builder, record_ty, record, i);
        let align = builder.align(builder.ty(*value));
        builder.store(*value, at, align);
        let block = builder.at;
        if let Some(store) = builder.f.blocks[block].insts.last().copied() {
            tape_log::mark(&mut builder.f.insts[store].metadata, Kept::Value, list);
        }
    }
    let ret = builder.f.ret;
    let mut whole = builder.m.constant(ret, ConstKind::Poison);
    for (i, part) in result.into_iter().chain([record]).enumerate() {
        whole = builder.insert(whole, part, i as u32);
    }
    builder.effect(InstKind::Ret(Some(whole)));
    let f = builder.f;
    m.functions[derived.forward] = f;
    Record { names: values.into_keys().collect(), ty: record_ty }
}

/// The reverse pass: the terms, from what the forward pass has left.
fn reverse(m: &mut Module, env: &Env, id: FuncId, rule: Rule, (activity, alive): (&Activity, bool), written: &Record) {
    let (source, derived) = (&env.sources[&id], &env.derived[&id]);
    let ptr = m.types.ptr();
    let signature = m.functions[derived.reverse].clone();
    let mut builder = Builder::new(m, signature);
    builder.origin = origin(source, id, Role::Adjoint);
    let record = builder.f.param(0);
    let mut loaded = BTreeMap::new();
    for (i, name) in written.names.iter().enumerate() {
        let ty = builder.m.types.element(written.ty, i as u64).unwrap_or(ptr);
        let (at, align) = (field(&mut builder, written.ty, record, i), builder.align(ty));
        loaded.insert(name.clone(), builder.load(ty, at, align));
    }
    let mut lower = Lower::new(&mut builder, rule);
    lower.values = loaded;
    lower.active = activity.active.clone();
    if derived.seed.is_some() {
        lower.values.insert("r'".to_owned(), lower.b.f.param(1));
    }
    for name in activity.active.keys() {
        let by_value = derived.outs.iter().any(|(i, _)| *i == activity.positions[name]);
        let sum = match by_value {
            true => {
                let real = lower.real();
                let (slot, align, zero) = (lower.slot(real), lower.b.align(real), lower.b.m.zero(real));
                lower.b.store(zero, slot, align);
                Some(slot)
            }
            false => lower.values.get(&format!("{name}'")).copied(),
        };
        lower.sums.extend(sum.map(|sum| (*name, sum)));
    }
    if alive {
        let condition = lower.useful();
        lower.only_if(condition, |lower| {
            for term in rule.routine.adjoints.iter().filter(|t| activity.has(t)) {
                lower.term(term);
            }
        });
    }
    let names: Vec<&str> = derived.outs.iter().filter_map(|(i, _)| activity.name(*i)).collect();
    let mut result = None;
    for (i, name) in names.into_iter().enumerate() {
        let real = lower.real();
        let align = lower.b.align(real);
        let out = lower.b.load(real, lower.sums[name], align);
        let ret = lower.b.f.ret;
        let whole = result.unwrap_or_else(|| lower.b.m.constant(ret, ConstKind::Poison));
        result = Some(lower.b.insert(whole, out, i as u32));
    }
    builder.effect(InstKind::Ret(result));
    let f = builder.f;
    m.functions[derived.reverse] = f;
}

impl Activity {
    /// The operand that a parameter is.
    fn name(&self, position: usize) -> Option<&'static str> {
        self.positions.iter().find(|(_, p)| **p == position).map(|(name, _)| *name)
    }
}

/// The address of a field of the record.
fn field(b: &mut Builder, record_ty: TypeId, record: Operand, index: usize) -> Operand {
    let offset = b.m.layout.element_offset(&b.m.types, record_ty, index as u64).unwrap_or(0);
    b.offset(record, offset)
}
