//! Barriers. A thread that waits at one executes tasks; nobody leaves before all have arrived and no task is left
//! (OpenMP 5.2, 15.3.1).
//!
//! Each round publishes under a name of its own, as in [`crate::shims::pthread`].

use super::{Out, key, me, my_team, publish, take, tasks};
use crate::machine::Machine;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Progress};
use crate::value::{Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_barrier" => |i, _| {
            meet(i, 0)?;
            *i.progress() = None;
            Ok(Value::void())
        },
        // Nothing is cancelled: 0.
        "__kmpc_cancel_barrier" => |i, _| {
            meet(i, 0)?;
            *i.progress() = None;
            Ok(Value::i32(0))
        },
        "__kmpc_copyprivate" => copy_private,
        _ => return None,
    })
}

/// What a round of a team's barrier is published under.
fn round_key(team: usize, round: u64) -> crate::races::Key {
    key(1, (team as u64) << 1 | round & 1)
}

/// Meets the team at the barrier that is number `phase` of this call; errors until all have met.
pub fn meet<M: Machine>(interp: &mut Interp<'_, M>, phase: u8) -> Res {
    // The teams of a league do not wait for each other.
    if my_team(interp).league {
        return Ok(());
    }
    let round = match *interp.progress() {
        Some(Progress::Met(met)) if met > phase => return Ok(()),
        Some(Progress::Meeting { phase: other, .. }) if other > phase => return Ok(()),
        Some(Progress::Meeting { phase: other, round }) if other == phase => {
            tasks::finish_returned(interp)?;
            round
        }
        _ => {
            let id = me(interp).team;
            let team = my_team(interp);
            team.arrived += 1;
            let (first, round) = (team.arrived == 1, team.round);
            if first && let Some(races) = interp.memory.races() {
                races.clear(round_key(id, round));
            }
            publish(interp, round_key(id, round));
            *interp.progress() = Some(Progress::Meeting { phase, round });
            round
        }
    };
    let id = me(interp).team;
    let team = my_team(interp);
    let all = team.threads.len();
    if team.round == round {
        if team.arrived < all || team.unfinished > 0 {
            if let Some(task) = tasks::next(interp, None) {
                return Err(tasks::begin(interp, task)?);
            }
            return Err(interp.wait(Awaited::Team(id), "the other threads of its team at a barrier", None));
        }
        team.round += 1;
        team.arrived = 0;
        // What all tasks did is known to who leaves the barrier.
        tasks::learn_all(interp);
        publish(interp, round_key(id, round));
        interp.threads.wake(Awaited::Team(id));
    }
    take(interp, round_key(id, round));
    *interp.progress() = Some(Progress::Met(phase + 1));
    Ok(())
}

/// `copyprivate`: all copy from the thread that executed the `single` region.
fn copy_private<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (data, function, mine): (Pointer, Pointer, bool) = (call.ptr(3)?, call.ptr(4)?, call.int(5)? != 0);
    if mine {
        my_team(interp).copy = data;
    }
    meet(interp, 0)?;
    if !mine && *interp.progress() == Some(Progress::Met(1)) {
        let from = my_team(interp).copy;
        *interp.progress() = Some(Progress::Met(2));
        return Err(interp.call_first(function, &[Value::ptr(data), Value::scalar(Scalar::ptr(from))]));
    }
    meet(interp, 2)?;
    *interp.progress() = None;
    Ok(Value::void())
}
