//! `qsort` and `bsearch`, which call the program's comparison function.
//!
//! glibc's `qsort` (up to 2.36) is a merge sort that splits n elements into n/2 and n - n/2 and takes from the left on
//! a tie. The same comparisons are made here in the same order, so that even an inconsistent or counting comparison
//! function sees what it would see natively. Elements are moved by memory copies, so shadows follow.

use crate::forgets::Forgets;
use crate::machine::Machine;
use crate::memory::HeapKind;
use crate::memory::access::Access;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Pointer, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "qsort" => qsort,
        "bsearch" => bsearch,
        _ => return None,
    })
}

/// The comparison function and the size of an element.
#[derive(Clone, Copy)]
struct Order {
    compare: Pointer,
    size: u64,
}

impl Order {
    fn of<M: Machine>(&self, interp: &mut Interp<'_, M>, a: Pointer, b: Pointer) -> Res<i32> {
        let result = interp.call_back(self.compare, &[Value::ptr(a), Value::ptr(b)])?;
        match result.first() {
            Some(order) if order.is_init() => Ok(order.lo as i32),
            Some(_) => {
                Err(Fault::ub(UbKind::Uninitialised, "a comparison function returned a value that is not defined"))
            }
            None => Err(Fault::ub(UbKind::BadCall, "a comparison function returned nothing")),
        }
    }

    fn at(&self, base: Pointer, index: u64) -> Pointer {
        base.offset((index * self.size) as i64)
    }
}

fn qsort<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (base, count, size) = (call.ptr(0)?, call.uint(1)?, call.uint(2)?);
    let order = Order { compare: call.ptr(3)?, size };
    let Some(total) = count.checked_mul(size) else {
        return Err(Fault::ub(UbKind::OutOfBounds, format!("qsort of {count} elements of {size} bytes")));
    };
    if count > 1 && size > 0 {
        interp.memory.check_access(base, total, 1, Access::Write)?;
        let spare =
            interp.memory.allocate(total, 16, crate::memory::AllocKind::Heap(HeapKind::Malloc), Some(call.at))?;
        let sorted = merge_sort(interp, order, base, count, spare);
        interp.memory.free(spare, HeapKind::Malloc, Some(call.at))?;
        sorted?;
    }
    Ok(Value::void())
}

fn merge_sort<M: Machine>(interp: &mut Interp<'_, M>, order: Order, base: Pointer, count: u64, spare: Pointer) -> Res {
    if count <= 1 {
        return Ok(());
    }
    let (left, right) = (count / 2, count - count / 2);
    let middle = order.at(base, left);
    merge_sort(interp, order, base, left, spare)?;
    merge_sort(interp, order, middle, right, spare)?;
    let (mut i, mut j) = (0, 0);
    while i < left && j < right {
        let (a, b) = (order.at(base, i), order.at(middle, j));
        let to = order.at(spare, i + j);
        if order.of(interp, a, b)? <= 0 {
            interp.memory.copy(to, a, order.size)?;
            i += 1;
        } else {
            interp.memory.copy(to, b, order.size)?;
            j += 1;
        }
    }
    // What is left of the right half is in its place already.
    interp.memory.copy(order.at(spare, i + j), order.at(base, i), (left - i) * order.size)?;
    interp.memory.copy(base, spare, (left + j) * order.size)?;
    interp.forget_cells(Forgets::Sort, base, (left + j) * order.size);
    Ok(())
}

/// Bisection as in glibc: the middle of [low, high) is (low + high) / 2.
fn bsearch<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (key, base) = (call.ptr(0)?, call.ptr(1)?);
    let order = Order { compare: call.ptr(4)?, size: call.uint(3)? };
    let (mut low, mut high) = (0, call.uint(2)?);
    while low < high {
        let middle = low.midpoint(high);
        let element = order.at(base, middle);
        match order.of(interp, key, element)? {
            0 => return Ok(Value::ptr(element)),
            less if less < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Value::ptr(Pointer::NULL))
}
