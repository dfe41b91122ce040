//! Which function a variable holds that is assigned once.
//!
//! Without optimisation, `c_funloc(f)` of Fortran is a structure that the address is stored in as an integer, and a
//! pointer to a function is a variable. Where the variable is assigned at one place only, and nothing else gets its
//! address, that is what it holds.

use ir::{CastOp, ConstExpr, ConstId, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, ValueId};

/// How far a value is followed.
const DEPTH: usize = 16;

/// The function that an operand is.
pub(crate) fn held(m: &Module, func: &Function, operand: Operand) -> Option<FuncId> {
    let mut operand = operand;
    for _ in 0..DEPTH {
        let Some(value) = operand.local() else { return constant(m, operand) };
        operand = match &func.insts[func.def_inst(value)?].kind {
            InstKind::Cast { op: CastOp::IntToPtr | CastOp::PtrToInt | CastOp::BitCast, value, .. } => *value,
            InstKind::Freeze(value) => *value,
            InstKind::Load { ptr, .. } => assigned(m, func, place(m, func, *ptr)?)?,
            _ => return None,
        };
    }
    None
}

/// A function as a constant, or its address as an integer.
fn constant(m: &Module, operand: Operand) -> Option<FuncId> {
    if let Some(function) = m.as_function(operand) {
        return Some(function);
    }
    let value: ConstId = match &m.as_constant(operand)?.kind {
        ConstKind::Expr(ConstExpr::Cast(CastOp::IntToPtr | CastOp::PtrToInt, value)) => *value,
        _ => return None,
    };
    constant(m, Operand::Const(value))
}

/// A variable, and how far in it.
type Place = (ValueId, i64);

/// Where a pointer leads, if that is so far into a variable of the function.
fn place(m: &Module, func: &Function, pointer: Operand) -> Option<Place> {
    let (mut pointer, mut offset) = (pointer, 0i64);
    for _ in 0..DEPTH {
        let value = pointer.local()?;
        match &func.insts[func.def_inst(value)?].kind {
            InstKind::Alloca { .. } => return Some((value, offset)),
            InstKind::Gep { elem_ty, base, indices, .. } => {
                offset = offset.checked_add(ir::gep::constant_offset(m, *elem_ty, indices)?)?;
                pointer = *base;
            }
            _ => return None,
        }
    }
    None
}

/// What is assigned to a variable at one place, if nothing but loads, stores and marks of its life use it.
fn assigned(m: &Module, func: &Function, (variable, at): Place) -> Option<Operand> {
    let mut found = None;
    for (_, inst) in func.inst_order() {
        let kind = &func.insts[inst].kind;
        let leads = |operand: Operand| place(m, func, operand).filter(|(of, _)| *of == variable);
        match kind {
            InstKind::Store { value, ptr, .. } if leads(*value).is_none() => {
                let Some((_, offset)) = leads(*ptr) else { continue };
                if offset != at || found.replace(*value).is_some() {
                    return None;
                }
            }
            InstKind::Load { .. } => {}
            // Where in the variable has to be known.
            InstKind::Gep { base, .. } if leads(*base).is_some() => {
                place(m, func, Operand::Local(func.insts[inst].result?))?;
            }
            _ if marks_life(m, func, inst) => {}
            kind if kind.operands().into_iter().any(|operand| leads(operand).is_some()) => return None,
            _ => {}
        }
    }
    found
}

fn marks_life(m: &Module, func: &Function, inst: InstId) -> bool {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.lifetime."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function that `%p` of `main` is.
    fn of(body: &str) -> Option<String> {
        let text = format!(
            "declare void @f()\ndeclare void @other(ptr)\ndefine void @main(i1 %c) {{\n  %v = alloca {{ i64, i64 }}, align 8\n  \
             {body}\n  call void @other(ptr %p)\n  ret void\n}}\n"
        );
        let m = ir::parse(&text, "test").expect("valid IR");
        let main = &m.functions[m.function("main")?];
        let call = main.inst_order().filter_map(|(_, inst)| main.insts[inst].kind.as_call()).last()?;
        held(&m, main, call.args[0]).map(|f| m.functions[f].name.clone())
    }

    #[test]
    fn a_variable_that_is_assigned_once_holds_a_function() {
        let store = "store i64 ptrtoint (ptr @f to i64), ptr %v, align 8";
        let load = "%i = load i64, ptr %v, align 8\n  %p = inttoptr i64 %i to ptr";
        assert_eq!(of(&format!("{store}\n  {load}")).as_deref(), Some("f"));
        let member = "%q = getelementptr { i64, i64 }, ptr %v, i32 0, i32 1\n  store ptr @f, ptr %q, align 8\n  \
                      %p = load ptr, ptr %q, align 8";
        assert_eq!(of(member).as_deref(), Some("f"));
        let indexed =
            "%n = zext i1 %c to i64\n  %w = getelementptr i64, ptr %v, i64 %n\n  store i64 0, ptr %w, align 8";
        for other in
            [indexed, "call void @other(ptr %v)", "store i64 0, ptr %v, align 8", "%w = ptrtoint ptr %v to i64"]
        {
            assert_eq!(of(&format!("{store}\n  {other}\n  {load}")), None, "{other}");
        }
    }
}
