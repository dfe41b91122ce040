//! `omp_get_…` and `omp_set_…`, and thread-private variables without thread-local storage.

use super::{me, my_team, place_in_league, place_in_team};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::{Fault, Res};
use crate::shim_call::ShimCall;
use crate::shims::pthread::thread::PROCESSORS;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_global_thread_num" => |i, _| Ok(Value::i32(i.threads.current as i32)),
        "omp_get_thread_num" => |i, _| Ok(Value::i32(place_in_team(i).0 as i32)),
        "omp_get_num_threads" => |i, _| Ok(Value::i32(place_in_team(i).1 as i32)),
        "omp_get_team_num" => |i, _| Ok(Value::i32(place_in_league(i).0 as i32)),
        "omp_get_num_teams" => |i, _| Ok(Value::i32(place_in_league(i).1 as i32)),
        "omp_get_max_teams" => |_, _| Ok(Value::i32(0)),
        "omp_get_teams_thread_limit" => |_, _| Ok(Value::i32(0)),
        // All devices are the processor itself.
        "omp_is_initial_device" => |_, _| Ok(Value::i32(1)),
        "omp_get_num_devices" | "omp_get_default_device" | "omp_get_initial_device" | "omp_get_device_num" => {
            |_, _| Ok(Value::i32(0))
        }
        "omp_set_default_device" => |_, _| Ok(Value::void()),
        "omp_get_max_threads" => |i, _| Ok(Value::i32(i.runtime.openmp.controls.threads as i32)),
        "omp_set_num_threads" => |i, c| {
            i.runtime.openmp.controls.threads = c.int(0)?.max(1) as usize;
            Ok(Value::void())
        },
        "omp_get_num_procs" => |_, _| Ok(Value::i32(PROCESSORS)),
        "omp_get_thread_limit" => |_, _| Ok(Value::i32(i32::MAX)),
        "omp_in_parallel" => |i, _| Ok(Value::i32(i32::from(my_team(i).active_level > 0))),
        "omp_in_final" => |i, _| {
            let task = me(i).task;
            Ok(Value::i32(i32::from(i.runtime.openmp.tasks[task].is_final)))
        },
        "omp_get_level" => |i, _| Ok(Value::i32(my_team(i).level as i32)),
        "omp_get_active_level" => |i, _| Ok(Value::i32(my_team(i).active_level as i32)),
        "omp_get_max_active_levels" => |i, _| Ok(Value::i32(i.runtime.openmp.controls.max_active_levels as i32)),
        "omp_set_max_active_levels" => |i, c| {
            i.runtime.openmp.controls.max_active_levels = c.int(0)?.max(0) as usize;
            Ok(Value::void())
        },
        "omp_get_nested" => |i, _| Ok(Value::i32(i32::from(i.runtime.openmp.controls.max_active_levels > 1))),
        "omp_set_nested" => |i, c| {
            i.runtime.openmp.controls.max_active_levels = if c.int(0)? != 0 { i32::MAX as usize } else { 1 };
            Ok(Value::void())
        },
        "omp_get_dynamic" => |i, _| Ok(Value::i32(i32::from(i.runtime.openmp.controls.dynamic))),
        "omp_set_dynamic" => |i, c| {
            i.runtime.openmp.controls.dynamic = c.int(0)? != 0;
            Ok(Value::void())
        },
        "omp_set_schedule" => |i, c| {
            i.runtime.openmp.controls.schedule = (c.uint(0)? as u32, c.int(1)?);
            Ok(Value::void())
        },
        "omp_get_schedule" => |i, c| {
            let (kind, chunk) = i.runtime.openmp.controls.schedule;
            i.memory.store(c.ptr(0)?, Leaf::Int(32), Scalar::word(u64::from(kind)), 4)?;
            i.memory.store(c.ptr(1)?, Leaf::Int(32), Scalar::i32(chunk as i32), 4)?;
            Ok(Value::void())
        },
        "omp_get_ancestor_thread_num" => |i, c| {
            let level = c.int(0)?;
            Ok(Value::i32(at_level(i, level).map_or(-1, |(number, _)| number)))
        },
        "omp_get_team_size" => |i, c| {
            let level = c.int(0)?;
            Ok(Value::i32(at_level(i, level).map_or(-1, |(_, size)| size)))
        },
        "omp_get_wtime" => |i, _| Ok(Value::f64(i.nanoseconds() as f64 * 1e-9)),
        "omp_get_wtick" => |_, _| Ok(Value::f64(1e-9)),
        "omp_get_cancellation" => |_, _| Ok(Value::i32(0)),
        "__kmpc_threadprivate_cached" => thread_private,
        "__kmpc_threadprivate_register" => |_, c| {
            if c.ptr(2)?.is_null() && c.ptr(3)?.is_null() && c.ptr(4)?.is_null() {
                return Ok(Value::void());
            }
            Err(Fault::unsupported("thread-private objects with constructors"))
        },
        "__kmpc_cancel" | "__kmpc_cancellationpoint" => |_, _| Ok(Value::i32(0)),
        _ => return None,
    })
}

/// Number and team size at a level of nesting: of the running thread, or of the ancestor that it had there.
fn at_level<M: Machine>(interp: &mut Interp<'_, M>, level: i64) -> Option<(i32, i32)> {
    let thread = interp.threads.current;
    let openmp = &mut interp.runtime.openmp;
    let member = openmp.member(thread);
    let (mut team, mut number) = (member.team, member.number);
    while openmp.teams[team].level as i64 > level {
        (team, number) = openmp.teams[team].parent?;
    }
    let found = &openmp.teams[team];
    (found.level as i64 == level).then_some((number as i32, found.threads.len() as i32))
}

/// The running thread's copy of a thread-private variable, with the value that the variable has when it is made.
fn thread_private<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (variable, size, thread) = (call.ptr(2)?, call.uint(3)?, interp.threads.current);
    if thread == 0 {
        return Ok(Value::ptr(variable));
    }
    if let Some(copy) = interp.runtime.openmp.private.get(&(variable.addr, thread)) {
        return Ok(Value::ptr(*copy));
    }
    let copy = interp.memory.allocate(size, 16, AllocKind::Runtime, None)?;
    interp.memory.accessed_as(crate::races::Mode::Silent, |m| m.copy(copy, variable, size))?;
    interp.runtime.openmp.private.insert((variable.addr, thread), copy);
    Ok(Value::ptr(copy))
}
