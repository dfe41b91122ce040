//! An index that is one of two constants: a choice of two addresses.
//!
//! | before | after |
//! |---|---|
//! | `q = getelementptr T, p, (select c, a, b)` | `q = select c, (getelementptr T, p, a), (getelementptr T, p, b)` |
//!
//! LLVM makes the first of the second (`node = less ? node->right : node->left`). Of an index nothing is known but that
//! it is one, so `q` might be any member of a structure; each of the two addresses is that of one member.

use crate::base::blocks;
use ir::{Function, InstId, InstKind, Module, Operand};

/// Rewrites such addresses in a function.
pub fn lower(m: &Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            choose(m, func, inst, &mut out);
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
}

fn choose(m: &Module, func: &mut Function, inst: InstId, out: &mut Vec<InstId>) {
    let InstKind::Gep { elem_ty, flags, base, indices } = func.insts[inst].kind.clone() else { return };
    let mut variable = indices.iter().enumerate().filter(|(_, index)| m.as_int(**index).is_none());
    let (Some((at, index)), None) = (variable.next(), variable.next()) else { return };
    let chosen = index.local().and_then(|v| func.def_inst(v)).map(|inst| func.insts[inst].kind.clone());
    let Some(InstKind::Select { cond, if_true, if_false, fast }) = chosen else { return };
    let constant = |index: Operand| m.as_int(index).is_some();
    let ty = func.insts[inst].ty;
    if !constant(if_true) || !constant(if_false) || !m.types.is_ptr(ty) {
        return;
    }
    let mut member = |func: &mut Function, index: Operand| {
        let mut indices = indices.clone();
        indices[at] = index;
        blocks::before(func, inst, InstKind::Gep { elem_ty, flags, base, indices }, ty, out).unwrap_or(base)
    };
    let [if_true, if_false] = [if_true, if_false].map(|index| member(func, index));
    func.insts[inst].kind = InstKind::Select { cond, if_true, if_false, fast };
}

#[cfg(test)]
mod tests {
    use super::lower;

    fn lowered(index: &str) -> String {
        let text = format!(
            "define ptr @f(ptr %p, i1 %c, i64 %i) {{\n  %n = {index}\n  \
             %q = getelementptr i8, ptr %p, i64 %n\n  ret ptr %q\n}}\n"
        );
        let mut m = ir::parse(&text, "test").expect("the test's IR parses");
        let f = m.function("f").expect("a function");
        let mut func = m.functions[f].clone();
        lower(&m, &mut func);
        m.functions[f] = func;
        m.to_string()
    }

    #[test]
    fn one_of_two_members_is_a_choice_of_addresses() {
        let text = lowered("select i1 %c, i64 24, i64 16");
        assert!(
            text.contains("i64 24") && text.contains("i64 16") && text.contains("%q = select i1 %c, ptr"),
            "{text}"
        );
        for other in ["select i1 %c, i64 %i, i64 16", "add i64 %i, 16"] {
            assert!(lowered(other).contains("%q = getelementptr i8, ptr %p, i64 %n"), "{other}");
        }
    }
}
