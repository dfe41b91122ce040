//! Barriers of a block (PTX ISA, `bar` and `barrier`; AMDGPU's `s_barrier`).
//!
//! A barrier for all threads of a block must be reached by all of them, at the same place: "conditional code … only if
//! the conditional evaluates identically across the entire thread block" (CUDA C++ Programming Guide, "Synchronization
//! Functions"). A thread that returns, or waits at another place, while others wait is a divergence, found as soon as
//! it is certain. A barrier with a count needs that many, wherever they are.

use super::state::{Arrival, Lane, index_in};
use super::{Out, Shim, ShimCall, actors, me, pass, passed, warp};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::threads::Awaited;
use crate::value::{Scalar, Value};
use ir::Ordering;

/// Which threads a barrier is for.
#[derive(Clone, Copy)]
struct Barrier {
    /// Its number, and how many threads it needs (0: all of the block).
    which: (u64, u32),
    combine: Combine,
    /// Does it order memory by itself?
    orders: bool,
}

/// The barrier of a whole block with that number.
fn all(number: u64, combine: Combine) -> Barrier {
    Barrier { which: (number, 0), combine, orders: true }
}

/// What the values that threads bring to a barrier become.
#[derive(Clone, Copy)]
enum Combine {
    Nothing,
    Count,
    And,
    Or,
}

/// Barriers and fences of NVPTX.
pub fn nvvm<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "barrier0" | "barrier.cta.sync.all" => |i, c| meet(i, c, all(0, Combine::Nothing)),
        "barrier.n" | "barrier.sync" | "bar.sync" | "barrier.cta.sync.aligned.all" => |i, c| {
            let number = c.uint(0)?;
            meet(i, c, all(number, Combine::Nothing))
        },
        "barrier" | "barrier.sync.cnt" => |i, c| {
            let which = (c.uint(0)?, c.uint(1)? as u32);
            meet(i, c, Barrier { which, ..all(0, Combine::Nothing) })
        },
        "barrier0.popc" => |i, c| meet(i, c, all(0, Combine::Count)),
        "barrier0.and" => |i, c| meet(i, c, all(0, Combine::And)),
        "barrier0.or" => |i, c| meet(i, c, all(0, Combine::Or)),
        "membar.cta" | "membar.gl" | "membar.sys" | "fence.sc.cluster" => |i, _| {
            if let Some(races) = i.memory.races() {
                races.fence(Ordering::SeqCst);
            }
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// Those of AMDGPU. Its barrier waits and nothing else: what memory it orders say the fences around it.
pub fn amdgcn<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "s.barrier" => |i, c| meet(i, c, Barrier { orders: false, ..all(0, Combine::Nothing) }),
        _ => return None,
    })
}

fn meet<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, asked: Barrier) -> Out<M> {
    let Barrier { which: barrier, combine: how, orders } = asked;
    if let Some(result) = passed(interp) {
        return result_of(how, result);
    }
    let lane = me(interp)?;
    let value = match how {
        Combine::Nothing => Scalar::i32(0),
        Combine::Count | Combine::And | Combine::Or => call.leaf(0)?,
    };
    let thread = interp.threads.current;
    let block = interp.runtime.gpu.block(lane)?;
    let arrival = Arrival { thread, number: lane.number, at: call.at, barrier, value };
    if barrier.1 == 0 {
        if let Some(gone) = block.threads.iter().position(Option::is_none) {
            return Err(missed(interp, lane, arrival, gone as u32));
        }
        let other =
            block.waiting.iter().find(|w| w.barrier.1 == 0 && (w.at != call.at || w.barrier != barrier)).copied();
        if let Some(other) = other {
            let [mine, theirs] = [name(interp, thread), name(interp, other.thread)];
            let text = format!("barrier divergence: {mine} waits at one barrier, {theirs} at another");
            return Err(Fault::ub(UbKind::Divergence, text).note(format!("{theirs} waits here"), Some(other.at)));
        }
    }
    let needed = if barrier.1 == 0 { block.threads.len() } else { barrier.1 as usize };
    let mut here: Vec<Arrival> = block.waiting.iter().filter(|w| w.barrier == barrier).copied().collect();
    here.push(arrival);
    if here.len() < needed {
        block.waiting.push(arrival);
        warp::settle(interp, lane)?;
        return Err(interp.wait(Awaited::Grid, "the other threads of its block at a barrier", None));
    }
    block.waiting.retain(|w| w.barrier != barrier);
    let known: Vec<usize> = here.iter().map(|w| w.thread).collect();
    let known = actors(interp, &known);
    if let Some(races) = interp.memory.races() {
        if orders {
            races.meet(&known);
        } else {
            races.meet_between_fences(&known);
        }
    }
    interp.threads.synchronised();
    let set = here.iter().filter(|w| w.value.lo & 0xffff_ffff != 0).count();
    let result = match how {
        Combine::Nothing => 0,
        Combine::Count => set,
        Combine::And => usize::from(set == here.len()),
        Combine::Or => usize::from(set > 0),
    };
    let result = Scalar::i32(result as i32);
    for other in here.iter().filter(|w| w.thread != thread) {
        pass(interp, other.thread, result);
    }
    result_of(how, result)
}

fn result_of<S: Default>(how: Combine, result: Scalar) -> Res<Value<S>> {
    Ok(match how {
        Combine::Nothing => Value::void(),
        Combine::Count | Combine::And | Combine::Or => Value::scalar(result),
    })
}

fn name<M: Machine>(interp: &Interp<'_, M>, thread: usize) -> String {
    interp.runtime.gpu.lane_name(thread).unwrap_or_else(|| format!("thread {thread}"))
}

/// The fault of a barrier that a thread which has returned will never reach.
fn missed<M: Machine>(interp: &mut Interp<'_, M>, lane: Lane, waits: Arrival, gone: u32) -> Box<Fault> {
    let Ok((_, grid)) = super::my_grid(interp) else { return Fault::bug("a barrier outside of a grid") };
    let index = index_in(grid.geometry.block, u64::from(gone));
    let gone = crate::grid::lane_name(grid.geometry.block_index(lane.block), index);
    let waits = name(interp, waits.thread);
    let text = format!("barrier divergence: {waits} waits at a barrier that {gone} never reaches: it has returned");
    Fault::ub(UbKind::Divergence, text)
}

/// A thread has returned: does anybody of its block wait for it?
pub fn returned<M: Machine>(interp: &mut Interp<'_, M>, lane: Lane) -> Res {
    let block = interp.runtime.gpu.block(lane)?;
    let Some(waits) = block.waiting.iter().find(|w| w.barrier.1 == 0).copied() else { return Ok(()) };
    let fault = missed(interp, lane, waits, lane.number);
    // The report's stack is that of the thread that waits.
    interp.switch_to(waits.thread);
    interp.pc += 1;
    Err(fault)
}
