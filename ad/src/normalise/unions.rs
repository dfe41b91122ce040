//! What an optimiser moves as one member of a union, although another may be there, is moved as a word.
//!
//! A structure that is copied becomes loads and stores of the types of its parts, and of a union one member's: a
//! `double` where a pointer may lie, or a pointer where two `float` do. Such a load tells no type. In a variable whose
//! word at some offset is accessed both as a pointer and as floats, what is loaded only to be stored or to be taken for
//! an integer is loaded as an integer, which the analysis follows by what memory holds
//! ([`crate::analysis::memory::integer_lanes`]). The load stays for those who compute with it.

use crate::base::blocks::{like, replace_uses};
use ir::hash::{HashMap, HashSet};
use ir::{CastOp, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// Bytes of a word.
const WORD: u64 = 8;

/// The variables of a function, and offsets in them, by what words there are accessed as.
#[derive(Default)]
struct Words {
    pointers: HashSet<(InstId, u64)>,
    floats: HashSet<(InstId, u64)>,
}

/// Moves words of unions as integers.
pub fn move_as_words(m: &mut Module, func: &mut Function) {
    let words = Words::find(m, func);
    if !words.pointers.iter().any(|word| words.floats.contains(word)) {
        return;
    }
    let order: Vec<InstId> = func.inst_order().map(|(_, inst)| inst).collect();
    // The word of each load, made where the first use asks for it.
    let mut made: HashMap<InstId, Operand> = HashMap::default();
    for inst in order {
        match func.insts[inst].kind.clone() {
            InstKind::Store { value, ptr, volatile: false, atomic: None, .. } => {
                let Some(load) = words.loaded(m, func, value, Some(ptr)) else { continue };
                let word = word_of(m, func, load, &mut made);
                if let InstKind::Store { value, .. } = &mut func.insts[inst].kind {
                    *value = word;
                }
                func.insts[inst].metadata.retain(|(kind, _)| kind != "tbaa");
            }
            InstKind::Cast { op: CastOp::PtrToInt, value, .. } if m.size_of(func.insts[inst].ty) == WORD => {
                let (Some(load), Some(result)) = (words.loaded(m, func, value, None), func.insts[inst].result) else {
                    continue;
                };
                let word = word_of(m, func, load, &mut made);
                replace_uses(func, result, word);
            }
            _ => {}
        }
    }
    // A load that nobody else uses would tell a type still.
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        let Some(value) = func.insts[inst].result.filter(|_| made.contains_key(&inst)) else { continue };
        if !func.inst_order().any(|(_, user)| func.insts[user].kind.operands().contains(&Operand::Local(value))) {
            for block in func.layout.clone() {
                func.blocks[block].insts.retain(|i| *i != inst);
            }
        }
    }
}

impl Words {
    fn find(m: &Module, func: &Function) -> Words {
        let mut words = Words::default();
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            let (ptr, ty) = match &data.kind {
                InstKind::Load { ptr, .. } => (*ptr, data.ty),
                InstKind::Store { value, ptr, .. } => (*ptr, m.operand_ty(func, *value)),
                _ => continue,
            };
            let Some((variable, offset)) = place(m, func, ptr) else { continue };
            let word = (variable, offset / WORD * WORD);
            if m.types.is_ptr(ty) {
                words.pointers.insert(word);
            } else if is_float(m, ty) {
                words.floats.insert(word);
            }
        }
        words
    }

    fn is_mixed(&self, m: &Module, func: &Function, ptr: Operand) -> bool {
        place(m, func, ptr).is_some_and(|word| self.pointers.contains(&word) && self.floats.contains(&word))
    }

    /// The load of a word that is moved as it is: from such a place, or to one.
    fn loaded(&self, m: &Module, func: &Function, value: Operand, to: Option<Operand>) -> Option<InstId> {
        let inst = func.def_inst(value.local()?)?;
        let data = &func.insts[inst];
        let InstKind::Load { ptr, volatile: false, atomic: None, .. } = data.kind else { return None };
        let whole = m.size_of(data.ty) == WORD && (m.types.is_ptr(data.ty) || is_float(m, data.ty));
        (whole && (self.is_mixed(m, func, ptr) || to.is_some_and(|to| self.is_mixed(m, func, to)))).then_some(inst)
    }
}

/// The same word as an integer, loaded where the load is.
fn word_of(m: &mut Module, func: &mut Function, load: InstId, made: &mut HashMap<InstId, Operand>) -> Operand {
    if let Some(word) = made.get(&load) {
        return *word;
    }
    let (kind, ty) = (func.insts[load].kind.clone(), m.types.int(64));
    let id = like(m, func, load, kind, ty);
    for block in func.layout.clone() {
        if let Some(at) = func.blocks[block].insts.iter().position(|i| *i == load) {
            func.blocks[block].insts.insert(at + 1, id);
        }
    }
    let word = func.insts[id].result.map_or_else(|| m.int(64, 0), Operand::Local);
    made.insert(load, word);
    word
}

/// The variable and the offset in it that an address names.
fn place(m: &Module, func: &Function, mut ptr: Operand) -> Option<(InstId, u64)> {
    let mut offset = 0;
    loop {
        let inst = func.def_inst(ptr.local()?)?;
        match &func.insts[inst].kind {
            InstKind::Alloca { .. } => return Some((inst, u64::try_from(offset).ok()?)),
            InstKind::Gep { elem_ty, base, indices, .. } => {
                offset += ir::gep::constant_offset(m, *elem_ty, indices)?;
                ptr = *base;
            }
            _ => return None,
        }
    }
}

/// A float, or a vector of them.
fn is_float(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(m.types.scalar(ty)), Type::Float(_))
}
