//! `malloc` and its family, `operator new` and `operator delete`.

use crate::errno::EINVAL;
use crate::forgets::Forgets;
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "malloc" => |i, c| Ok(Value::ptr(take(i, c, c.uint(0)?, 16, HeapKind::Malloc)?)),
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" | "cfree" => |i, c| give(i, c, HeapKind::Malloc),
        "aligned_alloc" | "memalign" => |i, c| Ok(Value::ptr(take(i, c, c.uint(1)?, c.uint(0)?, HeapKind::Malloc)?)),
        "valloc" => |i, c| Ok(Value::ptr(take(i, c, c.uint(0)?, 4096, HeapKind::Malloc)?)),
        "posix_memalign" => posix_memalign,
        "malloc_usable_size" => usable_size,
        "_Znwm" | "_ZnwmRKSt9nothrow_t" => |i, c| Ok(Value::ptr(take(i, c, c.uint(0)?, 16, HeapKind::New)?)),
        "_Znam" | "_ZnamRKSt9nothrow_t" => |i, c| Ok(Value::ptr(take(i, c, c.uint(0)?, 16, HeapKind::NewArray)?)),
        "_ZnwmSt11align_val_t" | "_ZnwmSt11align_val_tRKSt9nothrow_t" => {
            |i, c| Ok(Value::ptr(take(i, c, c.uint(0)?, c.uint(1)?, HeapKind::New)?))
        }
        "_ZnamSt11align_val_t" | "_ZnamSt11align_val_tRKSt9nothrow_t" => {
            |i, c| Ok(Value::ptr(take(i, c, c.uint(0)?, c.uint(1)?, HeapKind::NewArray)?))
        }
        "_ZdlPv"
        | "_ZdlPvm"
        | "_ZdlPvSt11align_val_t"
        | "_ZdlPvmSt11align_val_t"
        | "_ZdlPvRKSt9nothrow_t"
        | "_ZdlPvSt11align_val_tRKSt9nothrow_t" => |i, c| give(i, c, HeapKind::New),
        "_ZdaPv"
        | "_ZdaPvm"
        | "_ZdaPvSt11align_val_t"
        | "_ZdaPvmSt11align_val_t"
        | "_ZdaPvRKSt9nothrow_t"
        | "_ZdaPvSt11align_val_tRKSt9nothrow_t" => |i, c| give(i, c, HeapKind::NewArray),
        _ => return None,
    })
}

fn take<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    size: u64,
    align: u64,
    kind: HeapKind,
) -> Res<Pointer> {
    if !align.is_power_of_two() {
        return Err(Fault::ub(UbKind::Library, format!("alignment {align} is not a power of two")));
    }
    interp.memory.allocate(size, align, AllocKind::Heap(kind), Some(call.at))
}

fn give<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    kind: HeapKind,
) -> Res<Value<M::Shadow>> {
    interp.memory.free(call.ptr(0)?, kind, Some(call.at))?;
    Ok(Value::void())
}

fn product(a: u64, b: u64) -> Res<u64> {
    a.checked_mul(b).ok_or_else(|| Fault::resource(format!("the program asks for {a} times {b} bytes of memory")))
}

fn calloc<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let size = product(call.uint(0)?, call.uint(1)?)?;
    let pointer = take(interp, call, size, 16, HeapKind::Malloc)?;
    interp.memory.fill(pointer, Scalar::word(0), size)?;
    Ok(Value::ptr(pointer))
}

fn reallocarray<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let size = product(call.uint(1)?, call.uint(2)?)?;
    resize(interp, call, size)
}

fn realloc<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    resize(interp, call, call.uint(1)?)
}

/// Always moves: so a pointer into the old block is caught.
fn resize<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, size: u64) -> Res<Value<M::Shadow>> {
    let old = call.ptr(0)?;
    if old.is_null() {
        return Ok(Value::ptr(take(interp, call, size, 16, HeapKind::Malloc)?));
    }
    if size == 0 {
        // As glibc does.
        interp.memory.free(old, HeapKind::Malloc, Some(call.at))?;
        return Ok(Value::ptr(Pointer::NULL));
    }
    let new = take(interp, call, size, 16, HeapKind::Malloc)?;
    let kept = interp.memory.bounds(old).map_or(0, |(_, old_size)| old_size.min(size));
    let alive = interp.memory.info(old).is_some_and(|i| i.life == crate::memory::Life::Live && i.base == old.addr);
    if alive {
        interp.memory.copy(new, old, kept)?;
        interp.forget_cells(Forgets::Realloc, new, kept);
    }
    // Reports what is wrong with the old pointer, if it is.
    interp.memory.free(old, HeapKind::Malloc, Some(call.at))?;
    Ok(Value::ptr(new))
}

fn posix_memalign<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (align, size) = (call.uint(1)?, call.uint(2)?);
    if !align.is_power_of_two() || align < 8 {
        return Ok(Value::i32(EINVAL));
    }
    let pointer = take(interp, call, size, align, HeapKind::Malloc)?;
    interp.memory.store(call.ptr(0)?, crate::value::Leaf::Ptr, Scalar::ptr(pointer), 8)?;
    Ok(Value::i32(0))
}

fn usable_size<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let pointer = call.ptr(0)?;
    Ok(Value::i64(if pointer.is_null() { 0 } else { interp.memory.bounds(pointer).map_or(0, |(_, size)| size as i64) }))
}
