//! What is executed beside whoever makes it, a thread or a task: the function that makes it, and what it executes in
//! both passes.
//!
//! It has a record, which whoever makes it keeps for the reverse pass:
//!
//! ```text
//! record: { words of what it is …, head of its tape, record of its function, run, arguments with their shadows … }
//! word 2, 3: what it returned, the shadow of that
//! ```

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::emit::threads::RESULT;
use crate::error::{Diagnostic, Reason};
use crate::normalise::fork::call_in;
use crate::program::openmp::ADVICE;
use crate::reverse::{Derived, Env};
use crate::runtime::{run, tape};
use ir::{CastOp, FuncId, Function, InstKind, Module, Operand, TypeId};

/// Where things lie in a record, beside [`RESULT`].
pub(super) const SHADOW: u64 = 24;
const TAPE: u64 = 48;
const KEPT: u64 = TAPE + tape::TAPE_SIZE;
const RUN: u64 = KEPT + 8;
const ARGS: u64 = RUN + 8;

/// Something whose derivative is emitted that is executed beside whoever makes it.
pub(super) struct Beside<'a> {
    pub(super) m: &'a mut Module,
    /// What it is called in messages and names.
    what: &'static str,
    /// The function that makes it.
    pub(super) own: Derived,
    /// The function that it executes, and the derivative of that, if it has one.
    body: FuncId,
    derived: Option<Derived>,
    /// Do threads share a run?
    pub(super) has_run: bool,
}

impl<'a> Beside<'a> {
    /// What the function makes.
    pub(super) fn of(m: &'a mut Module, env: &Env, id: FuncId, what: &'static str) -> Result<Beside<'a>, Diagnostic> {
        let source = &env.sources[&id];
        let Some((at, body)) = call_in(m, source) else {
            let message = format!("a {what} without a function that it executes");
            return Err(Diagnostic::of(m, source, Reason::Bug, message));
        };
        let own = env.derived[&id].clone();
        let derived = env.derived.get(&body).cloned();
        let by_value = derived.as_ref().is_some_and(|body| !body.outs.is_empty() || body.seed.is_some());
        if by_value || !own.outs.is_empty() || own.seed.is_some() {
            let message = format!("a {what} gets or returns an active value in the place of a pointer: {ADVICE}");
            return Err(Diagnostic::at(m, source, at, Reason::Unsupported, message));
        }
        Ok(Beside { m, what, own, body, derived, has_run: env.has_run })
    }

    /// `ptr f(ptr record)`, which it executes.
    fn executed(&mut self, pass: &str) -> Function {
        let ptr = self.m.types.ptr();
        let name = unique(self.m, &format!("__adj_{pass}_{}_{}", self.what, self.m.functions[self.body].name));
        let mut f = Function::new(&name, ptr, &[ptr]);
        f.flags.linkage = "internal".to_owned();
        f
    }

    /// Begins with the run of whoever made it; the run that the thread was in.
    fn enter_run(has_run: bool, b: &mut Builder, record: Operand) -> Option<Operand> {
        has_run.then(|| {
            let at = b.offset(record, RUN);
            run::enter(b, at)
        })
    }

    /// What it does in the forward pass.
    pub(super) fn forward_each(&mut self, source: &Function) -> FuncId {
        let count = source.params.len();
        let types: Vec<TypeId> = source.params.iter().map(|p| p.ty).collect();
        let (shadows, body, derived) = (self.own.shadows.clone(), self.body, self.derived.clone());
        let (returned, has_run) = (self.m.functions[body].ret, self.has_run);
        let f = self.executed("forward");
        let mut b = Builder::new(self.m, f);
        let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
        let record = b.f.param(0);
        let before = Self::enter_run(has_run, &mut b, record);
        let argument = |b: &mut Builder, place: usize, ty: TypeId| {
            let at = b.offset(record, ARGS + 8 * place as u64);
            b.load(ty, at, 8)
        };
        let mut args: Vec<Operand> = (0..count).map(|i| argument(&mut b, i, types[i])).collect();
        let void = b.m.types.void();
        let (returns, number) = (returned != void, returned != void && !b.m.types.is_ptr(returned));
        let keep = |b: &mut Builder, value: Operand, place: u64| {
            let value = if number { b.cast(CastOp::ZExt, value, i64t) } else { value };
            let at = b.offset(record, place);
            b.store(value, at, 8);
        };
        match derived {
            None => {
                let result = b.call(body, args);
                result.into_iter().for_each(|result| keep(&mut b, result, RESULT));
            }
            Some(derived) => {
                for i in &derived.shadows {
                    // What has no shadow there is its own.
                    let place = shadows.iter().position(|s| s == i);
                    args.push(place.map_or(args[*i], |n| argument(&mut b, count + n, types[*i])));
                }
                let (tape, size) = (b.offset(record, TAPE), b.m.int(64, u128::from(tape::TAPE_SIZE)));
                tape::clear(&mut b, tape, size);
                args.push(tape);
                let null = b.m.zero(ptr);
                let result = b.call(derived.forward, args).unwrap_or(null);
                let mut places = Vec::new();
                places.extend(returns.then_some(RESULT));
                places.extend((returns && derived.returns_shadow).then_some(SHADOW));
                for (n, place) in places.iter().enumerate() {
                    let value = b.extract(result, n as u32);
                    keep(&mut b, value, *place);
                }
                let (kept, at) = (b.extract(result, places.len() as u32), b.offset(record, KEPT));
                b.store(kept, at, 8);
            }
        }
        before.into_iter().for_each(|before| run::go_back(&mut b, before));
        let null = b.m.zero(ptr);
        b.effect(InstKind::Ret(Some(null)));
        let f = b.f;
        self.m.functions.push(f)
    }

    /// What it does in the reverse pass, if it does anything there.
    pub(super) fn reverse_each(&mut self) -> Option<FuncId> {
        let (derived, has_run) = (self.derived.clone()?, self.has_run);
        let f = self.executed("reverse");
        let mut b = Builder::new(self.m, f);
        let ptr = b.m.types.ptr();
        let record = b.f.param(0);
        let before = Self::enter_run(has_run, &mut b, record);
        let at = b.offset(record, KEPT);
        let kept = b.load(ptr, at, 8);
        b.call(derived.reverse, vec![kept]);
        let (free, tape) = (tape::tape_free(b.m), b.offset(record, TAPE));
        b.call(free, vec![tape]);
        before.into_iter().for_each(|before| run::go_back(&mut b, before));
        let null = b.m.zero(ptr);
        b.effect(InstKind::Ret(Some(null)));
        let f = b.f;
        Some(self.m.functions.push(f))
    }
}

/// Lets what is made next with that record go on in the run that the thread is in.
pub(super) fn keep_run(b: &mut Builder, record: Operand) {
    let at = b.offset(record, RUN);
    run::keep(b, at);
}

/// In the augmented forward of the function that makes it: a record with what it is given.
pub(super) fn record(b: &mut Builder, source: &Function, own: &Derived, has_run: bool) -> Operand {
    let given = source.params.len() + own.shadows.len();
    let ptr = b.m.types.ptr();
    let (null, size) = (b.m.zero(ptr), b.m.int(64, u128::from(ARGS + 8 * given as u64)));
    let (alloc, tape) = (tape::tape_alloc(b.m), b.f.param(given));
    let record = b.call(alloc, vec![tape, size]).unwrap_or(null);
    for i in 0..given {
        let (value, at) = (b.f.param(i), b.offset(record, ARGS + 8 * i as u64));
        b.store(value, at, 8);
    }
    if has_run {
        keep_run(b, record);
    }
    record
}
