//! Types of memory from debug information: what a function's parameters point to, as the source declares it.
//!
//! Accesses alone do not tell the type of memory that a function only copies. The subprogram's type lists the
//! parameters; it is used where that list and the IR's parameters correspond one to one (no structure was passed in
//! pieces or through memory).

use super::Facts;
use super::object::{Cell, Targets};
use super::types::{MAX_UNROLLED, moved, within};
use ir::{FloatKind, FuncId, Function, MdId, MdOperand, Module};

/// The types that hold an address.
const POINTERS: [&str; 3] = ["DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"];

/// Pointers inside structures are followed this deep.
const MAX_FOLLOWED: u32 = 3;

impl Facts {
    /// Seeds the types behind the pointer parameters of a function.
    pub(super) fn seed_debug(&mut self, m: &Module, id: FuncId, func: &Function) {
        for (i, declared) in declared_pointers(m, func) {
            let targets = self.targets.get(&(id, func.params[i].value)).cloned().unwrap_or_default();
            self.seed_argument(m, &targets, declared);
        }
        for (argument, declared) in self.indirect.declared.get(&id).cloned().unwrap_or_default() {
            let targets = self.targets(m, id, argument);
            self.seed_argument(m, &targets, declared);
        }
    }

    /// What `this` and references lead to is one object. A pointer may lead to one of an array.
    fn seed_argument(&mut self, m: &Module, targets: &Targets, declared: MdId) {
        let Some(pointee) = pointee(m, declared) else { return };
        let one = words(m, plain(m, declared), "tag") != POINTERS[0]
            || words(m, plain(m, declared), "flags").contains("DIFlagObjectPointer");
        match one {
            true => self.seed_declared(m, targets, pointee, 0),
            false => self.seed_pointee(m, targets, pointee, 0),
        }
    }

    /// A pointer may point to an array of what it is declared to point to.
    fn seed_pointee(&mut self, m: &Module, targets: &Targets, ty: MdId, depth: u32) {
        let ty = plain(m, ty);
        let size = bytes(m, ty);
        if size > 0 {
            self.seed_declared(m, &moved(targets, 0, size), ty, depth);
        }
    }

    fn seed_declared(&mut self, m: &Module, targets: &Targets, ty: MdId, depth: u32) {
        let ty = plain(m, ty);
        let node = &m.metadata[ty];
        let word = |name| words(m, ty, name);
        match (node.class(), word("tag").as_str()) {
            ("DIBasicType", _) => {
                let size = bytes(m, ty);
                let (cell, count) = match (word("encoding").as_str(), size) {
                    ("DW_ATE_float", _) => (float_of(m, ty, size), 1),
                    ("DW_ATE_complex_float", _) => (float_of(m, ty, size / 2), 2),
                    // Bytes may be anything: buffers are declared as characters.
                    (_, 1) => return,
                    _ => (Some(Cell::Int), 1),
                };
                for i in 0..count {
                    if let Some(cell) = cell {
                        self.seed_cell(&moved(targets, (i * size / count) as i64, 0), cell, size / count);
                    }
                }
            }
            ("DICompositeType", "DW_TAG_enumeration_type") => self.seed_cell(targets, Cell::Int, bytes(m, ty)),
            ("DIDerivedType", tag) if POINTERS.contains(&tag) => {
                self.seed_cell(targets, Cell::Ptr, 8);
                if let (Some(pointee), true) = (node.node("baseType"), depth < MAX_FOLLOWED) {
                    let inner = self.load_pointers(targets);
                    self.seed_pointee(m, &inner, pointee, depth + 1);
                }
            }
            ("DICompositeType", "DW_TAG_array_type") => {
                if let Some(elem) = node.node("baseType") {
                    let step = bytes(m, plain(m, elem));
                    let count = bytes(m, ty).checked_div(step).unwrap_or(0);
                    if words(m, plain(m, elem), "tag") != "DW_TAG_structure_type" || count > MAX_UNROLLED {
                        self.seed_declared(m, &within(targets, step, count), elem, depth);
                    } else {
                        for i in 0..count {
                            self.seed_declared(m, &moved(targets, (i * step) as i64, 0), elem, depth);
                        }
                    }
                }
            }
            ("DICompositeType", "DW_TAG_structure_type" | "DW_TAG_class_type") => {
                let mut data = Vec::new();
                for (offset, ty) in members(m, ty) {
                    self.seed_declared(m, &moved(targets, offset as i64, 0), ty, depth);
                    if !is_text(m, ty) {
                        data.push((offset, bytes(m, plain(m, ty))));
                    }
                }
                if elements(m, ty).iter().all(|e| words(m, *e, "tag") != "DW_TAG_variant_part") {
                    self.seed_idle(targets, &data, bytes(m, ty));
                }
            }
            _ => {}
        }
    }
}

/// The types of the pointers and references among a function's parameters, by index.
pub fn declared_pointers(m: &Module, func: &Function) -> Vec<(usize, MdId)> {
    let types = parameter_types(m, func).unwrap_or_default();
    let of = |(i, ty): (usize, Option<MdId>)| {
        let declared = ty.filter(|ty| m.types.is_ptr(func.params[i].ty) && pointee(m, *ty).is_some());
        declared.map(|declared| (i, declared))
    };
    types.into_iter().enumerate().filter_map(of).collect()
}

/// The declared type of each parameter (`None` for `void`), if they correspond to the IR's.
fn parameter_types(m: &Module, func: &Function) -> Option<Vec<Option<MdId>>> {
    let (_, subprogram) = func.metadata.iter().find(|(k, _)| k == "dbg")?;
    let ty = m.metadata[*subprogram].node("type")?;
    let list = m.metadata[ty].node("types")?;
    let all: Vec<Option<MdId>> = m.metadata[list].operands().iter().map(node_of).collect();
    let params = all.get(1..)?.to_vec();
    let fits = params.len() == func.params.len()
        && params.iter().zip(&func.params).all(|(declared, param)| {
            let is_pointer = declared.is_some_and(|d| is_pointer(m, d));
            is_pointer == m.types.is_ptr(param.ty)
        });
    fits.then_some(params)
}

fn is_pointer(m: &Module, ty: MdId) -> bool {
    pointee(m, ty).is_some() || words(m, plain(m, ty), "tag") == "DW_TAG_pointer_type"
}

fn node_of(operand: &MdOperand) -> Option<MdId> {
    match operand {
        MdOperand::Node(id) => Some(*id),
        _ => None,
    }
}

/// What a pointer or reference type points to.
fn pointee(m: &Module, ty: MdId) -> Option<MdId> {
    let ty = plain(m, ty);
    POINTERS.contains(&words(m, ty, "tag").as_str()).then(|| m.metadata[ty].node("baseType"))?
}

/// The data members and bases of a structure that are not bit fields: offset in bytes, type.
fn members(m: &Module, ty: MdId) -> Vec<(u64, MdId)> {
    let member = |id: &MdId| {
        let flags = words(m, *id, "flags");
        let kept = match words(m, *id, "tag").as_str() {
            "DW_TAG_member" => !flags.contains("BitField") && !flags.contains("StaticMember"),
            "DW_TAG_inheritance" => !flags.contains("Virtual"),
            _ => false,
        };
        let field = &m.metadata[*id];
        kept.then(|| Some((field.int("offset").unwrap_or(0) as u64 / 8, field.node("baseType")?)))?
    };
    elements(m, ty).iter().filter_map(member).collect()
}

/// Characters, or an array of them.
fn is_text(m: &Module, ty: MdId) -> bool {
    let ty = plain(m, ty);
    match words(m, ty, "tag").as_str() {
        "DW_TAG_array_type" => m.metadata[ty].node("baseType").is_some_and(|elem| is_text(m, elem)),
        _ => m.metadata[ty].class() == "DIBasicType" && bytes(m, ty) == 1,
    }
}

/// The float of so many bytes that a basic type names; `None` if the size does not settle the format.
fn float_of(m: &Module, ty: MdId, size: u64) -> Option<Cell> {
    let name: &[u8] = match m.metadata[ty].field("name") {
        Some(ir::MdField::Str(name)) => name,
        _ => &[],
    };
    let kind = match (size, name) {
        (2, b"_Float16") => FloatKind::Half,
        (2, b"__bf16") => FloatKind::BFloat,
        (4, _) => FloatKind::Float,
        (8, _) => FloatKind::Double,
        (16, b"long double") => FloatKind::X86Fp80,
        (16, b"__float128") => FloatKind::Fp128,
        _ => return None,
    };
    Some(Cell::Float(kind))
}

/// The type without `const`, `typedef` and the like.
fn plain(m: &Module, mut ty: MdId) -> MdId {
    // A chain of qualifiers is short; a cyclic one, which LLVM does not make, must not hang us.
    for _ in 0..64 {
        let tag = words(m, ty, "tag");
        let through = matches!(
            tag.as_str(),
            "DW_TAG_typedef" | "DW_TAG_const_type" | "DW_TAG_volatile_type" | "DW_TAG_restrict_type"
        );
        match m.metadata[ty].node("baseType").filter(|_| through) {
            Some(base) => ty = base,
            None => return ty,
        }
    }
    ty
}

fn bytes(m: &Module, ty: MdId) -> u64 {
    m.metadata[ty].int("size").map_or(0, |bits| bits as u64 / 8)
}

fn words(m: &Module, ty: MdId, name: &str) -> String {
    match m.metadata[ty].field(name) {
        Some(ir::MdField::Words(text)) => text.clone(),
        _ => String::new(),
    }
}

fn elements(m: &Module, ty: MdId) -> Vec<MdId> {
    let list = m.metadata[ty].node("elements");
    list.map_or(Vec::new(), |l| m.metadata[l].operands().iter().filter_map(node_of).collect())
}
