//! Communicators: ranks, sizes, splitting, Cartesian grids (MPI 4.0, chapters 7 and 8).

use super::world::{Comm, Contribution, Signature};
use super::{NOBODY, Out, Shim, ShimCall, UNDEFINED, collective, flag, list, load, open, rank, store, world};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::value::{Pointer, Value};

/// `MPI_COMM_WORLD` is 1, `MPI_COMM_SELF` 2; the others follow. `MPI_COMM_NULL` is 0.
const OTHERS: i64 = 3;

/// The communicator of a handle.
pub fn index<M: Machine>(interp: &mut Interp<'_, M>, handle: i64) -> Res<usize> {
    let me = open(interp)?;
    let (mine, freed) = (me.rank, me.freed.contains(&handle));
    let world = world(interp)?;
    let index = match handle {
        1 => Some(0),
        2 => Some(1 + mine),
        other if other >= OTHERS && !freed => Some((other - OTHERS) as usize + 1 + world.size),
        _ => None,
    };
    let known = index.filter(|i| world.comms.get(*i).is_some_and(|c| c.members.contains(&mine)));
    known.ok_or_else(|| Fault::ub(UbKind::Library, format!("{handle} is no communicator of this rank")))
}

/// The running rank's number in a communicator.
pub fn place<M: Machine>(interp: &mut Interp<'_, M>, comm: usize) -> Res<usize> {
    let mine = rank(interp)?.rank;
    let place = world(interp)?.comms[comm].members.iter().position(|m| *m == mine);
    place.ok_or_else(|| Fault::bug("a communicator without the rank that uses it"))
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "Comm_rank" => |i, c| {
            let comm = index(i, c.int(0)?)?;
            let place = place(i, comm)?;
            flag(i, c.ptr(1)?, place as i64)
        },
        "Comm_size" => |i, c| {
            let comm = index(i, c.int(0)?)?;
            let size = world(i)?.comms[comm].members.len();
            flag(i, c.ptr(1)?, size as i64)
        },
        "Comm_split" => |i, c| {
            let (color, key) = (c.int(1)?, c.int(2)?);
            make(i, c, "MPI_Comm_split", (color, key), Vec::new(), c.ptr(3)?)
        },
        "Comm_dup" => |i, c| {
            let comm = index(i, c.int(0)?)?;
            let sides = world(i)?.comms[comm].sides.clone();
            make(i, c, "MPI_Comm_dup", (0, 0), sides, c.ptr(1)?)
        },
        "Comm_free" => |i, c| {
            let handle = load(i, c.ptr(0)?)?;
            index(i, handle)?;
            rank(i)?.freed.insert(handle);
            flag(i, c.ptr(0)?, 0)
        },
        "Cart_create" => |i, c| {
            let count = c.int(1)?.max(0) as usize;
            let (sides, closed) = (list(i, c.ptr(2)?, count)?, list(i, c.ptr(3)?, count)?);
            let sides: Vec<(i64, bool)> = sides.into_iter().zip(closed.into_iter().map(|c| c != 0)).collect();
            let cells: i64 = sides.iter().map(|(side, _)| *side).product();
            let comm = index(i, c.int(0)?)?;
            let size = world(i)?.comms[comm].members.len() as i64;
            if cells > size || sides.iter().any(|(side, _)| *side < 1) {
                return Err(Fault::ub(UbKind::Library, format!("a grid of {cells} ranks of {size}")));
            }
            let color = if (place(i, comm)? as i64) < cells { 0 } else { UNDEFINED };
            make(i, c, "MPI_Cart_create", (color, 0), sides, c.ptr(5)?)
        },
        "Cart_coords" => |i, c| {
            let sides = sides(i, c.int(0)?)?;
            for (n, value) in coordinates(&sides, c.int(1)?).into_iter().enumerate().take(c.int(2)?.max(0) as usize) {
                store(i, c.ptr(3)?.offset(4 * n as i64), value)?;
            }
            Ok(Value::i32(0))
        },
        "Cart_get" => |i, c| {
            let comm = index(i, c.int(0)?)?;
            let (sides, mine) = (sides(i, c.int(0)?)?, place(i, comm)? as i64);
            for (n, here) in coordinates(&sides, mine).into_iter().enumerate().take(c.int(1)?.max(0) as usize) {
                let at = 4 * n as i64;
                store(i, c.ptr(2)?.offset(at), sides[n].0)?;
                store(i, c.ptr(3)?.offset(at), i64::from(sides[n].1))?;
                store(i, c.ptr(4)?.offset(at), here)?;
            }
            Ok(Value::i32(0))
        },
        "Cart_sub" => |i, c| {
            let comm = index(i, c.int(0)?)?;
            let (sides, mine) = (sides(i, c.int(0)?)?, place(i, comm)? as i64);
            let kept = list(i, c.ptr(1)?, sides.len())?;
            // Those that agree in the coordinates that are dropped are together, in the order of the others.
            let (mut color, mut key, mut left) = (0, 0, Vec::new());
            for ((side, here), kept) in sides.iter().zip(coordinates(&sides, mine)).zip(kept) {
                if kept == 0 {
                    color = color * side.0 + here;
                } else {
                    key = key * side.0 + here;
                    left.push(*side);
                }
            }
            make(i, c, "MPI_Cart_sub", (color, key), left, c.ptr(2)?)
        },
        "Cart_rank" => |i, c| {
            let sides = sides(i, c.int(0)?)?;
            let at = list(i, c.ptr(1)?, sides.len())?;
            match cell(&sides, &at) {
                Some(rank) => flag(i, c.ptr(2)?, rank),
                None => Err(Fault::ub(UbKind::Library, "coordinates outside of a grid that is not closed")),
            }
        },
        "Cart_shift" => |i, c| {
            let comm = index(i, c.int(0)?)?;
            let (sides, mine) = (sides(i, c.int(0)?)?, place(i, comm)? as i64);
            let (axis, by) = (c.int(1)?, c.int(2)?);
            let here = coordinates(&sides, mine);
            if axis < 0 || axis as usize >= here.len() {
                return Err(Fault::ub(
                    UbKind::Library,
                    format!("a shift along axis {axis} of a grid with {}", here.len()),
                ));
            }
            let to = |by: i64| {
                let mut there = here.clone();
                there[axis as usize] += by;
                cell(&sides, &there).unwrap_or(NOBODY)
            };
            store(i, c.ptr(3)?, to(-by))?;
            flag(i, c.ptr(4)?, to(by))
        },
        "Dims_create" => |i, c| {
            let (mut left, count, at) = (c.int(0)?, c.int(1)?.max(0) as usize, c.ptr(2)?);
            let mut sides = list(i, at, count)?;
            left /= sides.iter().filter(|s| **s > 0).product::<i64>().max(1);
            let mut open = sides.iter().filter(|s| **s == 0).count() as u32;
            for side in sides.iter_mut().filter(|s| **s == 0) {
                // The smallest divisor that leaves the others no longer sides.
                let fits = |d: i64| left % d == 0 && d.pow(open) >= left;
                *side = (1..=left).find(|d| fits(*d)).unwrap_or(left);
                left /= *side;
                open -= 1;
            }
            for (n, side) in sides.into_iter().enumerate() {
                store(i, at.offset(4 * n as i64), side)?;
            }
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn sides<M: Machine>(interp: &mut Interp<'_, M>, handle: i64) -> Res<Vec<(i64, bool)>> {
    let comm = index(interp, handle)?;
    let sides = world(interp)?.comms[comm].sides.clone();
    if sides.is_empty() {
        Err(Fault::ub(UbKind::Library, "a communicator without a Cartesian grid"))
    } else {
        Ok(sides)
    }
}

/// Ranks are numbered row by row: the last coordinate runs fastest.
fn coordinates(sides: &[(i64, bool)], rank: i64) -> Vec<i64> {
    let (mut rest, mut out) = (rank, vec![0; sides.len()]);
    for (coordinate, (side, _)) in out.iter_mut().zip(sides).rev() {
        (*coordinate, rest) = (rest % side, rest / side);
    }
    out
}

fn cell(sides: &[(i64, bool)], at: &[i64]) -> Option<i64> {
    let mut rank = 0;
    for ((side, closed), coordinate) in sides.iter().zip(at) {
        let inside = if *closed { coordinate.rem_euclid(*side) } else { *coordinate };
        if !(0..*side).contains(&inside) {
            return None;
        }
        rank = rank * side + inside;
    }
    Some(rank)
}

/// Makes communicators of the ranks that bring the same colour, in the order of their keys.
fn make<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    name: &'static str,
    (color, key): (i64, i64),
    sides: Vec<(i64, bool)>,
    out: Pointer,
) -> Out<M> {
    let comm = index(interp, call.int(0)?)?;
    let signature = Signature { name, root: None, op: None, ty: None, bytes: None, begun: false };
    let part = || Ok(Contribution { numbers: vec![color, key], ..Contribution::default() });
    let (number, parts) = collective::all(interp, call, comm, signature, |_| part())?;
    let handle = if color == UNDEFINED {
        0
    } else {
        let mut world = world(interp)?;
        let made = world.complete(comm, number).and_then(|g| g.made.get(&color).copied());
        let index = match made {
            Some(index) => index,
            None => {
                let mut chosen: Vec<(i64, usize)> = parts
                    .iter()
                    .enumerate()
                    .filter(|(_, p)| p.numbers[0] == color)
                    .map(|(n, p)| (p.numbers[1], n))
                    .collect();
                chosen.sort();
                let members = chosen.iter().map(|(_, n)| world.comms[comm].members[*n]).collect();
                world.comms.push(Comm { members, sides });
                let index = world.comms.len() - 1;
                if let Some(gathering) = world.complete(comm, number) {
                    gathering.made.insert(color, index);
                }
                index
            }
        };
        (index - 1 - world.size) as i64 + OTHERS
    };
    collective::over(interp, comm, number)?;
    flag(interp, out, handle)
}
