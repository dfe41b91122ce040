//! Calls for the derivative of one of several functions.
//!
//! Of `if (c) __enzyme_autodiff(f, …); else __enzyme_autodiff(g, …);` an optimiser makes one call of what `c` chooses.
//! Where each choice is known, the call becomes one for each of them, behind a comparison with its address.

use super::entry_points::is_entry_point;
use crate::base::blocks;
use ir::{BlockId, FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand, Type};
use std::collections::BTreeSet;

/// So many functions are told apart.
const MOST: usize = 64;

/// Takes these calls apart, in all functions.
pub(crate) fn take_apart(m: &mut Module) {
    for id in m.functions.keys().collect::<Vec<_>>() {
        while let Some((at, argument, chosen)) = first(m, &m.functions[id]) {
            let mut func = m.functions[id].clone();
            tell_apart(m, &mut func, at, argument, &chosen);
            m.functions[id] = func;
        }
    }
}

/// Where a call is.
type Place = (BlockId, usize, InstId);

/// The first such call, the argument that is chosen, and what it may be.
fn first(m: &Module, func: &Function) -> Option<(Place, usize, Vec<FuncId>)> {
    func.layout.iter().find_map(|block| {
        func.blocks[*block].insts.iter().enumerate().find_map(|(at, inst)| {
            let InstKind::Call(call) = &func.insts[*inst].kind else { return None };
            let name = &m.functions[m.as_function(call.callee)?].name;
            let asked = is_entry_point(name).then(|| {
                let choice = |arg: &Operand| choices(m, func, *arg);
                call.args.iter().enumerate().find_map(|(n, arg)| Some((n, choice(arg)?)))
            })??;
            Some(((*block, at, *inst), asked.0, asked.1))
        })
    })
}

/// The functions that an operand is chosen from, if it is, and if all are known.
fn choices(m: &Module, func: &Function, operand: Operand) -> Option<Vec<FuncId>> {
    operand.local()?;
    let (mut seen, mut found, mut work) = (BTreeSet::new(), BTreeSet::new(), vec![operand]);
    while let Some(operand) = work.pop() {
        if let Some(function) = m.as_function(operand) {
            found.insert(function);
            continue;
        }
        let value = operand.local()?;
        if !seen.insert(value) {
            continue;
        }
        match &func.insts[func.def_inst(value)?].kind {
            InstKind::Select { if_true, if_false, .. } => work.extend([*if_true, *if_false]),
            InstKind::Phi { incoming, .. } => work.extend(incoming.iter().map(|(value, _)| *value)),
            InstKind::Freeze(value) => work.push(*value),
            _ => return None,
        }
    }
    (1..=MOST).contains(&found.len()).then(|| found.into_iter().collect())
}

/// One call for each function, the last without a comparison.
fn tell_apart(m: &mut Module, func: &mut Function, (block, at, call): Place, argument: usize, chosen: &[FuncId]) {
    let (i1, void, ty) = (m.types.int(1), m.types.void(), func.insts[call].ty);
    let rest = blocks::split(func, block, at + 1, "asked");
    func.blocks[block].insts.truncate(at);
    let result = func.insts[call].result.filter(|_| !matches!(m.types.get(ty), Type::Void));
    let (mut here, mut incoming) = (block, Vec::new());
    for (n, function) in chosen.iter().enumerate() {
        let address = m.function_address(*function);
        let mut kind = func.insts[call].kind.clone();
        let Some(pointer) = kind.as_call_mut().map(|call| std::mem::replace(&mut call.args[argument], address)) else {
            return;
        };
        let own = if n + 1 == chosen.len() {
            here
        } else {
            let [own, next] = ["chosen", "others"].map(|name| func.add_block(name));
            let is = InstKind::ICmp { pred: IntPred::Eq, lhs: pointer, rhs: address };
            let is = blocks::like(m, func, call, is, i1);
            func.blocks[here].insts.push(is);
            let cond = func.insts[is].result.map_or(pointer, Operand::Local);
            let branch = blocks::like(m, func, call, InstKind::CondBr { cond, then_to: own, else_to: next }, void);
            func.blocks[here].insts.push(branch);
            here = next;
            own
        };
        let asked = blocks::like(m, func, call, kind, ty);
        func.blocks[own].insts.push(asked);
        let onwards = blocks::like(m, func, call, InstKind::Br(rest), void);
        func.blocks[own].insts.push(onwards);
        incoming.extend(func.insts[asked].result.map(|v| (Operand::Local(v), own)));
    }
    if let Some(old) = result {
        let phi = Inst::new(InstKind::Phi { fast: Default::default(), incoming }, ty);
        let phi = func.create_inst(phi, true);
        func.blocks[rest].insts.insert(0, phi);
        if let Some(new) = func.insts[phi].result {
            blocks::replace_uses(func, old, Operand::Local(new));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTIONS: &str = "declare double @__enzyme_autodiff(ptr, ...)\ndefine double @f(double %x) {\n  ret double %x\n}\n\
                             define double @g(double %x) {\n  ret double %x\n}\n";

    fn taken_apart(body: &str) -> String {
        let mut m = ir::parse::parse(&format!("{FUNCTIONS}{body}"), "choices").unwrap();
        take_apart(&mut m);
        m.to_string()
    }

    #[test]
    fn what_is_chosen_from_known_functions_is_asked_for_each() {
        let text = taken_apart(
            "define double @h(i1 %c, double %x) {\n  %p = select i1 %c, ptr @f, ptr @g\n  \
             %d = call double (ptr, ...) @__enzyme_autodiff(ptr %p, double %x)\n  ret double %d\n}\n",
        );
        for wanted in ["@__enzyme_autodiff(ptr @f, double %x)", "@__enzyme_autodiff(ptr @g, double %x)", "phi double"] {
            assert!(text.contains(wanted), "{wanted} in\n{text}");
        }
        assert!(!text.contains("@__enzyme_autodiff(ptr %p"), "{text}");
    }

    #[test]
    fn what_only_the_run_knows_stays() {
        let body = "define double @h(i1 %c, double %x, ptr %q) {\n  %p = select i1 %c, ptr @f, ptr %q\n  \
                    %d = call double (ptr, ...) @__enzyme_autodiff(ptr %p, double %x)\n  ret double %d\n}\n";
        assert!(taken_apart(body).contains("@__enzyme_autodiff(ptr %p"));
    }
}
