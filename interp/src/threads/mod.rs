//! Interpreted threads: several call stacks over one memory.
//!
//! The engine's own state (registers, frames, program counter) is that of the running thread; the others' lies here. A
//! switch swaps them, between any two instructions. What a single thread executes knows nothing of all this: the
//! dispatch loop exists twice, and the one that counts turns and tells the race detector where it is ([`crate::races`])
//! is entered when the first thread is created.
//!
//! A library function that has to wait says so with a fault ([`crate::outcome::FaultKind::Switch`]) before it has
//! changed anything; the call is executed again when the thread is woken. What such a call has already done is kept
//! with the frame that calls ([`Progress`]).

mod changes;
pub(crate) mod frame;
pub mod schedule;

use crate::environment::Environment;
use crate::memory::shadow::Shadow;
use crate::outcome::Location;
use crate::thrown::Exceptions;
use crate::value::{Pointer, Scalar, Value};
use changes::Changes;
use frame::{Frame, Part};
use ir::FuncId;
use schedule::{Ready, Schedule};
use std::collections::BTreeMap;

pub use frame::Progress;

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// Something at an address: a lock, a barrier, a condition.
    Object(u64),
    /// The end of a thread.
    Thread(usize),
    /// Something of a team of OpenMP threads.
    Team(usize),
    /// Other threads of its block, or the end of a grid.
    Grid,
    /// Other ranks.
    Rank,
    /// Nothing but time.
    Time,
}

/// What a thread is doing.
#[derive(Clone, PartialEq, Debug)]
pub enum State {
    /// It can run, or runs.
    Ready,
    /// It waits.
    Waiting {
        /// For this.
        on: Awaited,
        /// In words, after "waits for".
        what: String,
        /// Until that time at the latest.
        until: Option<u64>,
    },
    /// It waits for work of a later parallel region.
    Idle,
    /// It has ended.
    Ended,
}

/// What a thread is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A thread of the program.
    Own,
    /// A `std::thread`, with the state object to be destroyed.
    Standard(Pointer),
    /// A worker of OpenMP.
    Worker,
    /// A thread of a grid.
    Lane,
}

/// A thread.
pub struct Thread<S> {
    pub(crate) regs: Vec<Scalar>,
    pub(crate) shadows: Vec<S>,
    pub(crate) parts: BTreeMap<usize, Vec<Part<S>>>,
    pub(crate) frames: Vec<Frame<S>>,
    pub(crate) base: usize,
    pub(crate) pc: usize,
    pub(crate) func: FuncId,
    pub(crate) errno: Option<Pointer>,
    pub(crate) environment: Environment,
    pub(crate) exceptions: Exceptions,
    /// What it is doing; [`Threads::set_state`] changes it.
    state: State,
    /// Its function has returned.
    pub ending: bool,
    /// The function to begin with.
    pub start: Option<(Pointer, Vec<Value<S>>)>,
    /// Where it was created.
    pub created: Option<Location>,
    /// Nobody will join it.
    pub detached: bool,
    /// It has been joined.
    pub joined: bool,
    /// What it returned.
    pub result: Scalar,
    /// Its role.
    pub role: Role,
    /// Its copies of thread-local variables, by the provenance of the variable.
    pub locals: BTreeMap<u64, Pointer>,
    /// Destructors of its thread-local objects, with the object.
    pub destructors: Vec<(Pointer, Pointer)>,
    /// Its values of keys.
    pub specific: BTreeMap<u64, Scalar>,
}

impl<S: Shadow> Thread<S> {
    /// A thread that has not begun.
    pub fn new(role: Role, created: Option<Location>) -> Thread<S> {
        Thread {
            regs: Vec::new(),
            shadows: Vec::new(),
            parts: BTreeMap::new(),
            frames: Vec::new(),
            base: 0,
            pc: 0,
            func: FuncId::from_u32(0),
            errno: None,
            environment: Environment::default(),
            exceptions: Exceptions::default(),
            state: State::Ready,
            ending: false,
            start: None,
            created,
            detached: false,
            joined: false,
            result: Scalar::ptr(Pointer::NULL),
            role,
            locals: BTreeMap::new(),
            destructors: Vec::new(),
            specific: BTreeMap::new(),
        }
    }

    /// What it is doing.
    pub fn state(&self) -> &State {
        &self.state
    }
}

/// All threads of an execution.
pub struct Threads<S> {
    /// By number; the main thread is 0.
    pub all: Vec<Thread<S>>,
    /// The one that runs.
    pub current: usize,
    /// Has there ever been more than one?
    pub live: bool,
    /// Instructions that the running thread may still execute in its turn.
    pub turn: u64,
    /// The scheduler.
    pub schedule: Schedule,
    /// Nanoseconds that all threads together have slept.
    pub slept: u64,
    /// Destructors by key of thread-specific data; `None` for deleted keys.
    pub keys: Vec<Option<Pointer>>,
    /// Progress of calls without a caller.
    pub(crate) nowhere: Option<Progress>,
    /// What is accessed in one piece, and has been changed.
    pub(crate) changes: Changes,
    /// Call context of the running thread's frame.
    pub(crate) context: u64,
    /// The threads that are [`State::Ready`].
    ready: Ready,
    /// How many wait until some time.
    timed: usize,
}

impl<S: Shadow> Threads<S> {
    /// The running thread reads in one piece what is there, and may change it.
    pub(crate) fn sees(&mut self, pointer: Pointer, changes: bool) {
        if self.live {
            if changes {
                self.changes.change(pointer.addr);
            }
            self.changes.read(self.current, pointer.addr);
        }
    }

    /// Has another thread changed what the running one read?
    pub(crate) fn is_late(&self, pointer: Pointer) -> bool {
        self.live && self.changes.is_changed(self.current, pointer.addr)
    }

    /// The main thread alone.
    pub fn new(seed: u64) -> Threads<S> {
        let mut ready = Ready::default();
        ready.put(0, true);
        Threads {
            ready,
            timed: 0,
            all: vec![Thread::new(Role::Own, None)],
            current: 0,
            live: false,
            turn: 0,
            schedule: Schedule::new(seed),
            slept: 0,
            keys: Vec::new(),
            nowhere: None,
            changes: Changes::default(),
            context: 0,
        }
    }

    /// The running thread.
    pub fn me(&mut self) -> &mut Thread<S> {
        &mut self.all[self.current]
    }

    /// The running thread has executed an operation that orders threads.
    pub fn synchronised(&mut self) {
        if self.live && self.schedule.interrupts() {
            self.turn = 0;
        }
    }

    /// Adds a thread that can run; its number.
    pub fn add(&mut self, thread: Thread<S>) -> usize {
        let id = self.all.len();
        self.all.push(thread);
        self.ready.put(id, true);
        id
    }

    /// A thread does something else from now on.
    pub fn set_state(&mut self, thread: usize, state: State) {
        let timed = |state: &State| usize::from(matches!(state, State::Waiting { until: Some(_), .. }));
        self.ready.put(thread, state == State::Ready);
        self.timed += timed(&state);
        let before = std::mem::replace(&mut self.all[thread].state, state);
        self.timed -= timed(&before);
    }

    /// The threads that can run.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Chooses the thread that runs next.
    pub fn choose(&mut self) -> usize {
        self.schedule.choose(&self.ready, self.current)
    }

    /// Lets those go on whose time has come; the next time that somebody waits for.
    pub fn awaken(&mut self, now: u64) -> Option<u64> {
        let mut next: Option<u64> = None;
        if self.timed == 0 {
            return None;
        }
        for thread in 0..self.all.len() {
            if let State::Waiting { until: Some(until), .. } = self.all[thread].state {
                if until <= now {
                    self.set_state(thread, State::Ready);
                } else {
                    next = Some(next.map_or(until, |n| n.min(until)));
                }
            }
        }
        next
    }

    /// Lets all threads that wait for it go on.
    pub fn wake(&mut self, awaited: Awaited) {
        for thread in self.waiting(awaited) {
            self.set_state(thread, State::Ready);
        }
    }

    /// Numbers of the threads that wait for it.
    pub fn waiting(&self, awaited: Awaited) -> Vec<usize> {
        let waits = |t: &Thread<S>| matches!(t.state, State::Waiting { on, .. } if on == awaited);
        (0..self.all.len()).filter(|t| waits(&self.all[*t])).collect()
    }
}
