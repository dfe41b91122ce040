//! Coded words as floats that are held: the bits of the code, the derivative of the float.

use crate::base::blocks::bitcast;
use crate::normalise::sources::Sources;
use crate::rewrite::codes::Derived;
use crate::runtime::substitute;
use ir::hash::HashMap;
use ir::{FastMath, FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand, Type, TypeId, ValueId};

/// Puts `held` in the place of each word that operations have made, wherever it goes on as a word; says whether there
/// was any.
pub(super) fn apply(m: &mut Module, sources: &mut Sources, derived: &HashMap<(FuncId, ValueId), Derived>) -> bool {
    let mut any = false;
    for (id, func) in sources.iter_mut() {
        let mut made: HashMap<ValueId, (ValueId, Derived)> = HashMap::default();
        let mut order: Vec<(ValueId, Derived)> = derived
            .iter()
            .filter(|((f, _), word)| f == id && word.float.is_some() && is_word(m, word))
            .map(|((_, v), word)| (*v, word.clone()))
            .collect();
        order.sort_by_key(|(v, _)| *v);
        for (v, word) in order {
            if let Some(stand_in) = hold(m, func, v, &word) {
                made.insert(v, (stand_in, word));
            }
        }
        any |= !made.is_empty();
        replace_uses(func, &made, &|v| derived.contains_key(&(*id, v)));
    }
    any
}

/// Puts a comparison and a choice in the place of calls that give the lesser or greater of two words.
pub(super) fn choose(m: &mut Module, sources: &mut Sources, calls: &[(FuncId, InstId, IntPred)]) {
    for (id, at, pred) in calls {
        let Some(func) = sources.get_mut(id) else { continue };
        let call = func.insts[*at].kind.as_call();
        let Some((lhs, rhs)) = call.and_then(|call| Some((*call.args.first()?, *call.args.get(1)?))) else { continue };
        let truth = m.types.truth(func.insts[*at].ty);
        let mut compare = Inst::new(InstKind::ICmp { pred: *pred, lhs, rhs }, truth);
        compare.loc = func.insts[*at].loc;
        let compare = func.create_inst(compare, true);
        let Some(cond) = func.insts[compare].result.map(Operand::Local) else { continue };
        func.insts[*at].kind = InstKind::Select { fast: FastMath::default(), cond, if_true: lhs, if_false: rhs };
        for block in func.layout.clone() {
            let insts = &mut func.blocks[block].insts;
            if let Some(before) = insts.iter().position(|inst| inst == at) {
                insts.insert(before, compare);
            }
        }
    }
}

/// Takes the types of accesses away (TBAA): a word in the place of a float is one, whatever the program says of it, and
/// a constant that is stored over it ends its derivative.
pub(super) fn untag(sources: &mut Sources, accesses: &[(FuncId, InstId)]) {
    for (id, at) in accesses {
        if let Some(func) = sources.get_mut(id) {
            func.insts[*at].metadata.retain(|(name, _)| name != "tbaa");
        }
    }
}

/// Is it a word that a float could fill?
fn is_word(m: &Module, derived: &Derived) -> bool {
    let kind = derived.float.and_then(|float| m.types.float_kind(float));
    kind.is_some_and(|kind| kind.bits() == derived.word.bits()) && derived.word.is_whole()
}

/// The word again, as what is held: its bits, with the derivative of its base.
fn hold(m: &mut Module, func: &mut Function, v: ValueId, derived: &Derived) -> Option<ValueId> {
    let (at, base) = (func.def_inst(v)?, derived.base?);
    let ty = func.value_ty(v);
    let float = match m.types.get(ty) {
        Type::Vector { len, .. } => {
            let len = *len;
            m.types.vector(len, derived.float?)
        }
        _ => derived.float?,
    };
    if m.size_of(func.value_ty(base)) != m.size_of(ty) {
        return None;
    }
    let loc = func.insts[at].loc;
    let add = |func: &mut Function, kind: InstKind, ty: TypeId| -> Option<(InstId, ValueId)> {
        let mut inst = Inst::new(kind, ty);
        inst.loc = loc;
        let id = func.create_inst(inst, true);
        Some((id, func.insts[id].result?))
    };
    let (first, bits) = add(func, bitcast(Operand::Local(v)), float)?;
    let (second, meant) = add(func, bitcast(Operand::Local(base)), float)?;
    let call = substitute::call(m, float, [bits, meant].map(Operand::Local));
    let (third, number) = add(func, call, float)?;
    let (fourth, out) = add(func, bitcast(Operand::Local(number)), ty)?;
    substitute::make_passive(m, &mut func.insts[first]);
    let block = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&at))?;
    let insts = &mut func.blocks[block].insts;
    let after = insts.iter().position(|i| *i == at)? + 1;
    insts.splice(after..after, [first, second, third, fourth]);
    Some(out)
}

/// What goes on with the words goes on with what is held; operations on them stay as they are.
fn replace_uses(
    func: &mut Function,
    made: &HashMap<ValueId, (ValueId, Derived)>,
    is_derived: &dyn Fn(ValueId) -> bool,
) {
    let own: Vec<InstId> = func
        .inst_order()
        .map(|(_, i)| i)
        .filter(|i| {
            let inst = &func.insts[*i];
            inst.result.is_some_and(is_derived) || substitute::is_passive(inst)
        })
        .collect();
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        if own.contains(&inst) {
            continue;
        }
        func.insts[inst].kind.for_each_operand_mut(|operand| {
            if let Some((stand_in, _)) = operand.local().and_then(|v| made.get(&v)) {
                *operand = Operand::Local(*stand_in);
            }
        });
    }
}
