//! The check of what reverses the control flow: what is live, where the reverse pass goes on, and where records lie.

use crate::analysis::context::Item;
use crate::base::regions::Region;
use crate::check::{Checker, Derived, State};
use crate::plan::data::{ALIGN, Field, Guard, Way};
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, InstId, InstKind, Operand, Type, TypeId};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Does the reverse pass come to each block in which something happens, and from the block that returns?
    pub(super) fn is_live(&self) -> Result<(), String> {
        let func = self.cx.func;
        let returns =
            |b: &BlockId| matches!(func.terminator(*b).map(|end| &func.insts[end].kind), Some(InstKind::Ret(_)));
        let mut returning = BTreeSet::new();
        let mut work: Vec<BlockId> = self.shape.cfg.rpo().iter().copied().filter(returns).collect();
        if work != [self.plan.exit] {
            return Err("the reverse pass does not begin where the function returns".to_owned());
        }
        while let Some(block) = work.pop() {
            if returning.insert(block) {
                work.extend(self.shape.cfg.preds(block));
            }
        }
        if returning != self.plan.returning {
            return Err("the reverse pass takes another way than the function".to_owned());
        }
        let acts = |b: &BlockId| func.blocks[*b].insts.iter().any(|inst| self.cx.acts(*inst));
        if let Some(block) = returning.iter().find(|b| acts(b) && !self.plan.live.contains(b)) {
            return Err(format!("the reverse pass leaves out {block:?}, where something happens"));
        }
        let around: BTreeSet<LoopId> = self.plan.live.iter().flat_map(|b| self.shape.loops.around(*b)).collect();
        match around.is_subset(&self.plan.live_loops) {
            true => Ok(()),
            false => Err("a loop in which something happens is not reversed".to_owned()),
        }
    }

    /// Has each field the type of what is written there, and lies each value in the record of a region around it?
    pub(super) fn layouts(&self) -> Result<(), String> {
        let types = &self.cx.m.types;
        let fits = |field: Field, ty: TypeId| match field {
            Field::Value(Item::Primal(v) | Item::Shadow(v)) => ty == self.cx.ty(Operand::Local(v)),
            Field::Value(Item::Record(inst)) => ty == self.cx.record_ty(inst, ty, ty),
            Field::Pred(_) => *types.get(ty) == Type::Int(32),
            Field::Count(_) | Field::Stride(_) | Field::Start(_) => *types.get(ty) == Type::Int(64),
            Field::Last(_) | Field::Link | Field::Checkpoint(_) => types.is_ptr(ty),
        };
        let fields =
            self.plan.layouts.iter().flat_map(|(region, layout)| layout.fields.iter().map(move |f| (*region, *f)));
        let mut seen: HashSet<(Region, Field)> = HashSet::default();
        for (region, (field, ty)) in fields {
            if !fits(field, ty) {
                return Err(format!("{field:?} has a cell of another type"));
            }
            if !seen.insert((region, field)) {
                return Err(format!("{field:?} has two cells"));
            }
        }
        for wanted in &self.plan.stored {
            let home = self.block_of(wanted.item).and_then(|b| self.shape.region(b));
            if self.shape.common(wanted.region, home) != wanted.region {
                return Err(format!("{wanted:?} is stored in a record that is not around it"));
            }
        }
        Ok(())
    }

    /// Each block that is crossed in reverse can tell where to go on; each live loop counts.
    pub(super) fn control_flow(&self, states: &HashMap<BlockId, State>) -> Result<(), String> {
        let has = |region, field| self.plan.layouts.get(&region).and_then(|l| l.index(field)).is_some();
        for l in &self.plan.live_loops {
            let parent = self.shape.parent(*l);
            let known = self.plan.counted.contains(l) && self.is_array(*l);
            if !known && !has(parent, Field::Count(*l)) {
                return Err(format!("{l:?} does not record its number of iterations"));
            }
            let found = match self.plan.nested.contains_key(l) {
                true => self.lies_in_record(*l),
                false => has(parent, Field::Last(*l)) && (self.is_array(*l) || has(Some(*l), Field::Link)),
            };
            if self.plan.layouts.contains_key(&Some(*l)) && !found {
                return Err(format!("the records of {l:?} cannot be found again"));
            }
        }
        for block in &self.plan.returning {
            if let Some(target) = self.plan.skip.get(block) {
                self.skip_is_idle(*block, *target)?;
                continue;
            }
            if let Some(way) = self.plan.ways.get(block) {
                let wanted = self.seen_from(Item::Primal(way.cond), *block);
                if let Some(state) = states.get(block) {
                    self.derivable(wanted, state, &mut Derived::default())?;
                }
                if !self.is_told(*block, *way) {
                    return Err(format!("the condition does not tell from where {block:?} was entered"));
                }
                continue;
            }
            let preds = self.shape.cfg.preds(*block).iter().filter(|p| self.plan.returning.contains(p));
            let live = self.shape.header_of(*block).is_some_and(|l| self.plan.live_loops.contains(&l));
            let inside = |p: &BlockId| self.shape.header_of(*block).is_some_and(|l| self.shape.loops.contains(l, *p));
            let ways = if live { preds.count() } else { preds.filter(|p| !inside(p)).count() };
            let told =
                ways <= if live { 2 } else { 1 } || has(self.plan.pred_region(self.shape, *block), Field::Pred(*block));
            if !told {
                return Err(format!("{block:?} does not record from where it was entered"));
            }
        }
        Ok(())
    }

    /// Is there one array of records, with one entry that all iterations come from and one way out, so that a number of
    /// iterations which is computed at the entry can be right?
    pub(super) fn is_array(&self, l: LoopId) -> bool {
        let Some(trips) = self.plan.arrays.get(&l) else { return false };
        let data = &self.shape.loops.loops[l];
        let entry = self.shape.cfg.preds(data.header).iter().filter(|p| !self.shape.loops.contains(l, **p));
        let defined_before = |o: Operand| {
            let block = o.local().and_then(|v| self.block_of(Item::Primal(v)));
            block.is_none_or(|b| self.shape.dom.dominates(b, trips.enter))
        };
        entry.copied().eq([trips.enter])
            && data.exits.len() == 1
            && data.latches.len() == 1
            && trips.operands().into_iter().all(defined_before)
            && self.runs_so_often(l, trips)
    }

    /// Do all ways to the one predecessor go through one side of a branch on the condition, to the other through the
    /// other, and to both within the region's current iteration?
    fn is_told(&self, block: BlockId, way: Way) -> bool {
        let parting = self.shape.cfg.rpo().iter().copied().find(|b| {
            let end = self.cx.func.terminator(*b).map(|i| &self.cx.func.insts[i].kind);
            let Some(InstKind::CondBr { cond, then_to, else_to }) = end else { return false };
            let through = |first: BlockId, pred: BlockId| {
                let edge = first == block && pred == *b;
                let back = |p: &&BlockId| self.shape.dom.dominates(first, **p);
                let entries = self.shape.cfg.preds(first).iter().filter(|p| !back(p));
                edge || first != block && entries.eq([b]) && self.shape.dom.dominates(first, pred)
            };
            *cond == Operand::Local(way.cond)
                && then_to != else_to
                && through(*then_to, way.if_true)
                && through(*else_to, way.if_false)
        });
        let mut preds = self.shape.cfg.preds(block).to_vec();
        preds.sort();
        let mut both = vec![way.if_true, way.if_false];
        both.sort();
        let none_around = self.shape.header_of(block).is_none();
        preds == both && none_around && parting.is_some_and(|b| self.shape.region(b) == self.shape.region(block))
    }

    /// Do the records of the loop lie in those of the loop around it, both arrays, and is what the stride and the start
    /// depend on defined before the outermost array, around which they are kept?
    fn lies_in_record(&self, l: LoopId) -> bool {
        let (Some(trips), Some(guards)) = (self.plan.arrays.get(&l), self.plan.nested.get(&l)) else { return false };
        let Some(parent) = self.shape.parent(l) else { return false };
        let outermost =
            std::iter::successors(Some(l), |o| self.shape.parent(*o).filter(|_| self.plan.nested.contains_key(o)));
        let Some(outermost) = outermost.last() else { return false };
        let Some(whole) = self.plan.arrays.get(&outermost) else { return false };
        let kept = self.plan.layouts.get(&self.shape.parent(outermost));
        let has = |field| kept.is_some_and(|layout| layout.index(field).is_some());
        let aligned = |r| {
            let fields = self.plan.layouts.get(&r).map_or(&[][..], |layout| &layout.fields);
            fields.iter().all(|(_, ty)| self.cx.m.layout.align_of(&self.cx.m.types, *ty) <= ALIGN)
        };
        let precedes = |o: Operand| {
            let block = o.local().and_then(|v| self.block_of(Item::Primal(v)));
            block.is_none_or(|b| self.shape.dom.dominates(b, whole.enter))
        };
        let asked = guards.iter().map(|(cond, _)| *cond);
        trips.operands().into_iter().chain(asked).all(precedes)
            && self.is_array(parent)
            && self.is_array(l)
            && guards.iter().all(|guard| self.is_guard(*guard, l))
            && (self.plan.is_first(self.shape, l) || has(Field::Start(l)))
            && has(Field::Stride(parent))
            && aligned(Some(l))
            && aligned(Some(parent))
    }

    /// Does the loop run only after a branch on the condition has gone that way?
    fn is_guard(&self, (cond, value): Guard, l: LoopId) -> bool {
        let header = self.shape.loops.loops[l].header;
        self.shape.cfg.rpo().iter().any(|block| {
            let end = self.cx.func.terminator(*block).map(|i| &self.cx.func.insts[i].kind);
            let Some(InstKind::CondBr { cond: asked, then_to, else_to }) = end else { return false };
            let to = if value { *then_to } else { *else_to };
            let from_outside = |p: &&BlockId| !self.shape.loops.contains(l, **p);
            let mut entered = self.shape.cfg.preds(to).iter().filter(|p| to != header || from_outside(p));
            let only = entered.next() == Some(block) && entered.next().is_none() && then_to != else_to;
            *asked == cond && only && self.shape.dom.dominates(to, header)
        })
    }

    /// Does no path meet anything to reverse, walking back from `block`, before `target`? Nor may the way that was
    /// taken matter to the block itself: it has no phi that acts, and begins no loop that is reversed.
    fn skip_is_idle(&self, block: BlockId, target: BlockId) -> Result<(), String> {
        let acts =
            |inst: &InstId| matches!(self.cx.func.insts[*inst].kind, InstKind::Phi { .. }) && self.cx.acts(*inst);
        let begins = self.shape.header_of(block).is_some_and(|l| self.plan.live_loops.contains(&l));
        let around = self.shape.common(self.shape.region(target), self.shape.region(block));
        if begins || around != self.shape.region(target) || self.cx.func.blocks[block].insts.iter().any(acts) {
            return Err(format!("the reverse of {block:?} has to ask from where it was entered"));
        }
        let mut seen = HashSet::from_iter([block]);
        let mut work = vec![block];
        while let Some(b) = work.pop() {
            for pred in self.shape.cfg.preds(b) {
                if *pred == target || !seen.insert(*pred) {
                    continue;
                }
                if self.plan.live.contains(pred) || *pred == self.cx.func.entry() {
                    return Err(format!("the reverse of {block:?} skips {pred:?}, where something happens"));
                }
                work.push(*pred);
            }
        }
        Ok(())
    }
}
