//! What comes of a value.
//!
//! Phis, selects and computations pass a value on. What is stored, called with, returned, branched on, divided by or
//! taken for an address is *used*. What has passed a select is used only where that has taken the arm. An optimiser may
//! load and compute what is not used (LangRef, "Memory Model for Concurrent Operations"): [`loaded_ahead`].

use crate::cfg::{Cfg, Positions};
use crate::dom::DomTree;
use crate::hash::HashMap;
use crate::{BinOp, Function, InstId, InstKind, Module, Operand, Role, Type, ValueId};
use std::collections::BTreeSet;

/// The select that a value has passed, and the arm.
pub type Passed = Option<(InstId, bool)>;

/// What uses a value, and what it has passed on the way.
pub type Uses = BTreeSet<(InstId, Passed)>;

/// The plain loads of numbers and addresses that an optimiser may have brought ahead of where the program reads: they
/// dominate what uses the value, and nothing in their own block does but behind a `select`. A value that a later
/// execution of the load finds in a phi is no such one.
pub fn loaded_ahead(func: &Function, module: &Module) -> Vec<(InstId, Uses)> {
    let takers = Takers::new(func);
    let cfg = Cfg::new(func);
    let (dom, positions) = (DomTree::new(func, &cfg), Positions::new(func));
    let mut found = Vec::new();
    for block in &func.layout {
        let here = &func.blocks[*block].insts;
        for load in here {
            let inst = &func.insts[*load];
            let InstKind::Load { volatile: false, atomic: None, .. } = inst.kind else { continue };
            let types = &module.types;
            let scalar = types.is_int(inst.ty) || types.is_ptr(inst.ty) || types.float_kind(inst.ty).is_some();
            let Some(value) = inst.result.filter(|_| scalar) else { continue };
            let (uses, phis) = takers.uses(func, module, value);
            let carried = |phi: &InstId| positions.block(*phi).is_some_and(|at| dom.dominates(at, *block));
            let behind = |(user, passed): &(InstId, Passed)| match positions.block(*user) {
                Some(at) if at == *block => passed.is_some(),
                Some(at) => dom.dominates(*block, at),
                None => false,
            };
            if uses.iter().all(behind) && !phis.iter().any(carried) {
                found.push((*load, uses));
            }
        }
    }
    found
}

/// The instructions that have each value as an operand.
struct Takers(HashMap<ValueId, Vec<InstId>>);

impl Takers {
    fn new(func: &Function) -> Takers {
        let mut takers: HashMap<ValueId, Vec<InstId>> = HashMap::default();
        for (_, inst) in func.inst_order() {
            let values: BTreeSet<ValueId> =
                func.insts[inst].kind.operands().into_iter().filter_map(Operand::local).collect();
            values.into_iter().for_each(|value| takers.entry(value).or_default().push(inst));
        }
        Takers(takers)
    }

    /// Who uses a value, or what is computed from it, and the phis that it passes.
    fn uses(&self, func: &Function, module: &Module, value: ValueId) -> (Uses, BTreeSet<InstId>) {
        let mut phis = BTreeSet::new();
        let mut uses = BTreeSet::new();
        let mut seen: BTreeSet<(ValueId, Passed)> = BTreeSet::from([(value, None)]);
        let mut work = vec![(value, None)];
        while let Some((value, passed)) = work.pop() {
            for taker in self.0.get(&value).into_iter().flatten() {
                let inst = &func.insts[*taker];
                let is = |operand: &Operand| *operand == Operand::Local(value);
                let ways: Vec<Passed> = match &inst.kind {
                    InstKind::Select { cond, if_true, if_false, .. } if !is(cond) => {
                        let arms = [(if_true, true), (if_false, false)].into_iter().filter(|(arm, _)| is(arm));
                        let lanes = matches!(module.types.get(inst.ty), Type::Vector { .. });
                        arms.map(|(_, when)| passed.or(Some((*taker, when)).filter(|_| !lanes))).collect()
                    }
                    // What a gradient records of a value, it uses when it reads the record.
                    InstKind::Store { .. } if inst.origin.is_some_and(|o| o.role == Role::Push) => continue,
                    InstKind::Phi { .. } => {
                        phis.insert(*taker);
                        vec![passed]
                    }
                    kind if passes(module, kind) => vec![passed],
                    _ => {
                        uses.insert((*taker, passed));
                        continue;
                    }
                };
                for way in ways {
                    if let Some(result) = inst.result
                        && seen.insert((result, way))
                    {
                        work.push((result, way));
                    }
                }
            }
        }
        (uses, phis)
    }
}

/// Does an instruction do nothing with its operands but compute its result, whatever they are?
fn passes(module: &Module, kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        InstKind::FNeg { .. }
        | InstKind::Cast { .. }
        | InstKind::ICmp { .. }
        | InstKind::FCmp { .. }
        | InstKind::Gep { .. }
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. }
        | InstKind::ExtractValue { .. }
        | InstKind::InsertValue { .. } => true,
        InstKind::Call(call) => {
            let name = module.as_function(call.callee).map(|f| module.functions[f].name.as_str());
            const COMPUTE: [&str; 8] = ["fabs.", "fma.", "fmuladd.", "sqrt.", "smin.", "smax.", "umin.", "umax."];
            name.and_then(|name| name.strip_prefix("llvm.")).is_some_and(|n| COMPUTE.iter().any(|c| n.starts_with(c)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loads of `f` that may have been brought ahead, each with the number of its uses.
    fn ahead(body: &str) -> Vec<(String, usize)> {
        let text =
            format!("declare void @other(double)\ndefine double @f(ptr %x, ptr %y, i1 %c, i32 %n) {{\n{body}\n}}\n");
        let module = crate::parse(&text, "test").expect("the test's IR parses");
        let func = &module.functions[module.function("f").expect("there is `f`")];
        let name = |load: InstId| func.insts[load].result.map_or(String::new(), |v| func.values[v].name.clone());
        loaded_ahead(func, &module).into_iter().map(|(load, uses)| (name(load), uses.len())).collect()
    }

    fn check(body: &str, expected: &[(&str, usize)]) {
        let expected: Vec<(String, usize)> = expected.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        assert_eq!(ahead(body), expected, "{body}");
    }

    /// A load, what stands behind it in its block, and what is done in a block that only some executions reach.
    fn branch(behind: &str, there: &str) -> String {
        format!(
            "entry:\n  %v = load double, ptr %x, align 8\n{behind}  br i1 %c, label %some, label %end\nsome:\n{there}  \
             br label %end\nend:\n  ret double 0.0"
        )
    }

    const STORE: &str = "  store double %v, ptr %y, align 8\n";

    #[test]
    fn what_is_used_in_another_block_may_have_been_brought_ahead() {
        check(&branch("", STORE), &[("v", 1)]);
        check(&branch("", ""), &[("v", 0)]);
        // Computing is no use, storing is.
        check(&branch("  %w = fmul double %v, %v\n", STORE), &[("v", 1)]);
        check(&branch(STORE, ""), &[]);
        check(&branch("  call void @other(double %v)\n", ""), &[]);
        // Behind a `select` it is used only where that takes it.
        let chosen = "  %s = select i1 %c, double %v, double 1.0\n  store double %s, ptr %y, align 8\n";
        check(&branch(chosen, ""), &[("v", 1)]);
        check(&branch(&(chosen.to_owned() + STORE), ""), &[]);
        // What orders or observes is read where it stands.
        check(&branch("", STORE).replace("load double", "load volatile double"), &[]);
    }

    #[test]
    fn what_divides_and_what_branches_is_used() {
        let integer = |use_: &str| format!("entry:\n  %v = load i32, ptr %x, align 4\n{use_}\nend:\n  ret double 0.0");
        check(&integer("  %d = sdiv i32 7, %v\n  br label %end"), &[]);
        check(&integer("  %d = add i32 7, %v\n  br label %end"), &[("v", 0)]);
        check(&integer("  %d = icmp eq i32 7, %v\n  br i1 %d, label %end, label %end"), &[]);
        check(&integer("  %d = select i1 %c, i32 %v, i32 1\n  br label %end"), &[("v", 0)]);
    }

    #[test]
    fn a_load_that_does_not_dominate_its_uses_stands_where_the_program_reads() {
        check(
            "entry:\n  br i1 %c, label %look, label %end\nlook:\n  %v = load double, ptr %x, align 8\n  br label %end\n\
             end:\n  %k = phi double [ 0.0, %entry ], [ %v, %look ]\n  ret double %k",
            &[],
        );
    }

    #[test]
    fn what_a_phi_carries_to_the_next_execution_is_used() {
        let turns = |next: &str| {
            format!(
                "entry:\n  br label %turn\nturn:\n  %i = phi i32 [ 0, %entry ], [ %i.next, %behind ]\n  \
                 %s = phi double [ 0.0, %entry ], [ {next}, %behind ]\n  %v = load double, ptr %x, align 8\n  \
                 br label %behind\nbehind:\n  %t = fadd double %s, %v\n  %i.next = add i32 %i, 1\n  \
                 %more = icmp slt i32 %i.next, %n\n  br i1 %more, label %turn, label %end\nend:\n  ret double %t"
            )
        };
        check(&turns("%t"), &[]);
        check(&turns("1.0"), &[("v", 1)]);
    }
}
