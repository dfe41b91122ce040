//! Grids: kernels in the flavours of LLVM's NVPTX and AMDGPU back ends, over the interpreted threads.
//!
//! Each thread of a grid is an interpreted thread of its own, with a stack of its own; nothing is executed in step.
//! What a program may rely on is what the models say (PTX ISA 8.5, chapters 5 and 9; AMDGPU Usage, "Memory Model"; HSA
//! Platform 1.2): threads of a block meet at barriers, lanes of a warp at operations with a mask, everything else
//! races. As many blocks run at a time as there is room for; a block begins when another has ended, in the order of
//! their numbers, and knows nothing of it.
//!
//! A launch runs to its end before the host goes on. All threads of a grid know what the host knew; the host knows
//! afterwards what they did.

mod atomic;
mod barrier;
mod host;
mod index;
mod launch;
pub(crate) mod symbols;
mod transfer;
mod warp;

pub use launch::{Geometry, MOST_RESIDENT};
pub use symbols::{DEVICE, kernel_name};

use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::Machine;
use crate::outcome::{Fault, Location, Res};
use crate::races::clock::VectorClock;
use crate::threads::grid::lane_name;
use crate::value::{Pointer, Scalar, Value};
use ir::FuncId;
use std::collections::BTreeMap;

type Out<M> = Res<Value<<M as Machine>::Shadow>>;

/// The shims of this folder by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
        return index::nvvm(rest)
            .or_else(|| barrier::nvvm(rest))
            .or_else(|| warp::nvvm(rest))
            .or_else(|| atomic::nvvm(rest));
    }
    if let Some(rest) = name.strip_prefix("llvm.amdgcn.") {
        return index::amdgcn(rest).or_else(|| barrier::amdgcn(rest)).or_else(|| warp::amdgcn(rest));
    }
    host::find(name).or_else(|| transfer::find(name))
}

/// Is it an intrinsic that is executed like a call of the library?
pub fn is_intrinsic(name: &str) -> bool {
    find::<crate::machine::Plain>(name).is_some()
}

/// What an interpreted thread is in a grid.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// The grid.
    grid: usize,
    /// Its block, counted in the grid, and its number in the block.
    block: u64,
    number: u32,
    /// Its index in the block.
    index: [u32; 3],
}

/// A thread that waits at a barrier or for other lanes.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// The interpreted thread.
    thread: usize,
    /// Its number in the block.
    number: u32,
    /// The call.
    at: Location,
    /// The barrier's number and how many threads it needs.
    barrier: (u64, u32),
    /// What it brings.
    value: Scalar,
}

/// A block that runs.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Its index in the grid.
    index: [u32; 3],
    /// Its number among all blocks of the execution.
    serial: u32,
    /// Its threads by number; none for those that have returned.
    threads: Vec<Option<usize>>,
    /// How many have not returned.
    alive: usize,
    /// Its copies of shared variables, by the variable's provenance.
    shared: BTreeMap<u64, Pointer>,
    /// Who waits at a barrier.
    waiting: Vec<Arrival>,
    /// Who waits for other lanes of its warp.
    lanes: Vec<warp::Waiting>,
}

/// A launch.
#[derive(Clone, Debug)]
struct Grid {
    kernel: FuncId,
    args: Vec<Vec<Scalar>>,
    geometry: Geometry,
    /// The next block to begin.
    next: u64,
    blocks: BTreeMap<u64, Block>,
    /// The interpreted thread that has launched it, and where.
    host: usize,
    at: Option<Location>,
    /// What it knew.
    known: VectorClock,
    /// Actors of its threads.
    actors: Vec<usize>,
    /// Lanes of a warp.
    warp: u32,
    /// The packet and the implicit arguments, once asked for.
    packet: Option<Pointer>,
    implicit: Option<Pointer>,
}

/// The device.
#[derive(Clone, Debug, Default)]
pub struct Gpu {
    /// By number; none for those that are over.
    grids: Vec<Option<Grid>>,
    /// By interpreted thread.
    lanes: Vec<Option<Lane>>,
    /// Interpreted threads that are free for other lanes.
    pool: Vec<usize>,
    /// Blocks so far.
    blocks: u32,
    /// Threads that run.
    resident: usize,
    /// Configurations of launches that have been pushed.
    pushed: Vec<(Geometry, Pointer)>,
    /// The last error of the host's interface.
    error: i32,
    /// Streams and events so far.
    handles: u64,
}

impl Gpu {
    /// The name of a thread, if it is one of a grid.
    pub fn lane_name(&self, thread: usize) -> Option<String> {
        let lane = self.lanes.get(thread).copied().flatten()?;
        let block = self.grids.get(lane.grid)?.as_ref()?.blocks.get(&lane.block)?;
        Some(lane_name(block.index, lane.index))
    }

    fn lane(&self, thread: usize) -> Option<Lane> {
        self.lanes.get(thread).copied().flatten()
    }

    fn grid(&mut self, number: usize) -> Res<&mut Grid> {
        self.grids.get_mut(number).and_then(Option::as_mut).ok_or_else(|| Fault::bug("a thread of a grid that is over"))
    }

    fn block(&mut self, lane: Lane) -> Res<&mut Block> {
        let block = self.grid(lane.grid)?.blocks.get_mut(&lane.block);
        block.ok_or_else(|| Fault::bug("a thread of a block that is over"))
    }
}

/// What the running thread is in its grid.
fn me<M: Machine>(interp: &Interp<'_, M>) -> Res<Lane> {
    interp.runtime.gpu.lane(interp.threads.current).ok_or_else(|| {
        Fault::unsupported("an operation of a device outside of a kernel: nothing has launched this function as a grid")
    })
}

/// The running thread's grid.
fn my_grid<'i, M: Machine>(interp: &'i mut Interp<'_, M>) -> Res<(Lane, &'i mut Grid)> {
    let lane = me(interp)?;
    Ok((lane, interp.runtime.gpu.grid(lane.grid)?))
}

/// A call's result of one leaf.
fn one<S: Default>(scalar: Scalar) -> Res<Value<S>> {
    Ok(Value::scalar(scalar))
}

/// The actors of interpreted threads.
fn actors<M: Machine>(interp: &mut Interp<'_, M>, threads: &[usize]) -> Vec<usize> {
    interp.memory.races().map(|races| threads.iter().map(|t| races.actor_of(*t)).collect()).unwrap_or_default()
}

/// A thread that waits has met the others, and goes on with that result.
fn pass<M: Machine>(interp: &mut Interp<'_, M>, thread: usize, result: Scalar) {
    // The running thread's frames are not with it.
    let mine = thread == interp.threads.current;
    let frames = if mine { &mut interp.frames } else { &mut interp.threads.all[thread].frames };
    if let Some(frame) = frames.last_mut() {
        frame.progress = Some(crate::threads::Progress::Passed(result));
    }
    interp.threads.set_state(thread, crate::threads::State::Ready);
}

/// The result with which the running thread has been let go on, if it has.
fn passed<M: Machine>(interp: &mut Interp<'_, M>) -> Option<Scalar> {
    match *interp.progress() {
        Some(crate::threads::Progress::Passed(result)) => {
            *interp.progress() = None;
            Some(result)
        }
        _ => None,
    }
}
