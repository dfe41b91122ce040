//! Operations of the table: the host's libm for `float` and `double`, so that results are those of the native program;
//! multi-precision rounded to the format elsewhere.

use super::float::breaks_flags;
use super::soft;
use crate::code::{ManyPlace, ManySite, MathSite, Slot};
use crate::engine::Engine;
use crate::host::{self, Host};
use crate::library::Library;
use crate::machine::{FloatArg, FloatEvent, FloatOp, Machine, MemAccess};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res};
use crate::shim_call::ShimCall;
use crate::value::{Leaf, Scalar, Tag, Value};
use ir::{BinOp, FloatKind};
use rug::Float as Big;
use rules::Op as Rule;
use smallvec::SmallVec;

/// The least precision of a format, for intermediate multi-precision.
fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half => 11,
        FloatKind::BFloat => 8,
        FloatKind::Float => 24,
        FloatKind::Double => 53,
        FloatKind::X86Fp80 => 64,
        FloatKind::Fp128 => 113,
    }
}

/// x to an integer power as the compiler's run-time library computes it: square and multiply, inverted at the end.
fn powi(kind: FloatKind, x: u128, n: i128) -> u128 {
    let multiply = |a, b| super::float::arithmetic(BinOp::FMul, kind, a, b);
    let (mut base, mut rest, mut result) = (x, n.unsigned_abs(), soft::one(kind));
    loop {
        if rest & 1 == 1 {
            result = multiply(result, base);
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        base = multiply(base, base);
    }
    if n < 0 { super::float::arithmetic(BinOp::FDiv, kind, soft::one(kind), result) } else { result }
}

/// What every format computes alike, exactly or by one rounding of its own.
fn exact(op: Rule, kind: FloatKind, x: &[(u128, FloatKind)], n: &[i128]) -> Option<u128> {
    let at = |i: usize| x.get(i).map(|(bits, _)| *bits);
    let sign = 1u128 << (kind.bits() - 1);
    match op {
        Rule::Identity => at(0),
        Rule::Fabs => Some(at(0)? & !sign),
        Rule::FNeg => Some(at(0)? ^ sign),
        Rule::CopySign => Some(at(0)? & !sign | at(1)? & sign),
        Rule::FAdd => Some(super::float::arithmetic(BinOp::FAdd, kind, at(0)?, at(1)?)),
        Rule::FSub => Some(super::float::arithmetic(BinOp::FSub, kind, at(0)?, at(1)?)),
        Rule::FMul => Some(super::float::arithmetic(BinOp::FMul, kind, at(0)?, at(1)?)),
        Rule::FDiv => Some(super::float::arithmetic(BinOp::FDiv, kind, at(0)?, at(1)?)),
        Rule::FRem => Some(super::float::arithmetic(BinOp::FRem, kind, at(0)?, at(1)?)),
        // x86-64 without FMA: two roundings.
        Rule::FMulAdd => {
            let product = super::float::arithmetic(BinOp::FMul, kind, at(0)?, at(1)?);
            Some(super::float::arithmetic(BinOp::FAdd, kind, product, at(2)?))
        }
        Rule::Fma if !matches!(kind, FloatKind::Double | FloatKind::Float) => {
            Some(soft::fma(kind, at(0)?, at(1)?, at(2)?))
        }
        Rule::Powi => Some(powi(kind, at(0)?, *n.first()?)),
        _ => None,
    }
}

/// The concrete value of an operation with one result.
pub fn value(op: Rule, host: Host, kind: FloatKind, x: &[(u128, FloatKind)], n: &[i128]) -> u128 {
    if let Some(bits) = exact(op, kind, x, n) {
        return bits;
    }
    let plain: SmallVec<[u128; 4]> = x.iter().map(|(bits, _)| *bits).collect();
    if let Some(bits) = host.apply(&plain, n) {
        return bits;
    }
    if matches!(kind, FloatKind::Half | FloatKind::BFloat) {
        // The code generator widens these to `float` and calls its function.
        let wide: SmallVec<[(u128, FloatKind); 4]> =
            x.iter().map(|(bits, k)| (soft::convert(*k, FloatKind::Float, *bits), FloatKind::Float)).collect();
        let result = value(op, host::find(op, FloatKind::Float), FloatKind::Float, &wide, n);
        return soft::convert(FloatKind::Float, kind, result);
    }
    big(op, 0, kind, x, n).unwrap_or_else(|| soft::convert(FloatKind::Double, kind, f64::NAN.to_bits().into()))
}

/// By multi-precision, rounded to the format.
fn big(op: Rule, output: usize, kind: FloatKind, x: &[(u128, FloatKind)], n: &[i128]) -> Option<u128> {
    let x: Vec<Big> = x.iter().map(|(bits, k)| soft::to_big(*k, *bits)).collect();
    let n: Vec<i64> = n.iter().map(|v| *v as i64).collect();
    Some(soft::from_big(kind, &rules::primal(op, output, &x, &n, precision(kind))?))
}

/// Operands of a site: bits with formats, integers, and the worst tag among them as a scalar.
type Operands = (SmallVec<[(u128, FloatKind); 4]>, SmallVec<[i128; 2]>, Option<Scalar>);

impl<M: Machine, L: Library> Engine<'_, M, L> {
    fn operands(&self, site: &MathSite) -> Operands {
        let mut none: Option<Scalar> = None;
        let mut see = |x: Scalar| {
            if !x.is_init() {
                none = Some(none.map_or(x, |worst| super::float::absorb(worst, x)));
            }
        };
        let floats = site.floats.iter().map(|(slot, kind)| {
            let x = self.reg(*slot);
            see(x);
            (x.bits(), *kind)
        });
        let floats = floats.collect();
        let ints = site.ints.iter().map(|(slot, width)| {
            let x = self.reg(*slot);
            see(x);
            super::int::sign_extend(x.bits(), *width)
        });
        let ints = ints.collect();
        (floats, ints, none)
    }

    pub(super) fn math(&mut self, site: &MathSite) {
        if let (Host::D1(function), [(slot, _)], 0) = (site.host, site.floats.as_slice(), site.fast)
            && !M::SHADOWS
            && self.reg(*slot).is_init()
        {
            let x = self.reg(*slot).as_f64();
            return self.set(site.dst, Scalar::f64(function(x)));
        }
        let (x, n, none) = self.operands(site);
        let result = match none {
            Some(worst) => super::float::absorb(worst, worst),
            None => {
                let bits = value(site.op, site.host, site.kind, &x, &n);
                let broken = site.fast != 0
                    && (breaks_flags(site.fast, site.kind, bits)
                        || x.iter().any(|(b, k)| breaks_flags(site.fast, *k, *b)));
                if broken { self.poison() } else { Scalar::wide(bits) }
            }
        };
        if M::SHADOWS {
            self.set_float_shadowed(site.dst, FloatOp::Rule(site.op), site.kind, &site.floats, &n, result);
        } else {
            self.set(site.dst, result);
        }
    }

    /// A call of a function of the table through a pointer or by the library. `None` if the arguments do not fit the
    /// row.
    pub(super) fn table_call(
        &mut self,
        op: Rule,
        kind: FloatKind,
        call: &ShimCall<'_, M::Shadow>,
    ) -> Option<Value<M::Shadow>> {
        let (mut x, mut n) = (SmallVec::<[(u128, FloatKind); 4]>::new(), SmallVec::<[i128; 2]>::new());
        let mut worst: Option<Scalar> = None;
        if call.args.len() != op.row().operands.len() {
            return None;
        }
        for (arg, leaf) in call.args.iter().zip(call.leaves) {
            match leaf {
                Leaf::Float(k) => x.push((arg.bits(), *k)),
                Leaf::Int(width) => n.push(super::int::sign_extend(arg.bits(), *width)),
                Leaf::Ptr => return None,
            }
            if !arg.is_init() {
                worst = Some(super::float::absorb(worst.unwrap_or(*arg), *arg));
            }
        }
        if let Some(worst) = worst {
            return Some(Value::scalar(super::float::absorb(worst, worst)));
        }
        let result = Scalar::wide(value(op, host::find(op, kind), kind, &x, &n));
        if !M::SHADOWS {
            return Some(Value::scalar(result));
        }
        let floats =
            call.leaves.iter().zip(call.args).zip(call.shadows).filter_map(|((leaf, arg), shadow)| match leaf {
                Leaf::Float(kind) => Some(FloatArg { kind: *kind, bits: arg.bits(), shadow }),
                Leaf::Int(_) | Leaf::Ptr => None,
            });
        let args: SmallVec<[FloatArg<'_, M::Shadow>; 4]> = floats.collect();
        let event = FloatEvent {
            op: FloatOp::Rule(op),
            output: 0,
            kind,
            args: &args,
            ints: &n,
            result: result.bits(),
            at: call.at,
        };
        Some(Value::shadowed(result, self.machine.float_op(&event)))
    }

    /// An operation with several results.
    pub(super) fn math_many(&mut self, site: &ManySite) -> Res {
        let math = &site.math;
        let (x, n, none) = self.operands(math);
        if let Some(worst) = none {
            return self.nothing_many(site, worst);
        }
        let plain: Vec<u128> = x.iter().map(|(bits, _)| *bits).collect();
        let host = host::many(math.op, math.kind, &plain);
        for (index, output) in site.outputs.iter().enumerate() {
            let bits = match &host {
                Some(values) => values.get(index).copied(),
                None if output.is_float => big(math.op, index, math.kind, &x, &n).map(|bits| bits as i128),
                None => self.integer_output(math, index, &x),
            };
            let Some(bits) = bits else {
                return Err(Fault::unsupported(format!("{} of {}", math.op.name(), math.kind.keyword())));
            };
            let leaf = match (output.is_float, output.place) {
                (true, _) => Leaf::Float(math.kind),
                (false, ManyPlace::Pointer(_)) => Leaf::Int(32),
                (false, ManyPlace::Leaf(i)) => site.result.get(i as usize).copied().unwrap_or(Leaf::Int(32)),
            };
            let value = Scalar::wide(bits as u128 & crate::value::mask128(leaf.bits()));
            let shadow = if output.is_float {
                self.float_shadow(FloatOp::Rule(math.op), index, math.kind, &math.floats, &n, value)
            } else {
                M::Shadow::default()
            };
            self.put_output(site, output.place, leaf, value, shadow)?;
        }
        if M::SHADOWS && site.outputs.iter().all(|o| !o.is_float) {
            let result = self.reg(math.dst).bits();
            let slots: Vec<Slot> = math.floats.iter().map(|(slot, _)| *slot).collect();
            self.consume_now(&slots, crate::machine::Loss::ToInt(result));
        }
        Ok(())
    }

    fn integer_output(&self, math: &MathSite, index: usize, x: &[(u128, FloatKind)]) -> Option<i128> {
        let (bits, kind) = *x.first()?;
        match math.op {
            // glibc's FP_NAN … FP_NORMAL.
            Rule::FpClassify => Some(match soft::class(kind, bits) {
                0x001 | 0x002 => 0,
                0x004 | 0x200 => 1,
                0x020 | 0x040 => 2,
                0x010 | 0x080 => 3,
                _ => 4,
            }),
            Rule::IsSignaling => Some(i128::from(soft::class(kind, bits) == 0x001)),
            _ => {
                let x: Vec<Big> = x.iter().map(|(bits, k)| soft::to_big(*k, *bits)).collect();
                rules::integer_result(math.op, index, &x).map(i128::from)
            }
        }
    }

    fn put_output(&mut self, site: &ManySite, place: ManyPlace, leaf: Leaf, value: Scalar, shadow: M::Shadow) -> Res {
        match place {
            ManyPlace::Leaf(i) => self.set_shadowed(site.math.dst + i, value, shadow),
            ManyPlace::Pointer(slot) => {
                let pointer = self.need(self.reg(slot), "the address of a result")?.as_ptr();
                self.memory.store(pointer, leaf, value, 1)?;
                if M::OBSERVES_MEMORY {
                    let access = MemAccess { pointer, leaf, at: self.here() };
                    self.machine.store(&access, value, &shadow);
                }
                if M::SHADOWS && !shadow.is_absent() {
                    self.memory.set_shadow(pointer, leaf.store_size(), shadow);
                }
            }
        }
        Ok(())
    }

    /// All results without a value.
    fn nothing_many(&mut self, site: &ManySite, worst: Scalar) -> Res {
        for output in &site.outputs {
            let leaf = if output.is_float { Leaf::Float(site.math.kind) } else { Leaf::Int(32) };
            let value = if worst.tag == Tag::Poison { worst } else { Scalar::undef(leaf) };
            self.put_output(site, output.place, leaf, value, M::Shadow::default())?;
        }
        Ok(())
    }
}
