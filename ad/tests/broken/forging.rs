//! Programs with gaps, and plans that are forced to have a value again.

use ad::inside::{
    Analyses, Assumptions, Context, Facts, Item, Plan, Recipe, RecordTypes, Shape, Sources, Wanted, check, collect,
    find_reloads, return_block,
};
use ad::{Activity, Without};
use ir::{FuncId, Function, InstId, InstKind, Module, Operand, ValueId};
use std::collections::BTreeSet;

/// How a gradient is made, as far as a plan depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    /// In one function.
    Both,
    /// Apart, with the caller's word that it writes to no memory in between.
    Apart,
    /// Apart.
    CallerWrites,
}

/// What the test does to a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forced {
    /// The values of these names are made again by their instructions.
    Again(&'static [&'static str]),
    /// The value of the first name is loaded from where the store to the second one has put it.
    Stored(&'static str, &'static str),
}

/// A program that has been analysed.
pub struct Program {
    pub module: Module,
    pub sources: Sources,
    pub facts: Analyses,
    pub root: FuncId,
    pub differentiable: BTreeSet<FuncId>,
    pub passes: Passes,
}

/// Analyses the function `f` of a text: its pointers have shadows, its integers are constant.
pub fn program(text: &str, passes: Passes) -> Program {
    let mut module = ir::parse(text, "test").unwrap_or_else(|e| panic!("{e:?} in\n{text}"));
    let root = module.function("f").expect("there is a function f");
    let types: Vec<_> = module.functions[root].params.iter().map(|p| p.ty).collect();
    let activities: Vec<Activity> =
        types.into_iter().map(|ty| if module.types.is_ptr(ty) { Activity::Dup } else { Activity::Const }).collect();
    let sources = collect(&mut module, root).expect("normalises");
    let found = Facts::analyse(&module, &sources, root, &activities, &Default::default()).expect("converges");
    let mut facts = Analyses::from(found);
    facts.both_passes = passes == Passes::Both;
    facts.caller_may_write = passes == Passes::CallerWrites;
    let differentiable = BTreeSet::from([root]);
    facts.reloads = find_reloads(&module, &facts, &sources, &differentiable, (root, passes == Passes::Both));
    Program { module, sources, facts, root, differentiable, passes }
}

impl Program {
    /// Goes on with the planner's plan.
    pub fn with<T>(&mut self, f: impl FnOnce(&Context, &Shape, Plan, Assumptions) -> T) -> T {
        let types = RecordTypes {
            ptr: self.module.types.ptr(),
            count: self.module.types.int(64),
            pred: self.module.types.int(32),
        };
        let func = &self.sources[&self.root];
        let cx = Context {
            m: &self.module,
            facts: &self.facts,
            sources: &self.sources,
            differentiable: &self.differentiable,
            id: self.root,
            func,
        };
        let shape = Shape::new(&self.module, func).expect("reducible");
        let assume = Assumptions { combined: self.passes == Passes::Both, arguments: self.passes != Passes::Both };
        let exit = return_block(func).expect("returns");
        let plan = Plan::new(&cx, &shape, exit, (assume, Without::default()), types);
        f(&cx, &shape, plan, assume)
    }

    /// What the checker says of the plan, with something done to it.
    pub fn verdict(&mut self, change: impl FnOnce(&Context, &Shape, &mut Plan)) -> Result<(), String> {
        self.with(|cx, shape, mut plan, assume| {
            change(cx, shape, &mut plan);
            check(cx, shape, &plan, assume).map_err(|refused| refused.message)
        })
    }

    /// What it says of the plan with a value that is had again in another way.
    pub fn forced(&mut self, how: Forced) -> Result<(), String> {
        self.verdict(|cx, shape, plan| force(cx, shape, plan, how))
    }
}

/// The value of a name.
pub fn value(func: &Function, name: &str) -> ValueId {
    let all = func.values.iter().find(|(_, data)| data.name == name);
    all.map(|(v, _)| v).unwrap_or_else(|| panic!("there is no value {name}"))
}

/// An item in its own region.
fn at_home(cx: &Context, shape: &Shape, v: ValueId) -> Wanted {
    Wanted { item: Item::Primal(v), region: shape.home(cx.func, v) }
}

pub fn force(cx: &Context, shape: &Shape, plan: &mut Plan, how: Forced) {
    let made: Vec<(ValueId, InstId)> = match how {
        Forced::Again(names) => {
            let values = names.iter().map(|name| value(cx.func, name));
            values.map(|v| (v, cx.func.def_inst(v).expect("an instruction"))).collect()
        }
        Forced::Stored(name, ptr) => vec![(value(cx.func, name), store_to(cx.func, value(cx.func, ptr)))],
    };
    for (v, inst) in made {
        let wanted = at_home(cx, shape, v);
        plan.stored.remove(&wanted);
        make_again(cx, shape, plan, (wanted, inst));
    }
}

fn store_to(func: &Function, to: ValueId) -> InstId {
    let is =
        |inst: &InstId| matches!(func.insts[*inst].kind, InstKind::Store { ptr: Operand::Local(v), .. } if v == to);
    func.inst_order().map(|(_, inst)| inst).find(is).expect("a store")
}

/// Lets a value be made again by an instruction, from what is there or made again in turn.
fn make_again(cx: &Context, shape: &Shape, plan: &mut Plan, (wanted, inst): (Wanted, InstId)) {
    let read: Vec<Operand> = match &cx.func.insts[inst].kind {
        InstKind::Store { ptr, .. } => vec![*ptr],
        kind => kind.operands().into_iter().collect(),
    };
    let region = |v| shape.common(shape.home(cx.func, v), wanted.region);
    let operands: Vec<Wanted> =
        read.iter().filter_map(|o| o.local()).map(|v| Wanted { item: Item::Primal(v), region: region(v) }).collect();
    plan.recipes.insert(wanted, Recipe::Again(inst, operands.clone()));
    for operand in operands {
        let Item::Primal(v) = operand.item else { continue };
        let there =
            plan.stored.contains(&operand) || plan.recipes.get(&operand).is_some_and(|recipe| *recipe != Recipe::Store);
        match cx.func.def_inst(v) {
            _ if there => {}
            Some(made) if !is_at_hand(shape, plan, made) => make_again(cx, shape, plan, (operand, made)),
            _ => {
                plan.recipes.insert(operand, Recipe::Free);
            }
        }
    }
}

fn is_at_hand(shape: &Shape, plan: &Plan, made: InstId) -> bool {
    shape.block(made).is_some_and(|b| shape.region(b).is_none() && shape.dom.dominates(b, plan.exit))
}
