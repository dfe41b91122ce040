//! Where in memory the numbers of a buffer lie: types that are built from others (MPI 4.0, chapter 5).
//!
//! A type is a list of pieces, and how far the next element is from this one. What travels are the pieces one behind
//! the other, as so many numbers of the basic type below; that is what both sides of a message have to agree on.

use super::types;
use crate::outcome::{Fault, Res};
use crate::value::Pointer;

/// Pieces of one type, or of one buffer.
pub const MOST_PIECES: usize = 1 << 20;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// The basic type that it is made of.
    pub base: i64,
    /// Where bytes of an element lie: displacement and length.
    pub pieces: Vec<(i64, u64)>,
    /// The lowest displacement, and the one behind the highest.
    bounds: (i64, i64),
    /// May it be used in messages?
    pub committed: bool,
    /// How it was made.
    pub made: Made,
}

/// How a type was made, as `MPI_Type_get_envelope` and `MPI_Type_get_contents` tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Made {
    /// `MPI_COMBINER_…`; 1 for types of MPI's own.
    pub combiner: i64,
    pub ints: Vec<i64>,
    pub addresses: Vec<i64>,
    /// The type that it is made of.
    pub of: Option<Box<Datatype>>,
}

impl Made {
    fn basic() -> Made {
        Made { combiner: 1, ..Made::default() }
    }
}

impl Datatype {
    /// The same, with other bounds.
    pub fn resized(&self, low: i64, extent: i64) -> Datatype {
        let of = Some(Box::new(self.clone()));
        let made = Made { of, ..Made::default() };
        Datatype { bounds: (low, low + extent), committed: false, made, ..self.clone() }
    }

    /// The lowest displacement.
    pub fn low(&self) -> i64 {
        self.bounds.0
    }

    /// It is said how it was made.
    pub fn made_by(mut self, combiner: i64, ints: &[i64], addresses: &[i64]) -> Datatype {
        self.made = Made { combiner, ints: ints.to_vec(), addresses: addresses.to_vec(), of: self.made.of };
        self
    }

    /// A type of MPI's own.
    pub fn basic(ty: i64) -> Res<Datatype> {
        let size = types::size(ty)?;
        Ok(Datatype {
            base: ty,
            pieces: vec![(0, size)],
            bounds: (0, size as i64),
            committed: true,
            made: Made::basic(),
        })
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
    pub fn repeated(&self, places: impl Iterator<Item = i64>) -> Res<Datatype> {
        let mut made = Datatype {
            base: self.base,
            pieces: Vec::new(),
            bounds: (0, 0),
            committed: false,
            made: Made { of: Some(Box::new(self.clone())), ..Made::default() },
        };
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
pub fn append(pieces: &mut Vec<(i64, u64)>, at: i64, len: u64) -> Res {
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
