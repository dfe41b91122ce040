//! Which numbers functions are called with, and what of them is executed for that.
//!
//! A function that does one thing or another as a number says ("copy", "destroy", "describe yourself": the manager of a
//! `std::function`) is called with the number as a constant. What it would do for other numbers nobody asks of it; but
//! taken into account, it makes memory of one kind point to all that another kind can be. As long as it is not known
//! which functions are called, only what is reached with the numbers that are known counts: they only become more. In
//! the end the rest is dropped ([`crate::rewrite::unreached`]).

use crate::analysis::memory::Facts;
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, FuncId, Function, InstId, InstKind, IntPred, Module, Operand, ValueId};
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
    /// What is called by what is executed, and the root.
    called: HashSet<FuncId>,
    numbers: HashMap<(FuncId, ValueId), Numbers>,
}

impl Reached {
    pub(super) fn new(root: FuncId) -> Reached {
        Reached { root, called: HashSet::from_iter([root]), numbers: HashMap::default() }
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
        known.unwrap_or_else(|| func.successors(block))
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
    /// The blocks of a function that are executed, where that may not be all.
    pub fn reached_blocks(&self, m: &Module, id: FuncId, func: &Function) -> Option<HashSet<BlockId>> {
        let reached = self.reached.as_ref()?;
        if !reached.called.contains(&id) {
            return Some(HashSet::default());
        }
        let decides = |(_, inst): (BlockId, InstId)| {
            matches!(func.insts[inst].kind, InstKind::Switch { .. } | InstKind::CondBr { .. })
        };
        func.inst_order().any(decides).then(|| reached.blocks(m, id, func))
    }

    /// Is a function called by what is executed, as far as is known?
    pub fn is_reached_function(&self, id: FuncId) -> bool {
        self.reached.as_ref().is_none_or(|reached| reached.called.contains(&id))
    }

    /// Is an instruction executed, as far as is known?
    pub fn is_reached(&self, m: &Module, (id, func): (FuncId, &Function), inst: InstId) -> bool {
        let within = |blocks: HashSet<BlockId>| blocks.iter().any(|block| func.blocks[*block].insts.contains(&inst));
        self.reached_blocks(m, id, func).is_none_or(within)
    }

    /// A function is called.
    pub(super) fn is_called(&mut self, target: FuncId) {
        if let Some(reached) = &mut self.reached {
            self.changed |= reached.called.insert(target);
        }
    }

    /// It is called with these.
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
}
