//! Code of GPU kernels: what of it is not differentiated yet is refused.
//!
//! A gradient of a kernel needs shadows in the memory that the primal's lie in, increments that the threads of a block,
//! or of all blocks, may make at a time, and barriers in reverse. None of that is made. So what is differentiated must
//! be of one thread alone:
//!
//! - it names no memory but that of the generic address space (LangRef, "Pointer Type"; NVPTX: 1 global, 3 shared, 4
//!   constant, 5 local; AMDGPU: 1 global, 2 region, 3 local to the group, 4 constant, 5 private);
//! - it does not ask which thread it is, waits for no other, exchanges nothing with one and starts none;
//! - in reverse mode, memory that gets adjoints is the thread's own: a variable of the function that asks for the
//!   gradient.
//!
//! Functions of scalars, and the forward mode of what threads read and write each for itself, stay what they are.

use crate::error::{Diagnostic, Reason, Refused};
use crate::program::externals;
use crate::request::{entry_points, markers};
use ir::{ConstExpr, ConstId, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// Why, in the words of all messages.
const NOT_YET: &str = "gradients of GPU kernels are not supported yet";

/// What the names of a device's functions begin with where its module has been linked into the host's.
const DEVICE: &str = "device.";

/// Intrinsics of a device.
const INTRINSICS: [&str; 3] = ["llvm.nvvm.", "llvm.amdgcn.", "llvm.r600."];

/// Functions of the devices' libraries that tell which thread it is, or that wait for others (OpenCL C 3.0, 6.15.1 and
/// 6.15.8, mangled; ROCm's `ockl`; LLVM's OpenMP runtime for devices).
const LIBRARY: [&str; 12] = [
    "__ockl_",
    "_Z12get_local_idj",
    "_Z12get_group_idj",
    "_Z13get_global_idj",
    "_Z14get_local_sizej",
    "_Z14get_num_groupsj",
    "_Z15get_global_sizej",
    "_Z7barrierj",
    "_Z18work_group_barrierj",
    "__kmpc_get_hardware_",
    "__kmpc_barrier_simple_",
    "__kmpc_target_init",
];

/// Refuses a function that is differentiated and does what only kernels do.
pub(crate) fn refuse(m: &Module, func: &Function) -> Result<(), Diagnostic> {
    if func.cc.contains("kernel") {
        let message = format!("{NOT_YET}: `{}` is one", func.name);
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
    let known = INTRINSICS.iter().chain(&LIBRARY).any(|start| name.starts_with(start));
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
    kind.operands().into_iter().find_map(|operand| match operand {
        Operand::Local(v) => space(m, func.value_ty(v)).map(|space| format!("this is {}", named(space))),
        Operand::Const(constant) => of_constant(m, constant),
    })
}

/// Memory of another address space that a constant is the address of.
fn of_constant(m: &Module, constant: ConstId) -> Option<String> {
    let mut work = vec![constant];
    while let Some(next) = work.pop() {
        let c = m.constants.get(next);
        match &c.kind {
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

/// Calls in the code of a device that ask for adjoints in memory of which other threads may know.
pub(crate) fn refused(m: &Module) -> Vec<Refused> {
    let target = ["nvptx", "amdgcn", "spir"].iter().any(|target| m.triple.starts_with(target));
    let mut out = Vec::new();
    for (caller, func) in m.functions.iter() {
        if !target && !func.name.starts_with(DEVICE) && !func.cc.contains("kernel") {
            continue;
        }
        for (_, site) in func.inst_order() {
            if let Some(index) = shared_argument(m, func, site) {
                let message = format!(
                    "{NOT_YET}: adjoints would be added to what argument {} points to by plain additions, while other \
                     threads may do the same; a variable of this function, copied to and fro, is its own",
                    index + 1
                );
                out.push((caller, site, Diagnostic::at(m, func, site, Reason::Unsupported, message)));
            }
        }
    }
    out
}

/// An argument of a reverse-mode call that gets adjoints and is not a variable of the caller.
fn shared_argument(m: &Module, func: &Function, site: InstId) -> Option<usize> {
    let call = func.insts[site].kind.as_call()?;
    let callee: FuncId = m.as_function(call.callee)?;
    let name = &m.functions[callee].name;
    if !entry_points::is_reverse(name)
        && !matches!(entry_points::step(name), Some(entry_points::Step::Augment | entry_points::Step::Reverse))
    {
        return None;
    }
    let mut constant = false;
    call.args.iter().enumerate().skip(1).find_map(|(index, argument)| {
        if let Some(marker) = markers::marker_name(m, func, *argument) {
            constant = marker == "enzyme_const" || marker == "enzyme_tape";
            return None;
        }
        let told = std::mem::take(&mut constant);
        let is_tape = entry_points::step(name) == Some(entry_points::Step::Reverse) && index + 1 == call.args.len();
        (!told && !is_tape && m.types.is_ptr(m.operand_ty(func, *argument)) && !is_own(m, func, *argument))
            .then_some(index)
    })
}

/// Does a pointer lead to a variable of the function, which holds no pointers itself?
fn is_own(m: &Module, func: &Function, pointer: Operand) -> bool {
    let mut pointer = pointer;
    while let Operand::Local(v) = pointer {
        match func.def_inst(v).map(|inst| &func.insts[inst].kind) {
            Some(InstKind::Gep { base, .. }) => pointer = *base,
            Some(InstKind::Cast { value, .. }) => pointer = *value,
            Some(InstKind::Alloca { elem_ty, .. }) => return !externals::holds_pointer(m, *elem_ty),
            _ => return false,
        }
    }
    false
}
