//! Execution: the dispatch loop, one exhaustive match over the ops.
//!
//! The fast path of each op stands in the match; whatever needs more (undefined bits, poison, wide integers, other
//! float formats) is out of line in the file named after it.

mod assume;
mod atomic;
mod beside;
mod call;
mod cast;
mod check;
mod constrained;
pub(crate) mod environment;
mod fixed;
mod float;
mod int;
mod intrinsic;
mod lanes;
mod library;
mod math;
mod mem;
mod native;
mod observe;
pub(crate) mod parts;
mod quick;
pub(crate) mod soft;
mod thread;
mod unwind;
pub(crate) mod va_list;
mod vararg;
mod vector;

use parts::Carry;

use crate::code::{Code, Op, Quick, Slot};
use crate::forgets::Forgets;
use crate::interp::Interp;
use crate::machine::{FloatArg, FloatEvent, FloatOp, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::value::{Scalar, Tag, mask64};
use ir::{FloatKind, IntPred};

/// Why the dispatch loop came to an end without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// The frame above the floor has returned.
    Returned,
    /// The thread's turn is over.
    Preempted,
}

/// Sign-extends the lowest `width` bits.
#[inline]
fn signed(bits: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((bits << shift) as i64) >> shift
}

/// Compares two defined words of at most 64 bits.
#[inline]
fn compare(pred: IntPred, a: u64, b: u64, width: u8) -> bool {
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Sgt => signed(a, width) > signed(b, width),
        IntPred::Sge => signed(a, width) >= signed(b, width),
        IntPred::Slt => signed(a, width) < signed(b, width),
        IntPred::Sle => signed(a, width) <= signed(b, width),
    }
}

#[inline]
fn both_init(a: Scalar, b: Scalar) -> bool {
    (a.tag as u8 | b.tag as u8) == 0
}

impl<'p, M: Machine> Interp<'p, M> {
    #[inline(always)]
    pub(crate) fn reg(&self, slot: Slot) -> Scalar {
        self.regs[self.base + slot as usize]
    }

    /// Writes a register; its shadow becomes absent.
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: Slot, value: Scalar) {
        let index = self.base + slot as usize;
        self.regs[index] = value;
        if M::SHADOWS {
            self.shadows[index] =
                if M::FOLLOWS_LOSSES { std::mem::take(&mut self.residue) } else { M::Shadow::default() };
            if !self.parts.is_empty() {
                self.parts.remove(&index);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn set_shadowed(&mut self, slot: Slot, value: Scalar, shadow: M::Shadow) {
        let index = self.base + slot as usize;
        self.regs[index] = value;
        if M::SHADOWS {
            self.shadows[index] = shadow;
            if !self.parts.is_empty() {
                self.parts.remove(&index);
            }
        }
    }

    /// The shadow of a register.
    pub(crate) fn shadow(&self, slot: Slot) -> M::Shadow {
        if M::SHADOWS { self.shadows[self.base + slot as usize].clone() } else { M::Shadow::default() }
    }

    /// Copies a register with its shadow.
    #[inline(always)]
    pub(crate) fn transfer(&mut self, dst: Slot, src: Slot) {
        self.move_register(self.base + dst as usize, self.base + src as usize);
    }

    /// Poison made by the op being executed.
    #[cold]
    pub(crate) fn poison(&self) -> Scalar {
        Scalar::poison_at(self.here())
    }

    /// Adds to a fault where the poison was made that is its cause.
    pub(crate) fn with_origin(&self, fault: Box<Fault>, poison: Scalar) -> Box<Fault> {
        let Some(at) = poison.poison_origin() else { return fault };
        let outside = matches!(
            &self.program.module.functions[at.func].insts[at.inst].kind,
            ir::InstKind::Gep { flags, .. } if flags.inbounds
        );
        let text = match outside {
            true => "the poison was made here: an `inbounds` address outside of its object",
            false => "the poison was made here",
        };
        fault.note(text, Some(at))
    }

    /// The fault of using a value without a value.
    #[cold]
    pub(crate) fn no_value(&self, value: Scalar, what: &str) -> Box<Fault> {
        match value.tag {
            Tag::Poison => self.with_origin(Fault::ub(UbKind::Poison, format!("{what} is poison")), value),
            Tag::Undef | Tag::Init => Fault::ub(UbKind::Uninitialised, format!("{what} is uninitialised")),
        }
    }

    /// The value, if it has one.
    #[inline]
    pub(crate) fn need(&self, value: Scalar, what: &str) -> Res<Scalar> {
        if value.tag == Tag::Init { Ok(value) } else { Err(self.no_value(value, what)) }
    }

    /// The instruction being executed, for events.
    pub(crate) fn here(&self) -> Location {
        self.location().unwrap_or(Location { func: self.func, inst: ir::InstId::from_u32(0) })
    }

    /// May one of the registers, or a part of one, have a shadow?
    #[inline(always)]
    pub(crate) fn any_shadow(&self, slots: &[Slot]) -> bool {
        !self.parts.is_empty() || slots.iter().any(|slot| !self.shadows[self.base + *slot as usize].is_absent())
    }

    /// Writes the result of a floating-point operation and asks the machine for its shadow.
    #[inline(always)]
    pub(crate) fn set_float(
        &mut self,
        dst: Slot,
        op: FloatOp,
        kind: FloatKind,
        args: &[(Slot, FloatKind)],
        value: Scalar,
    ) {
        if M::SHADOWS {
            self.set_float_shadowed(dst, op, kind, args, &[], value);
        } else {
            self.regs[self.base + dst as usize] = value;
        }
    }

    pub(crate) fn set_float_shadowed(
        &mut self,
        dst: Slot,
        op: FloatOp,
        kind: FloatKind,
        args: &[(Slot, FloatKind)],
        ints: &[i128],
        value: Scalar,
    ) {
        let shadow = self.float_shadow(op, 0, kind, args, ints, value);
        self.set_shadowed(dst, value, shadow);
    }

    /// The machine's shadow of one result.
    pub(crate) fn float_shadow(
        &mut self,
        op: FloatOp,
        output: usize,
        kind: FloatKind,
        args: &[(Slot, FloatKind)],
        ints: &[i128],
        value: Scalar,
    ) -> M::Shadow {
        if !M::SHADOWS || !value.is_init() {
            return M::Shadow::default();
        }
        let at = self.here();
        if M::FOLLOWS_LOSSES && !self.parts.is_empty() {
            self.join_parts(args);
        }
        let mut list: smallvec::SmallVec<[FloatArg<'_, M::Shadow>; 4]> = smallvec::SmallVec::new();
        for (slot, arg_kind) in args {
            let index = self.base + *slot as usize;
            list.push(FloatArg { kind: *arg_kind, bits: self.regs[index].bits(), shadow: &self.shadows[index] });
        }
        let event = FloatEvent { op, output, kind, args: &list, ints, result: value.bits(), at };
        self.machine.float_op(&event)
    }

    /// Follows an edge: counts, moves the phis, returns where to go on.
    #[inline(always)]
    fn follow(&mut self, code: &Code, edge: u32) -> Res<usize> {
        let edge = &code.edges[edge as usize];
        for (dst, src) in &edge.moves {
            self.transfer(*dst, *src);
            self.forget(Forgets::Phi, *dst, 1);
        }
        self.steps += u64::from(edge.cost);
        if self.steps > self.next_check {
            self.check_limits()?;
        }
        self.observe_block(code, edge.target as usize);
        Ok(edge.target as usize)
    }

    /// The edge of an indirect branch: "All possible destination blocks must be listed in the label list, otherwise
    /// this instruction has undefined behavior."
    fn indirect_branch(&self, address: Slot, table: &[(u64, u32)]) -> Res<u32> {
        let address = self.need(self.reg(address), "the address of an indirect branch")?.lo;
        match table.iter().find(|(at, _)| *at == address) {
            Some((_, edge)) => Ok(*edge),
            None => {
                Err(Fault::ub(UbKind::BadCall, format!("an indirect branch to {address:#x}, which it does not list")))
            }
        }
    }

    /// Before an op, where there are several threads: false if the running one's turn is over. The race detector learns
    /// where it is.
    fn take_turn(&mut self, code: &Code, pc: usize) -> bool {
        if self.threads.turn == 0 {
            self.pc = pc;
            return false;
        }
        self.threads.turn -= 1;
        let site = self.threads.context | u64::from(code.origin[pc].as_u32());
        if let Some(races) = self.memory.races() {
            races.site = site;
        }
        true
    }

    /// After a call or return, where there are several threads.
    fn entered(&mut self) -> Res {
        self.threads.context = self.context_now();
        match self.memory.races().and_then(|races| races.late.take()) {
            Some(late) => Err(late),
            None => Ok(()),
        }
    }

    /// Executes until only `floor` frames are left, or the thread's turn is over. `THREADS`: has there ever been more
    /// than one?
    fn run_on<const THREADS: bool>(&mut self, floor: usize) -> Res<Ended> {
        use rules::Op as Rule;
        const D: FloatKind = FloatKind::Double;
        let mut code = self.code(self.func);
        let mut pc = self.pc;
        if THREADS {
            self.entered()?;
        }
        loop {
            if !M::OBSERVES_STEPS && !matches!(code.quick.ops[pc], Quick::Leave) {
                pc = self.quick::<THREADS>(code, pc);
            }
            if THREADS && !self.take_turn(code, pc) {
                return Ok(Ended::Preempted);
            }
            self.observe_step(code, pc);
            let op = code.ops[pc];
            pc += 1;
            self.pc = pc;
            match op {
                Op::Jump { edge } => pc = self.follow(code, edge)?,
                Op::Branch { cond, edge } => {
                    let cond = self.reg(cond);
                    if cond.tag != Tag::Init {
                        return Err(self.no_value(cond, "the condition of a branch"));
                    }
                    pc = self.follow(code, edge + (cond.lo as u32 & 1 ^ 1))?;
                }
                Op::BranchCmp { pred, width, a, b, edge } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    if M::FOLLOWS_LOSSES {
                        self.residue = M::Shadow::default();
                    }
                    let taken = if both_init(x, y) {
                        compare(pred, x.lo, y.lo, width)
                    } else {
                        let cond = int::icmp(pred, width, x, y);
                        self.need(cond, "the condition of a branch")?.lo != 0
                    };
                    pc = self.follow(code, edge + u32::from(!taken))?;
                }
                Op::Switch { value, table } => {
                    let value = self.need(self.reg(value), "the value of a switch")?.bits();
                    let switch = &code.switches[table as usize];
                    let edge = match switch.cases.binary_search_by_key(&value, |(case, _)| *case) {
                        Ok(i) => switch.cases[i].1,
                        Err(_) => switch.default,
                    };
                    pc = self.follow(code, edge)?;
                }
                Op::Ret { src, n } => {
                    if self.ret(code, src, n, floor)? {
                        return Ok(Ended::Returned);
                    }
                    if THREADS {
                        self.entered()?;
                    }
                    code = self.code(self.func);
                    pc = self.pc;
                }
                Op::Unreachable => return Err(Fault::ub(UbKind::Unreachable, "control reaches `unreachable`")),
                Op::Call { site } => {
                    self.op_call(code, site)?;
                    if THREADS {
                        self.entered()?;
                    }
                    code = self.code(self.func);
                    pc = self.pc;
                }
                Op::Add { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    let r = Scalar::word(x.lo.wrapping_add(y.lo) & mask64(width));
                    if both_init(x, y) && (flags == 0 || int::add_fits(x.lo, y.lo, r.lo, width, flags)) {
                        self.set(dst, r);
                    } else {
                        self.int_slow(ir::BinOp::Add, width, flags, dst, x, y)?;
                    }
                }
                Op::Sub { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    let r = Scalar::word(x.lo.wrapping_sub(y.lo) & mask64(width));
                    if both_init(x, y) && (flags == 0 || int::sub_fits(x.lo, y.lo, r.lo, width, flags)) {
                        self.set(dst, r);
                    } else {
                        self.int_slow(ir::BinOp::Sub, width, flags, dst, x, y)?;
                    }
                }
                Op::Mul { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    if both_init(x, y) && (flags == 0 || int::mul_fits(x.lo, y.lo, width, flags)) {
                        self.set(dst, Scalar::word(x.lo.wrapping_mul(y.lo) & mask64(width)));
                    } else {
                        self.int_slow(ir::BinOp::Mul, width, flags, dst, x, y)?;
                    }
                }
                Op::And { dst, a, b, width } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let carried = self.carried(Carry::Masks([y, x].map(|o| u128::from(o.lo))), &[a, b], width, width);
                    if both_init(x, y) {
                        self.set(dst, Scalar::word(x.lo & y.lo));
                    } else {
                        self.int_slow(ir::BinOp::And, width, 0, dst, x, y)?;
                    }
                    self.put_carried(dst, width, carried);
                }
                Op::Or { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let carried = self.carried(Carry::Masks([y, x].map(|o| !u128::from(o.lo))), &[a, b], width, width);
                    if both_init(x, y) && flags == 0 {
                        self.set(dst, Scalar::word(x.lo | y.lo));
                    } else {
                        self.int_slow(ir::BinOp::Or, width, flags, dst, x, y)?;
                    }
                    self.put_carried(dst, width, carried);
                }
                Op::Xor { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    if both_init(x, y) && flags == 0 {
                        self.set(dst, Scalar::word(x.lo ^ y.lo));
                    } else {
                        self.int_slow(ir::BinOp::Xor, width, flags, dst, x, y)?;
                    }
                }
                Op::Shl { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let carried = self.carried(Carry::Up(y.lo), &[a], width, width);
                    if both_init(x, y) && flags == 0 && y.lo < u64::from(width) {
                        self.set(dst, Scalar::word(x.lo << y.lo & mask64(width)));
                    } else {
                        self.int_slow(ir::BinOp::Shl, width, flags, dst, x, y)?;
                    }
                    self.put_carried(dst, width, carried);
                }
                Op::LShr { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let carried = self.carried(Carry::Down(y.lo), &[a], width, width);
                    if both_init(x, y) && flags == 0 && y.lo < u64::from(width) {
                        self.set(dst, Scalar::word(x.lo >> y.lo));
                    } else {
                        self.int_slow(ir::BinOp::LShr, width, flags, dst, x, y)?;
                    }
                    self.put_carried(dst, width, carried);
                }
                Op::AShr { dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    if both_init(x, y) && flags == 0 && y.lo < u64::from(width) {
                        self.set(dst, Scalar::word((signed(x.lo, width) >> y.lo) as u64 & mask64(width)));
                    } else {
                        self.int_slow(ir::BinOp::AShr, width, flags, dst, x, y)?;
                    }
                }
                Op::IntBin { op, dst, a, b, width, flags } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let carried = self.carried_wide(op, [x.bits(), y.bits()], [a, b], width);
                    self.int_slow(op, width, flags, dst, x, y)?;
                    self.put_carried(dst, width, carried);
                }
                Op::ICmp { pred, dst, a, b, width } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    self.consume(&[a, b]);
                    if both_init(x, y) && width <= 64 {
                        self.set(dst, Scalar::bool(compare(pred, x.lo, y.lo, width)));
                    } else {
                        self.set(dst, int::icmp(pred, width, x, y));
                    }
                }
                Op::FAdd { dst, a, b } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let r = if both_init(x, y) { Scalar::f64(x.as_f64() + y.as_f64()) } else { float::absorb(x, y) };
                    self.set_float(dst, FloatOp::Rule(Rule::FAdd), D, &[(a, D), (b, D)], r);
                }
                Op::FSub { dst, a, b } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let r = if both_init(x, y) { Scalar::f64(x.as_f64() - y.as_f64()) } else { float::absorb(x, y) };
                    self.set_float(dst, FloatOp::Rule(Rule::FSub), D, &[(a, D), (b, D)], r);
                }
                Op::FMul { dst, a, b } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let r = if both_init(x, y) { Scalar::f64(x.as_f64() * y.as_f64()) } else { float::absorb(x, y) };
                    self.set_float(dst, FloatOp::Rule(Rule::FMul), D, &[(a, D), (b, D)], r);
                }
                Op::FDiv { dst, a, b } => {
                    let (x, y) = (self.reg(a), self.reg(b));
                    let r = if both_init(x, y) { Scalar::f64(x.as_f64() / y.as_f64()) } else { float::absorb(x, y) };
                    self.set_float(dst, FloatOp::Rule(Rule::FDiv), D, &[(a, D), (b, D)], r);
                }
                Op::FMulAdd { dst, a, b, c } => {
                    let (x, y, z) = (self.reg(a), self.reg(b), self.reg(c));
                    let r = if both_init(x, y) && z.is_init() {
                        Scalar::f64(x.as_f64() * y.as_f64() + z.as_f64())
                    } else {
                        float::absorb(float::absorb(x, y), z)
                    };
                    self.set_float(dst, FloatOp::Rule(Rule::FMulAdd), D, &[(a, D), (b, D), (c, D)], r);
                }
                Op::FloatBin { op, kind, fast, dst, a, b } => self.float_bin(op, kind, fast, dst, a, b)?,
                Op::FNeg { kind, fast, dst, a } => self.fneg(kind, fast, dst, a),
                Op::FCmp { pred, kind, fast, dst, a, b } => self.fcmp(pred, kind, fast, dst, a, b),
                Op::Trunc { dst, a, from, to, flags } => {
                    let x = self.reg(a);
                    let carried = self.carried(Carry::Keep, &[a], from, to);
                    if x.is_init() && flags == 0 {
                        self.set(dst, Scalar::word(x.lo & mask64(to)));
                    } else {
                        let r = int::trunc(x, from, to, flags).unwrap_or_else(|| self.poison());
                        self.set(dst, r);
                    }
                    self.put_carried(dst, to, carried);
                }
                Op::ZExt { dst, a, from, to, flags } => {
                    let x = self.reg(a);
                    let carried = self.carried(Carry::Keep, &[a], from, to);
                    let negative = flags != 0 && x.is_init() && signed(x.lo, from) < 0;
                    let r = if negative { self.poison() } else { x };
                    self.set(dst, r);
                    self.put_carried(dst, to, carried);
                }
                Op::SExt { dst, a, from, to } => {
                    let x = self.reg(a);
                    let carried = self.carried(Carry::Keep, &[a], from, to);
                    if x.is_init() {
                        self.set(dst, Scalar::word(signed(x.lo, from) as u64 & mask64(to)));
                    } else {
                        self.set(dst, int::sext(x, from, to));
                    }
                    self.put_carried(dst, to, carried);
                }
                Op::Convert { op, from, to, flags, dst, a } => self.convert(op, from, to, flags, dst, a),
                Op::Bitcast { dst, src, table } => self.bitcast(&code.bitcasts[table as usize], dst, src)?,
                Op::Copy { dst, src, n } => {
                    for i in 0..n {
                        self.transfer(dst + i, src + i);
                    }
                    self.forget(Forgets::Members, dst, n);
                }
                Op::Load { dst, ptr, offset, leaf, align } => self.load(dst, ptr, offset, leaf, align)?,
                Op::Load64 { dst, ptr, offset, leaf, align } => {
                    if M::SHADOWS || M::OBSERVES_MEMORY {
                        self.load(dst, ptr, offset, leaf, align)?;
                    } else {
                        let pointer = self.need(self.reg(ptr), "the address of a load")?.as_ptr();
                        let value = self.memory.load8(pointer.offset(i64::from(offset)), 1 << align, leaf)?;
                        self.regs[self.base + dst as usize] = value;
                    }
                }
                Op::LoadPtr { dst, ptr, offset, align } => {
                    self.load(dst, ptr, offset, crate::value::Leaf::Ptr, align)?
                }
                Op::Store { src, ptr, offset, leaf, align } => self.store(src, ptr, offset, leaf, align)?,
                Op::LoadBits { dst, ptr, n, width, align } => self.load_bits(dst, ptr, n, width, align)?,
                Op::StoreBits { src, ptr, n, width, align } => self.store_bits(src, ptr, n, width, align)?,
                Op::GepConst { dst, base, offset, flags } => {
                    self.address(&[base]);
                    let base = self.reg(base);
                    let r = self.gep_result(base, i128::from(offset), flags);
                    self.set(dst, r);
                }
                Op::GepIndex { dst, base, index, scale, offset, width, flags } => {
                    self.address(&[base, index]);
                    let (base, index) = (self.reg(base), self.reg(index));
                    let r = if both_init(base, index) && width <= 64 {
                        let by = i128::from(signed(index.lo, width)) * i128::from(scale) + i128::from(offset);
                        self.gep_result(base, by, flags)
                    } else {
                        self.gep_slow(base, index)
                    };
                    self.set(dst, r);
                }
                Op::Gep { dst, base, table, flags } => self.gep(&code.geps[table as usize], dst, base, flags),
                Op::Select { dst, cond, a, b, n } => self.select(dst, cond, a, b, n),
                Op::Freeze { dst, a, leaf } => self.freeze(dst, a, leaf),
                Op::Extract { dst, vector, index, n, width } => self.extract(dst, vector, index, n, width),
                Op::Insert { dst, vector, value, index, n, width } => {
                    self.insert(dst, vector, value, (index, width), n)
                }
                Op::Alloca { dst, count, size, align, width } => self.alloca(dst, count, size, align, width)?,
                Op::CmpXchg { site } => self.cmpxchg(&code.atomics[site as usize])?,
                Op::Rmw { site } => self.rmw(&code.atomics[site as usize])?,
                Op::AtomicLoad { site } => self.atomic_load(&code.atomics[site as usize])?,
                Op::AtomicStore { site } => self.atomic_store(&code.atomics[site as usize])?,
                Op::Fence { order } => self.fence(order),
                Op::Math { site } => self.math(&code.math[site as usize]),
                Op::MathMany { site } => self.math_many(&code.many[site as usize])?,
                Op::Intrinsic { site } => self.intrinsic(&code.intrinsics[site as usize])?,
                Op::LandingPad { dst } => {
                    let (object, selector) = self.runtime.exceptions.landing;
                    self.set(dst, Scalar::ptr(object));
                    self.set(dst + 1, Scalar::i32(selector));
                }
                Op::Resume { src } => {
                    let object = self.need(self.reg(src), "the exception resumed")?.as_ptr();
                    return Err(Fault::unwinding(object.addr));
                }
                Op::Constrained { site } => self.constrained(&code.constrained[site as usize])?,
                Op::IndirectBr { address, table } => {
                    let edge = self.indirect_branch(address, &code.indirect[table as usize])?;
                    pc = self.follow(code, edge)?;
                }
                Op::VaArg { dst, list, leaf } => self.va_arg(dst, list, leaf)?,
                Op::Check { src, table } => {
                    let checks = &code.checks[table as usize];
                    self.check_value(self.base + src as usize, checks)?;
                }
                Op::Unsupported { message } => {
                    return Err(Fault::unsupported(code.messages[message as usize].clone()));
                }
            }
        }
    }
}
