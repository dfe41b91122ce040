//! How a value of the forward pass could be had again in the reverse pass.

use super::{Assumptions, Wanted};
use crate::known::{External, classify};
use crate::memory::PointerKind;
use crate::needs::{Context, Item};
use crate::options::{Lever, Without};
use crate::shape::{Region, Shape};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstId, InstKind, Operand, ValueDef, ValueId};

/// A loop counter: `start + step · iteration`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Induction {
    /// Its loop.
    pub of: LoopId,
    /// Its value in the first iteration.
    pub start: Operand,
    /// What each iteration adds, in bytes for a pointer.
    pub step: Operand,
    /// The step is subtracted.
    pub down: bool,
    /// Its value in the iteration after.
    pub next: ValueId,
}

/// A way to have a value again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// It is at hand in the reverse pass.
    Free,
    /// It must be stored.
    Store,
    /// The instruction is executed again on these; of a store, what it has written is loaded ([`super::loaded`]).
    Again(InstId, Vec<Wanted>),
    /// It is a loop counter.
    Count(Induction, Vec<Wanted>),
}

/// The recipes of a function.
pub struct Recompute<'a> {
    /// The analyses.
    pub cx: &'a Context<'a>,
    /// The control-flow shape.
    pub shape: &'a Shape,
    exit: BlockId,
    assume: Assumptions,
    without: Without,
    memo: HashMap<Wanted, Recipe>,
    inductions: HashMap<ValueId, Induction>,
}

impl<'a> Recompute<'a> {
    /// Prepares the recipes of a function.
    pub fn new(
        cx: &'a Context<'a>,
        shape: &'a Shape,
        exit: BlockId,
        (assume, without): (Assumptions, Without),
    ) -> Self {
        let mut out =
            Recompute { cx, shape, exit, assume, without, memo: HashMap::default(), inductions: HashMap::default() };
        for (id, data) in shape.loops.loops.iter() {
            for inst in &cx.func.blocks[data.header].insts {
                if let Some((v, induction)) = out.induction(id, *inst) {
                    out.inductions.insert(v, induction);
                }
            }
        }
        out
    }

    /// The counters of loops.
    pub fn inductions(&self) -> &HashMap<ValueId, Induction> {
        &self.inductions
    }

    /// Everything that was asked for.
    pub fn into_recipes(self) -> HashMap<Wanted, Recipe> {
        self.memo
    }

    /// The recipe for a wanted value.
    pub fn recipe(&mut self, wanted: Wanted) -> Recipe {
        if let Some(known) = self.memo.get(&wanted) {
            return known.clone();
        }
        let recipe = match wanted.item {
            Item::Primal(v) => self.value_recipe(v, wanted.region, false),
            Item::Shadow(v) => self.value_recipe(v, wanted.region, true),
            Item::Record(i) if self.at_hand(i) => Recipe::Free,
            Item::Record(_) => Recipe::Store,
        };
        self.memo.insert(wanted, recipe.clone());
        recipe
    }

    /// With both passes in one function, what dominates the exit dominates the reverse pass.
    fn at_hand(&self, inst: InstId) -> bool {
        self.assume.combined
            && self
                .shape
                .block(inst)
                .is_some_and(|b| self.shape.region(b).is_none() && self.shape.dom.dominates(b, self.exit))
    }

    fn value_recipe(&mut self, v: ValueId, region: Region, shadow: bool) -> Recipe {
        let inst = match self.cx.func.values[v].def {
            ValueDef::Param(_) if self.assume.combined || self.assume.arguments => return Recipe::Free,
            ValueDef::Param(_) => return Recipe::Store,
            ValueDef::Inst(inst) if self.at_hand(inst) => return Recipe::Free,
            ValueDef::Inst(inst) => inst,
        };
        if shadow && !self.cx.has_shadow(Operand::Local(v)) {
            // A constant pointer is its own shadow.
            return self.value_recipe(v, region, false);
        }
        let own = region == self.shape.home(self.cx.func, v);
        if let (Some(induction), true) = (self.inductions.get(&v).copied(), own) {
            let start = if shadow { self.shadow_item(induction.start) } else { primal_item(induction.start) };
            let items = [start, primal_item(induction.step)];
            let wanted =
                items.into_iter().flatten().map(|i| Wanted::new(self.cx.func, self.shape, i, region)).collect();
            return Recipe::Count(induction, wanted);
        }
        let again = self.operands(inst, shadow).map(|operands| {
            let wanted = operands.into_iter().map(|i| Wanted::new(self.cx.func, self.shape, i, region));
            Recipe::Again(inst, wanted.collect())
        });
        let recipe = again.unwrap_or(Recipe::Store);
        if own && !shadow { self.or_loaded(inst, region, recipe) } else { recipe }
    }

    /// What the instruction reads, if it may be executed again: cheap, pure arithmetic, and loads
    /// from memory that nobody writes until then ([`crate::lasting`]).
    fn operands(&self, inst: InstId, shadow: bool) -> Option<Vec<Item>> {
        let data = &self.cx.func.insts[inst];
        let both = |ops: &[Operand]| ops.iter().filter_map(|o| primal_item(*o)).collect::<Vec<_>>();
        Some(match &data.kind {
            InstKind::Binary { op, lhs, rhs, .. } if !shadow && !may_trap(*op) => both(&[*lhs, *rhs]),
            InstKind::FNeg { value, .. } if !shadow => both(&[*value]),
            InstKind::ICmp { lhs, rhs, .. } | InstKind::FCmp { lhs, rhs, .. } if !shadow => both(&[*lhs, *rhs]),
            InstKind::Cast { value, .. } if shadow => self.shadow_item(*value).into_iter().collect(),
            InstKind::Cast { value, .. } => both(&[*value]),
            InstKind::Gep { base, indices, .. } => {
                let mut items = both(indices);
                items.extend(if shadow { self.shadow_item(*base) } else { primal_item(*base) });
                items
            }
            InstKind::Select { cond, if_true, if_false, .. } => {
                let mut items = both(&[*cond]);
                for arm in [*if_true, *if_false] {
                    items.extend(if shadow { self.shadow_item(arm) } else { primal_item(arm) });
                }
                items
            }
            InstKind::ExtractElement { vector, index } if !shadow => both(&[*vector, *index]),
            InstKind::InsertElement { vector, value, index } if !shadow => both(&[*vector, *value, *index]),
            InstKind::ShuffleVector { a, b, .. } if !shadow => both(&[*a, *b]),
            InstKind::Load { ptr, volatile: false, atomic: None, .. }
                if !self.without.has(Lever::Reload) && self.cx.facts.lasting.load(self.cx.id, inst) =>
            {
                if shadow {
                    self.shadow_item(*ptr).into_iter().collect()
                } else {
                    both(&[*ptr])
                }
            }
            InstKind::Call(call) if !shadow && (self.is_cheap(call) || self.is_recomputed(call)) => both(&call.args),
            _ => return None,
        })
    }

    /// Integer intrinsics (`llvm.smax`, `llvm.abs`) and functions of the table that are defined by arithmetic alone (`llvm.fmuladd`, `llvm.fabs`,
    /// `llvm.maxnum`) are as cheap as an addition.
    fn is_cheap(&self, call: &ir::Call) -> bool {
        let Some(f) = self.cx.m.as_function(call.callee) else { return false };
        let f = &self.cx.m.functions[f];
        match classify(self.cx.m, f) {
            External::Rule(row) => row.is_arithmetic(),
            External::Inactive => {
                let cheap = ["llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.", "llvm.abs."];
                cheap.iter().any(|p| f.name.starts_with(p))
            }
            _ => false,
        }
    }

    /// The program asks that the call be made again in the reverse pass.
    fn is_recomputed(&self, call: &ir::Call) -> bool {
        let marked = |f: ir::FuncId| self.cx.m.functions[f].attrs.has(crate::hints::RECOMPUTE);
        call.fn_attrs.has(crate::hints::RECOMPUTE) || self.cx.m.as_function(call.callee).is_some_and(marked)
    }

    fn shadow_item(&self, operand: Operand) -> Option<Item> {
        let v = operand.local()?;
        Some(match self.cx.pointer_kind(operand) {
            PointerKind::Constant => Item::Primal(v),
            PointerKind::Duplicated | PointerKind::Mixed => Item::Shadow(v),
        })
    }

    /// Is this the counter of the loop: a phi whose value along every back edge is itself plus or minus a
    /// value that the loop does not change?
    fn induction(&self, of: LoopId, inst: InstId) -> Option<(ValueId, Induction)> {
        let data = &self.cx.func.insts[inst];
        let InstKind::Phi { incoming, .. } = &data.kind else { return None };
        let v = data.result?;
        let inside = |b| self.shape.loops.contains(of, b);
        let mut starts = incoming.iter().filter(|(_, b)| !inside(*b)).map(|(o, _)| *o);
        let start = starts.next()?;
        let mut nexts = incoming.iter().filter(|(_, b)| inside(*b)).map(|(o, _)| *o);
        let next = nexts.next()?;
        if starts.any(|s| s != start) || nexts.any(|n| n != next) {
            return None;
        }
        let next = next.local()?;
        let (base, step, down) = match &self.cx.func.insts[self.cx.func.def_inst(next)?].kind {
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } if *lhs == Operand::Local(v) => (*lhs, *rhs, false),
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } => (*rhs, *lhs, false),
            InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } => (*lhs, *rhs, true),
            // A pointer that moves by a constant number of bytes.
            InstKind::Gep { elem_ty, base, indices, .. }
                if indices.len() == 1 && self.cx.m.size_of(*elem_ty) == 1 && indices[0].constant().is_some() =>
            {
                (*base, indices[0], false)
            }
            _ => return None,
        };
        let invariant = step.local().is_none_or(|s| !self.is_inside(of, s));
        (base == Operand::Local(v) && invariant).then_some((v, Induction { of, start, step, down, next }))
    }

    fn is_inside(&self, of: LoopId, v: ValueId) -> bool {
        self.cx.func.def_inst(v).and_then(|i| self.shape.block(i)).is_some_and(|b| self.shape.loops.contains(of, b))
    }

    /// The estimated cost of storing a wanted value: bytes × 10^depth.
    pub fn weight(&self, wanted: Wanted) -> u64 {
        let bytes = match wanted.item {
            Item::Primal(v) | Item::Shadow(v) => self.cx.m.size_of(self.cx.func.value_ty(v)),
            Item::Record(_) => 8,
        };
        bytes.max(1).saturating_mul(10u64.saturating_pow(self.shape.depth(wanted.region)))
    }
}

fn primal_item(operand: Operand) -> Option<Item> {
    operand.local().map(Item::Primal)
}

/// Division by zero would be undefined behaviour if the reverse pass ran it where the primal did not.
fn may_trap(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}
