//! From memory to memory: buffers are packed, and unpacked elsewhere.
//!
//! Shadows go with the bytes, as in a copy of memory. Of numbers of a floating-point type the machine is told that they
//! are read and written as such: it may have a shadow for what has none yet.

use super::layout::{Piece, Span};
use super::parcel::{Cells, Parcel, format, number};
use crate::machine::{Machine, MemAccess};
use crate::memory::access::Access;
use crate::memory::data::Data;
use crate::memory::shadow::Shadow;
use crate::outcome::{Location, Res};
use crate::shims::state::Interp;
use crate::value::{Leaf, Scalar, Tag};
use ir::FloatKind;

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
        for Piece { at: place, len, .. } in &span.pieces {
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
    if !M::SHADOWS {
        return Ok(parcel);
    }
    let mut cells = parcel.cells::<M::Shadow>().to_vec();
    let mut added = false;
    numbers(span, parcel.data.bytes.len() as u64, |kind, offset, pointer| {
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
        for Piece { at: place, len, .. } in &span.pieces {
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
    let Some(at) = at.filter(|_| M::SHADOWS && M::OBSERVES_MEMORY) else { return Ok(()) };
    numbers(span, all, |kind, offset, pointer| {
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
    span.pieces.iter().try_for_each(|piece| interp.memory.fill(span.at.offset(piece.at), nothing, piece.len))
}

/// May all of a buffer be written to?
pub fn check<M: Machine>(interp: &mut Interp<'_, M>, span: &Span) -> Res {
    let writable = |piece: &Piece| interp.memory.check_access(span.at.offset(piece.at), piece.len, 1, Access::Write);
    span.pieces.iter().try_for_each(|piece| writable(piece).map(drop))
}

/// The floating-point numbers of a buffer: their formats, their offsets among the packed bytes, of which there are so
/// many, and their places.
fn numbers(span: &Span, bytes: u64, mut each: impl FnMut(FloatKind, u64, crate::value::Pointer)) {
    let mut packed = 0;
    for piece in &span.pieces {
        if let Some(kind) = format(piece.ty) {
            let size = Leaf::Float(kind).store_size();
            for from in (0..piece.len).step_by(size as usize).take_while(|from| packed + from + size <= bytes) {
                each(kind, packed + from, span.at.offset(piece.at + from as i64));
            }
        }
        packed += piece.len;
    }
}
