//! The quick loop: executes the quick form of a function ([`crate::code::QuickCode`]) up to an op that is not quick.
//!
//! Registers, memory and the step counter are borrowed apart, so that no call to the rest of the engine stands in the
//! way of keeping them in the host's registers. What watches the execution, if anything does, is told by [`Beside`];
//! for a machine without shadows and one thread nothing of it is compiled in.

mod access;
mod arithmetic;

use super::beside::Beside;
use super::{both_init, float, int, signed};
use crate::code::{Code, Quick, QuickCode, Slot};
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::value::{Scalar, mask64};
use access::{Cell, Element};
use arithmetic::{add_nsw, add_nuw, compare, compare_floats, divide, mul_nsw, shifted, sign_extended, sub_nsw, to_int};
use ir::{FloatKind, FloatPred};
use rules::Op as Rule;

const D: FloatKind = FloatKind::Double;

/// The most ops that a quick op does the work of.
const LONGEST: u64 = 2;

/// Where the loop goes on.
#[derive(Clone, Copy)]
enum Then {
    /// At the next op.
    Next,
    /// Where an edge has led.
    There,
}

/// Nothing if the op has to be executed as it stands. A quick op has changed nothing then.
type Passed = Option<Then>;

/// What the loop works on. Nothing takes the address of the whole: it lies in the host's registers.
struct Run<'a, 'm, M: Machine, const THREADS: bool> {
    quick: &'a QuickCode,
    regs: &'a mut [Scalar],
    memory: &'a mut Memory<M::Shadow>,
    beside: &'a mut Beside<'m, M>,
    /// The next op.
    pc: usize,
    steps: u64,
    /// Where the steps are compared with the limits.
    limit: u64,
    /// Ops that are left of the thread's turn.
    turn: u64,
}

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Executes from `pc` on; the index of the op that has to be executed as it stands. `THREADS` as in
    /// [`Engine::run_on`].
    pub(super) fn quick<const THREADS: bool>(&mut self, code: &Code, pc: usize) -> usize {
        if M::SHADOWS && self.machine.is_planted() {
            return pc;
        }
        let watched = Run::<M, THREADS>::WATCHED;
        if (!watched && !self.memory.is_quick()) || (M::SHADOWS && !self.parts.is_empty()) {
            return pc;
        }
        let frame = self.base..self.base + code.frame;
        let Some(regs) = self.regs.get_mut(frame.clone()) else { return pc };
        let shadows = if M::SHADOWS { self.shadows.get_mut(frame) } else { Some(&mut [][..]) };
        let Some(shadows) = shadows else { return pc };
        let context = if THREADS { self.threads.context } else { 0 };
        let mut beside = Beside { machine: &mut self.machine, shadows, func: self.func, origin: &code.origin, context };
        let mut run = Run::<M, THREADS> {
            quick: &code.quick,
            regs,
            memory: &mut self.memory,
            beside: &mut beside,
            pc,
            steps: self.steps,
            limit: self.next_check,
            turn: self.threads.turn,
        };
        while !THREADS || run.turn >= LONGEST {
            match run.op() {
                Some(Then::Next) => run.pass(),
                Some(Then::There) => {}
                None => break,
            }
        }
        let (pc, steps, turn) = (run.pc, run.steps, run.turn);
        self.steps = steps;
        if THREADS {
            self.threads.turn = turn;
        }
        pc
    }
}

impl<M: Machine, const THREADS: bool> Run<'_, '_, M, THREADS> {
    /// Does anybody learn of accesses?
    const WATCHED: bool = THREADS || M::SHADOWS || M::OBSERVES_MEMORY;

    /// Executes the next op.
    #[inline(always)]
    fn op(&mut self) -> Passed {
        match self.quick.ops[self.pc] {
            Quick::Leave => None,
            Quick::Jump { hop } => self.follow(hop),
            Quick::Branch { cond, hop } => self.branch(cond, hop),
            Quick::BranchCmp { cmp, shift, a, b, hop } => {
                self.branch_cmp([a, b], hop, |x, y| compare(cmp, x, y, shift))
            }
            Quick::BranchFloat { pred, dst, a, b, hop } => self.branch_float(pred, dst, [a, b], hop),
            Quick::ICmp { cmp, shift, dst, a, b } => {
                self.word(dst, a, b, |x, y| Some(compare(cmp, x, y, shift).into()))
            }
            Quick::Add { dst, a, b, mask } => self.word(dst, a, b, |x, y| Some(x.wrapping_add(y) & mask)),
            Quick::AddNsw { dst, a, b, shift } => self.word(dst, a, b, |x, y| add_nsw(x, y, shift)),
            Quick::AddNuw { dst, a, b, shift, nsw } => self.word(dst, a, b, |x, y| add_nuw(x, y, shift, nsw)),
            Quick::Sub { dst, a, b, mask } => self.word(dst, a, b, |x, y| Some(x.wrapping_sub(y) & mask)),
            Quick::SubNsw { dst, a, b, shift } => self.word(dst, a, b, |x, y| sub_nsw(x, y, shift)),
            Quick::Mul { dst, a, b, mask } => self.word(dst, a, b, |x, y| Some(x.wrapping_mul(y) & mask)),
            Quick::MulNsw { dst, a, b, shift } => self.word(dst, a, b, |x, y| mul_nsw(x, y, shift)),
            Quick::Divide { op, dst, a, b, shift } => self.word(dst, a, b, |x, y| divide(op, x, y, shift)),
            Quick::And { dst, a, b } => self.word(dst, a, b, |x, y| Some(x & y)),
            Quick::Or { dst, a, b } => self.word(dst, a, b, |x, y| Some(x | y)),
            Quick::Xor { dst, a, b } => self.word(dst, a, b, |x, y| Some(x ^ y)),
            Quick::Shl { dst, a, b, width } => {
                self.word(dst, a, b, |x, y| shifted(y, width, || x << y & mask64(width)))
            }
            Quick::LShr { dst, a, b, width } => self.word(dst, a, b, |x, y| shifted(y, width, || x >> y)),
            Quick::AShr { dst, a, b, width } => {
                self.word(dst, a, b, |x, y| shifted(y, width, || (signed(x, width) >> y) as u64 & mask64(width)))
            }
            Quick::Promised { op, dst, a, b, width, flags } => self.promised(op, dst, [a, b], width, flags),
            Quick::Trunc { dst, a, mask } => self.bits(dst, a, |x| Some(Scalar::word(x.lo & mask))),
            Quick::TruncPromised { dst, a, from, to, flags } => self.bits(dst, a, |x| int::trunc(x, from, to, flags)),
            Quick::ZExt { dst, a, clear } => self.bits(dst, a, |x| if x.lo & clear == 0 { Some(x) } else { None }),
            Quick::SExt { dst, a, from, to } => self.bits(dst, a, |x| Some(sign_extended(x, from, to))),
            Quick::FromInt { dst, a, from, signed } => self.number_of_int(dst, a, from, signed),
            Quick::ToInt { dst, a, from, width } => self.bits(dst, a, |x| to_int(x, from, width)),
            Quick::Resize { dst, a, from, to } => self.resize(dst, a, from, to),
            Quick::FCmp { pred, dst, a, b } => {
                self.float_cmp(dst, [a, b], pred, D, |x, y| compare_floats(pred, x.as_f64(), y.as_f64()))
            }
            Quick::FloatCmp { pred, kind, dst, a, b } => {
                self.float_cmp(dst, [a, b], pred, kind, |x, y| pred.holds(float::order(kind, x.bits(), y.bits())))
            }
            Quick::FAdd { dst, a, b } => self.double(Rule::FAdd, dst, a, b, |x, y| x + y),
            Quick::FSub { dst, a, b } => self.double(Rule::FSub, dst, a, b, |x, y| x - y),
            Quick::FMul { dst, a, b } => self.double(Rule::FMul, dst, a, b, |x, y| x * y),
            Quick::FDiv { dst, a, b } => self.double(Rule::FDiv, dst, a, b, |x, y| x / y),
            Quick::FMulAdd { dst, a, b, c } => self.mul_add(dst, a, b, c),
            Quick::FNeg { dst, a } => self.negate(dst, a),
            Quick::Float { op, kind, dst, a, b } => self.float(op, kind, dst, [a, b]),
            Quick::Copy { dst, a } => self.copy(dst, a),
            Quick::Select { dst, cond, a, b } => self.select(dst, cond, a, b),
            Quick::Load { size, align, number, dst, ptr, offset } => {
                self.load(dst, ptr, offset, Cell { size, align, number })
            }
            Quick::LoadPtr { align, dst, ptr, offset } => self.load_ptr(dst, ptr, offset, align),
            Quick::Store { size, align, number, src, ptr, offset } => {
                self.store(src, ptr, offset, Cell { size, align, number })
            }
            Quick::StorePtr { align, src, ptr, offset } => self.store_ptr(src, ptr, offset, align),
            Quick::GepConst { dst, base, offset, inbounds } => self.field(dst, base, offset, inbounds),
            Quick::GepIndex { dst, base, index, scale, offset, width, inbounds } => {
                let offset = i64::from(offset);
                self.element(dst, Element { base, index, scale, offset, width, inbounds })
            }
            Quick::GepLoad { dst, base, index, scale, into, width, size, align, number } => {
                let element = Element { base, index, scale, offset: 0, width, inbounds: true };
                self.load_element(dst, element, into, Cell { size, align, number })
            }
            Quick::GepStore { dst, base, index, scale, src, width, size, align, number } => {
                let element = Element { base, index, scale, offset: 0, width, inbounds: true };
                self.store_element(dst, element, src, Cell { size, align, number })
            }
            Quick::LoadSExt { align, dst, ptr, wide, to } => self.load_extended(dst, ptr, align, wide, to),
        }
    }

    /// Goes on one op further. A turn has an op less; the last ones are left to the ops themselves.
    #[inline(always)]
    fn pass(&mut self) {
        self.pc += 1;
        if THREADS {
            self.turn -= 1;
        }
    }
}

/// Operands and results.
impl<M: Machine, const THREADS: bool> Run<'_, '_, M, THREADS> {
    #[inline(always)]
    fn defined(&self, a: Slot) -> Option<Scalar> {
        let x = self.regs[a as usize];
        if x.is_init() { Some(x) } else { None }
    }

    #[inline(always)]
    fn both(&self, a: Slot, b: Slot) -> Option<(Scalar, Scalar)> {
        let (x, y) = (self.regs[a as usize], self.regs[b as usize]);
        if both_init(x, y) { Some((x, y)) } else { None }
    }

    /// Nothing, unless one has a shadow: it does not go with what is made of the bits.
    #[inline(always)]
    fn plain<const N: usize>(&self, slots: [Slot; N]) -> Option<()> {
        if self.beside.absent(slots) { Some(()) } else { None }
    }

    /// The same of parts of an address, if the machine wants to know.
    #[inline(always)]
    fn address<const N: usize>(&self, slots: [Slot; N]) -> Option<()> {
        if M::FOLLOWS_ADDRESSES { self.plain(slots) } else { Some(()) }
    }

    #[inline(always)]
    fn set(&mut self, dst: Slot, value: Scalar) -> Passed {
        self.regs[dst as usize] = value;
        self.beside.clear(dst);
        Some(Then::Next)
    }

    #[inline(always)]
    fn copy(&mut self, dst: Slot, src: Slot) -> Passed {
        self.regs[dst as usize] = self.regs[src as usize];
        self.beside.copy(dst, src);
        Some(Then::Next)
    }
}

/// Control.
impl<M: Machine, const THREADS: bool> Run<'_, '_, M, THREADS> {
    #[inline(always)]
    fn follow(&mut self, hop: u32) -> Passed {
        let quick = self.quick;
        let hop = quick.hops[hop as usize];
        let after = self.steps + u64::from(hop.cost);
        if after > self.limit {
            return None;
        }
        self.steps = after;
        for (dst, src) in &quick.moves[hop.first as usize..hop.end as usize] {
            self.copy(*dst, *src);
        }
        self.pc = hop.target as usize;
        if THREADS {
            self.turn -= 1;
        }
        Some(Then::There)
    }

    #[inline(always)]
    fn branch(&mut self, cond: Slot, hop: u32) -> Passed {
        let cond = self.defined(cond)?;
        self.follow(hop + (cond.lo as u32 & 1 ^ 1))
    }

    #[inline(always)]
    fn branch_cmp(&mut self, [a, b]: [Slot; 2], hop: u32, compare: impl FnOnce(u64, u64) -> bool) -> Passed {
        let (x, y) = self.both(a, b)?;
        self.plain([a, b])?;
        self.follow(hop + u32::from(!compare(x.lo, y.lo)))
    }

    #[inline(always)]
    fn branch_float(&mut self, pred: FloatPred, dst: Slot, [a, b]: [Slot; 2], hop: u32) -> Passed {
        let (x, y) = self.both(a, b)?;
        let taken = compare_floats(pred, x.as_f64(), y.as_f64());
        self.beside.compare(self.pc, pred, D, [(a, x), (b, y)], taken);
        self.set(dst, Scalar::bool(taken));
        let followed = self.follow(hop + u32::from(!taken));
        if followed.is_none() {
            // Where the limits are looked at, only the comparison has been made.
            self.pass();
        }
        followed
    }

    #[inline(always)]
    fn select(&mut self, dst: Slot, cond: Slot, a: Slot, b: Slot) -> Passed {
        if M::FOLLOWS_LOSSES {
            self.plain([cond])?;
        }
        let from = if self.defined(cond)?.lo & 1 == 1 { a } else { b };
        self.copy(dst, from)
    }
}
