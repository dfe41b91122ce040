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
pub(crate) mod state;
pub(crate) mod symbols;
mod transfer;
mod warp;

pub use host::{Launched, is_launch, launched};
pub use launch::MOST_RESIDENT;
pub use state::Geometry;
pub use symbols::{DEVICE, kernel_name};

use crate::machine::Machine;
use crate::outcome::{Fault, Res};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Scalar, Value};
use state::{Grid, Lane};

type Out<M> = Res<Value<<M as Machine>::Shadow>>;

/// The shims of this folder by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    if let Some(shim) = warp::of_doubles(name) {
        return Some(shim);
    }
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
