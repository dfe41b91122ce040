//! Reductions in which tasks take part (OpenMP 5.2, 5.5.10 and 5.5.11): `task_reduction`, `in_reduction`, and the
//! modifier `task` of regions and loops.
//!
//! Each task that asks gets a copy of its own, made when it asks: the copies are combined when the group of tasks is
//! over. (How many copies there are is up to the implementation; the runtime of LLVM has one for each thread.)

use super::state::Reduced;
use super::{Out, me, tasks};
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Value};

/// Size of the description of a variable.
const DESCRIPTION: i64 = 56;
/// Size of a line of a cache.
const LINE: u64 = 64;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_taskred_init" => |i, c| {
            begin(i, (c.uint(1)?, c.ptr(2)?))?;
            Ok(Value::ptr(c.ptr(2)?))
        },
        // A region, or a loop that its threads share: each thread has a group for its tasks.
        "__kmpc_taskred_modifier_init" => |i, c| {
            let task = me(i).task;
            i.runtime.openmp.tasks[task].groups.push((0, Vec::new()));
            begin(i, (c.uint(3)?, c.ptr(4)?))?;
            Ok(Value::ptr(c.ptr(4)?))
        },
        "__kmpc_task_reduction_modifier_fini" => |i, c| tasks::end_group(i, c),
        "__kmpc_task_reduction_get_th_data" => copy_of,
        _ => return None,
    })
}

/// The tasks of the innermost group of the running task reduce the variables of a list.
fn begin<M: Machine>(interp: &mut Interp<'_, M>, (count, list): (u64, Pointer)) -> Res {
    let mut reduced = Vec::new();
    for n in 0..count {
        let at = list.offset(DESCRIPTION * n as i64);
        let pointer = |offset: i64| interp.memory.load_ptr(at.offset(offset), 8).map(|p| p.as_ptr());
        let [variable, init, fini, combine] = [pointer(0)?, pointer(24)?, pointer(32)?, pointer(40)?];
        let size = interp.memory.load(at.offset(16), Leaf::Int(64), 8)?.lo;
        reduced.push(Reduced { variable, size, init, fini, combine, copies: Vec::new() });
    }
    let task = me(interp).task;
    let depth = interp.runtime.openmp.tasks[task].groups.len().saturating_sub(1);
    interp.runtime.openmp.tasks[task].reduced.push((depth, reduced));
    Ok(())
}

/// The copy of a variable for the running task, which asks by the variable itself or by another copy.
fn copy_of<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (asked, running) = (call.ptr(2)?, me(interp).task);
    let is = |of: &Reduced| {
        let within = |at: Pointer| at.addr <= asked.addr && asked.addr < at.addr + of.size.max(1);
        of.variable.addr == asked.addr || of.copies.iter().any(|(_, copy)| within(*copy))
    };
    // The groups that the task is in, from the innermost on.
    let mut at = running;
    let found = loop {
        let task = &interp.runtime.openmp.tasks[at];
        let place = task.reduced.iter().enumerate().rev().find_map(|(group, (_, all))| {
            let of = all.iter().position(is)?;
            Some((at, group, of))
        });
        if place.is_some() || task.parent == at {
            break place;
        }
        at = task.parent;
    };
    let Some((owner, group, of)) = found else {
        return Err(super::misuse("a task asks for its part of a reduction in which it does not take part"));
    };
    let known = &interp.runtime.openmp.tasks[owner].reduced[group].1[of];
    if let Some((_, copy)) = known.copies.iter().find(|(task, _)| *task == running) {
        return Ok(Value::ptr(*copy));
    }
    let (variable, size, init) = (known.variable, known.size, known.init);
    // The runtime of LLVM makes them as long as whole lines of a cache; of a section of an array with a constant length
    // clang 19 says the size of one element.
    let copy =
        interp.memory.allocate(size.next_multiple_of(LINE), 16, AllocKind::Heap(HeapKind::Malloc), Some(call.at))?;
    interp.runtime.openmp.tasks[owner].reduced[group].1[of].copies.push((running, copy));
    if !init.is_null() {
        interp.call_back(init, &[Value::ptr(copy), Value::ptr(variable)])?;
    }
    Ok(Value::ptr(copy))
}

/// At the end of the innermost group of the running task, which has just been left: its variables get what the tasks
/// have for them.
pub(super) fn combine<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res {
    let task = me(interp).task;
    let state = &mut interp.runtime.openmp.tasks[task];
    let depth = state.groups.len();
    if state.reduced.last().is_none_or(|(at, _)| *at < depth) {
        return Ok(());
    }
    let Some((_, reduced)) = state.reduced.pop() else { return Ok(()) };
    for of in reduced {
        for (_, copy) in &of.copies {
            interp.call_back(of.combine, &[Value::ptr(of.variable), Value::ptr(*copy)])?;
            if !of.fini.is_null() {
                interp.call_back(of.fini, &[Value::ptr(*copy)])?;
            }
            interp.memory.free(*copy, HeapKind::Malloc, Some(call.at))?;
        }
    }
    Ok(())
}
