//! The check of loops that are run again ([`crate::plan::replay`]): what the slice computes is what the primal
//! computed.
//!
//! By induction over what a replay executes, from a checkpoint or from the loop's start: each operand is of the slice
//! or from outside, where it is the same for all iterations; each block with an instruction of the slice is met as
//! often and in the order in which the primal meets it. For where the slice does not branch as the primal does, it goes
//! on at a block that every way of the primal comes to, past blocks in which nothing of it stands, and nothing there
//! asks from where it came. (The planner finds its branches by control dependence; here each jump is shown idle by a
//! walk over what it goes past.)

use crate::analysis::context::Item;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::wanted::Wanted;
use crate::check::repeat::{self, Where};
use crate::check::{Checker, Derived, State};
use crate::plan::data::{Field, Replay};
use ir::hash::HashSet;
use ir::loops::LoopId;
use ir::{BlockId, InstId, InstKind, Operand, ValueId};

impl Checker<'_> {
    /// Is the value in the buffer of the loop, and what its slice reads there?
    pub(super) fn replayed(
        &self,
        (of, wanted): (LoopId, Wanted),
        state: &State,
        derived: &mut Derived,
    ) -> Result<(), String> {
        let replay = self.plan.replays.get(&of);
        let has_row = |r: &&Replay| matches!(wanted.item, Item::Primal(v) if r.rows.contains(&v));
        let Some(replay) = replay.filter(has_row) else { return Err(format!("{wanted:?} is in no buffer")) };
        if wanted.region != Some(of) || !self.plan.live_loops.contains(&of) {
            return Err(format!("{wanted:?} is of a loop that is not reversed around its use"));
        }
        replay.slice.reads.iter().try_for_each(|read| self.derivable(self.around(of, *read), state, derived))
    }

    /// A value as it is seen from around a loop.
    fn around(&self, of: LoopId, v: ValueId) -> Wanted {
        let item = Item::Primal(v);
        let region = self.common(self.block_of(item), Wanted { item, region: self.shape.parent(of) });
        Wanted { item, region }
    }

    /// Are all replays right?
    pub(super) fn replays(&self) -> Result<(), String> {
        for (of, replay) in &self.plan.replays {
            let wrong = |why: &str| Err(format!("what is run again of {of:?} {why}"));
            let kept = self.plan.layouts.get(&None).and_then(|l| l.index(Field::Checkpoint(*of)));
            let [latch] = self.shape.loops.loops[*of].latches[..] else { return wrong("has several ends") };
            if kept.is_none() || !replay.period.is_power_of_two() || !replay.fan.is_power_of_two() {
                return wrong("has no checkpoints");
            }
            self.computes(*of, latch, replay).or_else(|why| wrong(&why))?;
            self.meets(*of, latch, replay).or_else(|why| wrong(&why))?;
            let data = &self.shape.loops.loops[*of];
            let leaves = |block: BlockId| data.exits.iter().all(|(from, _)| *from == block);
            if replay.whole != leaves(latch) {
                return wrong("stops elsewhere than the primal");
            }
            for v in &replay.rows {
                let home = self.block_of(Item::Primal(*v));
                let defined = self.cx.func.def_inst(*v).is_some_and(|i| replay.slice.insts.contains(&i));
                if !defined || !(home == Some(data.header) || leaves(data.header) || leaves(latch)) {
                    return wrong(&format!("does not always give {v:?}"));
                }
            }
        }
        Ok(())
    }

    /// Is each instruction without effects, and are its operands there?
    fn computes(&self, of: LoopId, latch: BlockId, replay: &Replay) -> Result<(), String> {
        let header = self.shape.loops.loops[of].header;
        let inside = |b: BlockId| self.shape.loops.contains(of, b);
        let known = |o: &Operand| {
            let Operand::Local(v) = *o else { return true };
            match self.cx.func.def_inst(v).filter(|i| self.shape.block(*i).is_some_and(inside)) {
                Some(inst) => replay.slice.insts.contains(&inst),
                None => replay.slice.reads.contains(&v),
            }
        };
        let outside = |o: Operand| self.block_of_operand(o).is_none_or(|b| !inside(b));
        for inst in &replay.slice.insts {
            let data = &self.cx.func.insts[*inst];
            let block = self.shape.block(*inst).filter(|b| inside(*b)).ok_or("is not in the loop")?;
            let Some(v) = data.result.filter(|v| !self.cx.has_adjoint(Operand::Local(*v))) else {
                return Err(format!("is active, or nothing, in {inst:?}"));
            };
            if !data.kind.operands().iter().all(known) {
                return Err(format!("lacks an operand of {v:?}"));
            }
            match &data.kind {
                InstKind::Phi { incoming, .. } if block == header => {
                    let (back, starts): (Vec<_>, Vec<_>) = incoming.iter().partition(|(_, from)| inside(*from));
                    let start = starts.first().map(|(o, _)| *o).filter(|o| outside(*o));
                    let one = starts.iter().all(|(o, _)| Some(*o) == start);
                    if !one || back.len() != 1 || back[0].1 != latch || !replay.slice.states.contains(&v) {
                        return Err(format!("does not carry {v:?} on"));
                    }
                }
                InstKind::Phi { .. } => {}
                InstKind::Load { .. } => self.reloaded(*inst)?,
                _ if !repeat::is_pure(self.cx, *inst, Where::AsBefore) => {
                    return Err(format!("has an effect in {v:?}"));
                }
                _ => {}
            }
            if repeat::decides(self.cx, *inst) {
                let operands = data.kind.operands().into_iter().filter_map(Operand::local);
                let run = |o: ValueId| Some(of).filter(|of| self.is_run(*of, Item::Primal(o)));
                self.all_bits(operands.map(|o| (self.within(of, o), run(o))).collect())?;
            }
        }
        let phi = |v: &ValueId| self.cx.func.def_inst(*v).filter(|i| self.shape.block(*i) == Some(header));
        match replay.slice.states.iter().all(|v| phi(v).is_some_and(|i| replay.slice.insts.contains(&i))) {
            true => Ok(()),
            false => Err("carries what is no phi of the header".to_owned()),
        }
    }

    fn block_of_operand(&self, o: Operand) -> Option<BlockId> {
        o.local().and_then(|v| self.block_of(Item::Primal(v)))
    }

    /// A value as an iteration of a loop has it.
    fn within(&self, of: LoopId, v: ValueId) -> Wanted {
        let item = Item::Primal(v);
        Wanted { item, region: self.common(self.block_of(item), Wanted { item, region: Some(of) }) }
    }

    /// Is each block with something of the slice met as the primal meets it?
    fn meets(&self, of: LoopId, latch: BlockId, replay: &Replay) -> Result<(), String> {
        let data = &self.shape.loops.loops[of];
        let next = |block: BlockId| {
            let all = self.shape.cfg.succs(block).iter().copied();
            all.filter(|to| *to != data.header && self.shape.loops.contains(of, *to)).collect::<Vec<_>>()
        };
        let has = |block: BlockId, phis: bool| {
            self.cx.func.blocks[block].insts.iter().any(|i| {
                let phi = matches!(self.cx.func.insts[*i].kind, InstKind::Phi { .. });
                replay.slice.insts.contains(i) && (phi || !phis)
            })
        };
        for block in data.blocks.iter().filter(|b| next(**b).len() > 1) {
            let Some(target) = replay.jumps.get(block) else {
                let end = self.cx.func.terminator(*block).map(|i| &self.cx.func.insts[i].kind);
                let asked = match end {
                    Some(InstKind::CondBr { cond: asked, .. } | InstKind::Switch { value: asked, .. }) => *asked,
                    _ => return Err(format!("branches in an unknown way in {block:?}")),
                };
                let Some(v) = asked.local() else { continue };
                let slice = self.cx.func.def_inst(v).is_some_and(|i| replay.slice.insts.contains(&i));
                if !slice && !replay.slice.reads.contains(&v) {
                    return Err(format!("lacks the condition of {block:?}"));
                }
                continue;
            };
            if *target == data.header || has(*target, true) {
                return Err(format!("asks at {target:?} from where it came"));
            }
            let (mut passed, mut work) = (HashSet::default(), next(*block));
            while let Some(b) = work.pop() {
                if b == *target || !passed.insert(b) {
                    continue;
                }
                if b == latch || has(b, false) {
                    return Err(format!("goes past {b:?}"));
                }
                work.extend(next(b));
            }
        }
        let branching = |b: &BlockId| next(*b).len() > 1;
        match replay.jumps.keys().all(branching) {
            true => Ok(()),
            false => Err("jumps where there is one way".to_owned()),
        }
    }

    /// Has a value the bits again that it had in the forward pass: is it stored, or computed by what rounds one way
    /// only?
    pub(super) fn bits(&self, wanted: Wanted) -> Result<(), String> {
        self.all_bits(vec![(wanted, None)])
    }

    /// The same of values each of which is computed by the slice of a loop, or not.
    fn all_bits(&self, mut work: Vec<(Wanted, Option<LoopId>)>) -> Result<(), String> {
        let mut met = HashSet::default();
        while let Some((next, run)) = work.pop() {
            // What is within a slice is computed by it, whether it is stored or not.
            if !met.insert((next, run)) || run.is_none() && self.cells.contains_key(&next) {
                continue;
            }
            let Item::Primal(v) = next.item else { continue };
            let (inst, of) = match (run, self.plan.recipes.get(&next)) {
                (Some(of), _) => (self.cx.func.def_inst(v), Some(of)),
                (None, Some(Recipe::Again(inst, _))) => (Some(*inst), None),
                (None, Some(Recipe::Replay(of, _))) => (self.cx.func.def_inst(v), Some(*of)),
                (None, _) => continue,
            };
            let Some(inst) = inst else { continue };
            if repeat::may_round_otherwise(self.cx, inst) {
                return Err(format!("{v:?} decides, and may be rounded otherwise"));
            }
            for operand in self.operands(inst) {
                let seen = Wanted { region: self.common(self.block_of(operand), next), item: operand };
                work.push((seen, of.filter(|of| self.is_run(*of, operand))));
            }
        }
        Ok(())
    }

    /// Is it of a loop's slice?
    fn is_run(&self, of: LoopId, item: Item) -> bool {
        let inst = match item {
            Item::Primal(v) => self.cx.func.def_inst(v),
            Item::Shadow(_) | Item::Record(_) => None,
        };
        let replay = self.plan.replays.get(&of);
        replay.zip(inst).is_some_and(|(replay, inst)| replay.slice.insts.contains(&inst))
    }

    fn operands(&self, inst: InstId) -> Vec<Item> {
        self.cx.func.insts[inst].kind.operands().into_iter().filter_map(Operand::local).map(Item::Primal).collect()
    }
}
