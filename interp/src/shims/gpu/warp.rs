//! Lanes of a warp: shuffles, votes, matches, reductions, and waiting for each other (PTX ISA, `shfl.sync`,
//! `vote.sync`, `match.sync`, `redux.sync`, `bar.warp.sync`; AMDGPU's `ballot`, `readfirstlane`, `readlane`,
//! `ds.bpermute`).
//!
//! An operation with a mask waits for the lanes of the mask that have not returned. They must name the same mask in the
//! same operation; of these only `bar.warp.sync` orders memory. An operation without a mask is for the lanes that
//! execute it together: here, those that wait at the same instruction when no lane of the wavefront can go on
//! otherwise.

use super::state::{Block, Direction, Lane, Reduction, Waiting, Work};
use super::{Out, Shim, ShimCall, actors, me, pass, passed};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::threads::Awaited;
use crate::value::{Leaf, Scalar, Value};

/// Operations of NVPTX.
pub fn nvvm<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "bar.warp.sync" => |i, c| together(i, c, Work::Sync),
        "shfl.sync.idx.i32" | "shfl.sync.idx.f32" | "shfl.sync.idx.i32p" | "shfl.sync.idx.f32p" => {
            |i, c| together(i, c, Work::Shuffle(Direction::Index))
        }
        "shfl.sync.up.i32" | "shfl.sync.up.f32" | "shfl.sync.up.i32p" | "shfl.sync.up.f32p" => {
            |i, c| together(i, c, Work::Shuffle(Direction::Up))
        }
        "shfl.sync.down.i32" | "shfl.sync.down.f32" | "shfl.sync.down.i32p" | "shfl.sync.down.f32p" => {
            |i, c| together(i, c, Work::Shuffle(Direction::Down))
        }
        "shfl.sync.bfly.i32" | "shfl.sync.bfly.f32" | "shfl.sync.bfly.i32p" | "shfl.sync.bfly.f32p" => {
            |i, c| together(i, c, Work::Shuffle(Direction::Butterfly))
        }
        "vote.all.sync" => |i, c| together(i, c, Work::All),
        "vote.any.sync" => |i, c| together(i, c, Work::Any),
        "vote.uni.sync" => |i, c| together(i, c, Work::Uniform),
        "vote.ballot.sync" => |i, c| together(i, c, Work::Ballot),
        "match.any.sync.i32" | "match.any.sync.i64" => |i, c| together(i, c, Work::MatchAny),
        "match.all.sync.i32p" | "match.all.sync.i64p" => |i, c| together(i, c, Work::MatchAll),
        "redux.sync.add" => |i, c| together(i, c, Work::Reduce(Reduction::Add)),
        "redux.sync.min" => |i, c| together(i, c, Work::Reduce(Reduction::Min)),
        "redux.sync.max" => |i, c| together(i, c, Work::Reduce(Reduction::Max)),
        "redux.sync.umin" => |i, c| together(i, c, Work::Reduce(Reduction::UMin)),
        "redux.sync.umax" => |i, c| together(i, c, Work::Reduce(Reduction::UMax)),
        "redux.sync.and" => |i, c| together(i, c, Work::Reduce(Reduction::And)),
        "redux.sync.or" => |i, c| together(i, c, Work::Reduce(Reduction::Or)),
        "redux.sync.xor" => |i, c| together(i, c, Work::Reduce(Reduction::Xor)),
        _ => return None,
    })
}

/// `__adj_shfl_sync_HOW_f64`: a shuffle of doubles, which a device moves in two halves (CUDA C++ Programming Guide,
/// "Warp Shuffle Functions").
pub fn of_doubles<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name.strip_prefix(OF_DOUBLES)?.strip_suffix("_f64")? {
        "idx" => |i, c| together(i, c, Work::Shuffle(Direction::Index)),
        "up" => |i, c| together(i, c, Work::Shuffle(Direction::Up)),
        "down" => |i, c| together(i, c, Work::Shuffle(Direction::Down)),
        "bfly" => |i, c| together(i, c, Work::Shuffle(Direction::Butterfly)),
        _ => return None,
    })
}

const OF_DOUBLES: &str = "__adj_shfl_sync_";

/// Those of AMDGPU.
pub fn amdgcn<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "ballot.i32" | "ballot.i64" => |i, c| together(i, c, Work::Ballot),
        "readfirstlane" | "readfirstlane.i32" => |i, c| together(i, c, Work::First),
        "readlane" | "readlane.i32" => |i, c| together(i, c, Work::ReadLane),
        "ds.bpermute" => |i, c| together(i, c, Work::Permute),
        "wave.barrier" => |i, c| together(i, c, Work::Sync),
        _ => return None,
    })
}

/// The lane's number in its warp.
fn place(number: u32, warp: u32) -> u32 {
    number % warp
}

/// Where the operands of a call stand: a mask first, but not in AMDGPU's.
fn arrival<M: Machine>(
    interp: &Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    work: Work,
    number: u32,
) -> Res<Waiting> {
    let name = &interp.program.module.functions[call.func].name;
    let masked = name.starts_with("llvm.nvvm.") || name.starts_with(OF_DOUBLES);
    let word = |index: usize| call.uint(index);
    let mut waiting = Waiting {
        thread: interp.threads.current,
        number,
        at: call.at,
        work,
        mask: None,
        value: Scalar::i32(0),
        b: 0,
        c: 0,
    };
    if masked && let Work::Reduce(_) = work {
        // The value comes first here.
        (waiting.value, waiting.mask) = (call.leaf(0)?, Some(word(1)?));
        return Ok(waiting);
    }
    if masked {
        waiting.mask = Some(word(0)?);
    }
    let first = usize::from(masked);
    match work {
        Work::Sync => {}
        // A value may be undefined: who takes it has it.
        Work::Shuffle(_) => {
            waiting.value = call.args.get(first).copied().unwrap_or(Scalar::POISON);
            (waiting.b, waiting.c) = (word(first + 1)?, word(first + 2)?);
        }
        Work::Permute => (waiting.b, waiting.value) = (word(0)?, call.args.get(1).copied().unwrap_or(Scalar::POISON)),
        Work::ReadLane => (waiting.value, waiting.b) = (call.args[0], word(1)?),
        Work::First => waiting.value = call.args.first().copied().unwrap_or(Scalar::POISON),
        _ => waiting.value = call.leaf(first)?,
    }
    Ok(waiting)
}

/// The argument that a lane hands to others.
fn value_at(work: Work, masked: bool) -> usize {
    match work {
        Work::Permute => 1,
        _ => usize::from(masked),
    }
}

/// A call of an operation that lanes do together.
fn together<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, work: Work) -> Out<M> {
    if let Some(result) = passed(interp) {
        let handed = interp.handed.remove(&interp.threads.current).unwrap_or_default();
        return Ok(value_of(call.result, result, handed));
    }
    let lane = me(interp)?;
    let mine = arrival(interp, call, work, lane.number)?;
    if let Some(shadow) = call.shadows.get(value_at(work, mine.mask.is_some())) {
        interp.handed.insert(mine.thread, shadow.clone());
    }
    let warp = interp.runtime.gpu.grid(lane.grid)?.warp;
    if let Some(mask) = mine.mask {
        if mask >> place(lane.number, warp) & 1 == 0 {
            return Err(Fault::ub(
                UbKind::Divergence,
                format!("a lane is not in the mask {mask:#x} of its own operation"),
            ));
        }
        let block = interp.runtime.gpu.block(lane)?;
        let mut others = block.lanes.iter().filter(|w| w.number / warp == lane.number / warp);
        let other = others.find(|w| {
            w.mask.is_some_and(|theirs| {
                let meets = theirs >> place(lane.number, warp) & 1 == 1 || mask >> place(w.number, warp) & 1 == 1;
                meets && (theirs != mask || w.work != work)
            })
        });
        if let Some(other) = other.copied() {
            let theirs = interp.runtime.gpu.lane_name(other.thread).unwrap_or_default();
            let text = format!(
                "lanes of a warp wait for each other in different operations, or with different masks: {theirs} in \
                 another"
            );
            return Err(Fault::ub(UbKind::Divergence, text).note(format!("{theirs} waits here"), Some(other.at)));
        }
    }
    interp.runtime.gpu.block(lane)?.lanes.push(mine);
    let what = "other lanes of its warp";
    let waits = interp.wait(Awaited::Grid, what, None);
    meet(interp, lane)?;
    settle(interp, lane)?;
    Err(waits)
}

/// The result of an operation, of the shape that the call has.
fn value_of<S: Default>(shape: &[Leaf], result: Scalar, shadow: S) -> Value<S> {
    let value = if result.is_init() { Scalar { hi: 0, ..result } } else { result };
    let predicate = Scalar::bool(result.is_init() && result.hi & 1 == 1);
    let leaves = [(value, shadow), (predicate, S::default())].into_iter().take(shape.len());
    Value { leaves: leaves.collect() }
}

/// Lets the lanes of a warp go on that wait with a mask all of whose lanes are there.
fn meet<M: Machine>(interp: &mut Interp<'_, M>, lane: Lane) -> Res {
    let warp = interp.runtime.gpu.grid(lane.grid)?.warp;
    loop {
        let block = interp.runtime.gpu.block(lane)?;
        let of_warp = |w: &&Waiting| w.number / warp == lane.number / warp && w.mask.is_some();
        let complete = block.lanes.iter().filter(of_warp).find(|w| {
            let group = |o: &Waiting| o.number / warp == w.number / warp && o.mask == w.mask && o.work == w.work;
            let there = block.lanes.iter().filter(|o| group(o)).fold(0u64, |m, o| m | 1 << place(o.number, warp));
            let wanted = w.mask.unwrap_or(0) & alive(block, w.number, warp);
            wanted & !there == 0
        });
        let Some(first) = complete.copied() else { return Ok(()) };
        release(interp, lane, warp, |w| w.mask == first.mask && w.work == first.work)?;
    }
}

/// The lanes of a warp that have not returned.
fn alive(block: &Block, number: u32, warp: u32) -> u64 {
    let first = number / warp * warp;
    let last = (first + warp).min(block.threads.len() as u32);
    (first..last).filter(|n| block.threads[*n as usize].is_some()).fold(0, |mask, n| mask | 1 << (n - first))
}

/// Operations without a mask: when all lanes of a wavefront wait, those that wait together go on.
pub fn settle<M: Machine>(interp: &mut Interp<'_, M>, lane: Lane) -> Res {
    let warp = interp.runtime.gpu.grid(lane.grid)?.warp;
    let block = interp.runtime.gpu.block(lane)?;
    let of_warp = |number: u32| number / warp == lane.number / warp;
    let Some(first) =
        block.lanes.iter().filter(|w| of_warp(w.number) && w.mask.is_none()).min_by_key(|w| w.number).copied()
    else {
        return Ok(());
    };
    let at_barrier = block.waiting.iter().map(|w| w.number);
    let waiting = block.lanes.iter().map(|w| w.number).chain(at_barrier).filter(|n| of_warp(*n));
    let waiting = waiting.fold(0u64, |mask, n| mask | 1 << place(n, warp));
    if alive(block, lane.number, warp) & !waiting != 0 {
        return Ok(());
    }
    release(interp, lane, warp, |w| w.mask.is_none() && w.at == first.at)
}

/// Lets a group of lanes go on with their results.
fn release<M: Machine>(interp: &mut Interp<'_, M>, lane: Lane, warp: u32, chosen: impl Fn(&Waiting) -> bool) -> Res {
    let block = interp.runtime.gpu.block(lane)?;
    let mut group = Vec::new();
    block.lanes.retain(|w| {
        let goes = w.number / warp == lane.number / warp && chosen(w);
        if goes {
            group.push(*w);
        }
        !goes
    });
    group.sort_by_key(|w| w.number);
    if group.first().is_some_and(|w| w.work == Work::Sync && w.mask.is_some()) {
        let threads: Vec<usize> = group.iter().map(|w| w.thread).collect();
        let actors = actors(interp, &threads);
        if let Some(races) = interp.memory.races() {
            races.meet(&actors);
        }
        interp.threads.synchronised();
    }
    let shadow = |one: &Waiting| {
        let from = giver(&group, one, warp).and_then(|from| interp.handed.get(&from.thread));
        (one.thread, from.cloned().unwrap_or_default())
    };
    let handed: Vec<(usize, M::Shadow)> = group.iter().map(shadow).collect();
    interp.handed.extend(handed);
    for one in &group {
        pass(interp, one.thread, result(&group, one, warp));
    }
    Ok(())
}

/// The lane whose value one of a group gets, if it gets one as it is.
fn giver<'w>(group: &'w [Waiting], me: &Waiting, warp: u32) -> Option<&'w Waiting> {
    let lane = |w: &Waiting| place(w.number, warp);
    let of_lane = |wanted: u32| group.iter().find(|w| lane(w) == wanted);
    match me.work {
        Work::First => group.first(),
        Work::ReadLane => of_lane(me.b as u32 % warp),
        Work::Permute => of_lane((me.b / 4) as u32 % warp),
        Work::Shuffle(direction) => of_lane(source(direction, lane(me), me.b as u32, me.c as u32).0),
        _ => None,
    }
}

/// What one lane of a group gets; a predicate that belongs to it stands in the high word.
fn result(group: &[Waiting], me: &Waiting, warp: u32) -> Scalar {
    let lane = |w: &Waiting| place(w.number, warp);
    let set = |w: &&Waiting| w.value.lo & 1 == 1;
    let bits = |keep: &dyn Fn(&&Waiting) -> bool| group.iter().filter(keep).fold(0u64, |mask, w| mask | 1 << lane(w));
    let undefined = Scalar { lo: 0, hi: 0xffff_ffff, tag: crate::value::Tag::Undef };
    match me.work {
        Work::Sync => Scalar::i32(0),
        Work::All => Scalar::bool(group.iter().all(|w| set(&w))),
        Work::Any => Scalar::bool(group.iter().any(|w| set(&w))),
        Work::Uniform => Scalar::bool(group.iter().all(|w| set(&w)) || !group.iter().any(|w| set(&w))),
        Work::Ballot => Scalar::word(bits(&set)),
        Work::MatchAny => Scalar::word(bits(&|w| w.value.lo == me.value.lo)),
        Work::MatchAll => {
            let same = group.iter().all(|w| w.value.lo == me.value.lo);
            Scalar { hi: u64::from(same), ..Scalar::word(if same { bits(&|_| true) } else { 0 }) }
        }
        Work::First | Work::ReadLane | Work::Permute => giver(group, me, warp).map_or(undefined, |w| w.value),
        Work::Shuffle(direction) => {
            let (_, inside) = source(direction, lane(me), me.b as u32, me.c as u32);
            let value = giver(group, me, warp).map_or(undefined, |w| w.value);
            if value.is_init() { Scalar { hi: u64::from(inside), ..value } } else { value }
        }
        Work::Reduce(how) => {
            let values = group.iter().map(|w| w.value.lo as u32);
            let reduced = values.reduce(|a, b| match how {
                Reduction::Add => a.wrapping_add(b),
                Reduction::Min => (a as i32).min(b as i32) as u32,
                Reduction::Max => (a as i32).max(b as i32) as u32,
                Reduction::UMin => a.min(b),
                Reduction::UMax => a.max(b),
                Reduction::And => a & b,
                Reduction::Or => a | b,
                Reduction::Xor => a ^ b,
            });
            Scalar::word(u64::from(reduced.unwrap_or(0)))
        }
    }
}

/// The lane that a shuffle takes from, and whether the wanted one was in range (PTX ISA, `shfl.sync`, "Semantics").
fn source(direction: Direction, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (segment, clamp, by) = (c >> 8 & 31, c & 31, b & 31);
    let most = lane & segment | clamp & !segment;
    let least = lane & segment;
    let (from, inside) = match direction {
        Direction::Up => (lane.wrapping_sub(by), lane >= by && lane - by >= most),
        Direction::Down => (lane + by, lane + by <= most),
        Direction::Butterfly => (lane ^ by, lane ^ by <= most),
        Direction::Index => {
            let from = least | by & !segment;
            (from, from <= most)
        }
    };
    if inside { (from, true) } else { (lane, false) }
}

/// A lane has returned: others may have waited for it alone.
pub fn returned<M: Machine>(interp: &mut Interp<'_, M>, lane: Lane) -> Res {
    meet(interp, lane)?;
    settle(interp, lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CUDA C++ Programming Guide, "Warp Shuffle Functions": of segments of `width` lanes, `c` being
    /// `(32 - width) << 8 | 31`, or `… | 0` for `up`.
    #[test]
    fn shuffles_take_from_the_lane_that_the_manual_names() {
        assert_eq!(source(Direction::Down, 3, 4, 31), (7, true));
        assert_eq!(source(Direction::Down, 30, 4, 31), (30, false));
        assert_eq!(source(Direction::Up, 3, 4, 0), (3, false));
        assert_eq!(source(Direction::Up, 9, 4, 0), (5, true));
        assert_eq!(source(Direction::Butterfly, 5, 16, 31), (21, true));
        assert_eq!(source(Direction::Index, 20, 3, 31), (3, true));
        let eight = 24 << 8 | 31;
        assert_eq!(source(Direction::Down, 6, 1, eight), (7, true));
        assert_eq!(source(Direction::Down, 7, 1, eight), (7, false));
        assert_eq!(source(Direction::Index, 20, 11, eight), (19, true));
        assert_eq!(source(Direction::Up, 8, 1, 24 << 8), (8, false));
    }
}
