//! Entry points: calls of functions and whole programs, and the report of how they stop.

use crate::engine::{CHECK_EVERY, Engine};
use crate::library::Library;
use crate::limits::Standing;
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::{ABORTED, Fault, FaultKind, Location, Outcome, Place, Report, Res, Stop, UbKind};
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::FuncId;
use std::time::Instant;

/// Library callbacks inside each other.
const MAX_NESTING: u32 = 200;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Calls a function and executes until it returns.
    pub fn call(&mut self, func: FuncId, args: &[Value<M::Shadow>]) -> Result<Value<M::Shadow>, Stop> {
        let frames = self.frames.len();
        self.call_inner(func, args).map_err(|fault| {
            let stop = self.stop(*fault);
            self.unwind(frames);
            stop
        })
    }

    /// [`Engine::call`] for shims: an error stays a fault so that it passes through the shim.
    pub fn call_back(&mut self, callee: Pointer, args: &[Value<M::Shadow>]) -> Res<Value<M::Shadow>> {
        let Some(func) = self.memory.function_at(callee) else {
            let text = format!("the library calls back {:#x}, which is no function", callee.addr);
            return Err(Fault::ub(UbKind::BadCall, text));
        };
        self.call_inner(func, args)
    }

    pub(crate) fn call_inner(&mut self, func: FuncId, args: &[Value<M::Shadow>]) -> Res<Value<M::Shadow>> {
        if self.nesting >= MAX_NESTING {
            return Err(Fault::resource(format!("library callbacks nested {MAX_NESTING} deep")));
        }
        let saved = (self.base, self.pc, self.func);
        self.nesting += 1;
        let result = self.enter(func, args);
        self.nesting -= 1;
        let value = result?;
        (self.base, self.pc, self.func) = saved;
        Ok(value)
    }

    /// Runs `main` (after the module's constructors) with these arguments, the program's name first, then what `atexit`
    /// asked for, then looks for leaks.
    pub fn run_main(&mut self, args: &[String]) -> Outcome {
        let ended = self.main_inner(args);
        let status = match ended {
            Ok(status) => Ok(status),
            Err(fault) => match self.stop(*fault) {
                Stop::Exit(status) => Ok(status),
                other => Err(other),
            },
        };
        self.output.flush();
        match status {
            Ok(status) => Outcome::Finished(status),
            Err(stop) => Outcome::Stopped(stop),
        }
    }

    fn main_inner(&mut self, args: &[String]) -> Res<i32> {
        let Some(main) = self.program.function("main") else {
            return Err(Fault::unsupported("the program has no function `main`"));
        };
        for ctor in self.program.constructors.clone() {
            self.call_inner(ctor, &[])?;
        }
        let values = self.main_arguments(main, args)?;
        let result = self.call_inner(main, &values)?;
        let status = result.first().map_or(0, |s| s.lo as i32);
        self.run_thread_destructors()?;
        self.run_exit_handlers()?;
        Ok(status & 0xff)
    }

    /// `argc`, `argv`, `envp`, as many as `main` takes.
    pub(crate) fn main_arguments(&mut self, main: FuncId, args: &[String]) -> Res<Vec<Value<M::Shadow>>> {
        let wanted = self.program.module.functions[main].params.len();
        let mut pointers = Vec::new();
        for arg in args {
            let mut bytes = arg.clone().into_bytes();
            bytes.push(0);
            let at = self.memory.allocate(bytes.len() as u64, 1, AllocKind::Runtime, None)?;
            self.memory.write_bytes(at, &bytes)?;
            pointers.push(at);
        }
        let argv = self.pointer_array(&pointers)?;
        let envp = self.pointer_array(&[])?;
        let all = [Value::i32(args.len() as i32), Value::ptr(argv), Value::ptr(envp)];
        if wanted > all.len() {
            return Err(Fault::unsupported("`main` takes more than three parameters"));
        }
        Ok(all.into_iter().take(wanted).collect())
    }

    /// A null-terminated array of pointers that the run-time library owns.
    fn pointer_array(&mut self, pointers: &[Pointer]) -> Res<Pointer> {
        let size = 8 * (pointers.len() as u64 + 1);
        let array = self.memory.allocate(size, 8, AllocKind::Runtime, None)?;
        for (i, pointer) in pointers.iter().chain([&Pointer::NULL]).enumerate() {
            self.memory.store(array.offset(8 * i as i64), Leaf::Ptr, Scalar::ptr(*pointer), 8)?;
        }
        Ok(array)
    }

    /// The functions given to `atexit`, last first.
    pub(crate) fn run_exit_handlers(&mut self) -> Res {
        while let Some((function, argument)) = self.at_exit.pop() {
            let args: Vec<_> = argument.into_iter().map(Value::ptr).collect();
            self.call_back(function, &args)?;
        }
        Ok(())
    }

    /// The instruction being executed.
    pub fn location(&self) -> Option<Location> {
        if self.frames.is_empty() {
            return None;
        }
        self.location_at(self.func, self.pc)
    }

    fn location_at(&self, func: FuncId, pc: usize) -> Option<Location> {
        let code = self.code(func);
        let inst = *code.origin.get(pc.checked_sub(1)?)?;
        Some(Location { func, inst })
    }

    /// The interpreted call stack, outermost first.
    pub fn stack(&self) -> Vec<Location> {
        let mut out: Vec<Location> = Vec::new();
        for (i, frame) in self.frames.iter().enumerate() {
            let running = i + 1 == self.frames.len();
            let pc = if running { self.pc } else { frame.pc };
            out.extend(self.location_at(frame.func, pc));
        }
        out
    }

    /// Turns a fault into a stop with the call stack as it is now.
    pub(crate) fn stop(&self, fault: Fault) -> Stop {
        const SHOWN: usize = 32;
        if let Some(inner) = fault.inner {
            return inner;
        }
        let ub = match &fault.kind {
            FaultKind::Exit(status) => return Stop::Exit(*status),
            // Nobody was left to catch it.
            FaultKind::Unwinding(_) => return Stop::Exit(ABORTED),
            FaultKind::Undefined(kind) => Some(*kind),
            FaultKind::Unsupported
            | FaultKind::Resource
            | FaultKind::Bug
            | FaultKind::Switch
            | FaultKind::Parked
            | FaultKind::Declined
            | FaultKind::Entered => None,
        };
        let mut stack = self.stack();
        if let (Some(top), Some(at)) = (stack.last_mut(), fault.at) {
            *top = at;
        }
        let stack = stack.into_iter().rev().take(SHOWN);
        let place = |at: Option<Location>, text: String| self.program.place(at, text);
        let report = Box::new(Report {
            ub,
            message: fault.message,
            stack: stack.map(|at| place(Some(at), String::new())).collect::<Vec<Place>>(),
            notes: fault.notes.into_iter().map(|n| place(n.at, n.text)).collect(),
        });
        match fault.kind {
            FaultKind::Unsupported => Stop::Unsupported(report),
            FaultKind::Resource => Stop::Resource(report),
            FaultKind::Bug
            | FaultKind::Exit(_)
            | FaultKind::Unwinding(_)
            | FaultKind::Switch
            | FaultKind::Parked
            | FaultKind::Declined
            | FaultKind::Entered => Stop::Bug(report),
            FaultKind::Undefined(_) => Stop::Undefined(report),
        }
    }

    /// Drops the frames above `depth` after an error.
    fn unwind(&mut self, depth: usize) {
        while self.frames.len() > depth
            && let Some(frame) = self.frames.pop()
        {
            self.memory.stack_release(frame.stack_mark, None);
            self.base = frame.base;
        }
        if let Some(frame) = self.frames.last() {
            (self.base, self.pc, self.func) = (frame.base, frame.pc, frame.func);
        }
    }

    /// Compares the counters with the limits; called when `steps` passes `next_check`.
    #[cold]
    pub(crate) fn check_limits(&mut self) -> Res {
        if self.steps > self.limits.steps {
            return Err(Fault::resource(format!("more than {} instructions executed", self.limits.steps)));
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(Fault::resource(format!("out of time after {} instructions", self.steps)));
        }
        if let Some(watcher) = &self.limits.watcher {
            let functions = &self.program.module.functions;
            watcher.tell(&Standing {
                steps: self.steps,
                memory: self.memory.used(),
                threads: self.threads(),
                function: functions.get(self.func).map_or("", |function| &function.name),
                source: self.location().and_then(|at| self.program.source(at)),
            });
        }
        self.next_check = (self.steps + CHECK_EVERY).min(self.limits.steps);
        Ok(())
    }

    /// The leaks at this point, as a fault, if there are any.
    pub fn leak_report(&self) -> Option<Stop> {
        let leaks = self.memory.leaks();
        if leaks.is_empty() {
            return None;
        }
        let bytes: u64 = leaks.iter().map(|l| l.size).sum();
        let text =
            format!("{} heap blocks of {bytes} bytes in all are never freed, and nothing points to them", leaks.len());
        let mut fault = Fault::ub(UbKind::Leak, text);
        for leak in leaks.iter().take(8) {
            fault = fault.note(format!("{} bytes allocated here", leak.size), leak.made);
        }
        Some(self.stop(*fault))
    }
}
