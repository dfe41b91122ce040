//! Functions and variables of a module by their names: found, declared, or made under a name that is free.

use ir::entity::EntityRef;
use ir::{Attr, AttrValue, ConstExpr, ConstId, ConstKind, FuncId, Function, Global, GlobalId, Inst, Module, TypeId};

/// The attribute of what carries no derivative.
pub const INACTIVE: &str = "enzyme_inactive";

/// Marks a call that gives a text.
pub(crate) const GIVES_TEXT: &str = "adj_gives_text";

/// A name no function of the module has yet.
pub fn unique(m: &Module, base: &str) -> String {
    let taken = |name: &str| m.function(name).is_some() || m.global(name).is_some();
    if !taken(base) {
        return base.to_owned();
    }
    (1..).map(|n| format!("{base}.{n}")).find(|n| !taken(n)).unwrap_or_default()
}

/// The function of that name, declared with that signature if the module has none.
pub fn declare(m: &mut Module, name: &str, ret: TypeId, params: &[TypeId]) -> FuncId {
    match m.function(name) {
        Some(id) => id,
        None => m.functions.push(Function::new(name, ret, params)),
    }
}

/// The function without a body that an instruction calls by name.
pub fn called_outside<'m>(m: &'m Module, inst: &Inst) -> Option<&'m Function> {
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee))?;
    Some(&m.functions[callee]).filter(|f| f.is_declaration())
}

/// `@llvm.memcpy.p0.p0.i64`, declared if need be.
pub fn memcpy_intrinsic(m: &mut Module) -> FuncId {
    let (ptr, i64t, i1, void) = (m.types.ptr(), m.types.int(64), m.types.int(1), m.types.void());
    declare(m, "llvm.memcpy.p0.p0.i64", void, &[ptr, ptr, i64t, i1])
}

/// A function of that name for the module alone, to be filled; its number, if the module has it already.
pub(crate) fn internal(m: &mut Module, name: &str, ret: TypeId, params: &[TypeId]) -> Result<Function, FuncId> {
    match m.function(name) {
        Some(id) => Err(id),
        None => {
            let mut f = Function::new(name, ret, params);
            f.flags.linkage = "internal".to_owned();
            Ok(f)
        }
    }
}

/// A copy of a function under a name of its own, for the module alone. A subprogram belongs to one function, so that
/// the copy has none, nor what tells of its variables.
pub(crate) fn copied(m: &Module, func: &Function, name: &str) -> Function {
    let mut copy = func.clone();
    copy.name = unique(m, name);
    copy.flags = Function::new("", func.ret, &[]).flags;
    copy.flags.linkage = "internal".to_owned();
    copy.clauses.retain(|clause| !clause.starts_with("comdat"));
    copy.metadata.retain(|(key, _)| key != "dbg");
    for inst in copy.insts.values_mut() {
        inst.debug_records.clear();
    }
    copy
}

/// Marks a function as one that carries no derivative.
pub(crate) fn make_inactive(f: &mut Function) {
    if !f.attrs.has(INACTIVE) {
        f.attrs.0.push(Attr { name: INACTIVE.to_owned(), value: AttrValue::Str(None) });
    }
}

/// What the functions that add to an adjoint, or take what lies there, in one piece are called; a type follows.
pub(crate) const ADD_IN_ONE_PIECE: &str = "__adj_add_";
pub(crate) const TAKE_IN_ONE_PIECE: &str = "__adj_take_";

/// What the functions are called that keep what a thread adds to an adjoint, that add it for one store, and that add
/// all of it; a type follows.
pub(crate) const GATHER: &str = "__adj_gather_";
pub(crate) const SETTLE: &str = "__adj_settle_";
pub(crate) const SETTLE_ALL: &str = "__adj_settle_all_";

/// Is it a call of one of these?
pub(crate) fn is_in_one_piece(m: &Module, inst: &Inst) -> bool {
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee));
    let name = callee.map_or("", |f| m.functions[f].name.as_str());
    [ADD_IN_ONE_PIECE, TAKE_IN_ONE_PIECE, GATHER, SETTLE].iter().any(|prefix| name.starts_with(prefix))
}

/// The global variable into which a constant address points.
pub(crate) fn variable(m: &Module, mut constant: ConstId) -> Option<GlobalId> {
    loop {
        match &m.constants.get(constant).kind {
            ConstKind::Global(g) => return Some(*g),
            ConstKind::Expr(ConstExpr::Cast(_, inner) | ConstExpr::Gep { base: inner, .. }) => constant = *inner,
            _ => return None,
        }
    }
}

/// Adds an entry to one of the lists that the linker appends to each other (LangRef, "Appending Linkage"); returns the
/// list.
pub(crate) fn append(m: &mut Module, name: &str, (entry_ty, entry): (TypeId, ConstId)) -> GlobalId {
    let known = m.global(name);
    let list = known.and_then(|g| m.globals[g].init).map(|init| m.constants.get(init).kind.clone());
    let mut entries = if let Some(ConstKind::Aggregate(entries)) = list { entries } else { Vec::new() };
    if !entries.contains(&entry) {
        entries.push(entry);
    }
    let ty = m.types.array(entries.len() as u64, entry_ty);
    let init = m.constant(ty, ConstKind::Aggregate(entries)).constant();
    match known {
        Some(list) => {
            (m.globals[list].ty, m.globals[list].init) = (ty, init);
            list
        }
        None => {
            let mut list = Global::new(name, ty, init);
            list.flags.linkage = "appending".to_owned();
            m.globals.push(list)
        }
    }
}

/// A dense index of an entity, for tables.
pub fn index<T: EntityRef>(entity: T) -> usize {
    entity.index()
}
