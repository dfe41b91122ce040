//! Variables that are read and written as a float and as its bits, as front ends do around exchanges: as floats alone.

use crate::base::blocks;
use ir::hash::HashMap;
use ir::{FloatKind, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};

/// Lets what is loaded from a variable of a float, and stored there, be that float; its bits are made of it. Was there
/// one that is not only that?
pub(super) fn unify(m: &Module, func: &mut Function) -> bool {
    let slots = slots(m, func);
    if slots.is_empty() {
        return false;
    }
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            let slot = |ptr: Operand| slots.get(&ptr.local()?).copied();
            match func.insts[inst].kind.clone() {
                InstKind::Load { ptr, .. } if slot(ptr).is_some_and(|ty| ty != func.insts[inst].ty) => {
                    let (kind, ty) = (func.insts[inst].kind.clone(), slot(ptr).unwrap_or(func.insts[inst].ty));
                    let load = blocks::like(m, func, inst, kind, ty);
                    out.push(load);
                    if let Some(float) = func.insts[load].result.map(Operand::Local) {
                        func.insts[inst].kind = blocks::bitcast(float);
                        func.insts[inst].metadata.clear();
                    }
                    out.push(inst);
                }
                InstKind::Store { ptr, value, .. } if slot(ptr).is_some_and(|ty| ty != m.operand_ty(func, value)) => {
                    let ty = slot(ptr).unwrap_or_else(|| m.operand_ty(func, value));
                    let float = blocks::like(m, func, inst, blocks::bitcast(value), ty);
                    out.push(float);
                    if let (Some(float), InstKind::Store { value, .. }) =
                        (func.insts[float].result.map(Operand::Local), &mut func.insts[inst].kind)
                    {
                        *value = float;
                    }
                    out.push(inst);
                }
                _ => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
    true
}

/// The variables of one float that nothing is done with but loads and stores of its size, some of them of its bits, and
/// their types.
fn slots(m: &Module, func: &Function) -> HashMap<ValueId, TypeId> {
    let mut out: HashMap<ValueId, TypeId> = HashMap::default();
    let insts = || func.inst_order().map(|(_, inst)| (inst, &func.insts[inst]));
    for (_, data) in insts() {
        if let InstKind::Alloca { elem_ty, count: None, .. } = data.kind
            && let Some(FloatKind::Double | FloatKind::Float) = m.types.float_kind(elem_ty)
        {
            out.extend(data.result.map(|v| (v, elem_ty)));
        }
    }
    let mut mixed = Vec::new();
    for (inst, data) in insts() {
        for v in data.kind.operands().into_iter().filter_map(Operand::local) {
            let Some(ty) = out.get(&v).copied() else { continue };
            match accessed(m, func, inst, v) {
                Some(as_what) if m.size_of(as_what) == m.size_of(ty) => mixed.extend((as_what != ty).then_some(v)),
                _ => drop(out.remove(&v)),
            }
        }
    }
    out.retain(|v, _| mixed.contains(v));
    out
}

/// The type as which an instruction accesses a variable, whole and as no one else sees it.
fn accessed(m: &Module, func: &Function, inst: InstId, v: ValueId) -> Option<TypeId> {
    let is = |operand: Operand| operand == Operand::Local(v);
    let ty = match func.insts[inst].kind {
        InstKind::Load { ptr, volatile: false, atomic: None, .. } if is(ptr) => func.insts[inst].ty,
        InstKind::Store { ptr, value, volatile: false, atomic: None, .. } if is(ptr) && !is(value) => {
            m.operand_ty(func, value)
        }
        _ => return None,
    };
    (!m.types.is_ptr(ty)).then_some(ty)
}

#[cfg(test)]
mod tests {
    use super::unify;

    #[test]
    fn variables_of_floats_are_no_words() {
        let text = "declare void @seen(ptr)\ndefine double @f(i64 %w) {\n  %v = alloca double, align 8\n  \
                    %seen = alloca double, align 8\n  store i64 %w, ptr %v, align 8\n  \
                    %x = load double, ptr %v, align 8\n  store double %x, ptr %v, align 8\n  \
                    %b = load i64, ptr %v, align 8\n  store i64 %b, ptr %seen, align 8\n  \
                    call void @seen(ptr %seen)\n  ret double %x\n}\n";
        let mut m = ir::parse(text, "test").expect("the test's IR parses");
        let id = m.function("f").expect("it is there");
        let mut func = m.functions[id].clone();
        assert!(unify(&m, &mut func));
        assert!(!unify(&m, &mut func), "there is nothing left to do");
        m.functions[id] = func;
        let text = m.to_string();
        assert_eq!(text.matches("store double").count(), 2, "{text}");
        assert_eq!(text.matches("load double, ptr %v").count(), 2, "{text}");
        // Of what others see, nobody knows what it is.
        assert_eq!(text.matches("store i64").count(), 1, "{text}");
    }
}
