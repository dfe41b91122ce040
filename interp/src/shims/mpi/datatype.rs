//! The functions that make types of the program's own ([`super::layout`]), and the buffers that calls name.

use super::layout::{Datatype, MOST_PIECES, Piece, Span, append};
use super::{Out, Shim, ShimCall, flag, load, open, store, types};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The first number of a type of the program's own.
const FIRST_OWN: i64 = 1 << 20;

/// `MPI_COMBINER_…`
const DUP: i64 = 2;
const CONTIGUOUS: i64 = 3;
const VECTOR: i64 = 4;
const HVECTOR: i64 = 6;
const INDEXED: i64 = 7;
const HINDEXED: i64 = 9;
const INDEXED_BLOCK: i64 = 10;
const STRUCT: i64 = 12;
const SUBARRAY: i64 = 13;
const RESIZED: i64 = 18;
const HINDEXED_BLOCK: i64 = 19;

/// `MPI_ORDER_C`, `MPI_ORDER_FORTRAN`
const ORDER_C: i64 = 56;
const ORDER_FORTRAN: i64 = 57;

/// The buffer that a call names.
pub fn span<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, count: i64, ty: i64) -> Res<Span> {
    let Ok(elements) = u64::try_from(count) else {
        return Err(Fault::ub(UbKind::Library, format!("a message of {count} elements")));
    };
    let ty = committed(interp, ty)?;
    let bytes = elements.checked_mul(ty.size()).ok_or_else(|| Fault::resource("a message beyond all memory"))?;
    let pieces = match ty.pieces.as_slice() {
        _ if bytes == 0 => Vec::new(),
        [whole] if ty.extent() as u64 == whole.len => vec![Piece { len: bytes, ..*whole }],
        each => {
            let mut pieces = Vec::new();
            for element in 0..count {
                for piece in each {
                    append(&mut pieces, Piece { at: element * ty.extent() + piece.at, ..*piece })?;
                }
            }
            pieces
        }
    };
    Ok(Span { at, pieces, bytes, base: ty.base })
}

/// The type of a number, if it may be used in a message.
pub fn committed<M: Machine>(interp: &mut Interp<'_, M>, ty: i64) -> Res<Datatype> {
    let found = of(interp, ty)?;
    if found.committed {
        return Ok(found);
    }
    Err(Fault::ub(UbKind::Library, "a type is used in a message that MPI_Type_commit has not been called for"))
}

fn of<M: Machine>(interp: &mut Interp<'_, M>, ty: i64) -> Res<Datatype> {
    if ty < FIRST_OWN {
        return Datatype::basic(ty);
    }
    let own = open(interp)?.types.get((ty - FIRST_OWN) as usize).cloned().flatten();
    own.ok_or_else(|| Fault::ub(UbKind::Library, format!("{ty} is no type of MPI, or one that has been freed")))
}

/// A type that can be reduced: one of MPI's own.
pub fn basic(ty: i64) -> Res<i64> {
    if ty < FIRST_OWN {
        return types::size(ty).map(|_| ty);
    }
    Err(Fault::ub(UbKind::Library, "a reduction of a type of the program's own"))
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "Type_size" => |i, c| {
            let size = of(i, c.int(0)?)?.size();
            flag(i, c.ptr(1)?, size as i64)
        },
        "Type_contiguous" => |i, c| {
            let (count, old) = (counted(c, 0)?, of(i, c.int(1)?)?);
            let made = old.repeated((0..count).map(|n| n * old.extent()))?;
            enter(i, made.made_by(CONTIGUOUS, &[count], &[]), c.ptr(2)?)
        },
        "Type_vector" => |i, c| {
            let (count, block, stride, old) = (counted(c, 0)?, counted(c, 1)?, c.int(2)?, of(i, c.int(3)?)?);
            let places = (0..count).flat_map(|n| (0..block).map(move |k| n * stride + k));
            let made = old.repeated(places.map(|element| element * old.extent()))?;
            enter(i, made.made_by(VECTOR, &[count, block, stride], &[]), c.ptr(4)?)
        },
        "Type_create_hvector" => |i, c| {
            let (count, block, stride, old) = (counted(c, 0)?, counted(c, 1)?, c.int(2)?, of(i, c.int(3)?)?);
            let places = (0..count).flat_map(|n| (0..block).map(move |k| (n * stride, k)));
            let made = old.repeated(places.map(|(first, k)| first + k * old.extent()))?;
            enter(i, made.made_by(HVECTOR, &[count, block], &[stride]), c.ptr(4)?)
        },
        "Type_indexed" => |i, c| {
            let count = counted(c, 0)?;
            let (lengths, places, old) = (ints(i, c, 1, count)?, ints(i, c, 2, count)?, of(i, c.int(3)?)?);
            let extent = old.extent();
            let made = blocks(&old, lengths.iter().zip(&places).map(|(length, place)| (*length, place * extent)))?;
            enter(i, made.made_by(INDEXED, &[&[count], &lengths[..], &places].concat(), &[]), c.ptr(4)?)
        },
        "Type_create_hindexed" => |i, c| {
            let count = counted(c, 0)?;
            let (lengths, places, old) = (ints(i, c, 1, count)?, addresses(i, c, 2, count)?, of(i, c.int(3)?)?);
            let made = blocks(&old, lengths.iter().copied().zip(places.iter().copied()))?;
            enter(i, made.made_by(HINDEXED, &[&[count], &lengths[..]].concat(), &places), c.ptr(4)?)
        },
        "Type_create_indexed_block" => |i, c| {
            let (count, length, old) = (counted(c, 0)?, counted(c, 1)?, of(i, c.int(3)?)?);
            let places = ints(i, c, 2, count)?;
            let made = blocks(&old, places.iter().map(|place| (length, place * old.extent())))?;
            enter(i, made.made_by(INDEXED_BLOCK, &[&[count, length], &places[..]].concat(), &[]), c.ptr(4)?)
        },
        "Type_create_hindexed_block" => |i, c| {
            let (count, length, old) = (counted(c, 0)?, counted(c, 1)?, of(i, c.int(3)?)?);
            let places = addresses(i, c, 2, count)?;
            let made = blocks(&old, places.iter().map(|place| (length, *place)))?;
            enter(i, made.made_by(HINDEXED_BLOCK, &[count, length], &places), c.ptr(4)?)
        },
        "Type_create_struct" => |i, c| {
            let count = counted(c, 0)?;
            let (lengths, places, types) = (ints(i, c, 1, count)?, addresses(i, c, 2, count)?, ints(i, c, 3, count)?);
            let mut parts = Vec::new();
            for ((length, place), ty) in lengths.iter().zip(&places).zip(&types) {
                parts.push((at_least_none(*length)?, *place, of(i, *ty)?));
            }
            let made = Datatype::record(&parts)?.made_by(STRUCT, &[&[count], &lengths[..]].concat(), &places);
            enter(i, made, c.ptr(4)?)
        },
        "Type_create_subarray" => |i, c| {
            let rank = counted(c, 0)?;
            let [sizes, part, from] = [ints(i, c, 1, rank)?, ints(i, c, 2, rank)?, ints(i, c, 3, rank)?];
            let (order, old) = (c.int(4)?, of(i, c.int(5)?)?);
            let places = within(&sizes, &part, &from, order)?;
            let all = old.extent() * sizes.iter().product::<i64>();
            let made = old.repeated(places.into_iter().map(|element| element * old.extent()))?;
            let numbers = [&[rank], &sizes[..], &part, &from, &[order]].concat();
            // The extent is that of the whole array.
            enter(i, made.bounded(0, all).made_by(SUBARRAY, &numbers, &[]), c.ptr(6)?)
        },
        "Get_address" => |i, c| {
            let address = c.ptr(0)?.addr as i64;
            long(i, c.ptr(1)?, address)?;
            Ok(Value::i32(0))
        },
        "Type_create_resized" => |i, c| {
            let (old, low, extent) = (of(i, c.int(0)?)?, c.int(1)?, c.int(2)?);
            let made = old.resized(low, extent).made_by(RESIZED, &[], &[low, extent]);
            enter(i, made, c.ptr(3)?)
        },
        "Type_dup" => |i, c| {
            let old = of(i, c.int(0)?)?;
            let mut made = old.resized(old.low(), old.extent()).made_by(DUP, &[], &[]);
            made.committed = old.committed;
            enter(i, made, c.ptr(1)?)
        },
        "Type_get_extent" => |i, c| {
            let ty = of(i, c.int(0)?)?;
            long(i, c.ptr(1)?, ty.low())?;
            long(i, c.ptr(2)?, ty.extent())?;
            Ok(Value::i32(0))
        },
        "Type_get_envelope" => |i, c| {
            let made = of(i, c.int(0)?)?.made;
            let numbers = [made.ints.len(), made.addresses.len(), made.of.len()];
            for (n, number) in numbers.into_iter().enumerate() {
                store(i, c.ptr(1 + n)?, number as i64)?;
            }
            flag(i, c.ptr(4)?, made.combiner)
        },
        "Type_get_contents" => |i, c| {
            let made = of(i, c.int(0)?)?.made;
            if made.of.is_empty() {
                return Err(Fault::ub(UbKind::Library, "MPI_Type_get_contents of a type that is MPI's own"));
            }
            for (n, value) in made.ints.iter().enumerate() {
                store(i, c.ptr(4)?.offset(4 * n as i64), *value)?;
            }
            for (n, value) in made.addresses.iter().enumerate() {
                long(i, c.ptr(5)?.offset(8 * n as i64), *value)?;
            }
            // A type of MPI's own is itself, another one a new handle.
            for (n, old) in (0..).zip(made.of) {
                let out = c.ptr(6)?.offset(4 * n);
                match old.made.of.is_empty() {
                    true => flag(i, out, old.base)?,
                    false => enter(i, old, out)?,
                };
            }
            Ok(Value::i32(0))
        },
        "Type_commit" => |i, c| {
            let ty = load(i, c.ptr(0)?)?;
            of(i, ty)?;
            if let Some(Some(own)) = own(i, ty)? {
                own.committed = true;
            }
            Ok(Value::i32(0))
        },
        "Type_free" => |i, c| {
            let ty = load(i, c.ptr(0)?)?;
            of(i, ty)?;
            match own(i, ty)? {
                Some(slot) => *slot = None,
                None => return Err(Fault::ub(UbKind::Library, "MPI_Type_free of a type that is MPI's own")),
            }
            flag(i, c.ptr(0)?, 0)
        },
        _ => return None,
    })
}

fn long<M: Machine>(interp: &mut Interp<'_, M>, out: Pointer, value: i64) -> Res {
    interp.memory.store(out, Leaf::Int(64), Scalar::word(value as u64), 8)
}

/// Elements of a type: blocks of so many, from displacements on.
fn blocks(old: &Datatype, blocks: impl Iterator<Item = (i64, i64)>) -> Res<Datatype> {
    let mut places = Vec::new();
    for (length, place) in blocks {
        places.extend((0..at_least_none(length)?).map(|k| place + k * old.extent()));
    }
    old.repeated(places.into_iter())
}

/// Which elements of an array a part of it has, in their order in memory (MPI 4.0, 5.1.3).
fn within(sizes: &[i64], part: &[i64], from: &[i64], order: i64) -> Res<Vec<i64>> {
    let inside = sizes
        .iter()
        .zip(part)
        .zip(from)
        .all(|((size, part), from)| (1..=*size).contains(part) && (0..=size - part).contains(from));
    if !inside || sizes.is_empty() || ![ORDER_C, ORDER_FORTRAN].contains(&order) {
        return Err(Fault::ub(UbKind::Library, "MPI_Type_create_subarray of a part that is not within the array"));
    }
    let mut dimensions: Vec<usize> = (0..sizes.len()).collect();
    if order == ORDER_FORTRAN {
        dimensions.reverse();
    }
    // From the slowest dimension to the one whose elements are neighbours.
    let mut places = vec![0];
    for d in dimensions {
        let along = |place: &i64| (from[d]..from[d] + part[d]).map(|i| i + place * sizes[d]).collect::<Vec<_>>();
        places = places.iter().flat_map(along).collect();
        if places.len() > MOST_PIECES {
            return Err(Fault::resource(format!("a type of MPI of more than {MOST_PIECES} elements")));
        }
    }
    Ok(places)
}

/// So many `int`s that an argument points to.
fn ints<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    at: usize,
    count: i64,
) -> Res<Vec<i64>> {
    let list = call.ptr(at)?;
    (0..count).map(|n| load(interp, list.offset(4 * n))).collect()
}

/// So many `MPI_Aint`s.
fn addresses<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    at: usize,
    count: i64,
) -> Res<Vec<i64>> {
    let list = call.ptr(at)?;
    (0..count).map(|n| Ok(interp.memory.load(list.offset(8 * n), Leaf::Int(64), 8)?.lo as i64)).collect()
}

fn at_least_none(count: i64) -> Res<i64> {
    if (0..=MOST_PIECES as i64).contains(&count) {
        return Ok(count);
    }
    Err(Fault::ub(UbKind::Library, format!("a type with {count} blocks or elements")))
}

/// An argument that counts something.
fn counted<S>(call: &ShimCall<'_, S>, argument: usize) -> Res<i64> {
    at_least_none(call.int(argument)?)
}

/// The place of a type of the program's own.
fn own<'i, M: Machine>(interp: &'i mut Interp<'_, M>, ty: i64) -> Res<Option<&'i mut Option<Datatype>>> {
    let types = &mut open(interp)?.types;
    Ok(usize::try_from(ty - FIRST_OWN).ok().and_then(|index| types.get_mut(index)))
}

/// Gives a new type its number.
fn enter<M: Machine>(interp: &mut Interp<'_, M>, made: Datatype, out: Pointer) -> Out<M> {
    let types = &mut open(interp)?.types;
    types.push(Some(made));
    let number = FIRST_OWN + types.len() as i64 - 1;
    flag(interp, out, number)
}
