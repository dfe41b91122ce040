//! Fixed-point arithmetic (LangRef, "Fixed Point Arithmetic Intrinsics").
//!
//! An operand of scale s stands for its integer divided by 2^s. The exact quotient or product is rounded towards
//! negative infinity, as LLVM's code generator does on every target without instructions of its own; the LangRef leaves
//! the direction open.

use super::int;
use crate::code::IntrinsicSite;
use crate::engine::Engine;
use crate::intrinsics::Intrinsic;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Leaf, Scalar, Tag, mask128};
use rug::Integer;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn fixed_point(&mut self, site: &IntrinsicSite) -> Res {
        let Some(Leaf::Int(width)) = site.result.first().copied() else {
            return Err(Fault::bug("fixed-point arithmetic on something else"));
        };
        let (a, b) = (self.arg(site, 0), self.arg(site, 1));
        let scale = self.need(self.arg(site, 2), "a fixed-point scale")?.lo as u32;
        let divides = matches!(site.kind, Intrinsic::FixDiv(..));
        if divides {
            self.need(b, "the divisor of a fixed-point division")?;
        }
        if !a.is_init() || !b.is_init() {
            let none = super::float::absorb(a, b);
            let result = if none.tag == Tag::Poison { none } else { int::all_undef(width) };
            self.set(site.dst, result);
            return Ok(());
        }
        let (Intrinsic::FixMul(signed, saturates) | Intrinsic::FixDiv(signed, saturates)) = site.kind else {
            return Err(Fault::bug("not a fixed-point operation"));
        };
        let number = |x: Scalar| {
            if signed { Integer::from(int::sign_extend(x.bits(), width)) } else { Integer::from(x.bits()) }
        };
        let (a, b) = (number(a), number(b));
        let exact = if divides {
            if b == 0 {
                return Err(Fault::ub(UbKind::DivisionByZero, "a fixed-point division by zero"));
            }
            (a << scale).div_rem_floor(b).0
        } else {
            // A shift to the right of a negative number rounds down.
            (a * b) >> scale
        };
        let power = |exponent: u32| Integer::from(1) << exponent;
        let (low, high) = if signed {
            (-power(u32::from(width) - 1), power(u32::from(width) - 1) - 1)
        } else {
            (Integer::new(), power(u32::from(width)) - 1)
        };
        let fits = exact >= low && exact <= high;
        if !fits && !saturates {
            let text = format!("the result {exact} of fixed-point arithmetic does not fit in {width} bits");
            return Err(Fault::ub(UbKind::Library, text));
        }
        let kept = exact.clamp(&low, &high).to_i128_wrapping() as u128;
        self.set(site.dst, Scalar::wide(kept & mask128(width)));
        Ok(())
    }
}
