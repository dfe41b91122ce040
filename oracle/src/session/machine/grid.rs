//! Derivatives that the threads of a grid compute together: a launch is judged as one call.
//!
//! Each thread asks for its part of a derivative; what they add up to is the derivative of the launch of a kernel that
//! calls the function itself ([`ad::Grid`]). Which memory belongs together is known when the threads make their calls:
//! they are made once on a copy of the memory, and their arguments noted.

use super::{Court, ONCE, as_of_thread};
use crate::calls::reachable;
use crate::judge::{self, Judgement};
use ad::{Grid, Judged};
use interp::shims::gpu::{Geometry, Launched, launched};
use interp::{CallContext, Fault, Interp, Limits, Machine, Memory, Pointer, Program, Res, Scalar, Value};
use ir::FuncId;
use std::cell::RefCell;
use std::rc::Rc;

/// Does what is differentiated ask which thread of a grid it is, or wait for others?
pub(super) fn is_of_grid(program: &Program, judged: &Judged) -> bool {
    let module = &program.module;
    reachable(module, judged.primal).into_iter().any(|id| {
        let function = &module.functions[id];
        function.is_declaration() && ["llvm.nvvm.", "llvm.amdgcn."].iter().any(|start| function.name.starts_with(start))
    })
}

/// A pointer and its shadow.
type Pair = (Pointer, Pointer);

/// What a thread has called a derivative with.
struct Recorder<'a> {
    judged: &'a Judged,
    seen: Rc<RefCell<Vec<Vec<Pair>>>>,
}

impl Machine for Recorder<'_> {
    type Shadow = ();

    fn intercepts(&self, _: &Program, func: FuncId) -> bool {
        func == self.judged.function
    }

    fn call(&mut self, _: &mut CallContext<'_, ()>, _: FuncId, args: &[Value]) -> Res<Value> {
        let mut pairs = Vec::new();
        let mut at = 0;
        for activity in &self.judged.activities {
            let pointer = |at: usize| args.get(at).and_then(Value::first).map(|p| p.as_ptr());
            if activity.is_dup()
                && let (Some(primal), Some(shadow)) = (pointer(at), pointer(at + 1))
            {
                pairs.push((primal, shadow));
            }
            at += if activity.is_dup() { 2 } else { 1 };
        }
        self.seen.borrow_mut().push(pairs);
        Err(Fault::declined())
    }
}

impl Court<'_> {
    /// The host launches something: it is judged if it is a derivative, and then launched as in any program.
    pub(super) fn launches(&mut self, cx: &mut CallContext<'_, ()>, args: &[Value]) -> Res {
        let Some(launched) = launched(cx.program, cx.memory, args) else { return Ok(()) };
        let is_asked = |judged: &&Judged| judged.grid.as_ref().is_some_and(|grid| grid.kernel == launched.kernel);
        for index in 0..self.sites.len() {
            let Some(judged) = self.sites[index].judged.iter().copied().find(is_asked) else { continue };
            let Some(grid) = &judged.grid else { continue };
            self.sites[index].executed += 1;
            if !self.sites[index].due(self.budget) {
                continue;
            }
            let options = judge::Options { limits: cx.within(self.limits()), ..self.options.clone() };
            let found = as_of_thread(cx)?;
            let judgement =
                judged_launch(cx.program, (judged, grid), &found, &launched, self.sites[index].order, &options);
            self.sites[index].spent += ONCE + judgement.work;
            self.sites[index].note(judgement);
            self.tell();
        }
        Ok(())
    }
}

fn judged_launch(
    program: &Program,
    (judged, grid): (&Judged, &Grid),
    memory: &Memory<()>,
    launched: &Launched,
    order: u32,
    options: &judge::Options,
) -> Judgement {
    let whole = Judged {
        primal: grid.primal,
        gradient: grid.gradient,
        function: grid.gradient,
        activities: grid.activities.clone(),
        grid: None,
        ..judged.clone()
    };
    let unknown = vec![(Pointer::default(), Pointer::default()); grid.pairs];
    let arguments = |pairs: &[Pair]| {
        let mut args = launched.args.clone();
        args.extend(pairs.iter().flat_map(|(primal, shadow)| [Value::ptr(*primal), Value::ptr(*shadow)]));
        args.extend(sizes(launched.geometry));
        args
    };
    let calls = called_with(program, (judged, grid), memory, &arguments(&unknown), &options.limits);
    let Some(pairs) = calls.first() else {
        return judge::of_grid(judged, "no thread of the grid comes to the call");
    };
    match calls.iter().all(|other| lead_to_same(memory, pairs, other)) {
        true => judge::judge(program, &whole, (memory, &arguments(pairs)), order, options).0,
        false => judge::of_grid(judged, "threads of the grid pass memory of different objects"),
    }
}

fn sizes(geometry: Geometry) -> impl Iterator<Item = Value> {
    let sides = geometry.grid.into_iter().chain(geometry.block);
    sides.map(|side| Value::i32(side as i32)).chain([Value::scalar(Scalar::word(geometry.shared))])
}

/// What the threads call the derivative with.
fn called_with(
    program: &Program,
    (judged, grid): (&Judged, &Grid),
    memory: &Memory<()>,
    args: &[Value],
    limits: &Limits,
) -> Vec<Vec<Pair>> {
    let seen = Rc::default();
    let recorder = Recorder { judged, seen: Rc::clone(&seen) };
    let mut interp = Interp::with_memory(program, recorder, memory.clone(), limits.clone());
    // What goes wrong there does so again where it is judged.
    drop(interp.call(grid.gradient, args));
    drop(interp);
    Rc::try_unwrap(seen).map(RefCell::into_inner).unwrap_or_default()
}

/// Do pointers lead to the same objects, with shadows at the same distance?
fn lead_to_same(memory: &Memory<()>, pairs: &[Pair], others: &[Pair]) -> bool {
    let object = |pointer: Pointer| memory.info(pointer).map(|object| object.id);
    pairs.iter().zip(others).all(|((primal, shadow), (p, s))| {
        let distance = |from: &Pointer, to: &Pointer| to.addr.wrapping_sub(from.addr);
        object(*primal) == object(*p) && object(*shadow) == object(*s) && distance(primal, shadow) == distance(p, s)
    })
}
