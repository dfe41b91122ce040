//! Terminators, edges and phis.

use super::{Lower, Lowered};
use crate::code::{Edge, Landing, LandingClause, Op, Slot, Switch};
use crate::value::Pointer;
use ir::{BlockId, Clause, ConstId, InstKind, Operand};

impl Lower<'_, '_> {
    /// A new edge from `from` to `to`, with the moves of the phis there.
    pub(super) fn edge(&mut self, from: BlockId, to: BlockId) -> Lowered<u32> {
        let insts = &self.func.blocks[to].insts;
        let mut moves = Vec::new();
        for id in insts {
            let inst = &self.func.insts[*id];
            let InstKind::Phi { incoming, .. } = &inst.kind else { break };
            let Some((value, _)) = incoming.iter().find(|(_, block)| *block == from) else {
                return Err("a phi without an entry for its predecessor".to_owned());
            };
            let Some(result) = inst.result else { continue };
            let (dst, src) = (self.slots[result], self.slot(*value)?);
            let n = self.env.flat(inst.ty)?.leaves.len() as Slot;
            moves.extend((0..n).map(|i| (dst + i, src + i)));
        }
        let moves = self.sequentialise(moves);
        self.code.edges.push(Edge { target: 0, cost: insts.len() as u32, moves });
        self.pending.push(to);
        Ok(self.code.edges.len() as u32 - 1)
    }

    /// Orders parallel moves so that none overwrites what a later one reads; cycles go through a temporary.
    fn sequentialise(&mut self, moves: Vec<(Slot, Slot)>) -> Vec<(Slot, Slot)> {
        let mut rest: Vec<(Slot, Slot)> = moves.into_iter().filter(|(d, s)| d != s).collect();
        let mut out = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let free = rest.iter().position(|(dst, _)| rest.iter().all(|(_, src)| src != dst));
            match free {
                Some(i) => out.push(rest.swap_remove(i)),
                None => {
                    // Every destination is still read: save one and let its readers use the copy.
                    let dst = rest[0].0;
                    let copy = self.take(1);
                    out.push((copy, dst));
                    rest.iter_mut().filter(|(_, src)| *src == dst).for_each(|(_, src)| *src = copy);
                }
            }
        }
        out
    }

    /// Fills in where the edges lead, once all blocks are lowered.
    pub(super) fn patch(&mut self) {
        for (edge, to) in self.code.edges.iter_mut().zip(&self.pending) {
            edge.target = self.starts[*to];
        }
        self.code.entry_cost = self.func.blocks[self.func.entry()].insts.len() as u32;
    }

    pub(super) fn cond_br(&mut self, from: BlockId, cond: Operand, then_to: BlockId, else_to: BlockId) -> Lowered {
        let edge = self.edge(from, then_to)?;
        self.edge(from, else_to)?;
        let comparison = cond.local().and_then(|v| self.func.def_inst(v)).map(|i| (i, &self.func.insts[i]));
        let block = &self.func.blocks[from].insts;
        if let Some((id, inst)) = comparison
            && let Some(at) = block.iter().position(|i| *i == id)
            && let InstKind::ICmp { pred, lhs, rhs } = inst.kind
            && self.is_fused(inst, &block[at + 1..])
        {
            let width = self.leaf(lhs)?.bits();
            let (a, b) = (self.slot(lhs)?, self.slot(rhs)?);
            self.emit(Op::BranchCmp { pred, width, a, b, edge });
        } else {
            let cond = self.slot(cond)?;
            self.emit(Op::Branch { cond, edge });
        }
        Ok(())
    }

    /// The clauses of the landing pad that starts a block.
    pub(super) fn landing(&mut self, block: BlockId) -> Lowered<u32> {
        let insts = self.func.blocks[block].insts.iter().map(|id| &self.func.insts[*id].kind);
        let pad = insts.clone().find(|kind| !matches!(kind, InstKind::Phi { .. }));
        let Some(InstKind::LandingPad { cleanup, clauses }) = pad else {
            return Err("an invoke that unwinds to no landing pad".to_owned());
        };
        let mut landing = Landing { cleanup: *cleanup, clauses: Vec::new() };
        for clause in clauses {
            let (Clause::Catch(types) | Clause::Filter(types)) = clause;
            let constant = types.constant().ok_or("a landing pad clause that is no constant")?;
            let types: Vec<Pointer> = self.env.constant(constant)?.iter().map(|s| s.as_ptr()).collect();
            landing.clauses.push(match (clause, types.as_slice()) {
                (Clause::Catch(_), [one]) => LandingClause::Catch(*one),
                (Clause::Catch(_), _) => return Err("a handler of several types".to_owned()),
                (Clause::Filter(_), _) => LandingClause::Filter(types),
            });
        }
        self.code.landings.push(landing);
        Ok(self.code.landings.len() as u32 - 1)
    }

    pub(super) fn indirect_br(&mut self, from: BlockId, address: Operand, targets: &[BlockId]) -> Lowered {
        let this = self.env.module.function(&self.func.name);
        let mut table = Vec::with_capacity(targets.len());
        for to in targets {
            let edge = self.edge(from, *to)?;
            // A block whose address nobody takes cannot be reached this way.
            if let Some(at) = this.and_then(|func| self.env.memo.blocks.get(&(func, *to))) {
                table.push((*at, edge));
            }
        }
        let address = self.slot(address)?;
        self.code.indirect.push(table);
        self.emit(Op::IndirectBr { address, table: self.code.indirect.len() as u32 - 1 });
        Ok(())
    }

    pub(super) fn switch(
        &mut self,
        from: BlockId,
        value: Operand,
        default: BlockId,
        cases: &[(ConstId, BlockId)],
    ) -> Lowered {
        let default = self.edge(from, default)?;
        let mut lowered = Vec::with_capacity(cases.len());
        for (constant, to) in cases {
            let Some(bits) = self.env.module.as_int(Operand::Const(*constant)) else {
                return Err("a switch case that is no integer".to_owned());
            };
            lowered.push((bits, self.edge(from, *to)?));
        }
        lowered.sort_by_key(|(bits, _)| *bits);
        let width = self.leaf(value)?.bits();
        let value = self.slot(value)?;
        self.code.switches.push(Switch { cases: lowered, default, width });
        self.emit(Op::Switch { value, table: self.code.switches.len() as u32 - 1 });
        Ok(())
    }
}
