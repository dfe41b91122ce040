//! Functions with variable arguments become functions with all of a call's arguments, one for each list of types that
//! calls give.
//!
//! Where a function begins to read the variable arguments (`llvm.va_start`), they lie in memory of its own, one after
//! the other in slots of eight bytes, or of more for a structure in memory (`byval`) and what is aligned to more, as
//! the x86-64 System V ABI has them for arguments that no register holds any more (section 3.5.7, "The `va_list` type":
//! `gp_offset` and `fp_offset` say that all registers are used, `overflow_arg_area` is where the next argument lies).
//! The code that the front end made of `va_arg` then reads memory that was written by ordinary stores, which every
//! analysis follows, so that the named arguments and the variable ones have adjoints like any other.
//!
//! Left as they are: functions that do nothing with floats but hand them on to be printed, other targets, arguments of
//! other types (integers of more than 64 bits), calls through pointers, and functions that hand their arguments on with
//! `musttail`. What such a function does with active values is refused.

use crate::base::builder::Builder;
use crate::base::names;
use crate::error::{COPIED_FOR_THE_REST, Diagnostic, Reason};
use crate::normalise::clone_contexts::Copies;
use crate::normalise::inline;
use crate::normalise::sources::Sources;
use crate::program::attributes::INACTIVE;
use crate::program::externals::computes;
use ir::{
    BlockId, Call, FloatKind, FuncId, Function, InstId, InstKind, Module, Operand, Origin, Role, TailKind, Type, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of the registers for arguments: integers, then floats behind them.
const INTEGERS: u128 = 6 * 8;
const REGISTERS: u128 = INTEGERS + 8 * 16;

/// The members of a `va_list` and where they lie.
const GP_OFFSET: u64 = 0;
const FP_OFFSET: u64 = 4;
const OVERFLOW_AREA: u64 = 8;
const SAVE_AREA: u64 = 16;

/// A variable argument.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    /// The type of the operand.
    ty: TypeId,
    /// The operand leads to memory of that type, which is the argument.
    pointee: Option<TypeId>,
    /// How it is aligned among the others.
    align: u64,
}

/// Gives the calls of variadic functions in the sources functions of their own.
pub fn specialise(m: &mut Module, sources: &mut Sources, root: FuncId, copies: &mut Copies) {
    if !m.triple.starts_with("x86_64") || m.triple.contains("windows") {
        return;
    }
    let mut made: BTreeMap<(FuncId, Vec<Rest>), FuncId> = BTreeMap::new();
    let mut work: Vec<FuncId> = sources.keys().copied().collect();
    while let Some(id) = work.pop() {
        let calls: Vec<(InstId, FuncId)> = sources[&id]
            .inst_order()
            .filter_map(|(_, i)| Some((i, m.as_function(sources[&id].insts[i].kind.as_call()?.callee)?)))
            .filter(|(_, callee)| {
                sources.get(callee).is_some_and(|f| f.vararg && is_plain(f) && (computes(m, f) || reads_list(m, f)))
            })
            .collect();
        for (inst, callee) in calls {
            let Some(rest) = rest_types(m, sources, id, inst, callee) else { continue };
            let key = (callee, rest.clone());
            let own = match made.get(&key) {
                Some(own) => *own,
                None => {
                    let func = with_rest(m, callee, &sources[&callee], &rest);
                    let own = m.functions.push(func.clone());
                    sources.insert(own, func);
                    copies.add(own);
                    made.insert(key, own);
                    work.push(own);
                    own
                }
            };
            let (ret, params) = (m.functions[own].ret, m.functions[own].params.iter().map(|p| p.ty).collect());
            let (address, fn_ty) = (m.function_address(own), m.types.func(ret, params));
            if let Some(call) = sources.get_mut(&id).and_then(|f| f.insts[inst].kind.as_call_mut()) {
                (call.callee, call.fn_ty) = (address, fn_ty);
                // The function takes its own copy.
                for attrs in &mut call.arg_attrs {
                    attrs.0.retain(|a| a.name != "byval");
                }
            }
        }
    }
    if made.is_empty() {
        return;
    }
    for id in made.into_values() {
        m.functions[id] = sources[&id].clone();
    }
    // Nobody calls what was variadic any more.
    inline::retain_reached(m, sources, root);
}

/// Does it read its arguments alone, and hands them on to nobody as they are?
fn is_plain(func: &Function) -> bool {
    let hands_on = |i: InstId| func.insts[i].kind.as_call().is_some_and(|c| c.tail == TailKind::MustTail);
    !func.inst_order().any(|(_, i)| hands_on(i))
}

/// Does it look into the list of its arguments itself? One that does not hands the list on.
fn reads_list(m: &Module, func: &Function) -> bool {
    let memory = |mut at: Operand| {
        while let Some(inst) = at.local().and_then(|v| func.def_inst(v)) {
            match &func.insts[inst].kind {
                InstKind::Gep { base, .. } => at = *base,
                _ => return Some(inst),
            }
        }
        None
    };
    let starts = |call: &Call| {
        let name = m.as_function(call.callee).map_or("", |f| m.functions[f].name.as_str());
        name.starts_with("llvm.va_start").then(|| memory(call.args[0])).flatten()
    };
    let lists: BTreeSet<InstId> =
        func.inst_order().filter_map(|(_, i)| starts(func.insts[i].kind.as_call()?)).collect();
    func.inst_order().any(|(_, i)| match &func.insts[i].kind {
        InstKind::Load { ptr, .. } => memory(*ptr).is_some_and(|list| lists.contains(&list)),
        _ => false,
    })
}

/// The variable arguments, if each has a slot.
fn rest_types(m: &Module, sources: &Sources, id: FuncId, inst: InstId, callee: FuncId) -> Option<Vec<Rest>> {
    let (func, named) = (&sources[&id], sources[&callee].params.len());
    let call = func.insts[inst].kind.as_call()?;
    let fits = |n: usize| {
        let (ty, attrs) = (m.operand_ty(func, call.args[n]), &call.arg_attrs[n]);
        if let Some(pointee) = attrs.ty("byval") {
            let align = m.layout.align_of(&m.types, pointee).max(attrs.int("align").unwrap_or(1));
            return Some(Rest { ty, pointee: Some(pointee), align: align.max(8) });
        }
        let align = match (m.types.get(ty), m.size_of(ty)) {
            (Type::Int(_) | Type::Float(_) | Type::Vector { .. } | Type::Ptr(_), ..=8) => 8,
            (Type::Float(FloatKind::X86Fp80) | Type::Vector { .. }, 16) => 16,
            _ => return None,
        };
        Some(Rest { ty, pointee: None, align })
    };
    let told = call.fn_attrs.has(INACTIVE);
    if told || call.args.len() < named || func.insts[inst].ty != sources[&callee].ret {
        return None;
    }
    (named..call.args.len()).map(fits).collect()
}

/// A copy of a function that takes these variable arguments by name.
fn with_rest(m: &mut Module, callee: FuncId, body: &Function, rest: &[Rest]) -> Function {
    let mut f = body.clone();
    f.name = names::unique(m, &format!("{COPIED_FOR_THE_REST}{}", body.name));
    f.flags = Function::new("", f.ret, &[]).flags;
    f.flags.linkage = "internal".to_owned();
    f.clauses.retain(|clause| !clause.starts_with("comdat"));
    f.vararg = false;
    for (_, inst) in body.inst_order() {
        let own = m.functions[callee].insts.is_valid(inst).then_some(Origin { func: callee, inst, role: Role::Clone });
        f.insts[inst].origin = body.insts[inst].origin.or(own);
    }
    let value = |it: &Rest| Operand::Local(f.add_param(it.ty, Default::default(), ""));
    let values: Vec<Operand> = rest.iter().map(value).collect();
    let entry = f.entry();
    let area = slots(m, &mut f, entry, (rest, &values));
    for block in f.layout.clone() {
        let mut out = Vec::new();
        for inst in f.blocks[block].insts.clone() {
            let call = f.insts[inst].kind.as_call();
            let name = call.and_then(|c| m.as_function(c.callee)).map_or("", |f| m.functions[f].name.as_str());
            let args = call.map(|c| c.args.clone()).unwrap_or_default();
            if name.starts_with("llvm.va_start") {
                out.extend(start(m, &mut f, args[0], area));
            } else if name.starts_with("llvm.va_copy") {
                out.extend(copy(m, &mut f, args[0], args[1]));
            } else if !name.starts_with("llvm.va_end") {
                out.push(inst);
            }
        }
        f.blocks[block].insts = out;
    }
    f
}

/// The variable arguments, in memory; made at the start of the function.
fn slots(m: &mut Module, f: &mut Function, entry: BlockId, (rest, values): (&[Rest], &[Operand])) -> Operand {
    let mut end = 0u64;
    let mut offsets = Vec::new();
    for it in rest {
        let at = end.next_multiple_of(it.align);
        offsets.push(at);
        end = (at + m.size_of(it.pointee.unwrap_or(it.ty))).next_multiple_of(8);
    }
    let align = rest.iter().map(|it| it.align).max().unwrap_or(8).max(16);
    let first = std::mem::take(&mut f.blocks[entry].insts);
    let area = emit(m, f, entry, |b| {
        let (byte, ptr) = (b.m.types.int(8), b.m.types.ptr());
        // Bytes: what lies there the stores tell.
        let elem_ty = b.m.types.array(end.max(8), byte);
        let area = b.value(InstKind::Alloca { elem_ty, count: None, align, addr_space: 0, inalloca: false }, ptr);
        for ((it, value), offset) in rest.iter().zip(values).zip(offsets) {
            let slot = b.offset(area, offset);
            match it.pointee {
                None => b.store(*value, slot, it.align),
                Some(ty) => {
                    let (size, plain) = (b.m.size_of(ty), b.m.int(1, 0));
                    let (size, copy) = (b.m.int(64, u128::from(size)), names::memcpy_intrinsic(b.m));
                    b.call(copy, vec![slot, *value, size, plain]);
                }
            }
        }
        area
    });
    f.blocks[entry].insts.extend(first);
    area
}

/// `va_start`: no register holds an argument, the first one lies at the start of the area.
fn start(m: &mut Module, f: &mut Function, list: Operand, area: Operand) -> Vec<InstId> {
    apart(m, f, |b| {
        for (offset, bytes) in [(GP_OFFSET, INTEGERS), (FP_OFFSET, REGISTERS)] {
            let (at, used) = (b.offset(list, offset), b.m.int(32, bytes));
            b.store(used, at, 4);
        }
        let ptr = b.m.types.ptr();
        let null = b.m.zero(ptr);
        for (offset, value) in [(OVERFLOW_AREA, area), (SAVE_AREA, null)] {
            let at = b.offset(list, offset);
            b.store(value, at, 8);
        }
    })
}

/// `va_copy`: member by member.
fn copy(m: &mut Module, f: &mut Function, to: Operand, from: Operand) -> Vec<InstId> {
    apart(m, f, |b| {
        let (int, ptr) = (b.m.types.int(32), b.m.types.ptr());
        for (offset, ty) in [(GP_OFFSET, int), (FP_OFFSET, int), (OVERFLOW_AREA, ptr), (SAVE_AREA, ptr)] {
            let (source, target, align) = (b.offset(from, offset), b.offset(to, offset), b.align(ty));
            let member = b.load(ty, source, align);
            b.store(member, target, align);
        }
    })
}

/// Instructions that stand in no block yet.
fn apart(m: &mut Module, f: &mut Function, make: impl FnOnce(&mut Builder)) -> Vec<InstId> {
    let block = f.add_block("");
    emit(m, f, block, make);
    f.layout.retain(|b| *b != block);
    std::mem::take(&mut f.blocks[block].insts)
}

/// Appends to a block.
fn emit<T>(m: &mut Module, f: &mut Function, at: BlockId, make: impl FnOnce(&mut Builder) -> T) -> T {
    let void = m.types.void();
    let taken = std::mem::replace(f, Function::new("", void, &[]));
    let mut b = Builder { m, f: taken, at, loc: None, origin: None };
    let out = make(&mut b);
    *f = b.f;
    out
}

/// Variable arguments have no derivatives.
pub(crate) fn refuse(m: &Module, sources: &Sources, differentiable: &BTreeSet<FuncId>) -> Result<(), Diagnostic> {
    match differentiable.iter().map(|id| &sources[id]).find(|f| f.vararg) {
        None => Ok(()),
        Some(func) => {
            let message = "a function with variable arguments that moves active values is not differentiated";
            Err(Diagnostic::of(m, func, Reason::Unsupported, message))
        }
    }
}
