//! Nested executions of all ranks together: what each of them does in one call, on copies of their memories and of all
//! that is between them.
//!
//! A machine that takes over calls of a program that runs as ranks gathers the ranks at such a call, one after the
//! other, as [`Member`]s. Each function that is then executed (a primal, a gradient) is executed by every member, with
//! its own arguments, in its own memory; messages that are on their way when the call begins are there.

use super::ranks::drive;
use super::state::Rank;
use super::world::World;
use crate::limits::Limits;
use crate::machine::{Machine, Plain};
use crate::memory::Memory;
use crate::outcome::{Fault, FaultKind, Location, Res, Stop};
use crate::output::{Discard, Output};
use crate::program::Program;
use crate::shims::state::{Interp, Runtime};
use crate::value::Value;
use ir::FuncId;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// A rank at the call.
#[derive(Clone, Debug)]
pub struct Member {
    state: Rank,
    /// Its memory.
    pub memory: Memory,
    /// What the functions are in this rank that all execute together, with their arguments: as many in every member.
    pub calls: Vec<(FuncId, Vec<Value>)>,
}

impl Member {
    /// The rank of an execution, by the state of its libraries, with its memory and what it calls; none if the
    /// execution is no rank.
    pub fn of(libraries: &dyn Any, memory: &Memory, calls: Vec<(FuncId, Vec<Value>)>) -> Option<Member> {
        let state = libraries.downcast_ref::<Runtime>()?.mpi.clone()?;
        Some(Member { state, memory: memory.unwatched(), calls })
    }

    /// Its number.
    pub fn rank(&self) -> usize {
        self.state.rank
    }
}

/// The number of the rank that an execution is, if it is one, by the state of its libraries.
pub fn rank_of(libraries: &dyn Any) -> Option<usize> {
    Some(libraries.downcast_ref::<Runtime>()?.mpi.as_ref()?.rank)
}

/// What is to be repeated by ranks that wait: something that they wait for has happened.
pub fn announce(libraries: &dyn Any) {
    if let Some(me) = libraries.downcast_ref::<Runtime>().and_then(|runtime| runtime.mpi.as_ref()) {
        me.world.borrow_mut().version += 1;
    }
}

/// All ranks at a call.
#[derive(Clone, Debug)]
pub struct Company {
    /// By rank.
    pub members: Vec<Member>,
    /// What was between them when the last one came.
    world: World,
}

/// A rank that has executed a function beside another one.
pub struct Other<M: Machine> {
    /// Its number.
    pub rank: usize,
    /// Its machine.
    pub machine: M,
    /// Its memory afterwards.
    pub memory: Memory<M::Shadow>,
    /// What the function returned.
    pub result: Value<M::Shadow>,
}

/// What a function has returned, and the ranks that were beside.
pub type Returned<M> = (Value<<M as Machine>::Shadow>, Vec<Other<M>>);

/// What a rank goes on with after a call that was executed for it.
pub struct Left {
    /// Its memory.
    pub memory: Memory,
    /// What the call returned.
    pub result: Value,
    state: Rank,
}

impl Left {
    /// Hands over to the execution that the rank is: what it has done with messages becomes that execution's own.
    pub fn go_on(self, libraries: &mut dyn Any) -> (Memory, Value) {
        if let Some(me) = libraries.downcast_mut::<Runtime>().and_then(|runtime| runtime.mpi.as_mut()) {
            let world = Rc::clone(&me.world);
            *me = Rank { world, ..self.state };
        }
        (self.memory, self.result)
    }
}

impl Company {
    /// The company of these members, one for each rank, in order.
    pub fn new(members: Vec<Member>) -> Option<Company> {
        let world = members.first()?.state.world.borrow().clone();
        Some(Company { members, world })
    }

    /// The state of a member in a world of its own.
    fn state(&self, rank: usize, world: &Rc<RefCell<World>>) -> Rank {
        Rank { world: Rc::clone(world), ..self.members[rank].state.clone() }
    }

    /// An execution calls a function that is one of its rank's calls; the other ranks execute theirs beside it.
    pub fn call<'p, M: Machine>(
        &self,
        rank: usize,
        interp: &mut Interp<'p, M>,
        (func, args): (FuncId, &[Value<M::Shadow>]),
    ) -> Result<Returned<M>, Stop> {
        let refuse = |why: &str, interp: &Interp<'p, M>| interp.stop(*Fault::unsupported(why));
        let Some(which) = self.members[rank].calls.iter().position(|(own, _)| *own == func) else {
            return Err(refuse("ranks execute functions together that are no calls of theirs", interp));
        };
        let world = Rc::new(RefCell::new(self.world.clone()));
        let mut others: Vec<(usize, Interp<'p, M>)> = Vec::new();
        for (other, member) in self.members.iter().enumerate().filter(|(other, _)| *other != rank) {
            let Some(machine) = interp.machine.beside() else {
                return Err(refuse("what is asked of the call is not asked of ranks together", interp));
            };
            let limits = interp.limits().clone();
            let mut beside = Interp::with_memory(interp.program, machine, member.memory.without_shadows(), limits);
            beside.runtime.mpi = Some(self.state(other, &world));
            others.push((other, beside));
        }
        interp.runtime.mpi = Some(self.state(rank, &world));
        let arguments = |member: usize| -> Vec<Value<M::Shadow>> {
            self.members[member].calls[which].1.iter().map(Value::without_shadows).collect()
        };
        let mut results = {
            let mut all: Vec<&mut Interp<'p, M>> = others.iter_mut().map(|(_, other)| other).collect();
            all.insert(rank, interp);
            drive(&mut all, &world, |interp, member, first| {
                let begin = first.then(|| if member == rank { args.to_vec() } else { arguments(member) });
                step(interp, self.members[member].calls[which].0, begin)
            })?
        };
        let result = results.remove(rank);
        let others = others.into_iter().zip(results).map(|((rank, other), result)| {
            let (machine, memory) = other.into_parts();
            Other { rank, machine, memory, result }
        });
        Ok((result, others.collect()))
    }

    /// All ranks execute a call of theirs, and print to `output`; what each goes on with. What is between them is then
    /// what the calls have left.
    pub fn execute(
        &self,
        program: &Program,
        which: usize,
        limits: &Limits,
        output: impl Fn(usize) -> Box<dyn Output>,
    ) -> Result<Vec<Left>, Stop> {
        let (left, world) = self.run(program, which, limits, output)?;
        if let Some(real) = self.members.first() {
            real.state.world.borrow_mut().becomes(&world.borrow());
        }
        Ok(left)
    }

    /// By rank, where messages to it were sent that nobody has received when all have executed a call of theirs.
    pub fn unreceived(&self, program: &Program, which: usize, limits: &Limits) -> Result<Vec<Vec<Location>>, Stop> {
        let (_, world) = self.run(program, which, limits, |_| Box::new(Discard))?;
        let world = world.borrow();
        Ok((0..self.members.len()).map(|rank| world.unreceived(rank).map(|message| message.at).collect()).collect())
    }

    fn run(
        &self,
        program: &Program,
        which: usize,
        limits: &Limits,
        output: impl Fn(usize) -> Box<dyn Output>,
    ) -> Result<(Vec<Left>, Rc<RefCell<World>>), Stop> {
        let world = Rc::new(RefCell::new(self.world.clone()));
        let mut all: Vec<Interp<'_, Plain>> = Vec::new();
        for (rank, member) in self.members.iter().enumerate() {
            let mut interp = Interp::with_memory(program, Plain, member.memory.clone(), limits.clone());
            interp.runtime.mpi = Some(self.state(rank, &world));
            all.push(interp.with_output(output(rank)));
        }
        let results = drive(&mut all.iter_mut().collect::<Vec<_>>(), &world, |interp, rank, first| {
            let (func, args) = &self.members[rank].calls[which];
            step(interp, *func, first.then(|| args.clone()))
        })?;
        let mut left = Vec::new();
        for (mut interp, result) in all.into_iter().zip(results) {
            let Some(state) = interp.runtime.mpi.take() else { continue };
            left.push(Left { memory: interp.into_parts().1, result, state });
        }
        Ok((left, world))
    }
}

/// A rank begins with its function, or goes on: its result, once it has returned.
fn step<M: Machine>(
    interp: &mut Interp<'_, M>,
    func: FuncId,
    begin: Option<Vec<Value<M::Shadow>>>,
) -> Result<Option<Value<M::Shadow>>, Stop> {
    let run = || -> Res<Option<Value<M::Shadow>>> {
        if let Some(args) = begin {
            interp.nesting = 1;
            interp.push_call(func, &args, false)?;
        }
        match interp.proceed() {
            Err(fault) if fault.kind == FaultKind::Parked => Ok(None),
            Err(fault) => Err(fault),
            Ok(()) => {
                interp.nesting = 0;
                Ok(Some(std::mem::take(&mut interp.returned)))
            }
        }
    };
    run().map_err(|fault| interp.stop(*fault))
}
