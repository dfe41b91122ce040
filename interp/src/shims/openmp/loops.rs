//! Work-sharing loops (OpenMP 5.2, 11.5): static schedules are computed, others hand out chunks as threads ask for
//! them.
//!
//! Iterations are numbered from 0; bounds are inclusive, as in libomp's interface. Schedule kinds are those of `kmp.h`:
//! 33 static with a chunk, 34 static, 35 dynamic, 36 guided, 37 as `omp_set_schedule` says, 38 auto; 32 more with
//! `ordered`; 91 and 92 the same as 33 and 34 among the teams of a league (`distribute`).

use super::state::{Loop, Share};
use super::{Out, key, me, misuse, my_team, out, place_in_league, place_in_team, publish, take};
use crate::machine::Machine;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Awaited;
use crate::value::{Leaf, Pointer, Scalar, Value};

const STATIC_CHUNKED: u32 = 33;
const DISTRIBUTE_CHUNKED: u32 = 91;
const DISTRIBUTE: u32 = 92;
const STATIC: u32 = 34;
const DYNAMIC: u32 = 35;
const GUIDED: u32 = 36;
const RUNTIME: u32 = 37;
const AUTO: u32 = 38;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_for_static_init_4" => |i, c| static_init(i, c, 32, true),
        "__kmpc_for_static_init_4u" => |i, c| static_init(i, c, 32, false),
        "__kmpc_for_static_init_8" => |i, c| static_init(i, c, 64, true),
        "__kmpc_for_static_init_8u" => |i, c| static_init(i, c, 64, false),
        "__kmpc_for_static_fini" | "__kmpc_dispatch_deinit" => |_, _| Ok(Value::void()),
        "__kmpc_dispatch_init_4" => |i, c| dispatch_init(i, c, 32, true),
        "__kmpc_dispatch_init_4u" => |i, c| dispatch_init(i, c, 32, false),
        "__kmpc_dispatch_init_8" => |i, c| dispatch_init(i, c, 64, true),
        "__kmpc_dispatch_init_8u" => |i, c| dispatch_init(i, c, 64, false),
        "__kmpc_dispatch_next_4" | "__kmpc_dispatch_next_4u" | "__kmpc_dispatch_next_8" | "__kmpc_dispatch_next_8u" => {
            dispatch_next
        }
        "__kmpc_dispatch_fini_4" | "__kmpc_dispatch_fini_4u" | "__kmpc_dispatch_fini_8" | "__kmpc_dispatch_fini_8u" => {
            |i, _| {
                if !me(i).share.passed {
                    ordered(i)?;
                    end_ordered(i);
                }
                let share = &mut me(i).share;
                share.at += 1;
                share.passed = false;
                Ok(Value::void())
            }
        }
        "__kmpc_ordered" => |i, _| {
            ordered(i)?;
            Ok(Value::void())
        },
        "__kmpc_end_ordered" => |i, _| {
            end_ordered(i);
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// A bound as a signed number wide enough.
fn bound<M: Machine>(interp: &Interp<'_, M>, at: Pointer, width: u8, signed: bool) -> Res<i64> {
    let value = interp.memory.load(at, Leaf::Int(width), u64::from(width / 8))?.lo;
    Ok(widen(value, width, signed))
}

fn widen(value: u64, width: u8, signed: bool) -> i64 {
    if width == 32 && signed { i64::from(value as i32) } else { value as i64 }
}

fn set<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, width: u8, value: i64) -> Res {
    if at.is_null() {
        return Ok(());
    }
    let value = value as u64 & crate::value::mask64(width);
    interp.memory.store(at, Leaf::Int(width), Scalar::word(value), u64::from(width / 8))
}

/// Iterations from `lower` to `upper` inclusive.
fn trip_count(lower: i64, upper: i64, step: i64, signed: bool) -> Res<u64> {
    if step == 0 {
        return Err(misuse("a loop of step 0"));
    }
    let (l, u) = if signed {
        (i128::from(lower), i128::from(upper))
    } else {
        (i128::from(lower as u64), i128::from(upper as u64))
    };
    let distance = if step > 0 { u - l } else { l - u };
    Ok(if distance < 0 { 0 } else { (distance / i128::from(step.unsigned_abs())) as u64 + 1 })
}

/// The iterations `[from, to)` that a thread gets when each gets one block.
fn block(trips: u64, threads: u64, number: u64) -> (u64, u64) {
    let (size, extra) = (trips / threads, trips % threads);
    let from = number * size + number.min(extra);
    (from, from + size + u64::from(number < extra))
}

fn static_init<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    width: u8,
    signed: bool,
) -> Out<M> {
    let kind = call.uint(2)? as u32 & 0xffff;
    let (last, lower, upper, stride) = (out(call, 3)?, out(call, 4)?, out(call, 5)?, out(call, 6)?);
    let step = call.int(7)?;
    let chunk = call.int(8)?.max(1) as u64;
    let (first, end) = (bound(interp, lower, width, signed)?, bound(interp, upper, width, signed)?);
    let trips = trip_count(first, end, step, signed)?;
    let among_teams = matches!(kind, DISTRIBUTE_CHUNKED | DISTRIBUTE);
    let (number, threads) = if among_teams { place_in_league(interp) } else { place_in_team(interp) };
    let (number, threads) = (number as u64, threads as u64);
    let chunked = matches!(kind, STATIC_CHUNKED | DISTRIBUTE_CHUNKED);
    let at = |iteration: u64| first.wrapping_add((iteration as i64).wrapping_mul(step));
    // With a chunk: the first chunk, and the distance to the next one. Without: all of it.
    let (from, to, distance) = if chunked {
        let from = number * chunk;
        (from, from + chunk, (chunk * threads) as i64)
    } else {
        let (from, to) = block(trips, threads, number);
        (from, to, trips.max(1) as i64)
    };
    let is_last = if chunked {
        trips > 0 && (trips - 1) / chunk % threads == number
    } else {
        trips > 0 && from < to && to == trips
    };
    set(interp, last, 32, i64::from(is_last))?;
    set(interp, lower, width, at(from))?;
    // An empty share ends before it begins.
    set(interp, upper, width, at(to).wrapping_sub(step))?;
    set(interp, stride, width, step.wrapping_mul(distance))?;
    Ok(Value::void())
}

fn dispatch_init<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    width: u8,
    signed: bool,
) -> Out<M> {
    let mut kind = call.uint(2)? as u32 & 0xffff;
    if kind >= 64 {
        kind -= 32;
    }
    let (first, end) = (widen(call.uint(3)?, width, signed), widen(call.uint(4)?, width, signed));
    let (step, mut chunk) = (call.int(5)?, call.int(6)?);
    if kind == RUNTIME {
        // `omp_sched_t`: 1 static, 2 dynamic, 3 guided, 4 auto.
        let (set, size) = interp.runtime.openmp.controls.schedule;
        chunk = size;
        kind = match set & 0xff {
            2 => DYNAMIC,
            3 => GUIDED,
            1 if size > 0 => STATIC_CHUNKED,
            _ => STATIC,
        };
    }
    if kind == AUTO {
        kind = STATIC;
    }
    let trips = trip_count(first, end, step, signed)?;
    let member = me(interp);
    member.loops += 1;
    let number = member.loops;
    member.share = Share { number, kind, chunk: chunk.max(1) as u64, first, step, trips, width, ..Share::default() };
    my_team(interp).loops.entry(number).or_insert_with(|| Loop { trips, ..Loop::default() });
    Ok(Value::void())
}

/// The next chunk: 1 with its bounds, or 0.
fn dispatch_next<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let member = me(interp);
    let (share, number) = (member.share.clone(), member.number as u64);
    let team = my_team(interp);
    let threads = team.threads.len() as u64;
    let Some(shared) = team.loops.get_mut(&share.number) else {
        return Err(misuse("a chunk of a loop that has not begun, or is over"));
    };
    let (from, to) = match share.kind {
        STATIC if share.taken > 0 => (0, 0),
        STATIC => block(share.trips, threads, number),
        STATIC_CHUNKED => {
            let from = (share.taken * threads + number) * share.chunk;
            (from, (from + share.chunk).min(share.trips))
        }
        kind => {
            let rest = shared.trips - shared.next;
            let size = if kind == GUIDED { (rest / (2 * threads)).max(share.chunk) } else { share.chunk };
            let from = shared.next;
            shared.next += size.min(rest);
            (from, shared.next)
        }
    };
    if from >= to {
        shared.finished += 1;
        if shared.finished as u64 == threads {
            team.loops.remove(&share.number);
        }
        return Ok(Value::i32(0));
    }
    let member = &mut me(interp).share;
    member.taken += 1;
    member.at = from;
    member.passed = false;
    let at = |iteration: u64| share.first.wrapping_add((iteration as i64).wrapping_mul(share.step));
    set(interp, out(call, 2)?, 32, i64::from(to == share.trips))?;
    set(interp, out(call, 3)?, share.width, at(from))?;
    set(interp, out(call, 4)?, share.width, at(to - 1))?;
    set(interp, out(call, 5)?, share.width, share.step)?;
    Ok(Value::i32(1))
}

/// Waits until all earlier iterations have been through their `ordered` region.
fn ordered<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    let member = me(interp);
    let (share, team) = (member.share.clone(), member.team);
    let Some(shared) = my_team(interp).loops.get(&share.number) else { return Ok(()) };
    if shared.turn != share.at {
        return Err(interp.wait(Awaited::Team(team), "its turn in an ordered region", None));
    }
    take(interp, key(2, (team as u64) << 32 | share.number));
    Ok(())
}

fn end_ordered<M: Machine>(interp: &mut Interp<'_, M>) {
    let member = me(interp);
    member.share.passed = true;
    let (number, team) = (member.share.number, member.team);
    publish(interp, key(2, (team as u64) << 32 | number));
    if let Some(shared) = my_team(interp).loops.get_mut(&number) {
        shared.turn += 1;
    }
    interp.threads.wake(Awaited::Team(team));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_iterations_once() {
        for (trips, threads) in [(0, 4), (1, 4), (10, 3), (100, 7), (4, 4)] {
            let mut seen = vec![0; trips as usize];
            for number in 0..threads {
                let (from, to) = block(trips, threads, number);
                seen[from as usize..to as usize].iter_mut().for_each(|n| *n += 1);
            }
            assert!(seen.iter().all(|n| *n == 1), "{trips} iterations, {threads} threads: {seen:?}");
        }
    }

    #[test]
    fn iterations_are_counted_in_both_directions() {
        assert_eq!(trip_count(0, 9, 1, true).ok(), Some(10));
        assert_eq!(trip_count(0, 9, 4, true).ok(), Some(3));
        assert_eq!(trip_count(9, 0, -3, true).ok(), Some(4));
        assert_eq!(trip_count(1, 0, 1, true).ok(), Some(0));
        assert!(trip_count(0, 1, 0, true).is_err());
    }
}
