//! Which numbers functions are called with, and what of them is executed for that.
//!
//! A function that does one thing or another as a number says ("copy", "destroy", "describe yourself": the manager of a
//! `std::function`) is called with the number as a constant. What it would do for other numbers nobody asks of it; but
//! taken into account, it makes memory of one kind point to all that another kind can be. As long as it is not known
//! which functions are called, only what is reached with the numbers that are known counts: they only become more. In
//! the end the rest is dropped.

use crate::analysis::memory::Facts;
use crate::base::blocks::drop_unreachable;
use crate::normalise::collect::Sources;
use crate::runtime::refuse::refusal;
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, FuncId, Function, Inst, InstKind, IntPred, Module, Operand, ValueId};
use std::collections::BTreeSet;

/// So many numbers are told apart.
const FEW: usize = 8;

/// What parameters that are integers may be: any number, where none are told.
type Numbers = Option<BTreeSet<u128>>;

/// What is known of a program all of whose calls are found by and by.
#[derive(Debug)]
pub(super) struct Reached {
    /// What is differentiated: others call it, with any numbers.
    root: FuncId,
    numbers: HashMap<(FuncId, ValueId), Numbers>,
}

impl Reached {
    pub(super) fn new(root: FuncId) -> Reached {
        Reached { root, numbers: HashMap::default() }
    }

    /// The numbers that an operand may be.
    fn numbers(&self, m: &Module, id: FuncId, func: &Function, operand: Operand) -> Numbers {
        match operand {
            Operand::Const(_) => m.as_int(operand).map(|number| BTreeSet::from([number])),
            Operand::Local(v) if id != self.root && func.params.iter().any(|param| param.value == v) => {
                self.numbers.get(&(id, v)).cloned().unwrap_or_else(|| Some(BTreeSet::new()))
            }
            Operand::Local(_) => None,
        }
    }

    /// Where control may go at the end of a block.
    fn ways(&self, m: &Module, id: FuncId, func: &Function, block: BlockId) -> Vec<BlockId> {
        let term = func.terminator(block).map(|term| &func.insts[term].kind);
        let known = match term {
            Some(InstKind::Switch { value, default, cases }) => self.numbers(m, id, func, *value).map(|numbers| {
                let way = |number: u128| {
                    let is = |(case, _): &&(ir::ConstId, BlockId)| m.as_int(Operand::Const(*case)) == Some(number);
                    cases.iter().find(is).map_or(*default, |(_, to)| *to)
                };
                numbers.into_iter().map(way).collect()
            }),
            Some(InstKind::CondBr { cond, then_to, else_to }) => self
                .outcomes(m, id, func, *cond)
                .map(|outcomes| outcomes.into_iter().map(|holds| if holds { *then_to } else { *else_to }).collect()),
            _ => None,
        };
        known.unwrap_or_else(|| func.successors(block).into_iter().collect())
    }

    /// Whether a comparison of a parameter with a number may hold, and whether it may not.
    fn outcomes(&self, m: &Module, id: FuncId, func: &Function, cond: Operand) -> Option<BTreeSet<bool>> {
        let inst = func.def_inst(cond.local()?)?;
        let InstKind::ICmp { pred: pred @ (IntPred::Eq | IntPred::Ne), lhs, rhs } = func.insts[inst].kind else {
            return None;
        };
        let (numbers, with) = (self.numbers(m, id, func, lhs)?, m.as_int(rhs)?);
        Some(numbers.into_iter().map(|number| (number == with) == (pred == IntPred::Eq)).collect())
    }

    /// The blocks that are executed.
    fn blocks(&self, m: &Module, id: FuncId, func: &Function) -> HashSet<BlockId> {
        let (mut seen, mut work) = (HashSet::default(), vec![func.entry()]);
        while let Some(block) = work.pop() {
            if seen.insert(block) {
                work.extend(self.ways(m, id, func, block));
            }
        }
        seen
    }
}

impl Facts {
    /// The blocks of a function that are executed, where not all are.
    pub(super) fn reached_blocks(&self, m: &Module, id: FuncId, func: &Function) -> Option<HashSet<BlockId>> {
        let reached = self.reached.as_ref()?;
        let decides = |(_, inst): (BlockId, ir::InstId)| {
            matches!(func.insts[inst].kind, InstKind::Switch { .. } | InstKind::CondBr { .. })
        };
        func.inst_order().any(decides).then(|| reached.blocks(m, id, func))
    }

    /// A function is called with these.
    pub(super) fn is_called_with(
        &mut self,
        m: &Module,
        (id, func): (FuncId, &Function),
        arg: Operand,
        (target, param): (FuncId, ValueId),
    ) {
        let Some(reached) = &mut self.reached else { return };
        let numbers = reached.numbers(m, id, func, arg);
        let known = reached.numbers.entry((target, param)).or_insert_with(|| Some(BTreeSet::new()));
        let joined = match (&*known, numbers) {
            (Some(known), Some(numbers)) => Some(known | &numbers).filter(|joined| joined.len() <= FEW),
            _ => None,
        };
        if *known != joined {
            *known = joined;
            self.changed = true;
        }
    }

    /// Drops what is never executed, now that all calls are known.
    pub fn drop_unreached(&self, m: &mut Module, sources: &mut Sources) {
        let Some(reached) = &self.reached else { return };
        for (id, func) in sources {
            let Some(live) = self.reached_blocks(m, *id, func).filter(|live| live.len() < func.layout.len()) else {
                continue;
            };
            for block in func.layout.clone().into_iter().filter(|block| live.contains(block)) {
                let Some(term) = func.terminator(block) else { continue };
                let ways = reached.ways(m, *id, func, block);
                match func.insts[term].kind.clone() {
                    InstKind::Switch { value, default, cases } => {
                        let cases = cases.into_iter().filter(|(_, to)| ways.contains(to)).collect();
                        let default = if ways.contains(&default) { default } else { unasked(m, func) };
                        func.insts[term].kind = InstKind::Switch { value, default, cases };
                    }
                    InstKind::CondBr { .. } => {
                        if let [to] = ways[..] {
                            func.insts[term].kind = InstKind::Br(to);
                        }
                    }
                    _ => {}
                }
            }
            drop_unreachable(func);
        }
    }
}

/// A block that ends the program: a number came that nobody was known to give.
fn unasked(m: &mut Module, func: &mut Function) -> BlockId {
    let void = m.types.void();
    let block = func.add_block("unasked");
    let refuse = refusal(m, "a function is called with a number that the differentiated code does not know\n");
    func.append(block, Inst::new(refuse, void), false);
    func.append(block, Inst::new(InstKind::Unreachable, void), false);
    block
}

#[cfg(test)]
mod tests {
    use crate::analysis::memory::Facts;
    use crate::mode::Activity;
    use crate::normalise::collect::{Sources, collect};
    use crate::normalise::indirect::Indirect;
    use ir::{FuncId, InstKind, Module};

    /// A function that does one of three things as it is asked; `f` asks it to do these.
    fn dropped(asked: &[&str]) -> (Module, Sources, FuncId) {
        let calls: String = asked.iter().map(|n| format!("  call void @manage(ptr %p, i32 {n})\n")).collect();
        let text = format!(
            "define void @manage(ptr %p, i32 %what) {{\n  switch i32 %what, label %rest [ i32 0, label %zero\n    \
             i32 1, label %one ]\nzero:\n  store i32 5, ptr %p, align 4\n  ret void\none:\n  \
             store i32 6, ptr %p, align 4\n  ret void\nrest:\n  store i32 7, ptr %p, align 4\n  ret void\n}}\n\
             define void @f(ptr %p, i32 %n) {{\n{calls}  ret void\n}}\n"
        );
        let mut m = ir::parse::parse(&text, "reached").unwrap();
        let [f, manage] = ["f", "manage"].map(|name| m.function(name).unwrap());
        let mut sources = collect(&mut m, f).unwrap();
        let activities = [Activity::Const, Activity::Const];
        let facts = Facts::analyse_reached(&m, &sources, f, &activities, &Indirect::default()).unwrap();
        facts.drop_unreached(&mut m, &mut sources);
        (m, sources, manage)
    }

    fn stored(asked: &[&str]) -> Vec<u128> {
        let (m, sources, manage) = dropped(asked);
        let func = &sources[&manage];
        let value = |(_, inst): (ir::BlockId, ir::InstId)| match func.insts[inst].kind {
            InstKind::Store { value, .. } => m.as_int(value),
            _ => None,
        };
        func.inst_order().filter_map(value).collect()
    }

    #[test]
    fn what_nobody_asks_for_is_dropped() {
        assert_eq!(stored(&["0"]), [5]);
        assert_eq!(stored(&["1", "0"]), [5, 6]);
        assert_eq!(stored(&["9"]), [7]);
        // Any number may come.
        assert_eq!(stored(&["0", "%n"]), [5, 6, 7]);
    }

    #[test]
    fn a_number_that_was_not_told_ends_the_program() {
        let (m, sources, manage) = dropped(&["0"]);
        let called = sources[&manage]
            .inst_order()
            .find_map(|(_, inst)| m.as_function(sources[&manage].insts[inst].kind.as_call()?.callee));
        assert_eq!(m.functions[called.unwrap()].name, crate::runtime::refuse::REFUSE);
    }
}
