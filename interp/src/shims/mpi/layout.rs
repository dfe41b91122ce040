//! Where in memory the numbers of a buffer lie: types that are built from others (MPI 4.0, chapter 5).
//!
//! A type is a list of pieces, and how far the next element is from this one. What travels are the pieces one behind
//! the other, as so many numbers of the basic types below; that is what both sides of a message have to agree on.

use super::types;
use crate::outcome::{Fault, Res};
use crate::value::Pointer;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Pieces of one type, or of one buffer.
pub const MOST_PIECES: usize = 1 << 20;

/// Beyond all basic types: what stands for records of several of them.
const RECORDS: i64 = 1 << 40;

/// Bytes that lie side by side, of numbers of one basic type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// How far they are from the address.
    pub at: i64,
    /// How many they are.
    pub len: u64,
    /// The basic type.
    pub ty: i64,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// The basic type that it is made of, or what stands for the sequence of those in a record.
    pub base: i64,
    /// Where bytes of an element lie.
    pub pieces: Vec<Piece>,
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
    /// The types that it is made of.
    pub of: Vec<Datatype>,
}

impl Made {
    fn basic() -> Made {
        Made { combiner: 1, ..Made::default() }
    }
}

impl Datatype {
    /// The same, with other bounds.
    pub fn resized(&self, low: i64, extent: i64) -> Datatype {
        let made = Made { of: vec![self.clone()], ..Made::default() };
        Datatype { committed: false, made, ..self.clone() }.bounded(low, extent)
    }

    /// The type itself, with other bounds.
    pub fn bounded(self, low: i64, extent: i64) -> Datatype {
        Datatype { bounds: (low, low + extent), ..self }
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
            pieces: vec![Piece { at: 0, len: size, ty }],
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
        self.pieces.iter().map(|piece| piece.len).sum()
    }

    /// Elements of this type at these displacements.
    pub fn repeated(&self, places: impl Iterator<Item = i64>) -> Res<Datatype> {
        let made = Datatype::of_elements(vec![self.clone()], places.map(|place| (place, self)))?;
        Ok(Datatype { base: self.base, ..made })
    }

    /// A record: so many elements of each of some types, from displacements on (MPI 4.0, 5.1.2,
    /// MPI_TYPE_CREATE_STRUCT). Its extent is rounded up so that its numbers are aligned in the next one, too.
    pub fn record(parts: &[(i64, i64, Datatype)]) -> Res<Datatype> {
        let elements =
            parts.iter().flat_map(|(count, place, ty)| (0..*count).map(move |n| (place + n * ty.extent(), ty)));
        let mut made = Datatype::of_elements(parts.iter().map(|(.., ty)| ty.clone()).collect(), elements)?;
        // Bytes of each basic type, in their order: blocks of one side by side are one.
        let mut sequence: Vec<(i64, u64)> = Vec::new();
        for (count, _, ty) in parts.iter().filter(|(count, _, ty)| *count > 0 && ty.size() > 0) {
            let bytes = *count as u64 * ty.size();
            match sequence.last_mut() {
                Some((base, before)) if *base == ty.base => *before += bytes,
                _ => sequence.push((ty.base, bytes)),
            }
        }
        made.base = match sequence.as_slice() {
            [] => 0,
            [(base, _)] => *base,
            _ => {
                let mut hasher = DefaultHasher::new();
                sequence.hash(&mut hasher);
                RECORDS | (hasher.finish() >> 24) as i64
            }
        };
        let aligned = |piece: &Piece| types::alignment(piece.ty);
        let align = made.pieces.iter().map(aligned).max().unwrap_or(1) as i64;
        made.bounds.1 += (align - made.extent().rem_euclid(align)) % align;
        Ok(made)
    }

    /// Elements of types at displacements.
    fn of_elements<'t>(of: Vec<Datatype>, elements: impl Iterator<Item = (i64, &'t Datatype)>) -> Res<Datatype> {
        let (mut pieces, mut bounds) = (Vec::new(), None);
        for (place, ty) in elements {
            for piece in &ty.pieces {
                append(&mut pieces, Piece { at: place + piece.at, ..*piece })?;
            }
            let (low, high) = (place + ty.bounds.0, place + ty.bounds.1);
            bounds = Some(bounds.map_or((low, high), |(least, most): (i64, i64)| (least.min(low), most.max(high))));
        }
        let made = Made { of, ..Made::default() };
        Ok(Datatype { base: 0, pieces, bounds: bounds.unwrap_or((0, 0)), committed: false, made })
    }
}

/// Adds a piece, joined to the one before where it begins behind that.
pub fn append(pieces: &mut Vec<Piece>, piece: Piece) -> Res {
    if let Some(before) = pieces.last_mut()
        && before.at + before.len as i64 == piece.at
        && before.ty == piece.ty
    {
        before.len += piece.len;
        return Ok(());
    }
    if pieces.len() >= MOST_PIECES {
        return Err(Fault::resource(format!("a type of MPI, or a buffer, of more than {MOST_PIECES} pieces")));
    }
    pieces.push(piece);
    Ok(())
}

/// A buffer: so many elements of a type.
#[derive(Clone, Debug)]
pub struct Span {
    /// Where it begins.
    pub at: Pointer,
    /// Where its bytes lie from there on, in the order in which they travel.
    pub pieces: Vec<Piece>,
    /// How many that are.
    pub bytes: u64,
    /// The basic type of the numbers, or what stands for those of records.
    pub base: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: i64 = 14 * 256 + 8;
    const INT: i64 = 7 * 256 + 4;

    fn places(ty: &Datatype) -> Vec<(i64, u64)> {
        ty.pieces.iter().map(|piece| (piece.at, piece.len)).collect()
    }

    #[test]
    fn a_column_is_a_vector_and_its_extent_ends_with_its_last_block() {
        let double = Datatype::basic(DOUBLE).unwrap();
        let column = double.repeated((0..3).map(|n| n * 5 * 8)).unwrap();
        assert_eq!(places(&column), [(0, 8), (40, 8), (80, 8)]);
        assert_eq!((column.size(), column.extent(), column.base, column.committed), (24, 88, DOUBLE, false));
    }

    #[test]
    fn neighbours_are_one_piece_and_blocks_may_go_backwards() {
        let double = Datatype::basic(DOUBLE).unwrap();
        let three = double.repeated((0..3).map(|n| n * 8)).unwrap();
        assert_eq!((places(&three), three.extent()), (vec![(0, 24)], 24));
        let backwards = three.repeated((0..2).map(|n| n * -48)).unwrap();
        assert_eq!(places(&backwards), [(0, 24), (-48, 24)]);
        assert_eq!((backwards.bounds, backwards.extent()), ((-48, 24), 72));
        let none = three.repeated(std::iter::empty()).unwrap();
        assert_eq!((none.size(), none.extent()), (0, 0));
        let room = none.resized(0, 16).repeated((0..3).map(|n| n * 16)).unwrap();
        assert_eq!((room.size(), room.extent()), (0, 48));
    }

    #[test]
    fn a_record_ends_where_the_next_one_is_aligned_and_agrees_with_the_same_sequence() {
        let (double, int) = (Datatype::basic(DOUBLE).unwrap(), Datatype::basic(INT).unwrap());
        // struct { double x[3]; int id; }
        let particle = Datatype::record(&[(3, 0, double.clone()), (1, 24, int.clone())]).unwrap();
        assert_eq!((places(&particle), particle.size(), particle.extent()), (vec![(0, 24), (24, 4)], 28, 32));
        assert_eq!(particle.repeated([0, 32].into_iter()).unwrap().base, particle.base);
        let apart = Datatype::record(&[(3, 8, double.clone()), (1, 0, int.clone())]).unwrap();
        assert_eq!(apart.base, particle.base, "laid out differently, the same numbers in the same order");
        let split = Datatype::record(&[(1, 8, double.clone()), (2, 16, double.clone()), (1, 0, int.clone())]).unwrap();
        assert_eq!(split.base, particle.base, "blocks of one basic type, one behind the other");
        let turned = Datatype::record(&[(1, 0, int), (3, 8, double.clone())]).unwrap();
        assert_ne!(turned.base, particle.base);
        let numbers = Datatype::record(&[(1, 0, double.clone()), (2, 16, double)]).unwrap();
        assert_eq!(numbers.base, DOUBLE, "numbers of one type are no records");
    }
}
