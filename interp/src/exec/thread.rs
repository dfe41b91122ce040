//! Switching between threads, beginning and ending them (POSIX.1-2017, XSH 2.9; see [`crate::threads`]).

use super::Ended;
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::stacks::MOST_THREADS;
use crate::outcome::{Fault, FaultKind, Location, Res, UbKind};
use crate::races::{Context, Races};
use crate::threads::frame::Frame;
use crate::threads::{Awaited, Role, State, Thread};
use crate::value::{Pointer, Scalar, Value};

/// How many waiting threads a deadlock names.
const MOST_NOTES: usize = 16;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Executes until only `floor` frames of the running thread are left, through exceptions that are caught above it,
    /// and through the turns of other threads.
    pub(crate) fn run(&mut self, floor: usize) -> Res {
        let owner = self.threads.current;
        let ended = self.run_threads(owner, floor);
        if self.threads.current != owner {
            // The caller goes on with the thread that called.
            let ended = ended.map_err(|fault| Fault::nested(self.stop(*fault)));
            self.switch_to(owner);
            return ended;
        }
        ended
    }

    /// The same for a thread that need not be the running one; in an error, the thread that made it keeps running.
    pub(crate) fn run_threads(&mut self, owner: usize, floor: usize) -> Res {
        loop {
            let mine = self.threads.current == owner;
            if self.frames.is_empty() {
                if mine {
                    // It has waited for a grid without executing anything itself.
                    return Ok(());
                }
                self.go_on_without_frames()?;
                continue;
            }
            let floor = if mine { floor } else { 0 };
            let ended = if self.threads.live { self.run_on::<true>(floor) } else { self.run_on::<false>(floor) };
            match ended {
                Ok(Ended::Returned) if mine => return Ok(()),
                Ok(Ended::Returned) => {
                    let returned = std::mem::take(&mut self.returned);
                    let value = returned.first();
                    if M::FOLLOWS_LOSSES
                        && let Some((_, shadow)) = returned.leaves.first()
                    {
                        // The library keeps it for whoever waits for the thread.
                        self.keep(shadow);
                    }
                    let me = self.threads.me();
                    if !me.ending {
                        me.result = value.unwrap_or(Scalar::ptr(Pointer::NULL));
                    }
                }
                Ok(Ended::Preempted) => self.reschedule()?,
                Err(fault) => match fault.kind {
                    FaultKind::Unwinding(object) => {
                        if self.land(object, floor)? {
                            continue;
                        }
                        return Err(if mine { fault } else { Fault::bug("an exception leaves a thread's function") });
                    }
                    FaultKind::Switch => {
                        if !self.frames.is_empty() {
                            // The call is executed again.
                            self.pc -= 1;
                        }
                        self.reschedule()?;
                    }
                    FaultKind::Entered => {}
                    _ => return Err(fault),
                },
            }
        }
    }

    /// Turns threads on: from now on accesses are watched, and turns are counted. The call that asks for it must be
    /// executed again.
    pub(crate) fn go_parallel(&mut self) -> Res {
        if self.threads.live {
            return Ok(());
        }
        if self.nesting > 1 {
            return Err(Fault::unsupported("the first thread is created in a function that the library calls back"));
        }
        self.threads.live = true;
        let library: Vec<Pointer> = {
            let globals = self.program.module.globals.iter();
            globals.filter(|(_, g)| g.init.is_none()).map(|(id, _)| self.program.globals[id]).collect()
        };
        self.memory.start_watching(Races::new(self.limits.seed), &library);
        for (id, _) in self.program.module.globals.iter().filter(|(_, g)| !g.thread_local.is_empty()) {
            self.memory.watch_of_thread(self.program.globals[id], 0);
        }
        if let Some(flag) = self.program.module.global("__libc_single_threaded") {
            self.memory.write_bytes(self.program.globals[flag], &[0])?;
        }
        Err(Fault::new(FaultKind::Switch, ""))
    }

    /// A new thread, created by the running one, that begins with that function.
    pub(crate) fn create_thread(
        &mut self,
        role: Role,
        function: Pointer,
        args: Vec<Value<M::Shadow>>,
        at: Option<Location>,
    ) -> Res<usize> {
        let id = self.threads.all.len();
        if id >= MOST_THREADS {
            return Err(Fault::resource(format!("more than {MOST_THREADS} threads")));
        }
        let mut thread = Thread::new(role, at);
        thread.start = Some((function, args));
        self.threads.add(thread);
        if let Some(races) = self.memory.races() {
            races.create(id, at);
        }
        Ok(id)
    }

    fn swap_state(&mut self, thread: usize) {
        let other = &mut self.threads.all[thread];
        std::mem::swap(&mut self.regs, &mut other.regs);
        std::mem::swap(&mut self.shadows, &mut other.shadows);
        std::mem::swap(&mut self.parts, &mut other.parts);
        std::mem::swap(&mut self.frames, &mut other.frames);
        std::mem::swap(&mut self.base, &mut other.base);
        std::mem::swap(&mut self.pc, &mut other.pc);
        std::mem::swap(&mut self.func, &mut other.func);
        std::mem::swap(&mut self.errno, &mut other.errno);
        std::mem::swap(&mut self.environment, &mut other.environment);
        std::mem::swap(&mut self.exceptions, &mut other.exceptions);
        // What was made for all threads stays.
        std::mem::swap(&mut self.exceptions.common, &mut other.exceptions.common);
    }

    /// Another thread becomes the running one.
    pub(crate) fn switch_to(&mut self, to: usize) {
        let from = self.threads.current;
        if from == to {
            return;
        }
        self.swap_state(from);
        self.swap_state(to);
        self.threads.current = to;
        self.memory.switch_stack(to);
        if let Some(races) = self.memory.races() {
            races.switch(to);
        }
    }

    /// Chooses the thread that runs next.
    fn reschedule(&mut self) -> Res {
        let last = self.threads.current;
        if self.nesting > 1 {
            // The host's stack belongs to this thread.
            self.threads.turn = self.threads.schedule.turn();
            return Ok(());
        }
        self.threads.schedule.lower(last);
        loop {
            let now = self.nanoseconds();
            let next = self.threads.awaken(now);
            match (self.threads.ready().is_empty(), next) {
                (false, _) => break,
                (true, Some(until)) => self.threads.slept = self.threads.slept.saturating_add(until - now),
                (true, None) => {
                    let fault = self.nobody_can_run();
                    if fault.kind != FaultKind::Parked {
                        // The stack is to end with the call that waits.
                        self.pc += usize::from(!self.frames.is_empty());
                    }
                    return Err(fault);
                }
            }
        }
        let next = self.threads.choose();
        self.threads.turn = self.threads.schedule.turn();
        self.switch_to(next);
        Ok(())
    }

    /// The end of the program when its main thread has ended before and no other is left; else a deadlock.
    #[cold]
    fn nobody_can_run(&self) -> Box<Fault> {
        let waits = |t: &Thread<M::Shadow>| matches!(t.state(), State::Waiting { .. });
        if !self.threads.all.iter().any(waits) {
            return Fault::exit(0);
        }
        let outside = |t: &Thread<M::Shadow>| matches!(t.state(), State::Waiting { on: Awaited::Rank, .. });
        if self.threads.all.iter().any(outside) {
            return Fault::new(FaultKind::Parked, "");
        }
        let mut fault = Fault::ub(UbKind::Deadlock, "a deadlock: every thread waits, and none can wake another");
        let waiting = self.threads.all.iter().enumerate().filter_map(|(id, thread)| match thread.state() {
            State::Waiting { what, .. } => Some((id, what)),
            _ => None,
        });
        for (id, what) in waiting.take(MOST_NOTES) {
            let name = match self.runtime.thread_name(id) {
                Some(name) => name,
                None if id == 0 => "the main thread".to_owned(),
                None => format!("thread {id}"),
            };
            fault = fault.note(format!("{name} waits for {what}"), self.waits_at(id));
        }
        fault
    }

    /// The call that a thread waits in.
    pub(crate) fn waits_at(&self, id: usize) -> Option<Location> {
        let (frames, pc) = if id == self.threads.current {
            (&self.frames, self.pc)
        } else {
            (&self.threads.all[id].frames, self.threads.all[id].pc)
        };
        let func = frames.last()?.func;
        let inst = *self.code(func).origin.get(pc)?;
        Some(Location { func, inst })
    }

    /// The running thread waits; its call is executed again when it is woken.
    pub(crate) fn wait(&mut self, on: Awaited, what: impl Into<String>, until: Option<u64>) -> Box<Fault> {
        if self.nesting > 1 {
            return Fault::unsupported("a thread waits in a function that the library calls back");
        }
        let me = self.threads.current;
        self.threads.set_state(me, State::Waiting { on, what: what.into(), until });
        Fault::new(FaultKind::Switch, "")
    }

    /// Calls a function; the library call that asks for it is executed again when it has returned.
    pub(crate) fn call_first(&mut self, function: Pointer, args: &[Value<M::Shadow>]) -> Box<Fault> {
        match self.push_values(function, args, true) {
            Ok(()) => Fault::new(FaultKind::Entered, ""),
            Err(fault) => fault,
        }
    }

    /// A frame for a function by its address.
    fn push_values(&mut self, function: Pointer, args: &[Value<M::Shadow>], again: bool) -> Res {
        let Some(func) = self.memory.function_at(function) else {
            let text = format!("a thread is to execute {:#x}, which is no function", function.addr);
            return Err(Fault::ub(UbKind::BadCall, text));
        };
        let target = self.code(func);
        if target.ops.is_empty() || self.intercepted[crate::program::index(func)] {
            let name = &self.program.module.functions[func].name;
            return Err(Fault::unsupported(format!("a thread that begins with {name}, which has no body")));
        }
        self.push_call(func, args, again)
    }

    /// A thread that has no frame begins, or ends one step further.
    fn go_on_without_frames(&mut self) -> Res {
        if let Some((function, args)) = self.threads.me().start.take() {
            return self.push_values(function, &args, false);
        }
        match self.threads.me().role {
            Role::Worker | Role::Lane => return L::returned(self),
            Role::Own | Role::Standard(_) => {}
        }
        self.end_thread()
    }

    /// The running thread can do nothing now: another one runs.
    pub(crate) fn give_way(&mut self) -> Res {
        self.reschedule()
    }

    /// Ends the running thread, whose frames are gone: destructors first, one at a time.
    fn end_thread(&mut self) -> Res {
        let me = self.threads.me();
        // From now on what is returned is no result.
        me.ending = true;
        if let Role::Standard(state) = me.role {
            me.role = Role::Own;
            let destroy = self.virtual_function(state, 1)?;
            return self.push_values(destroy, &[Value::ptr(state)], false);
        }
        if let Some((destructor, object)) = me.destructors.pop() {
            return self.push_values(destructor, &[Value::ptr(object)], false);
        }
        let keys = &self.threads.keys;
        let of = |key: u64| keys.get(key as usize).copied().flatten().filter(|d| !d.is_null());
        let specific = &self.threads.all[self.threads.current].specific;
        let due =
            specific.iter().find_map(|(key, value)| of(*key).filter(|_| value.lo != 0).map(|d| (*key, d, *value)));
        if let Some((key, destructor, value)) = due {
            self.threads.me().specific.remove(&key);
            return self.push_values(destructor, &[Value::scalar(value)], false);
        }
        let id = self.threads.current;
        self.threads.set_state(id, State::Ended);
        self.threads.wake(Awaited::Thread(id));
        self.reschedule()
    }

    /// `pthread_exit`: leaves all frames of the running thread.
    pub(crate) fn exit_thread(&mut self, value: Scalar) -> Res<std::convert::Infallible> {
        if self.nesting > 1 {
            return Err(Fault::unsupported("a thread ends in a function that the library calls back"));
        }
        let here = self.location();
        self.frames.clear();
        self.memory.stack_release(0, here);
        if let Some(late) = self.memory.races().and_then(|races| races.late.take()) {
            return Err(late);
        }
        self.threads.me().result = value;
        if self.threads.current == 0 {
            self.threads.live = true;
            self.threads.set_state(0, State::Ended);
            self.threads.wake(Awaited::Thread(0));
            // The others go on; the program ends with the last of them.
            return Err(Fault::new(FaultKind::Switch, ""));
        }
        Err(Fault::new(FaultKind::Entered, ""))
    }

    /// The function in a slot of an object's vtable.
    pub(crate) fn virtual_function(&self, object: Pointer, slot: i64) -> Res<Pointer> {
        let table = self.memory.load_ptr(object, 8)?.as_ptr();
        Ok(self.memory.load_ptr(table.offset(8 * slot), 8)?.as_ptr())
    }

    /// The number of the running frame's call context, in the upper half of a site.
    pub(super) fn context_now(&mut self) -> u64 {
        let known = self.frames.iter().rposition(|f| f.context != 0).map_or(0, |at| at + 1);
        for at in known..self.frames.len() {
            let (parent, call) = match at.checked_sub(1) {
                Some(below) => (self.frames[below].context, self.call_inst(below)),
                None => (0, 0),
            };
            let func = self.frames[at].func;
            let Some(races) = self.memory.races() else { return 0 };
            self.frames[at].context = races.context(Context { parent, call, func });
        }
        u64::from(self.frames.last().map_or(0, |f: &Frame<M::Shadow>| f.context)) << 32
    }

    /// The call that a frame below the running one is in.
    fn call_inst(&self, frame: usize) -> u32 {
        let frame = &self.frames[frame];
        let code = self.code(frame.func);
        frame.pc.checked_sub(1).and_then(|at| code.origin.get(at)).map_or(0, |inst| inst.as_u32())
    }
}
