//! Explicit tasks: creation, dependences, execution, `taskwait`, `taskgroup`, `taskloop` (OpenMP 5.2, chapter 12).
//!
//! A task is deferred until a thread waits: at a barrier, in `taskwait`, at the end of a group or of the region. Then
//! the thread executes one of those that can be. In `taskwait` only descendants of the waiting task are taken (the
//! constraint on tied tasks).

use super::state::{Begun, Task};
use super::{Out, me, my_team, reductions};
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Location, Res};
use crate::races::Mode;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Progress};
use crate::value::{Leaf, Pointer, Scalar, Value};
use std::collections::BTreeSet;

/// Size of `kmp_task_t` before what clang puts behind: shareds, routine, part, two words of data.
const HEADER: u64 = 40;

/// So far into its memory an object begins: what clang puts behind the header is aligned to 16 bytes, as an array may
/// be.
const BEFORE: u64 = 8;

/// In the flags of a task: it is final (`kmp_tasking_flags_t`).
const FINAL: u64 = 2;

/// In the flags of a task: it holds things with destructors (`kmp_tasking_flags_t`), and where in its object the
/// function is that calls them (`kmp_task_t::data1`).
const HOLDS_OBJECTS: u64 = 8;
const DESTRUCTORS: i64 = 24;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_omp_task_alloc" => allocate,
        "__kmpc_omp_task" => |i, c| {
            let running = me(i).task;
            if i.runtime.openmp.tasks[running].live && i.runtime.openmp.tasks[running].object.addr == c.ptr(2)?.addr {
                i.runtime.openmp.tasks[running].again = true;
                return Ok(Value::i32(0));
            }
            let task = create(i, c.ptr(2)?, Some(c.at), &[])?;
            enqueue(i, task);
            Ok(Value::i32(0))
        },
        "__kmpc_omp_task_with_deps" => |i, c| {
            let list = dependences(i, c.uint(3)?, c.ptr(4)?)?;
            let task = create(i, c.ptr(2)?, Some(c.at), &list)?;
            enqueue(i, task);
            Ok(Value::i32(0))
        },
        "__kmpc_omp_wait_deps" | "__kmpc_omp_taskwait_deps_51" | "__kmpc_omp_taskwait" => |i, _| {
            wait_children(i)?;
            Ok(Value::i32(0))
        },
        // Where it is best executed is no affair of an execution that has no places.
        "__kmpc_omp_reg_task_with_affinity" => |_, _| Ok(Value::i32(0)),
        "__kmpc_omp_taskyield" => |i, _| {
            i.threads.turn = 0;
            Ok(Value::i32(0))
        },
        "__kmpc_omp_task_begin_if0" => |i, c| {
            let task = create(i, c.ptr(2)?, Some(c.at), &[])?;
            let depth = usize::MAX;
            enter(i, task, depth);
            Ok(Value::void())
        },
        "__kmpc_omp_task_complete_if0" => |i, _| {
            leave(i)?;
            learn_children(i);
            Ok(Value::void())
        },
        "__kmpc_taskgroup" => |i, _| {
            let task = me(i).task;
            i.runtime.openmp.tasks[task].groups.push((0, Vec::new()));
            Ok(Value::void())
        },
        "__kmpc_end_taskgroup" => end_group,
        "__kmpc_taskloop" => task_loop,
        _ => return None,
    })
}

fn allocate<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (flags, size, shareds, routine) = (call.uint(2)?, call.uint(3)?, call.uint(4)?, call.ptr(5)?);
    let size = size.max(HEADER).next_multiple_of(8);
    // Blocks of the library: freed when the task is over.
    let memory =
        interp.memory.allocate(BEFORE + size + shareds, 16, AllocKind::Heap(HeapKind::Malloc), Some(call.at))?;
    let object = memory.offset(BEFORE as i64);
    let shared = if shareds > 0 { object.offset(size as i64) } else { Pointer::NULL };
    interp.memory.store(object, Leaf::Ptr, Scalar::ptr(shared), 8)?;
    interp.memory.store(object.offset(8), Leaf::Ptr, Scalar::ptr(routine), 8)?;
    interp.memory.store(object.offset(16), Leaf::Int(32), Scalar::i32(0), 4)?;
    if flags & FINAL != 0 {
        interp.runtime.openmp.last_ones.insert(object.addr);
    }
    if flags & HOLDS_OBJECTS != 0 {
        interp.runtime.openmp.destroyed.insert(object.addr);
    }
    Ok(Value::ptr(object))
}

/// In the flags of a dependence: `omp_all_memory`; and what stands for its address.
const ALL_MEMORY: u8 = 0x80;
const EVERYWHERE: u64 = u64::MAX;

/// A list of `kmp_depend_info`: address, and whether the task writes.
fn dependences<M: Machine>(interp: &Interp<'_, M>, count: u64, list: Pointer) -> Res<Vec<(u64, bool)>> {
    let mut found = Vec::new();
    for n in 0..count {
        let entry = list.offset(24 * n as i64);
        let address = interp.memory.load(entry, Leaf::Int(64), 8)?.lo;
        let flags = interp.memory.load(entry.offset(16), Leaf::Int(8), 1)?.lo;
        // Bit 0 is `in`, bit 1 `out`; `inoutset` and `mutexinoutset` exclude more than they must here.
        match flags & u64::from(ALL_MEMORY) {
            0 => found.push((address, flags & !1 != 0)),
            _ => found.push((EVERYWHERE, true)),
        }
    }
    Ok(found)
}

fn create<M: Machine>(
    interp: &mut Interp<'_, M>,
    object: Pointer,
    at: Option<Location>,
    depends: &[(u64, bool)],
) -> Res<usize> {
    let parent = me(interp).task;
    let actor = interp.memory.races().map_or(0, |races| races.create_task(at));
    if actor >= MOST_ACTORS {
        return Err(Fault::resource(format!("more than {MOST_ACTORS} tasks between two barriers")));
    }
    let openmp = &mut interp.runtime.openmp;
    let task = openmp.tasks.len();
    let depth = openmp.tasks[parent].groups.len();
    let group = if depth > 0 { Some((parent, depth - 1)) } else { openmp.tasks[parent].group };
    if let Some((owner, depth)) = group {
        openmp.tasks[owner].groups[depth].0 += 1;
    }
    openmp.tasks[parent].children += 1;
    let mut earlier = Vec::new();
    // What stands for all memory is written by whoever says so, and read by all others.
    let everywhere = depends.iter().any(|(address, _)| *address == EVERYWHERE);
    if everywhere {
        for (writer, readers) in openmp.tasks[parent].depends.values_mut() {
            earlier.extend(writer.take());
            earlier.append(readers);
        }
    }
    let of_all = (!depends.is_empty() && !everywhere).then_some((EVERYWHERE, false));
    for (address, writes) in depends.iter().chain(&of_all) {
        let (writer, readers) = openmp.tasks[parent].depends.entry(*address).or_default();
        earlier.extend(*writer);
        if *writes {
            earlier.append(readers);
            *writer = Some(task);
        } else {
            readers.push(task);
        }
    }
    earlier.sort_unstable();
    earlier.dedup();
    earlier.retain(|t| *t != task);
    let is_final = openmp.last_ones.remove(&object.addr) || openmp.tasks[parent].is_final;
    openmp.tasks.push(Task { object, parent, actor, live: true, group, is_final, at, ..Task::default() });
    for other in earlier {
        let other_actor = interp.runtime.openmp.tasks[other].actor;
        if interp.runtime.openmp.tasks[other].live {
            interp.runtime.openmp.tasks[other].after.push(task);
            interp.runtime.openmp.tasks[task].before += 1;
        } else if let Some(races) = interp.memory.races() {
            races.order(other_actor, actor);
        }
    }
    my_team(interp).unfinished += 1;
    Ok(task)
}

/// Actors that an execution can have at once.
const MOST_ACTORS: usize = 60_000;

/// Puts a task where threads find it, if it need not wait.
fn enqueue<M: Machine>(interp: &mut Interp<'_, M>, task: usize) {
    if interp.runtime.openmp.tasks[task].before == 0 {
        my_team(interp).queue.push_back(task);
        let team = me(interp).team;
        interp.threads.wake(Awaited::Team(team));
    }
}

/// Has a task been made by the other one, or by what that has made? Those between them may be over.
fn descends<M: Machine>(interp: &Interp<'_, M>, task: usize, from: usize) -> bool {
    let tasks = &interp.runtime.openmp.tasks;
    let mut at = task;
    // The implicit task of the program is its own parent.
    while tasks[at].parent != at {
        at = tasks[at].parent;
        if at == from {
            return true;
        }
    }
    false
}

/// A task that the running thread can execute, taken out of the queue; a descendant of that one, if asked for.
pub fn next<M: Machine>(interp: &mut Interp<'_, M>, of: Option<usize>) -> Option<usize> {
    let fits = |interp: &Interp<'_, M>, task: usize| of.is_none_or(|of| descends(interp, task, of));
    let queue: Vec<usize> = my_team(interp).queue.iter().copied().collect();
    let places: Vec<usize> = (0..queue.len()).filter(|n| fits(interp, queue[*n])).collect();
    if places.is_empty() {
        return None;
    }
    let chosen = places[(interp.threads.schedule.random() % places.len() as u64) as usize];
    my_team(interp).queue.remove(chosen)
}

/// The running thread executes the task from now on.
fn enter<M: Machine>(interp: &mut Interp<'_, M>, task: usize, depth: usize) {
    let actor = interp.runtime.openmp.tasks[task].actor;
    let was = interp.memory.races().map_or(0, |races| races.act_as(actor));
    let member = me(interp);
    let before = std::mem::replace(&mut member.task, task);
    member.begun.push(Begun { depth, task, before, actor: was });
}

/// Enters a task's function; the call (or worker) that asks goes on when it has returned.
pub fn begin<M: Machine>(interp: &mut Interp<'_, M>, task: usize) -> Res<Box<Fault>> {
    let object = interp.runtime.openmp.tasks[task].object;
    let routine = interp.memory.accessed_as(Mode::Silent, |m| m.load_ptr(object.offset(8), 8))?.as_ptr();
    let depth = interp.frames.len();
    enter(interp, task, depth);
    let thread = Value::i32(interp.threads.current as i32);
    Ok(interp.call_first(routine, &[thread, Value::ptr(object)]))
}

/// Ends the task whose function has just returned to the call or worker that began it, if there is one.
pub fn finish_returned<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    let depth = interp.frames.len();
    if me(interp).begun.last().is_some_and(|b| b.depth == depth) {
        leave(interp)?;
    }
    Ok(())
}

/// Calls the destructors of what the object of a task holds.
fn destroy<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer) -> Res {
    if !interp.runtime.openmp.destroyed.remove(&object.addr) {
        return Ok(());
    }
    let at = object.offset(DESTRUCTORS);
    let destructors = interp.memory.accessed_as(Mode::Silent, |m| m.load_ptr(at, 8))?.as_ptr();
    let thread = Value::i32(interp.threads.current as i32);
    interp.call_back(destructors, &[thread, Value::ptr(object)])?;
    Ok(())
}

/// The running thread's task is over.
fn leave<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    let Some(Begun { task, before, actor: was, .. }) = me(interp).begun.pop() else {
        return Err(super::misuse("a task ends that has not begun"));
    };
    if std::mem::take(&mut interp.runtime.openmp.tasks[task].again) {
        me(interp).task = before;
        if let Some(races) = interp.memory.races() {
            races.act_as(was);
        }
        enqueue(interp, task);
        return Ok(());
    }
    let object = interp.runtime.openmp.tasks[task].object;
    destroy(interp, object)?;
    let member = me(interp);
    member.task = before;
    let team = member.team;
    // The object is the library's: what it does with it races with nothing.
    let at = interp.runtime.openmp.tasks[task].at;
    interp.memory.accessed_as(Mode::Silent, |m| m.free(object.offset(-(BEFORE as i64)), HeapKind::Malloc, at))?;
    if let Some(races) = interp.memory.races() {
        races.act_as(was);
    }
    let openmp = &mut interp.runtime.openmp;
    let Task { parent, actor, group, .. } = openmp.tasks[task];
    openmp.tasks[task].live = false;
    openmp.tasks[parent].children -= 1;
    openmp.tasks[parent].ended.push(actor);
    if let Some((owner, depth)) = group
        && let Some((open, ended)) = openmp.tasks[owner].groups.get_mut(depth)
    {
        *open -= 1;
        ended.push(actor);
    }
    openmp.teams[team].unfinished -= 1;
    openmp.teams[team].over.push(actor);
    for later in std::mem::take(&mut interp.runtime.openmp.tasks[task].after) {
        let next = &mut interp.runtime.openmp.tasks[later];
        next.before -= 1;
        let (ready, then) = (next.before == 0, next.actor);
        if let Some(races) = interp.memory.races() {
            races.order(actor, then);
        }
        if ready {
            interp.runtime.openmp.teams[team].queue.push_back(later);
        }
    }
    interp.threads.wake(Awaited::Team(team));
    Ok(())
}

fn learn<M: Machine>(interp: &mut Interp<'_, M>, actors: &[usize]) {
    if let Some(races) = interp.memory.races() {
        let me = races.actor();
        for actor in actors {
            races.order(*actor, me);
        }
    }
}

fn learn_children<M: Machine>(interp: &mut Interp<'_, M>) {
    let task = me(interp).task;
    let ended = std::mem::take(&mut interp.runtime.openmp.tasks[task].ended);
    learn(interp, &ended);
}

/// At a barrier or the end of a region: all tasks of the team are over, and known; their actors can be used again.
pub fn learn_all<M: Machine>(interp: &mut Interp<'_, M>) {
    let over = std::mem::take(&mut my_team(interp).over);
    if over.is_empty() {
        return;
    }
    learn(interp, &over);
    let over: BTreeSet<usize> = over.into_iter().collect();
    for actor in &over {
        if let Some(races) = interp.memory.races() {
            races.forget_task(*actor);
        }
    }
    // No list may name an actor that is somebody else.
    let tasks = &mut interp.runtime.openmp.tasks;
    let gone: BTreeSet<usize> = (0..tasks.len()).filter(|n| over.contains(&tasks[*n].actor)).collect();
    for task in tasks {
        task.ended.retain(|actor| !over.contains(actor));
        task.depends.retain(|_, (writer, readers)| {
            *writer = writer.filter(|task| !gone.contains(task));
            readers.retain(|task| !gone.contains(task));
            writer.is_some() || !readers.is_empty()
        });
    }
}

/// `taskwait`: until the children of the running task are over.
fn wait_children<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    finish_returned(interp)?;
    let task = me(interp).task;
    if interp.runtime.openmp.tasks[task].children > 0 {
        if let Some(child) = next(interp, Some(task)) {
            return Err(begin(interp, child)?);
        }
        let team = me(interp).team;
        return Err(interp.wait(Awaited::Team(team), "the end of its child tasks", None));
    }
    learn_children(interp);
    Ok(())
}

/// The end of a group, and of what its tasks reduce.
pub(super) fn end_group<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    wait_group(interp)?;
    reductions::combine(interp, call)?;
    Ok(Value::void())
}

/// The end of a `taskgroup`: until its tasks and their descendants are over.
fn wait_group<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    finish_returned(interp)?;
    let task = me(interp).task;
    let open = interp.runtime.openmp.tasks[task].groups.last().map_or(0, |(open, _)| *open);
    if open > 0 {
        if let Some(child) = next(interp, Some(task)) {
            return Err(begin(interp, child)?);
        }
        let team = me(interp).team;
        return Err(interp.wait(Awaited::Team(team), "the end of its task group", None));
    }
    if let Some((_, ended)) = interp.runtime.openmp.tasks[task].groups.pop() {
        learn(interp, &ended);
    }
    Ok(())
}

/// `taskloop`: one task for each part of the iterations; the bounds stand behind the header of the task's object.
fn task_loop<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (pattern, lower, upper, step) = (call.ptr(2)?, call.ptr(4)?, call.ptr(5)?, call.int(6)?);
    let (no_group, kind, grain, duplicate) = (call.int(7)? != 0, call.int(8)?, call.uint(9)?, call.ptr(10)?);
    if *interp.progress() != Some(Progress::Undeferred) {
        let lo = interp.memory.load(lower, Leaf::Int(64), 8)?.lo as i64;
        let hi = interp.memory.load(upper, Leaf::Int(64), 8)?.lo as i64;
        if step == 0 {
            return Err(super::misuse("a taskloop of step 0"));
        }
        let trips = if (step > 0) == (lo <= hi) || lo == hi { (hi - lo) / step + 1 } else { 0 };
        let threads = my_team(interp).threads.len() as i64;
        let parts = match kind {
            1 => (trips / (grain as i64).max(1)).max(1),
            2 => grain as i64,
            _ => 10 * threads,
        };
        let parts = parts.clamp(0, trips);
        if !no_group {
            let task = me(interp).task;
            interp.runtime.openmp.tasks[task].groups.push((0, Vec::new()));
        }
        let size = interp.memory.bounds(pattern).map_or(HEADER, |(_, size)| size.saturating_sub(BEFORE));
        let mut next = 0;
        for part in 0..parts {
            let count = trips / parts + i64::from(part < trips % parts);
            let kind = AllocKind::Heap(HeapKind::Malloc);
            let memory = interp.memory.allocate(BEFORE + size, 16, kind, Some(call.at))?;
            let object = memory.offset(BEFORE as i64);
            interp.memory.copy(object, pattern, size)?;
            let shared = interp.memory.load_ptr(pattern, 8)?.as_ptr();
            if !shared.is_null() {
                let moved = object.offset(shared.addr.wrapping_sub(pattern.addr) as i64);
                interp.memory.store(object, Leaf::Ptr, Scalar::ptr(moved), 8)?;
            }
            let bounds = [lo + next * step, lo + (next + count - 1) * step];
            for (at, bound) in [HEADER, HEADER + 8].into_iter().zip(bounds) {
                interp.memory.store(object.offset(at as i64), Leaf::Int(64), Scalar::word(bound as u64), 8)?;
            }
            if interp.runtime.openmp.destroyed.contains(&pattern.addr) {
                interp.runtime.openmp.destroyed.insert(object.addr);
            }
            let last = i32::from(part + 1 == parts);
            interp.memory.store(object.offset(HEADER as i64 + 24), Leaf::Int(32), Scalar::i32(last), 4)?;
            if !duplicate.is_null() {
                interp.call_back(duplicate, &[Value::ptr(object), Value::ptr(pattern), Value::i32(last)])?;
            }
            next += count;
            let task = create(interp, object, Some(call.at), &[])?;
            enqueue(interp, task);
        }
        destroy(interp, pattern)?;
        interp.memory.free(pattern.offset(-(BEFORE as i64)), HeapKind::Malloc, Some(call.at))?;
        *interp.progress() = Some(Progress::Undeferred);
    }
    if !no_group {
        wait_group(interp)?;
    }
    *interp.progress() = None;
    Ok(Value::void())
}
