//! What was decided about each instruction of the functions that a gradient reaches, and why, in words: what
//! `adj explain` prints.
//!
//! Nothing is decided here: activity and shadows are asked of [`Facts`](crate::analysis::memory::Facts), what is cached
//! for the reverse pass of the [`Plan`], both made exactly as for the gradient itself. A reason names what the decision
//! rests on one step further up: the operand that is active, or why none is.

use crate::analysis::context::{Callee, Context, Item};
use crate::analysis::memory::object::{ObjId, ObjKind, Object};
use crate::analysis::memory::query::PointerKind;
use crate::analysis::parallel::{Adding, Parallel};
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::wanted::Assumptions;
use crate::base::regions::{Region, Shape};
use crate::check::after::Writers;
use crate::error::{Diagnostic, name_in_program};
use crate::mode::{Activity, Mode, Style};
use crate::normalise::clone_contexts::Calls;
use crate::normalise::collect;
use crate::options::{Options, Without};
use crate::pipeline::derivative::{attempt, looked_into};
use crate::pipeline::gradient::{How, Prepared, prepared};
use crate::pipeline::tangent;
use crate::plan::data::Plan;
use crate::program::attributes;
use crate::program::externals::External;
use crate::program::openmp::Order;
use crate::reverse::proved::proved;
use ir::{FuncId, InstId, InstKind, Module, Operand, SourceLoc, ValueDef, ValueId};
use std::collections::BTreeMap;

/// Objects that are named; of more their number is stated.
const NAMED: usize = 3;

/// One function of an autodiff call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// Its name.
    pub name: String,
    /// Has it a derivative?
    pub differentiated: bool,
    /// Why a plan was refused that caches less for the reverse pass: the checker could not prove it.
    pub unproved: Option<String>,
    /// Its instructions in their order; those that neither hold a number or a pointer nor write memory are left out.
    pub decisions: Vec<Decision>,
}

/// What was decided about an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The instruction as IR.
    pub text: String,
    /// Where it is in the source.
    pub loc: Option<SourceLoc>,
    /// Does a derivative go through it?
    pub active: bool,
    /// Why, or why not.
    pub why: String,
    /// How the reverse pass has its value, or its shadow, if it needs it.
    pub fate: Vec<String>,
}

/// What is decided for a gradient, or for a tangent, of `primal`.
pub fn explain(
    module: &Module,
    primal: FuncId,
    activities: &[Activity],
    (mode, style): (Mode, Style),
) -> Result<Vec<Explained>, Diagnostic> {
    let reverse = mode == Mode::Reverse;
    let (mut m, calls) = calls(module, primal, activities, (mode, style))?;
    let (root, _) = looked_into(&mut m, primal)?;
    let options = Options::default();
    let how = How { caller_may_write: false, combined: true, style, calls, options };
    let Prepared { sources, facts, differentiable, parallel, .. } = match reverse {
        true => prepared(&mut m, root, activities, how)?,
        false => tangent::prepared(&mut m, root, activities, (style, calls), Without::default())?,
    };
    let named = |(i, p): (usize, &ir::Param)| match sources[&root].values[p.value].name.as_str() {
        "" => format!("parameter {}", i + 1),
        name => format!("`{name}`"),
    };
    let parameters: Vec<String> = sources[&root].params.iter().enumerate().map(named).collect();
    let (mut out, writers) = (Vec::new(), Writers::default());
    // The root comes first.
    let order = std::iter::once(&root).chain(sources.keys().filter(|id| **id != root));
    for id in order.filter(|id| sources.contains_key(id)) {
        let func = &sources[id];
        let types = crate::analysis::wanted::record_field_types(&mut m);
        let cx = Context { m: &m, facts: &facts, sources: &sources, differentiable: &differentiable, id: *id, func };
        let cx = Words { cx, parameters: &parameters };
        let differentiated = differentiable.contains(id);
        let planned = (reverse && differentiated)
            .then(|| {
                let shape = Shape::new(&m, func)?;
                let combined = *id == root || facts.joint.contains(id);
                let assume = Assumptions { combined, arguments: false };
                let plan = collect::return_block(func)
                    .map(|exit| proved(&cx, (&shape, &writers), exit, (assume, Without::default()), types));
                plan.transpose().map(|plan| (shape, plan))
            })
            .transpose()?;
        let mut fates = match &planned {
            Some((shape, Some(proved))) => fates(&cx, shape, &proved.plan),
            _ => BTreeMap::new(),
        };
        if planned.is_some() && parallel.is_inside(*id) {
            tell_additions(&cx, &parallel, &mut fates);
        }
        let refused = planned.iter().find_map(|(_, proved)| proved.as_ref()?.refused.as_ref());
        let unproved = refused.map(|refused| refused.message.clone());
        let decisions = func.inst_order().filter_map(|(_, inst)| decision(&cx, inst, &fates)).collect();
        out.push(Explained { name: name_in_program(&func.name).to_owned(), differentiated, unproved, decisions });
    }
    Ok(out)
}

/// The analyses of a function, and how the parameters of the differentiated one are called.
struct Words<'a> {
    cx: Context<'a>,
    parameters: &'a [String],
}

impl<'a> std::ops::Deref for Words<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.cx
    }
}

/// The way of taking calls in which the derivative is made, and the module as it is then.
fn calls(
    module: &Module,
    primal: FuncId,
    activities: &[Activity],
    (mode, style): (Mode, Style),
) -> Result<(Module, Calls), Diagnostic> {
    let calls = Calls::try_each(module, primal, |calls| {
        attempt(module, primal, activities, (mode, style, calls), &Options::default()).map(|_| calls)
    })?;
    let mut start = module.clone();
    if mode != Mode::Reverse {
        attributes::without_gradients(&mut start);
    }
    Ok((start, calls))
}

/// What becomes of the values that the reverse pass needs.
fn fates(cx: &Words, shape: &Shape, plan: &Plan) -> BTreeMap<InstId, Vec<String>> {
    let mut out: BTreeMap<InstId, Vec<String>> = BTreeMap::new();
    let mut tell = |item: Item, text: String| {
        let inst = match item {
            Item::Primal(v) | Item::Shadow(v) => cx.func.def_inst(v),
            Item::Record(inst) => Some(inst),
        };
        if let Some(inst) = inst {
            let what = match item {
                Item::Primal(_) => String::new(),
                Item::Shadow(_) => "shadow ".to_owned(),
                Item::Record(_) => "tape of the call ".to_owned(),
            };
            let told = out.entry(inst).or_default();
            let text = what + &text;
            if !told.contains(&text) {
                told.push(text);
            }
        }
    };
    let mut wanted: Vec<_> = plan.recipes.iter().collect();
    wanted.sort_by_key(|(wanted, _)| **wanted);
    for (wanted, recipe) in wanted {
        let text = match recipe {
            _ if plan.stored.contains(wanted) => {
                let why = if *recipe == Recipe::Store { "" } else { ", cheaper than to have it again" };
                format!("kept: {} bytes {}{why}", bytes(cx, wanted.item), per(cx, shape, wanted.region))
            }
            Recipe::Free => "at hand in the reverse pass".to_owned(),
            Recipe::Again(inst, _) if matches!(cx.func.insts[*inst].kind, InstKind::Store { .. }) => {
                "loaded from where it is stored".to_owned()
            }
            Recipe::Again(..) => "computed again".to_owned(),
            Recipe::Replay(..) if !plan.is_replayed(*wanted) => continue,
            Recipe::Replay(..) => "run again, from a checkpoint of each segment of the loop".to_owned(),
            Recipe::Count(..) => "a loop counter, counted down".to_owned(),
            // It was considered on the way to something that is cached instead.
            Recipe::Store => continue,
        };
        tell(wanted.item, text);
    }
    out
}

/// How threads add to the adjoints of what they load.
fn tell_additions(cx: &Words, parallel: &Parallel, fates: &mut BTreeMap<InstId, Vec<String>>) {
    for (_, inst) in cx.func.inst_order().filter(|(_, inst)| cx.acts(*inst)) {
        let InstKind::Load { ptr, .. } = cx.func.insts[inst].kind else { continue };
        let text = match parallel.adding(cx.m, cx.facts, (cx.id, inst), ptr) {
            Adding::Plain if parallel.is_shared(cx.m, cx.facts, cx.id, ptr) => {
                "its adjoint is added to plainly: what the thread writes in the same phase makes it the only one"
            }
            Adding::Plain => "its adjoint is added to plainly: no other thread finds that memory",
            Adding::Summed => "its adjoint is summed up in each thread, and added once: all load the same",
            Adding::Gathered => "its adjoint is added to in one piece in the end: each thread gathers it first",
            Adding::Atomic => "its adjoint is added to in one piece: other threads may do so at the same time",
        };
        fates.entry(inst).or_default().push(text.to_owned());
    }
}

fn bytes(cx: &Words, item: Item) -> u64 {
    match item {
        Item::Primal(v) | Item::Shadow(v) => cx.m.size_of(cx.ty(Operand::Local(v))),
        Item::Record(_) => 8,
    }
}

/// How often something of a region is cached.
fn per(cx: &Words, shape: &Shape, region: Region) -> String {
    let Some(l) = region else { return "a call".to_owned() };
    let header = shape.loops.loops[l].header;
    let lines = cx.func.blocks[header].insts.iter().filter_map(|i| cx.m.source_loc(cx.func, *i));
    match lines.map(|loc| loc.line).find(|line| *line > 0) {
        Some(line) => format!("an iteration of the loop at line {line}"),
        None => "an iteration of its loop".to_owned(),
    }
}

fn decision(cx: &Words, inst: InstId, fates: &BTreeMap<InstId, Vec<String>>) -> Option<Decision> {
    let (active, why) = reason(cx, inst)?;
    let text = ir::print::print_inst(cx.m, cx.func, inst).trim().to_owned();
    let loc = cx.m.source_loc(cx.func, inst).filter(|s| s.line > 0);
    Some(Decision { text, loc, active, why, fate: fates.get(&inst).cloned().unwrap_or_default() })
}

/// Is the instruction active, and why; none of what is neither a number nor a pointer, and writes nothing.
fn reason(cx: &Words, inst: InstId) -> Option<(bool, String)> {
    let data = &cx.func.insts[inst];
    let result = data.result.map(Operand::Local);
    let number = result.is_some_and(|v| cx.facts.float_like(cx.m, cx.id, cx.func, v));
    Some(match &data.kind {
        InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. } => stored(cx, inst, *value, *ptr)?,
        InstKind::Load { ptr, .. } if number => {
            let active = result.is_some_and(|v| cx.has_adjoint(v));
            let what = memory(cx, *ptr);
            (active, if active { format!("{what} may hold active numbers") } else { idle(cx, *ptr) })
        }
        InstKind::Call(call) | InstKind::Invoke { call, .. } => called(cx, inst, call)?,
        InstKind::Ret(Some(value)) if cx.facts.float_like(cx.m, cx.id, cx.func, *value) => (
            cx.has_adjoint(*value),
            if cx.has_adjoint(*value) { because(cx, *value) } else { no_reason(cx, &[*value]) },
        ),
        kind if number => {
            let value = result?;
            let operands: Vec<Operand> = kind.operands().into_iter().collect();
            match operands.iter().find(|o| cx.has_adjoint(**o)) {
                _ if !cx.has_adjoint(value) => (false, no_reason(cx, &operands)),
                Some(operand) => (true, because(cx, *operand)),
                None => (true, "it carries an active number".to_owned()),
            }
        }
        _ => {
            let pointer = result.filter(|v| cx.m.types.is_ptr(cx.ty(*v)))?;
            let shadow = cx.has_shadow(pointer);
            let place = memory(cx, pointer);
            (shadow, if shadow { format!("{place} has a shadow") } else { format!("{place} has no shadow") })
        }
    })
}

fn stored(cx: &Words, inst: InstId, value: Operand, ptr: Operand) -> Option<(bool, String)> {
    let number = cx.facts.float_like(cx.m, cx.id, cx.func, value);
    let pointer = cx.m.types.is_ptr(cx.ty(value));
    if !number && !pointer {
        return None;
    }
    let place = memory(cx, ptr);
    Some(match () {
        () if cx.acts(inst) && cx.has_adjoint(value) => (true, format!("an active number, into {place}")),
        () if cx.acts(inst) => (true, format!("a constant over what may be active: the shadow of {place} is cleared")),
        () if cx.moves_shadow(inst) => (true, format!("a pointer: its shadow goes into that of {place}")),
        () if number => (false, format!("{} into memory without active numbers: {place}", no_reason(cx, &[value]))),
        () => (false, format!("a pointer into memory without shadow: {place}")),
    })
}

fn called(cx: &Words, inst: InstId, call: &ir::Call) -> Option<(bool, String)> {
    let acts = cx.acts(inst) || cx.moves_shadow(inst);
    let active = || call.args.iter().find(|a| cx.has_adjoint(**a) || cx.has_shadow(**a));
    Some(match cx.callee(call) {
        Callee::Derived(_) => match active() {
            Some(argument) => (true, format!("differentiated: {}", because(cx, *argument))),
            None => (true, "differentiated: it reaches active memory".to_owned()),
        },
        Callee::Plain => (false, "nothing active goes in or comes out".to_owned()),
        Callee::External(External::Rule(_)) => match call.args.iter().find(|a| cx.has_adjoint(**a)) {
            Some(argument) if acts => (true, because(cx, *argument)),
            Some(argument) => (false, format!("{}, and its derivative is zero everywhere", because(cx, *argument))),
            None => (false, no_reason(cx, &call.args)),
        },
        Callee::External(External::Reduction(_) | External::Held) => match active() {
            Some(argument) => (true, because(cx, *argument)),
            None => (false, no_reason(cx, &call.args)),
        },
        Callee::External(External::Custom) => (acts, "the program gives its derivative".to_owned()),
        Callee::External(External::Allocate { .. }) => {
            let result = Operand::Local(cx.func.insts[inst].result?);
            let shadow = cx.has_shadow(result);
            (
                shadow,
                if shadow { "memory with a shadow of its own" } else { "memory that never holds anything active" }
                    .to_owned(),
            )
        }
        Callee::External(External::Free { .. }) => {
            (acts, "gives memory back, after the reverse pass if that has a shadow".to_owned())
        }
        Callee::External(External::Copy) => {
            (acts, format!("from {} to {}", memory(cx, call.args[1]), memory(cx, call.args[0])))
        }
        Callee::External(External::Set) => (acts, format!("fills {}", memory(cx, call.args[0]))),
        Callee::External(External::Links(_)) => (acts, "joins nodes, and those of their shadows".to_owned()),
        Callee::External(External::Order(order)) => {
            let text = match order {
                Order::Meet => "threads of the grid wait for each other, in the reverse pass too",
                Order::Barrier => "all threads wait for each other, in the reverse pass too",
                Order::Enter { .. } => {
                    "a section begins that threads execute one after the other; it is reversed in turn"
                }
                Order::Leave { .. } => "the section ends; its place in the order is kept",
                Order::Serialize | Order::Join => "a team of one thread, in the reverse pass too",
            };
            (acts, text.to_owned())
        }
        Callee::External(External::Message(_)) => {
            let what = if acts {
                "a message of floats, which goes back in the reverse pass"
            } else {
                "a message without floats"
            };
            (acts, what.to_owned())
        }
        Callee::External(External::Inactive) => {
            let name = cx.m.as_function(call.callee).map_or("", |f| cx.m.functions[f].name.as_str());
            if name.starts_with("llvm.dbg") || name.starts_with("llvm.lifetime") {
                return None;
            }
            (false, "known, or declared, to be without derivative".to_owned())
        }
        Callee::External(External::Unknown) => (false, "unknown, and nothing active reaches it".to_owned()),
    })
}

/// Why an operand is active.
fn because(cx: &Words, operand: Operand) -> String {
    let Operand::Local(v) = operand else { return "a constant".to_owned() };
    match cx.func.values[v].def {
        ValueDef::Param(_) => format!("parameter {} is active", name(cx, v)),
        ValueDef::Inst(_) => format!("{} is active", name(cx, v)),
    }
}

/// Why nothing active comes from these.
fn no_reason(cx: &Words, operands: &[Operand]) -> String {
    let locals: Vec<ValueId> = operands.iter().filter_map(|o| o.local()).collect();
    let constant = |v: &&ValueId| cx.facts.float_like(cx.m, cx.id, cx.func, Operand::Local(**v));
    let numbers: Vec<String> = locals.iter().filter(constant).take(NAMED).map(|v| origin(cx, *v)).collect();
    match (numbers.is_empty(), locals.is_empty()) {
        (true, true) => "only literals".to_owned(),
        (true, false) => "computed from integers".to_owned(),
        (false, _) => numbers.join(", "),
    }
}

/// What a number without derivative is.
fn origin(cx: &Words, v: ValueId) -> String {
    let name = name(cx, v);
    match cx.func.values[v].def {
        ValueDef::Param(_) => format!("parameter {name} is constant"),
        ValueDef::Inst(_) => format!("{name} is constant"),
    }
}

fn name(cx: &Words, v: ValueId) -> String {
    let value = &cx.func.values[v];
    match (value.name.as_str(), value.def) {
        ("", ValueDef::Inst(inst)) => {
            let text = ir::print::print_inst(cx.m, cx.func, inst);
            text.trim().split(' ').next().unwrap_or_default().to_owned()
        }
        ("", ValueDef::Param(index)) => format!("number {}", index + 1),
        (name, _) => format!("%{name}"),
    }
}

/// Why no active number comes from a load.
fn idle(cx: &Words, ptr: Operand) -> String {
    let what = memory(cx, ptr);
    match cx.facts.pointer_kind(cx.m, cx.id, ptr) {
        PointerKind::Constant => format!("{what} has no shadow"),
        PointerKind::Duplicated | PointerKind::Mixed => format!("no active number is stored in {what}"),
    }
}

/// The objects that a pointer may point to.
fn memory(cx: &Words, ptr: Operand) -> String {
    let targets = cx.targets(ptr);
    let mut names: Vec<String> = targets.keys().map(|o| object(cx, *o)).collect();
    names.dedup();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    match (names.is_empty(), more) {
        (true, _) => "memory that is not known".to_owned(),
        (false, 0) => names.join(" or "),
        (false, more) => format!("{} or {more} others", names.join(" or ")),
    }
}

fn object(cx: &Words, id: ObjId) -> String {
    let Object { kind, inactive, .. } = &cx.facts.objects[id];
    let line = |f: &FuncId, inst: &InstId| {
        let func = cx.sources.get(f).unwrap_or(&cx.m.functions[*f]);
        let loc = func.insts.get(*inst).and_then(|_| cx.m.source_loc(func, *inst)).filter(|s| s.line > 0);
        loc.map_or_else(String::new, |loc| format!(" of line {}", loc.line))
    };
    let declared = if *inactive { " (declared inactive)" } else { "" };
    let text = match kind {
        ObjKind::Stack(f, inst) => {
            let func = cx.sources.get(f).unwrap_or(&cx.m.functions[*f]);
            let named = func
                .insts
                .get(*inst)
                .and_then(|i| i.result)
                .map(|v| func.values[v].name.clone())
                .filter(|n| !n.is_empty());
            named.map_or_else(|| format!("a local variable{}", line(f, inst)), |name| format!("variable %{name}"))
        }
        ObjKind::Heap(f, inst) => format!("the block{}", line(f, inst)),
        ObjKind::Global(g) => format!("@{}", cx.m.globals[*g].name),
        ObjKind::Function(f) => format!("@{}", cx.m.functions[*f].name),
        ObjKind::External { param, depth, constant, .. } => {
            let through = match depth {
                0 => "memory of",
                _ => "memory reached through",
            };
            let marked = if *constant { " (enzyme_const)" } else { "" };
            format!("{through} {}{marked}", cx.parameters.get(*param).map_or("a parameter", String::as_str))
        }
        ObjKind::Opaque => "memory of the system".to_owned(),
        ObjKind::Lost => "memory at an address that was made of numbers".to_owned(),
    };
    text + declared
}
