//! Additions to memory to which other threads may add at the same time.

use crate::base::builder::Builder;
use crate::base::names::{ADD_IN_ONE_PIECE, TAKE_IN_ONE_PIECE, declare, internal};
use crate::program::externals::holds_float;
use crate::program::openmp::{self, LEAGUE};
use crate::program::threads;
use crate::runtime::refuse::message;
use crate::runtime::tape::refuse_if;
use ir::{
    Atomic, Attr, AttrValue, BinOp, CastOp, FloatKind, FuncId, Global, InstKind, IntPred, Module, Operand, Ordering,
    RmwOp, Type, TypeId,
};

const UNALIGNED: &str = "several threads may add to an adjoint at a time that is not aligned\n";

/// Ends the program where an address is not aligned, as far as that is not known.
fn refuse_unaligned(b: &mut Builder, ptr: Operand, align: u64) {
    let i64t = b.m.types.int(64);
    let (zero, mask) = (b.m.zero(i64t), b.m.int(64, u128::from(align - 1)));
    let address = b.cast(CastOp::PtrToInt, ptr, i64t);
    let rest = b.binary(BinOp::And, address, mask);
    let unaligned = b.icmp(IntPred::Ne, rest, zero);
    let (refuse, text) = (refuse_if(b.m), message(b.m, UNALIGNED));
    let length = b.m.int(64, UNALIGNED.len() as u128);
    b.call(refuse, vec![unaligned, text, length]);
}

/// The number of threads that reverse what threads of the program have done ([`crate::reverse::threads`]).
pub(crate) fn running(m: &mut Module) -> Operand {
    const NAME: &str = "__adj_threads_running";
    let (i64t, zero) = (m.types.int(64), m.int(64, 0).constant());
    let variable = m.global(NAME).unwrap_or_else(|| {
        let mut global = Global::new(NAME, i64t, zero);
        global.flags.linkage = "internal".to_owned();
        m.globals.push(global)
    });
    m.global_address(variable)
}

/// Is there no other thread that could look at the same time?
pub(super) fn alone(b: &mut Builder) -> Operand {
    let (i1, i32t, i64t) = (b.m.types.int(1), b.m.types.int(32), b.m.types.int(64));
    let zero = b.m.zero(i32t);
    let mut alone = None;
    let mut and = |b: &mut Builder, more: Operand| {
        alone = Some(alone.map_or(more, |known| b.binary(BinOp::And, known, more)));
    };
    if [openmp::FORK_CALL, LEAGUE.name, openmp::TASK_ALLOC].iter().any(|name| b.m.function(name).is_some()) {
        // OpenMP 5.2, 18.2.20: the number of nested regions, around here, that more than one thread executes.
        let level = declare(b.m, "omp_get_active_level", i32t, &[]);
        let level = b.call(level, Vec::new()).unwrap_or(zero);
        same_in_a_function(b, level);
        let outside = b.icmp(IntPred::Eq, level, zero);
        and(b, outside);
    }
    // The teams of a league are no region of more than one thread.
    if b.m.function(LEAGUE.name).is_some() {
        let teams = declare(b.m, LEAGUE.count, i32t, &[]);
        let (teams, one) = (b.call(teams, Vec::new()).unwrap_or(zero), b.m.int(32, 1));
        same_in_a_function(b, teams);
        let single = b.icmp(IntPred::Ule, teams, one);
        and(b, single);
    }
    if threads::are_made(b.m) {
        let (ptr, zero) = (running(b.m), b.m.zero(i64t));
        let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
        let running = b.value(InstKind::Load { ptr, align: 8, volatile: false, atomic }, i64t);
        let none = b.icmp(IntPred::Eq, running, zero);
        and(b, none);
    }
    alone.unwrap_or_else(|| b.m.zero(i1))
}

/// Adds the second parameter to what the first leads to, where nobody could look.
pub(super) fn add_plainly(b: &mut Builder, align: u64) {
    let (at, value) = (b.f.param(0), b.f.param(1));
    let ty = b.ty(value);
    // Tasks that a single thread executes are in no order that a race detector would know of.
    let tasks = b.m.function(openmp::TASK_ALLOC).is_some();
    let atomic = || tasks.then(|| Atomic { ordering: Ordering::Monotonic, scope: String::new() });
    let old = b.value(InstKind::Load { ptr: at, align, volatile: false, atomic: atomic() }, ty);
    let sum = b.binary(BinOp::FAdd, old, value);
    b.effect(InstKind::Store { value: sum, ptr: at, align, volatile: false, atomic: atomic() });
}

/// `void @__adj_add_double(ptr, double)`: adds in one piece, unless no other thread is there that could look: an
/// addition in one piece takes many times as long, on most machines, and programs are run with one thread, too.
fn add(m: &mut Module, kind: FloatKind, align: u64) -> FuncId {
    let (ptr, void, ty) = (m.types.ptr(), m.types.void(), m.types.float(kind));
    let plain = |b: &mut Builder| {
        add_plainly(b, align);
        None
    };
    let whole = |b: &mut Builder| {
        let (at, value) = (b.f.param(0), b.f.param(1));
        update(b, RmwOp::FAdd, (at, value), align);
        None
    };
    in_one_piece(m, &format!("{ADD_IN_ONE_PIECE}{}", kind.keyword()), (void, &[ptr, ty]), plain, whole)
}

/// `double @__adj_take_double(ptr)`: what lies there, and zero in its place, in one piece unless no other thread is
/// there.
fn take(m: &mut Module, kind: FloatKind, align: u64) -> FuncId {
    let (ptr, ty) = (m.types.ptr(), m.types.float(kind));
    let plain = |b: &mut Builder| {
        let (at, zero) = (b.f.param(0), b.m.zero(ty));
        let old = b.load(ty, at, align);
        b.store(zero, at, align);
        Some(old)
    };
    let whole = |b: &mut Builder| {
        let zero = b.m.zero(ty);
        let at = b.f.param(0);
        Some(update(b, RmwOp::Xchg, (at, zero), align))
    };
    in_one_piece(m, &format!("{TAKE_IN_ONE_PIECE}{}", kind.keyword()), (ty, &[ptr]), plain, whole)
}

/// An update of memory, as nobody else finds it half done.
pub(super) fn update(b: &mut Builder, op: RmwOp, (ptr, value): (Operand, Operand), align: u64) -> Operand {
    let (ty, scope) = (b.ty(value), String::new());
    let (volatile, ordering) = (false, Ordering::Monotonic);
    b.value(InstKind::AtomicRmw { op, ptr, value, align, volatile, ordering, scope }, ty)
}

/// A function that does one thing where no other thread is there, and else another.
fn in_one_piece(
    m: &mut Module,
    name: &str,
    (ret, params): (TypeId, &[TypeId]),
    plain: impl Fn(&mut Builder) -> Option<Operand>,
    whole: impl Fn(&mut Builder) -> Option<Operand>,
) -> FuncId {
    let f = match internal(m, name, ret, params) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    let [one, many] = ["one", "many"].map(|name| b.f.add_block(name));
    let alone = alone(&mut b);
    b.cond_br(alone, one, many);
    b.at = one;
    let result = plain(&mut b);
    b.effect(InstKind::Ret(result));
    b.at = many;
    let result = whole(&mut b);
    b.effect(InstKind::Ret(result));
    let f = b.f;
    m.functions.push(f)
}

/// What lies at an address, with zero left in its place, while other threads may add zero to it.
pub(crate) fn atomic_take(b: &mut Builder, ptr: Operand, kind: FloatKind) -> Operand {
    let ty = b.m.types.float(kind);
    let align = b.align(ty);
    let take = take(b.m, kind, align);
    b.call(take, vec![ptr]).unwrap_or_else(|| b.m.zero(ty))
}

/// Regions are functions of their own, so what a call says of them is said once in each function.
fn same_in_a_function(b: &mut Builder, value: Operand) {
    let Some(inst) = value.local().and_then(|v| b.f.def_inst(v)) else { return };
    if let InstKind::Call(call) = &mut b.f.insts[inst].kind {
        let none = Attr { name: "memory".to_owned(), value: AttrValue::Text("none".to_owned()) };
        call.fn_attrs.0.push(none);
        for name in ["nounwind", "willreturn"] {
            call.fn_attrs.0.push(Attr { name: name.to_owned(), value: AttrValue::Flag });
        }
    }
}

/// Adds each float of a value to memory, each in one piece; the alignment 0 is the natural one. The message says why
/// that cannot be done.
pub(crate) fn atomic_add(
    b: &mut Builder,
    ptr: Operand,
    ty: TypeId,
    value: Operand,
    align: u64,
) -> Result<(), &'static str> {
    match b.m.types.get(ty).clone() {
        Type::Float(FloatKind::X86Fp80 | FloatKind::Fp128) => Err(
            "several threads may add to this adjoint at a time, and a `long double` cannot be added to in one piece",
        ),
        Type::Float(kind) => {
            let natural = b.align(ty);
            if align != 0 && align < natural {
                refuse_unaligned(b, ptr, natural);
            }
            let add = add(b.m, kind, natural);
            b.call(add, vec![ptr, value]);
            Ok(())
        }
        Type::Vector { len, elem } => {
            let align = if align == 0 { 0 } else { align.min(b.align(elem)) };
            for lane in 0..u64::from(len) {
                let index = b.m.int(32, u128::from(lane));
                let part = b.value(InstKind::ExtractElement { vector: value, index }, elem);
                let offset = b.m.layout.element_offset(&b.m.types, ty, lane).unwrap_or(0);
                let at = b.offset(ptr, offset);
                atomic_add(b, at, elem, part, align)?;
            }
            Ok(())
        }
        _ => {
            for i in 0..b.m.types.element_count(ty).unwrap_or(0) {
                let Some(elem) = b.m.types.element(ty, i) else { continue };
                if holds_float(b.m, elem) {
                    let offset = b.m.layout.element_offset(&b.m.types, ty, i).unwrap_or(0);
                    let part = b.extract(value, i as u32);
                    let at = b.offset(ptr, offset);
                    atomic_add(b, at, elem, part, if align == 0 { 0 } else { align.min(b.align(elem)) })?;
                }
            }
            Ok(())
        }
    }
}
