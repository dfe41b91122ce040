//! The buffers and checkpoints of loops of which a part is run again: where each value lies in them.

use crate::base::alias_scopes;
use crate::base::builder::Builder;
use crate::plan::data::Replay;
use crate::runtime::tape::TAPE_ALIGN;
use ir::{Function, InstId, InstKind, MdId, Module, Operand, TypeId};

/// The parameters of the functions that run a slice before the values from outside.
pub(super) const OWN: usize = 4;

/// Where values lie in a row, or in a checkpoint.
pub(super) struct Places {
    pub(super) size: u64,
    pub(crate) align: u64,
    pub(super) offsets: Vec<u64>,
}

fn places(m: &mut Module, types: Vec<TypeId>) -> Places {
    let ty = m.types.tuple(types);
    let align = m.layout.align_of(&m.types, ty);
    let (size, offsets) = m.layout.struct_layout(&m.types, ty).map_or((0, Vec::new()), |l| (l.size, l.offsets));
    Places { size, align, offsets }
}

/// The places of the carried values in a checkpoint, and last that of the one before.
pub(super) fn checkpoint(m: &mut Module, func: &Function, replay: &Replay) -> Places {
    let mut types: Vec<TypeId> = replay.slice.states.iter().map(|v| func.value_ty(*v)).collect();
    types.push(m.types.ptr());
    places(m, types)
}

pub(super) fn row(m: &mut Module, func: &Function, replay: &Replay) -> Places {
    places(m, replay.rows.iter().map(|v| func.value_ty(*v)).collect())
}

/// Accesses a cell of a checkpoint or a row.
fn access(b: &mut Builder, list: MdId, ty: TypeId, kind: InstKind) -> InstId {
    let id = b.push(kind, ty);
    alias_scopes::is_in(&mut b.f.insts[id].metadata, list);
    id
}

pub(super) fn put(b: &mut Builder, list: MdId, value: Operand, ptr: Operand) -> InstId {
    let (void, align) = (b.m.types.void(), b.align(b.ty(value)).min(TAPE_ALIGN));
    access(b, list, void, InstKind::Store { value, ptr, align, volatile: false, atomic: None })
}

pub(super) fn get(b: &mut Builder, list: MdId, ty: TypeId, ptr: Operand) -> Operand {
    let align = b.align(ty).min(TAPE_ALIGN);
    let id = access(b, list, ty, InstKind::Load { ptr, align, volatile: false, atomic: None });
    b.result(id)
}
