//! Global variables that may hold something active have a shadow for the whole program: one more global variable.

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::ObjKind;
use crate::base::builder::Builder;
use crate::base::names::{unique, variable};
use crate::emit::block_memory;
use crate::error::{Diagnostic, Reason};
use crate::program::{call_graph, device, externals};
use crate::request::autodiff::Request;
use crate::request::call_site;
use crate::runtime::{run, tape};
use ir::{CastOp, ConstKind, FuncId, Function, Global, GlobalId, InstId, InstKind, Module, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// What the names of shadows of global variables begin with.
const SHADOW: &str = "__adj_shadow_";

/// Did a differentiation make the global variable of that name, as the shadow of another one, or to note an order?
pub fn is_of_gradients(name: &str) -> bool {
    name.starts_with(SHADOW) || name.starts_with(run::VARIABLES)
}

/// Makes the shadows of the global variables that need one.
pub(crate) fn shadow_globals(m: &mut Module, facts: &Facts) -> Result<BTreeMap<GlobalId, GlobalId>, Diagnostic> {
    let wanted: Vec<GlobalId> = facts
        .objects
        .iter()
        .filter_map(|(id, o)| match o.kind {
            ObjKind::Global(g) if facts.is_shadowed(id) => Some(g),
            _ => None,
        })
        .collect();
    let mut out = BTreeMap::new();
    for global in &wanted {
        refuse_of_device(m, *global)?;
        let name = unique(m, &format!("{SHADOW}{}", m.globals[*global].name));
        let mut shadow = Global::new(&name, m.globals[*global].ty, None);
        shadow.flags.linkage = "internal".to_owned();
        shadow.addr_space = m.globals[*global].addr_space;
        shadow.align = m.globals[*global].align;
        shadow.thread_local.clone_from(&m.globals[*global].thread_local);
        out.insert(*global, m.globals.push(shadow));
    }
    for (global, shadow) in &out {
        let ty = m.globals[*global].ty;
        if m.globals[*global].addr_space == device::SHARED {
            // Nobody can give such a variable a value before it is executed (CUDA C++ Programming Guide, 10.1.4).
            m.globals[*shadow].init = Some(m.constants.intern(ty, ConstKind::Undef));
            continue;
        }
        let init = match m.globals[*global].init {
            Some(init) => call_site::shadow_initialiser(m, init, &out),
            None => match m.zero(ty) {
                Operand::Const(c) => c,
                Operand::Local(_) => continue,
            },
        };
        m.globals[*shadow].init = Some(init);
    }
    Ok(out)
}

/// A refusal of the first instruction that names a variable.
fn named_in(m: &Module, global: GlobalId, message: String) -> Diagnostic {
    let names = |func: &Function, inst: InstId| {
        let constants = func.insts[inst].kind.operands().into_iter().filter_map(Operand::constant);
        constants.into_iter().any(|constant| variable(m, constant) == Some(global))
    };
    let place = |(_, func): (FuncId, &Function)| {
        let inst = func.inst_order().map(|(_, inst)| inst).find(|inst| names(func, *inst))?;
        Some(Diagnostic::at(m, func, inst, Reason::Unsupported, message.clone()))
    };
    let nobody = Diagnostic {
        reason: Reason::Unsupported,
        message: message.clone(),
        function: String::new(),
        instruction: None,
        loc: None,
    };
    m.functions.iter().find_map(place).unwrap_or(nobody)
}

/// All threads of a grid would clear the one shadow of what they have in common.
fn refuse_of_device(m: &Module, global: GlobalId) -> Result<(), Diagnostic> {
    let Global { name, addr_space, ty, .. } = &m.globals[global];
    if *addr_space == device::SHARED && m.size_of(*ty) == 0 {
        let message = format!(
            "the size of the shadow of `{name}` is not known, since the launch says it: give the shared array a constant \
             size"
        );
        return Err(named_in(m, global, message));
    }
    if *addr_space == device::SHARED || *addr_space != device::GLOBAL && !name.starts_with(device::DEVICE) {
        return Ok(());
    }
    let message = format!(
        "`{name}`, which all threads of a grid have in common, may hold something active: pass a pointer \
         to it as an argument, with its shadow"
    );
    Err(named_in(m, global, message))
}

/// A global variable that the call passes with a shadow, while what is differentiated reads or writes numbers of it by
/// name, of which that shadow knows nothing.
pub(crate) fn refuse_named(m: &Module, request: &Request) -> Result<(), Diagnostic> {
    let mut used: Option<BTreeSet<GlobalId>> = None;
    for argument in request.arguments.iter().filter(|a| a.activity.is_dup()) {
        let Operand::Const(constant) = argument.primal else { continue };
        let Some(global) = variable(m, constant) else { continue };
        if used.get_or_insert_with(|| numbers_used(m, request.primal)).contains(&global) {
            let name = &m.globals[global].name;
            let message = format!(
                "`{name}` is passed with a shadow, and numbers of it are also used by name in what is differentiated, \
                 where nothing leads to that shadow: pass it or name it, not both"
            );
            return Err(Diagnostic::at(m, &m.functions[request.caller], request.site, Reason::Misuse, message));
        }
    }
    Ok(())
}

/// The global variables of which a function, or what it reaches, reads or writes numbers by name.
fn numbers_used(m: &Module, root: FuncId) -> BTreeSet<GlobalId> {
    let mut out = BTreeSet::new();
    for id in call_graph::reachable(m, root) {
        let func = &m.functions[id];
        for (_, inst) in func.inst_order() {
            let (ptr, ty) = match &func.insts[inst].kind {
                InstKind::Load { ptr, .. } => (*ptr, func.insts[inst].ty),
                InstKind::Store { ptr, value, .. } => (*ptr, m.operand_ty(func, *value)),
                _ => continue,
            };
            if externals::holds_float(m, ty) {
                out.extend(named(m, func, ptr));
            }
        }
    }
    out
}

/// The global variable into which a pointer points that is computed from its name.
fn named(m: &Module, func: &Function, mut pointer: Operand) -> Option<GlobalId> {
    loop {
        match pointer {
            Operand::Const(constant) => return variable(m, constant),
            Operand::Local(v) => match func.insts[func.def_inst(v)?].kind {
                InstKind::Gep { base, .. } => pointer = base,
                _ => return None,
            },
        }
    }
}

/// The adjoint of a global variable starts at zero with each differentiated call.
pub fn clear_globals(b: &mut Builder, globals: &BTreeMap<GlobalId, GlobalId>) {
    for (global, shadow) in globals {
        let size = b.m.size_of(b.m.globals[*global].ty);
        if b.m.globals[*shadow].addr_space == device::SHARED {
            let address = b.m.global_address(*shadow);
            let ptr = b.m.types.ptr();
            let address = b.cast(CastOp::AddrSpaceCast, address, ptr);
            let size = b.m.int(64, u128::from(size));
            block_memory::clear(b, address, size);
            continue;
        }
        let address = b.m.global_address(*shadow);
        match b.m.globals[*shadow].init {
            Some(init) if !matches!(b.m.constants.get(init).kind, ConstKind::Zero) => {
                let align = b.align(b.m.globals[*shadow].ty);
                b.store(Operand::Const(init), address, align);
            }
            _ => {
                let size = b.m.int(64, u128::from(size));
                tape::clear(b, address, size);
            }
        }
    }
}
