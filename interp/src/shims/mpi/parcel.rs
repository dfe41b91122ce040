//! What ranks hand over: the bytes of a buffer, packed, with the shadows of the numbers among them.
//!
//! Shadows go with the bytes, as in a copy of memory. Of numbers of a floating-point type the machine is told that they
//! are read and written as such: it may have a shadow for what has none yet.

use super::datatype::Span;
use super::types::{self, Kind};
use crate::machine::{Machine, MemAccess};
use crate::memory::access::Access;
use crate::memory::data::{Data, state};
use crate::memory::shadow::Shadow;
use crate::outcome::{Location, Res};
use crate::shims::state::Interp;
use crate::value::{Leaf, Scalar, Tag};
use ir::FloatKind;
use std::any::Any;
use std::rc::Rc;

/// Packed bytes. Their shadows are of the machine that all ranks have; the world does not know which.
#[derive(Clone, Debug, Default)]
pub struct Parcel {
    pub data: Data,
    shadows: Option<Rc<dyn Any>>,
}

/// Shadows by offset and size.
pub type Cells<S> = Vec<(u64, u8, S)>;

/// The format of a floating-point type.
pub fn format(base: i64) -> Option<FloatKind> {
    match (types::kind(base), types::size(base)) {
        (Ok(Kind::Float), Ok(4)) => Some(FloatKind::Float),
        (Ok(Kind::Float), Ok(8)) => Some(FloatKind::Double),
        _ => None,
    }
}

impl Parcel {
    /// Packed bytes with shadows.
    pub fn new<S: Shadow>(data: Data, cells: Cells<S>) -> Parcel {
        let shadows = (!cells.is_empty()).then(|| Rc::new(cells) as Rc<dyn Any>);
        Parcel { data, shadows }
    }

    /// The shadows.
    pub fn cells<S: Shadow>(&self) -> &[(u64, u8, S)] {
        self.shadows.as_ref().and_then(|shadows| shadows.downcast_ref::<Cells<S>>()).map_or(&[], Vec::as_slice)
    }

    /// So many bytes from an offset on.
    pub fn part<S: Shadow>(&self, from: u64, len: u64) -> Parcel {
        let range = from as usize..(from + len) as usize;
        let data = Data {
            bytes: self.data.bytes[range.clone()].to_vec(),
            state: self.data.state[range].to_vec(),
            ..Data::default()
        };
        let inside = |(at, size, _): &&(u64, u8, S)| *at >= from && at + u64::from(*size) <= from + len;
        let cells = self.cells::<S>().iter().filter(inside);
        Parcel::new(data, cells.map(|(at, size, shadow)| (at - from, *size, shadow.clone())).collect())
    }

    /// Adds another one behind it.
    pub fn extend<S: Shadow>(&mut self, other: &Parcel) {
        let behind = self.data.bytes.len() as u64;
        let moved = other.cells::<S>().iter().map(|(at, size, shadow)| (at + behind, *size, shadow.clone()));
        let cells = self.cells::<S>().iter().cloned().chain(moved).collect();
        let mut data = std::mem::take(&mut self.data);
        data.bytes.extend(&other.data.bytes);
        data.state.extend(&other.data.state);
        *self = Parcel::new::<S>(data, cells);
    }
}

/// Does something with memory that is no loss of shadows: these go with the bytes.
fn aside<'p, M: Machine, T>(interp: &mut Interp<'p, M>, what: impl FnOnce(&mut Interp<'p, M>) -> Res<T>) -> Res<T> {
    if !M::FOLLOWS_LOSSES {
        return what(interp);
    }
    let before = interp.memory.touches(None);
    let result = what(interp);
    interp.memory.touches(before);
    result
}

/// Packs the bytes of a buffer, to be put back or compared.
pub fn keep<M: Machine>(interp: &mut Interp<'_, M>, span: &Span) -> Res<Parcel> {
    aside(interp, |interp| {
        let (mut data, mut cells) = (Data::default(), Cells::<M::Shadow>::new());
        for (place, len) in &span.pieces {
            let (at, packed) = (span.at.offset(*place), data.bytes.len() as u64);
            let piece = interp.memory.extract(at, *len)?;
            data.bytes.extend(piece.bytes);
            data.state.extend(piece.state);
            if M::SHADOWS {
                let whole =
                    |(from, size, _): &(i64, u8, M::Shadow)| *from >= 0 && *from as u64 + u64::from(*size) <= *len;
                let touched = interp.memory.touched_shadows(at, *len).into_iter().filter(whole);
                cells.extend(touched.map(|(from, size, shadow)| (packed + from as u64, size, shadow)));
            }
        }
        Ok(Parcel::new(data, cells))
    })
}

/// Packs the bytes of a buffer that are handed over to others.
pub fn take<M: Machine>(interp: &mut Interp<'_, M>, span: &Span, at: Location) -> Res<Parcel> {
    let parcel = keep(interp, span)?;
    let Some(kind) = format(span.base).filter(|_| M::SHADOWS) else { return Ok(parcel) };
    let mut cells = parcel.cells::<M::Shadow>().to_vec();
    let mut added = false;
    numbers(span, kind, parcel.data.bytes.len() as u64, |offset, pointer| {
        let Some(value) = number(&parcel.data, offset as usize, kind) else { return };
        let known = cells.iter().find(|(from, ..)| *from == offset).map(|(.., shadow)| shadow.clone());
        let made = match M::OBSERVES_MEMORY {
            true => interp.machine.load(&MemAccess { pointer, leaf: Leaf::Float(kind), at }, value),
            false => None,
        };
        let shadow = known.clone().or(made).unwrap_or_default();
        interp.machine.handed_over(kind, &shadow);
        if known.is_none() && !shadow.is_absent() {
            cells.push((offset, Leaf::Float(kind).store_size() as u8, shadow));
            added = true;
        }
    });
    Ok(if added { Parcel::new(parcel.data, cells) } else { parcel })
}

/// Puts packed bytes into a buffer, as far as they reach.
pub fn put<M: Machine>(interp: &mut Interp<'_, M>, span: &Span, parcel: &Parcel, at: Option<Location>) -> Res {
    let all = parcel.data.bytes.len() as u64;
    aside(interp, |interp| {
        let mut done = 0;
        for (place, len) in &span.pieces {
            let len = (*len).min(all - done);
            let (piece, at) = (parcel.part::<M::Shadow>(done, len), span.at.offset(*place));
            interp.memory.insert(at, &piece.data)?;
            for (from, size, shadow) in piece.cells::<M::Shadow>() {
                interp.memory.set_shadow(at.offset(*from as i64), u64::from(*size), shadow.clone());
            }
            done += len;
        }
        Ok(())
    })?;
    let (Some(kind), Some(at), true) = (format(span.base), at, M::SHADOWS && M::OBSERVES_MEMORY) else { return Ok(()) };
    numbers(span, kind, all, |offset, pointer| {
        let Some(value) = number(&parcel.data, offset as usize, kind) else { return };
        let size = Leaf::Float(kind).store_size();
        let shadow = interp.memory.shadow(pointer, size).cloned().unwrap_or_default();
        interp.machine.store(&MemAccess { pointer, leaf: Leaf::Float(kind), at }, value, &shadow);
    });
    Ok(())
}

/// Makes a buffer undefined until something has come.
pub fn blank<M: Machine>(interp: &mut Interp<'_, M>, span: &Span) -> Res {
    let nothing = Scalar { lo: 0, hi: 0, tag: Tag::Undef };
    span.pieces.iter().try_for_each(|(place, len)| interp.memory.fill(span.at.offset(*place), nothing, *len))
}

/// May all of a buffer be written to?
pub fn check<M: Machine>(interp: &mut Interp<'_, M>, span: &Span) -> Res {
    let writable =
        |(place, len): &(i64, u64)| interp.memory.check_access(span.at.offset(*place), *len, 1, Access::Write);
    span.pieces.iter().try_for_each(|piece| writable(piece).map(drop))
}

/// The numbers of a buffer: their offsets among the packed bytes, of which there are so many, and their places.
fn numbers(span: &Span, kind: FloatKind, bytes: u64, mut each: impl FnMut(u64, crate::value::Pointer)) {
    let size = Leaf::Float(kind).store_size();
    let mut packed = 0;
    for (place, len) in &span.pieces {
        for from in (0..*len).step_by(size as usize).take_while(|from| packed + from + size <= bytes) {
            each(packed + from, span.at.offset(place + from as i64));
        }
        packed += len;
    }
}

/// A number among packed bytes, if it is defined.
pub fn number(data: &Data, offset: usize, kind: FloatKind) -> Option<Scalar> {
    let range = offset..offset + Leaf::Float(kind).store_size() as usize;
    let defined = data.state.get(range.clone())?.iter().all(|byte| state::is_defined(*byte));
    let bits = data.bytes.get(range)?.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
    defined.then(|| Scalar::wide(bits))
}
