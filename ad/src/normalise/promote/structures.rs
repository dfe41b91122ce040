//! Structures that are loaded, stored and given back whole, taken apart.
//!
//! Without optimisation a pair of pointers travels in registers as one value. The points-to analysis knows one set of
//! targets for a value, so each of the two would lead to what both lead to. A structure of scalars that is loaded is
//! put together from its fields, one that is stored is stored field by field, and a field that is taken out of one that
//! was put together is what was put in. (Padding is not copied along: what lies there nobody reads as a number.)

use crate::base::blocks::{before, behind};
use ir::hash::HashMap;
use ir::{ConstKind, Function, InstId, InstKind, Module, Operand, Type, TypeId, ValueId};

/// Fields are looked for through so many insertions.
const MAX_DEPTH: usize = 16;

/// Takes loads and stores apart.
pub(super) fn take_apart(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match func.insts[inst].kind {
                InstKind::Load { ptr, align, volatile: false, atomic: None } => {
                    if let Some(fields) = fields(m, func.insts[inst].ty) {
                        load(m, func, inst, (ptr, align), &fields, &mut out);
                    }
                }
                InstKind::Store { value, ptr, align, volatile: false, atomic: None } => {
                    if let Some(fields) = fields(m, m.operand_ty(func, value)) {
                        store(m, func, inst, (value, ptr, align), &fields, &mut out);
                    }
                }
                _ => {}
            }
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
}

/// Fields that are taken out of what was put together: by what each is the same as.
pub(super) fn taken_out(m: &mut Module, func: &Function) -> HashMap<ValueId, Operand> {
    let mut out = HashMap::default();
    for (_, inst) in func.inst_order() {
        let InstKind::ExtractValue { aggregate, indices } = &func.insts[inst].kind else { continue };
        if let (Some(v), [field]) = (func.insts[inst].result, indices.as_slice())
            && let Some(found) = put_in(m, func, *aggregate, *field, MAX_DEPTH)
        {
            out.insert(v, found);
        }
    }
    out
}

/// Offsets and types of the fields, if all are scalars and one of them can hold a pointer.
fn fields(m: &Module, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
    let (types, _) = m.types.fields(ty)?;
    let is_scalar = |ty: &TypeId| matches!(m.types.get(*ty), Type::Ptr(_) | Type::Int(_) | Type::Float(_));
    let holds_pointer = |ty: &TypeId| matches!(m.types.get(*ty), Type::Ptr(_) | Type::Int(64..));
    if types.len() < 2 || !types.iter().all(is_scalar) || !types.iter().any(holds_pointer) {
        return None;
    }
    let field = |(n, field): (usize, &TypeId)| Some((m.layout.element_offset(&m.types, ty, n as u64)?, *field));
    types.iter().enumerate().map(field).collect()
}

/// Loads each field before `inst`, which then puts the last of them in.
fn load(
    m: &mut Module,
    func: &mut Function,
    inst: InstId,
    (ptr, align): (Operand, u64),
    fields: &[(u64, TypeId)],
    out: &mut Vec<InstId>,
) {
    let whole = func.insts[inst].ty;
    let mut aggregate = m.constant(whole, ConstKind::Poison);
    for (n, (offset, ty)) in fields.iter().enumerate() {
        let (ptr, align) = behind(m, func, inst, (ptr, align), *offset, out);
        let kind = InstKind::Load { ptr, align, volatile: false, atomic: None };
        let Some(value) = before(func, inst, kind, *ty, out) else { return };
        let kind = InstKind::InsertValue { aggregate, value, indices: vec![n as u32] };
        if n + 1 == fields.len() {
            func.insts[inst].kind = kind;
            func.insts[inst].metadata.clear();
        } else if let Some(with) = before(func, inst, kind, whole, out) {
            aggregate = with;
        }
    }
}

/// Stores each field before `inst`, which then stores the last of them.
fn store(
    m: &mut Module,
    func: &mut Function,
    inst: InstId,
    (value, ptr, align): (Operand, Operand, u64),
    fields: &[(u64, TypeId)],
    out: &mut Vec<InstId>,
) {
    let void = m.types.void();
    for (n, (offset, ty)) in fields.iter().enumerate() {
        let part = put_in(m, func, value, n as u32, MAX_DEPTH).or_else(|| {
            let kind = InstKind::ExtractValue { aggregate: value, indices: vec![n as u32] };
            before(func, inst, kind, *ty, out)
        });
        let Some(part) = part else { return };
        let (ptr, align) = behind(m, func, inst, (ptr, align), *offset, out);
        let kind = InstKind::Store { value: part, ptr, align, volatile: false, atomic: None };
        if n + 1 == fields.len() {
            func.insts[inst].kind = kind;
            func.insts[inst].metadata.clear();
        } else {
            let mut new = ir::Inst::new(kind, void);
            new.loc = func.insts[inst].loc;
            out.push(func.create_inst(new, false));
        }
    }
}

/// What a field was set to, if that is a value already.
fn put_in(m: &mut Module, func: &Function, whole: Operand, field: u32, depth: usize) -> Option<Operand> {
    let Operand::Local(v) = whole else {
        return match m.as_constant(whole)?.kind.clone() {
            ConstKind::Aggregate(fields) => fields.get(field as usize).map(|c| Operand::Const(*c)),
            _ => None,
        };
    };
    match &func.insts[func.def_inst(v)?].kind {
        InstKind::InsertValue { aggregate, value, indices } => match indices[..] {
            [n] if n == field => Some(*value),
            [_] if depth > 0 => put_in(m, func, *aggregate, field, depth - 1),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use ir::parse::parse;

    /// What is promoted in the only function.
    fn promoted(body: &str) -> String {
        let mut m = parse(&format!("define ptr @f(ptr %p, ptr %q) {{\n{body}}}\n"), "structures").unwrap();
        let f = m.function("f").unwrap();
        let mut func = m.functions[f].clone();
        super::super::promote(&mut m, &mut func);
        ir::print::print_function(&m, &func)
    }

    #[test]
    fn a_field_of_what_is_loaded_is_loaded_alone() {
        let text = promoted(
            "  %pair = load { ptr, i64 }, ptr %p, align 8\n  %x = extractvalue { ptr, i64 } %pair, 0\n  ret ptr %x\n",
        );
        assert!(text.contains("load ptr, ptr %p, align 8") && !text.contains("extractvalue"), "{text}");
    }

    /// A pair that goes through a slot as a whole, and through registers, and is taken apart in the end.
    #[test]
    fn what_is_put_in_is_taken_out() {
        let text = promoted(
            "  %slot = alloca { ptr, ptr }, align 8\n  %a = insertvalue { ptr, ptr } poison, ptr %p, 0\n  \
             %b = insertvalue { ptr, ptr } %a, ptr %q, 1\n  store { ptr, ptr } %b, ptr %slot, align 8\n  \
             %c = load { ptr, ptr }, ptr %slot, align 8\n  %d = extractvalue { ptr, ptr } %c, 1\n  ret ptr %d\n",
        );
        assert!(text.contains("ret ptr %q") && !text.contains("alloca"), "{text}");
    }

    #[test]
    fn numbers_and_volatile_accesses_stay() {
        for load in ["load volatile { ptr, ptr }", "load { double, double }"] {
            let text = promoted(&format!("  %x = {load}, ptr %p, align 8\n  ret ptr %q\n"));
            assert!(text.contains(load), "{text}");
        }
    }
}
