//! Code of GPU kernels: what of it is not differentiated is refused.
//!
//! In code of a device it may be asked which thread it is; threads of a block and lanes of a warp may wait for each
//! other; lanes may vote and hand floats to each other ([`crate::normalise::lanes`]); and variables of the device may
//! be named as generic addresses ([`crate::program::device`]). All else is refused: kernels themselves, integers that
//! lanes hand to each other, fences, what starts threads, pointers of other address spaces than the generic one
//! (LangRef, "Pointer Type"; NVPTX: 1 global, 3 shared, 4 constant, 5 local; AMDGPU: 1 global, 2 region, 3 local to
//! the group, 4 constant, 5 private).

use crate::base::names::variable;
use crate::error::{Diagnostic, Reason};
use crate::program::{device, externals};
use ir::{CastOp, ConstExpr, ConstId, ConstKind, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// Why, in the words of all messages.
const NOT_YET: &str = "this is not supported in gradients of GPU kernels";

/// Refuses a function that is differentiated and does what only kernels do.
pub(crate) fn refuse(m: &Module, func: &Function) -> Result<(), Diagnostic> {
    if func.cc.contains("kernel") {
        let message = format!("{NOT_YET}: `{}` is one, and what it calls may be differentiated", func.name);
        return Err(Diagnostic::of(m, func, Reason::Unsupported, message));
    }
    for (_, inst) in func.inst_order() {
        let what = asks(m, func, inst).map(|name| format!("`{name}` is about the threads of a grid"));
        let what = what.or_else(|| memory(m, func, inst));
        if let Some(what) = what {
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, format!("{NOT_YET}: {what}")));
        }
    }
    match func.params.iter().find_map(|p| space(m, p.ty)) {
        None => Ok(()),
        Some(space) => {
            let message = format!("{NOT_YET}: an argument of `{}` points to {}", func.name, named(space));
            Err(Diagnostic::of(m, func, Reason::Unsupported, message))
        }
    }
}

/// The function of a device that an instruction calls.
fn asks<'m>(m: &'m Module, func: &Function, inst: InstId) -> Option<&'m str> {
    let callee = &m.functions[m.as_function(func.insts[inst].kind.as_call()?.callee)?];
    let name = callee.name.as_str();
    let understood = device::is_of_device(m, func)
        && (device::is_index(name) || device::is_vote(name) || device::order(name).is_some());
    let known = device::is_intrinsic(name) && !understood;
    (callee.is_declaration() && known && !matches!(externals::classify(m, callee), externals::External::Rule(_)))
        .then_some(name)
}

/// Memory of another address space that an instruction names.
fn memory(m: &Module, func: &Function, inst: InstId) -> Option<String> {
    let kind = &func.insts[inst].kind;
    let made = match kind {
        InstKind::Alloca { addr_space, .. } => Some(*addr_space).filter(|space| *space != 0),
        _ => space(m, func.insts[inst].ty),
    };
    if let Some(space) = made {
        return Some(format!("this is {}", named(space)));
    }
    let of_device = device::is_of_device(m, func);
    kind.operands().into_iter().find_map(|operand| match operand {
        Operand::Local(v) => space(m, func.value_ty(v)).map(|space| format!("this is {}", named(space))),
        Operand::Const(constant) => of_constant(m, constant, of_device),
    })
}

/// Memory of another address space that a constant is the address of; variables of a device may be named in its code.
fn of_constant(m: &Module, constant: ConstId, of_device: bool) -> Option<String> {
    let mut work = vec![constant];
    while let Some(next) = work.pop() {
        let c = m.constants.get(next);
        match &c.kind {
            ConstKind::Expr(ConstExpr::Cast(CastOp::AddrSpaceCast, inner)) if of_device && space(m, c.ty).is_none() => {
                if !leads_to_variable(m, *inner) {
                    work.push(*inner);
                }
            }
            ConstKind::Global(g) if m.globals[*g].addr_space != 0 => {
                let global = &m.globals[*g];
                return Some(format!("`{}` is {}", global.name, named(global.addr_space)));
            }
            ConstKind::Aggregate(elements) => work.extend(elements),
            ConstKind::Expr(ConstExpr::Cast(_, inner) | ConstExpr::Gep { base: inner, .. }) => work.push(*inner),
            ConstKind::Expr(ConstExpr::Binary { lhs, rhs, .. }) => work.extend([lhs, rhs]),
            _ => {
                if let Some(space) = space(m, c.ty) {
                    return Some(format!("this is {}", named(space)));
                }
            }
        }
    }
    None
}

/// Is it the address of a variable of the device that threads share in a block, or all of them?
fn leads_to_variable(m: &Module, constant: ConstId) -> bool {
    variable(m, constant)
        .is_some_and(|g| matches!(m.globals[g].addr_space, device::SHARED | device::GLOBAL | device::CONSTANT))
}

/// The address space of a pointer (or of a vector of them), if it is not the generic one.
fn space(m: &Module, ty: TypeId) -> Option<u32> {
    match m.types.get(m.types.scalar(ty)) {
        Type::Ptr(space) => Some(*space).filter(|space| *space != 0),
        _ => None,
    }
}

fn named(space: u32) -> String {
    match space {
        3 => "shared memory (address space 3)".to_owned(),
        _ => format!("memory of address space {space}"),
    }
}
