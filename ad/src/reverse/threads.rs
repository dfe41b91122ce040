//! Threads of POSIX, of C and of C++: the augmented forward and the reverse of making one, and of awaiting it.
//!
//! Both passes make a thread of their own (`pthread_create`). That of the forward pass has a record, whose address
//! stands for the thread in the differentiated program:
//!
//! ```text
//! record: { thread, whether it was awaited, what it returned, the shadow of that, a mark, what reverses it,
//!           head of its tape, record of its function, arguments with their shadows … }
//! ```
//!
//! | | forward pass | reverse pass |
//! |---|---|---|
//! | spawn | makes a thread, which executes the augmented function | waits until that of the reverse pass has ended |
//! | await | waits until it has ended | makes a thread, which executes the reverse of the function |
//!
//! So in the reverse pass, too, the thread runs beside whoever made it. One that nobody has awaited by the time that
//! its making is reversed is awaited there, and reversed at once.

use crate::base::builder::Builder;
use crate::base::names::{declare, unique};
use crate::emit::atomic_add::running;
use crate::error::{Diagnostic, Reason};
use crate::normalise::fork::call_in;
use crate::program::openmp::ADVICE;
use crate::reverse::{Derived, Env};
use crate::runtime::refuse::message;
use crate::runtime::tape;
use ir::{CastOp, ConstKind, FuncId, Function, InstKind, IntPred, Module, Operand, Ordering, RmwOp, TypeId};

/// Where things lie in a record.
const THREAD: u64 = 0;
const AWAITED: u64 = 8;
const RESULT: u64 = 16;
const SHADOW: u64 = 24;
const MARK: u64 = 32;
const REVERSE: u64 = 40;
const TAPE: u64 = 48;
const KEPT: u64 = TAPE + tape::TAPE_SIZE;
const ARGS: u64 = KEPT + 8;

/// What a record holds at [`MARK`].
const MARKED: u128 = 0x6164_6a5f_7468_7264;

const NONE: &str = "a thread of a differentiated function could not be made\n";
const FOREIGN: &str = "a thread is awaited in a differentiated function that was made elsewhere\n";

/// Emits the bodies of the split derivative of a function that makes a thread.
pub(crate) fn split_spawn(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let source = &env.sources[&id];
    let Some((at, body)) = call_in(m, source) else {
        return Err(Diagnostic::of(m, source, Reason::Bug, "a thread without a function that it executes"));
    };
    let own = env.derived[&id].clone();
    let derived = env.derived.get(&body).cloned();
    let by_value = derived.as_ref().is_some_and(|body| !body.outs.is_empty() || body.seed.is_some());
    if by_value || !own.outs.is_empty() || own.seed.is_some() {
        let message = format!("a thread gets or returns an active value in the place of a pointer: {ADVICE}");
        return Err(Diagnostic::at(m, source, at, Reason::Unsupported, message));
    }
    let mut spawn = Spawn { m, own, body, derived };
    let each = spawn.reverse_each();
    spawn.forward(source, each);
    spawn.reverse(each);
    Ok(())
}

/// A thread whose derivative is emitted.
struct Spawn<'a> {
    m: &'a mut Module,
    /// The function that makes it.
    own: Derived,
    /// The function that it executes, and the derivative of that, if it has one.
    body: FuncId,
    derived: Option<Derived>,
}

impl Spawn<'_> {
    /// `ptr f(ptr record)`, which a thread executes.
    fn thread(&mut self, what: &str) -> Function {
        let ptr = self.m.types.ptr();
        let name = unique(self.m, &format!("__adj_{what}_thread_{}", self.m.functions[self.body].name));
        let mut f = Function::new(&name, ptr, &[ptr]);
        f.flags.linkage = "internal".to_owned();
        f
    }

    /// The augmented forward: a record, and a thread.
    fn forward(&mut self, source: &Function, reverse: Option<FuncId>) {
        let each = self.forward_each(source);
        let f = self.m.functions[self.own.forward].clone();
        let given = source.params.len() + self.own.shadows.len();
        let mut b = Builder::new(self.m, f);
        let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
        let (null, zero, mark) = (b.m.zero(ptr), b.m.zero(i64t), b.m.int(64, MARKED));
        let size = b.m.int(64, u128::from(ARGS + 8 * given as u64));
        let (alloc, tape) = (tape::tape_alloc(b.m), b.f.param(given));
        let record = b.call(alloc, vec![tape, size]).unwrap_or(null);
        let (each, reverse) = (b.m.function_address(each), reverse.map_or(null, |f| b.m.function_address(f)));
        for (value, at) in [(zero, AWAITED), (zero, RESULT), (zero, SHADOW), (mark, MARK), (reverse, REVERSE)] {
            let at = b.offset(record, at);
            b.store(value, at, 8);
        }
        for i in 0..given {
            let (value, at) = (b.f.param(i), b.offset(record, ARGS + 8 * i as u64));
            b.store(value, at, 8);
        }
        create(&mut b, record, each);
        let ret = b.f.ret;
        let mut result = b.m.constant(ret, ConstKind::Poison);
        let number = as_type(&mut b, record, source.ret);
        result = b.insert(result, number, 0);
        if self.own.returns_shadow {
            result = b.insert(result, number, 1);
        }
        result = b.insert(result, record, 1 + u32::from(self.own.returns_shadow));
        b.effect(InstKind::Ret(Some(result)));
        let f = b.f;
        self.m.functions[self.own.forward] = f;
    }

    /// What the thread does in the forward pass.
    fn forward_each(&mut self, source: &Function) -> FuncId {
        let count = source.params.len();
        let types: Vec<TypeId> = source.params.iter().map(|p| p.ty).collect();
        let (shadows, body, derived) = (self.own.shadows.clone(), self.body, self.derived.clone());
        let returned = self.m.functions[body].ret;
        let f = self.thread("forward");
        let mut b = Builder::new(self.m, f);
        let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
        let record = b.f.param(0);
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
        let null = b.m.zero(ptr);
        b.effect(InstKind::Ret(Some(null)));
        let f = b.f;
        self.m.functions.push(f)
    }

    /// The reverse of making it: waits until it has been reversed.
    fn reverse(&mut self, each: Option<FuncId>) {
        let i64t = self.m.types.int(64);
        let f = self.m.functions[self.own.reverse].clone();
        let mut b = Builder::new(self.m, f);
        let (record, zero) = (b.f.param(0), b.m.zero(i64t));
        let at = b.offset(record, AWAITED);
        let awaited = b.load(i64t, at, 8);
        let known = b.icmp(IntPred::Ne, awaited, zero);
        let [reversed, alone, done] = ["reversed", "alone", "done"].map(|name| b.f.add_block(name));
        b.cond_br(known, reversed, alone);
        b.at = reversed;
        if each.is_some() {
            join(&mut b, record);
            count(&mut b, RmwOp::Sub);
        }
        b.br(done);
        b.at = alone;
        join(&mut b, record);
        if let Some(each) = each {
            b.call(each, vec![record]);
        }
        b.br(done);
        b.at = done;
        b.effect(InstKind::Ret(None));
        let f = b.f;
        self.m.functions[self.own.reverse] = f;
    }

    /// What the thread does in the reverse pass, if it does anything there.
    fn reverse_each(&mut self) -> Option<FuncId> {
        let derived = self.derived.clone()?;
        let f = self.thread("reverse");
        let mut b = Builder::new(self.m, f);
        let ptr = b.m.types.ptr();
        let record = b.f.param(0);
        let at = b.offset(record, KEPT);
        let kept = b.load(ptr, at, 8);
        b.call(derived.reverse, vec![kept]);
        let (free, tape) = (tape::tape_free(b.m), b.offset(record, TAPE));
        b.call(free, vec![tape]);
        let null = b.m.zero(ptr);
        b.effect(InstKind::Ret(Some(null)));
        let f = b.f;
        Some(self.m.functions.push(f))
    }
}

/// Emits the bodies of the split derivative of a function that awaits a thread.
pub(crate) fn split_await(m: &mut Module, env: &Env, id: FuncId) {
    let own = env.derived[&id].clone();
    let source = &env.sources[&id];
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let f = m.functions[own.forward].clone();
    let mut b = Builder::new(m, f);
    let thread = b.f.param(0);
    let record = b.cast(CastOp::IntToPtr, thread, ptr);
    let (at, mark, one) = (b.offset(record, MARK), b.m.int(64, MARKED), b.m.int(64, 1));
    let found = b.load(i64t, at, 8);
    let foreign = b.icmp(IntPred::Ne, found, mark);
    refuse_if(&mut b, foreign, FOREIGN);
    join(&mut b, record);
    let at = b.offset(record, AWAITED);
    b.store(one, at, 8);
    let ret = b.f.ret;
    let mut result = b.m.constant(ret, ConstKind::Poison);
    let places = if own.returns_shadow { &[RESULT, SHADOW][..] } else { &[RESULT] };
    for (n, place) in places.iter().enumerate() {
        let at = b.offset(record, *place);
        let value = b.load(source.ret, at, 8);
        result = b.insert(result, value, n as u32);
    }
    result = b.insert(result, record, places.len() as u32);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    m.functions[own.forward] = f;
    let f = m.functions[own.reverse].clone();
    let mut b = Builder::new(m, f);
    let record = b.f.param(0);
    let (at, null) = (b.offset(record, REVERSE), b.m.zero(ptr));
    let each = b.load(ptr, at, 8);
    let idle = b.icmp(IntPred::Eq, each, null);
    let [made, done] = ["made", "done"].map(|name| b.f.add_block(name));
    b.cond_br(idle, done, made);
    b.at = made;
    count(&mut b, RmwOp::Add);
    create(&mut b, record, each);
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions[own.reverse] = f;
}

/// Makes a thread that executes the function on the record.
fn create(b: &mut Builder, record: Operand, each: Operand) {
    let (ptr, i32t) = (b.m.types.ptr(), b.m.types.int(32));
    let create = declare(b.m, "pthread_create", i32t, &[ptr, ptr, ptr, ptr]);
    let (null, zero) = (b.m.zero(ptr), b.m.zero(i32t));
    let at = b.offset(record, THREAD);
    if let Some(failed) = b.call(create, vec![at, null, each, record]) {
        let failed = b.icmp(IntPred::Ne, failed, zero);
        refuse_if(b, failed, NONE);
    }
}

/// Waits until the thread of the record has ended.
fn join(b: &mut Builder, record: Operand) {
    let (ptr, i32t, i64t) = (b.m.types.ptr(), b.m.types.int(32), b.m.types.int(64));
    let join = declare(b.m, "pthread_join", i32t, &[i64t, ptr]);
    let (at, null) = (b.offset(record, THREAD), b.m.zero(ptr));
    let thread = b.load(i64t, at, 8);
    b.call(join, vec![thread, null]);
}

/// Counts the threads of reverse passes that are there.
fn count(b: &mut Builder, op: RmwOp) {
    let (running, one, i64t) = (running(b.m), b.m.int(64, 1), b.m.types.int(64));
    let (volatile, ordering, scope) = (false, Ordering::Monotonic, String::new());
    b.value(InstKind::AtomicRmw { op, ptr: running, value: one, align: 8, volatile, ordering, scope }, i64t);
}

fn refuse_if(b: &mut Builder, cond: Operand, text: &str) {
    let (refuse, length) = (tape::refuse_if(b.m), b.m.int(64, text.len() as u128));
    let text = message(b.m, text);
    b.call(refuse, vec![cond, text, length]);
}

/// A pointer as what stands for a thread in the program.
fn as_type(b: &mut Builder, record: Operand, ty: TypeId) -> Operand {
    if b.m.types.is_ptr(ty) { record } else { b.cast(CastOp::PtrToInt, record, ty) }
}
