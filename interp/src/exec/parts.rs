//! Shadows that travel in other clothes.
//!
//! Optimised code moves floating-point cells as integers: two `float`s as one `i64`, taken apart again by a shift and a
//! truncation (C structures passed in registers, small `memcpy`s). A register then carries the shadows of the cells
//! inside it as *parts*, each at its bit offset, beside the shadow that covers it whole. Moves, shifts by a known
//! amount, truncation, extension, `or` of disjoint halves, masks and bit casts keep parts whole; an operation that cuts
//! into a part ends it, and the machine is told.

use crate::code::Slot;
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::threads::frame::Part;
use crate::value::{Leaf, Pointer};
use ir::BinOp;

/// What an integer operation does to the places of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// Bits stay where they are; those from `width` on are gone.
    Keep,
    /// Toward higher bits.
    Up(u64),
    /// Toward lower bits.
    Down(u64),
    /// Of each operand, only the bits of its mask stay as they are.
    Masks([u128; 2]),
}

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Tells the machine that integer operations take the bits of registers with shadows.
    #[inline(always)]
    pub(super) fn consume(&mut self, slots: &[Slot]) {
        if M::SHADOWS && self.any_shadow(slots) {
            self.consume_now(slots, Loss::Bits);
        }
    }

    /// Tells the machine that an address is made of registers with shadows, if it follows addresses.
    #[inline(always)]
    pub(super) fn address(&mut self, slots: &[Slot]) {
        if M::FOLLOWS_ADDRESSES {
            self.consume(slots);
        }
    }

    /// Tells the machine that the shadows of registers end.
    pub(crate) fn consume_now(&mut self, slots: &[Slot], why: Loss) {
        for slot in slots {
            let shadow = self.shadow(*slot);
            if !shadow.is_absent() {
                self.lose(&shadow, why);
            }
        }
        if !self.parts.is_empty() {
            self.lose_parts(slots, why);
        }
    }

    /// Tells the machine that a shadow ends. What is left of it goes to the register that the op writes next.
    pub(crate) fn lose(&mut self, shadow: &M::Shadow, why: Loss) {
        let at = self.here();
        let left = self.machine.lost(shadow, why, at);
        if M::FOLLOWS_LOSSES && self.residue.is_absent() && !(why == Loss::Bits && self.forgets(Forgets::Bits)) {
            self.residue = left;
        }
    }

    /// Gives a register that has been written what the ends of shadows left, unless it has a shadow.
    pub(crate) fn settle(&mut self, slot: Slot) {
        if M::FOLLOWS_LOSSES && !self.residue.is_absent() {
            let index = self.base + slot as usize;
            let left = std::mem::take(&mut self.residue);
            if self.shadows[index].is_absent() {
                self.shadows[index] = left;
            }
        }
    }

    /// Copies a register by absolute index, with shadow and parts.
    #[inline(always)]
    pub(crate) fn move_register(&mut self, to: usize, from: usize) {
        self.regs[to] = self.regs[from];
        if M::SHADOWS {
            self.shadows[to] = self.shadows[from].clone();
            if !self.parts.is_empty() {
                self.move_parts(to, from);
            }
        }
    }

    fn move_parts(&mut self, to: usize, from: usize) {
        match self.parts.get(&from).cloned() {
            Some(parts) => drop(self.parts.insert(to, parts)),
            None => drop(self.parts.remove(&to)),
        }
    }

    /// All shadows in a register of `bits` bits: the whole one, or the parts.
    fn parts_of(&self, slot: Slot, bits: u8) -> Vec<Part<M::Shadow>> {
        let index = self.base + slot as usize;
        let whole = &self.shadows[index];
        if !whole.is_absent() {
            return vec![(0, bits, whole.clone())];
        }
        self.parts.get(&index).cloned().unwrap_or_default()
    }

    /// The shadows of parts of a register, if it has any but one for the whole.
    pub(super) fn own_parts(&self, slot: Slot) -> &[Part<M::Shadow>] {
        match self.parts.is_empty() {
            true => &[],
            false => self.parts.get(&(self.base + slot as usize)).map_or(&[], Vec::as_slice),
        }
    }

    /// Gives a register that has just been written its shadows.
    pub(super) fn put_parts(&mut self, slot: Slot, bits: u8, parts: Vec<Part<M::Shadow>>) {
        let index = self.base + slot as usize;
        match parts.as_slice() {
            [] => {}
            [(0, len, shadow)] if *len == bits => self.shadows[index] = shadow.clone(),
            _ => drop(self.parts.insert(index, parts)),
        }
    }

    /// What an operation on these registers (with their widths) keeps for a result of `width` bits. `None`: nothing was
    /// there.
    #[inline(always)]
    pub(super) fn carried(&mut self, how: Carry, slots: &[Slot], from: u8, width: u8) -> Option<Vec<Part<M::Shadow>>> {
        let any = M::SHADOWS && self.any_shadow(slots) && !self.forgets(Forgets::Halves);
        if any { self.carried_now(how, slots, from, width) } else { None }
    }

    /// The same for an operation on wide integers, by the values of its operands. A bit stays under `and` where the
    /// other operand has a one, under `or` where it has a zero.
    pub(super) fn carried_wide(
        &mut self,
        op: BinOp,
        [value, by]: [u128; 2],
        [a, b]: [Slot; 2],
        width: u8,
    ) -> Option<Vec<Part<M::Shadow>>> {
        match op {
            BinOp::Or => self.carried(Carry::Masks([!by, !value]), &[a, b], width, width),
            BinOp::And => self.carried(Carry::Masks([by, value]), &[a, b], width, width),
            BinOp::Shl => self.carried(Carry::Up(by as u64), &[a], width, width),
            BinOp::LShr | BinOp::AShr => self.carried(Carry::Down(by as u64), &[a], width, width),
            _ => {
                if M::SHADOWS {
                    self.consume_now(&[a, b], Loss::Bits);
                }
                None
            }
        }
    }

    fn carried_now(&mut self, how: Carry, slots: &[Slot], from: u8, width: u8) -> Option<Vec<Part<M::Shadow>>> {
        let mut found: Vec<(usize, Part<M::Shadow>)> = Vec::new();
        for (n, slot) in slots.iter().enumerate() {
            found.extend(self.parts_of(*slot, from).into_iter().map(|part| (n, part)));
        }
        if found.is_empty() {
            return None;
        }
        let mut kept: Vec<Part<M::Shadow>> = Vec::new();
        let mut cut: Vec<M::Shadow> = Vec::new();
        for (n, (at, len, shadow)) in found {
            let (first, last) = (i64::from(at), i64::from(at) + i64::from(len));
            let (first, last) = match how {
                Carry::Keep | Carry::Masks(_) => (first, last),
                Carry::Up(by) => (first.saturating_add_unsigned(by), last.saturating_add_unsigned(by)),
                Carry::Down(by) => (first.saturating_sub_unsigned(by), last.saturating_sub_unsigned(by)),
            };
            let (mut inside, mut outside) =
                (first >= 0 && last <= i64::from(width), last <= 0 || first >= i64::from(width));
            if let (Carry::Masks(masks), true) = (how, inside) {
                let bits = crate::value::mask128(len) << first;
                inside = masks[n] & bits == bits;
                outside = masks[n] & bits == 0;
            }
            let overlaps = kept.iter().any(|(a, n, _)| i64::from(*a) < last && first < i64::from(*a) + i64::from(*n));
            if inside && !overlaps {
                kept.push((first as u8, len, shadow));
            } else if !outside {
                cut.push(shadow);
            }
        }
        for shadow in &cut {
            self.lose(shadow, Loss::Bits);
        }
        kept.sort_by_key(|(first, _, _)| *first);
        Some(kept)
    }

    /// Puts what [`Engine::carried`] kept on the result.
    #[inline(always)]
    pub(super) fn put_carried(&mut self, dst: Slot, width: u8, carried: Option<Vec<Part<M::Shadow>>>) {
        if M::SHADOWS
            && let Some(parts) = carried
        {
            self.put_parts(dst, width, parts);
        }
    }

    /// The shadows of a bit cast's operand, by bit offset in the whole.
    pub(super) fn cast_parts(&self, src: Slot, leaves: &[Leaf]) -> Vec<(u32, u8, M::Shadow)> {
        let mut out = Vec::new();
        let mut at = 0;
        for (slot, leaf) in (src..).zip(leaves) {
            out.extend(
                self.parts_of(slot, leaf.bits()).into_iter().map(|(first, len, s)| (at + u32::from(first), len, s)),
            );
            at += u32::from(leaf.bits());
        }
        out
    }

    /// Gives the leaves of a bit cast's result the parts that lie inside them; parts that are cut are lost.
    pub(super) fn put_cast_parts(&mut self, dst: Slot, leaves: &[Leaf], parts: Vec<(u32, u8, M::Shadow)>) {
        let mut rest = parts;
        let mut at = 0;
        for (slot, leaf) in (dst..).zip(leaves) {
            let end = at + u32::from(leaf.bits());
            let (inside, others): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|(first, len, _)| *first >= at && first + u32::from(*len) <= end);
            let inside = inside.into_iter().map(|(first, len, s)| ((first - at) as u8, len, s)).collect();
            self.put_parts(slot, leaf.bits(), inside);
            rest = others;
            at = end;
        }
        for (first, len, shadow) in &rest {
            let mut at = 0;
            for (slot, leaf) in (dst..).zip(leaves) {
                let end = at + u32::from(leaf.bits());
                if *first < end && at < first + u32::from(*len) {
                    self.lose(shadow, Loss::Bits);
                    self.settle(slot);
                }
                at = end;
            }
        }
    }

    /// The cells inside a loaded leaf go with it; cells that the load cuts are lost.
    pub(super) fn load_parts(&mut self, dst: Slot, pointer: Pointer, leaf: Leaf) {
        let parts = self.cells_within(pointer, leaf);
        self.put_parts(dst, leaf.bits(), parts);
        self.settle(dst);
    }

    /// The cells inside a leaf in memory; those that it cuts are lost.
    pub(super) fn cells_within(&mut self, pointer: Pointer, leaf: Leaf) -> Vec<Part<M::Shadow>> {
        let size = leaf.store_size();
        let cells = self.memory.touched_shadows(pointer, size);
        let mut parts = Vec::new();
        for (offset, len, shadow) in cells {
            if offset >= 0 && offset as u64 + u64::from(len) <= size {
                parts.push((8 * offset as u8, 8 * len, shadow));
            } else {
                self.lose(&shadow, Loss::Bits);
            }
        }
        parts
    }

    /// The parts of a stored register become cells.
    pub(super) fn store_parts(&mut self, src: Slot, pointer: Pointer) {
        let parts = self.own_parts(src).to_vec();
        self.store_bytes_of(parts, pointer);
    }

    /// Parts of a value that has been stored become cells, if they are whole bytes.
    pub(super) fn store_bytes_of(&mut self, parts: impl IntoIterator<Item = Part<M::Shadow>>, pointer: Pointer) {
        for (first, len, shadow) in parts {
            if first % 8 == 0 && len % 8 == 0 {
                self.memory.set_shadow(pointer.offset(i64::from(first / 8)), u64::from(len / 8), shadow);
            }
        }
    }

    /// Tells the machine of parts that end because an operation takes the register's bits.
    pub(super) fn lose_parts(&mut self, slots: &[Slot], why: Loss) {
        for slot in slots {
            let index = self.base + *slot as usize;
            if let Some(parts) = self.parts.get(&index).cloned() {
                parts.iter().for_each(|(_, _, shadow)| self.lose(shadow, why));
            }
        }
    }

    /// Registers that are taken for numbers: parts of their bits, put together otherwise than they were, are lost.
    #[cold]
    pub(crate) fn join_parts(&mut self, args: &[(Slot, ir::FloatKind)]) {
        args.iter().for_each(|(slot, _)| self.join(*slot));
    }

    /// A register that is taken for a number, or leaves the machine as a result.
    pub(crate) fn join(&mut self, slot: Slot) {
        let index = self.base + slot as usize;
        if let Some(parts) = self.parts.remove(&index) {
            parts.iter().for_each(|(_, _, shadow)| self.lose(shadow, Loss::Bits));
            self.settle(slot);
        }
    }
}
