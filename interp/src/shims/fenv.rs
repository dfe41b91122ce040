//! The floating-point environment (C11 7.6): rounding mode and exception flags, in glibc's numbers for x86-64.
//!
//! Only constrained intrinsics look at the mode and raise flags; ordinary instructions round to nearest (LangRef,
//! "Floating-Point Environment"). So a program may change the mode only where its code was compiled to mind it, in a
//! function with `strictfp`.

use crate::code::Rounding;
use crate::environment::{ALL, Environment};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The mode of a C macro (`FE_UPWARD`).
fn from_macro(value: u64) -> Option<Rounding> {
    Some(match value {
        0 => Rounding::ToNearest,
        0x400 => Rounding::Downward,
        0x800 => Rounding::Upward,
        0xc00 => Rounding::TowardZero,
        _ => return None,
    })
}

fn to_macro(rounding: Rounding) -> i32 {
    match rounding {
        Rounding::ToNearest | Rounding::ToNearestAway => 0,
        Rounding::Downward => 0x400,
        Rounding::Upward => 0x800,
        Rounding::TowardZero => 0xc00,
    }
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "fegetround" => |i, _| Ok(Value::i32(to_macro(i.environment.rounding))),
        "fesetround" => |i, c| match from_macro(c.uint(0)?) {
            Some(mode) => {
                set_rounding(i, c, mode)?;
                Ok(Value::i32(0))
            }
            None => Ok(Value::i32(1)),
        },
        "feclearexcept" => |i, c| {
            i.environment.raised &= !(c.uint(0)? as u32);
            Ok(Value::i32(0))
        },
        "fetestexcept" => |i, c| Ok(Value::i32((i.environment.raised & c.uint(0)? as u32) as i32)),
        "feraiseexcept" => |i, c| {
            i.environment.raised |= c.uint(0)? as u32 & ALL;
            Ok(Value::i32(0))
        },
        "fegetexceptflag" => |i, c| {
            let kept = i.environment.raised & c.uint(1)? as u32;
            i.memory.store(c.ptr(0)?, Leaf::Int(16), Scalar::word(kept.into()), 2)?;
            Ok(Value::i32(0))
        },
        "fesetexceptflag" => |i, c| {
            let (kept, mask) = (i.memory.load(c.ptr(0)?, Leaf::Int(16), 2)?, c.uint(1)? as u32 & ALL);
            if !kept.is_init() {
                return Err(Fault::ub(
                    UbKind::Uninitialised,
                    "the exceptions given to fesetexceptflag are uninitialised",
                ));
            }
            let environment = &mut i.environment;
            environment.raised = environment.raised & !mask | kept.lo as u32 & mask;
            Ok(Value::i32(0))
        },
        "fegetenv" => |i, c| {
            save(i, c.ptr(0)?)?;
            Ok(Value::i32(0))
        },
        "feholdexcept" => |i, c| {
            save(i, c.ptr(0)?)?;
            i.environment.raised = 0;
            Ok(Value::i32(0))
        },
        "fesetenv" => |i, c| {
            restore(i, c)?;
            Ok(Value::i32(0))
        },
        "feupdateenv" => |i, c| {
            let raised = i.environment.raised;
            restore(i, c)?;
            i.environment.raised |= raised;
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn set_rounding<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, mode: Rounding) -> Res {
    let caller = &interp.program.module.functions[call.at.func];
    if mode != Rounding::ToNearest && !caller.attrs.has("strictfp") {
        let text =
            "a change of the rounding mode in code that is not compiled to mind it (`#pragma STDC FENV_ACCESS ON`)";
        return Err(Fault::unsupported(text));
    }
    interp.environment.rounding = mode;
    Ok(())
}

/// The environment in a `fenv_t`: the mode's macro and the flags.
fn save<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer) -> Res {
    let Environment { rounding, raised } = interp.environment;
    interp.memory.store(at, Leaf::Int(32), Scalar::i32(to_macro(rounding)), 4)?;
    interp.memory.store(at.offset(4), Leaf::Int(32), Scalar::word(raised.into()), 4)
}

fn restore<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res {
    let at = call.ptr(0)?;
    // `FE_DFL_ENV`
    if at.addr == u64::MAX {
        interp.environment = Environment::default();
        return Ok(());
    }
    let (mode, raised) =
        (interp.memory.load(at, Leaf::Int(32), 4)?, interp.memory.load(at.offset(4), Leaf::Int(32), 4)?);
    let mode = if mode.is_init() && raised.is_init() { from_macro(mode.lo) } else { None };
    let Some(mode) = mode else {
        return Err(Fault::ub(UbKind::Library, "a floating-point environment is restored that was never saved"));
    };
    set_rounding(interp, call, mode)?;
    interp.environment.raised = raised.lo as u32;
    Ok(())
}
