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
mod query;
mod sync;
mod tasks;
mod team;

use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::races::Key;
use crate::value::{Pointer, Value};
use loops::Loop;
use std::collections::{BTreeMap, VecDeque};
use tasks::Task;

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
        .or_else(|| query::find(name))
}

/// A team of threads that execute a parallel region.
#[derive(Clone, Debug, Default)]
struct Team {
    /// Threads by their number in the team.
    threads: Vec<usize>,
    /// The team that it was forked in, and the number of its master there.
    parent: Option<(usize, usize)>,
    /// How many regions are around it, itself included.
    level: usize,
    /// Those of more than one thread.
    active_level: usize,
    /// Workers that have executed the region.
    done: usize,
    /// Arrivals at the present barrier.
    arrived: usize,
    /// Barriers passed.
    round: u64,
    /// Work-sharing loops by their number in the region.
    loops: BTreeMap<u64, Loop>,
    /// Loops whose iterations wait for each other, by their number in the region.
    doacross: BTreeMap<u64, doacross::Doacross>,
    /// `single` regions taken.
    singles: u64,
    /// Where `copyprivate` copies from.
    copy: Pointer,
    /// Tasks that can be executed.
    queue: VecDeque<usize>,
    /// Explicit tasks that are not over.
    unfinished: usize,
    /// Actors of tasks that are over.
    over: Vec<usize>,
}

/// A thread's place in a team.
#[derive(Clone, Debug, Default)]
struct Member {
    /// The team.
    team: usize,
    /// Its number there.
    number: usize,
    /// Work-sharing loops met.
    loops: u64,
    /// Loops met whose iterations wait for each other.
    doacross: u64,
    /// `single` regions met.
    singles: u64,
    /// The loop being executed, with what this thread has of it.
    share: loops::Share,
    /// The task being executed; the implicit one if nothing else.
    task: usize,
    /// Explicit tasks that this thread has begun for a call in that frame, with the task it goes on with.
    begun: Vec<Begun>,
}

/// A task that a thread executes.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// Frames below it.
    depth: usize,
    /// The task.
    task: usize,
    /// The one that it interrupts.
    before: usize,
    /// The actor that the thread was.
    actor: usize,
}

/// The state of OpenMP.
#[derive(Clone, Debug)]
pub struct OpenMp {
    teams: Vec<Team>,
    /// By thread: its places, the innermost last.
    members: Vec<Vec<Member>>,
    tasks: Vec<Task>,
    /// Workers without work.
    idle: Vec<usize>,
    /// Per thread: cells with its global number and zero, for the outlined functions.
    cells: Vec<Option<(Pointer, Pointer)>>,
    /// By thread: members of the team of its next region, where its clause says so.
    pushed: BTreeMap<usize, usize>,
    /// `nthreads-var`
    threads: usize,
    /// `run-sched-var`: kind as in `omp_sched_t`, chunk.
    schedule: (u32, i64),
    /// `max-active-levels-var`
    max_active_levels: usize,
    /// `dyn-var`
    dynamic: bool,
    /// Iterations that have told that they are done.
    posts: u64,
    /// Owners of locks and critical sections by address: thread, and how often.
    locks: BTreeMap<u64, (usize, u32)>,
    /// Copies of thread-private variables: by variable and thread.
    private: BTreeMap<(u64, usize), Pointer>,
}

impl OpenMp {
    /// No region yet.
    pub fn new(threads: usize) -> OpenMp {
        OpenMp {
            teams: Vec::new(),
            members: Vec::new(),
            tasks: Vec::new(),
            idle: Vec::new(),
            cells: Vec::new(),
            pushed: BTreeMap::new(),
            threads: threads.max(1),
            schedule: (1, 0),
            max_active_levels: 1,
            dynamic: false,
            posts: 0,
            locks: BTreeMap::new(),
            private: BTreeMap::new(),
        }
    }

    /// A place in a team for a thread.
    fn enter(&mut self, thread: usize, team: usize, number: usize, task: usize) {
        if self.members.len() <= thread {
            self.members.resize(thread + 1, Vec::new());
        }
        self.members[thread].push(Member { team, number, task, ..Member::default() });
    }

    /// The thread's place, made for the initial thread when first asked for.
    fn member(&mut self, thread: usize) -> &mut Member {
        if self.members.get(thread).is_none_or(Vec::is_empty) {
            let (team, task) = (self.teams.len(), self.tasks.len());
            self.teams.push(Team { threads: vec![thread], ..Team::default() });
            self.tasks.push(Task::default());
            self.enter(thread, team, 0, task);
        }
        let last = self.members[thread].len() - 1;
        &mut self.members[thread][last]
    }

    /// The thread's team.
    fn team(&mut self, thread: usize) -> &mut Team {
        let team = self.member(thread).team;
        &mut self.teams[team]
    }
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
