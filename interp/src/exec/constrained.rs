//! Constrained floating-point intrinsics (LangRef, "Constrained Floating-Point Intrinsics"): arithmetic in the current
//! rounding mode, with exceptions.
//!
//! Arithmetic, conversions and roundings are those of software floats (`rustc_apfloat`), which round in every mode and
//! report exceptions as IEEE 754 defines them. Square roots are multi-precision, rounded once. Functions of the host's
//! libm are computed to nearest only, and of their exceptions those are recorded which the result shows (a NaN or an
//! infinity out of finite operands). An operation that names another mode than the current one is undefined.

use super::{float, int, soft};
use crate::code::{ConstrainedOp, ConstrainedSite, Rounding, Slot};
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::host;
use crate::library::Library;
use crate::machine::{CompareEvent, FloatArg, FloatOp, Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Leaf, Scalar, Tag, mask128};
use ir::{BinOp, FloatKind};
use rules::Op as Rule;
use rustc_apfloat::{Round, Status};
use smallvec::SmallVec;

fn apfloat_mode(rounding: Rounding) -> Round {
    match rounding {
        Rounding::ToNearest => Round::NearestTiesToEven,
        Rounding::Downward => Round::TowardNegative,
        Rounding::Upward => Round::TowardPositive,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::ToNearestAway => Round::NearestTiesToAway,
    }
}

/// The table's operation, for the shadow of the result.
fn rule(op: ConstrainedOp) -> Option<FloatOp> {
    match op {
        ConstrainedOp::Binary(op) => float::rule(op).map(FloatOp::Rule),
        ConstrainedOp::Fma => Some(FloatOp::Rule(Rule::Fma)),
        ConstrainedOp::FMulAdd => Some(FloatOp::Rule(Rule::FMulAdd)),
        ConstrainedOp::Convert => Some(FloatOp::Convert),
        ConstrainedOp::FromInt(_) => Some(FloatOp::FromInt),
        ConstrainedOp::Sqrt => Some(FloatOp::Rule(Rule::Sqrt)),
        ConstrainedOp::ToIntegral(exact) => Some(FloatOp::Rule(if exact { Rule::Rint } else { Rule::NearbyInt })),
        ConstrainedOp::Rule(op) => Some(FloatOp::Rule(op)),
        ConstrainedOp::ToInt(_) | ConstrainedOp::RoundToInt | ConstrainedOp::Compare(..) => None,
    }
}

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn constrained(&mut self, site: &ConstrainedSite) -> Res {
        let current = self.environment.rounding;
        if let Some(named) = site.rounding.filter(|named| *named != current) {
            let text = format!("an operation rounds {named:?}, the environment {current:?}");
            return Err(Fault::ub(UbKind::Assumption, text));
        }
        let args: SmallVec<[Scalar; 3]> = site.args.iter().map(|(slot, _)| self.reg(*slot)).collect();
        if let Some(worst) = args.iter().copied().filter(|a| !a.is_init()).reduce(float::absorb) {
            let result = if worst.tag == Tag::Poison { worst } else { Scalar::undef(site.result) };
            self.set(site.dst, result);
            return Ok(());
        }
        let x: SmallVec<[u128; 3]> = args.iter().map(|a| a.bits()).collect();
        if let ConstrainedOp::Compare(..) = site.op {
            self.constrained_compare(site, &x);
            return Ok(());
        }
        let Some((bits, status)) = self.constrained_value(site, &x, current)? else {
            // A conversion to an integer that does not fit.
            self.environment.raise(Status::INVALID_OP);
            let poison = self.poison();
            self.set(site.dst, poison);
            return Ok(());
        };
        self.environment.raise(status);
        let result = Scalar::wide(bits & mask128(site.result.bits()));
        let floats: SmallVec<[(Slot, FloatKind); 3]> = site
            .args
            .iter()
            .filter_map(|(slot, leaf)| if let Leaf::Float(kind) = leaf { Some((*slot, *kind)) } else { None })
            .collect();
        match (rule(site.op), site.result) {
            (Some(op), Leaf::Float(kind)) if M::SHADOWS => {
                let ints: SmallVec<[i128; 1]> = site
                    .args
                    .iter()
                    .zip(&x)
                    .filter_map(|((_, leaf), bits)| match (leaf, site.op) {
                        (Leaf::Int(_), ConstrainedOp::FromInt(false)) => Some(*bits as i128),
                        (Leaf::Int(width), _) => Some(int::sign_extend(*bits, *width)),
                        _ => None,
                    })
                    .collect();
                self.set_float_shadowed(site.dst, op, kind, &floats, &ints, result);
                self.forget(Forgets::Constrained, site.dst, 1);
            }
            _ => {
                if M::SHADOWS {
                    let slots: SmallVec<[Slot; 3]> = floats.iter().map(|(slot, _)| *slot).collect();
                    self.consume_now(&slots, Loss::ToInt(result.bits()));
                }
                self.set(site.dst, result);
            }
        }
        Ok(())
    }

    /// Bits and exceptions; none for an integer that does not fit.
    fn constrained_value(&self, site: &ConstrainedSite, x: &[u128], current: Rounding) -> Res<Option<(u128, Status)>> {
        let mode = apfloat_mode(current);
        let format = |leaf: Option<Leaf>| match leaf {
            Some(Leaf::Float(kind)) => Ok(kind),
            _ => Err(Fault::bug("a constrained operation on another type")),
        };
        let source = site.args.first().map(|(_, leaf)| *leaf);
        let at = |i: usize| x.get(i).copied().unwrap_or_default();
        Ok(Some(match site.op {
            ConstrainedOp::Binary(op) => soft::arithmetic_in(op, format(source)?, at(0), at(1), mode),
            ConstrainedOp::Fma => soft::fma_in(format(source)?, at(0), at(1), at(2), mode),
            ConstrainedOp::FMulAdd => {
                let kind = format(source)?;
                let (product, first) = soft::arithmetic_in(BinOp::FMul, kind, at(0), at(1), mode);
                let (sum, second) = soft::arithmetic_in(BinOp::FAdd, kind, product, at(2), mode);
                (sum, first | second)
            }
            ConstrainedOp::Convert => soft::convert_in(format(source)?, format(Some(site.result))?, at(0), mode),
            ConstrainedOp::FromInt(signed) => {
                let width = source.map_or(64, |l| l.bits());
                let value = if signed { int::sign_extend(at(0), width) } else { 0 };
                soft::from_int_in(format(Some(site.result))?, signed, value, at(0), mode)
            }
            ConstrainedOp::ToInt(signed) => {
                let width = site.result.bits();
                match soft::to_int_in(format(source)?, signed, at(0), width, Round::TowardZero) {
                    Some(found) => found,
                    None => return Ok(None),
                }
            }
            ConstrainedOp::RoundToInt => {
                match soft::to_int_in(format(source)?, true, at(0), site.result.bits(), mode) {
                    Some(found) => found,
                    None => return Ok(None),
                }
            }
            ConstrainedOp::ToIntegral(reports) => {
                let (bits, status) = soft::to_integral(format(source)?, at(0), mode);
                (bits, if reports { status } else { status & Status::INVALID_OP })
            }
            ConstrainedOp::Sqrt => soft::sqrt_in(format(source)?, at(0), mode),
            ConstrainedOp::Rule(op) => self.constrained_rule(op, site, x, current)?,
            ConstrainedOp::Compare(..) => return Err(Fault::bug("a comparison is no value")),
        }))
    }

    /// A function of the host.
    fn constrained_rule(&self, op: Rule, site: &ConstrainedSite, x: &[u128], current: Rounding) -> Res<(u128, Status)> {
        // Exact ones are the same in every mode.
        let exact = matches!(
            op,
            Rule::Floor
                | Rule::Ceil
                | Rule::Trunc
                | Rule::Round
                | Rule::RoundEven
                | Rule::Fmin
                | Rule::Fmax
                | Rule::Minimum
                | Rule::Maximum
        );
        if current != Rounding::ToNearest && !exact {
            return Err(Fault::unsupported(format!("{} rounded {current:?}", op.name())));
        }
        let Leaf::Float(kind) = site.result else { return Err(Fault::bug("a constrained function without a number")) };
        let (mut floats, mut ints) = (SmallVec::<[(u128, FloatKind); 3]>::new(), SmallVec::<[i128; 1]>::new());
        for ((_, leaf), bits) in site.args.iter().zip(x) {
            match leaf {
                Leaf::Float(kind) => floats.push((*bits, *kind)),
                Leaf::Int(width) => ints.push(int::sign_extend(*bits, *width)),
                Leaf::Ptr => return Err(Fault::bug("a constrained function of a pointer")),
            }
        }
        let result = super::math::value(op, host::find(op, kind), kind, &floats, &ints);
        let classes = floats.iter().map(|(bits, kind)| soft::nan_or_infinite(*kind, *bits));
        let (nan, infinite) = classes.fold((false, false), |all, one| (all.0 | one.0, all.1 | one.1));
        let mut status = Status::OK;
        match soft::nan_or_infinite(kind, result) {
            (true, _) if !nan => status |= Status::INVALID_OP,
            (_, true) if !nan && !infinite && matches!(op, Rule::Log | Rule::Log2 | Rule::Log10 | Rule::Pow) => {
                let zero = floats.first().is_some_and(|(bits, kind)| bits << 1 & mask128(kind.bits() as u8) == 0);
                status |= if zero { Status::DIV_BY_ZERO } else { Status::OVERFLOW | Status::INEXACT };
            }
            (_, true) if !nan && !infinite => status |= Status::OVERFLOW | Status::INEXACT,
            _ => {}
        }
        Ok((result, status))
    }

    fn constrained_compare(&mut self, site: &ConstrainedSite, x: &[u128]) {
        let (ConstrainedOp::Compare(pred, signaling), [(a, Leaf::Float(kind)), (b, _)]) =
            (site.op, site.args.as_slice())
        else {
            return;
        };
        let (p, q) = (x[0], x[1]);
        let is_nan = |bits| soft::nan_or_infinite(*kind, bits).0;
        let invalid = if signaling {
            is_nan(p) || is_nan(q)
        } else {
            [p, q].iter().any(|bits| soft::class(*kind, *bits) == 0x001)
        };
        if invalid {
            self.environment.raise(Status::INVALID_OP);
        }
        let holds = pred.holds(float::order(*kind, p, q));
        if M::SHADOWS {
            let (sa, sb) = (self.shadow(*a), self.shadow(*b));
            if !sa.is_absent() || !sb.is_absent() {
                let event = CompareEvent {
                    pred,
                    a: FloatArg { kind: *kind, bits: p, shadow: &sa },
                    b: FloatArg { kind: *kind, bits: q, shadow: &sb },
                    concrete: holds,
                    at: self.here(),
                };
                self.machine.compare(&event);
            }
        }
        self.set(site.dst, Scalar::bool(holds));
    }
}
