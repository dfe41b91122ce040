//! The quick loop: executes the quick form of a function ([`crate::code::QuickCode`]) up to an op that is not quick.
//!
//! Registers, memory and the step counter are borrowed apart, so that no call to the rest of the engine stands in the
//! way of keeping them in the host's registers. What watches the execution, if anything does, is told by [`Beside`];
//! for a machine without shadows and one thread nothing of it is compiled in.

use super::beside::Beside;
use super::{both_init, float, int, signed, soft};
use crate::code::words::{Cmp, Int, Size};
use crate::code::{Code, Quick};
use crate::interp::Interp;
use crate::machine::{FloatArg, FloatEvent, FloatOp, Machine};
use crate::value::{Leaf, Scalar, mask64};
use ir::{FloatKind, FloatPred};
use rules::Op as Rule;

/// The most ops that a quick op does the work of.
const LONGEST: u64 = 2;

/// Compares two defined words.
#[inline(always)]
fn compare(cmp: Cmp, a: u64, b: u64, shift: u8) -> bool {
    match cmp {
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
        Cmp::Ult => a < b,
        Cmp::Ule => a <= b,
        Cmp::Slt => ((a << shift) as i64) < (b << shift) as i64,
        Cmp::Sle => (a << shift) as i64 <= (b << shift) as i64,
    }
}

/// Compares two numbers (LangRef, `fcmp`).
#[inline(always)]
fn compare_floats(pred: FloatPred, a: f64, b: f64) -> bool {
    match pred {
        FloatPred::Olt => a < b,
        FloatPred::Ogt => a > b,
        FloatPred::Ole => a <= b,
        FloatPred::Oge => a >= b,
        FloatPred::Oeq => a == b,
        FloatPred::Une => a != b,
        _ => float::holds(pred, a.partial_cmp(&b)),
    }
}

/// A quotient or remainder of words of `64 - shift` bits; none if it is undefined.
#[inline(always)]
fn divide(op: Int, a: u64, b: u64, shift: u8) -> Option<u64> {
    let (sa, sb) = ((a << shift) as i64 >> shift, (b << shift) as i64 >> shift);
    let least = i64::MIN >> shift;
    match op {
        _ if b == 0 => None,
        Int::UDiv => Some(a / b),
        Int::URem => Some(a % b),
        _ if sb == -1 && sa == least => None,
        Int::SDiv => Some((sa / sb) as u64 & u64::MAX >> shift),
        Int::SRem => Some((sa % sb) as u64 & u64::MAX >> shift),
    }
}

impl<M: Machine> Interp<'_, M> {
    /// Executes from `pc` on; the index of the op that has to be executed as it stands. `THREADS` as in
    /// [`Interp::run_on`].
    pub(super) fn quick<const THREADS: bool>(&mut self, code: &Code, mut pc: usize) -> usize {
        const D: FloatKind = FloatKind::Double;
        let watched = const { THREADS || M::SHADOWS || M::OBSERVES_MEMORY };
        if M::SHADOWS && self.machine.is_planted() {
            return pc;
        }
        if (!watched && !self.memory.is_quick()) || (M::SHADOWS && !self.parts.is_empty()) {
            return pc;
        }
        let limit = self.next_check;
        let (memory, mut steps, mut turn) = (&mut self.memory, self.steps, self.threads.turn);
        let frame = self.base..self.base + code.frame;
        let Some(regs) = self.regs.get_mut(frame.clone()) else { return pc };
        let shadows = if M::SHADOWS { self.shadows.get_mut(frame) } else { Some(&mut [][..]) };
        let Some(shadows) = shadows else { return pc };
        let context = if THREADS { self.threads.context } else { 0 };
        let mut beside = Beside { machine: &mut self.machine, shadows, func: self.func, origin: &code.origin, context };
        let quick = &code.quick;
        // The operands, or out.
        macro_rules! operands {
            ($a:ident, $b:ident) => {{
                let (x, y) = (regs[$a as usize], regs[$b as usize]);
                if !both_init(x, y) {
                    break;
                }
                (x, y)
            }};
        }
        macro_rules! defined {
            ($a:expr) => {{
                let x = regs[$a as usize];
                if !x.is_init() {
                    break;
                }
                x
            }};
        }
        // The same of an operation that takes their bits: no shadow goes with them.
        macro_rules! bits {
            ($a:ident) => {{
                let x = defined!($a);
                if !beside.absent([$a]) {
                    break;
                }
                x
            }};
            ($a:ident, $b:ident) => {{
                let both = operands!($a, $b);
                if !beside.absent([$a, $b]) {
                    break;
                }
                both
            }};
        }
        // Parts of an address of which the machine wants to know if they have shadows.
        macro_rules! plain {
            ($($a:ident),*) => {
                if M::FOLLOWS_ADDRESSES && !beside.absent([$($a),*]) {
                    break;
                }
            };
        }
        macro_rules! some {
            ($value:expr) => {
                match $value {
                    Some(value) => value,
                    None => break,
                }
            };
        }
        macro_rules! set {
            ($dst:ident, $value:expr) => {{
                regs[$dst as usize] = $value;
                beside.clear($dst);
            }};
        }
        macro_rules! copy {
            ($dst:expr, $src:expr) => {{
                regs[$dst as usize] = regs[$src as usize];
                beside.copy($dst, $src);
            }};
        }
        // The result of a floating-point operation.
        macro_rules! number {
            ($dst:ident, $op:expr, [$($arg:expr),*], $ints:expr, $kind:expr, $value:expr) => {{
                let value = $value;
                if M::SHADOWS {
                    let args = [$({
                        let (slot, kind, arg): (_, _, Scalar) = $arg;
                        FloatArg { kind, bits: arg.bits(), shadow: &beside.shadows[slot as usize] }
                    }),*];
                    let (result, at) = (value.bits(), beside.at(pc));
                    let event = FloatEvent { op: $op, output: 0, kind: $kind, args: &args, ints: $ints, result, at };
                    let shadow = beside.machine.float_op(&event);
                    beside.put($dst, shadow);
                }
                regs[$dst as usize] = value;
            }};
        }
        // A turn has so many ops more; the last ones are left to the ops themselves.
        macro_rules! passed {
            ($ops:expr) => {
                if THREADS {
                    turn -= $ops;
                }
            };
        }
        macro_rules! follow {
            ($hop:expr, $leave:block) => {{
                let hop = quick.hops[$hop as usize];
                let after = steps + u64::from(hop.cost);
                if after > limit $leave
                steps = after;
                for (dst, src) in &quick.moves[hop.first as usize..hop.end as usize] {
                    copy!(*dst, *src);
                }
                pc = hop.target as usize;
                passed!(1);
                continue;
            }};
            ($hop:expr) => { follow!($hop, { break }) };
        }
        macro_rules! loaded {
            ($pc:expr, $dst:ident, $at:ident, $leaf:expr, $value:expr) => {{
                let value = $value;
                if watched {
                    let shadow = some!(beside.load(memory, $pc, $at, $leaf, value));
                    beside.put($dst, shadow);
                }
                regs[$dst as usize] = value;
            }};
        }
        macro_rules! store {
            ($pc:expr, $src:ident, $at:ident, $leaf:expr, $align:ident, $value:ident, $store:expr) => {{
                let leaf = $leaf;
                if watched && !beside.before_store(memory, $pc, $at, leaf.store_size(), $align) {
                    break;
                }
                some!($store);
                if watched {
                    beside.stored(memory, $pc, $at, leaf, ($src, $value));
                }
            }};
        }
        // The address of an element.
        macro_rules! element {
            ($base:ident, $index:ident, $scale:ident, $offset:expr, $width:ident, $inbounds:expr) => {{
                let (base, index) = operands!($base, $index);
                plain!($base, $index);
                let by = some!(signed(index.lo, $width).checked_mul(i64::from($scale)));
                let by = some!(by.checked_add($offset));
                let addr = base.lo.wrapping_add_signed(by);
                if $inbounds && by != 0 {
                    let (start, size) = some!(memory.quick_bounds(base.hi));
                    if addr.wrapping_sub(start) > size || base.lo.wrapping_sub(start) > size {
                        break;
                    }
                }
                Scalar { hi: base.hi, ..Scalar::word(addr) }
            }};
        }
        loop {
            if THREADS && turn < LONGEST {
                break;
            }
            match quick.ops[pc] {
                Quick::Leave => break,
                Quick::Jump { hop } => follow!(hop),
                Quick::Branch { cond, hop } => {
                    let cond = defined!(cond);
                    follow!(hop + (cond.lo as u32 & 1 ^ 1))
                }
                Quick::BranchCmp { cmp, shift, a, b, hop } => {
                    let (x, y) = bits!(a, b);
                    follow!(hop + u32::from(!compare(cmp, x.lo, y.lo, shift)))
                }
                Quick::BranchFloat { pred, dst, a, b, hop } => {
                    let (x, y) = operands!(a, b);
                    let taken = compare_floats(pred, x.as_f64(), y.as_f64());
                    beside.compare(pc, pred, D, [(a, x), (b, y)], taken);
                    set!(dst, Scalar::bool(taken));
                    // Where the limits are looked at, only the comparison has been made.
                    follow!(hop + u32::from(!taken), {
                        pc += 1;
                        passed!(1);
                        break;
                    })
                }
                Quick::ICmp { cmp, shift, dst, a, b } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::bool(compare(cmp, x.lo, y.lo, shift)));
                }
                Quick::FCmp { pred, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    let holds = compare_floats(pred, x.as_f64(), y.as_f64());
                    beside.compare(pc, pred, D, [(a, x), (b, y)], holds);
                    set!(dst, Scalar::bool(holds));
                }
                Quick::Add { dst, a, b, mask } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(x.lo.wrapping_add(y.lo) & mask));
                }
                Quick::AddNsw { dst, a, b, shift } => {
                    let (x, y) = bits!(a, b);
                    let sum = some!(((x.lo << shift) as i64).checked_add((y.lo << shift) as i64));
                    set!(dst, Scalar::word(sum as u64 >> shift));
                }
                Quick::AddNuw { dst, a, b, shift, nsw } => {
                    let (x, y) = bits!(a, b);
                    let sum = some!((x.lo << shift).checked_add(y.lo << shift));
                    if nsw && ((x.lo << shift) as i64).checked_add((y.lo << shift) as i64).is_none() {
                        break;
                    }
                    set!(dst, Scalar::word(sum >> shift));
                }
                Quick::Sub { dst, a, b, mask } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(x.lo.wrapping_sub(y.lo) & mask));
                }
                Quick::SubNsw { dst, a, b, shift } => {
                    let (x, y) = bits!(a, b);
                    let difference = some!(((x.lo << shift) as i64).checked_sub((y.lo << shift) as i64));
                    set!(dst, Scalar::word(difference as u64 >> shift));
                }
                Quick::Mul { dst, a, b, mask } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(x.lo.wrapping_mul(y.lo) & mask));
                }
                Quick::MulNsw { dst, a, b, shift } => {
                    let (x, y) = bits!(a, b);
                    let factor = (y.lo << shift) as i64 >> shift;
                    let product = some!(((x.lo << shift) as i64).checked_mul(factor));
                    set!(dst, Scalar::word(product as u64 >> shift));
                }
                Quick::Divide { op, dst, a, b, shift } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(some!(divide(op, x.lo, y.lo, shift))));
                }
                Quick::And { dst, a, b } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(x.lo & y.lo));
                }
                Quick::Or { dst, a, b } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(x.lo | y.lo));
                }
                Quick::Xor { dst, a, b } => {
                    let (x, y) = bits!(a, b);
                    set!(dst, Scalar::word(x.lo ^ y.lo));
                }
                Quick::Shl { dst, a, b, width } => {
                    let (x, y) = bits!(a, b);
                    if y.lo >= u64::from(width) {
                        break;
                    }
                    set!(dst, Scalar::word(x.lo << y.lo & mask64(width)));
                }
                Quick::LShr { dst, a, b, width } => {
                    let (x, y) = bits!(a, b);
                    if y.lo >= u64::from(width) {
                        break;
                    }
                    set!(dst, Scalar::word(x.lo >> y.lo));
                }
                Quick::AShr { dst, a, b, width } => {
                    let (x, y) = bits!(a, b);
                    if y.lo >= u64::from(width) {
                        break;
                    }
                    set!(dst, Scalar::word((signed(x.lo, width) >> y.lo) as u64 & mask64(width)));
                }
                Quick::Trunc { dst, a, mask } => {
                    let x = bits!(a);
                    set!(dst, Scalar::word(x.lo & mask));
                }
                Quick::Promised { op, dst, a, b, width, flags } => {
                    let (x, y) = bits!(a, b);
                    let result = int::defined_binary(op, width, flags, x.lo.into(), y.lo.into());
                    set!(dst, Scalar::word(some!(result.ok().flatten()) as u64));
                }
                Quick::TruncPromised { dst, a, from, to, flags } => {
                    let x = bits!(a);
                    set!(dst, some!(int::trunc(x, from, to, flags)));
                }
                Quick::ZExt { dst, a, clear } => {
                    let x = bits!(a);
                    if x.lo & clear != 0 {
                        break;
                    }
                    set!(dst, x);
                }
                Quick::SExt { dst, a, from, to } => {
                    let x = bits!(a);
                    set!(dst, Scalar::word(signed(x.lo, from) as u64 & mask64(to)));
                }
                Quick::FromInt { dst, a, from, signed: sign } => {
                    let x = bits!(a);
                    let (value, number) = match sign {
                        true => (i128::from(signed(x.lo, from)), signed(x.lo, from) as f64),
                        false => (i128::from(x.lo), x.lo as f64),
                    };
                    number!(dst, FloatOp::FromInt, [], &[value], D, Scalar::f64(number));
                }
                Quick::Float { op, kind, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    let rule = FloatOp::Rule(some!(float::rule(op)));
                    let result = Scalar::wide(float::arithmetic(op, kind, x.bits(), y.bits()));
                    number!(dst, rule, [(a, kind, x), (b, kind, y)], &[], kind, result);
                }
                Quick::FloatCmp { pred, kind, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    let holds = float::holds(pred, float::order(kind, x.bits(), y.bits()));
                    beside.compare(pc, pred, kind, [(a, x), (b, y)], holds);
                    set!(dst, Scalar::bool(holds));
                }
                Quick::Resize { dst, a, from, to } => {
                    let x = defined!(a);
                    let result = Scalar::wide(soft::convert(from, to, x.bits()));
                    number!(dst, FloatOp::Convert, [(a, from, x)], &[], to, result);
                }
                Quick::ToInt { dst, a, from, width } => {
                    let x = bits!(a);
                    let (value, fits) = soft::to_signed(from, x.bits(), width);
                    if !fits {
                        break;
                    }
                    set!(dst, Scalar::word(value as u64 & mask64(width)));
                }
                Quick::FAdd { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    number!(
                        dst,
                        FloatOp::Rule(Rule::FAdd),
                        [(a, D, x), (b, D, y)],
                        &[],
                        D,
                        Scalar::f64(x.as_f64() + y.as_f64())
                    );
                }
                Quick::FSub { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    number!(
                        dst,
                        FloatOp::Rule(Rule::FSub),
                        [(a, D, x), (b, D, y)],
                        &[],
                        D,
                        Scalar::f64(x.as_f64() - y.as_f64())
                    );
                }
                Quick::FMul { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    number!(
                        dst,
                        FloatOp::Rule(Rule::FMul),
                        [(a, D, x), (b, D, y)],
                        &[],
                        D,
                        Scalar::f64(x.as_f64() * y.as_f64())
                    );
                }
                Quick::FDiv { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    number!(
                        dst,
                        FloatOp::Rule(Rule::FDiv),
                        [(a, D, x), (b, D, y)],
                        &[],
                        D,
                        Scalar::f64(x.as_f64() / y.as_f64())
                    );
                }
                Quick::FMulAdd { dst, a, b, c } => {
                    let (x, y) = operands!(a, b);
                    let z = defined!(c);
                    let result = Scalar::f64(x.as_f64() * y.as_f64() + z.as_f64());
                    number!(dst, FloatOp::Rule(Rule::FMulAdd), [(a, D, x), (b, D, y), (c, D, z)], &[], D, result);
                }
                Quick::FNeg { dst, a } => {
                    let x = defined!(a);
                    number!(dst, FloatOp::Rule(Rule::FNeg), [(a, D, x)], &[], D, Scalar::word(x.lo ^ 1 << 63));
                }
                Quick::Copy { dst, a } => copy!(dst, a),
                Quick::Select { dst, cond, a, b } => {
                    if M::FOLLOWS_LOSSES && !beside.absent([cond]) {
                        break;
                    }
                    let cond = defined!(cond);
                    let from = if cond.lo & 1 == 1 { a } else { b };
                    copy!(dst, from);
                }
                Quick::Load { size, align, number, dst, ptr, offset } => {
                    let at = defined!(ptr);
                    plain!(ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    let value = Scalar::word(some!(memory.quick_load(at, size, align)));
                    loaded!(pc, dst, at, size.leaf(number), value);
                }
                Quick::LoadPtr { align, dst, ptr, offset } => {
                    let at = defined!(ptr);
                    plain!(ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    let value = some!(memory.quick_load_ptr(at, align));
                    loaded!(pc, dst, at, Leaf::Ptr, value);
                }
                Quick::Store { size, align, number, src, ptr, offset } => {
                    let (value, at) = operands!(src, ptr);
                    plain!(ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    let leaf = size.leaf(number);
                    store!(pc, src, at, leaf, align, value, memory.quick_store(at, value.lo, size, align, number));
                }
                Quick::StorePtr { align, src, ptr, offset } => {
                    let (value, at) = operands!(src, ptr);
                    plain!(ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    store!(pc, src, at, Leaf::Ptr, align, value, memory.quick_store_ptr(at, value, align));
                }
                Quick::GepConst { dst, base, offset, inbounds } => {
                    plain!(base);
                    let base = defined!(base);
                    let addr = base.lo.wrapping_add_signed(offset);
                    if inbounds && offset != 0 {
                        let (start, size) = some!(memory.quick_bounds(base.hi));
                        if addr.wrapping_sub(start) > size || base.lo.wrapping_sub(start) > size {
                            break;
                        }
                    }
                    set!(dst, Scalar { lo: addr, ..base });
                }
                Quick::GepIndex { dst, base, index, scale, offset, width, inbounds } => {
                    set!(dst, element!(base, index, scale, i64::from(offset), width, inbounds));
                }
                Quick::GepLoad { dst, base, index, scale, into, width, size, align, number } => {
                    let at = element!(base, index, scale, 0, width, true);
                    let value = Scalar::word(some!(memory.quick_load(at, size, align)));
                    loaded!(pc + 1, into, at, size.leaf(number), value);
                    set!(dst, at);
                    pc += 2;
                    passed!(2);
                    continue;
                }
                Quick::GepStore { dst, base, index, scale, src, width, size, align, number } => {
                    let at = element!(base, index, scale, 0, width, true);
                    let value = defined!(src);
                    let leaf = size.leaf(number);
                    store!(pc + 1, src, at, leaf, align, value, memory.quick_store(at, value.lo, size, align, number));
                    set!(dst, at);
                    pc += 2;
                    passed!(2);
                    continue;
                }
                Quick::LoadSExt { align, dst, ptr, wide, to } => {
                    let at = defined!(ptr);
                    plain!(ptr);
                    let value = Scalar::word(some!(memory.quick_load(at, Size::B32, align)));
                    loaded!(pc, dst, at, Leaf::Int(32), value);
                    // A shadow that came along is the extension's business.
                    if beside.absent([dst]) {
                        set!(wide, Scalar::word(signed(value.lo, 32) as u64 & mask64(to)));
                        pc += 1;
                        passed!(1);
                    }
                }
            }
            pc += 1;
            passed!(1);
        }
        self.steps = steps;
        if THREADS {
            self.threads.turn = turn;
        }
        pc
    }
}
