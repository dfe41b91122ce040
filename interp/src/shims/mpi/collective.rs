//! Operations of all ranks of a communicator (MPI 4.0, chapter 6).
//!
//! Each is a meeting: all bring their part, wait until all are there, and take what is theirs. They must name the same
//! operation, root, type and reduction, in the same order. That everybody waits is allowed, though a program may not
//! rely on it.

use super::layout::Span;
use super::parcel::Parcel;
use super::types::{self, FIRST_OWN_OPERATION, Kind};
use super::world::{Contribution, Gathering, Signature};
use super::{IN_PLACE, Out, Shim, ShimCall, comm, datatype, handover, list, open, park, rank, reduce, world};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::memory::data::state;
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::shims::state::Interp;
use crate::threads::Progress;
use crate::value::{Pointer, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "Barrier" => |i, c| {
            let comm = communicator(i, c, 0)?;
            synchronise(i, c, "MPI_Barrier", comm)?;
            Ok(Value::i32(0))
        },
        "Bcast" => broadcast,
        "Reduce" => |i, c| reduction(i, c, "MPI_Reduce", Keep::Root(c.int(5)?), 6),
        "Allreduce" => |i, c| reduction(i, c, "MPI_Allreduce", Keep::All, 5),
        "Scan" => |i, c| reduction(i, c, "MPI_Scan", Keep::UpToMe, 5),
        "Exscan" => |i, c| reduction(i, c, "MPI_Exscan", Keep::BeforeMe, 5),
        "Reduce_scatter_block" => |i, c| reduction(i, c, "MPI_Reduce_scatter_block", Keep::MyBlock, 5),
        "Gather" => |i, c| gather(i, c, Shape { name: "MPI_Gather", root: Some(c.int(6)?), lists: false, comm: 7 }),
        "Gatherv" => |i, c| gather(i, c, Shape { name: "MPI_Gatherv", root: Some(c.int(7)?), lists: true, comm: 8 }),
        "Allgather" => |i, c| gather(i, c, Shape { name: "MPI_Allgather", root: None, lists: false, comm: 6 }),
        "Allgatherv" => |i, c| gather(i, c, Shape { name: "MPI_Allgatherv", root: None, lists: true, comm: 7 }),
        "Scatter" => |i, c| scatter(i, c, Shape { name: "MPI_Scatter", root: Some(c.int(6)?), lists: false, comm: 7 }),
        "Scatterv" => |i, c| scatter(i, c, Shape { name: "MPI_Scatterv", root: Some(c.int(7)?), lists: true, comm: 8 }),
        "Reduce_scatter" => |i, c| reduction(i, c, "MPI_Reduce_scatter", Keep::MyPart, 5),
        "Alltoall" => |i, c| all_to_all(i, c, "MPI_Alltoall", false),
        "Alltoallv" => |i, c| all_to_all(i, c, "MPI_Alltoallv", true),
        _ => return None,
    })
}

fn communicator<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, argument: usize) -> Res<usize> {
    let handle = call.int(argument)?;
    comm::index(interp, handle)
}

/// Meets all ranks of a communicator; the number of the meeting, and what each has brought. [`over`] ends it.
pub fn all<'p, M: Machine>(
    interp: &mut Interp<'p, M>,
    call: &ShimCall<'_, M::Shadow>,
    comm: usize,
    signature: Signature,
    part: impl FnOnce(&mut Interp<'p, M>) -> Res<Contribution>,
) -> Res<(u64, Vec<Contribution>)> {
    let number = match *interp.progress() {
        Some(Progress::Collective(number)) => number,
        _ => {
            let part = part(interp)?;
            let place = comm::place(interp, comm)?;
            let me = open(interp)?;
            let (mine, next) = (me.rank, me.collectives.entry(comm).or_insert(0));
            let number = *next;
            *next += 1;
            let begun = me.begins;
            let signature = Signature { begun, ..signature.clone() };
            let joined = world(interp)?.join((comm, number), signature.clone(), (mine, place, call.at), part);
            if let Err(theirs) = joined {
                return Err(mismatch(mine, &signature, &theirs));
            }
            *interp.progress() = Some(Progress::Collective(number));
            if begun {
                return Err(Fault::waits_for_ranks("those that begin the same operation"));
            }
            number
        }
    };
    let parts = world(interp)?.complete(comm, number).map(|g| g.parts.iter().flatten().cloned().collect());
    match parts {
        Some(parts) => Ok((number, parts)),
        None => Err(park(interp, format!("the other ranks in {}", signature.name))),
    }
}

/// The running rank leaves the meeting.
pub fn over<M: Machine>(interp: &mut Interp<'_, M>, comm: usize, number: u64) -> Res {
    *interp.progress() = None;
    world(interp)?.leave(comm, number);
    Ok(())
}

fn mismatch(mine: usize, ours: &Signature, theirs: &Gathering) -> Box<Fault> {
    let (them, at) = theirs.first;
    let other = &theirs.signature;
    let text = if ours.name != other.name {
        format!("rank {mine} calls {} where rank {them} calls {}", ours.name, other.name)
    } else if ours.begun != other.begun {
        let how = |s: &Signature| if s.begun { "only begins" } else { "waits in" };
        format!("rank {mine} {} {} where rank {them} {} it", how(ours), ours.name, how(other))
    } else if ours.root != other.root {
        let root = |s: &Signature| s.root.unwrap_or(0);
        format!("rank {mine} calls {} with root {}, rank {them} with root {}", ours.name, root(ours), root(other))
    } else if ours.ty != other.ty {
        let name = |s: &Signature| s.ty.map_or("none", types::name);
        format!("rank {mine} calls {} with {}, rank {them} with {}", ours.name, name(ours), name(other))
    } else if ours.op != other.op {
        format!("rank {mine} calls {} with another reduction than rank {them}", ours.name)
    } else {
        let bytes = |s: &Signature| s.bytes.unwrap_or(0);
        format!("rank {mine} calls {} with {} bytes, rank {them} with {}", ours.name, bytes(ours), bytes(other))
    };
    Fault::ub(UbKind::Collective, text).note(format!("rank {them} is here"), Some(at))
}

/// A meeting and nothing else.
pub fn synchronise<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    name: &'static str,
    comm: usize,
) -> Res {
    let signature = Signature { name, root: None, op: None, ty: None, bytes: None, begun: false };
    let (number, _) = all(interp, call, comm, signature, |_| Ok(Contribution::default()))?;
    over(interp, comm, number)
}

fn checked_root<M: Machine>(interp: &mut Interp<'_, M>, comm: usize, root: i64) -> Res {
    let size = world(interp)?.comms[comm].members.len() as i64;
    if (0..size).contains(&root) {
        return Ok(());
    }
    Err(Fault::ub(UbKind::Library, format!("the root {root} of a communicator of {size} ranks")))
}

fn broadcast<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let comm = communicator(interp, call, 4)?;
    let (span, root) = (datatype::span(interp, call.ptr(0)?, call.int(1)?, call.int(2)?)?, call.int(3)?);
    checked_root(interp, comm, root)?;
    let mine = comm::place(interp, comm)? as i64 == root;
    let (ty, bytes) = (Some(span.base), Some(span.bytes));
    let signature = Signature { name: "MPI_Bcast", root: Some(root), op: None, ty, bytes, begun: false };
    let (number, parts) = all(interp, call, comm, signature, |i| {
        let parcel = if mine { handover::take(i, &span, call.at)? } else { Parcel::default() };
        Ok(Contribution { parcel, ..Contribution::default() })
    })?;
    if !mine {
        world(interp)?.traffic.add(1, span.bytes);
        handover::put(interp, &span, &parts[root as usize].parcel, Some(call.at))?;
    }
    over(interp, comm, number)?;
    Ok(Value::i32(0))
}

/// What of a reduction a rank keeps.
#[derive(Clone, Copy)]
enum Keep {
    Root(i64),
    All,
    UpToMe,
    BeforeMe,
    MyBlock,
    /// The same, with the size of each part in a list.
    MyPart,
}

/// Reductions: send and receive buffer, count, type, operation, perhaps a root, communicator.
fn reduction<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    name: &'static str,
    keep: Keep,
    last: usize,
) -> Out<M> {
    let comm = communicator(interp, call, last)?;
    let (from, to, ty, op) = (call.ptr(0)?, call.ptr(1)?, datatype::basic(call.int(3)?)?, call.int(4)?);
    let (me, ranks) = (comm::place(interp, comm)?, world(interp)?.comms[comm].members.len());
    let counts = match keep {
        Keep::MyPart => list(interp, call.ptr(2)?, ranks)?,
        Keep::MyBlock => vec![call.int(2)?; ranks],
        _ => vec![call.int(2)?],
    };
    let mine = if counts.len() == ranks { me } else { 0 };
    let (count, whole) = (counts[mine], counts.iter().sum::<i64>());
    let before = datatype::span(interp, to, counts[..mine].iter().sum(), ty)?.bytes;
    let size = datatype::span(interp, to, count, ty)?.bytes;
    let all_bytes = datatype::span(interp, to, whole, ty)?.bytes;
    let root = match keep {
        Keep::Root(root) => Some(root),
        Keep::All | Keep::UpToMe | Keep::BeforeMe | Keep::MyBlock | Keep::MyPart => None,
    };
    if let Some(root) = root {
        checked_root(interp, comm, root)?;
    }
    let signature = Signature { name, root, op: Some(op), ty: Some(ty), bytes: Some(all_bytes), begun: false };
    let (number, parts) = all(interp, call, comm, signature, |i| {
        let from = if from.addr == IN_PLACE { to } else { from };
        let span = datatype::span(i, from, whole, ty)?;
        Ok(Contribution { parcel: operand(i, &span, call.at)?, ..Contribution::default() })
    })?;
    let chosen = match keep {
        Keep::Root(root) if root as usize != me => 0..0,
        Keep::Root(_) | Keep::All | Keep::MyBlock | Keep::MyPart => 0..ranks,
        Keep::UpToMe => 0..me + 1,
        Keep::BeforeMe => 0..me,
    };
    let others = ranks as u64 - 1;
    let messages = match keep {
        Keep::Root(root) if root as usize != me => 0,
        Keep::Root(_) | Keep::MyBlock | Keep::MyPart => others,
        // To one rank, and back from there.
        Keep::All => 2 * u64::from(me != 0),
        Keep::UpToMe | Keep::BeforeMe => u64::from(me != 0),
    };
    world(interp)?.traffic.add(messages, size);
    if let Some((first, rest)) = parts[chosen].split_first() {
        let mut sum = first.parcel.clone();
        for part in rest {
            sum = match op >= FIRST_OWN_OPERATION {
                true => own(interp, (op, ty), &sum, &part.parcel, call)?,
                false => reduce::reduce(&mut interp.machine, (op, ty), &sum, &part.parcel, call.at)?,
            };
        }
        if matches!(keep, Keep::MyBlock | Keep::MyPart) {
            sum = sum.part::<M::Shadow>(before, size);
        }
        let span = datatype::span(interp, to, count, ty)?;
        handover::put(interp, &span, &sum, Some(call.at))?;
    }
    over(interp, comm, number)?;
    Ok(Value::i32(0))
}

/// What a rank brings to a reduction. Between a number and the index behind it there may be padding, which has no
/// value.
fn operand<M: Machine>(interp: &mut Interp<'_, M>, span: &Span, at: Location) -> Res<Parcel> {
    let parcel = handover::take(interp, span, at)?;
    let size = types::size(span.base)? as usize;
    let used = if let Ok(Kind::WithIndex(_, width)) = types::kind(span.base) { width + 4 } else { size };
    let defined = |element: &[u8]| element[..used].iter().all(|byte| state::is_defined(*byte));
    if !parcel.data.state.chunks_exact(size).all(defined) {
        return Err(Fault::ub(UbKind::Uninitialised, "a reduction of numbers that are uninitialised"));
    }
    Ok(parcel)
}

/// An operation of the program's own: `void f(void *in, void *inout, int *count, MPI_Datatype *type)`, which leaves
/// `in op inout` in `inout`.
fn own<M: Machine>(
    interp: &mut Interp<'_, M>,
    (op, ty): (i64, i64),
    left: &Parcel,
    right: &Parcel,
    call: &ShimCall<'_, M::Shadow>,
) -> Res<Parcel> {
    let function = rank(interp)?.operations.get((op - FIRST_OWN_OPERATION) as usize).copied();
    let Some(function) = function else {
        return Err(Fault::ub(UbKind::Library, format!("{op} is no operation of MPI")));
    };
    let count = left.data.bytes.len() as i64 / types::size(ty)? as i64;
    let mut operands = Vec::new();
    for parcel in [left, right] {
        let at = interp.memory.allocate(parcel.data.bytes.len() as u64, 16, AllocKind::Runtime, None)?;
        let span = datatype::span(interp, at, count, ty)?;
        handover::put(interp, &span, parcel, Some(call.at))?;
        operands.push(span);
    }
    let mut place = |word: i64| -> Res<Pointer> {
        let at = interp.memory.allocate(4, 16, AllocKind::Runtime, None)?;
        interp.memory.write_bytes(at, &(word as i32).to_le_bytes())?;
        Ok(at)
    };
    let (number, kind) = (place(count)?, place(ty)?);
    let [input, output] = [&operands[0], &operands[1]].map(|span| Value::ptr(span.at));
    interp.call_back(function, &[input, output, Value::ptr(number), Value::ptr(kind)])?;
    operand(interp, &operands[1], call.at)
}

/// Where the arguments of a gather or scatter stand.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    root: Option<i64>,
    /// Do lists of counts and displacements take the place of one count?
    lists: bool,
    comm: usize,
}

/// Counts and displacements in elements, for each rank.
fn portions<M: Machine>(
    interp: &Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    lists: bool,
    at: usize,
    ranks: usize,
) -> Res<Vec<(i64, i64)>> {
    if !lists {
        let count = call.int(at)?;
        return Ok((0..ranks as i64).map(|rank| (count, rank * count)).collect());
    }
    let (counts, places) = (list(interp, call.ptr(at)?, ranks)?, list(interp, call.ptr(at + 1)?, ranks)?);
    Ok(counts.into_iter().zip(places).collect())
}

fn unequal(name: &str, from: usize, sent: u64, room: u64) -> Box<Fault> {
    Fault::ub(UbKind::Message, format!("in {name}, {sent} bytes from rank {from} are received into room for {room}"))
}

/// Send buffer, count, type; receive buffer, count(s), type; root; communicator.
fn gather<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, shape: Shape) -> Out<M> {
    let comm = communicator(interp, call, shape.comm)?;
    let (me, ranks) = (comm::place(interp, comm)?, world(interp)?.comms[comm].members.len());
    if let Some(root) = shape.root {
        checked_root(interp, comm, root)?;
    }
    let takes = shape.root.is_none_or(|root| root == me as i64);
    let to = call.ptr(3)?;
    let ty = call.int(if shape.lists { 6 } else { 5 })?;
    let room = if takes { portions(interp, call, shape.lists, 4, ranks)? } else { Vec::new() };
    let from = call.ptr(0)?;
    let signature = Signature { name: shape.name, root: shape.root, op: None, ty: None, bytes: None, begun: false };
    let (number, parts) = all(interp, call, comm, signature, |i| {
        let span = if from.addr == IN_PLACE {
            let (count, place) = room.get(me).copied().unwrap_or((0, 0));
            element(i, to, place, count, ty)?
        } else {
            datatype::span(i, from, call.int(1)?, call.int(2)?)?
        };
        Ok(Contribution { parcel: handover::take(i, &span, call.at)?, numbers: vec![span.base] })
    })?;
    for (rank, (count, place)) in room.iter().enumerate() {
        let (parcel, span) = (&parts[rank].parcel, element(interp, to, *place, *count, ty)?);
        agree(shape.name, rank, parts[rank].numbers[0], span.base)?;
        let sent = parcel.data.bytes.len() as u64;
        if sent != span.bytes {
            return Err(unequal(shape.name, rank, sent, span.bytes));
        }
        if rank != me {
            world(interp)?.traffic.add(1, sent);
        }
        if from.addr != IN_PLACE || rank != me {
            handover::put(interp, &span, parcel, Some(call.at))?;
        }
    }
    over(interp, comm, number)?;
    Ok(Value::i32(0))
}

/// So many elements of a type, that many elements behind a pointer.
fn element<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, place: i64, count: i64, ty: i64) -> Res<Span> {
    let extent = datatype::committed(interp, ty)?.extent();
    datatype::span(interp, at.offset(place * extent), count, ty)
}

fn agree(name: &str, from: usize, sent: i64, received: i64) -> Res {
    if types::agree(sent, received) {
        return Ok(());
    }
    let text = format!("in {name}, {} from rank {from} are received as {}", types::name(sent), types::name(received));
    Err(Fault::ub(UbKind::Message, text))
}

/// Send buffer, count(s), type; receive buffer, count, type; root; communicator.
fn scatter<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, shape: Shape) -> Out<M> {
    let comm = communicator(interp, call, shape.comm)?;
    let (me, ranks) = (comm::place(interp, comm)?, world(interp)?.comms[comm].members.len());
    let root = shape.root.unwrap_or(0);
    checked_root(interp, comm, root)?;
    let gives = root == me as i64;
    let behind = usize::from(shape.lists);
    let (from, sent) = (call.ptr(0)?, call.int(2 + behind)?);
    let (to, count, ty) = (call.ptr(3 + behind)?, call.int(4 + behind)?, call.int(5 + behind)?);
    let signature = Signature { name: shape.name, root: Some(root), op: None, ty: None, bytes: None, begun: false };
    let (number, parts) = all(interp, call, comm, signature, |i| {
        if !gives {
            return Ok(Contribution::default());
        }
        let portions = portions(i, call, shape.lists, 1, ranks)?;
        let (mut parcel, mut numbers) = (Parcel::default(), vec![datatype::committed(i, sent)?.base]);
        for (count, place) in portions {
            let span = element(i, from, place, count, sent)?;
            numbers.push(span.bytes as i64);
            parcel.extend::<M::Shadow>(&handover::take(i, &span, call.at)?);
        }
        Ok(Contribution { parcel, numbers })
    })?;
    let given = &parts[root as usize];
    let lengths = &given.numbers[1..];
    let first: i64 = lengths[..me].iter().sum();
    if to.addr != IN_PLACE {
        let (span, sent) = (datatype::span(interp, to, count, ty)?, lengths[me] as u64);
        agree(shape.name, root as usize, given.numbers[0], span.base)?;
        if sent != span.bytes {
            return Err(unequal(shape.name, root as usize, sent, span.bytes));
        }
        if !gives {
            world(interp)?.traffic.add(1, sent);
        }
        handover::put(interp, &span, &given.parcel.part::<M::Shadow>(first as u64, sent), Some(call.at))?;
    }
    over(interp, comm, number)?;
    Ok(Value::i32(0))
}

/// Send buffer, count(s), type; receive buffer, count(s), type; communicator.
fn all_to_all<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    name: &'static str,
    lists: bool,
) -> Out<M> {
    let behind = usize::from(lists);
    let comm = communicator(interp, call, 6 + 2 * behind)?;
    let (me, ranks) = (comm::place(interp, comm)?, world(interp)?.comms[comm].members.len());
    let (from, to, ty) = (call.ptr(0)?, call.ptr(3 + behind)?, call.int(5 + 2 * behind)?);
    let room = portions(interp, call, lists, 4 + behind, ranks)?;
    let signature = Signature { name, root: None, op: None, ty: None, bytes: None, begun: false };
    let (number, parts) = all(interp, call, comm, signature, |i| {
        let in_place = from.addr == IN_PLACE;
        let (from, sent) = if in_place { (to, ty) } else { (from, call.int(2 + behind)?) };
        let portions = if in_place { room.clone() } else { portions(i, call, lists, 1, ranks)? };
        let (mut parcel, mut numbers) = (Parcel::default(), vec![datatype::committed(i, sent)?.base]);
        for (count, place) in portions {
            let span = element(i, from, place, count, sent)?;
            numbers.push(span.bytes as i64);
            parcel.extend::<M::Shadow>(&handover::take(i, &span, call.at)?);
        }
        Ok(Contribution { parcel, numbers })
    })?;
    for (rank, (part, (count, place))) in parts.iter().zip(&room).enumerate() {
        let (span, lengths) = (element(interp, to, *place, *count, ty)?, &part.numbers[1..]);
        agree(name, rank, part.numbers[0], span.base)?;
        let (first, sent) = (lengths[..me].iter().sum::<i64>() as u64, lengths[me] as u64);
        if sent != span.bytes {
            return Err(unequal(name, rank, sent, span.bytes));
        }
        if rank != me {
            world(interp)?.traffic.add(1, sent);
        }
        handover::put(interp, &span, &part.parcel.part::<M::Shadow>(first, sent), Some(call.at))?;
    }
    over(interp, comm, number)?;
    Ok(Value::i32(0))
}
