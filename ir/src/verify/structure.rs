//! Checks 2 to 7 of the verifier: blocks, results, phis, dominance, exceptions.

use super::Checker;
use crate::cfg::{Cfg, Positions};
use crate::dom::DomTree;
use crate::entity::SecondaryMap;
use crate::function::{BlockId, InstId, ValueDef};
use crate::inst::{InstKind, Operand};
use crate::metadata::MdOperand;
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn structure(&mut self) {
        if self.func.is_declaration() {
            return;
        }
        self.blocks();
        if !self.errors.is_empty() {
            return;
        }
        let cfg = Cfg::new(self.func);
        self.at = Some((self.func.entry(), None));
        self.require(cfg.preds(self.func.entry()).is_empty(), "the entry block has a predecessor");
        for &block in &self.func.layout {
            self.phis(block, &cfg);
            self.landing_pads(block, &cfg);
        }
        self.dominance(&cfg);
    }

    /// Checks 2 and 3.
    fn blocks(&mut self) {
        let func = self.func;
        let mut seen_blocks: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut seen: SecondaryMap<InstId, bool> = SecondaryMap::new();
        for &block in &func.layout {
            self.at = Some((block, None));
            self.require(!seen_blocks[block], "the block stands in the function twice");
            seen_blocks[block] = true;
            if func.terminator(block).is_none() {
                self.error("the block does not end with a terminator");
            }
            let insts = &func.blocks[block].insts;
            for (i, &inst) in insts.iter().enumerate() {
                self.at = Some((block, Some(inst)));
                self.require(!seen[inst], "the instruction stands in the function twice");
                seen[inst] = true;
                let last = i + 1 == insts.len();
                self.require(last || !func.insts[inst].kind.is_terminator(), "a terminator inside a block");
                self.result(inst);
            }
        }
    }

    fn result(&mut self, id: InstId) {
        let inst = &self.func.insts[id];
        let void = *self.module.types.get(inst.ty) == Type::Void;
        match inst.result {
            None => self.require(void, "an instruction of a type that is not void has no result"),
            Some(_) if void => self.error("an instruction of type void has a result"),
            Some(value) => {
                let value = &self.func.values[value];
                self.require(value.def == ValueDef::Inst(id), "the result names another definition");
                self.require_same(value.ty, inst.ty, "the result");
            }
        }
    }

    /// Check 5.
    fn phis(&mut self, block: BlockId, cfg: &Cfg) {
        let func = self.func;
        let mut edges: Vec<BlockId> = Vec::new();
        let mut first = true;
        for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
            let InstKind::Phi { incoming, .. } = &func.insts[inst].kind else {
                first = false;
                continue;
            };
            self.at = Some((block, Some(inst)));
            self.require(first, "a phi behind another instruction");
            if i == 0 {
                // One entry for each edge, so twice for a block that names this one twice.
                let count = |p: &BlockId| func.successors(*p).into_iter().filter(|s| *s == block).count();
                edges = cfg.preds(block).iter().flat_map(|p| std::iter::repeat_n(*p, count(p))).collect();
                edges.sort();
            }
            let mut named: Vec<BlockId> = incoming.iter().map(|e| e.1).collect();
            named.sort();
            if named != edges {
                let printer = crate::print::FunctionPrinter::new(self.module, func);
                let list = |blocks: &[BlockId]| blocks.iter().map(|b| printer.block(*b)).collect::<Vec<_>>().join(", ");
                let message = format!("the phi names {} but the predecessors are {}", list(&named), list(&edges));
                self.error(message);
            }
            let clash = |(v, b): &(Operand, BlockId)| incoming.iter().any(|(w, c)| b == c && v != w);
            self.require(!incoming.iter().any(clash), "the phi has different values for one predecessor");
        }
    }

    /// Check 7.
    fn landing_pads(&mut self, block: BlockId, cfg: &Cfg) {
        let func = self.func;
        let insts = &func.blocks[block].insts;
        let start = insts.iter().position(|i| !matches!(func.insts[*i].kind, InstKind::Phi { .. })).unwrap_or(0);
        let is_pad = |i: &InstId| matches!(func.insts[*i].kind, InstKind::LandingPad { .. });
        for (i, inst) in insts.iter().enumerate() {
            if is_pad(inst) {
                self.at = Some((block, Some(*inst)));
                self.require(i == start, "a landingpad behind another instruction");
                self.require(func.personality.is_some(), "a landingpad in a function without personality");
                let unwinds = |p: &BlockId| {
                    let kind = func.terminator(*p).map(|t| &func.insts[t].kind);
                    match kind {
                        Some(InstKind::Invoke { normal, unwind, .. }) => *unwind == block && *normal != block,
                        _ => false,
                    }
                };
                self.require(
                    cfg.preds(block).iter().all(unwinds),
                    "a landingpad that is not entered by unwinding alone",
                );
            }
        }
        let Some(last) = insts.last() else { return };
        if let InstKind::Invoke { unwind, .. } = &func.insts[*last].kind {
            self.at = Some((block, Some(*last)));
            let target =
                func.blocks[*unwind].insts.iter().find(|i| !matches!(func.insts[**i].kind, InstKind::Phi { .. }));
            self.require(target.is_some_and(is_pad), "an invoke that unwinds to a block without landingpad");
        }
    }

    /// Check 6.
    fn dominance(&mut self, cfg: &Cfg) {
        let func = self.func;
        let positions = Positions::new(func);
        let dom = DomTree::new(func, cfg);
        for &block in &func.layout {
            for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
                self.at = Some((block, Some(inst)));
                let kind = &func.insts[inst].kind;
                let holds = match kind {
                    InstKind::Phi { incoming, .. } => incoming.iter().all(|(o, from)| {
                        o.local().is_none_or(|v| dom.available_on_edge(func, &positions, v, (*from, block)))
                    }),
                    _ => kind
                        .operands()
                        .iter()
                        .all(|o| o.local().is_none_or(|v| dom.available(func, &positions, v, (block, i)))),
                };
                self.require(holds, "a use that its definition does not dominate");
                let records = func.insts[inst].debug_records.iter().flat_map(|r| &r.operands);
                let placed = |v: crate::ValueId| func.def_inst(v).is_none_or(|d| positions.get(d).is_some());
                let gone = |o: &MdOperand| matches!(o, MdOperand::Local(Operand::Local(v)) if !placed(*v));
                let stale = records.into_iter().any(gone);
                self.require(!stale, "a debug record names a value that is in no block");
            }
        }
    }
}
