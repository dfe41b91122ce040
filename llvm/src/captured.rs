//! What a team of threads gets of the function that forks it: values in place of variables that nobody changes.
//!
//! clang hands a region the addresses of the variables that it names. So a region of `y[i] = x[i] * n` loads the
//! pointers `x` and `y` and the number `n` in each iteration: the store to `y[i]` may have changed them, for all that
//! LLVM knows. And of a `restrict` pointer it is no longer known that it is one. A variable whose address goes nowhere
//! but to regions, and which a region only reads, is the same in all threads from the fork to the join: its value is
//! handed over. LLVM promotes arguments alike where it sees the call (pass `argpromotion`), and sees none of a region,
//! which the runtime calls.
//!
//! The value of a `noalias` parameter that nothing else in the function holds is `noalias` in the region too, if the
//! threads do not wait for each other there: then no thread may access what another one writes (it would be a data
//! race), so that each of them has the memory that it writes for itself.

use crate::error::Error;
use crate::text::TIME_LIMIT;
use crate::{pipeline, read};
use ir::hash::{HashMap, HashSet};
use ir::{
    Attrs, BlockId, Call, CastOp, FuncId, Function, Inst, InstId, InstKind, MdBody, MdField, MdId, MdNode, MdOperand,
    Module, Operand, Type, TypeId, ValueDef, ValueId,
};

/// The function of the runtime that forks: place, number of captured values, region, captured values.
const FORK: &str = "__kmpc_fork_call";

/// The first captured value among the arguments of [`FORK`].
const CAPTURED: usize = 3;

/// The same, among the parameters of a region.
const GIVEN: usize = 2;

/// Passes that bring variables to the form that is looked for, and tell which functions come back and do nothing else.
const BEFORE: &str = "inferattrs,function(sroa)";

/// Functions of the runtime that order no threads, by the starts of their names.
const ORDER_NOTHING: [&str; 5] =
    ["__kmpc_for_static_", "__kmpc_dispatch_", "__kmpc_global_thread_num", "omp_get_", "__kmpc_push_"];

/// The text of a module, given as text or bitcode, with values handed over; `None` if it forks no team.
pub(crate) fn handed_over(file: &str, bytes: &[u8]) -> Result<Option<String>, Error> {
    // The names of a module stand in its bitcode as they are.
    if memchr::memmem::find(bytes, FORK.as_bytes()).is_none() {
        return Ok(None);
    }
    let text = pipeline::run_on_bytes(file, bytes, BEFORE, TIME_LIMIT)?;
    let mut module = read::parse(&text, file)?;
    hand_over(&mut module);
    keep_bounds(&mut module);
    Ok(Some(module.to_string()))
}

/// A captured variable that can be handed over by value.
struct Candidate {
    region: FuncId,
    /// Its place among what the region captures.
    at: usize,
    /// The type by which it is handed over.
    ty: TypeId,
    /// No other thread, and nothing else in this one, has a name of what it leads to.
    alone: bool,
}

/// Hands values over wherever that can be done.
fn hand_over(m: &mut Module) {
    loop {
        let found = candidates(m);
        for candidate in &found {
            take_value(m, candidate);
        }
        let callers: Vec<FuncId> = if found.is_empty() { Vec::new() } else { m.functions.keys().collect() };
        for caller in callers {
            give_values(m, caller, &found);
        }
        // What a region gets by value is a variable of its own now, which a region within may name.
        if found.is_empty() {
            return;
        }
    }
}

/// The runtime keeps no pointer to the bounds of a loop that it shares out: they are the same in each iteration.
fn keep_bounds(m: &mut Module) {
    let shares_out =
        |name: &str| ["__kmpc_for_static_init_", "__kmpc_dispatch_next_"].iter().any(|n| name.starts_with(n));
    for function in m.functions.values_mut().filter(|f| f.is_declaration() && shares_out(&f.name)) {
        for param in &mut function.params {
            if matches!(m.types.get(param.ty), Type::Ptr(_)) && !param.attrs.has("nocapture") {
                param.attrs = std::mem::take(&mut param.attrs).flag("nocapture");
            }
        }
    }
}

/// All that can be handed over now.
fn candidates(m: &mut Module) -> Vec<Candidate> {
    let mut calls: HashMap<FuncId, Vec<(FuncId, InstId)>> = HashMap::default();
    let mut uses: HashMap<FuncId, usize> = HashMap::default();
    for (id, func) in &m.functions {
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            data.kind.for_each_operand(|operand| {
                if let Some(region) = m.as_function(*operand) {
                    *uses.entry(region).or_default() += 1;
                }
            });
            if let Some((region, _)) = captured(m, data) {
                calls.entry(region).or_default().push((id, inst));
            }
        }
    }
    let mut regions: Vec<FuncId> = calls.keys().copied().collect();
    regions.sort_unstable();
    regions.retain(|region| uses.get(region) == Some(&calls[region].len()) && is_of_module(&m.functions[*region]));
    let mut out = Vec::new();
    for region in regions {
        for at in 0..m.functions[region].params.len() - GIVEN {
            let param = &m.functions[region].params[GIVEN + at];
            if !m.types.is_ptr(param.ty) || use_of(m, region, param.value, 0) != Use::Read {
                continue;
            }
            let given = calls[&region].iter().map(|(caller, inst)| {
                let func = &m.functions[*caller];
                let variable = captured(m, &func.insts[*inst]).map(|(_, args)| args[at]);
                variable.and_then(|variable| variable_type(m, *caller, variable, (region, at)))
            });
            let Some(types) = given.collect::<Option<Vec<TypeId>>>() else { continue };
            let pointers = types.iter().filter(|ty| m.types.is_ptr(**ty)).count();
            let ty = match pointers {
                0 => m.types.int(64),
                n if n == types.len() => types[0],
                _ => continue,
            };
            let alone = pointers > 0 && is_alone(m, (region, at), &calls[&region]);
            out.push(Candidate { region, at, ty, alone });
        }
    }
    out
}

/// Is it called from within the module alone, by whoever names it there?
fn is_of_module(f: &Function) -> bool {
    matches!(f.flags.linkage.as_str(), "internal" | "private") && !f.is_declaration() && f.params.len() >= GIVEN
}

/// The region that an instruction forks a team for, or executes with one thread, and what that captures.
fn captured<'m>(m: &'m Module, inst: &'m Inst) -> Option<(FuncId, &'m [Operand])> {
    let call = inst.kind.as_call()?;
    let callee = m.as_function(call.callee)?;
    if m.functions[callee].name == FORK {
        let region = m.as_function(*call.args.get(CAPTURED - 1)?)?;
        let given = &call.args[CAPTURED..];
        return (m.functions[region].params.len() == GIVEN + given.len()).then_some((region, given));
    }
    // `if` clauses: clang calls the region itself, between two calls of the runtime.
    let named = m.functions[callee].name.contains(".omp_outlined");
    (named && call.args.len() >= GIVEN).then(|| (callee, &call.args[GIVEN..]))
}

/// What a function does with the memory that a pointer leads to, and with the pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    /// It reads what lies there.
    Read,
    /// It writes there, too.
    Written,
    /// Others may get to know the pointer.
    Escapes,
}

fn use_of(m: &Module, id: FuncId, pointer: ValueId, depth: u32) -> Use {
    const DEEPEST: u32 = 8;
    let func = &m.functions[id];
    let mut out = Use::Read;
    for (_, inst) in func.inst_order() {
        let kind = &func.insts[inst].kind;
        let uses = kind.operands().iter().filter(|o| o.local() == Some(pointer)).count();
        if uses == 0 {
            continue;
        }
        out = out.max(match kind {
            InstKind::Load { volatile: false, atomic: None, .. } => Use::Read,
            InstKind::Store { value, volatile: false, atomic: None, .. } if value.local() != Some(pointer) => {
                Use::Written
            }
            InstKind::Call(call) if is_lifetime(m, call) => Use::Written,
            _ => match captured(m, &func.insts[inst]) {
                Some((region, given)) if uses == 1 && depth < DEEPEST && is_of_module(&m.functions[region]) => {
                    match given.iter().position(|o| o.local() == Some(pointer)) {
                        Some(at) => use_of(m, region, m.functions[region].params[GIVEN + at].value, depth + 1),
                        None => Use::Escapes,
                    }
                }
                _ => Use::Escapes,
            },
        });
    }
    out
}

fn is_lifetime(m: &Module, call: &Call) -> bool {
    m.as_function(call.callee).is_some_and(|f| m.functions[f].name.starts_with("llvm.lifetime."))
}

/// The type of a variable of the caller that holds one number or one pointer, and whose address goes to regions alone.
/// The region reads all of a pointer, and of a number no more than there is.
fn variable_type(m: &Module, caller: FuncId, given: Operand, (region, at): (FuncId, usize)) -> Option<TypeId> {
    let v = given.local()?;
    let func = &m.functions[caller];
    let InstKind::Alloca { elem_ty: whole, count: None, .. } = func.insts[func.def_inst(v)?].kind else { return None };
    let body = &m.functions[region];
    let param = body.params[GIVEN + at].value;
    let fits = body.inst_order().all(|(_, inst)| match &body.insts[inst].kind {
        InstKind::Load { ptr, .. } if ptr.local() == Some(param) => {
            let read = body.insts[inst].ty;
            read == whole || is_number(m, read) && is_number(m, whole) && m.size_of(read) <= m.size_of(whole)
        }
        _ => true,
    });
    let one = is_number(m, whole) || m.types.is_ptr(whole);
    (one && fits && use_of(m, caller, v, 0) != Use::Escapes).then_some(whole)
}

/// A number that fits into what the runtime hands over.
fn is_number(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(ty), Type::Int(_) | Type::Float(_)) && matches!(m.size_of(ty), 1 | 2 | 4 | 8)
}

/// In a region: the parameter is the value, which is put into a variable of the region's own.
fn take_value(m: &mut Module, candidate: &Candidate) {
    let (ptr, void, ty) = (m.types.ptr(), m.types.void(), candidate.ty);
    let func = &mut m.functions[candidate.region];
    let param = &mut func.params[GIVEN + candidate.at];
    let value = param.value;
    param.ty = ty;
    param.attrs = Attrs::default();
    if candidate.alone {
        param.attrs = std::mem::take(&mut param.attrs).flag("noalias");
    }
    func.values[value].ty = ty;
    let kind = InstKind::Alloca { elem_ty: ty, count: None, align: 8, addr_space: 0, inalloca: false };
    let variable = func.create_inst(Inst::new(kind, ptr), true);
    let Some(place) = func.insts[variable].result.map(Operand::Local) else { return };
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        func.insts[inst].kind.for_each_operand_mut(|operand| {
            if operand.local() == Some(value) {
                *operand = place;
            }
        });
        // What a debugger is told of the address would be said of the value.
        let names = |operand: &MdOperand| matches!(operand, MdOperand::Local(Operand::Local(v)) if *v == value);
        func.insts[inst].debug_records.retain(|record| !record.operands.iter().any(names));
    }
    let kind = InstKind::Store { value: Operand::Local(value), ptr: place, align: 8, volatile: false, atomic: None };
    let store = func.create_inst(Inst::new(kind, void), false);
    let entry = func.entry();
    func.blocks[entry].insts.splice(0..0, [variable, store]);
    let _ = retell_type(m, candidate.region, GIVEN + candidate.at);
}

/// What debug information says of a parameter that was a reference to a variable: its type is the variable's now.
fn retell_type(m: &mut Module, region: FuncId, parameter: usize) -> Option<()> {
    let subprogram = m.functions[region].metadata.iter().find(|(kind, _)| kind == "dbg").map(|(_, node)| *node)?;
    let types = m.metadata[subprogram].node("type")?;
    let list = m.metadata[types].node("types")?;
    let told = m.metadata[list].operands().get(1 + parameter)?;
    let MdOperand::Node(reference) = *told else { return None };
    let variable = ir::debug::pointee(m, reference)?;
    let (mut list, mut types) = (m.metadata[list].clone(), m.metadata[types].clone());
    if let MdBody::Tuple(all) = &mut list.body {
        all[1 + parameter] = MdOperand::Node(variable);
    }
    let list = m.metadata.push(list);
    set_node(&mut types, "types", list);
    let types = m.metadata.push(types);
    set_node(&mut m.metadata[subprogram], "type", types);
    Some(())
}

fn set_node(node: &mut MdNode, name: &str, to: MdId) {
    if let MdBody::Special { fields, .. } = &mut node.body {
        for (_, field) in fields.iter_mut().filter(|(field, _)| field == name) {
            *field = MdField::Operand(MdOperand::Node(to));
        }
    }
}

/// In a function that forks teams: what lies in the variables.
fn give_values(m: &mut Module, caller: FuncId, candidates: &[Candidate]) {
    for block in m.functions[caller].layout.clone() {
        for inst in m.functions[caller].blocks[block].insts.clone() {
            let func = &m.functions[caller];
            let Some((region, args)) = captured(m, &func.insts[inst]) else { continue };
            let (args, all) = (args.to_vec(), func.insts[inst].kind.as_call().map_or(0, |call| call.args.len()));
            for candidate in candidates.iter().filter(|candidate| candidate.region == region) {
                give_value(m, (caller, block, inst), (args[candidate.at], candidate.ty), {
                    all - args.len() + candidate.at
                });
            }
            if all - args.len() == GIVEN {
                retype(m, caller, inst, region);
            }
        }
    }
}

/// The argument of a call becomes what lies where it leads.
fn give_value(
    m: &mut Module,
    (caller, block, inst): (FuncId, BlockId, InstId),
    (ptr, ty): (Operand, TypeId),
    argument: usize,
) {
    let func = &m.functions[caller];
    let size = variable_size(m, func, ptr);
    let read = if m.types.is_ptr(ty) { ty } else { m.types.int(8 * size) };
    let func = &mut m.functions[caller];
    let loc = func.insts[inst].loc;
    let mut before = Vec::new();
    let mut make = |func: &mut Function, kind, ty| {
        let made = func.create_inst(Inst { loc, ..Inst::new(kind, ty) }, true);
        before.push(made);
        func.insts[made].result.map(Operand::Local)
    };
    let load = InstKind::Load { ptr, align: u64::from(size), volatile: false, atomic: None };
    let Some(mut value) = make(func, load, read) else { return };
    if read != ty {
        let (flags, fast) = Default::default();
        value = make(func, InstKind::Cast { op: CastOp::ZExt, flags, fast, value }, ty).unwrap_or(value);
    }
    if let Some(call) = func.insts[inst].kind.as_call_mut() {
        call.args[argument] = value;
        call.arg_attrs[argument] = Attrs::default();
    }
    let place = func.blocks[block].insts.iter().position(|i| *i == inst).unwrap_or(0);
    func.blocks[block].insts.splice(place..place, before);
}

/// A direct call has the region's type.
fn retype(m: &mut Module, caller: FuncId, inst: InstId, region: FuncId) {
    let params: Vec<TypeId> = m.functions[region].params.iter().map(|p| p.ty).collect();
    let ty = m.types.func(m.functions[region].ret, params);
    if let Some(call) = m.functions[caller].insts[inst].kind.as_call_mut() {
        call.fn_ty = ty;
    }
}

fn variable_size(m: &Module, func: &Function, ptr: Operand) -> u32 {
    let variable = ptr.local().and_then(|v| func.def_inst(v)).map(|inst| &func.insts[inst].kind);
    match variable {
        Some(InstKind::Alloca { elem_ty, .. }) => u32::try_from(m.size_of(*elem_ty)).unwrap_or(8),
        _ => 8,
    }
}

/// Is the value that a region is to get the only name of what it leads to, for each of its threads?
fn is_alone(m: &Module, (region, at): (FuncId, usize), calls: &[(FuncId, InstId)]) -> bool {
    let separate = |(caller, inst): &(FuncId, InstId)| {
        let func = &m.functions[*caller];
        captured(m, &func.insts[*inst]).is_some_and(|(_, args)| holds_separate(m, func, args[at]))
    };
    calls.iter().all(separate) && waits_for_nobody(m, region, &mut HashSet::default())
}

/// Does a variable hold nothing but a `noalias` parameter, of which nothing else is made that could be kept?
fn holds_separate(m: &Module, func: &Function, variable: Operand) -> bool {
    let mut given = None;
    for (_, inst) in func.inst_order() {
        if let InstKind::Store { value, ptr, .. } = &func.insts[inst].kind
            && *ptr == variable
            && given.replace(*value).is_some()
        {
            return false;
        }
        let to = captured(m, &func.insts[inst]);
        let reads = |region: FuncId, at: usize| use_of(m, region, m.functions[region].params[GIVEN + at].value, 0);
        if to.is_some_and(|(region, args)| {
            args.iter().position(|arg| *arg == variable).is_some_and(|at| reads(region, at) != Use::Read)
        }) {
            return false;
        }
    }
    let Some(value) = given.and_then(Operand::local) else { return false };
    let ValueDef::Param(index) = func.values[value].def else { return false };
    func.params[index as usize].attrs.has("noalias") && is_kept_nowhere(m, func, value, variable)
}

/// Are a pointer, what is loaded of the variable that holds it, and what is computed of both only used to load and to
/// store?
fn is_kept_nowhere(m: &Module, func: &Function, pointer: ValueId, variable: Operand) -> bool {
    let mut names: HashSet<ValueId> = HashSet::from_iter([pointer]);
    loop {
        let before = names.len();
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            let derived = match &data.kind {
                InstKind::Load { ptr, .. } => *ptr == variable,
                InstKind::Gep { base, .. } => base.local().is_some_and(|b| names.contains(&b)),
                _ => false,
            };
            names.extend(data.result.filter(|_| derived));
        }
        if names.len() == before {
            break;
        }
    }
    let named = |operand: &Operand| operand.local().is_some_and(|v| names.contains(&v));
    func.inst_order().all(|(_, inst)| match &func.insts[inst].kind {
        InstKind::Load { .. } | InstKind::Gep { .. } | InstKind::ICmp { .. } => true,
        InstKind::Store { value, ptr, .. } => !named(value) || *ptr == variable,
        InstKind::Call(call) if is_access(m, call) => true,
        kind => !kind.operands().iter().any(named),
    })
}

/// An intrinsic that accesses memory and keeps no pointer.
fn is_access(m: &Module, call: &Call) -> bool {
    let accesses = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.lifetime."];
    m.as_function(call.callee).is_some_and(|f| accesses.iter().any(|name| m.functions[f].name.starts_with(name)))
}

/// Is nothing called in which threads may wait for each other?
fn waits_for_nobody(m: &Module, id: FuncId, seen: &mut HashSet<FuncId>) -> bool {
    if !seen.insert(id) {
        return true;
    }
    let func = &m.functions[id];
    func.inst_order().all(|(_, inst)| match &func.insts[inst].kind {
        InstKind::Fence(_) | InstKind::CmpXchg { .. } | InstKind::AtomicRmw { .. } => false,
        InstKind::Load { atomic, .. } | InstKind::Store { atomic, .. } => atomic.is_none(),
        kind => kind.as_call().is_none_or(|call| {
            m.as_function(call.callee).is_some_and(|f| {
                let callee = &m.functions[f];
                let numbers = |f: &Function| f.params.iter().all(|p| !m.types.is_ptr(p.ty));
                let known = callee.name.starts_with("llvm.")
                    || ORDER_NOTHING.iter().any(|name| callee.name.starts_with(name))
                    // Of functions without a body these are told by LLVM, of those that it knows.
                    || callee.attrs.has("willreturn") && callee.attrs.has("nounwind") && numbers(callee);
                if callee.is_declaration() { known } else { waits_for_nobody(m, f, seen) }
            })
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a region gets: `f(x)` forks it, with the addresses of `p`, which holds `x`, and of `n`.
    fn parameters(before: &str, region: &str) -> String {
        let text = format!(
            "@place = global i32 0\n@global = global ptr null\ndeclare void @__kmpc_fork_call(ptr, i32, ptr, ...)\n\
             declare void @__kmpc_barrier(ptr, i32)\ndeclare double @sqrt(double) nounwind willreturn\n\
             declare void @other(double)\n\
             define internal void @f.omp_outlined.1(ptr %g, ptr %b, ptr %p) {{\n  store ptr @global, ptr %p\n  \
             ret void\n}}\n\
             define internal void @f.omp_outlined(ptr noalias %g, ptr noalias %b, ptr %p, ptr %n) {{\n{region}  \
             ret void\n}}\n\
             define void @f(ptr noalias %x, i32 %count) {{\n  %p = alloca ptr\n  %n = alloca i32\n  \
             store ptr %x, ptr %p\n  store i32 %count, ptr %n\n{before}  \
             call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 2, ptr @f.omp_outlined, ptr %p, ptr %n)\n  \
             ret void\n}}\n"
        );
        let mut m = ir::parse(&text, "test").expect("the test's IR parses");
        hand_over(&mut m);
        let checked = ir::verify(&m);
        assert!(checked.is_ok(), "{checked:?}\n{m}");
        let again = m.to_string();
        let head = again.lines().find(|line| line.contains("@f.omp_outlined(ptr") && line.starts_with("define"));
        let head = head.expect("the region is there");
        head[head.find('(').unwrap_or(0)..head.rfind(')').unwrap_or(0) + 1].to_owned()
    }

    const READS: &str = "  %x = load ptr, ptr %p\n  %k = load i32, ptr %n\n  %at = getelementptr double, ptr %x, i32 %k\n  \
        %v = load double, ptr %at\n  %s = call double @sqrt(double %v)\n  store double %s, ptr %at\n";

    #[test]
    fn what_is_only_read_is_handed_over() {
        assert_eq!(parameters("", READS), "(ptr noalias %g, ptr noalias %b, ptr noalias %p, i64 %n)");
    }

    #[test]
    fn what_is_written_is_not() {
        let region = format!("{READS}  store i32 1, ptr %n\n");
        assert_eq!(parameters("", &region), "(ptr noalias %g, ptr noalias %b, ptr noalias %p, ptr %n)");
        let region = format!("{READS}  %old = atomicrmw add ptr %n, i32 1 seq_cst\n");
        assert!(parameters("", &region).ends_with("ptr %n)"));
    }

    #[test]
    fn what_others_may_find_is_not() {
        let found = "  store ptr %n, ptr @global\n";
        assert!(parameters(found, READS).ends_with("ptr %n)"));
        assert!(parameters("", &format!("{READS}{found}")).ends_with("ptr %n)"));
    }

    /// The memory of a pointer has another name, or threads tell each other of it.
    #[test]
    fn a_pointer_is_the_only_name_where_nothing_else_leads_there() {
        let with_a_name = "ptr %p, i64 %n)";
        let kept = "  %behind = getelementptr double, ptr %x, i32 1\n  store ptr %behind, ptr @global\n";
        assert!(parameters(kept, READS).ends_with(with_a_name));
        assert!(!parameters(kept, READS).contains("noalias %p"));
        let loaded = "  %again = load ptr, ptr %p\n  store ptr %again, ptr @global\n";
        assert!(!parameters(loaded, READS).contains("noalias %p"));
        let another = "  store ptr @global, ptr %p\n";
        assert!(!parameters(another, READS).contains("noalias %p"));
        let written = "  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 1, ptr @f.omp_outlined.1, ptr \
            %p)\n";
        assert!(parameters(written, READS).ends_with(with_a_name));
        assert!(!parameters(written, READS).contains("noalias %p"));
        for waits in ["  call void @__kmpc_barrier(ptr @place, i32 0)\n", "  call void @other(double 1.0)\n"] {
            let region = format!("{READS}{waits}");
            assert!(parameters("", &region).ends_with(with_a_name));
            assert!(!parameters("", &region).contains("noalias %p"));
        }
    }

    /// A region within a region, executed by one thread under an `if` clause, too.
    #[test]
    fn regions_within_regions_get_values_too() {
        let text = "@place = global i32 0\ndeclare void @__kmpc_fork_call(ptr, i32, ptr, ...)\n\
             define internal void @f.omp_outlined.1(ptr %g, ptr %b, ptr %n) {\n  %k = load float, ptr %n\n  ret void\n}\n\
             define internal void @f.omp_outlined(ptr %g, ptr %b, ptr %n) {\n  \
             call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 1, ptr @f.omp_outlined.1, ptr %n)\n  \
             call void @f.omp_outlined.1(ptr %g, ptr %b, ptr %n)\n  ret void\n}\n\
             define void @f(float %count) {\n  %n = alloca float\n  store float %count, ptr %n\n  \
             call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 1, ptr @f.omp_outlined, ptr %n)\n  \
             ret void\n}\n";
        let mut m = ir::parse(text, "test").expect("the test's IR parses");
        hand_over(&mut m);
        assert!(ir::verify(&m).is_ok(), "{m}");
        let text = m.to_string();
        assert!(text.contains("@f.omp_outlined(ptr %g, ptr %b, i64 %n)"), "{text}");
        assert!(text.contains("@f.omp_outlined.1(ptr %g, ptr %b, i64 %n)"), "{text}");
        assert!(text.contains("load i32, ptr %n"), "{text}");
    }
}
