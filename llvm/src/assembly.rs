//! Inline assembly of one instruction that IR can say, in IR.
//!
//! Libraries write some vector instructions as assembly, to have exactly that one (Eigen's maximum and minimum on SSE).
//! What such an instruction computes is known, and IR that says it can be executed, optimised and differentiated.
//!
//! `maxpd src, dst` gives lane by lane `dst > src ? dst : src`, so the source where one of them is not a number or both
//! are zeros (Intel, Software Developer's Manual, volume 2, "MAXPD"); `minpd` the same with `<`; `maxps` and `minps` on
//! `float`s.

use ir::{FloatPred, Inst, InstId, InstKind, Module, Operand};

/// The module with such assembly replaced.
pub(crate) fn said_in_ir(mut m: Module) -> Module {
    for id in m.functions.keys().collect::<Vec<_>>() {
        let found: Vec<(ir::BlockId, InstId, FloatPred)> = m.functions[id]
            .inst_order()
            .filter_map(|(block, inst)| Some((block, inst, choice(&m, id, inst)?)))
            .collect();
        for (block, inst, pred) in found {
            replace(&mut m, id, (block, inst), pred);
        }
    }
    m
}

/// The comparison by which an instruction chooses its destination.
fn choice(m: &Module, id: ir::FuncId, inst: InstId) -> Option<FloatPred> {
    let func = &m.functions[id];
    let InstKind::Call(call) = &func.insts[inst].kind else { return None };
    let asm = m.as_asm(call.callee)?;
    if asm.flags.iter().any(|flag| flag == "inteldialect") {
        return None;
    }
    let template = String::from_utf8_lossy(&asm.template);
    let mut words = template.split([' ', '\t', ',']).filter(|w| !w.is_empty());
    let (name, src, dst) = (words.next()?, words.next()?, words.next()?);
    let constraints = String::from_utf8_lossy(&asm.constraints);
    let operands: Vec<&str> = constraints.split(',').filter(|c| !c.starts_with('~')).collect();
    if words.next().is_some() || (src, dst) != ("$1", "$0") || operands != ["=x", "x", "0"] {
        return None;
    }
    let (pred, kind) = match name {
        "maxpd" => (FloatPred::Ogt, ir::FloatKind::Double),
        "minpd" => (FloatPred::Olt, ir::FloatKind::Double),
        "maxps" => (FloatPred::Ogt, ir::FloatKind::Float),
        "minps" => (FloatPred::Olt, ir::FloatKind::Float),
        _ => return None,
    };
    // The operands of these instructions have 128 bits.
    let ty = func.insts[inst].ty;
    let fits = m.types.float_kind(m.types.scalar(ty)) == Some(kind) && m.size_of(ty) == 16;
    fits.then_some(pred)
}

fn replace(m: &mut Module, id: ir::FuncId, (block, inst): (ir::BlockId, InstId), pred: FloatPred) {
    let ty = m.functions[id].insts[inst].ty;
    let (lanes, i1) = (m.types.element_count(ty).unwrap_or(1), m.types.int(1));
    let truth = m.types.vector(lanes as u32, i1);
    let func = &mut m.functions[id];
    let Some([src, dst]) = func.insts[inst].kind.as_call().map(|call| [call.args[0], call.args[1]]) else { return };
    let mut compare = Inst::new(InstKind::FCmp { pred, fast: Default::default(), lhs: dst, rhs: src }, truth);
    compare.loc = func.insts[inst].loc;
    let compare = func.create_inst(compare, true);
    let Some(cond) = func.insts[compare].result.map(Operand::Local) else { return };
    let data = &mut func.insts[inst];
    data.kind = InstKind::Select { fast: Default::default(), cond, if_true: dst, if_false: src };
    data.metadata.clear();
    let insts = &mut func.blocks[block].insts;
    if let Some(at) = insts.iter().position(|i| *i == inst) {
        insts.insert(at, compare);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_maximum_of_eigen_is_a_choice() {
        let text = r#"
define <2 x double> @f(<2 x double> %a, <2 x double> %b) {
  %r = call <2 x double> asm "maxpd $1, $0", "=x,x,0,~{dirflag},~{fpsr},~{flags}"(<2 x double> %a, <2 x double> %b)
  %s = call <2 x double> asm "minpd $0, $1", "=x,x,0"(<2 x double> %a, <2 x double> %r)
  ret <2 x double> %s
}
"#;
        let module = crate::read::in_ir(text, "f.ll").unwrap().to_string();
        assert!(module.contains("fcmp ogt <2 x double> %b, %a"), "{module}");
        assert!(!module.contains("maxpd"), "{module}");
        // The destination of the other is not its output.
        assert!(module.contains("minpd"), "{module}");
    }
}
