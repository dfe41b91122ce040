//! Memory from the allocators of OpenMP (5.2, chapter 6), which all take it from the same place here.

use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Scalar, Value};

/// The shims of this file by name. Those of the compiler get the thread first.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "omp_alloc" => |i, c| take(i, c, (c.uint(0)?, ALIGN)),
        "omp_aligned_alloc" => |i, c| take(i, c, (c.uint(1)?, c.uint(0)?)),
        "omp_calloc" => |i, c| zeros(i, c, [c.uint(0)?, c.uint(1)?]),
        "omp_free" => |i, c| give(i, c, 0),
        "__kmpc_alloc" => |i, c| take(i, c, (c.uint(1)?, ALIGN)),
        "__kmpc_aligned_alloc" => |i, c| take(i, c, (c.uint(2)?, c.uint(1)?)),
        "__kmpc_calloc" => |i, c| zeros(i, c, [c.uint(1)?, c.uint(2)?]),
        "__kmpc_free" => |i, c| give(i, c, 1),
        _ => return None,
    })
}

const ALIGN: u64 = 16;

type Call<'a, M> = ShimCall<'a, <M as Machine>::Shadow>;
type Out<M> = Res<Value<<M as Machine>::Shadow>>;

fn take<M: Machine>(interp: &mut Interp<'_, M>, call: &Call<'_, M>, (size, align): (u64, u64)) -> Out<M> {
    let align = align.max(ALIGN).next_power_of_two();
    let block = interp.memory.allocate(size, align, AllocKind::Heap(HeapKind::Malloc), Some(call.at))?;
    Ok(Value::ptr(block))
}

fn zeros<M: Machine>(interp: &mut Interp<'_, M>, call: &Call<'_, M>, [count, each]: [u64; 2]) -> Out<M> {
    let size = count.saturating_mul(each);
    let block = interp.memory.allocate(size, ALIGN, AllocKind::Heap(HeapKind::Malloc), Some(call.at))?;
    interp.memory.fill(block, Scalar::word(0), size)?;
    Ok(Value::ptr(block))
}

fn give<M: Machine>(interp: &mut Interp<'_, M>, call: &Call<'_, M>, block: usize) -> Out<M> {
    interp.memory.free(call.ptr(block)?, HeapKind::Malloc, Some(call.at))?;
    Ok(Value::void())
}
