//! Ranks of MPI: several executions of one program, each with its own memory, that one after the other run until they
//! have to wait.
//!
//! A rank runs until it waits for others; then the next one runs. It is looked at again when something has happened in
//! between. When nothing has, and nobody can go on, that is a deadlock. The order is that of the ranks, so that a run
//! is a function of program, arguments and seed.

use crate::limits::Limits;
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::outcome::{Fault, FaultKind, Location, Res, Stop, UbKind};
use crate::output::{Output, Stream};
use crate::program::Program;
use crate::shims::mpi::state::Rank;
pub use crate::shims::mpi::world::Traffic;
use crate::shims::mpi::world::World;
use crate::shims::state::Interp;
use crate::threads::{Awaited, State};
use ir::{FuncId, InstKind};
use std::cell::RefCell;
use std::rc::Rc;

/// The most ranks.
pub const MOST_RANKS: usize = 1024;
/// Bytes of a message that a standard send does not wait for. With an odd seed every send waits.
const EAGER: u64 = 4096;

/// How often ranks may ask whether something has happened while nothing does.
const MOST_POLLS: u64 = 100_000;

/// What all ranks print to.
struct Shared(Rc<RefCell<Box<dyn Output>>>);

impl Output for Shared {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        self.0.borrow_mut().write(stream, bytes);
    }

    fn flush(&mut self) {
        self.0.borrow_mut().flush();
    }
}

/// Runs a program as so many ranks. The status is the first that is not 0; a report is that of the rank that stopped
/// first.
pub fn run<M: Machine>(
    program: &Program,
    machine: impl Fn() -> M,
    limits: &Limits,
    how: (usize, &[String]),
    output: Box<dyn Output>,
) -> Outcome {
    run_counted(program, machine, limits, how, output).0
}

/// The same, and what has gone from one rank to another.
pub fn run_counted<M: Machine>(
    program: &Program,
    machine: impl Fn() -> M,
    limits: &Limits,
    how: (usize, &[String]),
    output: Box<dyn Output>,
) -> (Outcome, Traffic) {
    let (outcome, all) = run_all(program, |_| machine(), limits, how, output);
    let world = all.first().and_then(|interp| interp.runtime.mpi.as_ref()).map(|rank| Rc::clone(&rank.world));
    (outcome, world.map_or(Traffic::default(), |world| world.borrow().traffic))
}

/// The same with a machine for each rank; what is left of their executions, too.
pub fn run_all<'p, M: Machine>(
    program: &'p Program,
    machine: impl Fn(usize) -> M,
    limits: &Limits,
    (ranks, args): (usize, &[String]),
    output: Box<dyn Output>,
) -> (Outcome, Vec<Interp<'p, M>>) {
    let world = Rc::new(RefCell::new(World::new(ranks, if limits.seed % 2 == 1 { 0 } else { EAGER })));
    let output = Rc::new(RefCell::new(output));
    let mut all: Vec<Interp<'p, M>> = Vec::new();
    for rank in 0..ranks {
        let mut interp =
            Interp::new(program, machine(rank), limits.clone()).with_output(Box::new(Shared(Rc::clone(&output))));
        interp.runtime.mpi = Some(Rank::new(Rc::clone(&world), rank));
        all.push(interp);
    }
    let ended = drive(&mut all.iter_mut().collect::<Vec<_>>(), &world, |interp, _, first| {
        let went = if first { interp.begin_main(args) } else { Ok(()) };
        went.and_then(|()| interp.go_on()).or_else(|fault| match interp.stop(*fault) {
            // `MPI_Abort`, `exit`, `abort`: all end.
            Stop::Exit(0) if !interp.runtime.mpi.as_ref().is_some_and(Rank::is_open) => Ok(Some(0)),
            stop => Err(stop),
        })
    });
    output.borrow_mut().flush();
    let outcome = match ended {
        Ok(statuses) => Outcome::Finished(statuses.into_iter().find(|status| *status != 0).unwrap_or(0)),
        Err(Stop::Exit(status)) => Outcome::Finished(status),
        Err(stop) => Outcome::Stopped(stop),
    };
    (outcome, all)
}

/// Lets ranks run, one after the other, until each has ended, with what it ends with, or one stops. `step` lets one go
/// on until it ends or waits; it is told whether that is the first time.
pub(super) fn drive<'p, M: Machine, T>(
    all: &mut [&mut Interp<'p, M>],
    world: &Rc<RefCell<World>>,
    mut step: impl FnMut(&mut Interp<'p, M>, usize, bool) -> Result<Option<T>, Stop>,
) -> Result<Vec<T>, Stop> {
    let ranks = all.len();
    // By rank: what had happened when it last looked, and what it has ended with.
    let mut looked: Vec<Option<u64>> = vec![None; ranks];
    let mut ended: Vec<Option<T>> = (0..ranks).map(|_| None).collect();
    let mut idle = 0;
    loop {
        let mut moved = false;
        let before = world.borrow().version;
        for rank in 0..ranks {
            let version = world.borrow().version;
            let polls = all[rank].runtime.mpi.as_ref().is_some_and(Rank::polls);
            if ended[rank].is_some() || (looked[rank] == Some(version) && !polls) {
                continue;
            }
            moved = true;
            if let Some(value) = step(all[rank], rank, looked[rank].is_none())? {
                ended[rank] = Some(value);
                world.borrow_mut().version += 1;
            }
            // What it did itself is no reason to look again.
            looked[rank] = Some(world.borrow().version);
        }
        if ended.iter().all(Option::is_some) {
            return Ok(ended.into_iter().flatten().collect());
        }
        idle = if world.borrow().version == before { idle + 1 } else { 0 };
        if !moved || idle > MOST_POLLS {
            let ended: Vec<bool> = ended.iter().map(Option::is_some).collect();
            return Err(deadlock(all, &ended));
        }
    }
}

/// Nobody can go on.
fn deadlock<M: Machine>(all: &[&mut Interp<'_, M>], ended: &[bool]) -> Stop {
    const SHOWN: usize = 16;
    let mut fault = Fault::ub(UbKind::Deadlock, "a deadlock: every rank waits for others, or has ended");
    let waiting = all.iter().enumerate().filter(|(rank, _)| !ended[*rank]);
    for (rank, interp) in waiting.clone().take(SHOWN) {
        let me = interp.threads.current;
        let what = match interp.threads.all[me].state() {
            State::Waiting { what, .. } => what.as_str(),
            State::Ready | State::Idle | State::Ended => "others",
        };
        fault = fault.note(format!("rank {rank} waits for {what}"), interp.waits_at(me));
    }
    match waiting.map(|(_, interp)| interp).next() {
        Some(first) => first.stop_waiting(*fault),
        None => Stop::Exit(0),
    }
}

impl<M: Machine> Interp<'_, M> {
    /// Constructors, and a frame for `main`.
    fn begin_main(&mut self, args: &[String]) -> Res {
        let Some(main) = self.program.function("main") else {
            return Err(Fault::unsupported("the program has no function `main`"));
        };
        for ctor in self.program.constructors.clone() {
            self.call_inner(ctor, &[])?;
        }
        let values = self.main_arguments(main, args)?;
        self.nesting = 1;
        self.push_call(main, &values, false)
    }

    /// Runs on until the outermost function has returned.
    pub(super) fn proceed(&mut self) -> Res {
        self.threads.wake(Awaited::Rank);
        if *self.threads.all[self.threads.current].state() != State::Ready {
            self.give_way()?;
        }
        self.run_threads(0, 0)
    }

    /// Runs until `main` has returned (its status), or until the rank has to wait for others.
    fn go_on(&mut self) -> Res<Option<i32>> {
        match self.proceed() {
            Err(fault) if fault.kind == FaultKind::Parked => return Ok(None),
            ended => ended?,
        }
        let status = std::mem::take(&mut self.returned).first().map_or(0, |s| s.lo as i32);
        if self.runtime.mpi.as_ref().is_some_and(Rank::is_open) {
            let text = "`main` returns without a call of MPI_Finalize";
            let rank = self.runtime.mpi.as_ref().map_or(0, |me| me.rank);
            let at = self.program.function("main").and_then(|main| self.return_of(main));
            return Err(Fault::ub(UbKind::Library, format!("{text} (rank {rank})")).note("`main` ends here", at));
        }
        self.run_thread_destructors()?;
        self.run_exit_handlers()?;
        Ok(Some(status & 0xff))
    }

    /// A `ret` of a function.
    fn return_of(&self, func: FuncId) -> Option<Location> {
        let function = &self.program.module.functions[func];
        let insts = function.layout.iter().flat_map(|block| function.blocks[*block].insts.iter());
        let mut returns = insts.filter(|inst| matches!(function.insts[**inst].kind, InstKind::Ret(_)));
        returns.next().map(|inst| Location { func, inst: *inst })
    }

    /// The report of a rank that waits: its stack ends with the call.
    fn stop_waiting(&self, fault: Fault) -> Stop {
        let mut stop = self.stop(fault);
        if let (Stop::Undefined(report), Some(at)) = (&mut stop, self.waits_at(self.threads.current)) {
            let place = self.program.place(Some(at), String::new());
            if let Some(first) = report.stack.first_mut() {
                *first = place;
            }
        }
        stop
    }
}
