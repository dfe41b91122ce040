//! Exception objects, and what is done to them.
//!
//! `{ i64 handlers, i64, object }`: how many handlers have begun and not ended, negative while the object is thrown
//! again (`handlerCount` of the Itanium C++ ABI, Exception Handling, 2.2.1). A pointer to an exception is one to the
//! object. What these functions do to an exception they do not do to a null pointer.

use super::Thrown;
use crate::base::builder::Builder;
use crate::base::names::{self, declare};
use crate::runtime::refuse;
use ir::{BinOp, FuncId, Function, InstKind, IntPred, Module, Operand, TypeId};

/// Bytes of the header.
pub(super) const HEADER: u64 = 16;

/// The functions that take the place of those of the run-time library.
pub(super) struct Functions {
    /// `void (ptr exception)`: it is made.
    pub(super) make: FuncId,
    /// `void (ptr exception)`: it is not thrown after all.
    pub(super) free: FuncId,
    /// `void (ptr exception)`: a handler begins.
    pub(super) begin: FuncId,
    /// `void (ptr exception)`: it is thrown again by its handler.
    pub(super) again: FuncId,
    /// `void (ptr exception)`, for each type that is thrown: its handler ends.
    pub(super) end: Vec<FuncId>,
    /// `ptr (ptr exception)`: the pointer that was thrown.
    pub(super) pointer: FuncId,
    /// `void (i1)`: the program ends with a message, unless that is true.
    pub(super) expect: FuncId,
}

impl Functions {
    /// Makes them for what is thrown.
    pub(super) fn make(m: &mut Module, thrown: &[Thrown], rethrows: bool) -> Functions {
        let free = free(m);
        Functions {
            make: make(m),
            free,
            begin: begin(m),
            again: again(m),
            end: thrown.iter().map(|thrown| end(m, thrown.destructor, rethrows, free)).collect(),
            pointer: pointer(m),
            expect: expect(m),
        }
    }
}

/// The beginning of a function that does nothing to a null pointer, which is its parameter.
fn start<'m>(m: &'m mut Module, name: &str, ret: TypeId) -> (Builder<'m>, Operand) {
    let ptr = m.types.ptr();
    let mut f = Function::new(&names::unique(m, name), ret, &[ptr]);
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("nounwind");
    let mut b = Builder::new(m, f);
    let (exception, null) = (b.f.param(0), b.m.zero(ptr));
    let there = b.icmp(IntPred::Ne, exception, null);
    let [some, none] = ["exception", "none"].map(|name| b.f.add_block(name));
    b.cond_br(there, some, none);
    b.at = none;
    let nothing = (ret == ptr).then_some(null);
    b.effect(InstKind::Ret(nothing));
    b.at = some;
    (b, exception)
}

fn finish(mut b: Builder, result: Option<Operand>) -> FuncId {
    b.effect(InstKind::Ret(result));
    b.m.functions.push(b.f)
}

/// Where the number of handlers lies.
fn header(b: &mut Builder, exception: Operand) -> Operand {
    let back = b.m.int(64, u128::from(HEADER.wrapping_neg()));
    b.offset_by(exception, back)
}

fn make(m: &mut Module) -> FuncId {
    let void = m.types.void();
    let (mut b, exception) = start(m, "__adj_make_exception", void);
    let (at, none) = (header(&mut b, exception), b.m.int(64, 0));
    b.store(none, at, 8);
    finish(b, None)
}

fn free(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let free = declare(m, "free", void, &[ptr]);
    let (mut b, exception) = start(m, "__adj_free_exception", void);
    let block = header(&mut b, exception);
    b.call(free, vec![block]);
    finish(b, None)
}

fn begin(m: &mut Module) -> FuncId {
    let (i64t, void) = (m.types.int(64), m.types.void());
    let (mut b, exception) = start(m, "__adj_begin_catch", void);
    let at = header(&mut b, exception);
    let handlers = b.load(i64t, at, 8);
    let [none, one] = [0, 1].map(|n| b.m.int(64, n));
    let thrown_again = b.icmp(IntPred::Slt, handlers, none);
    let negative = b.binary(BinOp::Sub, none, handlers);
    let others = b.select(thrown_again, negative, handlers);
    let handlers = b.binary(BinOp::Add, others, one);
    b.store(handlers, at, 8);
    finish(b, None)
}

fn again(m: &mut Module) -> FuncId {
    let (i64t, void) = (m.types.int(64), m.types.void());
    let (mut b, exception) = start(m, "__adj_rethrow", void);
    let at = header(&mut b, exception);
    let (handlers, none) = (b.load(i64t, at, 8), b.m.int(64, 0));
    let negative = b.binary(BinOp::Sub, none, handlers);
    b.store(negative, at, 8);
    finish(b, None)
}

/// The last handler destroys the object, unless it is thrown again.
fn end(m: &mut Module, destructor: Option<FuncId>, rethrows: bool, free: FuncId) -> FuncId {
    let (i64t, void) = (m.types.int(64), m.types.void());
    let (mut b, exception) = start(m, "__adj_end_catch", void);
    if rethrows {
        let at = header(&mut b, exception);
        let handlers = b.load(i64t, at, 8);
        let [none, one, less] = [0, 1, u128::from(u64::MAX)].map(|n| b.m.int(64, n));
        let thrown_again = b.icmp(IntPred::Slt, handlers, none);
        let step = b.select(thrown_again, one, less);
        let left = b.binary(BinOp::Add, handlers, step);
        b.store(left, at, 8);
        let was_last = b.icmp(IntPred::Eq, handlers, one);
        let [last, others] = ["last", "others"].map(|name| b.f.add_block(name));
        b.cond_br(was_last, last, others);
        b.at = others;
        b.effect(InstKind::Ret(None));
        b.at = last;
    }
    if let Some(destructor) = destructor {
        b.call(destructor, vec![exception]);
    }
    b.call(free, vec![exception]);
    finish(b, None)
}

fn pointer(m: &mut Module) -> FuncId {
    let ptr = m.types.ptr();
    let (mut b, exception) = start(m, "__adj_pointer_thrown", ptr);
    let held = b.load(ptr, exception, 8);
    finish(b, Some(held))
}

fn expect(m: &mut Module) -> FuncId {
    let (i1, void) = (m.types.int(1), m.types.void());
    let mut f = Function::new(&names::unique(m, "__adj_expect_exception"), void, &[i1]);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let known = b.f.param(0);
    let [right, wrong] = ["known", "unknown"].map(|name| b.f.add_block(name));
    b.cond_br(known, right, wrong);
    b.at = wrong;
    let text = "an exception is handled after another one that was thrown and handled while the first one unwound\n";
    let refusal = refuse::refusal(b.m, text);
    b.effect(refusal);
    b.effect(InstKind::Unreachable);
    b.at = right;
    finish(b, None)
}
