//! Atomic instructions (LangRef, "Atomic Memory Ordering Constraints"). They execute one after the other, in one order
//! that all threads see; what their orders order and what not is known to the race detector alone ([`crate::races`]).

use super::{float, int};
use crate::code::AtomicSite;
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::{FloatOp, Loss, Machine, MemAccess};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res};
use crate::races::{Key, Mode, Races};
use crate::value::{Leaf, Pointer, Scalar, mask128};
use ir::{BinOp, IntPred, Ordering, RmwOp};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Does something whose accesses are atomic.
    fn atomically(&mut self, what: impl FnOnce(&mut Self) -> Res) -> Res {
        let Some(races) = self.memory.races() else { return what(self) };
        races.mode = Mode::Atomic;
        let result = what(self);
        if let Some(races) = self.memory.races() {
            races.mode = Mode::Plain;
        }
        result
    }

    /// Tells the race detector what an atomic operation orders.
    fn ordered(&mut self, pointer: Pointer, what: impl FnOnce(&mut Races, Key)) {
        if self.threads.live {
            let key = self.memory.key(pointer);
            if let Some(races) = self.memory.races() {
                what(races, key);
            }
            self.threads.synchronised();
        }
    }

    pub(super) fn atomic_load(&mut self, site: &AtomicSite) -> Res {
        self.atomically(|interp| interp.load(site.dst, site.ptr, 0, site.leaf, site.align))?;
        self.forget(Forgets::AtomicLoad, site.dst, 1);
        let pointer = self.reg(site.ptr).as_ptr();
        self.ordered(pointer, |races, key| races.atomic_load(key, site.order));
        self.threads.sees(pointer, false);
        Ok(())
    }

    pub(super) fn atomic_store(&mut self, site: &AtomicSite) -> Res {
        self.atomically(|interp| interp.store(site.a, site.ptr, 0, site.leaf, site.align))?;
        let pointer = self.reg(site.ptr).as_ptr();
        self.forget_cells(Forgets::AtomicStore, pointer, site.leaf.store_size());
        self.ordered(pointer, |races, key| races.atomic_store(key, site.order, false));
        self.threads.sees(pointer, true);
        Ok(())
    }

    pub(super) fn fence(&mut self, order: Ordering) {
        if let Some(races) = self.memory.races() {
            races.fence(order);
        }
    }

    pub(super) fn cmpxchg(&mut self, site: &AtomicSite, weak: bool) -> Res {
        self.atomically(|interp| interp.compare_exchange(site, weak))
    }

    fn compare_exchange(&mut self, site: &AtomicSite, weak: bool) -> Res {
        let pointer = self.need(self.reg(site.ptr), "the address of a cmpxchg")?.as_ptr();
        let old = self.memory.load(pointer, site.leaf, 1 << site.align)?;
        let size = site.leaf.store_size();
        let kept = if M::SHADOWS { self.memory.shadow(pointer, size).cloned() } else { None };
        let parts = if M::SHADOWS && kept.is_none() && !self.forgets(Forgets::Parts) {
            self.cells_within(pointer, site.leaf)
        } else {
            Vec::new()
        };
        let (expected, new) = (self.reg(site.a), self.reg(site.b));
        let same = self.need(int::icmp(IntPred::Eq, site.leaf.bits(), old, expected), "the comparison of a cmpxchg")?;
        let another = || {
            let none = M::Shadow::default();
            M::SHADOWS && self.machine.tells_apart(&self.shadow(site.a), kept.as_ref().unwrap_or(&none))
        };
        let late = self.threads.is_late(pointer) && (weak || another());
        let same = if late { Scalar::wide(0) } else { same };
        if same.lo == 1 {
            self.memory.store(pointer, site.leaf, new, 1 << site.align)?;
            let shadow = self.shadow(site.b);
            if M::SHADOWS && !self.forgets(Forgets::CompareExchange) {
                if !shadow.is_absent() {
                    self.memory.set_shadow(pointer, size, shadow);
                }
                self.store_parts(site.b, pointer);
            }
        }
        let order = if same.lo == 1 { site.order } else { site.failure };
        self.ordered(pointer, |races, key| {
            races.atomic_load(key, order);
            if same.lo == 1 {
                races.atomic_store(key, order, true);
            }
        });
        self.threads.sees(pointer, same.lo == 1);
        self.set_shadowed(site.dst, old, kept.unwrap_or_default());
        self.put_parts(site.dst, site.leaf.bits(), parts);
        self.settle(site.dst);
        self.set(site.dst + 1, same);
        Ok(())
    }

    pub(super) fn rmw(&mut self, site: &AtomicSite) -> Res {
        self.atomically(|interp| interp.read_modify_write(site))
    }

    fn read_modify_write(&mut self, site: &AtomicSite) -> Res {
        let pointer = self.need(self.reg(site.ptr), "the address of an atomicrmw")?.as_ptr();
        let align = 1 << site.align;
        let old = self.memory.load(pointer, site.leaf, align)?;
        let old_shadow = if M::SHADOWS || M::OBSERVES_MEMORY {
            self.loaded_shadow(pointer, site.leaf, old)
        } else {
            M::Shadow::default()
        };
        // The result register serves as the operand slot of the old value, so that the machine sees its shadow.
        let whole = !old_shadow.is_absent();
        self.set_shadowed(site.dst, old, old_shadow);
        if M::SHADOWS && !whole && !self.forgets(Forgets::Parts) {
            self.load_parts(site.dst, pointer, site.leaf);
        }
        self.forget(Forgets::AtomicSum, site.dst, 1);
        let operand = self.reg(site.a);
        let Some(op) = site.rmw else { return Err(Fault::bug("an atomicrmw without an operation")) };
        let (new, shadow) = self.rmw_value(op, site, old, operand)?;
        self.memory.store(pointer, site.leaf, new, align)?;
        self.ordered(pointer, |races, key| {
            races.atomic_load(key, site.order);
            races.atomic_store(key, site.order, true);
        });
        self.threads.sees(pointer, true);
        if M::OBSERVES_MEMORY {
            let access = MemAccess { pointer, leaf: site.leaf, at: self.here() };
            self.machine.store(&access, new, &shadow);
        }
        if M::SHADOWS && !shadow.is_absent() {
            self.memory.set_shadow(pointer, site.leaf.store_size(), shadow);
        }
        if M::SHADOWS && op == RmwOp::Xchg && !self.forgets(Forgets::Exchange) {
            self.store_parts(site.a, pointer);
        }
        Ok(())
    }

    fn rmw_value(&mut self, op: RmwOp, site: &AtomicSite, old: Scalar, operand: Scalar) -> Res<(Scalar, M::Shadow)> {
        let none = M::Shadow::default();
        if op == RmwOp::Xchg {
            let forgotten = self.forgets(Forgets::Exchange);
            return Ok((operand, if forgotten { none } else { self.shadow(site.a) }));
        }
        if !old.is_init() || !operand.is_init() {
            return Ok((float::absorb(old, operand), none));
        }
        let (a, b, width) = (old.bits(), operand.bits(), site.leaf.bits());
        if let Leaf::Float(kind) = site.leaf {
            let (rule, bits) = match op {
                RmwOp::FAdd => (rules::Op::FAdd, float::arithmetic(BinOp::FAdd, kind, a, b)),
                RmwOp::FSub => (rules::Op::FSub, float::arithmetic(BinOp::FSub, kind, a, b)),
                RmwOp::FMax | RmwOp::FMin => {
                    let rule = if op == RmwOp::FMax { rules::Op::Fmax } else { rules::Op::Fmin };
                    (rule, super::math::value(rule, crate::host::find(rule, kind), kind, &[(a, kind), (b, kind)], &[]))
                }
                _ => return Err(Fault::bug("an integer atomicrmw on a number")),
            };
            let result = Scalar::wide(bits);
            let args = [(site.dst, kind), (site.a, kind)];
            let shadow = self.float_shadow(FloatOp::Rule(rule), 0, kind, &args, &[], result);
            return Ok((result, shadow));
        }
        let mut left = none;
        if M::SHADOWS {
            self.consume_now(&[site.dst, site.a], Loss::Bits);
            left = std::mem::take(&mut self.residue);
        }
        let mask = mask128(width);
        let (sa, sb) = (int::sign_extend(a, width), int::sign_extend(b, width));
        let bits = match op {
            RmwOp::Add => a.wrapping_add(b),
            RmwOp::Sub => a.wrapping_sub(b),
            RmwOp::And => a & b,
            RmwOp::Nand => !(a & b),
            RmwOp::Or => a | b,
            RmwOp::Xor => a ^ b,
            RmwOp::Max => {
                if sa > sb {
                    a
                } else {
                    b
                }
            }
            RmwOp::Min => {
                if sa < sb {
                    a
                } else {
                    b
                }
            }
            RmwOp::UMax => a.max(b),
            RmwOp::UMin => a.min(b),
            RmwOp::UIncWrap => {
                if a >= b {
                    0
                } else {
                    a + 1
                }
            }
            RmwOp::UDecWrap => {
                if a == 0 || a > b {
                    b
                } else {
                    a - 1
                }
            }
            RmwOp::Xchg | RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin => {
                return Err(Fault::bug("a floating-point atomicrmw on an integer"));
            }
        };
        Ok((Scalar::wide(bits & mask), left))
    }
}
