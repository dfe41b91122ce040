//! Forward mode: the tangent of a function beside its primal, instruction by instruction.
//!
//! Every value that may depend on active inputs, and every pointer to memory that may, has a *dual* for each direction:
//! of a float its tangent, of a pointer its shadow, of a structure both, field by field. The dual of an instruction's
//! result is computed right behind the instruction: whatever only moves data (a phi, a select, a load from the shadow
//! of memory) is done to the duals as it is to the primal, and an operation of the table gives `Σ ∂yᵢ/∂xⱼ · ẋⱼ` with
//! the partials that the reverse mode uses (Griewank & Walther, "Evaluating Derivatives", 2nd ed., 3.1). Nothing is
//! stored, and control flow is the primal's, so that loops and irreducible graphs need no care.
//!
//! The tangent of a function takes each parameter with its duals behind it and returns `{ result, duals }`. The *root*,
//! which a differentiated call calls, takes the duals of the arguments that the call duplicates, and returns the
//! tangents alone. Shadow memory is made beside primal memory, by the same allocator, cleared, and given back where the
//! primal's is.
//!
//! Where a pointer may point to constant memory its shadow is then the pointer itself ([`PointerKind::Mixed`]).

mod beside;
pub mod blas;
mod call;
mod fork;
mod instruction;
mod memory;
mod messages;
mod value;

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Callee, Context};
use crate::analysis::discarded::{Absorbed, absorbed};
use crate::analysis::memory::object::{ObjId, ObjKind, Object};
use crate::analysis::memory::query::PointerKind;
use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::emit::shadow_globals::shadow_globals;
use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Style};
use crate::normalise::fork::is_fork;
use crate::normalise::sources::Sources;
use crate::normalise::threads::{is_await, is_parallel, is_spawn};
use crate::options::Fault;
use crate::program::attributes;
use crate::program::cell::Span;
use crate::program::custom_rule::parameters;
use crate::program::externals::{External, holds_float, holds_pointer};
use crate::program::openmp::{awaits_tasks, hands_over};
use beside::What;
use ir::cfg::Cfg;
use ir::hash::HashMap;
use ir::{BlockId, FuncId, Function, GlobalId, InstId, InstKind, Module, Operand, Origin, Role, Type, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The tangent of a function that another one calls.
#[derive(Clone, Debug)]
struct Derived {
    function: FuncId,
    /// Parameters that are followed by their duals.
    params: Vec<bool>,
    /// The result is returned with its duals.
    returns: bool,
}

/// What all functions of one differentiated call share.
struct Env<'a> {
    facts: &'a Analyses,
    sources: &'a Sources,
    /// Functions that do something to duals.
    differentiable: &'a BTreeSet<FuncId>,
    derived: BTreeMap<FuncId, Derived>,
    /// Shadows of global variables, by direction.
    globals: Vec<BTreeMap<GlobalId, GlobalId>>,
    /// Memory from allocators of the program's own, whose shadow lives as long as the call. To ask such an allocator
    /// for the shadow would change its state, which is memory of the primal.
    pooled: BTreeSet<ObjId>,
    width: usize,
    style: Style,
    fault: Option<Fault>,
}

/// A phi to be completed when all blocks are emitted: of the primal, or of the duals in one direction.
struct Pending {
    primal: InstId,
    clone: InstId,
    direction: Option<usize>,
}

/// The emission of one function.
struct Emitter<'a, 'm> {
    b: Builder<'m>,
    env: &'a Env<'a>,
    id: FuncId,
    func: &'a Function,
    root: bool,
    primal: HashMap<ValueId, Operand>,
    duals: HashMap<ValueId, Vec<Operand>>,
    blocks: HashMap<BlockId, BlockId>,
    pending: Vec<Pending>,
    scratch: Option<Operand>,
    /// The arena of the shadows of pooled memory.
    arena: Option<Operand>,
    /// Where the root stores the result of the primal, if that is wanted.
    result_slot: Option<Operand>,
    /// Values whose infinite tangents end in finite ones.
    absorbed: Absorbed,
}

/// Makes the tangent of `root` along `width` directions and returns it: parameters with their duals after those that
/// the activities duplicate, then where the result of the primal goes if that is wanted; the result's tangent, or an
/// array of them for more than one direction.
pub(crate) fn tangent(
    m: &mut Module,
    (root, activities): (FuncId, &[Activity]),
    (facts, sources, differentiable): (&Analyses, &Sources, &BTreeSet<FuncId>),
    (width, style): (usize, Style),
    fault: Option<Fault>,
) -> Result<FuncId, Diagnostic> {
    let mut globals = Vec::new();
    for _ in 0..width {
        globals.push(shadow_globals(m, facts)?);
    }
    let pooled = pooled(m, facts, sources, root);
    let mut env =
        Env { facts, sources, differentiable, derived: BTreeMap::new(), globals, pooled, width, style, fault };
    let routine = |m: &Module, id: FuncId| match fault {
        None if !facts.loses_in(id) => crate::emit::blas::rule(m, &sources[&id], style),
        _ => None,
    };
    let looked_into = |id: &FuncId| *id == root || routine(m, *id).is_none();
    let called = called(m, &env, looked_into);
    for id in &called {
        declare(m, &mut env, *id);
    }
    for id in &called {
        if let Some(rule) = routine(m, *id) {
            let Derived { function, params, returns } = env.derived[id].clone();
            let (id, duals) = (*id, params.as_slice());
            let wanted = blas::Wanted { facts, sources, differentiable, id, function, duals, returns, width };
            blas::tangent(m, &wanted, rule);
            continue;
        }
        let signature = m.functions[env.derived[id].function].clone();
        let mut e = Emitter::new(m, &env, *id, signature, false);
        let duals = env.derived[id].params.clone();
        e.enter(&duals);
        e.arena = e.b.f.params.last().map(|p| Operand::Local(p.value)).filter(|_| !env.pooled.is_empty());
        e.body()?;
        let mut f = e.b.f;
        if is_parallel(&sources[id]) {
            let of_threads = |global: &GlobalId| !m.globals[*global].thread_local.is_empty();
            // A thread that is new has nothing from before.
            let kept = !is_spawn(&sources[id]);
            let own = kept && env.globals.iter().any(|globals| globals.keys().any(of_threads));
            fork::refuse(m, &sources[id], !env.pooled.is_empty(), own)?;
        }
        let derived = (&env.derived[id], width);
        f = match &sources[id] {
            source if is_fork(source) => fork::fork(m, *id, f)?,
            source if is_spawn(source) => beside::made(m, What::Thread, f, derived),
            source if is_await(source) => beside::awaited(m, f, derived),
            source if hands_over(source) => beside::made(m, What::Task, f, derived),
            source if awaits_tasks(source) => beside::awaited_tasks(m, f),
            _ => f,
        };
        m.functions[env.derived[id].function] = f;
    }
    let function = emit_root(m, &env, root, activities)?;
    Ok(m.functions.push(function))
}

fn emit_root(m: &mut Module, env: &Env, id: FuncId, activities: &[Activity]) -> Result<Function, Diagnostic> {
    let source = &env.sources[&id];
    let name = unique(m, &format!("__adj_tangent_{}", source.name));
    let duals: Vec<bool> = activities.iter().map(|a| a.is_dup()).collect();
    let mut params = parameters(source, &duals, env.width);
    if env.style.primal_return {
        params.push(m.types.ptr());
    }
    let ret = match (root_returns(m, env.facts, id, source) && !env.style.const_return, env.width) {
        (false, _) => m.types.void(),
        (true, 1) => source.ret,
        (true, width) => m.types.array(width as u64, source.ret),
    };
    let mut signature = Function::new(&name, ret, &params);
    signature.flags.linkage = "internal".to_owned();
    let mut e = Emitter::new(m, env, id, signature, true);
    e.enter(&duals);
    e.result_slot = e.b.f.params.last().map(|p| Operand::Local(p.value)).filter(|_| env.style.primal_return);
    e.open_arena();
    e.own_copies();
    for globals in &env.globals {
        crate::emit::shadow_globals::clear_globals(&mut e.b, globals);
    }
    e.body()?;
    Ok(e.b.f)
}

/// Has the result of the root a tangent (or a shadow) to return?
fn root_returns(m: &Module, facts: &Analyses, id: FuncId, func: &Function) -> bool {
    holds_float(m, func.ret) || holds_pointer(m, func.ret) || carries_float(facts.return_content(id))
}

/// Are floats among what integers carry?
fn carries_float(content: &[Span]) -> bool {
    content.iter().any(|s| s.cell.float().is_some())
}

/// Declares the tangent of a function, so that calls of it can be emitted before it is.
fn declare(m: &mut Module, env: &mut Env, id: FuncId) {
    let func = &env.sources[&id];
    let cx = context(m, env, id);
    let duals: Vec<bool> = (0..func.params.len()).map(|i| has_dual(&cx, func.param(i))).collect();
    let returns = env.facts.returns_active(id) || env.facts.returns_shadow(id);
    let mut params = parameters(func, &duals, env.width);
    if !env.pooled.is_empty() {
        params.push(m.types.ptr());
    }
    let ret = if returns { m.types.tuple(vec![func.ret; 1 + env.width]) } else { func.ret };
    let mut signature = Function::new(&unique(m, &format!("__adj_dual_{}", func.name)), ret, &params);
    signature.flags.linkage = "internal".to_owned();
    let function = m.functions.push(signature);
    env.derived.insert(id, Derived { function, params: duals, returns });
}

fn context<'c>(m: &'c Module, env: &'c Env, id: FuncId) -> Context<'c> {
    Context {
        m,
        facts: env.facts,
        sources: env.sources,
        differentiable: env.differentiable,
        id,
        func: &env.sources[&id],
    }
}

/// Memory with a shadow that allocators of the program's own give, and that does not outlive the call: neither the
/// caller's memory nor a global variable leads to it, and it is not returned.
fn pooled(m: &Module, facts: &Analyses, sources: &Sources, root: FuncId) -> BTreeSet<ObjId> {
    let own = |kind: &ObjKind| match kind {
        ObjKind::Heap(f, inst) => {
            let call = sources.get(f).and_then(|func| func.insts[*inst].kind.as_call());
            let callee = call.and_then(|call| m.as_function(call.callee));
            callee.is_some_and(|f| attributes::allocates(&m.functions[f]).is_some())
        }
        _ => false,
    };
    let reached = facts.found_outside(root, true);
    let pooled = |(id, o): &(ObjId, &Object)| facts.is_shadowed(*id) && own(&o.kind) && !reached.contains(id);
    facts.objects.iter().filter(pooled).map(|(id, _)| id).collect()
}

/// Has the operand a tangent, or a shadow, of its own?
fn has_dual(cx: &Context, operand: Operand) -> bool {
    operand.local().is_some() && (cx.has_adjoint(operand) || cx.has_shadow(operand))
}

/// Functions whose tangent does more than the function itself: they touch shadow memory, or return a dual.
pub(crate) fn differentiable(m: &Module, facts: &Analyses, sources: &Sources, root: FuncId) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::from([root]);
    loop {
        let before = out.len();
        for (id, func) in sources {
            let cx = Context { m, facts, sources, differentiable: &out, id: *id, func };
            let acts = facts.returns_active(*id)
                || facts.returns_shadow(*id)
                || [is_spawn, is_await, hands_over, awaits_tasks].iter().any(|is| is(func))
                || func.inst_order().any(|(_, inst)| touches_shadows(&cx, inst));
            if acts {
                out.insert(*id);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// Does the instruction change or give back shadow memory?
fn touches_shadows(cx: &Context, inst: InstId) -> bool {
    let shadowed = |ptr: Operand| cx.pointer_kind(ptr) != PointerKind::Constant;
    match &cx.func.insts[inst].kind {
        InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => shadowed(*ptr),
        InstKind::Call(call) => match cx.callee(call) {
            Callee::Derived(_) => true,
            Callee::External(External::Copy | External::Set) => shadowed(call.args[0]),
            Callee::External(External::Message(row)) => row.acts(cx.m, call),
            Callee::External(_) => call.args.iter().any(|a| cx.m.types.is_ptr(cx.ty(*a)) && shadowed(*a)),
            Callee::Plain => false,
        },
        _ => false,
    }
}

/// Functions whose tangent some differentiated function calls that is looked into.
fn called(m: &Module, env: &Env, looked_into: impl Fn(&FuncId) -> bool) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    for id in env.differentiable.iter().filter(|id| looked_into(id)) {
        let cx = context(m, env, *id);
        for (_, inst) in cx.func.inst_order() {
            if let Some(Callee::Derived(f)) = cx.func.insts[inst].kind.as_call().map(|call| cx.callee(call)) {
                out.insert(f);
            }
        }
    }
    out
}

impl<'a, 'm> Emitter<'a, 'm> {
    fn new(m: &'m mut Module, env: &'a Env<'a>, id: FuncId, signature: Function, root: bool) -> Self {
        let absorbed = absorbed(&context(m, env, id));
        Emitter {
            b: Builder::new(m, signature),
            env,
            id,
            func: &env.sources[&id],
            root,
            primal: HashMap::default(),
            duals: HashMap::default(),
            blocks: HashMap::default(),
            pending: Vec::new(),
            scratch: None,
            arena: None,
            result_slot: None,
            absorbed,
        }
    }

    fn cx(&self) -> Context<'_> {
        context(self.b.m, self.env, self.id)
    }

    fn has_dual(&self, operand: Operand) -> bool {
        has_dual(&self.cx(), operand)
    }

    fn has_fault(&self, fault: Fault) -> bool {
        self.env.fault == Some(fault)
    }

    fn directions(&self) -> std::ops::Range<usize> {
        0..self.env.width
    }

    fn unsupported<T>(&self, inst: InstId, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::at(self.b.m, self.func, inst, Reason::Unsupported, message))
    }

    /// Everything emitted from now on stands for this primal instruction, in this role.
    fn stand_for(&mut self, inst: InstId, role: Role) {
        self.b.loc = self.func.insts[inst].loc;
        let own = self.b.m.functions[self.id].insts.is_valid(inst).then_some(Origin { func: self.id, inst, role });
        let origin = self.func.insts[inst].origin.or(own);
        self.b.origin = origin.map(|origin| Origin { role, ..origin });
    }

    /// Names the parameters.
    fn enter(&mut self, duals: &[bool]) {
        let mut next = 0..;
        for (param, dual) in self.func.params.iter().zip(duals) {
            let mut parameter = |e: &Self| next.next().map(|i| e.b.f.param(i));
            if let Some(primal) = parameter(self) {
                self.primal.insert(param.value, primal);
            }
            if *dual {
                let duals = self.directions().filter_map(|_| parameter(self)).collect();
                self.duals.insert(param.value, duals);
            }
        }
    }

    /// Emits the body from the cursor on.
    fn body(&mut self) -> Result<(), Diagnostic> {
        let order: Vec<BlockId> = Cfg::new(self.func).rpo().to_vec();
        for block in &order {
            let clone = if *block == self.func.entry() {
                self.b.at
            } else {
                self.b.f.add_block(&self.func.blocks[*block].name)
            };
            self.blocks.insert(*block, clone);
        }
        for block in &order {
            self.b.at = self.blocks[block];
            for inst in self.func.blocks[*block].insts.clone() {
                self.instruction(inst)?;
            }
        }
        for phi in std::mem::take(&mut self.pending) {
            self.complete_phi(&phi);
        }
        Ok(())
    }

    /// Returns the result with its duals, or in the root the duals alone.
    fn give_back(&mut self, value: Option<Operand>) {
        self.close_arena();
        if let (Some(slot), Some(value)) = (self.result_slot, value) {
            let value = self.primal_of(value);
            let align = self.b.align(self.b.ty(value));
            self.b.store(value, slot, align);
        }
        let returns = if self.root {
            !matches!(self.b.m.types.get(self.b.f.ret), Type::Void)
        } else {
            self.env.derived[&self.id].returns
        };
        let Some(value) = value.filter(|_| returns || !self.root) else {
            self.b.effect(InstKind::Ret(None));
            return;
        };
        let mut parts = Vec::new();
        if !self.root {
            parts.push(self.primal_of(value));
        }
        if returns {
            for d in self.directions() {
                parts.push(self.dual(value, d));
            }
        }
        let result = match parts.as_slice() {
            [single] => *single,
            _ => {
                let ret = self.b.f.ret;
                let mut whole = self.b.m.constant(ret, ir::ConstKind::Poison);
                for (i, part) in parts.into_iter().enumerate() {
                    whole = self.b.insert(whole, part, i as u32);
                }
                whole
            }
        };
        self.b.effect(InstKind::Ret(Some(result)));
    }
}
