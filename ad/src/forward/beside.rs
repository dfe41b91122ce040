//! Threads that are made one by one, and tasks: what is executed beside whoever makes it executes its tangent.
//!
//! The tangent of a function that makes one has been emitted as that of any function: it does itself what the thread or
//! task is to do. That goes into a function of its own, which the thread or task executes on a record:
//!
//! ```text
//! record: { words of what it is …, duals of what it returned …, arguments with their duals … }
//! ```
//!
//! Whatever orders threads in the program orders them here: tangents travel beside what they belong to.

use super::Derived;
use crate::base::builder::Builder;
use crate::base::names::{declare, unique};
use crate::emit::tasks::{self, COUNT, DEPENDENCES, FLAGS};
use crate::emit::threads::{self, RESULT};
use crate::normalise::tasks::{GIVEN_COUNT, GIVEN_DEPENDENCES, GIVEN_FLAGS};
use ir::{CastOp, ConstKind, FuncId, Function, InstKind, Module, Operand, TypeId};

/// Where the duals of what a thread returned lie; the arguments lie behind.
const DUALS: u64 = 40;

/// What is executed beside its maker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Thread,
    Task,
}

/// Makes a function that makes a thread, or a task, of one that does what that does. `width` directions.
pub(super) fn made(m: &mut Module, what: What, each: Function, (own, width): (&Derived, usize)) -> Function {
    let (ret, params): (TypeId, Vec<TypeId>) = (each.ret, each.params.iter().map(|p| p.ty).collect());
    let name = each.name.clone();
    let mut each = each;
    each.name = unique(m, &format!("{name}.each"));
    let each = m.functions.push(each);
    let layout = Layout { what, params, ret, returns: own.returns, width };
    let executed = layout.executed(m, &name, each);
    let mut f = Function::new(&name, ret, &layout.params);
    f.flags.linkage = "internal".to_owned();
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let malloc = declare(m, "malloc", ptr, &[i64t]);
    let executed = m.function_address(executed);
    let mut b = Builder::new(m, f);
    let size = b.m.int(64, u128::from(layout.argument(layout.params.len())));
    let null = b.m.zero(ptr);
    let record = b.call(malloc, vec![size]).unwrap_or(null);
    for i in 0..layout.params.len() {
        let (value, at) = (b.f.param(i), b.offset(record, layout.argument(i)));
        b.store(value, at, 8);
    }
    match what {
        What::Thread => {
            threads::mark(&mut b, record);
            threads::create(&mut b, record, executed);
            let result = layout.stands_for(&mut b, record);
            b.effect(InstKind::Ret(Some(result)));
        }
        What::Task => {
            // Behind each parameter come its duals.
            let place = |i: usize| i + own.params[..i].iter().filter(|dual| **dual).count() * width;
            let [flags, count] = [GIVEN_FLAGS, GIVEN_COUNT].map(|i| {
                let given = b.f.param(place(i));
                b.cast(CastOp::ZExt, given, i64t)
            });
            let dependences = b.f.param(place(GIVEN_DEPENDENCES));
            for (value, at) in [(flags, FLAGS), (count, COUNT), (dependences, DEPENDENCES)] {
                let at = b.offset(record, at);
                b.store(value, at, 8);
            }
            let make = tasks::make(b.m);
            b.call(make, vec![record, executed]);
            b.effect(InstKind::Ret(None));
        }
    }
    b.f
}

/// What the record of one kind holds.
struct Layout {
    what: What,
    /// Of the function that makes it: parameters with their duals, and what it gives.
    params: Vec<TypeId>,
    ret: TypeId,
    /// That comes with its duals.
    returns: bool,
    width: usize,
}

impl Layout {
    fn argument(&self, i: usize) -> u64 {
        DUALS + 8 * (self.width + i) as u64
    }

    /// `ptr f(ptr record)`, which it executes.
    fn executed(&self, m: &mut Module, name: &str, each: FuncId) -> FuncId {
        let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
        let mut f = Function::new(&unique(m, &format!("{name}.executed")), ptr, &[ptr]);
        f.flags.linkage = "internal".to_owned();
        let free = declare(m, "free", void, &[ptr]);
        let mut b = Builder::new(m, f);
        let (record, null) = (b.f.param(0), b.m.zero(ptr));
        let args = (0..self.params.len()).map(|i| {
            let at = b.offset(record, self.argument(i));
            b.load(self.params[i], at, 8)
        });
        let args: Vec<Operand> = args.collect();
        let result = b.call(each, args);
        match (self.what, result) {
            (What::Thread, Some(result)) => {
                let places = (0..self.width as u64).map(|d| DUALS + 8 * d);
                for (n, place) in [RESULT].into_iter().chain(places).enumerate() {
                    // What has no dual is its own.
                    let value = if self.returns { b.extract(result, n as u32) } else { result };
                    let ty = b.ty(value);
                    let value = if b.m.types.is_ptr(ty) { b.cast(CastOp::PtrToInt, value, i64t) } else { value };
                    let at = b.offset(record, place);
                    b.store(value, at, 8);
                }
            }
            _ => drop(b.call(free, vec![record])),
        }
        b.effect(InstKind::Ret(Some(null)));
        let f = b.f;
        m.functions.push(f)
    }

    /// What the maker of a thread gets in its place.
    fn stands_for(&self, b: &mut Builder, record: Operand) -> Operand {
        if !self.returns {
            return threads::as_thread(b, record, self.ret);
        }
        let mut whole = b.m.constant(self.ret, ConstKind::Poison);
        for n in 0..=self.width as u32 {
            let ty = b.m.types.element(self.ret, u64::from(n)).unwrap_or(self.ret);
            let part = threads::as_thread(b, record, ty);
            whole = b.insert(whole, part, n);
        }
        whole
    }
}

/// A function that awaits a thread, and gives what that returned: in the place of one that gives what it gets.
pub(super) fn awaited(m: &mut Module, given: Function, (own, width): (&Derived, usize)) -> Function {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let params: Vec<TypeId> = given.params.iter().map(|p| p.ty).collect();
    let mut f = Function::new(&given.name, given.ret, &params);
    f.flags.linkage = "internal".to_owned();
    let free = declare(m, "free", void, &[ptr]);
    let mut b = Builder::new(m, f);
    let thread = b.f.param(0);
    let record = threads::record_of(&mut b, thread);
    threads::join(&mut b, record);
    let places = (0..if own.returns { width as u64 } else { 0 }).map(|d| DUALS + 8 * d);
    let words = [RESULT].into_iter().chain(places).map(|place| {
        let at = b.offset(record, place);
        b.load(i64t, at, 8)
    });
    let words: Vec<Operand> = words.collect();
    b.call(free, vec![record]);
    let result = match words.as_slice() {
        [alone] if !own.returns => *alone,
        words => {
            let mut whole = b.m.constant(given.ret, ConstKind::Poison);
            for (n, word) in words.iter().enumerate() {
                whole = b.insert(whole, *word, n as u32);
            }
            whole
        }
    };
    b.effect(InstKind::Ret(Some(result)));
    b.f
}

/// A function that awaits tasks.
pub(super) fn awaited_tasks(m: &mut Module, given: Function) -> Function {
    let mut f = Function::new(&given.name, given.ret, &[]);
    f.flags.linkage = "internal".to_owned();
    let wait = tasks::wait(m);
    let mut b = Builder::new(m, f);
    b.call(wait, Vec::new());
    b.effect(InstKind::Ret(None));
    b.f
}
