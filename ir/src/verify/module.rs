//! Checks 1, 16 and 17 of the verifier for what belongs to the module: constants, globals, names, metadata.

use super::VerifyError;
use crate::constant::{ConstExpr, ConstId, ConstKind, Constant};
use crate::entity::EntityRef;
use crate::hash::HashSet;
use crate::metadata::{MdBody, MdField, MdNode, MdOperand};
use crate::module::{Global, Module};
use crate::types::{Type, TypeId};

/// The errors of the module itself.
pub(super) fn check(module: &Module) -> Vec<VerifyError> {
    let mut messages: Vec<String> = super::sizes::check(&module.types).err().into_iter().collect();
    for (_, constant) in module.constants.iter() {
        if !constant_exists(module, constant) {
            messages.push(format!("a part of the constant {:?} does not exist", constant.kind));
        }
    }
    for (id, node) in &module.metadata {
        if !node_exists(module, node) {
            messages.push(format!("an operand of the metadata node {id} does not exist"));
        }
    }
    if messages.is_empty() {
        for (_, constant) in module.constants.iter() {
            if !constant_fits(module, constant) {
                let types = &module.types;
                let ty = crate::print::type_text(types, constant.ty);
                messages.push(format!("a constant that does not fit its type {ty}: {:?}", constant.kind));
            }
        }
    }
    names(module, &mut messages);
    for global in module.globals.values() {
        messages.extend(global_fits(module, global).err().map(|why| format!("the global `@{}` {why}", global.name)));
    }
    let nodes = module.named_metadata.iter().flat_map(|(_, nodes)| nodes);
    if nodes.into_iter().any(|id| !module.metadata.is_valid(*id)) {
        messages.push("an operand of named metadata does not exist".to_owned());
    }
    let error = |message| VerifyError { function: None, block: None, inst: None, source: None, message };
    messages.into_iter().map(error).collect()
}

fn names(module: &Module, messages: &mut Vec<String>) {
    let mut seen = HashSet::default();
    let all = module.globals.values().map(|g| &g.name).chain(module.functions.values().map(|f| &f.name));
    for name in all {
        if name.is_empty() {
            messages.push("a global or function without name".to_owned());
        } else if !seen.insert(name) {
            messages.push(format!("the name `@{name}` is defined twice"));
        }
    }
}

fn global_fits(module: &Module, global: &Global) -> Result<(), &'static str> {
    let known = |id: ConstId| id.index() < module.constants.len();
    if global.ty.index() >= module.types.len() {
        return Err("has a type that does not exist");
    }
    if let Some(target) = global.alias_of {
        if global.init.is_some() {
            return Err("is an alias with an initialiser");
        }
        return match known(target) {
            false => Err("is an alias of a constant that does not exist"),
            true if alias_loops(module, target) => Err("is an alias of itself"),
            true => Ok(()),
        };
    }
    match global.init {
        Some(init) if !known(init) => Err("has an initialiser that does not exist"),
        Some(init) if module.constants.get(init).ty != global.ty => Err("has an initialiser of another type"),
        _ if global.align != 0 && !global.align.is_power_of_two() => Err("has an alignment that is no power of two"),
        _ => Ok(()),
    }
}

/// Does the chain of aliases from `target` have no end?
fn alias_loops(module: &Module, mut target: ConstId) -> bool {
    for _ in 0..=module.globals.len() {
        let constant = (target.index() < module.constants.len()).then(|| module.constants.get(target));
        let next = match constant.map(|c| &c.kind) {
            Some(ConstKind::Global(id)) => module.globals.get(*id).and_then(|g| g.alias_of),
            _ => None,
        };
        match next {
            Some(next) => target = next,
            None => return false,
        }
    }
    true
}

/// Do all ids in the constant lead somewhere?
fn constant_exists(module: &Module, constant: &Constant) -> bool {
    let known = |id: &ConstId| id.index() < module.constants.len();
    constant.ty.index() < module.types.len()
        && match &constant.kind {
            ConstKind::Aggregate(elements) => elements.iter().all(known),
            ConstKind::Global(id) => module.globals.is_valid(*id),
            ConstKind::Function(id) => module.functions.is_valid(*id),
            ConstKind::BlockAddress(id, block) => {
                module.functions.get(*id).is_some_and(|function| function.layout.contains(block))
            }
            ConstKind::Expr(ConstExpr::Cast(_, value)) => known(value),
            ConstKind::Expr(ConstExpr::Gep { base, indices, elem_ty, .. }) => {
                known(base) && indices.iter().all(known) && elem_ty.index() < module.types.len()
            }
            ConstKind::Expr(ConstExpr::Binary { lhs, rhs, .. }) => known(lhs) && known(rhs),
            ConstKind::Metadata(operand) => operand_exists(module, operand),
            ConstKind::Int(_)
            | ConstKind::Float(_)
            | ConstKind::Null
            | ConstKind::Undef
            | ConstKind::Poison
            | ConstKind::Zero
            | ConstKind::TokenNone
            | ConstKind::InlineAsm(_)
            | ConstKind::Bytes(_) => true,
        }
}

/// Has the constant a value of its type?
fn constant_fits(module: &Module, constant: &Constant) -> bool {
    let types = &module.types;
    let ty_of = |id: &ConstId| module.constants.get(*id).ty;
    match (&constant.kind, types.get(constant.ty)) {
        (ConstKind::Int(value), Type::Int(bits)) => *bits >= 128 || *value < 1 << bits,
        (ConstKind::Float(pattern), Type::Float(kind)) => kind.bits() >= 128 || *pattern < 1 << kind.bits(),
        (ConstKind::Int(_) | ConstKind::Float(_), _) => false,
        (
            ConstKind::Null
            | ConstKind::Global(_)
            | ConstKind::Function(_)
            | ConstKind::BlockAddress(..)
            | ConstKind::InlineAsm(_),
            ty,
        ) => {
            matches!(ty, Type::Ptr(_))
        }
        (ConstKind::TokenNone, ty) => *ty == Type::Token,
        (ConstKind::Aggregate(elements), _) => {
            let fits = |(i, e): (usize, &ConstId)| types.element(constant.ty, i as u64) == Some(ty_of(e));
            types.element_count(constant.ty) == Some(elements.len() as u64) && elements.iter().enumerate().all(fits)
        }
        (ConstKind::Bytes(bytes), Type::Array { len, elem }) => {
            *len == bytes.len() as u64 && *types.get(*elem) == Type::Int(8)
        }
        (ConstKind::Bytes(_), _) => false,
        (ConstKind::Expr(expr), _) => expr_fits(module, constant.ty, expr),
        (ConstKind::Metadata(_), ty) => *ty == Type::Metadata,
        (ConstKind::Undef | ConstKind::Poison | ConstKind::Zero, ty) => {
            !matches!(ty, Type::Void | Type::Func { .. } | Type::Label | Type::Metadata)
        }
    }
}

fn expr_fits(module: &Module, ty: TypeId, expr: &ConstExpr) -> bool {
    let types = &module.types;
    let ty_of = |id: &ConstId| module.constants.get(*id).ty;
    let pointer = |ty| matches!(types.get(types.scalar(ty)), Type::Ptr(_));
    match expr {
        ConstExpr::Cast(..) => true,
        ConstExpr::Gep { base, indices, .. } => {
            let int = |i: &ConstId| matches!(types.get(types.scalar(ty_of(i))), Type::Int(_));
            pointer(ty_of(base)) && pointer(ty) && indices.iter().all(int)
        }
        ConstExpr::Binary { lhs, rhs, .. } => ty_of(lhs) == ty && ty_of(rhs) == ty,
    }
}

fn node_exists(module: &Module, node: &MdNode) -> bool {
    match &node.body {
        MdBody::Tuple(operands) => operands.iter().all(|o| operand_exists(module, o)),
        MdBody::Special { fields, .. } => fields.iter().all(|(_, field)| match field {
            MdField::Operand(operand) => operand_exists(module, operand),
            MdField::Int(_) | MdField::Str(_) | MdField::Words(_) => true,
        }),
    }
}

fn operand_exists(module: &Module, operand: &MdOperand) -> bool {
    match operand {
        MdOperand::Node(id) => module.metadata.is_valid(*id),
        MdOperand::Const(id) => id.index() < module.constants.len(),
        MdOperand::Inline(node) => node_exists(module, node),
        // Checked with the function it belongs to.
        MdOperand::Local(_) => true,
        MdOperand::Null | MdOperand::Str(_) => true,
    }
}
