//! Teams of threads: the augmented forward and the reverse of a parallel region.
//!
//! Both fork a team of their own (Moses et al., "Scalable Automatic Differentiation of Multiple Parallel Paradigms
//! through Compiler Augmentation", SC'22). In the forward pass each thread has a tape, which it allocates itself, and
//! leaves a slot in a list that the region's record holds:
//!
//! ```text
//! record: { last slot, run, adjoints of what is captured by value … }
//! slot:   { head of the thread's tape, record of the outlined function, number of the thread, slot before }
//! ```
//!
//! The reverse pass asks for a team of as many threads, of which each reverses what the thread of its number did. If
//! the runtime gives fewer, each reverses several, one after the other, unless threads have waited for each other: then
//! the program ends with a message. What is captured by value gets the sum of what the threads have for it.

use crate::base::builder::Builder;
use crate::base::names::{declare, unique};
use crate::emit::atomic_add::atomic_add;
use crate::emit::gathered_add::{make_claims, set_claims, settle_everything};
use crate::emit::shadow_globals::clear_globals;
use crate::error::{Diagnostic, Reason};
use crate::normalise::fork::{call_in, runtime_of};
use crate::program::externals::{External, classify};
use crate::program::openmp::{self, ADVICE};
use crate::program::threads::is_of_once;
use crate::reverse::{Derived, Env};
use crate::runtime::{refuse, run, tape};
use ir::{
    BinOp, CastOp, ConstKind, FloatKind, FuncId, Function, GlobalId, InstKind, IntPred, Module, Operand, Ordering,
    RmwOp, Type, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where things lie in a slot.
const RECORD: u64 = tape::TAPE_SIZE;
const NUMBER: u64 = RECORD + 8;
const BEFORE: u64 = NUMBER + 8;
const SLOT_SIZE: u64 = BEFORE + 8;

/// Where the run ([`crate::runtime::run`]) and the adjoints lie in the region's record.
const RUN: u64 = 8;
const ADJOINTS: u64 = 16;

const FEWER: &str = "the reverse of a parallel region whose threads wait for each other has got a smaller team\n";

/// A region whose derivative is emitted.
struct Fork<'a> {
    m: &'a mut Module,
    name: String,
    /// The function that forks, and the one that its threads execute.
    own: Derived,
    body: Derived,
    /// The function of the runtime that forks, and the place in the source that it is told.
    runtime: FuncId,
    place: Operand,
    /// How it forks.
    how: &'static openmp::Fork,
    /// Do threads wait for each other?
    waits: bool,
    /// Do threads share a run?
    has_run: bool,
    /// Floats that threads gather, and whether they claim memory.
    gathered: Vec<FloatKind>,
    claims: bool,
    /// Shadows of variables of which each thread has its own.
    of_threads: BTreeMap<GlobalId, GlobalId>,
}

/// Emits the bodies of the split derivative of a function that forks.
pub(crate) fn split(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let source = &env.sources[&id];
    let (Some((at, outlined)), Some((runtime, place, how))) = (call_in(m, source), runtime_of(m, id)) else {
        return Err(Diagnostic::of(m, source, Reason::Bug, "a fork without a function that its threads execute"));
    };
    let refuse = |m: &Module, message: &str| {
        Err(Diagnostic::at(m, source, at, Reason::Unsupported, format!("{message}: {ADVICE}")))
    };
    let Some(body) = env.derived.get(&outlined).cloned() else {
        return Err(Diagnostic::of(m, source, Reason::Bug, "a fork of threads that have nothing to reverse"));
    };
    let own = env.derived[&id].clone();
    let moved: Vec<(usize, TypeId)> = own.outs.iter().map(|(i, ty)| (i + 2, *ty)).collect();
    if moved.iter().any(|out| !body.outs.contains(out)) {
        return refuse(m, "a value that the threads of a region get a copy of carries other data there");
    }
    let waits = waits(m, env, outlined);
    let name = m.functions[outlined].name.clone();
    let of_thread = |(global, _): &(&GlobalId, &GlobalId)| !m.globals[**global].thread_local.is_empty();
    let of_threads: BTreeMap<GlobalId, GlobalId> =
        env.globals.iter().filter(of_thread).map(|(global, shadow)| (*global, *shadow)).collect();
    let holds_pointers = |global: &GlobalId| {
        env.facts.global(*global).is_some_and(|object| !env.facts.objects[object].pointers.is_empty())
    };
    let kept = |global: &&GlobalId| !is_of_once(&m.globals[**global].name) && holds_pointers(global);
    if let Some(global) = of_threads.keys().find(kept) {
        return refuse(m, &format!("`{}`, of which each thread has its own, holds pointers", m.globals[*global].name));
    }
    let (has_run, gathered) = (env.has_run, env.parallel.gathered_kinds().to_vec());
    // The teams of a league do not wait for each other.
    let claims = env.parallel.claims(id) && how.ask != openmp::PUSH_TEAMS;
    let mut fork =
        Fork { m: &mut *m, name, own, body, runtime, place, how, waits, has_run, gathered, claims, of_threads };
    fork.forward(source);
    fork.reverse().or_else(|why| refuse(m, why))
}

/// Does any function that the threads execute put them in an order?
fn waits(m: &Module, env: &Env, outlined: FuncId) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), vec![outlined]);
    while let Some(id) = work.pop() {
        let Some(func) = env.sources.get(&id).filter(|_| seen.insert(id)) else { continue };
        for (_, inst) in func.inst_order() {
            work.extend(env.facts.called(m, env.sources, (id, func), inst));
            let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
            let order = callee.map(|f| classify(m, &m.functions[f]));
            if matches!(order, Some(External::Order(_))) {
                return true;
            }
        }
    }
    false
}

impl Fork<'_> {
    /// A function that each thread of a team executes.
    fn outlined(&mut self, what: &str, params: &[TypeId]) -> Function {
        let (ptr, void) = (self.m.types.ptr(), self.m.types.void());
        let all: Vec<TypeId> = [ptr, ptr].into_iter().chain(params.iter().copied()).collect();
        let name = unique(self.m, &format!("__adj_{what}_team_{}", self.name));
        let mut f = Function::new(&name, void, &all);
        f.flags.linkage = "internal".to_owned();
        f
    }

    /// Emits `fork_call(body, args…)`.
    fn fork(b: &mut Builder, (runtime, place): (FuncId, Operand), body: FuncId, args: Vec<Operand>) {
        let count = b.m.int(32, args.len() as u128);
        let body = b.m.function_address(body);
        b.call(runtime, [place, count, body].into_iter().chain(args).collect());
    }

    /// The augmented forward: the team, with the record.
    fn forward(&mut self, source: &Function) {
        let (runtime, each, has_run) = (self.runtime, self.forward_each(source), self.has_run);
        let f = self.m.functions[self.own.forward].clone();
        let count = source.params.len() + self.own.shadows.len();
        let mut b = Builder::new(self.m, f);
        let ptr = b.m.types.ptr();
        let null = b.m.zero(ptr);
        let size = ADJOINTS + adjoints(b.m, &self.own).1;
        let size = b.m.int(64, u128::from(size));
        let alloc = tape::tape_alloc(b.m);
        let tape = b.f.param(count);
        let record = b.call(alloc, vec![tape, size]).unwrap_or(null);
        b.store(null, record, 8);
        if has_run {
            let at = b.offset(record, RUN);
            run::keep(&mut b, at);
        }
        let args = (0..count).map(|i| b.f.param(i)).chain([record]).collect();
        Self::fork(&mut b, (runtime, self.place), each, args);
        let ret = b.f.ret;
        let result = b.m.constant(ret, ConstKind::Poison);
        let result = b.insert(result, record, 0);
        b.effect(InstKind::Ret(Some(result)));
        let f = b.f;
        self.m.functions[self.own.forward] = f;
    }

    /// What each thread does in the forward pass.
    fn forward_each(&mut self, source: &Function) -> FuncId {
        let (ptr, i64t, i32t) = (self.m.types.ptr(), self.m.types.int(64), self.m.types.int(32));
        let shadows = self.own.shadows.iter().map(|i| source.params[*i].ty);
        let params: Vec<TypeId> = source.params.iter().map(|p| p.ty).chain(shadows).chain([ptr]).collect();
        let f = self.outlined("forward", &params);
        let malloc = declare(self.m, "malloc", ptr, &[i64t]);
        let number = declare(self.m, self.how.number, i32t, &[]);
        let (count, has_run) = (source.params.len(), self.has_run);
        let mut b = Builder::new(self.m, f);
        let record = b.f.param(2 + params.len() - 1);
        let null = b.m.zero(ptr);
        let outside = has_run.then(|| {
            let at = b.offset(record, RUN);
            run::enter(&mut b, at)
        });
        clear_globals(&mut b, &self.of_threads);
        let size = b.m.int(64, u128::from(SLOT_SIZE));
        let slot = b.call(malloc, vec![size]).unwrap_or(null);
        let head = b.m.int(64, u128::from(tape::TAPE_SIZE));
        tape::clear(&mut b, slot, head);
        let mut args: Vec<Operand> = (0..2 + count).map(|i| b.f.param(i)).collect();
        for i in &self.body.shadows {
            // What has no shadow there is its own.
            let own = i.checked_sub(2).and_then(|i| self.own.shadows.iter().position(|s| *s == i));
            args.push(b.f.param(own.map_or(*i, |n| 2 + count + n)));
        }
        args.push(slot);
        if let Some(result) = b.call(self.body.forward, args) {
            let kept = b.extract(result, 0);
            let at = b.offset(slot, RECORD);
            b.store(kept, at, 8);
        }
        if let Some(number) = b.call(number, Vec::new()) {
            let (number, at) = (b.cast(CastOp::ZExt, number, i64t), b.offset(slot, NUMBER));
            b.store(number, at, 8);
        }
        let (op, ordering, scope) = (RmwOp::Xchg, Ordering::AcqRel, String::new());
        let kind = InstKind::AtomicRmw { op, ptr: record, value: slot, align: 8, volatile: false, ordering, scope };
        let (before, at) = (b.value(kind, ptr), b.offset(slot, BEFORE));
        b.store(before, at, 8);
        outside.into_iter().for_each(|outside| run::go_back(&mut b, outside));
        b.effect(InstKind::Ret(None));
        let f = b.f;
        self.m.functions.push(f)
    }

    /// The reverse: the slots in the order of the threads' numbers, and the team.
    fn reverse(&mut self) -> Result<(), &'static str> {
        let (runtime, each, has_run) = (self.runtime, self.reverse_each()?, self.has_run);
        let claimed = self.claimed().to_vec();
        let (ptr, i64t, i32t, void) =
            (self.m.types.ptr(), self.m.types.int(64), self.m.types.int(32), self.m.types.void());
        let thread = declare(self.m, openmp::THREAD, i32t, &[ptr]);
        let limited = self.how.ask == openmp::PUSH_TEAMS;
        let asked = [ptr, i32t, i32t, i32t];
        let ask = declare(self.m, self.how.ask, void, &asked[..if limited { 4 } else { 3 }]);
        let free = declare(self.m, "free", void, &[ptr]);
        let f = self.m.functions[self.own.reverse].clone();
        let mut b = Builder::new(self.m, f);
        let record = b.f.param(0);
        let last = b.load(ptr, record, 8);
        let [zero, one] = [0, 1].map(|n| b.m.int(64, n));
        let team = along(&mut b, last, zero, |b, _, count| b.binary(BinOp::Add, count, one));
        let kind = InstKind::Alloca { elem_ty: ptr, count: Some(team), align: 8, addr_space: 0, inalloca: false };
        let slots = b.value(kind, ptr);
        along(&mut b, last, zero, |b, slot, _| {
            let at = b.offset(slot, NUMBER);
            let number = b.load(i64t, at, 8);
            let at = element(b, slots, number);
            b.store(slot, at, 8);
            zero
        });
        let (offsets, size) = adjoints(b.m, &self.own);
        let (sums, size) = (b.offset(record, ADJOINTS), b.m.int(64, u128::from(size)));
        if !offsets.is_empty() {
            tape::clear(&mut b, sums, size);
        }
        if let Some(thread) = b.call(thread, vec![self.place]) {
            let team = b.cast(CastOp::Trunc, team, i32t);
            let mut args = vec![self.place, thread, team];
            // No limit to the threads of each.
            args.extend(limited.then(|| b.m.zero(i32t)));
            b.call(ask, args);
        }
        if has_run {
            let at = b.offset(record, RUN);
            run::keep(&mut b, at);
        }
        settle_everything(&mut b, &self.gathered);
        let claims: Vec<Operand> = claimed.iter().map(|_| make_claims(&mut b)).collect();
        let args = [record, slots, team].into_iter().chain(claims.iter().copied()).collect();
        Self::fork(&mut b, (runtime, self.place), each, args);
        for claims in claims {
            b.call(free, vec![claims]);
        }
        along(&mut b, last, zero, |b, slot, _| {
            b.call(free, vec![slot]);
            zero
        });
        let mut result = None;
        for (n, (offset, ty)) in offsets.into_iter().enumerate() {
            let (at, align, ret) = (b.offset(sums, offset), b.align(ty), b.f.ret);
            let sum = b.load(ty, at, align);
            let whole = result.unwrap_or_else(|| b.m.constant(ret, ConstKind::Poison));
            result = Some(b.insert(whole, sum, n as u32));
        }
        b.effect(InstKind::Ret(result));
        let f = b.f;
        self.m.functions[self.own.reverse] = f;
        Ok(())
    }

    /// Floats for which the threads claim memory.
    fn claimed(&self) -> &[FloatKind] {
        if self.claims { &self.gathered } else { &[] }
    }

    /// What each thread does in the reverse pass.
    fn reverse_each(&mut self) -> Result<FuncId, &'static str> {
        let (ptr, i64t, i32t) = (self.m.types.ptr(), self.m.types.int(64), self.m.types.int(32));
        let claimed = self.claimed().to_vec();
        let params: Vec<TypeId> = [ptr, ptr, i64t].into_iter().chain(claimed.iter().map(|_| ptr)).collect();
        let f = self.outlined("reverse", &params);
        let has_run = self.has_run;
        let ask = [self.how.number, self.how.count].map(|name| declare(self.m, name, i32t, &[]));
        let mut b = Builder::new(self.m, f);
        let [record, slots, team] = [2, 3, 4].map(|i| b.f.param(i));
        let zero = b.m.zero(i64t);
        let outside = has_run.then(|| {
            let at = b.offset(record, RUN);
            run::enter(&mut b, at)
        });
        let [first, step] = ask.map(|f| {
            let number = b.call(f, Vec::new());
            number.map_or(zero, |number| b.cast(CastOp::ZExt, number, i64t))
        });
        if !claimed.is_empty() {
            // Not beside other teams, nor alone.
            let level = declare(b.m, "omp_get_active_level", i32t, &[]);
            let (one, none) = (b.m.int(32, 1), b.m.zero(ptr));
            let level = b.call(level, Vec::new()).unwrap_or(one);
            let single = b.m.int(64, 1);
            let [outermost, several] = [(IntPred::Eq, level, one), (IntPred::Ugt, step, single)]
                .map(|(pred, lhs, rhs)| b.icmp(pred, lhs, rhs));
            let both = b.binary(BinOp::And, outermost, several);
            for (n, kind) in claimed.iter().enumerate() {
                let given = b.f.param(5 + n);
                let claims = b.select(both, given, none);
                set_claims(&mut b, *kind, claims);
            }
        }
        if self.waits {
            let (other, text) = (b.icmp(IntPred::Ne, step, team), refuse::message(b.m, FEWER));
            let (refuse, length) = (tape::refuse_if(b.m), b.m.int(64, FEWER.len() as u128));
            b.call(refuse, vec![other, text, length]);
        }
        let [each, reversed, done] = ["each", "reversed", "done"].map(|n| b.f.add_block(n));
        let entry = b.at;
        b.br(each);
        b.at = each;
        let phi = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(first, entry)] }, i64t);
        let index = b.result(phi);
        let more = b.icmp(IntPred::Ult, index, team);
        b.cond_br(more, reversed, done);
        b.at = reversed;
        let at = element(&mut b, slots, index);
        let slot = b.load(ptr, at, 8);
        let at = b.offset(slot, RECORD);
        let kept = b.load(ptr, at, 8);
        let found = b.call(self.body.reverse, vec![kept]);
        let (offsets, _) = adjoints(b.m, &self.own);
        for ((i, ty), (offset, _)) in self.own.outs.iter().zip(&offsets) {
            let place = self.body.outs.iter().position(|(j, _)| *j == i + 2);
            let (Some(found), Some(place)) = (found, place) else { continue };
            let (part, at) = (b.extract(found, place as u32), b.offset(record, ADJOINTS + offset));
            atomic_add(&mut b, at, *ty, part, 0)?;
        }
        let free = tape::tape_free(b.m);
        b.call(free, vec![slot]);
        let next = b.binary(BinOp::Add, index, step);
        let from = b.at;
        if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
            incoming.push((next, from));
        }
        b.br(each);
        b.at = done;
        if !claimed.is_empty() {
            meet(&mut b, self.place);
        }
        settle_everything(&mut b, &self.gathered);
        for kind in &claimed {
            let none = b.m.zero(ptr);
            set_claims(&mut b, *kind, none);
        }
        outside.into_iter().for_each(|outside| run::go_back(&mut b, outside));
        b.effect(InstKind::Ret(None));
        let f = b.f;
        Ok(self.m.functions.push(f))
    }
}

/// All threads of a team wait for each other.
fn meet(b: &mut Builder, place: Operand) {
    let (ptr, i32t, void) = (b.m.types.ptr(), b.m.types.int(32), b.m.types.void());
    let [thread, barrier] = [(openmp::THREAD, i32t, &[ptr][..]), (openmp::BARRIER, void, &[ptr, i32t])]
        .map(|(name, ret, params)| declare(b.m, name, ret, params));
    if let Some(thread) = b.call(thread, vec![place]) {
        b.call(barrier, vec![place, thread]);
    }
}

/// Where the adjoints of what is captured by value lie, with their types, and how many bytes they take.
fn adjoints(m: &Module, own: &Derived) -> (Vec<(u64, TypeId)>, u64) {
    let (mut out, mut end) = (Vec::new(), 0u64);
    for (_, ty) in &own.outs {
        let at = end.next_multiple_of(m.layout.align_of(&m.types, *ty).max(1));
        out.push((at, *ty));
        end = at + m.size_of(*ty);
    }
    (out, end)
}

/// The address of an element of an array of pointers.
fn element(b: &mut Builder, array: Operand, index: Operand) -> Operand {
    let eight = b.m.int(64, 8);
    let offset = b.binary(BinOp::Mul, index, eight);
    b.offset_by(array, offset)
}

/// A loop over the slots from the last one on; `step` makes a number of the number before, and the last one is the
/// result.
fn along(
    b: &mut Builder,
    last: Operand,
    first: Operand,
    step: impl FnOnce(&mut Builder, Operand, Operand) -> Operand,
) -> Operand {
    let (ptr, ty) = (b.m.types.ptr(), b.ty(first));
    debug_assert!(matches!(b.m.types.get(ty), Type::Int(_)));
    let null = b.m.zero(ptr);
    let [each, there, done] = ["each", "there", "done"].map(|n| b.f.add_block(n));
    let entry = b.at;
    b.br(each);
    b.at = each;
    let phi = |value| InstKind::Phi { fast: Default::default(), incoming: vec![(value, entry)] };
    let (at, number) = (b.push(phi(last), ptr), b.push(phi(first), ty));
    let (slot, before) = (b.result(at), b.result(number));
    let end = b.icmp(IntPred::Eq, slot, null);
    b.cond_br(end, done, there);
    b.at = there;
    let next_at = b.offset(slot, BEFORE);
    let next = b.load(ptr, next_at, 8);
    let after = step(b, slot, before);
    let from = b.at;
    for (phi, value) in [(at, next), (number, after)] {
        if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
            incoming.push((value, from));
        }
    }
    b.br(each);
    b.at = done;
    before
}
