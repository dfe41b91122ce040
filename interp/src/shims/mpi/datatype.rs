//! The functions that make types of the program's own ([`super::layout`]), and the buffers that calls name.

use super::layout::{Datatype, MOST_PIECES, Span, append};
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
const RESIZED: i64 = 18;

/// The buffer that a call names.
pub fn span<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, count: i64, ty: i64) -> Res<Span> {
    let Ok(elements) = u64::try_from(count) else {
        return Err(Fault::ub(UbKind::Library, format!("a message of {count} elements")));
    };
    let ty = committed(interp, ty)?;
    let bytes = elements.checked_mul(ty.size()).ok_or_else(|| Fault::resource("a message beyond all memory"))?;
    let dense = ty.pieces.len() == 1 && ty.extent() as u64 == ty.pieces[0].1;
    let pieces = match dense {
        true if bytes == 0 => Vec::new(),
        true => vec![(ty.pieces[0].0, bytes)],
        false => {
            let mut pieces = Vec::new();
            for element in 0..count {
                for (place, len) in &ty.pieces {
                    append(&mut pieces, element * ty.extent() + place, *len)?;
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
            let numbers = [made.ints.len(), made.addresses.len(), usize::from(made.of.is_some())];
            for (n, number) in numbers.into_iter().enumerate() {
                store(i, c.ptr(1 + n)?, number as i64)?;
            }
            flag(i, c.ptr(4)?, made.combiner)
        },
        "Type_get_contents" => |i, c| {
            let made = of(i, c.int(0)?)?.made;
            let Some(old) = made.of else {
                return Err(Fault::ub(UbKind::Library, "MPI_Type_get_contents of a type that is MPI's own"));
            };
            for (n, value) in made.ints.iter().enumerate() {
                store(i, c.ptr(4)?.offset(4 * n as i64), *value)?;
            }
            for (n, value) in made.addresses.iter().enumerate() {
                long(i, c.ptr(5)?.offset(8 * n as i64), *value)?;
            }
            // A type of MPI's own is itself, another one a new handle.
            match old.made.of {
                None => flag(i, c.ptr(6)?, old.base),
                Some(_) => enter(i, *old, c.ptr(6)?),
            }
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

/// An argument that counts something.
fn counted<S>(call: &ShimCall<'_, S>, argument: usize) -> Res<i64> {
    let count = call.int(argument)?;
    if (0..=MOST_PIECES as i64).contains(&count) {
        return Ok(count);
    }
    Err(Fault::ub(UbKind::Library, format!("a type with {count} blocks or elements")))
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
