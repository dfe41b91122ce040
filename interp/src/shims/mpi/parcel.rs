//! What ranks hand over: packed bytes, with the shadows of the numbers among them.

use super::types::{self, Kind};
use crate::memory::data::{Data, state};
use crate::memory::shadow::Shadow;
use crate::value::{Leaf, Scalar};
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

/// A number among packed bytes, if it is defined.
pub fn number(data: &Data, offset: usize, kind: FloatKind) -> Option<Scalar> {
    let range = offset..offset + Leaf::Float(kind).store_size() as usize;
    let defined = data.state.get(range.clone())?.iter().all(|byte| state::is_defined(*byte));
    let bits = data.bytes.get(range)?.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
    defined.then(|| Scalar::wide(bits))
}
