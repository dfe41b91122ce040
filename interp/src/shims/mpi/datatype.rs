//! Types of the program's own, built from others (MPI 4.0, chapter 5): where in memory the numbers of a buffer lie.
//!
//! A type is a list of pieces, and how far the next element is from this one. What travels are the pieces one behind the
//! other, as so many numbers of the basic type below; that is what both sides of a message have to agree on.

use super::{Out, Shim, ShimCall, flag, load, open, types};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::value::{Pointer, Value};

/// The first number of a type of the program's own.
const FIRST_OWN: i64 = 1 << 20;
/// Pieces of one type, or of one buffer.
const MOST_PIECES: usize = 1 << 20;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// The basic type that it is made of.
    pub base: i64,
    /// Where bytes of an element lie: displacement and length.
    pieces: Vec<(i64, u64)>,
    /// The lowest displacement, and the one behind the highest.
    bounds: (i64, i64),
    committed: bool,
}

impl Datatype {
    fn basic(ty: i64) -> Res<Datatype> {
        let size = types::size(ty)?;
        Ok(Datatype { base: ty, pieces: vec![(0, size)], bounds: (0, size as i64), committed: true })
    }

    /// Bytes from one element to the next.
    pub fn extent(&self) -> i64 {
        self.bounds.1 - self.bounds.0
    }

    /// Bytes that travel.
    pub fn size(&self) -> u64 {
        self.pieces.iter().map(|(_, len)| len).sum()
    }

    /// Elements of this type at these displacements.
    fn repeated(&self, places: impl Iterator<Item = i64>) -> Res<Datatype> {
        let mut made = Datatype { pieces: Vec::new(), bounds: (0, 0), committed: false, ..*self };
        let mut bounds: Option<(i64, i64)> = None;
        for place in places {
            for (at, len) in &self.pieces {
                append(&mut made.pieces, place + at, *len)?;
            }
            let (low, high) = (place + self.bounds.0, place + self.bounds.1);
            bounds = Some(bounds.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
        }
        made.bounds = bounds.unwrap_or((0, 0));
        Ok(made)
    }
}

/// Adds a piece, joined to the one before where it begins behind that.
fn append(pieces: &mut Vec<(i64, u64)>, at: i64, len: u64) -> Res {
    if let Some((before, size)) = pieces.last_mut()
        && *before + *size as i64 == at
    {
        *size += len;
        return Ok(());
    }
    if pieces.len() >= MOST_PIECES {
        return Err(Fault::resource(format!("a type of MPI, or a buffer, of more than {MOST_PIECES} pieces")));
    }
    pieces.push((at, len));
    Ok(())
}

/// A buffer: so many elements of a type.
#[derive(Clone, Debug)]
pub struct Span {
    /// Where it begins.
    pub at: Pointer,
    /// Where its bytes lie from there on, in the order in which they travel.
    pub pieces: Vec<(i64, u64)>,
    /// How many that are.
    pub bytes: u64,
    /// The basic type of the numbers.
    pub base: i64,
}

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
            enter(i, made, c.ptr(2)?)
        },
        "Type_vector" => |i, c| {
            let (count, block, stride, old) = (counted(c, 0)?, counted(c, 1)?, c.int(2)?, of(i, c.int(3)?)?);
            let places = (0..count).flat_map(|n| (0..block).map(move |k| n * stride + k));
            let made = old.repeated(places.map(|element| element * old.extent()))?;
            enter(i, made, c.ptr(4)?)
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

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: i64 = 14 * 256 + 8;

    #[test]
    fn a_column_is_a_vector_and_its_extent_ends_with_its_last_block() {
        let double = Datatype::basic(DOUBLE).unwrap();
        let column = double.repeated((0..3).map(|n| n * 5 * 8)).unwrap();
        assert_eq!(column.pieces, [(0, 8), (40, 8), (80, 8)]);
        assert_eq!((column.size(), column.extent(), column.base, column.committed), (24, 88, DOUBLE, false));
    }

    #[test]
    fn neighbours_are_one_piece_and_blocks_may_go_backwards() {
        let double = Datatype::basic(DOUBLE).unwrap();
        let three = double.repeated((0..3).map(|n| n * 8)).unwrap();
        assert_eq!((three.pieces.as_slice(), three.extent()), ([(0, 24)].as_slice(), 24));
        let backwards = three.repeated((0..2).map(|n| n * -48)).unwrap();
        assert_eq!(backwards.pieces, [(0, 24), (-48, 24)]);
        assert_eq!((backwards.bounds, backwards.extent()), ((-48, 24), 72));
        let none = three.repeated(std::iter::empty()).unwrap();
        assert_eq!((none.size(), none.extent()), (0, 0));
    }
}
