//! The quick loop: executes the quick form of a function ([`crate::code::QuickCode`]) up to an op that is not quick.
//!
//! It is entered where there is one thread, no shadow and nobody who observes memory. Registers, memory and the step counter are
//! borrowed apart, so that no call to the rest of the engine stands in the way of keeping them in the host's registers.

use super::{both_init, float, int, signed, soft};
use crate::code::{Cmp, Code, Int, Quick};
use crate::interp::Interp;
use crate::machine::Machine;
use crate::value::{Scalar, mask64};
use ir::FloatPred;

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
    /// Executes from `pc` on; the index of the op that has to be executed as it stands.
    pub(super) fn quick(&mut self, code: &Code, mut pc: usize) -> usize {
        if !self.memory.is_quick() {
            return pc;
        }
        let limit = self.next_check;
        let (memory, mut steps) = (&mut self.memory, self.steps);
        let Some(regs) = self.regs.get_mut(self.base..self.base + code.frame) else { return pc };
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
        macro_rules! some {
            ($value:expr) => {
                match $value {
                    Some(value) => value,
                    None => break,
                }
            };
        }
        macro_rules! follow {
            ($hop:expr) => {{
                let hop = quick.hops[$hop as usize];
                let after = steps + u64::from(hop.cost);
                if after > limit {
                    break;
                }
                steps = after;
                for (dst, src) in &quick.moves[hop.first as usize..hop.end as usize] {
                    regs[*dst as usize] = regs[*src as usize];
                }
                pc = hop.target as usize;
                continue;
            }};
        }
        // The address of an element.
        macro_rules! element {
            ($base:ident, $index:ident, $scale:ident, $offset:expr, $width:ident, $inbounds:expr) => {{
                let (base, index) = operands!($base, $index);
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
            match quick.ops[pc] {
                Quick::Leave => break,
                Quick::Jump { hop } => follow!(hop),
                Quick::Branch { cond, hop } => {
                    let cond = defined!(cond);
                    follow!(hop + (cond.lo as u32 & 1 ^ 1))
                }
                Quick::BranchCmp { cmp, shift, a, b, hop } => {
                    let (x, y) = operands!(a, b);
                    follow!(hop + u32::from(!compare(cmp, x.lo, y.lo, shift)))
                }
                Quick::BranchFloat { pred, dst, a, b, hop } => {
                    let (x, y) = operands!(a, b);
                    let taken = compare_floats(pred, x.as_f64(), y.as_f64());
                    regs[dst as usize] = Scalar::bool(taken);
                    // Where the limits are looked at, only the comparison has been made.
                    let hop = quick.hops[(hop + u32::from(!taken)) as usize];
                    let after = steps + u64::from(hop.cost);
                    if after > limit {
                        pc += 1;
                        break;
                    }
                    steps = after;
                    for (dst, src) in &quick.moves[hop.first as usize..hop.end as usize] {
                        regs[*dst as usize] = regs[*src as usize];
                    }
                    pc = hop.target as usize;
                    continue;
                }
                Quick::ICmp { cmp, shift, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::bool(compare(cmp, x.lo, y.lo, shift));
                }
                Quick::FCmp { pred, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::bool(compare_floats(pred, x.as_f64(), y.as_f64()));
                }
                Quick::Add { dst, a, b, mask } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(x.lo.wrapping_add(y.lo) & mask);
                }
                Quick::AddNsw { dst, a, b, shift } => {
                    let (x, y) = operands!(a, b);
                    let sum = some!(((x.lo << shift) as i64).checked_add((y.lo << shift) as i64));
                    regs[dst as usize] = Scalar::word(sum as u64 >> shift);
                }
                Quick::AddNuw { dst, a, b, shift, nsw } => {
                    let (x, y) = operands!(a, b);
                    let sum = some!((x.lo << shift).checked_add(y.lo << shift));
                    if nsw && ((x.lo << shift) as i64).checked_add((y.lo << shift) as i64).is_none() {
                        break;
                    }
                    regs[dst as usize] = Scalar::word(sum >> shift);
                }
                Quick::Sub { dst, a, b, mask } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(x.lo.wrapping_sub(y.lo) & mask);
                }
                Quick::SubNsw { dst, a, b, shift } => {
                    let (x, y) = operands!(a, b);
                    let difference = some!(((x.lo << shift) as i64).checked_sub((y.lo << shift) as i64));
                    regs[dst as usize] = Scalar::word(difference as u64 >> shift);
                }
                Quick::Mul { dst, a, b, mask } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(x.lo.wrapping_mul(y.lo) & mask);
                }
                Quick::MulNsw { dst, a, b, shift } => {
                    let (x, y) = operands!(a, b);
                    let factor = (y.lo << shift) as i64 >> shift;
                    let product = some!(((x.lo << shift) as i64).checked_mul(factor));
                    regs[dst as usize] = Scalar::word(product as u64 >> shift);
                }
                Quick::Divide { op, dst, a, b, shift } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(some!(divide(op, x.lo, y.lo, shift)));
                }
                Quick::And { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(x.lo & y.lo);
                }
                Quick::Or { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(x.lo | y.lo);
                }
                Quick::Xor { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::word(x.lo ^ y.lo);
                }
                Quick::Shl { dst, a, b, width } => {
                    let (x, y) = operands!(a, b);
                    if y.lo >= u64::from(width) {
                        break;
                    }
                    regs[dst as usize] = Scalar::word(x.lo << y.lo & mask64(width));
                }
                Quick::LShr { dst, a, b, width } => {
                    let (x, y) = operands!(a, b);
                    if y.lo >= u64::from(width) {
                        break;
                    }
                    regs[dst as usize] = Scalar::word(x.lo >> y.lo);
                }
                Quick::AShr { dst, a, b, width } => {
                    let (x, y) = operands!(a, b);
                    if y.lo >= u64::from(width) {
                        break;
                    }
                    regs[dst as usize] = Scalar::word((signed(x.lo, width) >> y.lo) as u64 & mask64(width));
                }
                Quick::Trunc { dst, a, mask } => {
                    let x = defined!(a);
                    regs[dst as usize] = Scalar::word(x.lo & mask);
                }
                Quick::Promised { op, dst, a, b, width, flags } => {
                    let (x, y) = operands!(a, b);
                    let result = int::defined_binary(op, width, flags, x.lo.into(), y.lo.into());
                    regs[dst as usize] = Scalar::word(some!(result.ok().flatten()) as u64);
                }
                Quick::TruncPromised { dst, a, from, to, flags } => {
                    let x = defined!(a);
                    regs[dst as usize] = some!(int::trunc(x, from, to, flags));
                }
                Quick::ZExt { dst, a, clear } => {
                    let x = defined!(a);
                    if x.lo & clear != 0 {
                        break;
                    }
                    regs[dst as usize] = x;
                }
                Quick::SExt { dst, a, from, to } => {
                    let x = defined!(a);
                    regs[dst as usize] = Scalar::word(signed(x.lo, from) as u64 & mask64(to));
                }
                Quick::FromInt { dst, a, from, signed: sign } => {
                    let x = defined!(a);
                    let number = if sign { signed(x.lo, from) as f64 } else { x.lo as f64 };
                    regs[dst as usize] = Scalar::f64(number);
                }
                Quick::Float { op, kind, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::wide(float::arithmetic(op, kind, x.bits(), y.bits()));
                }
                Quick::FloatCmp { pred, kind, dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::bool(float::holds(pred, float::order(kind, x.bits(), y.bits())));
                }
                Quick::Resize { dst, a, from, to } => {
                    let x = defined!(a);
                    regs[dst as usize] = Scalar::wide(soft::convert(from, to, x.bits()));
                }
                Quick::ToInt { dst, a, from, width } => {
                    let x = defined!(a);
                    let (value, fits) = soft::to_signed(from, x.bits(), width);
                    if !fits {
                        break;
                    }
                    regs[dst as usize] = Scalar::word(value as u64 & mask64(width));
                }
                Quick::FAdd { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::f64(x.as_f64() + y.as_f64());
                }
                Quick::FSub { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::f64(x.as_f64() - y.as_f64());
                }
                Quick::FMul { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::f64(x.as_f64() * y.as_f64());
                }
                Quick::FDiv { dst, a, b } => {
                    let (x, y) = operands!(a, b);
                    regs[dst as usize] = Scalar::f64(x.as_f64() / y.as_f64());
                }
                Quick::FMulAdd { dst, a, b, c } => {
                    let (x, y) = operands!(a, b);
                    let z = defined!(c);
                    regs[dst as usize] = Scalar::f64(x.as_f64() * y.as_f64() + z.as_f64());
                }
                Quick::FNeg { dst, a } => {
                    let x = defined!(a);
                    regs[dst as usize] = Scalar::word(x.lo ^ 1 << 63);
                }
                Quick::Copy { dst, a } => regs[dst as usize] = regs[a as usize],
                Quick::Select { dst, cond, a, b } => {
                    let cond = defined!(cond);
                    let from = if cond.lo & 1 == 1 { a } else { b };
                    regs[dst as usize] = regs[from as usize];
                }
                Quick::Load { size, align, dst, ptr, offset } => {
                    let at = defined!(ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    regs[dst as usize] = Scalar::word(some!(memory.quick_load(at, size, align)));
                }
                Quick::LoadPtr { align, dst, ptr, offset } => {
                    let at = defined!(ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    regs[dst as usize] = some!(memory.quick_load_ptr(at, align));
                }
                Quick::Store { size, align, number, src, ptr, offset } => {
                    let (value, at) = operands!(src, ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    some!(memory.quick_store(at, value.lo, size, align, number));
                }
                Quick::StorePtr { align, src, ptr, offset } => {
                    let (value, at) = operands!(src, ptr);
                    let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
                    some!(memory.quick_store_ptr(at, value, align));
                }
                Quick::GepConst { dst, base, offset, inbounds } => {
                    let base = defined!(base);
                    let addr = base.lo.wrapping_add_signed(offset);
                    if inbounds && offset != 0 {
                        let (start, size) = some!(memory.quick_bounds(base.hi));
                        if addr.wrapping_sub(start) > size || base.lo.wrapping_sub(start) > size {
                            break;
                        }
                    }
                    regs[dst as usize] = Scalar { lo: addr, ..base };
                }
                Quick::GepIndex { dst, base, index, scale, offset, width, inbounds } => {
                    regs[dst as usize] = element!(base, index, scale, i64::from(offset), width, inbounds);
                }
                Quick::GepLoad { dst, base, index, scale, into, width, size, align } => {
                    let at = element!(base, index, scale, 0, width, true);
                    let value = some!(memory.quick_load(at, size, align));
                    regs[dst as usize] = at;
                    regs[into as usize] = Scalar::word(value);
                    pc += 2;
                    continue;
                }
                Quick::GepStore { dst, base, index, scale, src, width, size, align, number } => {
                    let at = element!(base, index, scale, 0, width, true);
                    let value = defined!(src);
                    some!(memory.quick_store(at, value.lo, size, align, number));
                    regs[dst as usize] = at;
                    pc += 2;
                    continue;
                }
                Quick::LoadSExt { align, dst, ptr, wide, to } => {
                    let at = defined!(ptr);
                    let value = some!(memory.quick_load(at, crate::code::Size::B32, align));
                    regs[dst as usize] = Scalar::word(value);
                    regs[wide as usize] = Scalar::word(signed(value, 32) as u64 & mask64(to));
                    pc += 2;
                    continue;
                }
            }
            pc += 1;
        }
        self.steps = steps;
        pc
    }
}
