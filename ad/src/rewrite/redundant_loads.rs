//! A load is not made again where nothing was written since.
//!
//! The optimiser keeps the second of two loads with a call of `exp` between them, because `errno` is memory that the
//! load might read. A float is no `errno`. It keeps it, too, behind a store through a parameter that may lead anywhere,
//! where we know from the calls of the function that it leads elsewhere. So in the copies that are differentiated, a
//! load of floats becomes the value of an earlier one from the same pointer, if on the only way between them there is
//! nothing but loads, arithmetic, stores to other memory ([`Facts::apart`]) and functions of the table that write
//! nothing else. What is loaded once is kept once for the reverse pass, and its adjoint goes to memory once.
//!
//! The program's own function stays as it is.

use crate::analysis::memory::Facts;
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use ir::cfg::Cfg;
use ir::hash::HashMap;
use ir::{BlockId, FuncId, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};

/// What has been loaded, and from where.
type Loaded = HashMap<(Operand, TypeId), ValueId>;

/// Merges the loads of all sources.
pub fn merge(m: &Module, facts: &Facts, sources: &mut Sources) {
    for (id, func) in sources {
        merge_in(m, facts, *id, func);
    }
}

fn merge_in(m: &Module, facts: &Facts, id: FuncId, func: &mut Function) {
    let cfg = Cfg::new(func);
    let mut at_end: HashMap<BlockId, Loaded> = HashMap::default();
    let mut same: HashMap<ValueId, ValueId> = HashMap::default();
    let mut dropped: Vec<(BlockId, InstId)> = Vec::new();
    for block in cfg.rpo() {
        // Where paths meet, nothing is known.
        let mut loaded = match cfg.preds(*block) {
            [pred] => at_end.get(pred).cloned().unwrap_or_default(),
            _ => Loaded::default(),
        };
        for inst in &func.blocks[*block].insts {
            let data = &func.insts[*inst];
            match &data.kind {
                InstKind::Load { ptr, volatile: false, atomic: None, .. } if is_float(m, data.ty) => {
                    let Some(v) = data.result else { continue };
                    match loaded.get(&(*ptr, data.ty)) {
                        Some(first) => {
                            same.insert(v, *first);
                            dropped.push((*block, *inst));
                        }
                        None => {
                            loaded.insert((*ptr, data.ty), v);
                        }
                    }
                }
                InstKind::Store { value, ptr, volatile: false, atomic: None, .. } if !loaded.is_empty() => {
                    let written = (*ptr, m.size_of(m.operand_ty(func, *value)));
                    loaded.retain(|(from, ty), _| facts.apart(m, id, written, (*from, m.size_of(*ty))));
                }
                kind if writes(m, kind) => loaded.clear(),
                _ => {}
            }
        }
        at_end.insert(*block, loaded);
    }
    if dropped.is_empty() {
        return;
    }
    for (block, inst) in dropped {
        func.blocks[block].insts.retain(|i| *i != inst);
    }
    for data in func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| {
            if let Some(first) = o.local().and_then(|v| same.get(&v)) {
                *o = Operand::Local(*first);
            }
        });
    }
}

fn is_float(m: &Module, ty: TypeId) -> bool {
    m.types.float_kind(m.types.scalar(ty)).is_some()
}

/// May the instruction write floats, or let others write them?
fn writes(m: &Module, kind: &InstKind) -> bool {
    match kind {
        InstKind::Call(call) => match m.as_function(call.callee).map(|f| classify(m, &m.functions[f])) {
            Some(External::Rule(row)) => row.operands.contains(&rules::Operand::FloatOut),
            Some(External::Held) => false,
            _ => true,
        },
        InstKind::Load { volatile, atomic, .. } => *volatile || atomic.is_some(),
        InstKind::Binary { .. }
        | InstKind::FNeg { .. }
        | InstKind::ICmp { .. }
        | InstKind::FCmp { .. }
        | InstKind::Cast { .. }
        | InstKind::Gep { .. }
        | InstKind::Select { .. }
        | InstKind::Freeze(_)
        | InstKind::Phi { .. }
        | InstKind::Alloca { .. }
        | InstKind::Br(_)
        | InstKind::CondBr { .. }
        | InstKind::Switch { .. }
        | InstKind::Ret(_)
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. }
        | InstKind::ExtractValue { .. }
        | InstKind::InsertValue { .. } => false,
        _ => true,
    }
}
