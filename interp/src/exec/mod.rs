//! Execution: the dispatch loop, one exhaustive match over the ops.
//!
//! What each op does stands in the file named after its family. The fast paths are compiled into the match; whatever
//! needs more (undefined bits, poison, wide integers, other float formats) is out of line.

mod assume;
mod atomic;
mod beside;
mod call;
mod cast;
mod check;
mod constrained;
mod control;
mod entry;
mod fixed;
mod float;
mod forget;
mod int;
mod intrinsic;
mod lanes;
mod library;
mod local;
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
mod words;

use crate::code::{Code, Op, Quick, Slot};
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::{FloatArg, FloatEvent, FloatOp, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::value::{Leaf, Scalar, Tag};
use ir::{FloatKind, IntPred};
use rules::Op as Rule;

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

impl<'p, M: Machine, L: Library> Engine<'p, M, L> {
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

    /// The frame that runs after a call or return.
    #[inline(always)]
    fn arrive<const THREADS: bool>(&mut self) -> Res<(&'p Code, usize)> {
        if THREADS {
            self.entered()?;
        }
        Ok((self.code(self.func), self.pc))
    }

    /// Executes until only `floor` frames are left, or the thread's turn is over. `THREADS`: has there ever been more
    /// than one?
    fn run_on<const THREADS: bool>(&mut self, floor: usize) -> Res<Ended> {
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
                Op::Branch { cond, edge } => pc = self.branch(code, cond, edge)?,
                Op::BranchCmp { pred, width, a, b, edge } => pc = self.branch_cmp(code, (pred, width), [a, b], edge)?,
                Op::Switch { value, table } => pc = self.switch(code, value, table)?,
                Op::IndirectBr { address, table } => pc = self.indirect_branch(code, address, table)?,
                Op::Ret { src, n } => {
                    if self.ret(code, src, n, floor)? {
                        return Ok(Ended::Returned);
                    }
                    (code, pc) = self.arrive::<THREADS>()?;
                }
                Op::Call { site } => {
                    self.op_call(code, site)?;
                    (code, pc) = self.arrive::<THREADS>()?;
                }
                Op::Unreachable => return Err(Fault::ub(UbKind::Unreachable, "control reaches `unreachable`")),
                Op::Unsupported { message } => return Err(Fault::unsupported(code.messages[message as usize].clone())),
                Op::Add { dst, a, b, width, flags } => self.op_add(dst, [a, b], width, flags)?,
                Op::Sub { dst, a, b, width, flags } => self.op_sub(dst, [a, b], width, flags)?,
                Op::Mul { dst, a, b, width, flags } => self.op_mul(dst, [a, b], width, flags)?,
                Op::And { dst, a, b, width } => self.op_and(dst, [a, b], width)?,
                Op::Or { dst, a, b, width, flags } => self.op_or(dst, [a, b], width, flags)?,
                Op::Xor { dst, a, b, width, flags } => self.op_xor(dst, [a, b], width, flags)?,
                Op::Shl { dst, a, b, width, flags } => self.op_shl(dst, [a, b], width, flags)?,
                Op::LShr { dst, a, b, width, flags } => self.op_lshr(dst, [a, b], width, flags)?,
                Op::AShr { dst, a, b, width, flags } => self.op_ashr(dst, [a, b], width, flags)?,
                Op::IntBin { op, dst, a, b, width, flags } => self.op_int(op, dst, [a, b], width, flags)?,
                Op::ICmp { pred, dst, a, b, width } => self.op_icmp(pred, dst, [a, b], width),
                Op::Trunc { dst, a, from, to, flags } => self.op_trunc(dst, a, (from, to), flags),
                Op::ZExt { dst, a, from, to, flags } => self.op_zext(dst, a, (from, to), flags),
                Op::SExt { dst, a, from, to } => self.op_sext(dst, a, (from, to)),
                Op::FAdd { dst, a, b } => self.op_double(Rule::FAdd, dst, a, b, |x, y| x + y),
                Op::FSub { dst, a, b } => self.op_double(Rule::FSub, dst, a, b, |x, y| x - y),
                Op::FMul { dst, a, b } => self.op_double(Rule::FMul, dst, a, b, |x, y| x * y),
                Op::FDiv { dst, a, b } => self.op_double(Rule::FDiv, dst, a, b, |x, y| x / y),
                Op::FMulAdd { dst, a, b, c } => self.op_mul_add(dst, a, b, c),
                Op::FloatBin { op, kind, fast, dst, a, b } => self.float_bin(op, kind, fast, dst, a, b)?,
                Op::FNeg { kind, fast, dst, a } => self.fneg(kind, fast, dst, a),
                Op::FCmp { pred, kind, fast, dst, a, b } => self.fcmp(pred, kind, fast, dst, a, b),
                Op::Convert { op, from, to, flags, dst, a } => self.convert(op, from, to, flags, dst, a),
                Op::Bitcast { dst, src, table } => self.bitcast(&code.bitcasts[table as usize], dst, src)?,
                Op::Copy { dst, src, n } => self.op_copy(dst, src, n),
                Op::Load { dst, ptr, offset, leaf, align } => self.load(dst, ptr, offset, leaf, align)?,
                Op::Load64 { dst, ptr, offset, leaf, align } => self.load64(dst, ptr, offset, leaf, align)?,
                Op::LoadUnused { dst, ptr, offset, leaf, align } => self.load_unused(dst, ptr, offset, leaf, align)?,
                Op::LoadTentative { at, load } => self.load_tentatively(at, load)?,
                Op::Use { load, taken } => self.use_tentative(load, taken)?,
                Op::LoadPtr { dst, ptr, offset, align } => self.load(dst, ptr, offset, Leaf::Ptr, align)?,
                Op::Store { src, ptr, offset, leaf, align } => self.store(src, ptr, offset, leaf, align)?,
                Op::LoadBits { dst, ptr, n, width, align } => self.load_bits(dst, ptr, n, width, align)?,
                Op::StoreBits { src, ptr, n, width, align } => self.store_bits(src, ptr, n, width, align)?,
                Op::GepConst { dst, base, offset, flags } => self.gep_const(dst, base, offset, flags),
                Op::GepIndex { dst, base, index, scale, offset, width, flags } => {
                    self.gep_index(dst, [base, index], (scale, offset), width, flags)
                }
                Op::Gep { dst, base, table, flags } => self.gep(&code.geps[table as usize], dst, base, flags),
                Op::Select { dst, cond, a, b, n } => self.select(dst, cond, a, b, n),
                Op::Freeze { dst, a, leaf } => self.freeze(dst, a, leaf),
                Op::Extract { dst, vector, index, n, width } => self.extract(dst, vector, index, n, width),
                Op::Insert { dst, vector, value, index, n, width } => {
                    self.insert(dst, vector, value, (index, width), n)
                }
                Op::Alloca { dst, count, size, align, width } => self.alloca(dst, count, size, align, width)?,
                Op::CmpXchg { site, weak } => self.cmpxchg(&code.atomics[site as usize], weak)?,
                Op::Rmw { site } => self.rmw(&code.atomics[site as usize])?,
                Op::AtomicLoad { site } => self.atomic_load(&code.atomics[site as usize])?,
                Op::AtomicStore { site } => self.atomic_store(&code.atomics[site as usize])?,
                Op::Fence { order } => self.fence(order),
                Op::Math { site } => self.math(&code.math[site as usize]),
                Op::MathMany { site } => self.math_many(&code.many[site as usize])?,
                Op::Intrinsic { site } => self.intrinsic(&code.intrinsics[site as usize])?,
                Op::LandingPad { dst } => self.landing_pad(dst),
                Op::Resume { src } => return Err(self.resume(src)),
                Op::Constrained { site } => self.constrained(&code.constrained[site as usize])?,
                Op::VaArg { dst, list, leaf } => self.va_arg(dst, list, leaf)?,
                Op::Check { src, table } => self.check_value(self.base + src as usize, &code.checks[table as usize])?,
            }
        }
    }
}
