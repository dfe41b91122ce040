//! Loops: tested above or below, counted up or down in any width, with values, addresses and whole buffers that go
//! round, left and gone on with from within.

use super::memory::Array;
use super::{Around, Body, Ty};
use ir::{BinOp, BlockId, IntPred, Operand};

/// What goes round.
struct Carried {
    phi: Operand,
    ty: Ty,
}

impl Body<'_, '_> {
    pub(super) fn repeat(&mut self) {
        let trips = self.c.int(1, self.odds.trips.max(1)) as u64;
        let below = self.c.chance(45);
        let counter_ty = Ty::int(self.c.pick(&[32, 64, 64, 8, 16, 7]).unwrap_or(64));
        let down = self.c.chance(20);
        let step = self.c.pick(&[1u64, 1, 1, 3]).unwrap_or(1);
        let limit = self.limit(counter_ty, trips, step, below);
        let carried_tys = self.handed_on(2);
        let starts: Vec<Operand> = carried_tys.iter().map(|ty| self.value(*ty, 1)).collect();
        let walk = self.array_where(|a| u64::from(a.len) >= trips).filter(|_| self.c.chance(20));
        let swapped = self.swapped().filter(|_| self.c.chance(35));

        let entry = self.b.block;
        let (header, latch, exit) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        self.b.br(header);
        self.b.block = header;
        let zero = self.b.bits(counter_ty, 0);
        let first = if down { limit } else { zero };
        let id = self.b.ty(counter_ty);
        let counter = self.b.phi(id, vec![(first, entry)]);
        let mut carried = Vec::new();
        for (ty, start) in carried_tys.iter().zip(starts) {
            let id = self.b.ty(*ty);
            carried.push(Carried { phi: self.b.phi(id, vec![(start, entry)]), ty: *ty });
        }
        let ptr = self.b.module.types.ptr();
        let walker = walk.map(|array| (array, self.b.phi(ptr, vec![(array.base, entry)])));
        let buffers =
            swapped.map(|(a, b)| (a, self.b.phi(ptr, vec![(a.base, entry)]), self.b.phi(ptr, vec![(b.base, entry)])));

        let around = self.ways_out(&carried, latch, exit);
        self.b.block = header;
        if !below {
            let body = self.b.new_block();
            let goes_on = if down {
                self.b.icmp(IntPred::Ne, counter_ty, counter, zero)
            } else {
                self.b.icmp(IntPred::Ult, counter_ty, counter, limit)
            };
            self.b.cond_br(goes_on, body, exit);
            for ((phi, _), value) in around.exits.iter().zip(&carried) {
                self.b.add_incoming(*phi, value.phi, header);
            }
            self.b.block = body;
        }
        let mark = self.mark();
        self.factor *= trips;
        self.depth += 1;
        self.around.push(around.clone());
        self.keep(counter, counter_ty);
        for value in &carried {
            self.keep(value.phi, value.ty);
        }
        if let Some((array, phi)) = walker {
            self.arrays.push(Array { base: phi, len: 1, root: None, ..array });
        }
        if let Some((array, a, b)) = buffers {
            self.arrays.push(Array { base: a, root: None, ..array });
            self.arrays.push(Array { base: b, root: None, ..array });
        }
        self.statements(self.odds.statements * 2 / 3);
        let nexts: Vec<Operand> = around.latches.iter().map(|(_, ty)| self.value(*ty, 2)).collect();
        self.forget(mark);
        for ((phi, _), value) in around.latches.iter().zip(nexts) {
            self.b.add_incoming(*phi, value, self.b.block);
        }
        self.b.br(latch);
        self.around.pop();
        self.depth -= 1;
        self.factor /= trips;

        self.b.block = latch;
        let by = self.b.bits(counter_ty, u128::from(step));
        let op = if down { BinOp::Sub } else { BinOp::Add };
        let next = self.b.binary(op, counter_ty, counter, by);
        if let Some((array, phi)) = walker {
            let (cell, one) = (self.b.ty(array.cell), self.b.i64(1));
            let moved = self.b.gep(cell, phi, vec![one]);
            self.b.add_incoming(phi, moved, latch);
        }
        if let Some((_, a, b)) = buffers {
            self.b.add_incoming(a, b, latch);
            self.b.add_incoming(b, a, latch);
        }
        self.b.add_incoming(counter, next, latch);
        for (value, (phi, _)) in carried.iter().zip(&around.latches) {
            self.b.add_incoming(value.phi, *phi, latch);
        }
        if below {
            let goes_on = if down {
                self.b.icmp(IntPred::Ne, counter_ty, next, zero)
            } else {
                self.b.icmp(IntPred::Ult, counter_ty, next, limit)
            };
            self.b.cond_br(goes_on, header, exit);
            for ((phi, _), (value, _)) in around.exits.iter().zip(&around.latches) {
                self.b.add_incoming(*phi, *value, latch);
            }
        } else {
            self.b.br(header);
        }
        self.b.block = exit;
        for (phi, ty) in &around.exits {
            self.keep(*phi, *ty);
        }
    }

    /// The last number of a counter: a constant, or what only the run knows. Downwards it is a multiple of the step.
    fn limit(&mut self, ty: Ty, trips: u64, step: u64, below: bool) -> Operand {
        let most = trips * step;
        if self.c.chance(60) {
            return self.b.bits(ty, u128::from(most));
        }
        // Tested below, a loop runs at least once.
        let least = u64::from(below);
        let value = self.value(ty, 1);
        let range = self.b.bits(ty, u128::from(trips + 1 - least));
        let some = self.b.binary(BinOp::URem, ty, value, range);
        let least = self.b.bits(ty, u128::from(least));
        let some = self.b.binary(BinOp::Add, ty, some, least);
        let step = self.b.bits(ty, u128::from(step));
        self.b.binary(BinOp::Mul, ty, some, step)
    }

    /// Two arrays of one shape.
    fn swapped(&mut self) -> Option<(Array, Array)> {
        let one = self.some_array()?;
        let other = self.array_where(|a| a.cell == one.cell)?;
        let both = Array { len: one.len.min(other.len), writable: one.writable && other.writable, root: None, ..one };
        Some((both, other))
    }

    /// The phis of the exit and of the latch, without entries yet.
    fn ways_out(&mut self, carried: &[Carried], latch: BlockId, exit: BlockId) -> Around {
        let mut phis = |block: BlockId| -> Vec<(Operand, Ty)> {
            self.b.block = block;
            let one = |value: &Carried| {
                let id = value.ty.id(&mut self.b.module.types);
                (self.b.phi(id, Vec::new()), value.ty)
            };
            carried.iter().map(one).collect()
        };
        let (exits, latches) = (phis(exit), phis(latch));
        Around { exit, latch, exits, latches, heap: self.heap.len() }
    }
}
