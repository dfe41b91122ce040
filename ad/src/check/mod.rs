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
//! by an instruction that may be executed again ([`repeat`]) from what is derivable; or loaded from memory that nothing
//! writes over ([`reload`]); or a loop counter of a loop around the use ([`counts`]); or given by a part of such a loop
//! that is run again ([`replay`]). Of the control flow ([`control`]): each block in which something happens is live,
//! each merge that is crossed in reverse can tell its predecessor, each live loop its iteration.
//!
//! The check shares the question ([`Context::needs`]) with the planner but none of its answers: not the cut, not
//! the recipes' construction, not the skipping of blocks, not what may be loaded again or how often a loop runs. What
//! it takes as data are the plan, the facts of the analysis of memory (where pointers lead), and the frees that the
//! emitter lets wait. It need not be complete for arbitrary plans, only for those the planner makes; what it accepts is
//! right.

pub mod after;
mod control;
mod counts;
mod effects;
mod forms;
mod reload;
mod repeat;
mod replay;
pub mod shadows;
#[cfg(test)]
mod trial;

use crate::analysis::context::{Context, Item};
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::wanted::{Assumptions, Wanted};
use crate::base::regions::Shape;
use crate::check::after::Writers;
use crate::check::repeat::Where;
use crate::error::{Diagnostic, Reason};
use crate::plan::data::{Field, Plan};
use fixedbitset::FixedBitSet;
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, InstId, InstKind, Operand, ValueDef};
use std::cell::RefCell;

/// Which cells are written, by their index among all.
type State = FixedBitSet;

struct Checker<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    plan: &'a Plan,
    assume: Assumptions,
    /// Who writes to memory, in all functions.
    writers: &'a Writers,
    /// What has been found of loads.
    reloads: RefCell<HashMap<InstId, Result<(), String>>>,
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
    check_with(cx, (shape, &Writers::default()), plan, assume)
}

/// The same, with what is known of the functions' writers from plans of other functions.
pub fn check_with(
    cx: &Context,
    (shape, writers): (&Shape, &Writers),
    plan: &Plan,
    assume: Assumptions,
) -> Result<(), Diagnostic> {
    let checker = Checker::new(cx, (shape, writers), plan, assume);
    let wrong = |why| Diagnostic::of(cx.m, cx.func, Reason::Bug, why);
    checker.layouts().map_err(wrong)?;
    checker.is_live().map_err(wrong)?;
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
    checker.replays().map_err(wrong)?;
    checker.counts(&states).map_err(wrong)?;
    checker.control_flow(&states).map_err(wrong)
}

impl<'a> Checker<'a> {
    fn new(
        cx: &'a Context<'a>,
        (shape, writers): (&'a Shape, &'a Writers),
        plan: &'a Plan,
        assume: Assumptions,
    ) -> Checker<'a> {
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
        let reloads = RefCell::default();
        Checker { cx, shape, plan, assume, writers, reloads, cells, of_item, erased }
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
            Some(Recipe::Count(induction, _)) => {
                let around = wanted.region == Some(induction.of);
                if !around || !self.plan.live_loops.contains(&induction.of) {
                    Err(format!("{wanted:?} counts a loop that is not reversed around its use"))
                } else {
                    let needed = self.counted(induction, wanted);
                    needed.and_then(|all| all.into_iter().try_for_each(|w| self.derivable(w, state, derived)))
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
        let made = data.result.is_some_and(item);
        match data.kind {
            InstKind::Load { .. } if made => self.reloaded(inst)?,
            _ if made && repeat::is_pure(self.cx, inst, Where::AtUses) => {}
            _ => return Err(format!("{wanted:?} cannot be computed again")),
        }
        if repeat::decides(self.cx, inst) {
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

    /// Does a load give the same again? Each is looked at once.
    fn reloaded(&self, load: InstId) -> Result<(), String> {
        if let Some(known) = self.reloads.borrow().get(&load) {
            return known.clone();
        }
        let found = self.may_reload(load);
        self.reloads.borrow_mut().insert(load, found.clone());
        found
    }

    /// The innermost loop around both an operand's definition and the region of a recomputed value.
    fn common(&self, home: Option<BlockId>, wanted: Wanted) -> Option<LoopId> {
        std::iter::successors(wanted.region, |l| self.shape.parent(*l))
            .find(|l| home.is_some_and(|h| self.shape.loops.contains(*l, h)))
    }
}
