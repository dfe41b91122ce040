//! Parallel regions: fork and join; leagues of teams, which differ in what their threads are told.

use super::state::{Member, Task, Team};
use super::{Out, me, tasks};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Progress, Role, State};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_fork_call" => |i, c| fork(i, c, false),
        "__kmpc_fork_teams" => |i, c| fork(i, c, true),
        "__kmpc_push_num_teams" => |i, c| push_teams(i, c.int(2)?),
        // The most of them are allowed.
        "__kmpc_push_num_teams_51" => |i, c| push_teams(i, c.int(3)?),
        "__kmpc_push_num_threads" => |i, c| {
            let (thread, wanted) = (i.threads.current, c.int(2)?.max(1) as usize);
            i.runtime.openmp.pushed.insert(thread, wanted);
            Ok(Value::void())
        },
        "__kmpc_push_proc_bind" => |_, _| Ok(Value::void()),
        "__kmpc_serialized_parallel" => |i, _| {
            let thread = i.threads.current;
            i.runtime.openmp.pushed.remove(&thread);
            let team = new_team(i, vec![thread], false);
            place(i, thread, team, 0);
            Ok(Value::void())
        },
        "__kmpc_end_serialized_parallel" => |i, _| {
            let thread = i.threads.current;
            i.runtime.openmp.members[thread].pop();
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// The cells with a thread's global number and with zero.
pub fn cells<M: Machine>(interp: &mut Interp<'_, M>, thread: usize) -> Res<(Pointer, Pointer)> {
    let cells = &mut interp.runtime.openmp.cells;
    if cells.len() <= thread {
        cells.resize(thread + 1, None);
    }
    if let Some(cells) = cells[thread] {
        return Ok(cells);
    }
    let mut made = [Pointer::NULL; 2];
    for (cell, value) in made.iter_mut().zip([thread as i32, 0]) {
        *cell = interp.memory.allocate(4, 4, AllocKind::Runtime, None)?;
        interp.memory.store(*cell, Leaf::Int(32), Scalar::i32(value), 4)?;
    }
    interp.runtime.openmp.cells[thread] = Some((made[0], made[1]));
    Ok((made[0], made[1]))
}

/// The next league has so many teams; one, if nothing is said.
fn push_teams<M: Machine>(interp: &mut Interp<'_, M>, wanted: i64) -> Out<M> {
    let thread = interp.threads.current;
    interp.runtime.openmp.pushed_teams.insert(thread, wanted.max(1) as usize);
    Ok(Value::void())
}

fn new_team<M: Machine>(interp: &mut Interp<'_, M>, threads: Vec<usize>, league: bool) -> usize {
    let openmp = &mut interp.runtime.openmp;
    let member = openmp.member(interp.threads.current);
    let parent = Some((member.team, member.number));
    let outer = openmp.team(interp.threads.current);
    let (mut level, mut active_level) = (outer.level, outer.active_level);
    if !league {
        level += 1;
        active_level += usize::from(threads.len() > 1);
    }
    openmp.teams.push(Team { threads, parent, league, level, active_level, ..Team::default() });
    openmp.teams.len() - 1
}

/// Puts a thread into a team, with an implicit task.
fn place<M: Machine>(interp: &mut Interp<'_, M>, thread: usize, team: usize, number: usize) {
    let openmp = &mut interp.runtime.openmp;
    openmp.tasks.push(Task::default());
    let task = openmp.tasks.len() - 1;
    openmp.enter(thread, team, number, task);
}

fn fork<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, league: bool) -> Out<M> {
    if let Some(Progress::Region(team)) = *interp.progress() {
        return join(interp, team);
    }
    let current = interp.threads.current;
    let openmp = &mut interp.runtime.openmp;
    let nested = openmp.team(current).active_level >= openmp.controls.max_active_levels;
    let wanted = match league {
        true => openmp.pushed_teams.get(&current).copied().unwrap_or(1),
        false if nested => 1,
        false => openmp.pushed.get(&current).copied().unwrap_or(openmp.controls.threads),
    };
    if wanted > 1 {
        interp.go_parallel()?;
    }
    // The call may have been begun anew; from here on it is not.
    let openmp = &mut interp.runtime.openmp;
    if league {
        openmp.pushed_teams.remove(&current)
    } else {
        openmp.pushed.remove(&current)
    };
    let shadow = |n: usize| call.shadows.get(n).cloned().unwrap_or_default();
    let captured: Vec<Value<M::Shadow>> =
        (3..call.args.len()).map(|n| Value::shadowed(call.args[n], shadow(n))).collect();
    let function = call.ptr(2)?;
    let mut threads = vec![current];
    for _ in 1..wanted {
        threads.push(worker(interp, call)?);
    }
    let team = new_team(interp, threads.clone(), league);
    for (number, thread) in threads.iter().enumerate() {
        let (id, zero) = cells(interp, *thread)?;
        let mut args = vec![Value::ptr(id), Value::ptr(zero)];
        args.extend(captured.iter().cloned());
        place(interp, *thread, team, number);
        if number > 0 {
            if let Some(races) = interp.memory.races() {
                races.teach(*thread);
            }
            interp.threads.all[*thread].start = Some((function, args));
            interp.threads.set_state(*thread, State::Ready);
        }
    }
    *interp.progress() = Some(Progress::Region(team));
    let (id, zero) = cells(interp, current)?;
    let mut args = vec![Value::ptr(id), Value::ptr(zero)];
    args.extend(captured);
    Err(interp.call_first(function, &args))
}

/// A worker without work, or a new one.
fn worker<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<usize> {
    if !interp.runtime.openmp.idle.is_empty() {
        return Ok(interp.runtime.openmp.idle.remove(0));
    }
    let id = interp.create_thread(Role::Worker, Pointer::NULL, Vec::new(), Some(call.at))?;
    interp.threads.all[id].start = None;
    interp.threads.set_state(id, State::Idle);
    Ok(id)
}

/// The master at the end of its region: tasks that are left, then the others.
fn join<M: Machine>(interp: &mut Interp<'_, M>, team: usize) -> Out<M> {
    tasks::finish_returned(interp)?;
    if let Some(task) = tasks::next(interp, None) {
        return Err(tasks::begin(interp, task)?);
    }
    let members = interp.runtime.openmp.teams[team].threads.clone();
    let state = &interp.runtime.openmp.teams[team];
    if state.done + 1 < members.len() || state.unfinished > 0 {
        return Err(interp.wait(Awaited::Team(team), "the other threads of its team", None));
    }
    tasks::learn_all(interp);
    for thread in &members[1..] {
        if let Some(races) = interp.memory.races() {
            races.learn_from(*thread);
        }
    }
    let mut idle = members[1..].to_vec();
    let openmp = &mut interp.runtime.openmp;
    idle.append(&mut openmp.idle);
    openmp.idle = idle;
    openmp.members[members[0]].pop();
    openmp.teams[team] = Team::default();
    *interp.progress() = None;
    Ok(Value::void())
}

impl<M: Machine> Interp<'_, M> {
    /// A worker whose function or task has returned: tasks that are left, then the end of the region.
    pub(crate) fn worker_without_frames(&mut self) -> Res {
        tasks::finish_returned(self)?;
        if let Some(task) = tasks::next(self, None) {
            let entered = tasks::begin(self, task)?;
            return if entered.kind == crate::outcome::FaultKind::Entered { Ok(()) } else { Err(entered) };
        }
        let Member { team, .. } = *me(self);
        let state = &mut self.runtime.openmp.teams[team];
        if state.unfinished > 0 {
            let waits = self.wait(Awaited::Team(team), "the tasks of its team", None);
            return if waits.kind == crate::outcome::FaultKind::Switch { self.give_way() } else { Err(waits) };
        }
        state.done += 1;
        let thread = self.threads.current;
        self.runtime.openmp.members[thread].pop();
        self.threads.set_state(thread, State::Idle);
        self.threads.wake(Awaited::Team(team));
        self.give_way()
    }
}
