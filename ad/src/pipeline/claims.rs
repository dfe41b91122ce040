//! What the analyses claim of every execution, written into the program as probes, so that an execution can refute it.
//!
//! [`claims`] analyses what an autodiff call reaches, as for its gradient, and puts the analysed functions where the
//! call was: the program then executes the primal in the form that was analysed first (before loads are merged and
//! loops are restructured), and tells probes of what it does. A probe is a call of a function without a body
//! ([`Probe`]). Whoever executes the program (the interpreter, in `fuzz`) compares what probes are told with the
//! claims. This says nothing of the gradient; but what is refuted here is what a gradient would have been made from.

use crate::analysis::context::Context;
use crate::analysis::loops::counters::Trips;
use crate::analysis::loops::{induction, trip_count};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::analysis::reach::differentiable;
use crate::analysis::reload;
use crate::base::builder::{Builder, plain_call};
use crate::base::names::declare;
use crate::base::regions::Shape;
use crate::emit::trip_count::last_iteration;
use crate::emit::zero_guard;
use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Mode};
use crate::normalise::clone_contexts::Calls;
use crate::options::{Everywhere, Options, Without};
use crate::pipeline::analyse::{Analysed, analysed};
use crate::pipeline::derivative::{attempt, looked_into};
use crate::pipeline::{read, requests};
use crate::request::autodiff::Request;
use crate::request::order::inner_first;
use ir::entity::EntityRef;
use ir::hash::HashMap;
use ir::{BlockId, FuncId, Function, GlobalId, Inst, InstId, InstKind, Module, Operand, Type, TypeId, ValueId};
use std::collections::BTreeSet;

/// Every name of a probe begins so.
const PREFIX: &str = "__adj_claim_";

/// What a probe tells. All numbers are `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// `(object, ptr)`: memory of this number begins there.
    Object,
    /// `(claim, ptr)`: this address is about to be used.
    Leads,
    /// `(claim, ptr, size)`: what lies there now, lies there until the end.
    Stays,
    /// `(claim, ptr, size)`: a store has left this.
    Wrote,
    /// `(claim, ptr, size)`: a load has found this.
    Sees,
    /// `(claim, value)`: a number.
    Value,
    /// `(claim, number)`: a loop will run so often, if it is entered.
    Enters,
    /// `(claim)`: another iteration of it begins.
    Turns,
    /// `(root)`: a function is entered; of the differentiated one the number is 1.
    Begins,
    /// `(root)`: a function returns; of the differentiated one the number is 1.
    Ends,
    /// `(ptr, size)`: a number is about to be loaded from memory of the caller that the call does not mark constant.
    Input,
    /// `(value)`, which returns a value: an active argument of the call.
    Argument,
}

impl Probe {
    const ALL: [(Probe, &str); 12] = [
        (Probe::Object, "object"),
        (Probe::Leads, "leads"),
        (Probe::Stays, "stays"),
        (Probe::Wrote, "wrote"),
        (Probe::Sees, "sees"),
        (Probe::Value, "value"),
        (Probe::Enters, "enters"),
        (Probe::Turns, "turns"),
        (Probe::Begins, "begins"),
        (Probe::Ends, "ends"),
        (Probe::Input, "input"),
        (Probe::Argument, "argument"),
    ];

    /// The probe of that name.
    pub fn of(name: &str) -> Option<Probe> {
        let rest = name.strip_prefix(PREFIX)?;
        let word = rest.split('.').next()?;
        Probe::ALL.iter().find(|(_, known)| *known == word).map(|(probe, _)| *probe)
    }

    fn word(self) -> &'static str {
        Probe::ALL.iter().find(|(probe, _)| *probe == self).map_or("", |(_, word)| word)
    }
}

/// What is claimed.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// An address leads to these objects, and to these offsets in them; what is not the functions' own memory may have
    /// several numbers.
    LeadsTo {
        /// Objects by their numbers, with places in them.
        targets: Vec<(usize, Place)>,
        /// Something is stored there.
        writes: bool,
    },
    /// A number does not depend on the active inputs.
    Inactive,
    /// What was loaded, or stored, is there until the reverse pass.
    Stays,
    /// A load sees what a store has left.
    SeesStore,
    /// A loop runs as often as is computed when it is entered.
    RunsSoOften,
}

/// A claim.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// What is claimed.
    pub what: What,
    /// The function.
    pub function: String,
    /// The instruction, or the block, in words.
    pub place: String,
}

impl Claim {
    /// May the address lead to this offset of an object?
    pub fn leads_to(&self, object: usize, offset: i64) -> bool {
        let What::LeadsTo { targets, .. } = &self.what else { return false };
        targets.iter().any(|(o, place)| *o == object && place.overlaps(1, Place::at(offset), 1))
    }

    /// May the address lead to any of these objects?
    pub fn leads_to_any(&self, objects: impl Fn(usize) -> bool) -> bool {
        let What::LeadsTo { targets, .. } = &self.what else { return false };
        targets.iter().any(|(o, _)| objects(*o))
    }
}

/// Whose memory an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The functions make it.
    Own,
    /// It was there before.
    Others,
}

/// A program that tells what its call does.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The program.
    pub module: Module,
    /// The claims, by their numbers.
    pub claims: Vec<Claim>,
    /// Whose memory the objects are, by their numbers.
    pub owners: Vec<Owner>,
    /// The functions write to memory that the call marks constant: what is read from there is inactive by convention.
    pub writes_constants: bool,
}

/// A defect of the claims, to see that executions refute it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    /// Addresses lead to one object less than they do.
    OneObjectLess,
    /// Addresses lead to a byte later.
    OneByteLater,
    /// No number is active.
    NothingActive,
    /// Whatever is loaded is there until the end.
    EverythingStays,
    /// Loads see the function's first store.
    FirstStore,
    /// Loops run once more.
    OnceMore,
}

/// What is claimed of the functions of the first autodiff call of a module; none if it has no call.
pub fn claims(module: &Module, planted: Option<Planted>) -> Result<Option<Claimed>, Diagnostic> {
    let mut m = module.clone();
    zero_guard::raise(&mut m);
    let misunderstood = read(&mut m);
    let mut refusals = Vec::new();
    let found = requests(&mut m, Everywhere::default(), misunderstood.as_ref(), &mut refusals);
    if let Some(refusal) = refusals.into_iter().next() {
        return Err(refusal.diagnostic);
    }
    let Some(request) = inner_first(&m, found).into_iter().next() else { return Ok(None) };
    let activities: Vec<Activity> = request.arguments.iter().map(|a| a.activity).collect();
    let calls = Calls::try_each(&m, request.primal, |calls| {
        let way = (Mode::Reverse, request.style, calls);
        attempt(&m, request.primal, &activities, way, &Options::default()).map(|_| calls)
    })?;
    let (root, _) = looked_into(&mut m, request.primal)?;
    let Analysed { sources, mut facts, .. } =
        analysed(&mut m, root, &activities, (request.style, calls), Without::default())?;
    facts.both_passes = true;
    let differentiable = differentiable(&m, &facts, &sources, (root, None));
    facts.reloads = reload::find(&m, &facts, &sources, &differentiable, (root, true));
    let mut claims = Vec::new();
    let mut probed = Vec::new();
    for (id, func) in &sources {
        let cx = Context { m: &m, facts: &facts, sources: &sources, differentiable: &differentiable, id: *id, func };
        let mut probes = Probes { cx, root, planted, claims: &mut claims, placed: Placed::default() };
        probes.find()?;
        probed.push((*id, func.clone(), probes.placed));
    }
    for (id, func, placed) in probed {
        m.functions[id] = placed.apply(&mut m, func, planted);
    }
    put_in_place(&mut m, root, &request)?;
    let own = |kind: &ObjKind| matches!(kind, ObjKind::Stack(..) | ObjKind::Heap(..));
    let owners = facts.objects.values().map(|o| if own(&o.kind) { Owner::Own } else { Owner::Others }).collect();
    let constant = |kind: &ObjKind| matches!(kind, ObjKind::External { constant: true, .. });
    let writes_constants = facts.objects.values().any(|o| o.written && (constant(&o.kind) || o.inactive));
    Ok(Some(Claimed { module: m, claims, owners, writes_constants }))
}

/// The call of the derivative becomes a call of the function itself.
fn put_in_place(m: &mut Module, root: FuncId, request: &Request) -> Result<(), Diagnostic> {
    let mut before = Vec::new();
    let mut args = Vec::new();
    for argument in &request.arguments {
        let ty = m.operand_ty(&m.functions[request.caller], argument.primal);
        let plain = argument.activity == Activity::Const || m.types.float_kind(ty).is_none();
        args.push(if plain { argument.primal } else { told(m, request.caller, argument.primal, &mut before) });
    }
    let callee = &m.functions[root];
    let (ret, params) = (callee.ret, callee.params.iter().map(|p| p.ty).collect::<Vec<TypeId>>());
    let attrs = callee.params.iter().map(|p| p.attrs.clone()).collect();
    let caller = &m.functions[request.caller];
    if !args.iter().map(|o| m.operand_ty(caller, *o)).eq(params.iter().copied()) {
        let message = "the arguments are not those of the function itself";
        return Err(Diagnostic::at(m, caller, request.site, Reason::Unsupported, message));
    }
    let fn_ty = m.types.intern(Type::Func { ret, params, vararg: false });
    let address = m.function_address(root);
    let mut call = plain_call(address, fn_ty, args, m.functions[root].cc.clone());
    call.arg_attrs = attrs;
    let gone = m.functions[request.caller].insts[request.site].clone();
    let zero = gone.result.map(|_| m.zero(gone.ty));
    let void = matches!(m.types.get(ret), Type::Void);
    let caller = &mut m.functions[request.caller];
    let new = caller.create_inst(Inst::new(InstKind::Call(Box::new(call)), ret), !void);
    for block in caller.layout.clone() {
        let insts = &mut caller.blocks[block].insts;
        if let Some(at) = insts.iter().position(|i| *i == request.site) {
            insts.splice(at..=at, before.iter().copied().chain([new]));
        }
    }
    if let (Some(result), Some(zero)) = (gone.result, zero) {
        let insts: Vec<InstId> = caller.inst_order().map(|(_, i)| i).collect();
        for inst in insts {
            caller.insts[inst].kind.for_each_operand_mut(|o| {
                if *o == Operand::Local(result) {
                    *o = zero;
                }
            });
        }
    }
    Ok(())
}

/// An active number, as a probe returns it; the call of the probe goes to `before`.
fn told(m: &mut Module, caller: FuncId, value: Operand, before: &mut Vec<InstId>) -> Operand {
    let (kind, ty) = call(m, &m.functions[caller].clone(), (Probe::Argument, &[Arg::Value(value)]));
    let f = &mut m.functions[caller];
    let inst = f.create_inst(Inst::new(kind, ty), true);
    before.push(inst);
    f.insts[inst].result.map_or(value, Operand::Local)
}

/// An argument of a probe.
#[derive(Clone, Copy)]
enum Arg {
    Number(u64),
    Value(Operand),
    Global(GlobalId),
}

type Call = (Probe, Vec<Arg>);

/// The probes of a function, and where they go.
#[derive(Default)]
struct Placed {
    entry: Vec<Call>,
    before: HashMap<InstId, Vec<Call>>,
    after: HashMap<InstId, Vec<Call>>,
    /// Behind the phis of a block.
    head: HashMap<BlockId, Vec<Call>>,
    /// At the end of the block from which a loop is entered.
    trips: Vec<(u64, Trips)>,
}

/// Collects the probes of a function.
struct Probes<'a> {
    cx: Context<'a>,
    root: FuncId,
    planted: Option<Planted>,
    claims: &'a mut Vec<Claim>,
    placed: Placed,
}

impl Probes<'_> {
    fn claim(&mut self, what: What, place: String) -> Arg {
        self.claims.push(Claim { what, function: self.cx.func.name.clone(), place });
        Arg::Number(self.claims.len() as u64 - 1)
    }

    fn text(&self, inst: InstId) -> String {
        ir::print::print_inst(self.cx.m, self.cx.func, inst).trim().to_owned()
    }

    fn find(&mut self) -> Result<(), Diagnostic> {
        let root = u64::from(self.cx.id == self.root);
        self.placed.entry.push((Probe::Begins, vec![Arg::Number(root)]));
        if self.cx.id == self.root {
            self.objects_from_outside();
        }
        let insts: Vec<InstId> = self.cx.func.inst_order().map(|(_, inst)| inst).collect();
        let wanted = leading_somewhere(&self.cx);
        for inst in insts {
            self.own_object(inst);
            self.addresses(inst);
            self.contents(inst);
            self.number(inst, &wanted);
            if matches!(self.cx.func.insts[inst].kind, InstKind::Ret(_)) {
                self.before(inst, (Probe::Ends, vec![Arg::Number(root)]));
            }
        }
        self.loops()
    }

    fn before(&mut self, inst: InstId, call: Call) {
        self.placed.before.entry(inst).or_default().push(call);
    }

    /// Behind an instruction; what ends a block has no place behind it.
    fn after(&mut self, inst: InstId, call: Call) {
        if !self.cx.func.insts[inst].kind.is_terminator() {
            self.placed.after.entry(inst).or_default().push(call);
        }
    }

    fn objects_from_outside(&mut self) {
        for (object, known) in self.cx.facts.objects.iter() {
            let begin = match known.kind {
                ObjKind::Global(global) => Arg::Global(global),
                ObjKind::External { param, depth: 0, .. } => Arg::Value(self.cx.func.param(param)),
                _ => continue,
            };
            self.placed.entry.push((Probe::Object, vec![number(object), begin]));
        }
    }

    fn own_object(&mut self, inst: InstId) {
        let sites = [ObjKind::Stack(self.cx.id, inst), ObjKind::Heap(self.cx.id, inst)];
        let object = sites.into_iter().find_map(|kind| self.cx.facts.site(kind));
        let result = self.cx.func.insts[inst].result.map(Operand::Local);
        if let (Some(object), Some(result)) = (object, result)
            && self.cx.m.types.is_ptr(self.cx.ty(result))
        {
            self.after(inst, (Probe::Object, vec![number(object), Arg::Value(result)]));
        }
    }

    /// Where the pointer leads through which an instruction accesses memory.
    fn addresses(&mut self, inst: InstId) {
        let (ptr, writes) = match self.cx.func.insts[inst].kind {
            InstKind::Load { ptr, .. } => (ptr, false),
            InstKind::Store { ptr, .. } => (ptr, true),
            _ => return,
        };
        if self.cx.facts.leads_elsewhere(self.cx.m, self.cx.id, ptr) {
            return;
        }
        let targets = self.cx.targets(ptr).into_iter().map(|(object, place)| (object.index(), place));
        let targets = match self.planted {
            Some(Planted::OneObjectLess) => targets.skip(1).collect(),
            Some(Planted::OneByteLater) => targets.map(|(o, place)| (o, place.moved(1, 0))).collect(),
            _ => targets.collect(),
        };
        let claim = self.claim(What::LeadsTo { targets, writes }, self.text(inst));
        self.before(inst, (Probe::Leads, vec![claim, Arg::Value(ptr)]));
    }

    /// What lies in memory, and until when.
    fn contents(&mut self, inst: InstId) {
        let cx = self.cx;
        let (ptr, ty, loads) = match cx.func.insts[inst].kind {
            InstKind::Load { ptr, .. } => (ptr, cx.func.insts[inst].ty, true),
            InstKind::Store { ptr, value, .. } => (ptr, cx.ty(value), false),
            _ => return,
        };
        let size = cx.m.layout.store_size(&cx.m.types, ty);
        let what = |claim: Arg| vec![claim, Arg::Value(ptr), Arg::Number(size)];
        if loads && cx.m.types.float_kind(ty).is_some() {
            let caller = |o: &ObjId| match cx.facts.objects[*o].kind {
                ObjKind::External { constant, .. } => !constant && !cx.facts.objects[*o].inactive,
                _ => false,
            };
            let targets = cx.targets(ptr);
            if !targets.is_empty() && targets.keys().all(caller) {
                self.before(inst, (Probe::Input, vec![Arg::Value(ptr), Arg::Number(size)]));
            }
        }
        if loads && (self.planted == Some(Planted::EverythingStays) || cx.facts.reloads.load(cx.id, inst)) {
            let claim = self.claim(What::Stays, self.text(inst));
            self.after(inst, (Probe::Stays, what(claim)));
        }
        if let Some(covering) = cx.facts.reloads.covering(cx.id, inst).filter(|_| loads) {
            let claim = self.claim(What::SeesStore, self.text(inst));
            let is_store = |inst: &InstId| matches!(cx.func.insts[*inst].kind, InstKind::Store { .. });
            let first = cx.func.inst_order().map(|(_, inst)| inst).find(is_store);
            let first = first.filter(|_| self.planted == Some(Planted::FirstStore));
            let store = first.unwrap_or(covering.store);
            self.after(store, (Probe::Wrote, self.of_store(store, claim)));
            self.after(inst, (Probe::Sees, what(claim)));
        }
        if !loads {
            let kept = |made: InstId| cx.facts.reloads.stored(cx.id, made) == Some(inst);
            if cx.func.inst_order().any(|(_, made)| kept(made)) {
                let claim = self.claim(What::Stays, self.text(inst));
                self.after(inst, (Probe::Stays, what(claim)));
            }
        }
    }

    fn of_store(&self, store: InstId, claim: Arg) -> Vec<Arg> {
        let InstKind::Store { ptr, value, .. } = self.cx.func.insts[store].kind else { return Vec::new() };
        let size = self.cx.m.layout.store_size(&self.cx.m.types, self.cx.ty(value));
        vec![claim, Arg::Value(ptr), Arg::Number(size)]
    }

    /// A number that is claimed to be inactive. One that leads nowhere may be anything.
    fn number(&mut self, inst: InstId, wanted: &BTreeSet<ValueId>) {
        let result = self.cx.func.insts[inst].result.filter(|v| wanted.contains(v));
        let Some(result) = result.map(Operand::Local) else { return };
        let ty = self.cx.ty(result);
        if self.cx.m.types.float_kind(self.cx.m.types.scalar(ty)).is_some()
            && (self.planted == Some(Planted::NothingActive) || !self.cx.has_adjoint(result))
        {
            let claim = self.claim(What::Inactive, self.text(inst));
            self.after(inst, (Probe::Value, vec![claim, Arg::Value(result)]));
        }
    }

    /// How often loops run.
    fn loops(&mut self) -> Result<(), Diagnostic> {
        let shape = Shape::new(self.cx.m, self.cx.func)?;
        let counters = induction::all(&self.cx, &shape);
        for l in shape.loops.loops.keys() {
            let Some(trips) = trip_count::of(&self.cx, &shape, &counters, l) else { continue };
            let header = shape.loops.loops[l].header;
            let first = self.cx.func.blocks[header].insts.first().map(|i| self.text(*i));
            let claim =
                self.claim(What::RunsSoOften, format!("the loop that begins with {}", first.unwrap_or_default()));
            let Arg::Number(index) = claim else { continue };
            self.placed.trips.push((index, trips));
            self.placed.head.entry(header).or_default().push((Probe::Turns, vec![claim]));
        }
        Ok(())
    }
}

/// Values from which something is stored, handed over, or returned.
fn leading_somewhere(cx: &Context) -> BTreeSet<ValueId> {
    let func = cx.func;
    // What is computed from numbers alone is nothing but its result.
    let computes = |call: &ir::Call| {
        let declared = cx.m.as_function(call.callee).is_some_and(|f| cx.m.functions[f].is_declaration());
        declared && call.args.iter().all(|o| !cx.m.types.is_ptr(cx.ty(*o)))
    };
    let is_read = |ptr: Operand| {
        let objects: BTreeSet<ObjId> = cx.targets(ptr).into_keys().collect();
        let own = objects.iter().all(|o| cx.facts.is_own(*o)) && !cx.facts.leads_elsewhere(cx.m, cx.id, ptr);
        !own || reload::reads(cx, &objects, |_, _| false)
    };
    let ends = |kind: &InstKind| match kind {
        InstKind::Ret(_) | InstKind::AtomicRmw { .. } => true,
        InstKind::Store { ptr, .. } => is_read(*ptr),
        kind => kind.as_call().is_some_and(|call| !computes(call)),
    };
    let mut found = BTreeSet::new();
    let mut work: Vec<InstId> =
        func.inst_order().map(|(_, inst)| inst).filter(|inst| ends(&func.insts[*inst].kind)).collect();
    while let Some(inst) = work.pop() {
        for value in func.insts[inst].kind.operands().into_iter().filter_map(Operand::local) {
            if found.insert(value) {
                work.extend(func.def_inst(value));
            }
        }
    }
    found
}

fn number(object: ObjId) -> Arg {
    Arg::Number(object.index() as u64)
}

impl Placed {
    /// The function with its probes.
    fn apply(self, m: &mut Module, func: Function, planted: Option<Planted>) -> Function {
        let mut b = Builder { m, f: func, at: BlockId::new(0), loc: None, origin: None };
        for (claim, trips) in &self.trips {
            b.at = trips.enter;
            let end = b.f.blocks[trips.enter].insts.pop();
            let last = last_iteration(&mut b, trips, &trips.operands());
            let more = b.m.int(64, if planted == Some(Planted::OnceMore) { 2 } else { 1 });
            let count = b.binary(ir::BinOp::Add, last, more);
            let (call, ty) = call(b.m, &b.f, (Probe::Enters, &[Arg::Number(*claim), Arg::Value(count)]));
            b.push(call, ty);
            b.f.blocks[trips.enter].insts.extend(end);
        }
        let entry = b.f.entry();
        for block in b.f.layout.clone() {
            let mut pending: Vec<Call> = if block == entry { self.entry.clone() } else { Vec::new() };
            pending.extend(self.head.get(&block).into_iter().flatten().cloned());
            let old = std::mem::take(&mut b.f.blocks[block].insts);
            b.at = block;
            for inst in old {
                let after = self.after.get(&inst).cloned().unwrap_or_default();
                let kind = &b.f.insts[inst].kind;
                if matches!(kind, InstKind::Phi { .. } | InstKind::LandingPad { .. }) {
                    b.f.blocks[block].insts.push(inst);
                    pending.extend(after);
                    continue;
                }
                pending.extend(self.before.get(&inst).cloned().unwrap_or_default());
                emit(&mut b, std::mem::take(&mut pending));
                b.f.blocks[block].insts.push(inst);
                emit(&mut b, after);
            }
        }
        b.f
    }
}

fn emit(b: &mut Builder, calls: Vec<Call>) {
    for (probe, args) in calls {
        let (call, ty) = call(b.m, &b.f, (probe, &args));
        b.push(call, ty);
    }
}

/// The call of a probe, and its type.
fn call(m: &mut Module, f: &Function, (probe, args): (Probe, &[Arg])) -> (InstKind, TypeId) {
    let operands: Vec<Operand> = args
        .iter()
        .map(|arg| match arg {
            Arg::Number(n) => m.int(64, u128::from(*n)),
            Arg::Value(operand) => *operand,
            Arg::Global(global) => m.global_address(*global),
        })
        .collect();
    let types: Vec<TypeId> = operands.iter().map(|o| m.operand_ty(f, *o)).collect();
    // One name for each type of value.
    let of = match (probe, types.last()) {
        (Probe::Value | Probe::Argument, Some(ty)) => format!(".{}", ty.index()),
        _ => String::new(),
    };
    let ret = if probe == Probe::Argument { types[0] } else { m.types.void() };
    let callee = declare(m, &format!("{PREFIX}{}{of}", probe.word()), ret, &types);
    let fn_ty = m.types.intern(Type::Func { ret, params: types, vararg: false });
    let address = m.function_address(callee);
    (InstKind::Call(Box::new(plain_call(address, fn_ty, operands, String::new()))), ret)
}
