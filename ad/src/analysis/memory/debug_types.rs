//! Types of memory from debug information: what a function's parameters point to, as the source declares it.
//!
//! Accesses alone do not tell the type of memory that a function only copies. The subprogram's type lists the
//! parameters; it is used where that list and the IR's parameters correspond one to one (no structure was passed in
//! pieces or through memory).

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::Targets;
use crate::analysis::memory::types::{MAX_UNROLLED, moved, within};
use crate::program::cell::Cell;
use ir::debug::{self, Member, plain, pointee, words};
use ir::{FuncId, Function, MdId, Module};

/// Pointers inside structures are followed this deep.
const MAX_FOLLOWED: u32 = 3;

impl Facts {
    /// Seeds the types behind the pointer parameters of a function.
    pub(super) fn seed_debug(&mut self, m: &Module, id: FuncId, func: &Function) {
        for (i, declared) in debug::declared_pointers(m, func) {
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
        match debug::leads_to_one(m, declared) {
            true => self.seed_declared(m, targets, pointee, 0),
            false => self.seed_pointee(m, targets, pointee, 0),
        }
    }

    /// A pointer may point to an array of what it is declared to point to; one to a base class may also lead to a
    /// larger object, and where it does, to no array (C++, [expr.add]: the types of pointer and elements are similar).
    fn seed_pointee(&mut self, m: &Module, targets: &Targets, ty: MdId, depth: u32) {
        let ty = plain(m, ty);
        let size = debug::size(m, ty);
        let every = if self.bases.contains(&ty) { 0 } else { size };
        if size > 0 {
            self.seed_declared(m, &moved(targets, 0, every), ty, depth);
        }
    }

    fn seed_declared(&mut self, m: &Module, targets: &Targets, ty: MdId, depth: u32) {
        let ty = plain(m, ty);
        let node = &m.metadata[ty];
        let word = |name| words(m, ty, name);
        match (node.class(), word("tag")) {
            ("DIBasicType", _) => {
                let size = debug::size(m, ty);
                let (cell, count) = match debug::floats(m, ty) {
                    Some((kind, count)) => (kind.map(Cell::Float), count),
                    // Bytes may be anything: buffers are declared as characters.
                    None if size == 1 => return,
                    None => (Some(Cell::Int), 1),
                };
                for i in 0..count {
                    if let Some(cell) = cell {
                        self.seed_cell(&moved(targets, (i * size / count) as i64, 0), cell, size / count);
                    }
                }
            }
            ("DICompositeType", "DW_TAG_enumeration_type") => self.seed_cell(targets, Cell::Int, debug::size(m, ty)),
            ("DIDerivedType", _) if debug::is_pointer(m, ty) => {
                self.seed_cell(targets, Cell::Ptr, 8);
                if let (Some(pointee), true) = (node.node("baseType"), depth < MAX_FOLLOWED) {
                    let inner = self.load_pointers(targets);
                    self.seed_pointee(m, &inner, pointee, depth + 1);
                }
            }
            ("DICompositeType", "DW_TAG_array_type") => {
                if let Some((elem, count)) = debug::array(m, ty) {
                    let step = debug::size(m, elem);
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
                for Member { offset, ty, .. } in debug::members(m, ty) {
                    self.seed_declared(m, &moved(targets, offset as i64, 0), ty, depth);
                    if !debug::is_text(m, ty) {
                        data.push((offset, debug::size(m, ty)));
                    }
                }
                if debug::elements(m, ty).iter().all(|e| words(m, *e, "tag") != "DW_TAG_variant_part") {
                    self.seed_idle(targets, &data, debug::size(m, ty));
                }
            }
            _ => {}
        }
    }
}
