//! Values that are computed, and then thrown away.
//!
//! Programs and optimisers compute values whose result is then thrown away: both arms of a `select`, what a branch does
//! not choose, vector lanes that no one reads (poison, by LangRef `shufflevector`). Their adjoint is zero, but their
//! partial derivative may be infinite, NaN or poison, and zero times that is not zero ([`crate::emit::zero_guard`]).
//! The values concerned are those that flow
//!
//! - into an arm of a `select`, or an instruction that takes vectors apart;
//! - into a phi by an edge, or into blocks, that need not be taken once they are computed;
//! - into an operation that chooses an operand, such as `fmin`;
//! - into memory, from where they need not be read ([`unread`]), or to callers, if an operand may be infinite: a
//!   quotient, or what is computed from one (all others would cost more than they are worth);
//! - into an operation that may be constant where they are infinite, such as `tanh` or a quotient by them, under the
//!   same condition.

mod poles;
mod unread;

use crate::analysis::context::Context;
use crate::base::regions::Shape;
use crate::program::externals::{self, External};
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::hash::HashSet;
use ir::{BinOp, BlockId, ConstId, ConstKind, FloatKind, FuncId, Function, InstKind, Module, Operand, Type, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Values whose adjoint may be zero because they are thrown away.
pub(crate) fn discarded(cx: &Context, shape: &Shape) -> HashSet<ValueId> {
    let (m, func) = (cx.m, cx.func);
    let Shape { cfg, dom, loops, positions } = shape;
    let mut work: Vec<ValueId> = Vec::new();
    for (block, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Select { if_true, if_false, .. } => push(&mut work, &[*if_true, *if_false]),
            // What a loop hands on, to its next iteration or to what comes behind it, is what it has computed.
            InstKind::Phi { incoming, .. } if !incoming.iter().any(|(_, from)| dom.dominates(block, *from)) => {
                let chosen = incoming.iter().filter(|(value, from)| {
                    let made = value.local().and_then(|v| func.def_inst(v)).and_then(|i| positions.block(i));
                    let need_not_be_taken = |made: BlockId| made != *from || cfg.succs(made).len() > 1;
                    made.is_some_and(|made| loops.innermost(made) == loops.innermost(block) && need_not_be_taken(made))
                });
                push(&mut work, &chosen.map(|(value, _)| *value).collect::<Vec<_>>());
            }
            InstKind::ShuffleVector { a, b, .. } => push(&mut work, &[*a, *b]),
            InstKind::ExtractElement { vector, .. } | InstKind::InsertElement { vector, .. } => {
                push(&mut work, &[*vector])
            }
            _ => {}
        }
    }
    work.extend(used_elsewhere(cx, shape));
    let Ends { chosen, tamed } = ends(cx);
    let mut out = made_of(m, func, work.into_iter().chain(chosen).collect());
    // Of what memory may hold, much is tamed in many programs, and little of that is infinite.
    let [infinite, by_memory] = [Origin::Any, Origin::AnyByMemory].map(|from| perhaps_infinite(cx, from));
    let mut finite_of_infinite =
        made_of(m, func, tamed.into_iter().map(|t| t.value).filter(|v| infinite.contains(v)).collect());
    let need_not_count = &out | &finite_of_infinite;
    finite_of_infinite.extend(unread::of(cx, shape, &by_memory, &need_not_count));
    out.extend(finite_of_infinite.into_iter().filter(|v| is_made_of(cx, shape, *v, &by_memory)));
    out
}

/// Values whose tangent may be infinite although that of what an operation makes of them is zero.
pub(crate) struct Absorbed {
    /// They may be infinite, and another operand may be chosen.
    pub(crate) chosen: HashSet<ValueId>,
    /// They may be too large for their format, and the operation tames them, but not what is behind a pole ([`poles`]).
    pub(crate) tamed: HashSet<ValueId>,
}

/// Those of a function.
pub(crate) fn absorbed(cx: &Context) -> Absorbed {
    let Ends { chosen, tamed } = ends(cx);
    let infinite = match chosen.is_empty() && tamed.is_empty() {
        true => HashSet::default(),
        false => perhaps_infinite(cx, Origin::Any),
    };
    let mut tamed: Vec<Tamed> = tamed.into_iter().filter(|t| infinite.contains(&t.value)).collect();
    if !tamed.is_empty() {
        let cfg = Cfg::new(cx.func);
        let poles = poles::poles(cx, &cfg, &DomTree::new(cx.func, &cfg));
        tamed.retain(|t| !poles.matter(t.value, t.settles));
    }
    Absorbed {
        chosen: chosen.into_iter().filter(|v| infinite.contains(v)).collect(),
        tamed: tamed.into_iter().map(|t| t.value).collect(),
    }
}

/// Operands of operations that are flat where the operand is too large for its format, and need not be where it is
/// infinite because of a pole.
pub(crate) fn flat_unless_at_poles(cx: &Context, shape: &Shape) -> HashSet<ValueId> {
    let tamed = ends(cx).tamed;
    if tamed.is_empty() {
        return HashSet::default();
    }
    let poles = poles::poles(cx, &shape.cfg, &shape.dom);
    tamed.into_iter().filter(|t| poles.matter(t.value, t.settles)).map(|t| t.value).collect()
}

/// These floats, and those that they are computed from. Memory and calls of other functions end the trace: what they
/// give is not computed here.
fn made_of(m: &Module, func: &Function, mut work: Vec<ValueId>) -> HashSet<ValueId> {
    let mut out = HashSet::default();
    while let Some(v) = work.pop() {
        if !externals::holds_float(m, func.value_ty(v)) || !out.insert(v) {
            continue;
        }
        let Some(inst) = func.def_inst(v) else { continue };
        let kind = &func.insts[inst].kind;
        if matches!(kind, InstKind::Load { .. }) {
            continue;
        }
        for operand in kind.operands() {
            if !matches!(m.types.get(m.operand_ty(func, operand)), Type::Ptr(_)) {
                push(&mut work, &[operand]);
            }
        }
    }
    out
}

/// Is a float computed from one of these, or from a constant that is not finite?
fn is_made_of(cx: &Context, shape: &Shape, v: ValueId, some: &HashSet<ValueId>) -> bool {
    let inst = cx.func.def_inst(v).filter(|inst| shape.block(*inst).is_some());
    let operands = inst.map(|inst| cx.func.insts[inst].kind.operands()).unwrap_or_default();
    operands.into_iter().any(|operand| match operand {
        Operand::Local(v) => some.contains(&v),
        Operand::Const(c) => !constant_has(cx.m, c, f64::is_finite),
    })
}

/// Is this so of a constant number, or of each in a vector?
fn constant_has(m: &Module, constant: ConstId, is: fn(f64) -> bool) -> bool {
    let data = m.constants.get(constant);
    match (&data.kind, m.types.get(data.ty)) {
        (ConstKind::Float(bits), Type::Float(FloatKind::Double)) => is(f64::from_bits(*bits as u64)),
        (ConstKind::Float(bits), Type::Float(FloatKind::Float)) => is(f64::from(f32::from_bits(*bits as u32))),
        (ConstKind::Aggregate(parts), Type::Vector { .. }) => parts.iter().all(|part| constant_has(m, *part, is)),
        (ConstKind::Zero, _) => is(0.0),
        // Those of other formats are taken for ordinary ones.
        _ => is(1.0),
    }
}

/// Where infinite numbers may end.
struct Ends {
    /// The operands of operations of the table of which another one may be chosen in their place.
    chosen: Vec<ValueId>,
    /// Those of which a finite result may be made where they are infinite. (Others are passed on: the operation is a
    /// polynomial, or proportional to them.)
    tamed: Vec<Tamed>,
}

/// An operand of which a finite result may be made where it is infinite.
struct Tamed {
    value: ValueId,
    /// By a function that is flat there whatever the operand is made of.
    settles: bool,
}

fn ends(cx: &Context) -> Ends {
    let m = cx.m;
    let (mut chosen, mut tamed) = (Vec::new(), Vec::new());
    for (_, inst) in cx.func.inst_order() {
        let (row, args) = match &cx.func.insts[inst].kind {
            InstKind::Binary { op, lhs, rhs, .. } => (rules::lookup_opcode(op.name()), vec![*lhs, *rhs]),
            InstKind::Call(call) => match m.as_function(call.callee).map(|f| externals::classify(m, &m.functions[f])) {
                Some(External::Rule(row)) => (Some(row), call.args.clone()),
                _ => continue,
            },
            _ => continue,
        };
        let Some(row) = row else { continue };
        let floats: Vec<Operand> = row.float_positions().map(|position| args[position]).collect();
        for partial in row.partials(0).iter().filter(|partial| !partial.expr.is_polynomial()) {
            let (needs, v) = (partial.expr.needs(), floats[partial.operand].local());
            match () {
                () if partial.expr.chooses() && row.is_arithmetic() => chosen.extend(v),
                () if needs.result || needs.input(partial.operand) => {
                    tamed.extend(v.map(|value| Tamed { value, settles: row.settles() }));
                }
                () => {}
            }
        }
    }
    Ends { chosen, tamed }
}

/// Does the function return at the end of a block?
fn returns(func: &Function, block: BlockId) -> bool {
    let last = func.terminator(block).map(|inst| &func.insts[inst].kind);
    matches!(last, Some(InstKind::Ret(_) | InstKind::Resume(_)))
}

/// Where infinite numbers come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Quotients and what other functions than those of arithmetic return (a guard, say, and those of the program).
    Any,
    /// The same, and memory that holds them.
    AnyByMemory,
}

/// May a quotient by this be infinite?
fn is_small(m: &Module, divisor: Operand) -> bool {
    divisor.constant().is_none_or(|c| !constant_has(m, c, |divisor| (1.0 / divisor).is_finite()))
}

/// May the result of a function be infinite where its arguments are not? Those that only arrange data are none.
fn has_infinite_result(m: &Module, f: &Function) -> Option<bool> {
    match externals::classify(m, f) {
        External::Rule(row) => Some(!row.is_arithmetic()),
        _ => (!f.is_declaration()).then_some(true),
    }
}

/// Floats that may be infinite although nothing is that the function is given: what comes from there, and what is
/// computed from that.
fn perhaps_infinite(cx: &Context, from: Origin) -> HashSet<ValueId> {
    let (m, func) = (cx.m, cx.func);
    let (mut out, mut variables) = (HashSet::default(), HashSet::default());
    let mut functions: BTreeMap<FuncId, Option<bool>> = BTreeMap::new();
    loop {
        let before = (out.len(), variables.len());
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            let has = |operand: &Operand| match operand {
                Operand::Local(v) => out.contains(v),
                Operand::Const(c) => !constant_has(m, *c, f64::is_finite),
            };
            let among = || data.kind.operands().iter().any(has);
            let infinite = match &data.kind {
                InstKind::Store { value, ptr, .. } => {
                    if from == Origin::AnyByMemory && has(value) {
                        variables.extend(cx.targets(*ptr).into_keys());
                    }
                    continue;
                }
                InstKind::Load { ptr, .. } => cx.targets(*ptr).keys().any(|object| variables.contains(object)),
                InstKind::Binary { op: BinOp::FDiv, rhs, .. } => among() || is_small(m, *rhs),
                InstKind::Call(call) | InstKind::Invoke { call, .. } => m.as_function(call.callee).is_some_and(|f| {
                    let found = functions.entry(f).or_insert_with(|| has_infinite_result(m, &m.functions[f]));
                    found.is_some_and(|infinite| infinite || among())
                }),
                _ => among(),
            };
            if let Some(v) = data.result.filter(|v| infinite && externals::holds_float(m, func.value_ty(*v))) {
                out.insert(v);
            }
        }
        if before == (out.len(), variables.len()) {
            return out;
        }
    }
}

/// Floats that nobody uses on some way through the loop, or the function, that computes them. (What a loop hands on is
/// no matter here, either; and a comparison is no use.)
fn used_elsewhere(cx: &Context, shape: &Shape) -> Vec<ValueId> {
    let (m, func, Shape { cfg, dom, loops, positions }) = (cx.m, cx.func, shape);
    // Where each is used; none for what is handed on.
    let results = func.inst_order().filter_map(|(_, inst)| func.insts[inst].result);
    let floats = results.filter(|v| externals::holds_float(m, func.value_ty(*v)));
    let mut users: BTreeMap<ValueId, Option<BTreeSet<BlockId>>> = floats.map(|v| (v, Some(BTreeSet::new()))).collect();
    let made_in = |v: ValueId| func.def_inst(v).and_then(|inst| positions.block(inst));
    let mut used = |operand: Operand, block: BlockId, handed_on: bool| {
        let Some((v, known)) = operand.local().and_then(|v| Some((v, users.get_mut(&v)?))) else { return };
        let around = made_in(v).and_then(|made| loops.innermost(made));
        let outside = around.is_some_and(|l| !loops.contains(l, block));
        match known {
            Some(_) if outside || handed_on => *known = None,
            Some(blocks) => drop(blocks.insert(block)),
            None => {}
        }
    };
    for (block, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Phi { incoming, .. } => {
                for (value, from) in incoming {
                    used(*value, *from, dom.dominates(block, *from));
                }
            }
            InstKind::FCmp { .. } => {}
            kind => kind.operands().into_iter().for_each(|operand| used(operand, block, false)),
        }
    }
    let unused = |(v, blocks): &(ValueId, BTreeSet<BlockId>)| {
        let Some(made) = made_in(*v).filter(|made| !blocks.contains(made)) else { return false };
        let (around, mut seen, mut work) = (loops.innermost(made), BTreeSet::from([made]), vec![made]);
        while let Some(at) = work.pop() {
            let nexts = cfg.succs(at);
            let ends = |next: &BlockId| {
                let leaves = around.is_some_and(|l| !loops.contains(l, *next) || loops.loops[l].header == *next);
                leaves && !blocks.contains(next)
            };
            if nexts.iter().any(ends) || returns(func, at) {
                return true;
            }
            work.extend(nexts.iter().filter(|next| !blocks.contains(next) && seen.insert(**next)));
        }
        false
    };
    let somewhere = users.into_iter().filter_map(|(v, blocks)| blocks.map(|blocks| (v, blocks)));
    somewhere.filter(unused).map(|(v, _)| v).collect()
}

fn push(work: &mut Vec<ValueId>, operands: &[Operand]) {
    work.extend(operands.iter().filter_map(|o| o.local()));
}
