//! Loops whose iterations wait for each other: `ordered(n)` with `depend(sink: …)` and `depend(source)` (OpenMP 5.2,
//! 15.9.6).
//!
//! Iterations are vectors of the numbers that clang gives them, one for each loop of the nest. An iteration that is
//! outside of the loop is waited for by nobody. What `source` publishes is taken by those whose `sink` names that
//! iteration, and by no others.

use super::state::Doacross;
use super::{Out, key, me, misuse, my_team, publish, take};
use crate::machine::Machine;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Awaited;
use crate::value::{Leaf, Value};

/// Bytes of a `kmp_dim`: lower bound, upper bound, stride.
const DIMENSION: i64 = 24;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_doacross_init" => init,
        "__kmpc_doacross_wait" => wait,
        "__kmpc_doacross_post" => post,
        "__kmpc_doacross_fini" => |i, _| {
            let number = me(i).doacross;
            let team = my_team(i);
            let threads = team.threads.len();
            if let Some(nest) = team.doacross.get_mut(&number) {
                nest.finished += 1;
                if nest.finished == threads {
                    team.doacross.remove(&number);
                }
            }
            Ok(Value::void())
        },
        _ => return None,
    })
}

fn words<M: Machine>(interp: &Interp<'_, M>, at: crate::value::Pointer, stride: i64, n: usize) -> Res<Vec<i64>> {
    let word = |i: usize| interp.memory.load(at.offset(i as i64 * stride), Leaf::Int(64), 8).map(|w| w.lo as i64);
    (0..n).map(word).collect()
}

fn init<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (n, at) = (call.uint(2)? as usize, call.ptr(3)?);
    let first = words(interp, at, DIMENSION, n)?;
    let last = words(interp, at.offset(8), DIMENSION, n)?;
    let member = me(interp);
    member.doacross += 1;
    let number = member.doacross;
    let bounds = first.into_iter().zip(last).collect();
    my_team(interp).doacross.entry(number).or_insert_with(|| Doacross { bounds, ..Doacross::default() });
    Ok(Value::void())
}

/// The iteration that a call names; none if it is outside of the loop.
fn iteration<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Option<Vec<i64>>> {
    let number = me(interp).doacross;
    let Some(nest) = my_team(interp).doacross.get(&number) else {
        return Err(misuse("an iteration of an ordered loop that has not begun, or is over"));
    };
    let bounds = nest.bounds.clone();
    let vector = words(interp, call.ptr(2)?, 8, bounds.len())?;
    let inside = vector.iter().zip(&bounds).all(|(at, (first, last))| (first..=last).contains(&at));
    Ok(inside.then_some(vector))
}

fn wait<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let Some(vector) = iteration(interp, call)? else { return Ok(Value::void()) };
    let (number, team) = (me(interp).doacross, me(interp).team);
    let name = my_team(interp).doacross.get(&number).and_then(|nest| nest.done.get(&vector)).copied();
    match name {
        Some(name) => {
            take(interp, key(5, name));
            Ok(Value::void())
        }
        None => Err(interp.wait(Awaited::Team(team), "an earlier iteration of an ordered loop", None)),
    }
}

fn post<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let Some(vector) = iteration(interp, call)? else { return Ok(Value::void()) };
    interp.runtime.openmp.posts += 1;
    let name = interp.runtime.openmp.posts;
    publish(interp, key(5, name));
    let (number, team) = (me(interp).doacross, me(interp).team);
    if let Some(nest) = my_team(interp).doacross.get_mut(&number) {
        nest.done.insert(vector, name);
    }
    interp.threads.wake(Awaited::Team(team));
    interp.threads.synchronised();
    Ok(Value::void())
}
