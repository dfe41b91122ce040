//! The split derivative of a loop with checkpoints, from that of its step.
//!
//! Neither pass leaves anything on the tape but what the steps get: the forward pass executes all steps, each with a
//! tape of its own that is dropped at once, and saves what they overwrite; the reverse undoes that, executes steps
//! again by the schedule and reverses one at a time (`undo.c`). The functions here only carry arguments:
//!
//! - *environment*: behind the head that `undo.c` knows, the arguments of a step with their shadows, and for each
//!   active number that is passed by value its adjoint so far;
//! - `forward(environment, tape, record)`: the augmented forward of a step, which says whether it left the loop;
//! - `reverse(environment, record)`: its reverse; adds up the adjoints of what is passed by value.

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::{Diagnostic, Reason};
use crate::normalise::outline::{FORWARD, LOOP};
use crate::normalise::sources::Sources;
use crate::reverse::{Derived, Env};
use crate::runtime::{refuse, tape};
use ir::{AttrValue, BinOp, FuncId, Function, InstKind, Module, Operand, TypeId};

/// Bytes of `struct adj_loop`.
const HEAD: u64 = 96;

const REVERSE: &str = "__adj_undo_reverse";

/// The step of a loop with checkpoints.
fn step_of(m: &Module, sources: &Sources, id: FuncId) -> Option<FuncId> {
    let func = &sources[&id];
    func.inst_order().find_map(|(_, inst)| m.as_function(func.insts[inst].kind.as_call()?.callee))
}

/// The schedule of a loop with checkpoints, and its number.
fn schedule(func: &Function) -> Option<(u64, u64)> {
    let Some(AttrValue::Str(Some(text))) = func.attrs.get(LOOP) else { return None };
    let (schedule, number) = text.split_once(':')?;
    Some((schedule.parse().ok()?, number.parse().ok()?))
}

/// Offsets of the environment.
struct Environment {
    given: Vec<(TypeId, u64)>,
    adjoints: Vec<(TypeId, u64)>,
    size: u64,
}

impl Environment {
    fn new(m: &mut Module, source: &Function, derived: &Derived) -> Environment {
        let mut types: Vec<TypeId> = source.params.iter().map(|p| p.ty).collect();
        types.extend(derived.shadows.iter().map(|i| source.params[*i].ty));
        let count = types.len();
        types.extend(derived.outs.iter().map(|(_, ty)| *ty));
        let whole = m.types.tuple(types.clone());
        let layout = m.layout.struct_layout(&m.types, whole);
        let (size, offsets) = layout.map_or((0, Vec::new()), |l| (l.size, l.offsets));
        let mut given: Vec<(TypeId, u64)> = types.into_iter().zip(offsets).collect();
        let adjoints = given.split_off(count.min(given.len()));
        Environment { given, adjoints, size }
    }
}

/// Emits the bodies of the split derivative.
pub fn split(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let source = &env.sources[&id];
    let bug = |m: &Module, message: &str| Err(Diagnostic::of(m, source, Reason::Bug, message));
    let (Some(step), Some((schedule, number))) = (step_of(m, env.sources, id), schedule(source)) else {
        return bug(m, "a loop with checkpoints without a step or a schedule");
    };
    let known = [FORWARD, REVERSE].map(|name| m.function(name).filter(|f| !m.functions[*f].is_declaration()));
    let [Some(forward), Some(reverse)] = known else {
        let message = "a loop with checkpoints needs the functions of `undo.c`, which `adj --checkpoint` brings";
        return Err(Diagnostic::of(m, source, Reason::Misuse, message));
    };
    let loc = source.inst_order().find_map(|(_, i)| source.insts[i].loc);
    let derived = &env.derived[&id];
    // A step of which nothing is differentiated is executed as it is.
    let Some(of_step) = env.derived.get(&step) else {
        return bug(m, "a loop with checkpoints whose step has no derivative");
    };
    if of_step.shadows != derived.shadows || of_step.outs != derived.outs {
        return bug(m, "a loop with checkpoints that differs from its step");
    }
    let layout = Environment::new(m, source, derived);
    let executing = executing(m, &source.name, of_step, &layout);
    let reversing = reversing(m, &source.name, of_step, &layout);

    let signature = m.functions[derived.forward].clone();
    let mut b = Builder::new(m, signature);
    b.loc = loc;
    let tape = b.f.param(layout.given.len());
    let alloc = tape::tape_alloc(b.m);
    let bytes = b.m.int(64, u128::from(HEAD + layout.size));
    let head = b.call(alloc, vec![tape, bytes]).unwrap_or(tape);
    for (i, (ty, offset)) in layout.given.iter().enumerate() {
        let (at, value) = (b.offset(head, HEAD + offset), b.f.param(i));
        let align = align(&b, *ty);
        b.store(value, at, align);
    }
    let free = tape::tape_free(b.m);
    let refuse = refuse::refuse(b.m);
    let [executing, reversing, free, refuse] =
        [executing, reversing, free, refuse].map(|function| b.m.function_address(function));
    let [schedule, number] = [schedule, number].map(|n| b.m.int(64, u128::from(n)));
    let args = vec![head, executing, reversing, free, refuse, schedule, number, tape];
    let left = b.call(forward, args).unwrap_or(tape);
    let poison = b.m.constant(b.f.ret, ir::ConstKind::Poison);
    let with_left = b.insert(poison, left, 0);
    let result = b.insert(with_left, head, 1);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    m.functions[derived.forward] = f;

    let signature = m.functions[derived.reverse].clone();
    let mut b = Builder::new(m, signature);
    b.loc = loc;
    let head = b.f.param(0);
    // Here, not in the forward pass: a tape that is kept is reversed more than once.
    for (ty, offset) in &layout.adjoints {
        let (at, zero) = (b.offset(head, HEAD + offset), b.m.zero(*ty));
        let align = align(&b, *ty);
        b.store(zero, at, align);
    }
    b.call(reverse, vec![head]);
    let mut result = (!layout.adjoints.is_empty()).then(|| b.m.constant(b.f.ret, ir::ConstKind::Poison));
    for (i, (ty, offset)) in layout.adjoints.iter().enumerate() {
        let at = b.offset(head, HEAD + offset);
        let align = align(&b, *ty);
        let adjoint = b.load(*ty, at, align);
        result = result.map(|whole| b.insert(whole, adjoint, i as u32));
    }
    b.effect(InstKind::Ret(result));
    let f = b.f;
    m.functions[derived.reverse] = f;
    Ok(())
}

/// What is known of the alignment of a datum in the environment, which is 16 bytes' at its start.
fn align(b: &Builder, ty: TypeId) -> u64 {
    b.align(ty).min(8)
}

/// `i32 (environment, tape, where the record goes)`
fn executing(m: &mut Module, name: &str, step: &Derived, layout: &Environment) -> FuncId {
    let (ptr, code) = (m.types.ptr(), m.types.int(32));
    let mut f = Function::new(&unique(m, &format!("__adj_execute_{name}")), code, &[ptr, ptr, ptr]);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let [environment, tape, record_at] = [0, 1, 2].map(|i| b.f.param(i));
    let mut args: Vec<Operand> = Vec::new();
    for (ty, offset) in &layout.given {
        let at = b.offset(environment, *offset);
        let align = align(&b, *ty);
        args.push(b.load(*ty, at, align));
    }
    args.push(tape);
    let result = b.call(step.forward, args).unwrap_or(tape);
    let (left, record) = (b.extract(result, 0), b.extract(result, 1));
    b.store(record, record_at, 8);
    b.effect(InstKind::Ret(Some(left)));
    let f = b.f;
    b.m.functions.push(f)
}

/// `void (environment, record)`
fn reversing(m: &mut Module, name: &str, step: &Derived, layout: &Environment) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let mut f = Function::new(&unique(m, &format!("__adj_reverse_step_{name}")), void, &[ptr, ptr]);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let [environment, record] = [0, 1].map(|i| b.f.param(i));
    let result = b.call(step.reverse, vec![record]);
    for (i, (ty, offset)) in layout.adjoints.iter().enumerate() {
        let Some(result) = result else { break };
        let at = b.offset(environment, *offset);
        let align = align(&b, *ty);
        let (old, more) = (b.load(*ty, at, align), b.extract(result, i as u32));
        let sum = add(&mut b, old, more);
        b.store(sum, at, align);
    }
    b.effect(InstKind::Ret(None));
    let f = b.f;
    b.m.functions.push(f)
}

/// The sum of two adjoints: of floats, of vectors of them, or member by member.
fn add(b: &mut Builder, x: Operand, y: Operand) -> Operand {
    let ty = b.ty(x);
    let Some(count) = b.m.types.fields(ty).map(|(fields, _)| fields.len()) else {
        return b.binary(BinOp::FAdd, x, y);
    };
    let mut sum = x;
    for i in 0..count {
        let (left, right) = (b.extract(x, i as u32), b.extract(y, i as u32));
        let part = add(b, left, right);
        sum = b.insert(sum, part, i as u32);
    }
    sum
}
