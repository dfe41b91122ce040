//! What may be executed again: what gives the same on the same operands, and changes nothing.
//!
//! A list of what is allowed; all else is refused. Arithmetic, comparisons, conversions, addresses; of calls those of
//! functions that LLVM's reference or the table of derivatives defines as arithmetic on their operands, and those of
//! which the program says that they are to be made again. Loads are another question ([`crate::check::reload`]).
//! `freeze` may give another number each time, and a division stops the program where its divisor is zero, so that it
//! is executed again only where the primal has executed it ([`Where::AsBefore`]).

use crate::analysis::context::Context;
use crate::program::attributes::RECOMPUTE;
use crate::program::externals::{External, classify};
use ir::{BinOp, Call, InstId, InstKind, Operand};

/// Where it is executed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// In the reverse of a block that uses it.
    AtUses,
    /// On the way that the primal has come.
    AsBefore,
}

/// Intrinsics on integers (LangRef, "Standard C/C++ Library Intrinsics", "Bit Manipulation Intrinsics", "Saturation
/// Arithmetic Intrinsics").
const INTEGERS: [&str; 16] = [
    "llvm.smax.",
    "llvm.smin.",
    "llvm.umax.",
    "llvm.umin.",
    "llvm.abs.",
    "llvm.ctpop.",
    "llvm.ctlz.",
    "llvm.cttz.",
    "llvm.bswap.",
    "llvm.bitreverse.",
    "llvm.fshl.",
    "llvm.fshr.",
    "llvm.sadd.sat.",
    "llvm.uadd.sat.",
    "llvm.ssub.sat.",
    "llvm.usub.sat.",
];

/// May the instruction, which is no load and no phi, be executed again?
pub(super) fn is_pure(cx: &Context, inst: InstId, at: Where) -> bool {
    match &cx.func.insts[inst].kind {
        InstKind::Binary { op: BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, .. } => at == Where::AsBefore,
        InstKind::Binary { .. }
        | InstKind::FNeg { .. }
        | InstKind::ICmp { .. }
        | InstKind::FCmp { .. }
        | InstKind::Cast { .. }
        | InstKind::Gep { .. }
        | InstKind::Select { .. }
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. } => true,
        InstKind::Call(call) => call.bundles.is_empty() && is_pure_call(cx, call),
        _ => false,
    }
}

fn is_pure_call(cx: &Context, call: &Call) -> bool {
    let callee = cx.m.as_function(call.callee).map(|f| (f, &cx.m.functions[f]));
    // The word of the program.
    if call.fn_attrs.has(RECOMPUTE) || callee.is_some_and(|(_, func)| func.attrs.has(RECOMPUTE)) {
        return true;
    }
    match callee.filter(|(f, _)| !cx.sources.contains_key(f)).map(|(_, func)| (classify(cx.m, func), &func.name)) {
        Some((External::Rule(row), _)) => {
            row.returns_only() && row.operands.iter().all(|o| o.is_float() || *o == rules::Operand::Integer)
        }
        Some((External::Held, _)) => true,
        Some((External::Inactive, name)) => INTEGERS.iter().any(|known| name.starts_with(known)),
        _ => false,
    }
}

/// Does it make something else of a float: a condition, an integer, an address?
pub(super) fn decides(cx: &Context, inst: InstId) -> bool {
    let (data, types) = (&cx.func.insts[inst], &cx.m.types);
    let is_float = |ty| types.float_kind(types.scalar(ty)).is_some();
    let asked = data.kind.operands();
    !is_float(data.ty) && asked.iter().any(|o| matches!(o, Operand::Local(_)) && is_float(cx.ty(*o)))
}

/// May a second execution on the same operands round otherwise? LLVM may choose where the flags of fast mathematics
/// say so, and where a product may be fused with a sum; and what it knows the arguments of, it computes with a libm of
/// its own.
pub(super) fn may_round_otherwise(cx: &Context, inst: InstId) -> bool {
    let kind = &cx.func.insts[inst].kind;
    let chosen = kind.fast().is_some_and(|fast| fast.reassoc || fast.contract || fast.arcp || fast.afn || fast.nsz);
    let callee = kind.as_call().and_then(|call| cx.m.as_function(call.callee));
    let called = callee.is_some_and(|f| match classify(cx.m, &cx.m.functions[f]) {
        External::Rule(row) => row.multiplies() || !row.is_arithmetic(),
        _ => false,
    });
    chosen || called
}
