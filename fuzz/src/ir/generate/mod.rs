//! IR is drawn by walking a program as it is written: a [`Body`] knows which values dominate the current place and
//! which objects are alive there, so that whatever is drawn is well typed, in bounds and initialised.
//!
//! What keeps a program from undefined behaviour and makes its result one value:
//! - every object is initialised where it is made, and freed on every way out of the region that made it;
//! - indices are brought into their arrays, amounts, divisors and conversions into their ranges;
//! - poison is made on purpose, and is never the chosen arm of a `select`;
//! - loops have constant bounds, and the product of nested bounds is limited ([`super::odds::Odds::cost`]);
//! - addresses show only as differences within an object.
//!
//! In programs that are differentiated (`smooth`) no number leaves [-1, 1], so that derivatives stay of moderate size.

mod bytes;
mod call;
mod control;
mod float;
mod int;
mod lanes;
mod loops;
mod memory;
pub(crate) mod program;
mod record;
mod smooth;
mod travel;
mod vectors;

pub use program::{gradient, semantics};
pub use travel::names as ways_to_travel;

use super::build::Builder;
use super::odds::Odds;
use super::ty::{Elem, Ty};
use crate::choices::Choices;
use ir::{FloatKind, FuncId, Operand};
use memory::Array;
use record::Record;

/// A value that may be used.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: Operand,
    ty: Ty,
}

/// What a call passes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Param {
    /// A value.
    Value(Ty),
    /// A pointer to an array of so many such cells; whether these may be written.
    Array(Ty, u32, bool),
    /// A pointer to an array of so many such cells that the differentiated call marks constant, and that may be
    /// written.
    Scratch(Ty, u32),
    /// How often it may call itself.
    Depth,
}

/// A function that can be called.
#[derive(Clone, Debug)]
struct Helper {
    func: FuncId,
    params: Vec<Param>,
    ret: Option<Ty>,
    /// Statements that one call executes, at most.
    cost: u64,
    /// Another function of the same signature.
    sibling: Option<FuncId>,
}

/// Where a loop can be left or gone on with from within.
#[derive(Clone, Debug)]
struct Around {
    exit: ir::BlockId,
    latch: ir::BlockId,
    /// Phis of the exit and of the latch.
    exits: Vec<(Operand, Ty)>,
    latches: Vec<(Operand, Ty)>,
    /// Heap objects that were there before.
    heap: usize,
}

/// How much is known at a place.
#[derive(Clone, Copy)]
struct Mark {
    known: usize,
    arrays: usize,
    records: usize,
    heap: usize,
}

/// The body of a function as it is written.
struct Body<'a, 'c> {
    b: &'a mut Builder,
    c: &'a mut Choices<'c>,
    odds: &'a Odds,
    /// The format that numbers of the program have, if it is differentiated.
    real: FloatKind,
    smooth: bool,
    known: Vec<Known>,
    arrays: Vec<Array>,
    records: Vec<Record>,
    /// Arrays that the differentiated call marks constant, to be written only.
    scratch: Vec<Array>,
    /// Objects on the heap that must be freed.
    heap: Vec<Operand>,
    /// Where the hash lies.
    hash: Option<Operand>,
    helpers: &'a [Helper],
    /// The function itself with its counter, where it may call itself.
    itself: Option<(Helper, Operand)>,
    around: Vec<Around>,
    ret: Option<Ty>,
    /// Executions of the current place.
    factor: u64,
    /// Statements that may still be executed.
    left: u64,
    /// Depth of loops and branches.
    depth: u32,
    /// Objects so far.
    roots: u32,
}

impl Body<'_, '_> {
    /// A value of any type.
    fn value(&mut self, ty: Ty, depth: u32) -> Operand {
        if depth == 0 || self.c.chance(self.odds.reuse) {
            return self.leaf(ty);
        }
        match ty.elem {
            Elem::Int(_) => self.int(ty, depth),
            Elem::Float(kind) if self.smooth => self.smooth(ty, kind, depth),
            Elem::Float(kind) => self.float(ty, kind, depth),
            Elem::Ptr => self.leaf(ty),
        }
    }

    /// A value that is there, or a constant.
    fn leaf(&mut self, ty: Ty) -> Operand {
        if !self.c.chance(self.odds.constant) {
            // Values of late are liked best.
            let fitting: Vec<Operand> =
                self.known.iter().rev().filter(|k| k.ty == ty).take(6).map(|k| k.value).collect();
            if let Some(found) = self.c.pick(&fitting) {
                return found;
            }
            if let Some(loaded) = self.load_of(ty) {
                return loaded;
            }
        }
        self.constant(ty)
    }

    /// A constant: those at the ends of ranges more often.
    fn constant(&mut self, ty: Ty) -> Operand {
        if ty.elem == Elem::Ptr {
            return self.b.bits(ty, 0);
        }
        if ty.lanes.is_some_and(|_| self.c.chance(50)) {
            let lanes: Vec<ir::ConstId> =
                (0..ty.lanes.unwrap_or(0)).filter_map(|_| self.constant(ty.lane()).constant()).collect();
            return self.b.vector(ty, lanes);
        }
        match ty.elem {
            Elem::Int(bits) => {
                let most = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
                let value = match self.c.index(8) {
                    0 => 0,
                    1 => 1,
                    2 => most,
                    3 => most >> 1,
                    4 => (most >> 1) + 1,
                    5 | 6 => self.c.int(0, 40) as u128,
                    _ => (self.c.int(i64::MIN, i64::MAX) as u128).wrapping_mul(0x1_0001_0003),
                };
                self.b.bits(ty, value)
            }
            _ if self.smooth => {
                let value = self.c.decimal(1.0);
                self.b.number(ty, value)
            }
            _ => {
                let value = match self.c.index(10) {
                    0 => 0.0,
                    1 => -0.0,
                    2 => 1.0,
                    3 => -1.0,
                    4 => 0.5,
                    5 => 65_504.0,
                    6 => 5.960_464_477_539_063e-8,
                    _ => self.c.int(-4000, 4000) as f64 / 64.0,
                };
                self.b.number(ty, value)
            }
        }
    }

    /// One of two values, by a bit, or lane by lane.
    fn choose(&mut self, ty: Ty, depth: u32) -> Operand {
        let bits = if self.c.chance(50) { ty.of(Elem::Int(1)) } else { Ty::BIT };
        let cond = self.condition(bits, depth);
        let (a, b) = (self.value(ty, depth), self.value(ty, depth));
        let id = self.b.ty(ty);
        self.b.select(id, cond, a, b)
    }

    /// A decision: of a comparison rather than a bit that lies around.
    fn condition(&mut self, bits: Ty, depth: u32) -> Operand {
        if self.smooth && self.c.chance(30) {
            let of = bits.of(Elem::Float(self.real));
            let (a, b) = (self.value(of, depth), self.value(of, depth));
            let preds = [ir::FloatPred::Olt, ir::FloatPred::Ogt, ir::FloatPred::Ule, ir::FloatPred::Une];
            let pred = self.c.pick(&preds).unwrap_or(ir::FloatPred::Olt);
            return self.b.fcmp(pred, of, a, b);
        }
        match self.c.chance(80) {
            true => self.compare(bits, depth.max(1)),
            false => self.value(bits, depth),
        }
    }

    /// The width of an integer.
    fn width(&mut self) -> u32 {
        if self.c.chance(self.odds.odd_width) {
            return self.c.int(1, 128) as u32;
        }
        self.c.pick(&[1, 8, 16, 32, 32, 64, 64, 128]).unwrap_or(32)
    }

    fn lane_count(&mut self) -> u32 {
        self.c.pick(&[2, 2, 4, 4, 3, 8, 5]).unwrap_or(2)
    }

    /// The scalar type of a number.
    fn any_float(&mut self) -> Ty {
        if self.smooth {
            let other = if self.real == FloatKind::Double { FloatKind::Float } else { FloatKind::Double };
            return Ty::float(if self.c.chance(self.odds.rare_format) { other } else { self.real });
        }
        if self.c.chance(self.odds.rare_format) {
            let rare = [FloatKind::Half, FloatKind::X86Fp80, FloatKind::Fp128];
            return Ty::float(self.c.pick(&rare).unwrap_or(FloatKind::Half));
        }
        Ty::float(if self.c.chance(35) { FloatKind::Float } else { FloatKind::Double })
    }

    /// Any type of value.
    fn any_ty(&mut self) -> Ty {
        let scalar = match self.c.chance(if self.smooth { 25 } else { 55 }) {
            true => Ty::int(self.width()),
            false => self.any_float(),
        };
        let wide = scalar.bits() > 64;
        if !wide && self.c.chance(self.odds.vector) {
            let lanes = self.lane_count();
            return scalar.times(lanes);
        }
        scalar
    }

    /// Keeps a value for later use.
    fn keep(&mut self, value: Operand, ty: Ty) {
        self.known.push(Known { value, ty });
    }

    fn mark(&self) -> Mark {
        Mark { known: self.known.len(), arrays: self.arrays.len(), records: self.records.len(), heap: self.heap.len() }
    }

    /// Ends a region: what it knew is forgotten, what it had on the heap is freed.
    fn forget(&mut self, mark: Mark) {
        self.free_above(mark.heap);
        self.heap.truncate(mark.heap);
        self.known.truncate(mark.known);
        self.arrays.truncate(mark.arrays);
        self.records.truncate(mark.records);
    }
}
