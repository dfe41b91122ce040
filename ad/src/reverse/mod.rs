//! Synthesis: from the plan to IR.
//!
//! A *combined* gradient holds both passes in one function; its record is on the stack, so that after
//! `mem2reg` what is not in a loop lives in registers. A *split* derivative is two functions:
//!
//! - forward: `f(params…, shadows…, tape) -> { result, shadow of the result, record }`, the augmented
//!   forward pass, which leaves on the tape what its reverse needs;
//! - reverse: `f'(record, adjoint of the result) -> adjoints of the active parameters by value`.
//!
//! The adjoint of a value is a stack slot: uses add to it, its definition takes it (reads and clears),
//! so that the slot is clear again when the next iteration's instance is reversed. The adjoint of memory is its shadow.
//! Blocks are reversed one by one: the reverse of a block ends by going to the reverse of the
//! predecessor that was taken (Griewank & Walther, "Evaluating Derivatives", 2nd ed., ch. 4 and 6).

mod adjoint;
pub mod align_sums;
pub mod augmented;
mod augmented_calls;
mod begin;
mod beside;
pub mod blas;
pub mod checkpoint_steps;
mod control;
pub mod copies;
pub mod custom_rule;
pub mod delayed_frees;
mod fetch;
mod finish;
pub mod fork;
mod guard;
mod instruction;
pub mod joint;
mod messages;
pub(crate) mod order;
mod outliving;
mod packed;
mod pieces;
pub(crate) mod proved;
mod replay;
pub mod replay_buffers;
mod replay_levels;
pub mod replay_run;
mod root;
pub mod split_interface;
pub mod sweep;
pub mod tasks;
pub mod threads;
pub mod undo_log;

pub use root::root;

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Context, Item};
use crate::analysis::discarded::{discarded, flat_unless_at_poles};
use crate::analysis::memory::object::ObjId;
use crate::analysis::memory::query;
use crate::analysis::overwritten_by_steps::Undo;
use crate::analysis::parallel::Parallel;
use crate::analysis::wanted::{Assumptions, Wanted, record_field_types};
use crate::base::alias_scopes;
use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::base::regions::{Region, Shape};
use crate::check::after::Writers;
use crate::emit::shadow_memory::SCRATCH;
use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Style};
use crate::normalise::collect::return_block;
use crate::normalise::sources::Sources;
use crate::options::{Fault, Without};
use crate::plan::data::{Layout, Plan};
use crate::request::entry_points;
use crate::reverse::proved::{Proved, proved};
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, ConstKind, FuncId, Function, GlobalId, InstId, Module, Operand, Origin, Role, TypeId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The split derivative of a function.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The augmented forward pass.
    pub forward: FuncId,
    /// The reverse pass.
    pub reverse: FuncId,
    /// Parameters whose shadow is passed.
    pub shadows: Vec<usize>,
    /// Parameters whose adjoint the reverse returns, with its type.
    pub outs: Vec<(usize, TypeId)>,
    /// The result is returned with its shadow.
    pub returns_shadow: bool,
    /// Type of the adjoint of the result that the reverse takes.
    pub seed: Option<TypeId>,
}

/// What all functions of one differentiated call share.
pub struct Env<'a> {
    /// The facts.
    pub facts: &'a Analyses,
    /// The normalised functions.
    pub sources: &'a Sources,
    /// Functions that have a derivative.
    pub differentiable: &'a BTreeSet<FuncId>,
    /// Their split derivatives.
    pub derived: BTreeMap<FuncId, Derived>,
    /// Shadows of global variables.
    pub globals: BTreeMap<GlobalId, GlobalId>,
    /// Options of the call.
    pub style: Style,
    /// What loops with checkpoints ask for.
    pub undo: Option<Undo>,
    /// What teams of threads execute.
    pub parallel: Parallel,
    /// Memory that may outlive the call and whose shadow, therefore, is of the same allocator.
    pub outliving: BTreeSet<ObjId>,
    /// Is anything shared by all threads of an execution ([`crate::runtime::run`])?
    pub has_run: bool,
    /// Who writes to memory, as the checker of plans has found.
    pub writers: Writers,
    /// A planted defect.
    pub fault: Option<Fault>,
    /// What to go without.
    pub without: Without,
    /// The alias scope of shadows.
    pub shadows: ir::MdId,
    /// What is known of the gradients of iterations that are executed when they are reversed.
    pub iterations: BTreeMap<FuncId, finish::Accesses>,
}

impl<'a> Env<'a> {
    /// The analyses of one function.
    fn context(&self, m: &'a Module, id: FuncId) -> Context<'a> {
        let Env { facts, sources, differentiable, .. } = *self;
        Context { m, facts, sources, differentiable, id, func: &sources[&id] }
    }
}

/// The synthesis of one function.
struct Emitter<'a, 'm> {
    b: Builder<'m>,
    env: &'a Env<'a>,
    id: FuncId,
    func: &'a Function,
    shape: &'a Shape,
    plan: &'a Plan,
    combined: bool,
    /// The differentiated function itself, in two passes that get the arguments both.
    root: bool,
    /// Where a combined gradient leaves the result of the primal.
    result_slot: Option<Operand>,
    /// Where the plan's stored values go, by item.
    stores: HashMap<Item, Vec<Wanted>>,
    record_types: BTreeMap<Region, RecordType>,
    // The forward pass.
    primal: HashMap<ValueId, Operand>,
    shadow: HashMap<ValueId, Operand>,
    call_records: HashMap<InstId, Operand>,
    blocks: HashMap<BlockId, BlockId>,
    records: BTreeMap<Region, Operand>,
    tape: Operand,
    /// What lets the tape begin on the stack.
    room: Vec<InstId>,
    /// Where the tape stood when the function was entered, if it gives back what it takes.
    mark: Option<Operand>,
    /// The alias scope of records.
    record_list: ir::MdId,
    /// The primal block that is being copied.
    copied: BlockId,
    /// Where the forward pass leaves a block, if it was cut in two.
    ends: HashMap<BlockId, BlockId>,
    /// Blocks on edges that leave loops.
    exits: HashMap<(BlockId, BlockId), BlockId>,
    /// Frees that wait until the end.
    waiting: Vec<delayed_frees::Waiting>,
    /// Arrays of records.
    arrays: HashMap<LoopId, Operand>,
    /// How many bytes lie between their records.
    strides: HashMap<LoopId, Operand>,
    /// Where those that lie in records begin.
    starts: HashMap<LoopId, Operand>,
    /// For each live loop the number of the iteration that runs.
    iterations: HashMap<LoopId, Operand>,
    // The reverse pass.
    reversed: HashMap<BlockId, BlockId>,
    slots: HashMap<ValueId, (Operand, TypeId)>,
    loop_records: HashMap<LoopId, Operand>,
    loop_counts: HashMap<LoopId, Operand>,
    fetched: HashMap<Wanted, Operand>,
    /// Loops of which a part is run again.
    running: HashMap<LoopId, replay::Running>,
    /// Levels of checkpoints that the forward pass makes.
    levels: HashMap<LoopId, replay_levels::Levels>,
    /// The primal block whose reverse is being emitted.
    here: BlockId,
    scratch: Option<Operand>,
    /// What each thread sums up for an address: the pointer, the type, and where.
    sums: Vec<adjoint::Sum>,
    /// Loads and stores of shadow memory, with the primal's whose cell it is.
    cells: HashMap<InstId, InstId>,
    /// Calls that do to shadow memory in one piece what a load and a store would.
    pieces: HashSet<InstId>,
    /// Loads of the primal's memory that are made again, and all accesses of the primal.
    reloads: HashSet<InstId>,
    primal_accesses: HashSet<InstId>,
    /// Values whose zero adjoint stays zero ([`crate::emit::zero_guard`]).
    discarded: HashSet<ValueId>,
    /// Operands that operations tame, unless they are infinite because of a pole.
    poles: HashSet<ValueId>,
}

impl<'a, 'm> Emitter<'a, 'm> {
    fn cx(&self) -> Context<'_> {
        Context {
            m: &*self.b.m,
            facts: self.env.facts,
            sources: self.env.sources,
            differentiable: self.env.differentiable,
            id: self.id,
            func: self.func,
        }
    }

    fn unsupported<T>(&self, inst: InstId, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::at(self.b.m, self.func, inst, Reason::Unsupported, message))
    }

    /// A function without body gets something active.
    fn incomplete<T>(&self, inst: InstId, name: &str, what: &str) -> Result<T, Diagnostic> {
        Err(entry_points::without_body(self.b.m, self.func, inst, name, what))
    }

    fn bug<T>(&self, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::of(self.b.m, self.func, Reason::Bug, message))
    }

    /// Everything emitted from now on stands for this primal instruction, in this role.
    fn stand_for(&mut self, inst: InstId, role: Role) {
        self.b.loc = self.func.insts[inst].loc;
        self.b.origin = self.origin(inst, role);
    }

    /// What stands for a primal instruction, in this role. What was written out stands for the function it came from;
    /// what the program does not have, for nothing.
    fn origin(&self, inst: InstId, role: Role) -> Option<Origin> {
        let own = self.b.m.functions[self.id].insts.is_valid(inst).then_some(Origin { func: self.id, inst, role });
        let origin = self.func.insts[inst].origin.or(own);
        origin.map(|origin| Origin { role, ..origin })
    }

    fn role(&mut self, role: Role) {
        if let Some(origin) = &mut self.b.origin {
            origin.role = role;
        }
    }

    fn has_fault(&self, fault: Fault) -> bool {
        self.env.fault == Some(fault)
    }

    /// A stack slot in the entry block.
    fn stack(&mut self, ty: TypeId, align: u64) -> Operand {
        let ptr = self.b.m.types.ptr();
        let kind = ir::InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
        let mut inst = ir::Inst::new(kind, ptr);
        inst.origin = self.b.origin;
        let id = self.b.f.create_inst(inst, true);
        let entry = self.b.f.entry();
        self.b.f.blocks[entry].insts.insert(0, id);
        self.b.result(id)
    }

    /// Memory that accesses to the shadow of constant memory are sent to; clear at first.
    fn scratch(&mut self) -> Operand {
        if let Some(scratch) = self.scratch {
            return scratch;
        }
        let i8t = self.b.m.types.int(8);
        let ty = self.b.m.types.array(SCRATCH, i8t);
        let slot = self.clear_stack(ty, 16);
        self.scratch = Some(slot);
        slot
    }

    /// A stack slot in the entry block that is zero at first.
    fn clear_stack(&mut self, ty: TypeId, align: u64) -> Operand {
        let slot = self.stack(ty, align);
        let zero = self.b.m.zero(ty);
        let void = self.b.m.types.void();
        let kind = ir::InstKind::Store { value: zero, ptr: slot, align, volatile: false, atomic: None };
        let id = self.b.f.create_inst(ir::Inst::new(kind, void), false);
        let entry = self.b.f.entry();
        self.b.f.blocks[entry].insts.insert(1, id);
        slot
    }

    /// The shadow of a constant: of a global its shadow, of everything else itself.
    fn constant_shadow(&mut self, constant: ir::ConstId) -> Operand {
        let c = self.b.m.constants.get(constant).clone();
        match c.kind {
            ConstKind::Global(g) => match self.env.globals.get(&g) {
                Some(shadow) => self.b.m.global_address(*shadow),
                None => Operand::Const(constant),
            },
            ConstKind::Expr(expr) => {
                let inner = match &expr {
                    ir::ConstExpr::Cast(_, inner) => *inner,
                    ir::ConstExpr::Gep { base, .. } => *base,
                    ir::ConstExpr::Binary { .. } => return Operand::Const(constant),
                };
                let Operand::Const(new) = self.constant_shadow(inner) else { return Operand::Const(constant) };
                let expr = match expr {
                    ir::ConstExpr::Cast(op, _) => ir::ConstExpr::Cast(op, new),
                    ir::ConstExpr::Gep { elem_ty, flags, in_range, indices, .. } => {
                        ir::ConstExpr::Gep { elem_ty, flags, in_range, base: new, indices }
                    }
                    other @ ir::ConstExpr::Binary { .. } => other,
                };
                self.b.m.constant(c.ty, ConstKind::Expr(expr))
            }
            ConstKind::Aggregate(elems) => {
                let elems = elems
                    .into_iter()
                    .map(|e| match self.constant_shadow(e) {
                        Operand::Const(c) => c,
                        Operand::Local(_) => e,
                    })
                    .collect();
                self.b.m.constant(c.ty, ConstKind::Aggregate(elems))
            }
            _ => Operand::Const(constant),
        }
    }

    /// The address of a field in a record.
    fn field(&mut self, region: Region, record: Operand, index: u32) -> Operand {
        let offset = self.record_types[&region].offsets[index as usize];
        self.b.offset(record, offset)
    }
}

/// The struct type of a region's records, laid out once: a straight-line function of ten thousand instructions has a
/// record of thousands of fields.
struct RecordType {
    ty: TypeId,
    size: u64,
    offsets: Vec<u64>,
}

fn record_types(m: &mut Module, plan: &Plan) -> BTreeMap<Region, RecordType> {
    let record = |(region, layout): (&Region, &Layout)| {
        let ty = m.types.tuple(layout.fields.iter().map(|(_, t)| *t).collect());
        let (size, offsets) = m.layout.struct_layout(&m.types, ty).map_or((0, Vec::new()), |l| (l.size, l.offsets));
        (*region, RecordType { ty, size, offsets })
    };
    plan.layouts.iter().map(record).collect()
}

/// Analyses shared by the passes over one function.
struct Prepared {
    shape: Shape,
    plan: Plan,
}

fn prepare(m: &mut Module, env: &Env, id: FuncId, assume: Assumptions) -> Result<Prepared, Diagnostic> {
    let func = &env.sources[&id];
    let types = record_field_types(m);
    let shape = Shape::new(m, func)?;
    let Some(exit) = return_block(func) else {
        return Err(Diagnostic::of(m, func, Reason::Unsupported, "the function never returns"));
    };
    let cx = env.context(m, id);
    let Proved { plan, .. } = proved(&cx, (&shape, &env.writers), exit, (assume, env.without), types)?;
    Ok(Prepared { shape, plan })
}

fn emitter<'a, 'm>(
    m: &'m mut Module,
    env: &'a Env<'a>,
    id: FuncId,
    prepared: &'a Prepared,
    signature: Function,
    combined: bool,
) -> Emitter<'a, 'm> {
    let record_types = record_types(m, &prepared.plan);
    let discarded = match env.style.strong_zero {
        true => env.sources[&id].values.keys().collect(),
        false => discarded(&env.context(m, id), &prepared.shape),
    };
    let poles = flat_unless_at_poles(&env.context(m, id), &prepared.shape);
    let mut stores: HashMap<Item, Vec<Wanted>> = HashMap::default();
    for wanted in &prepared.plan.stored {
        stores.entry(wanted.item).or_default().push(*wanted);
    }
    let null = {
        let ptr = m.types.ptr();
        m.zero(ptr)
    };
    let record_list = alias_scopes::records(m);
    Emitter {
        b: Builder::new(m, signature),
        env,
        id,
        func: &env.sources[&id],
        shape: &prepared.shape,
        plan: &prepared.plan,
        combined,
        root: false,
        result_slot: None,
        stores,
        record_types,
        primal: HashMap::default(),
        shadow: HashMap::default(),
        call_records: HashMap::default(),
        blocks: HashMap::default(),
        records: BTreeMap::new(),
        tape: null,
        room: Vec::new(),
        mark: None,
        record_list,
        copied: env.sources[&id].entry(),
        ends: HashMap::default(),
        exits: HashMap::default(),
        waiting: Vec::new(),
        arrays: HashMap::default(),
        strides: HashMap::default(),
        starts: HashMap::default(),
        iterations: HashMap::default(),
        reversed: HashMap::default(),
        slots: HashMap::default(),
        loop_records: HashMap::default(),
        loop_counts: HashMap::default(),
        fetched: HashMap::default(),
        running: HashMap::default(),
        levels: HashMap::default(),
        here: env.sources[&id].entry(),
        scratch: None,
        sums: Vec::new(),
        cells: HashMap::default(),
        pieces: HashSet::default(),
        reloads: HashSet::default(),
        primal_accesses: HashSet::default(),
        discarded,
        poles,
    }
}

/// Emits the combined gradient of `id`: parameters with shadows after duplicated ones, then the seed if the function
/// returns a float, then where its result is wanted; returns the adjoints of the active parameters by value.
pub fn combined(
    m: &mut Module,
    env: &Env,
    id: FuncId,
    name: &str,
    activities: &[Activity],
) -> Result<Function, Diagnostic> {
    let prepared = prepare(m, env, id, Assumptions { combined: true, arguments: false })?;
    let source = &env.sources[&id];
    let mut params = Vec::new();
    let mut outs = Vec::new();
    for (param, activity) in source.params.iter().zip(activities) {
        params.push(param.ty);
        if activity.is_dup() {
            params.push(param.ty);
        }
        if *activity == Activity::Out {
            outs.push(param.ty);
        }
    }
    let seeded = m.types.float_kind(source.ret).is_some() && !env.style.const_return;
    if seeded {
        params.push(source.ret);
    }
    let seed_at = params.len() - usize::from(seeded);
    if env.style.primal_return {
        params.push(m.types.ptr());
    }
    let ret = match outs.len() {
        0 => m.types.void(),
        1 => outs[0],
        _ => m.types.tuple(outs),
    };
    let mut signature = Function::new(name, ret, &params);
    signature.flags.linkage = "internal".to_owned();
    let mut e = emitter(m, env, id, &prepared, signature, true);
    e.take_arguments(activities);
    let seed = seeded.then(|| e.b.f.param(seed_at));
    e.result_slot = env.style.primal_return.then(|| e.b.f.param(params.len() - 1));
    let run = e.begin_combined();
    e.forward()?;
    e.reverse(seed, activities)?;
    e.end_combined(run);
    Ok(e.finished())
}

/// Declares the split derivative of a function, so that calls of it can be emitted before it is.
pub fn declare_split(m: &mut Module, env: &mut Env, id: FuncId) {
    let func = &env.sources[&id];
    let returns_shadow = env.facts.returns_shadow(id);
    let (shadows, outs, seed) = active_parts(m, env, id);
    let ptr = m.types.ptr();
    let mut params: Vec<TypeId> = func.params.iter().map(|p| p.ty).collect();
    params.extend(shadows.iter().map(|i| func.params[*i].ty));
    params.push(ptr);
    let ret = forward_type(m, func.ret, returns_shadow);
    let mut forward = Function::new(&unique(m, &format!("__adj_forward_{}", func.name)), ret, &params);
    forward.flags.linkage = "internal".to_owned();
    let forward = m.functions.push(forward);
    let void = m.types.void();
    let ret = if outs.is_empty() { void } else { m.types.tuple(outs.iter().map(|(_, t)| *t).collect()) };
    let params: Vec<TypeId> = [ptr].into_iter().chain(seed).collect();
    let mut reverse = Function::new(&unique(m, &format!("__adj_reverse_{}", func.name)), ret, &params);
    reverse.flags.linkage = "internal".to_owned();
    let reverse = m.functions.push(reverse);
    env.derived.insert(id, Derived { forward, reverse, shadows, outs, returns_shadow, seed });
}

/// Parameters with a shadow, active parameters by value with the types of their adjoints, and that of the result's
/// adjoint.
fn active_parts(m: &mut Module, env: &Env, id: FuncId) -> (Vec<usize>, Vec<(usize, TypeId)>, Option<TypeId>) {
    let func = &env.sources[&id];
    let cx = env.context(m, id);
    let shadows: Vec<usize> = (0..func.params.len()).filter(|i| cx.has_shadow(func.param(*i))).collect();
    let active: Vec<usize> = (0..func.params.len()).filter(|i| cx.has_adjoint(func.param(*i))).collect();
    let outs: Vec<(usize, TypeId)> =
        active.into_iter().map(|i| (i, env.facts.adjoint_ty(m, id, func, func.param(i)))).collect();
    let seed = env.facts.returns_active(id).then(|| query::adjoint_type(m, func.ret, env.facts.return_content(id), 0));
    (shadows, outs, seed)
}

fn forward_type(m: &mut Module, ret: TypeId, returns_shadow: bool) -> TypeId {
    let ptr = m.types.ptr();
    let mut fields = Vec::new();
    if !matches!(m.types.get(ret), ir::Type::Void) {
        fields.push(ret);
        if returns_shadow {
            fields.push(ret);
        }
    }
    fields.push(ptr);
    m.types.tuple(fields)
}

/// Emits the bodies of a split derivative.
pub fn split(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let prepared = prepare(m, env, id, Assumptions { combined: false, arguments: false })?;
    let derived = &env.derived[&id];
    let source = &env.sources[&id];
    let signature = m.functions[derived.forward].clone();
    let mut e = emitter(m, env, id, &prepared, signature, false);
    for (i, param) in source.params.iter().enumerate() {
        e.primal.insert(param.value, e.b.f.param(i));
    }
    for (n, i) in derived.shadows.iter().enumerate() {
        e.shadow.insert(source.params[*i].value, e.b.f.param(source.params.len() + n));
    }
    e.tape = e.b.f.param(source.params.len() + derived.shadows.len());
    e.begin_split();
    e.forward()?;
    let f = e.finished();
    m.functions[derived.forward] = f;
    let signature = m.functions[derived.reverse].clone();
    let mut e = emitter(m, env, id, &prepared, signature, false);
    let record = e.b.f.param(0);
    e.records.insert(None, record);
    let seed = derived.seed.map(|_| e.b.f.param(1));
    e.reverse(seed, &[])?;
    let f = e.finished();
    m.functions[derived.reverse] = f;
    Ok(())
}
