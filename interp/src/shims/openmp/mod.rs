//! OpenMP, as clang emits it: the functions of libomp's interface (`kmp.h` of LLVM 19; OpenMP API 5.2 for what they
//! mean).
//!
//! A team is a set of interpreted threads; workers are kept for the next region, so that thread-private variables last.
//! Work is given out from Rust data beside the program's memory. What orders threads is what OpenMP says: fork and
//! join, barriers, locks and critical sections, ordered regions, dependences, `taskwait` and `taskgroup`. A loop's
//! schedule orders nothing.
//!
//! Each task is an actor of its own for the race detector ([`crate::races`]): two tasks that nothing orders race even
//! when one thread executes both.

mod barrier;
mod doacross;
mod loops;
mod memory;
mod query;
mod reductions;
pub(crate) mod state;
mod sync;
mod tasks;
mod team;

use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::races::Key;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Pointer, Value};
use state::{Member, Team};

type Out<M> = Res<Value<<M as Machine>::Shadow>>;

/// The shims of this folder by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    if !name.starts_with("__kmpc_") && !name.starts_with("omp_") {
        return None;
    }
    team::find(name)
        .or_else(|| barrier::find(name))
        .or_else(|| loops::find(name))
        .or_else(|| doacross::find(name))
        .or_else(|| sync::find(name))
        .or_else(|| tasks::find(name))
        .or_else(|| reductions::find(name))
        .or_else(|| memory::find(name))
        .or_else(|| query::find(name))
}

/// The running thread's place.
fn me<'i, M: Machine>(interp: &'i mut Interp<'_, M>) -> &'i mut Member {
    let thread = interp.threads.current;
    interp.runtime.openmp.member(thread)
}

/// The running thread's team.
fn my_team<'i, M: Machine>(interp: &'i mut Interp<'_, M>) -> &'i mut Team {
    let thread = interp.threads.current;
    interp.runtime.openmp.team(thread)
}

/// The running thread's number in its team, and how many there are. In a league each thread is a team of one.
fn place_in_team<M: Machine>(interp: &mut Interp<'_, M>) -> (usize, usize) {
    let number = me(interp).number;
    let team = my_team(interp);
    if team.league { (0, 1) } else { (number, team.threads.len()) }
}

/// The running thread's team's number in its league, and how many there are.
fn place_in_league<M: Machine>(interp: &mut Interp<'_, M>) -> (usize, usize) {
    let member = me(interp);
    let (mut team, mut number) = (member.team, member.number);
    let teams = &interp.runtime.openmp.teams;
    loop {
        if teams[team].league {
            return (number, teams[team].threads.len());
        }
        let Some(outer) = teams[team].parent else { return (0, 1) };
        (team, number) = outer;
    }
}

/// Names of things that have no address, for what is published there.
fn key(what: u64, number: u64) -> Key {
    (u64::MAX - what, number)
}

/// Publishes and takes: the running actor and the thing of that name.
fn publish<M: Machine>(interp: &mut Interp<'_, M>, at: Key) {
    if let Some(races) = interp.memory.races() {
        races.release(at);
    }
}

fn take<M: Machine>(interp: &mut Interp<'_, M>, at: Key) {
    if let Some(races) = interp.memory.races() {
        races.acquire(at);
    }
}

fn misuse(text: impl Into<String>) -> Box<Fault> {
    Fault::ub(UbKind::Library, text)
}

/// The call's argument as a place to store to.
fn out<S>(call: &ShimCall<'_, S>, index: usize) -> Res<Pointer> {
    call.ptr(index)
}
