//! Vectors of pointers taken apart, so that each pointer is analysed for itself.
//!
//! Vectorisers move neighbouring pointers together (the two of a `std::shared_ptr`, say). The points-to analysis knows
//! one set of targets for a value: what two fields of an object lead to would become one, and two places in one object
//! all places between. A vector that is loaded or put together from its lanes, and stored, is replaced by its lanes.
//! Each is loaded where the vector was, and stored where it was; a vector of which some use is of another kind stays
//! besides.

use crate::base::blocks::behind;
use ir::hash::HashMap;
use ir::{Function, Inst, InstId, InstKind, Module, Operand, Type, TypeId};

/// Bytes of a pointer.
const LANE: u64 = 8;

/// Vectors of which a lane is looked for through so many instructions.
const MAX_DEPTH: usize = 8;

/// Replaces stores of vectors of pointers whose lanes are known, and what is taken out of loaded vectors.
pub fn take_apart(m: &mut Module, func: &mut Function) {
    let mut lanes = Lanes { loaded: HashMap::default() };
    for block in func.layout.clone() {
        for inst in func.blocks[block].insts.clone() {
            match func.insts[inst].kind.clone() {
                InstKind::Load { ptr, align, volatile: false, atomic: None } => {
                    if let Some(count) = count(m, func.insts[inst].ty) {
                        lanes.load(m, func, inst, (ptr, align), count);
                    }
                }
                InstKind::Store { value, ptr, align, volatile: false, atomic: None } => {
                    let ty = m.operand_ty(func, value);
                    let Some(count) = count(m, ty) else { continue };
                    let parts: Option<Vec<Operand>> =
                        (0..count).map(|lane| lanes.lane(m, func, value, lane, MAX_DEPTH)).collect();
                    if let Some(parts) = parts {
                        store(m, func, inst, (ptr, align), &parts);
                    }
                }
                _ => {}
            }
        }
    }
    lanes.replace_extracts(m, func);
}

/// The number of pointers in a vector of them.
fn count(m: &Module, ty: TypeId) -> Option<u32> {
    match m.types.get(ty) {
        Type::Vector { len, elem } if matches!(m.types.get(*elem), Type::Ptr(0)) && *len <= 16 => Some(*len),
        _ => None,
    }
}

/// The lanes of loaded vectors.
struct Lanes {
    loaded: HashMap<InstId, Vec<Operand>>,
}

impl Lanes {
    /// Loads each lane behind the vector.
    fn load(&mut self, m: &mut Module, func: &mut Function, inst: InstId, (ptr, align): (Operand, u64), count: u32) {
        let ty = m.types.ptr();
        let (mut parts, mut new) = (Vec::new(), Vec::new());
        for lane in 0..count {
            let (at, align) = behind(m, func, inst, (ptr, align), LANE * u64::from(lane), &mut new);
            let kind = InstKind::Load { ptr: at, align, volatile: false, atomic: None };
            let mut load = Inst::new(kind, ty);
            load.loc = func.insts[inst].loc;
            load.metadata.clone_from(&func.insts[inst].metadata);
            let id = func.create_inst(load, true);
            new.push(id);
            parts.extend(func.insts[id].result.map(Operand::Local));
        }
        insert(func, inst, new);
        self.loaded.insert(inst, parts);
    }

    /// One lane of a vector, if it is a value already.
    fn lane(&self, m: &mut Module, func: &Function, vector: Operand, lane: u32, depth: usize) -> Option<Operand> {
        let Operand::Local(v) = vector else {
            let ptr = m.types.ptr();
            return match m.as_constant(vector)?.kind.clone() {
                ir::ConstKind::Zero => Some(m.zero(ptr)),
                ir::ConstKind::Aggregate(lanes) => lanes.get(lane as usize).map(|c| Operand::Const(*c)),
                _ => None,
            };
        };
        let inst = func.def_inst(v).filter(|_| depth > 0)?;
        if let Some(parts) = self.loaded.get(&inst) {
            return parts.get(lane as usize).copied();
        }
        match &func.insts[inst].kind {
            InstKind::InsertElement { vector, value, index } => match m.as_int(*index)? == u128::from(lane) {
                true => Some(*value),
                false => self.lane(m, func, *vector, lane, depth - 1),
            },
            InstKind::ShuffleVector { a, b, mask } => {
                let from = (*mask.get(lane as usize)?)?;
                let first = m.types.element_count(m.operand_ty(func, *a))? as u32;
                match from.checked_sub(first) {
                    None => self.lane(m, func, *a, from, depth - 1),
                    Some(from) => self.lane(m, func, *b, from, depth - 1),
                }
            }
            _ => None,
        }
    }

    /// A pointer that is taken out of a vector is the loaded lane.
    fn replace_extracts(&self, m: &mut Module, func: &mut Function) {
        let mut known: HashMap<ir::ValueId, Operand> = HashMap::default();
        for (_, inst) in func.inst_order().collect::<Vec<_>>() {
            let InstKind::ExtractElement { vector, index } = func.insts[inst].kind else { continue };
            let lane = m.as_int(index).filter(|_| count(m, m.operand_ty(func, vector)).is_some());
            let found = lane.and_then(|lane| self.lane(m, func, vector, lane as u32, MAX_DEPTH));
            if let (Some(found), Some(v)) = (found, func.insts[inst].result) {
                known.insert(v, found);
            }
        }
        let resolve = |mut operand: Operand| {
            while let Some(next) = operand.local().and_then(|v| known.get(&v)) {
                operand = *next;
            }
            operand
        };
        for (_, inst) in func.inst_order().collect::<Vec<_>>() {
            func.insts[inst].kind.for_each_operand_mut(|o| *o = resolve(*o));
        }
    }
}

/// Stores each lane in the place of the vector.
fn store(m: &mut Module, func: &mut Function, inst: InstId, (ptr, align): (Operand, u64), parts: &[Operand]) {
    let void = m.types.void();
    let mut new = Vec::new();
    for (lane, part) in parts.iter().enumerate().skip(1) {
        let (at, align) = behind(m, func, inst, (ptr, align), LANE * lane as u64, &mut new);
        let mut store =
            Inst::new(InstKind::Store { value: *part, ptr: at, align, volatile: false, atomic: None }, void);
        store.loc = func.insts[inst].loc;
        store.metadata.clone_from(&func.insts[inst].metadata);
        new.push(func.create_inst(store, false));
    }
    func.insts[inst].kind = InstKind::Store { value: parts[0], ptr, align, volatile: false, atomic: None };
    insert(func, inst, new);
}

/// Puts instructions behind another.
fn insert(func: &mut Function, inst: InstId, new: Vec<InstId>) {
    for block in func.layout.clone() {
        if let Some(at) = func.blocks[block].insts.iter().position(|i| *i == inst) {
            func.blocks[block].insts.splice(at + 1..at + 1, new);
            return;
        }
    }
}
