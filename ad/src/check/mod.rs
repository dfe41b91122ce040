//! An independent check of a cache plan: on every path, everything the reverse pass reads was written.
//!
//! A forward must-analysis over the forward pass. The state is the set of tape cells ([`Wanted`]) written in the
//! current records; the lattice is the powerset ordered by ⊇, the meet is intersection.
//!
//! - At the entry the cells of stored parameters are written.
//! - An instruction writes the cells of its result.
//! - The header of a loop begins a new record: it erases the cells of the loop and of all loops inside it.
//!
//! At the end of each live block (where its reverse begins), every need of its instructions must be derivable: written
//! in the state; or at hand, as a parameter or in a combined gradient because its block dominates the exit; or computed
//! by an instruction without effects from what is derivable; or loaded from where it is stored ([`reload`]); or a loop
//! counter of a loop around the use; or given by a part of such a loop that is run again ([`replay`]). Of the control
//! flow: each merge that is crossed in reverse can tell its predecessor, each live loop its iteration.
//!
//! The check shares the question ([`Context::needs`]) with the planner but none of its answers: not the cut, not
//! the recipes' construction, not the skipping of blocks. It need not be complete for arbitrary plans, only for
//! those the planner makes; what it accepts is right.

pub mod reload;
mod replay;
pub mod shadows;

use crate::analysis::context::{Context, Item};
use crate::analysis::recompute::{Recipe, leaves_floats};
use crate::analysis::wanted::{Assumptions, Wanted};
use crate::base::regions::Shape;
use crate::error::{Diagnostic, Reason};
use crate::plan::data::{ALIGN, Field, Guard, Plan, Way};
use fixedbitset::FixedBitSet;
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, InstId, InstKind, Operand, ValueDef};

/// Which cells are written, by their index among all.
type State = FixedBitSet;

struct Checker<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    plan: &'a Plan,
    assume: Assumptions,
    /// The cells, and the indices of those of each item.
    cells: HashMap<Wanted, usize>,
    of_item: HashMap<Item, Vec<usize>>,
    /// The cells that the header of a loop erases.
    erased: HashMap<LoopId, State>,
}

/// What has been found derivable, or not, from one state.
#[derive(Default)]
struct Derived {
    known: HashMap<Wanted, Result<(), String>>,
    path: HashSet<Wanted>,
}

/// Checks a plan; an error names the first use that is not covered.
pub fn check(cx: &Context, shape: &Shape, plan: &Plan, assume: Assumptions) -> Result<(), Diagnostic> {
    let checker = Checker::new(cx, shape, plan, assume);
    let states = checker.states();
    for block in &plan.live {
        let Some(state) = states.get(block) else { continue };
        let mut derived = Derived::default();
        for inst in &cx.func.blocks[*block].insts {
            for item in cx.needs(*inst) {
                let wanted = checker.seen_from(item, *block);
                checker.derivable(wanted, state, &mut derived).map_err(|why| {
                    let message = format!("the cache plan does not cover {item:?}: {why}");
                    Diagnostic::at(cx.m, cx.func, *inst, Reason::Bug, message)
                })?;
            }
        }
    }
    checker.replays().map_err(|why| Diagnostic::of(cx.m, cx.func, Reason::Bug, why))?;
    checker.counts(&states).map_err(|why| Diagnostic::of(cx.m, cx.func, Reason::Bug, why))?;
    checker.control_flow(&states).map_err(|why| Diagnostic::of(cx.m, cx.func, Reason::Bug, why))
}

impl<'a> Checker<'a> {
    fn new(cx: &'a Context<'a>, shape: &'a Shape, plan: &'a Plan, assume: Assumptions) -> Checker<'a> {
        let cells: HashMap<Wanted, usize> = plan.stored.iter().enumerate().map(|(index, w)| (*w, index)).collect();
        let mut of_item: HashMap<Item, Vec<usize>> = HashMap::default();
        let mut erased: HashMap<LoopId, State> = HashMap::default();
        for (wanted, index) in &cells {
            of_item.entry(wanted.item).or_default().push(*index);
            // The cells of a loop begin anew with it and with every loop around it.
            for l in std::iter::successors(wanted.region, |l| shape.parent(*l)) {
                erased.entry(l).or_insert_with(|| State::with_capacity(cells.len())).insert(*index);
            }
        }
        Checker { cx, shape, plan, assume, cells, of_item, erased }
    }

    /// The state at the end of each block that returns, by iteration to the greatest fixed point.
    fn states(&self) -> HashMap<BlockId, State> {
        let mut out: HashMap<BlockId, State> = HashMap::default();
        loop {
            let mut changed = false;
            for block in self.shape.cfg.rpo() {
                let state = self.transfer(*block, self.incoming(*block, &out));
                if out.get(block) != Some(&state) {
                    out.insert(*block, state);
                    changed = true;
                }
            }
            if !changed {
                return out;
            }
        }
    }

    /// The meet over the predecessors met so far; unknown ones are top.
    fn incoming(&self, block: BlockId, known: &HashMap<BlockId, State>) -> State {
        if block == self.cx.func.entry() {
            let params: Vec<Item> = self.cx.func.params.iter().map(|p| Item::Primal(p.value)).collect();
            let shadows = self.cx.func.params.iter().map(|p| Item::Shadow(p.value));
            let mut state = State::with_capacity(self.cells.len());
            self.write(params.into_iter().chain(shadows), &mut state);
            return state;
        }
        let mut states = self.shape.cfg.preds(block).iter().filter_map(|p| known.get(p));
        let mut meet = states.next().cloned().unwrap_or_else(|| State::with_capacity(self.cells.len()));
        states.for_each(|state| meet.intersect_with(state));
        meet
    }

    fn transfer(&self, block: BlockId, mut state: State) -> State {
        if let Some(erased) = self.shape.header_of(block).and_then(|l| self.erased.get(&l)) {
            state.difference_with(erased);
        }
        for inst in &self.cx.func.blocks[block].insts {
            let result = self.cx.func.insts[*inst].result;
            let items = result.into_iter().flat_map(|v| [Item::Primal(v), Item::Shadow(v)]);
            self.write(items.chain([Item::Record(*inst)]), &mut state);
        }
        state
    }

    /// Notes that the cells of items are written.
    fn write(&self, items: impl Iterator<Item = Item>, state: &mut State) {
        items.filter_map(|item| self.of_item.get(&item)).flatten().for_each(|index| state.insert(*index));
    }

    /// The item with the region whose instance is meant: the innermost loop around both definition and use.
    fn seen_from(&self, item: Item, block: BlockId) -> Wanted {
        let home = self.block_of(item);
        let region = self.shape.loops.around(block).find(|l| home.is_some_and(|h| self.shape.loops.contains(*l, h)));
        Wanted { item, region }
    }

    fn block_of(&self, item: Item) -> Option<BlockId> {
        match item {
            Item::Primal(v) | Item::Shadow(v) => match self.cx.func.values[v].def {
                ValueDef::Param(_) => None,
                ValueDef::Inst(inst) => self.shape.block(inst),
            },
            Item::Record(inst) => self.shape.block(inst),
        }
    }

    /// Is it there where the reverse of a block with this state at its end needs it? Each question is answered once.
    fn derivable(&self, wanted: Wanted, state: &State, derived: &mut Derived) -> Result<(), String> {
        if let Some(known) = derived.known.get(&wanted) {
            return known.clone();
        }
        let result = self.derive(wanted, state, derived);
        derived.known.insert(wanted, result.clone());
        result
    }

    fn derive(&self, wanted: Wanted, state: &State, derived: &mut Derived) -> Result<(), String> {
        if let Some(index) = self.cells.get(&wanted) {
            let layout = self.plan.layouts.get(&wanted.region);
            if layout.and_then(|l| l.index(Field::Value(wanted.item))).is_none() {
                return Err(format!("{wanted:?} is stored but has no cell"));
            }
            return if state.contains(*index) {
                Ok(())
            } else {
                Err(format!("{wanted:?} may be read before it is written"))
            };
        }
        if !derived.path.insert(wanted) {
            return Err(format!("{wanted:?} is computed from itself"));
        }
        let result = match self.plan.recipes.get(&wanted) {
            None | Some(Recipe::Store) => Err(format!("{wanted:?} is neither stored nor computed")),
            Some(Recipe::Free) => self.at_hand(wanted),
            Some(Recipe::Again(inst, _)) => self.again(*inst, wanted, state, derived),
            Some(Recipe::Replay(of, _)) => self.replayed((*of, wanted), state, derived),
            Some(Recipe::Count(induction, operands)) => {
                let around = wanted.region == Some(induction.of);
                if around && self.plan.live_loops.contains(&induction.of) {
                    operands.iter().try_for_each(|w| self.derivable(*w, state, derived))
                } else {
                    Err(format!("{wanted:?} counts a loop that is not reversed around its use"))
                }
            }
        };
        derived.path.remove(&wanted);
        result
    }

    fn at_hand(&self, wanted: Wanted) -> Result<(), String> {
        let block = self.block_of(wanted.item);
        let parameter = block.is_none() && self.assume.arguments;
        let dominates = block.is_none_or(|b| self.shape.dom.dominates(b, self.plan.exit));
        if (parameter || self.assume.combined && dominates) && wanted.region.is_none() {
            Ok(())
        } else {
            Err(format!("{wanted:?} is not at hand where the reverse pass runs"))
        }
    }

    fn again(&self, inst: InstId, wanted: Wanted, state: &State, derived: &mut Derived) -> Result<(), String> {
        let data = &self.cx.func.insts[inst];
        if matches!(data.kind, InstKind::Store { .. }) {
            return self.loaded(inst, wanted, (state, derived));
        }
        let item = |v| Item::Primal(v) == wanted.item || Item::Shadow(v) == wanted.item;
        if !data.result.is_some_and(item) || has_effects(&data.kind) {
            return Err(format!("{wanted:?} cannot be computed again"));
        }
        if leaves_floats(self.cx, inst) {
            for operand in data.kind.operands().into_iter().filter_map(Operand::local).map(Item::Primal) {
                self.bits(Wanted { item: operand, region: self.common(self.block_of(operand), wanted) })?;
            }
        }
        let shadow = matches!(wanted.item, Item::Shadow(_))
            && data.result.is_some_and(|v| self.cx.has_shadow(Operand::Local(v)));
        for operand in data.kind.operands() {
            let Operand::Local(v) = operand else { continue };
            // Whether a shadow or a primal is meant depends on the position; one of them must be there.
            let region = self.common(self.block_of(Item::Primal(v)), wanted);
            let primal = Wanted { item: Item::Primal(v), region };
            let twin = Wanted { item: Item::Shadow(v), region };
            let found = self.derivable(primal, state, derived);
            if shadow && found.is_err() && self.cx.has_shadow(operand) {
                self.derivable(twin, state, derived)?;
            } else {
                found?;
            }
        }
        Ok(())
    }

    /// The innermost loop around both an operand's definition and the region of a recomputed value.
    fn common(&self, home: Option<BlockId>, wanted: Wanted) -> Option<LoopId> {
        std::iter::successors(wanted.region, |l| self.shape.parent(*l))
            .find(|l| home.is_some_and(|h| self.shape.loops.contains(*l, h)))
    }

    /// What the number of iterations of a loop is computed from is there where the loop was left.
    fn counts(&self, states: &HashMap<BlockId, State>) -> Result<(), String> {
        for l in &self.plan.counted {
            let Some(trips) = self.plan.arrays.get(l) else {
                return Err(format!("nothing tells how often {l:?} runs"));
            };
            let around: Vec<LoopId> = std::iter::successors(self.shape.parent(*l), |o| self.shape.parent(*o)).collect();
            for (from, _) in &self.shape.loops.loops[*l].exits {
                let Some(state) = states.get(from) else { continue };
                for v in trips.operands().into_iter().filter_map(Operand::local) {
                    let home = self.block_of(Item::Primal(v));
                    let holds = |o: &LoopId| home.is_some_and(|h| self.shape.loops.contains(*o, h));
                    let wanted = Wanted { item: Item::Primal(v), region: around.iter().copied().find(holds) };
                    self.derivable(wanted, state, &mut Derived::default())?;
                }
            }
        }
        Ok(())
    }

    /// Each block that is crossed in reverse can tell where to go on; each live loop counts.
    fn control_flow(&self, states: &HashMap<BlockId, State>) -> Result<(), String> {
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
    fn is_array(&self, l: LoopId) -> bool {
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

    /// Walking back from `block`, no path meets anything to reverse before `target`.
    fn skip_is_idle(&self, block: BlockId, target: BlockId) -> Result<(), String> {
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

/// Would executing the instruction a second time change anything? (Loads are judged by the planner's alias rules.)
fn has_effects(kind: &InstKind) -> bool {
    match kind {
        InstKind::Call(call) => !call.bundles.is_empty(),
        InstKind::Binary { .. }
        | InstKind::FNeg { .. }
        | InstKind::ICmp { .. }
        | InstKind::FCmp { .. }
        | InstKind::Cast { .. }
        | InstKind::Gep { .. }
        | InstKind::Select { .. }
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. } => false,
        InstKind::Load { volatile, atomic, .. } => *volatile || atomic.is_some(),
        _ => true,
    }
}
