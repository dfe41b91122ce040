//! Data races: two accesses to a byte by different threads, at least one a write and at least one not atomic, neither
//! of which happens before the other (C11 5.1.2.4, paragraph 25; LangRef, "Memory Model for Concurrent Operations").
//!
//! Happens-before is kept by vector clocks ([`clock`]), the history of each byte by FastTrack ([`cells`]). What orders
//! threads: creation and join, locks, barriers, and atomic operations in their memory orders, with release sequences
//! and fences ([`order`]). The execution itself is sequentially consistent: weak orders never make a load return an old
//! value, but they order nothing, so that what relies on them is found.
//!
//! Deviations from the paper: a record has the place of the access beside its epoch, so that both places can be named;
//! concurrent reads are a list of one record a thread instead of a vector clock; allocation and free count as writes of
//! the whole object.
//!
//! The record is made when the first thread is created. What the program did before happens before all threads, so
//! nothing is missed.

pub mod cells;
pub mod clock;
mod order;
pub mod report;
pub mod tentative;

use crate::outcome::{Fault, Location};
use cells::{Arena, Conflict, Kind, Now, Object, Record, Site};
use clock::{Epoch, VectorClock};
use ir::{FuncId, InstId};
use order::Heads;
use std::collections::HashMap;
use tentative::{Bytes, Outstanding};

/// Names a synchronisation object: its address with the provenance (stack addresses are used again).
pub type Key = (u64, u64);

/// How accesses are to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As they are.
    Plain,
    /// As atomic ones.
    Atomic,
    /// Not at all.
    Silent,
}

/// A function with the call that it is in; the root is number 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// The calling context.
    pub parent: u32,
    /// The call there.
    pub call: u32,
    /// The function.
    pub func: FuncId,
}

/// Who acts: a thread, or a task, which is ordered by nothing but what orders tasks, whatever thread executes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Actor {
    #[default]
    Nobody,
    Thread(usize),
    Task,
    /// A thread of a grid: the index of its block, and its own.
    Lane([u32; 3], [u32; 3]),
}

/// What an actor knows.
#[derive(Clone, Debug, Default)]
struct Knowledge {
    actor: Actor,
    clock: VectorClock,
    /// What it knew at its last release fence.
    released: VectorClock,
    /// What an acquire fence would let it know.
    pending: VectorClock,
    /// Where it was created.
    created: Option<Location>,
}

/// The race detector of one execution.
#[derive(Clone, Debug)]
pub struct Races {
    /// The seed of the schedule, for reports.
    pub seed: u64,
    /// How accesses are to be taken.
    pub mode: Mode,
    /// Where the running thread is.
    pub site: Site,
    /// A race found where no error can be returned.
    pub late: Option<Box<Fault>>,
    /// By actor.
    threads: Vec<Knowledge>,
    /// The actor that acts.
    current: usize,
    /// The actor that each thread is.
    acting: Vec<usize>,
    /// The thread that runs.
    running: usize,
    /// The actor that each thread is where it executes no task.
    own: Vec<usize>,
    /// Tasks that are over and known to be over.
    free: Vec<usize>,
    objects: Vec<Object>,
    arena: Arena,
    locks: HashMap<Key, VectorClock>,
    atomics: HashMap<Key, Heads>,
    contexts: Vec<Context>,
    known: HashMap<Context, u32>,
    tentative: Outstanding,
}

impl Races {
    /// A detector that knows one thread, number 0.
    pub fn new(seed: u64) -> Races {
        let root = Context { parent: 0, call: 0, func: FuncId::from_u32(0) };
        let mut main = Knowledge { actor: Actor::Thread(0), ..Knowledge::default() };
        main.clock.become_own(0, 1);
        Races {
            seed,
            mode: Mode::Plain,
            site: 0,
            late: None,
            threads: vec![main],
            current: 0,
            acting: vec![0],
            running: 0,
            own: vec![0],
            free: Vec::new(),
            objects: Vec::new(),
            arena: Arena::default(),
            locks: HashMap::new(),
            atomics: HashMap::new(),
            contexts: vec![root],
            known: HashMap::new(),
            tentative: Outstanding::default(),
        }
    }

    /// The number of a call context.
    pub fn context(&mut self, context: Context) -> u32 {
        if let Some(number) = self.known.get(&context) {
            return *number;
        }
        let number = self.contexts.len() as u32;
        self.contexts.push(context);
        self.known.insert(context, number);
        number
    }

    /// The call stack of a site, innermost first.
    fn stack(&self, site: Site) -> Vec<Location> {
        let (mut context, mut inst) = ((site >> 32) as u32, site as u32);
        let mut out = Vec::new();
        while context != 0
            && let Some(node) = self.contexts.get(context as usize)
        {
            out.push(Location { func: node.func, inst: InstId::from_u32(inst) });
            (context, inst) = (node.parent, node.call);
        }
        out
    }

    /// Another thread runs.
    pub fn switch(&mut self, thread: usize) {
        self.running = thread;
        self.current = self.acting[thread];
    }

    /// The running thread acts for another actor from now on; returns the one before.
    pub fn act_as(&mut self, actor: usize) -> usize {
        let before = std::mem::replace(&mut self.current, actor);
        self.acting[self.running] = actor;
        before
    }

    /// A task is created by the acting one: what was done so far happens before it.
    pub fn create_task(&mut self, at: Option<Location>) -> usize {
        let actor = self.free.pop().unwrap_or(self.threads.len());
        self.begin(actor, Actor::Task, at);
        actor
    }

    /// A task is over, and all who go on know what it did.
    pub fn forget_task(&mut self, actor: usize) {
        self.free.push(actor);
    }

    /// What an actor did so far happens before what another one does from now on.
    pub fn order(&mut self, first: usize, then: usize) {
        let theirs = self.threads[first].clock.clone();
        self.threads[then].clock.join(&theirs);
        let count = theirs.get(first) + 1;
        self.threads[first].clock.set(first, count);
    }

    /// The actor that acts now.
    pub fn actor(&self) -> usize {
        self.current
    }

    /// A thread is created by the running one: what was done so far happens before all it does.
    pub fn create(&mut self, thread: usize, at: Option<Location>) {
        let actor = self.threads.len();
        if self.acting.len() <= thread {
            self.acting.resize(thread + 1, 0);
            self.own.resize(thread + 1, 0);
        }
        (self.acting[thread], self.own[thread]) = (actor, actor);
        self.begin(actor, Actor::Thread(thread), at);
    }

    fn begin(&mut self, number: usize, actor: Actor, created: Option<Location>) {
        let mut clock = self.threads[self.current].clock.clone();
        if self.threads.len() <= number {
            self.threads.resize(number + 1, Knowledge::default());
        }
        // A number may be used again; its count goes on.
        let count = self.threads[number].clock.get(number) + 1;
        clock.become_own(number, count);
        self.threads[number] = Knowledge { actor, clock, created, ..Knowledge::default() };
        self.tick();
    }

    /// Begins a grid: what the running thread knows, for all threads of the grid.
    pub(crate) fn grid(&mut self) -> VectorClock {
        let mut known = self.threads[self.current].clock.clone();
        known.become_own(self.current, known.get(self.current));
        self.tick();
        known
    }

    /// An interpreted thread becomes a thread of a grid that begins with that knowledge; returns its number as an
    /// actor.
    pub(crate) fn create_lane(
        &mut self,
        thread: usize,
        mut known: VectorClock,
        name: Actor,
        at: Option<Location>,
    ) -> usize {
        let number = self.free.pop().unwrap_or(self.threads.len());
        if self.threads.len() <= number {
            self.threads.resize(number + 1, Knowledge::default());
        }
        if self.acting.len() <= thread {
            self.acting.resize(thread + 1, 0);
        }
        self.acting[thread] = number;
        let count = self.threads[number].clock.get(number) + 1;
        known.become_own(number, count);
        self.threads[number] = Knowledge { actor: name, clock: known, created: at, ..Knowledge::default() };
        number
    }

    /// Actors meet at a barrier: all that each did happens before all that any does from now on.
    pub(crate) fn meet(&mut self, actors: &[usize]) {
        let mut joined = VectorClock::default();
        for actor in actors {
            joined.join(&self.threads[*actor].clock);
        }
        for actor in actors {
            let count = joined.get(*actor) + 1;
            let mut clock = joined.clone();
            clock.become_own(*actor, count);
            self.threads[*actor].clock = clock;
        }
    }

    /// Actors meet at a barrier that only waits: what each had published by a fence is known to each once it executes
    /// one.
    pub(crate) fn meet_between_fences(&mut self, actors: &[usize]) {
        let mut joined = VectorClock::default();
        for actor in actors {
            joined.join(&self.threads[*actor].released);
        }
        for actor in actors {
            self.threads[*actor].pending.join(&joined);
        }
    }

    /// The actor that a thread is.
    pub(crate) fn actor_of(&self, thread: usize) -> usize {
        self.acting.get(thread).copied().unwrap_or(0)
    }

    /// A grid is over: what its threads did happens before what the running one does from now on, and their numbers are
    /// free.
    pub(crate) fn end_grid(&mut self, actors: &[usize]) {
        for actor in actors {
            let theirs = std::mem::take(&mut self.threads[*actor].clock);
            self.threads[self.current].clock.join(&theirs);
            // Only the count goes on.
            self.threads[*actor].clock.become_own(*actor, theirs.get(*actor));
            self.free.push(*actor);
        }
    }

    /// What the other thread did so far happens before what the running one does from now on.
    pub fn learn_from(&mut self, thread: usize) {
        self.order(self.acting[thread], self.current);
    }

    /// What the running thread did so far happens before what the other one does from now on.
    pub fn teach(&mut self, thread: usize) {
        self.order(self.current, self.acting[thread]);
    }

    /// A new count of the running thread: what it does from now on is not what it has published.
    fn tick(&mut self) {
        let count = self.threads[self.current].clock.get(self.current) + 1;
        self.threads[self.current].clock.set(self.current, count);
    }

    /// Publishes the running thread's knowledge in a lock, beside what is there.
    pub fn release(&mut self, key: Key) {
        let mine = &self.threads[self.current].clock;
        self.locks.entry(key).or_default().join(mine);
        self.tick();
    }

    /// Takes the knowledge published in a lock.
    pub fn acquire(&mut self, key: Key) {
        if let Some(clock) = self.locks.get(&key) {
            self.threads[self.current].clock.join(clock);
        }
    }

    /// Forgets what was published in a lock.
    pub fn clear(&mut self, key: Key) {
        self.locks.remove(&key);
    }

    fn now(&self) -> Record {
        let clock = &self.threads[self.current].clock;
        Record { epoch: Epoch::new(self.current, clock.get(self.current)), site: self.site }
    }

    fn object(&mut self, index: usize, generation: u32) -> &mut Object {
        if self.objects.len() <= index {
            self.objects.resize(index + 1, Object::default());
        }
        let object = &mut self.objects[index];
        if object.generation != generation {
            *object = Object::new(generation, Record::default());
        }
        object
    }

    /// An object comes into being.
    pub fn born(&mut self, index: usize, generation: u32) {
        let record = if self.mode == Mode::Plain { self.now() } else { Record::default() };
        self.object(index, generation);
        self.objects[index] = Object::new(generation, record);
    }

    /// An object belongs to the library, which takes care of itself.
    pub fn exempt(&mut self, index: usize, generation: u32) {
        self.object(index, generation).exempt = true;
    }

    /// An object is the one that this thread has of a variable of which each thread has its own.
    pub fn of_thread(&mut self, index: usize, generation: u32, thread: usize) {
        let object = self.object(index, generation);
        // It is there as long as the thread, whatever task first asks for it.
        (object.of_thread, object.born) = (Some(thread), Record::default());
    }

    /// An access; a conflict if it races with an earlier one.
    pub fn access(&mut self, index: usize, generation: u32, range: (u64, u64), write: bool) -> Option<Conflict> {
        if self.mode == Mode::Silent || range.1 == 0 {
            return None;
        }
        let kind = Kind { write, atomic: self.mode == Mode::Atomic };
        let record = self.now();
        if write && !self.tentative.is_empty() {
            let bytes = Bytes { index, generation, offset: range.0, size: range.1 };
            self.write_behind_tentative(bytes, record, kind.atomic);
        }
        self.object(index, generation);
        let now = Now { clock: &self.threads[self.current].clock, record };
        let object = &mut self.objects[index];
        if object.exempt {
            return None;
        }
        let own = self.own.get(self.running).copied().unwrap_or(self.current);
        if object.of_thread == Some(self.running) && own != self.current {
            // By the thread itself, at the time of which the task knows.
            let task = &self.threads[self.current].clock;
            let record = Record { epoch: Epoch::new(own, task.get(own)), site: self.site };
            let mut clock = task.clone();
            clock.join(&self.threads[own].clock);
            let now = Now { clock: &clock, record };
            return object.access(range.0, range.1, now, kind, &mut self.arena);
        }
        object.access(range.0, range.1, now, kind, &mut self.arena)
    }

    /// The end of an object of that size; a conflict if it races with an access.
    pub fn end(&mut self, index: usize, generation: u32, size: u64) -> Option<Conflict> {
        let record = self.now();
        if self.mode == Mode::Silent || self.objects.get(index).is_none_or(|o| o.generation != generation || o.exempt) {
            return None;
        }
        self.write_behind_tentative(Bytes { index, generation, offset: 0, size }, record, false);
        let now = Now { clock: &self.threads[self.current].clock, record };
        let conflict = self.objects[index].end(size, now, &mut self.arena);
        self.objects[index] = Object::new(generation, record);
        conflict
    }
}
