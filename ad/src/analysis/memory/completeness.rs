//! Is everything known that a copy moves? What nothing tells is refused: taken for integers, it would lose its adjoint
//! in silence.
//!
//! The differentiated functions write their own memory, so its contents are those of what they write; only memory of
//! the caller can hold what no access of theirs tells. There each byte has to be a part of a datum, or *idle*: a byte
//! of a declared structure that holds nothing to differentiate.

use crate::analysis::memory::object::{ObjId, ObjKind, Object, Places, Targets, places};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, lanes};
use crate::program::cell::Cell;
use ir::{
    BinOp, CastOp, FloatKind, FuncId, Function, Inst, InstId, InstKind, MdOperand, Module, Operand, Type, TypeId,
};

/// Behind the last datum known, arrays repeat: so many bytes more show whether they do without gaps.
const REPEATED: i64 = 4096;

/// Moves from a load to a store that are followed back.
const MAX_TRACED: usize = 1024;

impl Facts {
    /// A structure at `targets` of `size` bytes has data in these (offset, size); its other bytes are idle.
    pub(super) fn seed_idle(&mut self, targets: &Targets, data: &[(u64, u64)], size: u64) {
        let mut data = data.to_vec();
        data.sort_unstable();
        let mut end = 0;
        for (offset, bytes) in data.into_iter().chain([(size, 0)]) {
            if offset > end {
                for (object, place) in targets {
                    let gap = (place.moved(end as i64, 0), offset - end);
                    self.changed |= self.objects[*object].idle.insert(gap);
                }
            }
            end = end.max(offset + bytes);
        }
    }

    /// The first of `size` bytes behind these pointers, of memory of the caller with a shadow, that nothing tells
    /// about: neither an access there nor one of the memory it is copied to or from.
    pub fn untold(&self, places: &Places, size: u64) -> Option<u64> {
        places.iter().filter(|(o, _)| self.is_of_caller(*o)).find_map(|(object, place)| {
            let end = size.min(self.shown(*object, place));
            let mut at = 0;
            while at < end {
                match self.told_of_any(places, (object, place), at) {
                    Some(bytes) => at += bytes,
                    None => return Some(at),
                }
            }
            None
        })
    }

    /// The (offset, size) of all that [`Facts::untold`] finds. Beyond what is looked at is what its last byte is.
    pub fn all_untold(&self, places: &Places, size: u64) -> Vec<(u64, u64)> {
        let mut out: Vec<(u64, u64)> = Vec::new();
        for (object, place) in places.iter().filter(|(o, _)| self.is_of_caller(*o)) {
            let shown = self.shown(*object, place);
            let mut at = 0;
            while at < size.min(shown) {
                let told = self.told_of_any(places, (object, place), at);
                let bytes = told.unwrap_or(if at + 1 == shown { size - at } else { 1 });
                match out.last_mut().filter(|(first, length)| told.is_none() && first + length == at) {
                    Some((_, length)) => *length += bytes,
                    None if told.is_none() => out.push((at, bytes)),
                    None => {}
                }
                at += bytes;
            }
        }
        out
    }

    /// How far behind a place it is looked at what is told.
    fn shown(&self, object: ObjId, place: &Place) -> u64 {
        self.objects[object].horizon().saturating_sub(place.start).saturating_add(REPEATED).max(0) as u64
    }

    /// For how many bytes from `offset` on it is told what they are, there or at any other of the targets.
    fn told_of_any(&self, places: &Places, (object, place): (&ObjId, &Place), offset: u64) -> Option<u64> {
        let elsewhere = || places.iter().filter_map(|(o, p)| self.told(*o, p.start, offset, true)).max();
        self.told(*object, place.start, offset, false).or_else(elsewhere)
    }

    /// Does memory that the differentiated functions made hold nothing but zeros and constants that may be anything?
    pub fn is_blank_memory(&self, targets: &Targets) -> bool {
        let blank =
            |object: &Object| matches!(object.kind, ObjKind::Stack(..) | ObjKind::Heap(..)) && object.cells.is_empty();
        !targets.is_empty() && targets.keys().all(|o| blank(&self.objects[*o]))
    }

    /// Is it memory of the caller that has a shadow?
    fn is_of_caller(&self, object: ObjId) -> bool {
        matches!(self.objects[object].kind, ObjKind::External { constant: false, .. }) && self.is_shadowed(object)
    }

    /// For how many bytes from `offset` behind `start` on it is told what they are. A single byte in other memory may
    /// be one of a buffer of characters.
    fn told(&self, object: ObjId, start: i64, offset: u64, elsewhere: bool) -> Option<u64> {
        let at = start.wrapping_add(offset as i64);
        let object = &self.objects[object];
        let rest = |first: i64, size: u64| (first.wrapping_sub(at)).wrapping_add(size as i64).max(1) as u64;
        let datum = object.cell_at(at).filter(|(_, size, cell)| !(elsewhere && *cell == Cell::Int && *size == 1));
        let idle = || object.idle.iter().find_map(|(place, size)| Some(rest(place.covers(*size, at)?, *size)));
        match datum {
            // A wide integer may overlay what starts within it.
            Some((_, _, Cell::Int)) => Some(1),
            Some((first, size, _)) => Some(rest(first, size)),
            None => idle(),
        }
    }

    /// May the integer be stored in memory of the caller with a shadow of which nothing tells what lies there?
    pub(super) fn leads_to_untold(&self, m: &Module, func: &Function, value: Operand, targets: &Targets) -> bool {
        let size = m.layout.store_size(&m.types, m.operand_ty(func, value));
        targets.iter().any(|(object, place)| {
            let exact = place.stride == 0 && place.extent() == 0;
            let bytes = if exact { size } else { REPEATED as u64 };
            !self.all_untold(&[(*object, *place)], bytes).is_empty()
        })
    }

    /// The load from memory of the caller whose bytes the store at `inst` moves as an integer, although neither its
    /// place nor that of the store tells what they are.
    pub(super) fn moves_untold(&self, m: &Module, id: FuncId, func: &Function, inst: &Inst) -> Option<InstId> {
        let InstKind::Store { value, ptr, .. } = &inst.kind else { return None };
        let ty = m.operand_ty(func, *value);
        if !may_be_bytes(m, ty) || names_type(m, inst) {
            return None;
        }
        let to = self.points_to(m, id, *ptr);
        let size = m.size_of(ty);
        let content = self.content(id, *value);
        let known = |b: u64| content.iter().any(|s| s.offset <= b && b < s.offset + s.size);
        let told = |(o, p): (&ObjId, &Place)| (0..size).all(|b| known(b) || self.told(*o, p.start, b, false).is_some());
        if to.is_empty() || !to.keys().any(|o| self.is_shadowed(*o)) || to.iter().all(told) {
            return None;
        }
        let (mut work, mut seen) = (vec![*value], Vec::new());
        while let Some(operand) = work.pop() {
            let Some(at) = operand.local().and_then(|v| func.def_inst(v)) else { continue };
            if seen.contains(&at) {
                continue;
            }
            if seen.len() > MAX_TRACED {
                // What comes from farther away may be anything.
                return Some(at);
            }
            seen.push(at);
            let from = &func.insts[at];
            match &from.kind {
                InstKind::Load { ptr, .. } => {
                    let places = places(&self.points_to(m, id, *ptr));
                    // Of what is known in part, only a plain copy shows which bytes are not.
                    let unknown = match operand == *value {
                        true => self
                            .all_untold(&places, m.size_of(from.ty))
                            .into_iter()
                            .any(|(first, bytes)| !(first..first + bytes).all(known)),
                        false => content.is_empty() && self.untold(&places, m.size_of(from.ty)).is_some(),
                    };
                    if unknown && !names_type(m, from) && !is_number(func, operand) {
                        return Some(at);
                    }
                }
                _ => work.extend(lanes::moves(m, func, from).into_iter().map(|step| step.operand)),
            }
        }
        None
    }

    /// Does a load take an integer from duplicated memory of the caller of which nothing tells what lies there? It may
    /// be bits of a float.
    pub fn reads_untold(&self, m: &Module, id: FuncId, func: &Function, at: InstId) -> bool {
        let inst = &func.insts[at];
        let (InstKind::Load { ptr, .. }, Some(v)) = (&inst.kind, inst.result) else { return false };
        let of_caller =
            |object: &ObjId| matches!(self.objects[*object].kind, ObjKind::External { constant: false, .. });
        may_be_bytes(m, inst.ty)
            && !names_type(m, inst)
            && self.content(id, Operand::Local(v)).is_empty()
            && self
                .points_to(m, id, *ptr)
                .iter()
                .any(|(o, p)| of_caller(o) && self.told(*o, p.start, 0, false).is_none())
    }

    /// Does an integer come, as it is, from constants and from variables and own memory in which nothing has been
    /// stored but constants? It may be anything in disguise, and carries no adjoint.
    pub fn is_blank(&self, m: &Module, id: FuncId, func: &Function, value: Operand) -> bool {
        let (mut work, mut seen) = (vec![value], Vec::new());
        while let Some(operand) = work.pop() {
            let Operand::Local(local) = operand else { continue };
            let Some(at) = func.def_inst(local) else { return false };
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            let from = &func.insts[at];
            if seen.len() > MAX_TRACED || !self.content(id, operand).is_empty() || is_number(func, operand) {
                return false;
            }
            if let InstKind::Load { ptr, .. } = &from.kind {
                let own = |o: &ObjId| {
                    matches!(self.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..) | ObjKind::Global(_))
                };
                if names_type(m, from) || !self.points_to(m, id, *ptr).keys().all(own) {
                    return false;
                }
                continue;
            }
            let steps = lanes::moves(m, func, from);
            if steps.is_empty() {
                return false;
            }
            work.extend(steps.into_iter().map(|step| step.operand));
        }
        true
    }
}

/// Floats that fill `size` bytes from `offset` on, each as (kind, offset, number): what adjoints would lie there. Zero
/// is zero in all formats.
pub fn filling((offset, size): (u64, u64)) -> impl Iterator<Item = (FloatKind, u64, u64)> {
    let mut rest = size;
    [FloatKind::Double, FloatKind::Float, FloatKind::Half].into_iter().map(move |kind| {
        let each = Cell::Float(kind).size(0);
        let (at, count) = (offset + size - rest, rest / each);
        rest %= each;
        (kind, at, count)
    })
}

/// May a value of this type be bytes of anything? Nothing tells of a single one either whether it is a character.
fn may_be_bytes(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(m.types.scalar(ty)), Type::Int(bits) if *bits >= 8)
}

/// Has an access a TBAA tag that names a type? `char` accesses anything.
fn names_type(m: &Module, inst: &Inst) -> bool {
    let access = inst.metadata("tbaa").and_then(|tag| m.metadata[tag].operands().get(1));
    let Some(MdOperand::Node(access)) = access else { return false };
    !matches!(m.metadata[*access].operands().first(), Some(MdOperand::Str(name)) if name == b"omnipotent char")
}

/// Does an operation move or combine bits, as those of a float may be?
pub(crate) fn is_of_bits(op: BinOp) -> bool {
    matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::LShr | BinOp::AShr)
}

/// Is an integer computed or compared with, or an index? Then it is one, and not something else in disguise.
pub(crate) fn is_number(func: &Function, value: Operand) -> bool {
    func.inst_order().any(|(_, at)| match &func.insts[at].kind {
        InstKind::ICmp { lhs, rhs, .. } => [*lhs, *rhs].contains(&value),
        InstKind::Binary { op, lhs, rhs, .. } => !is_of_bits(*op) && [*lhs, *rhs].contains(&value),
        InstKind::Cast { op: CastOp::SIToFP | CastOp::UIToFP | CastOp::SExt, value: v, .. } => *v == value,
        InstKind::Gep { indices, .. } => indices.contains(&value),
        InstKind::Switch { value: v, .. } => *v == value,
        _ => false,
    })
}
