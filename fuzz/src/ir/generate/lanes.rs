//! Vectors: lanes taken out and put in, shuffles, reductions, the same bits in other lanes.

use super::Body;
use crate::ir::ty::{Elem, Ty};
use ir::{BinOp, CastOp, FloatKind, InstKind, Operand};

/// Reductions of integers.
const REDUCTIONS: [&str; 9] = ["add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"];

impl Body<'_, '_> {
    /// A value by way of the lanes of vectors.
    pub(super) fn lanes(&mut self, ty: Ty, depth: u32) -> Operand {
        match ty.lanes {
            None => self.out_of_vector(ty, depth),
            Some(lanes) => self.rearranged(ty, lanes, depth),
        }
    }

    /// A scalar out of a vector.
    fn out_of_vector(&mut self, ty: Ty, depth: u32) -> Operand {
        let lanes = self.lane_count();
        let of = ty.times(lanes);
        let vector = self.value(of, depth);
        let (id, of_id) = (self.b.ty(ty), self.b.ty(of));
        if let (Elem::Int(_), true) = (ty.elem, self.c.chance(40)) {
            let name = self.c.pick(&REDUCTIONS).unwrap_or("add");
            let name = format!("llvm.vector.reduce.{name}.{}", of.suffix());
            return self.b.intrinsic(&name, id, &[of_id], vec![vector]);
        }
        if let (Some(FloatKind::Float | FloatKind::Double), true) = (ty.kind(), self.c.chance(30)) {
            let start = self.leaf(ty);
            let name = if self.c.chance(60) { "fadd" } else { "fmul" };
            let name = format!("llvm.vector.reduce.{name}.{}", of.suffix());
            let sum = self.b.intrinsic(&name, id, &[id, of_id], vec![start, vector]);
            return if self.smooth { self.scaled(ty, sum, 1.0 / f64::from(lanes + 1)) } else { sum };
        }
        let index = self.index(lanes);
        self.b.emit(InstKind::ExtractElement { vector, index }, id)
    }

    /// A vector with lanes of others.
    fn rearranged(&mut self, ty: Ty, lanes: u32, depth: u32) -> Operand {
        let id = self.b.ty(ty);
        match self.c.index(5) {
            0 => {
                let (vector, value) = (self.value(ty, depth), self.value(ty.lane(), depth));
                let index = self.index(lanes);
                self.b.emit(InstKind::InsertElement { vector, value, index }, id)
            }
            1 | 2 => {
                let from = self.lane_count();
                let of = ty.lane().times(from);
                let (a, b) = (self.value(of, depth), self.value(of, depth));
                let mask = (0..lanes).map(|_| Some(self.c.int(0, i64::from(2 * from) - 1) as u32)).collect();
                self.b.emit(InstKind::ShuffleVector { a, b, mask }, id)
            }
            3 => {
                // Built lane by lane, from poison.
                let mut vector = self.b.poison(id);
                for lane in 0..lanes {
                    let value = self.value(ty.lane(), depth.min(1));
                    let index = self.b.i32(lane);
                    vector = self.b.emit(InstKind::InsertElement { vector, value, index }, id);
                }
                vector
            }
            _ => {
                let vector = self.value(ty, depth);
                self.b.uniform("llvm.vector.reverse", ty, vec![vector])
            }
        }
    }

    /// The same bits as another type.
    pub(super) fn bitcast(&mut self, ty: Ty, depth: u32) -> Operand {
        let bits = ty.bits();
        match ty.lanes {
            // A number's bits, where it is no NaN.
            None if !self.smooth && matches!(bits, 16 | 32 | 64 | 80 | 128) && self.c.chance(50) => {
                let kind = match bits {
                    16 => FloatKind::Half,
                    32 => FloatKind::Float,
                    64 => FloatKind::Double,
                    80 => FloatKind::X86Fp80,
                    _ => FloatKind::Fp128,
                };
                let value = self.value(Ty::float(kind), depth);
                self.bits_of(Ty::float(kind), value)
            }
            None => {
                let lanes: Vec<u32> = (2..=8).filter(|n| bits.is_multiple_of(*n)).collect();
                let Some(lanes) = self.c.pick(&lanes) else { return self.leaf(ty) };
                let vector = self.value(Ty::int(bits / lanes).times(lanes), depth);
                self.b.cast(CastOp::BitCast, ty, vector)
            }
            Some(lanes) if lanes * bits <= 128 => {
                let whole = self.value(Ty::int(lanes * bits), depth);
                self.b.cast(CastOp::BitCast, ty, whole)
            }
            Some(_) => self.leaf(ty),
        }
    }

    /// The bits of a number, or of each lane; of a NaN always the same ones.
    pub(super) fn bits_of(&mut self, ty: Ty, value: Operand) -> Operand {
        let of = ty.of(Elem::Int(ty.bits()));
        let raw = self.b.cast(CastOp::BitCast, of, value);
        let nan = self.b.fcmp(ir::FloatPred::Uno, ty, value, value);
        let some = self.b.bits(of, 0x7e57);
        let id = self.b.ty(of);
        self.b.select(id, nan, some, raw)
    }

    /// Adds a value to the hash.
    pub(super) fn mix(&mut self, value: Operand, ty: Ty) {
        let Some(hash) = self.hash else { return };
        let word = Ty::int(64);
        let (value, ty) = match ty.elem {
            Elem::Float(_) => (self.bits_of(ty, value), ty.of(Elem::Int(ty.bits()))),
            Elem::Int(_) => (value, ty),
            Elem::Ptr => return,
        };
        let mut words = Vec::new();
        match ty.lanes {
            Some(lanes) if lanes * ty.bits() > 128 => {
                for lane in 0..lanes {
                    let (id, index) = (self.b.ty(ty.lane()), self.b.i32(lane));
                    let one = self.b.emit(InstKind::ExtractElement { vector: value, index }, id);
                    self.words(one, ty.bits(), &mut words);
                }
            }
            Some(lanes) => {
                let whole = self.b.cast(CastOp::BitCast, Ty::int(lanes * ty.bits()), value);
                self.words(whole, lanes * ty.bits(), &mut words);
            }
            None => self.words(value, ty.bits(), &mut words),
        }
        let id = self.b.ty(word);
        let mut state = self.b.load(id, hash, 8);
        for each in words {
            // A multiplication and an addition: enough that two differences do not cancel.
            let factor = self.b.i64(0x9e37_79b9_7f4a_7c15);
            state = self.b.binary(BinOp::Mul, word, state, factor);
            state = self.b.binary(BinOp::Add, word, state, each);
        }
        self.b.store(state, hash, 8);
    }

    /// An integer as words.
    fn words(&mut self, value: Operand, bits: u32, out: &mut Vec<Operand>) {
        let (word, whole) = (Ty::int(64), Ty::int(bits));
        match bits {
            64 => out.push(value),
            0..64 => out.push(self.b.cast(CastOp::ZExt, word, value)),
            _ => {
                out.push(self.b.cast(CastOp::Trunc, word, value));
                let amount = self.b.bits(whole, 64);
                let high = self.b.binary(BinOp::LShr, whole, value, amount);
                out.push(self.b.cast(CastOp::Trunc, word, high));
            }
        }
    }
}
