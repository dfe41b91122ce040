//! What an optimiser moves as one member of a union, although another may be there, is moved as a word.
//!
//! A structure that is copied becomes loads and stores of the types of its parts, and of a union one member's: a
//! `double` where a pointer may lie, or a pointer where two `float` do. Such a load tells no type. Of a word of a
//! variable, or of a structure, that the function accesses both as a pointer and as floats, what is loaded to be stored
//! or to be taken for an integer is loaded as an integer, which the analysis follows by what memory holds
//! ([`crate::analysis::memory::integer_lanes`]). The load stays for those who compute with it. What is left of such
//! moves is refused where it matters ([`crate::analysis::memory`]).

use crate::base::blocks::{like, replace_uses};
use ir::hash::{HashMap, HashSet};
use ir::{CastOp, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// Bytes of a word.
const WORD: u64 = 8;

/// Where words lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Home {
    Variable(InstId),
    Record(TypeId),
}

/// A word, by the offset of its first byte.
type Word = (Home, i64);

/// The words of a function that are accessed as pointers, and as floats.
#[derive(Default)]
struct Words {
    pointers: HashSet<Word>,
    floats: HashSet<Word>,
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
    // A load that nobody else uses would tell a type still. That of memory from elsewhere may be the only one to do so.
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        let Some(value) = func.insts[inst].result.filter(|_| made.contains_key(&inst)) else { continue };
        let InstKind::Load { ptr, .. } = func.insts[inst].kind else { continue };
        let own = homes(m, func, ptr).into_iter().any(|(home, _)| matches!(home, Home::Variable(_)));
        if !own && !words.is_mixed(m, func, ptr) {
            continue;
        }
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
            if m.types.is_ptr(ty) {
                words.pointers.extend(homes(m, func, ptr));
            } else if is_float(m, ty) {
                words.floats.extend(homes(m, func, ptr));
            }
        }
        words
    }

    fn is_mixed(&self, m: &Module, func: &Function, ptr: Operand) -> bool {
        homes(m, func, ptr).iter().any(|word| self.pointers.contains(word) && self.floats.contains(word))
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

/// The word that an address names, in a variable and in the structure that is innermost among those an index picks.
fn homes(m: &Module, func: &Function, mut ptr: Operand) -> Vec<Word> {
    let (mut out, mut offset, mut constant) = (Vec::new(), 0, true);
    while let Some(inst) = ptr.local().and_then(|v| func.def_inst(v)) {
        match &func.insts[inst].kind {
            InstKind::Alloca { .. } if constant => out.push((Home::Variable(inst), offset)),
            InstKind::Gep { elem_ty, base, indices, .. } => {
                if constant
                    && out.is_empty()
                    && let Some((record, within)) = record(m, *elem_ty, indices)
                {
                    out.push((Home::Record(record), offset + within));
                }
                match ir::gep::constant_offset(m, *elem_ty, indices) {
                    Some(by) if constant => offset += by,
                    _ => constant = false,
                }
                ptr = *base;
                continue;
            }
            _ => {}
        }
        break;
    }
    out.iter_mut().for_each(|(_, at)| *at = at.div_euclid(WORD as i64));
    out
}

/// The structure behind the last index that is none of its members, and the offset of the member in it.
fn record(m: &Module, elem_ty: TypeId, indices: &[Operand]) -> Option<(TypeId, i64)> {
    let (mut record, mut within) = (elem_ty, 0);
    let mut ty = elem_ty;
    for index in indices.iter().skip(1) {
        if let Type::Array { elem, .. } = m.types.get(ty) {
            (record, within, ty) = (*elem, 0, *elem);
            continue;
        }
        let member = u64::try_from(m.as_int(*index)?).ok()?;
        within += m.layout.element_offset(&m.types, ty, member)? as i64;
        ty = m.types.element(ty, member)?;
    }
    m.types.fields(record).map(|_| (record, within))
}

/// A float, or a vector of them.
fn is_float(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(m.types.scalar(ty)), Type::Float(_))
}
