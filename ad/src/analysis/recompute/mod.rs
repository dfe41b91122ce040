//! How a value of the forward pass could be had again in the reverse pass.

pub mod recipe;
pub mod slice;
mod stored;

use crate::analysis::context::{Context, Item};
use crate::analysis::loops::counters::Induction;
use crate::analysis::loops::induction;
use crate::analysis::memory::query::PointerKind;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::wanted::{Assumptions, Wanted};
use crate::base::regions::{Region, Shape};
use crate::options::{Lever, Without};
use crate::program::attributes::RECOMPUTE;
use crate::program::externals::{External, classify};
use ir::hash::{HashMap, HashSet};
use ir::{BinOp, BlockId, InstId, InstKind, Operand, ValueDef, ValueId};
use slice::Slices;
use std::collections::BTreeSet;

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
    /// Recipes before it is asked whether what decides is exact.
    ways: HashMap<Wanted, Recipe>,
    exact: HashMap<Wanted, bool>,
    slices: Slices,
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
        Recompute {
            cx,
            shape,
            exit,
            assume,
            without,
            memo: HashMap::default(),
            ways: HashMap::default(),
            exact: HashMap::default(),
            slices: Slices::default(),
            inductions: induction::all(cx, shape),
        }
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
        let recipe = match self.way(wanted) {
            Recipe::Again(inst, operands)
                if leaves_floats(self.cx, inst) && !operands.iter().all(|o| self.is_exact(*o)) =>
            {
                Recipe::Store
            }
            recipe => recipe,
        };
        self.memo.insert(wanted, recipe.clone());
        recipe
    }

    /// A way to have it, exact or not.
    fn way(&mut self, wanted: Wanted) -> Recipe {
        if let Some(known) = self.ways.get(&wanted) {
            return known.clone();
        }
        let mut recipe = match wanted.item {
            Item::Primal(v) => self.value_recipe(v, wanted.region, false),
            Item::Shadow(v) => self.value_recipe(v, wanted.region, true),
            Item::Record(i) if self.at_hand(i) => Recipe::Free,
            Item::Record(_) => Recipe::Store,
        };
        if let (Recipe::Store, Item::Primal(v), Some(of)) = (&recipe, wanted.item, wanted.region) {
            recipe = self.replay(v, of).unwrap_or(recipe);
        }
        self.ways.insert(wanted, recipe.clone());
        recipe
    }

    /// Has it the bits again that it had in the forward pass, unless it is stored? Two copies of the same arithmetic
    /// may round otherwise where LLVM may choose ([`may_round_otherwise`]), which does no harm to a partial derivative.
    /// But a condition that comes out otherwise leads the reverse pass along another way, and an index to another
    /// place.
    pub fn is_exact(&mut self, wanted: Wanted) -> bool {
        if let Some(known) = self.exact.get(&wanted) {
            return *known;
        }
        let (mut seen, mut work) = (vec![wanted], vec![wanted]);
        let mut met = HashSet::from_iter([wanted]);
        while let Some(next) = work.pop() {
            let (exact, operands) = match self.way(next) {
                _ if self.exact.get(&next) == Some(&false) => (false, Vec::new()),
                Recipe::Free | Recipe::Store => (true, Vec::new()),
                Recipe::Again(inst, operands) => (!may_round_otherwise(self.cx, inst), operands),
                Recipe::Count(_, operands) => (true, operands),
                Recipe::Replay(of, operands) => {
                    let Item::Primal(v) = next.item else { return false };
                    (self.slice(v, of).is_some_and(|found| found.exact), operands)
                }
            };
            if !exact {
                self.exact.insert(wanted, false);
                return false;
            }
            for operand in operands {
                if self.exact.get(&operand) != Some(&true) && met.insert(operand) {
                    seen.push(operand);
                    work.push(operand);
                }
            }
        }
        self.exact.extend(seen.into_iter().map(|w| (w, true)));
        true
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
    /// from memory that nobody writes until then ([`crate::analysis::reload`]).
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
            InstKind::Load { ptr, .. } if self.may_reload(inst) => {
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

    /// May the load be made again?
    fn may_reload(&self, inst: InstId) -> bool {
        let plain = matches!(self.cx.func.insts[inst].kind, InstKind::Load { volatile: false, atomic: None, .. });
        plain && !self.without.has(Lever::Reload) && self.cx.facts.reloads.load(self.cx.id, inst)
    }

    /// Integer intrinsics (`llvm.smax`, `llvm.abs`) and functions of the table that are defined by arithmetic alone
    /// (`llvm.fmuladd`, `llvm.fabs`, `llvm.maxnum`) are as cheap as an addition.
    fn is_cheap(&self, call: &ir::Call) -> bool {
        let Some(f) = self.cx.m.as_function(call.callee) else { return false };
        let f = &self.cx.m.functions[f];
        match classify(self.cx.m, f) {
            External::Rule(row) => row.is_arithmetic(),
            External::Held => true,
            External::Inactive => {
                let cheap = ["llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.", "llvm.abs."];
                cheap.iter().any(|p| f.name.starts_with(p))
            }
            _ => false,
        }
    }

    /// The program asks that the call be made again in the reverse pass.
    fn is_recomputed(&self, call: &ir::Call) -> bool {
        let marked = |f: ir::FuncId| self.cx.m.functions[f].attrs.has(RECOMPUTE);
        call.fn_attrs.has(RECOMPUTE) || self.cx.m.as_function(call.callee).is_some_and(marked)
    }

    fn shadow_item(&self, operand: Operand) -> Option<Item> {
        let v = operand.local()?;
        Some(match self.cx.pointer_kind(operand) {
            PointerKind::Constant => Item::Primal(v),
            PointerKind::Duplicated | PointerKind::Mixed => Item::Shadow(v),
        })
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

/// May a second execution on the same operands give other bits? With flags of fast mathematics; where a product may be
/// fused with a sum; and in calls that LLVM folds, with its own libm, where it knows the arguments.
pub(crate) fn may_round_otherwise(cx: &Context, inst: InstId) -> bool {
    let kind = &cx.func.insts[inst].kind;
    let free = |fast: ir::FastMath| fast.nsz || fast.arcp || fast.contract || fast.afn || fast.reassoc;
    let called = kind.as_call().and_then(|call| cx.m.as_function(call.callee));
    let rounds = called.is_some_and(|f| match classify(cx.m, &cx.m.functions[f]) {
        External::Rule(row) => !row.is_arithmetic() || row.multiplies(),
        _ => false,
    });
    rounds || kind.fast().is_some_and(free)
}

/// Does it make something else of a float: a condition, an integer?
fn leaves_floats(cx: &Context, inst: InstId) -> bool {
    let data = &cx.func.insts[inst];
    let types = &cx.m.types;
    let is_float = |ty| types.float_kind(types.scalar(ty)).is_some();
    !is_float(data.ty) && data.kind.operands().iter().any(|o| o.local().is_some() && is_float(cx.ty(*o)))
}

fn primal_item(operand: Operand) -> Option<Item> {
    operand.local().map(Item::Primal)
}

/// Division by zero would be undefined behaviour if the reverse pass ran it where the primal did not.
fn may_trap(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}

/// Can it be had without storing anything more?
pub(crate) fn is_there(
    recompute: &mut Recompute,
    stored: &BTreeSet<Wanted>,
    wanted: Wanted,
    known: &mut HashMap<Wanted, bool>,
) -> bool {
    if stored.contains(&wanted) {
        return true;
    }
    if let Some(known) = known.get(&wanted) {
        return *known;
    }
    known.insert(wanted, false);
    let there = match recompute.recipe(wanted) {
        Recipe::Free => true,
        Recipe::Store => false,
        // Where the number of iterations is cheaper stored, nothing is run again for it.
        Recipe::Replay(..) if recompute.price(wanted).is_none_or(|(_, price)| price >= recompute.weight(wanted)) => {
            false
        }
        Recipe::Again(_, operands) | Recipe::Count(_, operands) | Recipe::Replay(_, operands) => {
            operands.into_iter().all(|o| is_there(recompute, stored, o, known))
        }
    };
    known.insert(wanted, there);
    there
}
