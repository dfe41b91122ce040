//! Adjoints of memory are loaded once in a block, and stored once, at its end.
//!
//! A block that reads and writes a few cells of an array, as a butterfly or a swap does, is reversed by reading,
//! clearing and adding to their adjoints one by one, for two of them may be one. Where they are not
//! ([`crate::analysis::affine::distinct`]), a store to shadow memory waits: what is loaded from there meanwhile is what
//! waits, and another store to the same place takes its turn (as a store buffer does; in a compiler: scalar
//! replacement, Callahan, Carr & Kennedy, PLDI 1990). A store goes to memory before anything that may read or write
//! there, and at the end of the block; not at all if that is there already. What remains are loads, sums, and then
//! stores, which LLVM makes vectors of.

use crate::base::alias_scopes;
use crate::optimise::zero_loads::{slots, writes};
use ir::hash::{HashMap, HashSet};
use ir::{Function, InstId, InstKind, MdId, Module, Operand, TypeId};

/// What a cell holds, as an access has told.
#[derive(Clone, Copy, PartialEq)]
struct Cell {
    access: InstId,
    ptr: Operand,
    ty: TypeId,
    value: Operand,
}

impl Cell {
    fn is(&self, ptr: Operand, ty: TypeId) -> bool {
        self.ptr == ptr && self.ty == ty
    }
}

/// The most stores that wait.
const MOST: usize = 32;

/// Delays the stores of a gradient's function to cells of shadow memory; `cells` are the loads and stores of these, and
/// `apart` tells which of them never meet another access in one execution of their block. Records of the tape (`list`)
/// are in nobody's way.
pub(crate) fn apply(
    m: &Module,
    f: &mut Function,
    (cells, list): (&HashSet<InstId>, MdId),
    apart: impl Fn(InstId, InstId) -> bool,
) {
    let slots = slots(f);
    let mut same: HashMap<Operand, Operand> = HashMap::default();
    for block in f.layout.clone() {
        if !f.blocks[block].insts.iter().any(|inst| cells.contains(inst)) {
            continue;
        }
        let mut buffer = Buffer { out: Vec::new(), waiting: Vec::new(), there: Vec::new(), apart: &apart };
        for inst in std::mem::take(&mut f.blocks[block].insts) {
            let data = &f.insts[inst];
            let is_cell = cells.contains(&inst);
            match &data.kind {
                InstKind::Load { ptr, .. } if is_cell => {
                    let Some(v) = data.result.map(Operand::Local) else { continue };
                    if let Some(value) = buffer.known(*ptr, data.ty) {
                        same.insert(v, value);
                        continue;
                    }
                    buffer.go(|w| !apart(w.access, inst));
                    buffer.there.push(Cell { access: inst, ptr: *ptr, ty: data.ty, value: v });
                }
                InstKind::Store { value, ptr, .. } if is_cell => {
                    let (value, ty) = (found(&same, *value), m.operand_ty(f, *value));
                    buffer.waiting.retain(|w| !w.is(*ptr, ty));
                    let many = buffer.waiting.len() == MOST;
                    buffer.go(|w| many || !apart(w.access, inst));
                    buffer.waiting.push(Cell { access: inst, ptr: *ptr, ty, value });
                    continue;
                }
                InstKind::Load { ptr, volatile: false, atomic: None, .. }
                | InstKind::Store { ptr, volatile: false, atomic: None, .. }
                    if slots.contains(ptr) || alias_scopes::of(data, list) => {}
                InstKind::Load { volatile: false, atomic: None, .. } => buffer.go(|w| !apart(w.access, inst)),
                kind if writes(m, kind) || kind.is_terminator() => {
                    buffer.go(|_| true);
                    buffer.there.clear();
                }
                _ => {}
            }
            buffer.out.push(inst);
        }
        f.blocks[block].insts = buffer.out;
    }
    for data in f.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| *o = found(&same, *o));
    }
}

fn found(same: &HashMap<Operand, Operand>, mut o: Operand) -> Operand {
    while let Some(other) = same.get(&o) {
        o = *other;
    }
    o
}

/// A block as far as it has come.
struct Buffer<'a, A> {
    out: Vec<InstId>,
    /// Stores that have not gone to memory.
    waiting: Vec<Cell>,
    /// What was loaded and is still in memory.
    there: Vec<Cell>,
    apart: &'a A,
}

impl<A: Fn(InstId, InstId) -> bool> Buffer<'_, A> {
    /// What a load gives, if that is known.
    fn known(&self, ptr: Operand, ty: TypeId) -> Option<Operand> {
        self.waiting.iter().chain(&self.there).find(|cell| cell.is(ptr, ty)).map(|cell| cell.value)
    }

    /// Some go to memory now.
    fn go(&mut self, now: impl Fn(&Cell) -> bool) {
        for cell in std::mem::take(&mut self.waiting) {
            if !now(&cell) {
                self.waiting.push(cell);
            } else if !self.there.iter().any(|t| t.is(cell.ptr, cell.ty) && t.value == cell.value) {
                self.there.retain(|t| !t.is(cell.ptr, cell.ty) && (self.apart)(t.access, cell.access));
                self.out.push(cell.access);
            }
        }
    }
}
