//! Exceptions that are thrown and caught within what is differentiated, as ordinary control flow.
//!
//! | before | after |
//! |---|---|
//! | `T f(…)`, which may throw | `T f.caught(…, ptr thrown)`: stores the exception that it throws |
//! | `invoke f(…) to normal unwind pad` | a call, and a branch to `pad` where there is an exception |
//! | `call f(…)` | a call; where there is an exception, the caller of the caller gets it |
//! | `__cxa_throw(e, T, …)` | `e` goes the same ways |
//! | `landingpad catch T` | a choice by the type of what is thrown |
//! | `__cxa_begin_catch`, `__cxa_rethrow`, `__cxa_end_catch` | handlers are counted; the last one frees `e` |
//! | `resume` | the caller gets the exception |
//!
//! An exception travels as one pointer for each type that is thrown and caught, all but one of them null, so that the
//! analyses see which objects a handler may see, and which not; from a function to its caller, in memory of the caller.
//! What the functions do is what the Itanium C++ ABI says of them (Exception Handling, 2.4 and 2.5); an exception is a
//! block of the heap with a header of its own ([`object`]), so that a number in it has an adjoint like one in any other
//! block. One that leaves the differentiated function ends it with a message, and so does one that no handler here
//! takes. What the program's own calls throw is not touched: functions are copied.

mod body;
mod carry;
mod handlers;
mod object;
mod types;

use crate::base::builder::{Builder, plain_call};
use crate::base::names;
use crate::error::{Diagnostic, WHOLE, WITHOUT_EXCEPTIONS};
use crate::normalise::collect::is_looked_into;
use crate::program::call_graph::address_taken;
use crate::request::entry_points::is_entry_point;
use crate::runtime::refuse;
use ir::{
    Attr, Attrs, BinOp, Call, Clause, ConstKind, FuncId, Function, InstId, InstKind, IntPred, Module, Operand, Origin,
    TypeId,
};
use std::collections::{BTreeMap, BTreeSet};
use types::Taken;

const THROW: &str = "__cxa_throw";
const RETHROW: &str = "__cxa_rethrow";

/// A type that is thrown.
struct Thrown {
    name: String,
    /// What destroys an object of it.
    destructor: Option<FuncId>,
}

/// What becomes of which functions.
struct Plan {
    /// Types that are thrown and caught.
    thrown: Vec<Thrown>,
    /// Types that handlers take; their numbers begin at 1.
    handled: Vec<String>,
    /// Are exceptions thrown again?
    rethrows: bool,
    /// The functions that may throw, and what takes their place.
    lowered: BTreeMap<FuncId, FuncId>,
    /// What may be called through a pointer, by type.
    pointed_to: BTreeMap<TypeId, Vec<FuncId>>,
}

/// The function in whose calls nothing is thrown: the same, unless what it reaches both throws and catches.
pub fn lower(m: &mut Module, root: FuncId) -> Result<(FuncId, Lowered), Diagnostic> {
    // Most modules catch nothing, and need not be looked through.
    if m.function(handlers::BEGIN).is_none() {
        return Ok((root, Lowered::default()));
    }
    let pointed_to = pointed_to(m);
    let reached = reached(m, root, &pointed_to);
    let Some(mut plan) = Plan::find(m, &reached) else { return Ok((root, Lowered::default())) };
    plan.pointed_to = pointed_to;
    let throwing = plan.throwing(m, &reached);
    if !throwing.contains(&root) {
        return Ok((root, Lowered::default()));
    }
    let (ptr, void) = (m.types.ptr(), m.types.void());
    for thrown in &mut plan.thrown {
        if ir::exceptions::standard_base(&thrown.name).is_some() {
            thrown.destructor = Some(names::declare(m, &destructor_of(&thrown.name), void, &[ptr]));
        }
    }
    let object = object::Functions::make(m, &plan.thrown, plan.rethrows);
    for id in &throwing {
        let stub = signature(m, *id);
        let copy = m.functions.push(stub);
        plan.lowered.insert(*id, copy);
    }
    for (id, copy) in &plan.lowered {
        m.functions[*copy] = body::lowered(m, (&plan, &object), (*id, *copy))?;
    }
    let whole = whole(m, root, plan.lowered[&root], plan.thrown.len());
    let copies = plan.lowered.iter().map(|(original, copy)| (*copy, *original)).collect();
    Ok((whole, Lowered { copies }))
}

/// Functions that were made without exceptions.
#[derive(Default)]
pub struct Lowered {
    /// With those that they are copies of.
    copies: BTreeMap<FuncId, FuncId>,
}

impl Lowered {
    /// After synthesis: what stands for instructions of copies stands for those of the program.
    pub fn settle(&self, m: &mut Module) {
        if self.copies.is_empty() {
            return;
        }
        for id in m.functions.keys().collect::<Vec<_>>() {
            for inst in m.functions[id].insts.keys().collect::<Vec<_>>() {
                let Some(origin) = m.functions[id].insts[inst].origin else { continue };
                let Some(original) = self.copies.get(&origin.func) else { continue };
                let is_its = m.functions[*original].insts.is_valid(origin.inst);
                m.functions[id].insts[inst].origin = is_its.then_some(Origin { func: *original, ..origin });
            }
        }
    }
}

/// What a function calls itself, and through which types of pointers.
fn calls(m: &Module, func: &Function) -> impl Iterator<Item = (InstId, Result<FuncId, TypeId>)> {
    func.inst_order().filter_map(|(_, inst)| {
        let call = func.insts[inst].kind.as_call()?;
        match m.as_function(call.callee) {
            Some(callee) => Some((inst, Ok(callee))),
            None if call.fn_attrs.has("nounwind") => None,
            None => Some((inst, Err(call.fn_ty))),
        }
    })
}

/// Functions of the module that may be called through a pointer, by type.
fn pointed_to(m: &mut Module) -> BTreeMap<TypeId, Vec<FuncId>> {
    let mut by_type: BTreeMap<TypeId, Vec<FuncId>> = BTreeMap::new();
    for id in address_taken(m, is_entry_point) {
        by_type.entry(refuse::function_type(m, id)).or_default().push(id);
    }
    by_type
}

/// The functions with a body that are called by a function, whoever by.
fn reached(m: &Module, root: FuncId, pointed_to: &BTreeMap<TypeId, Vec<FuncId>>) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        if (id != root && !is_looked_into(m, id)) || m.functions[id].is_declaration() || !found.insert(id) {
            continue;
        }
        for (_, callee) in calls(m, &m.functions[id]) {
            match callee {
                Ok(callee) => work.push(callee),
                Err(ty) => work.extend(pointed_to.get(&ty).into_iter().flatten()),
            }
        }
    }
    found
}

/// A clause of a landing pad.
enum Handler {
    /// Takes a type.
    Of(String),
    /// Takes everything.
    All,
    /// An exception specification, or what cannot be told.
    Other,
}

fn handler(m: &Module, clause: &Clause) -> Handler {
    match clause {
        Clause::Catch(info) => match m.as_constant(*info).map(|c| &c.kind) {
            Some(ConstKind::Null) => Handler::All,
            _ => types::type_name(m, *info).map_or(Handler::Other, Handler::Of),
        },
        Clause::Filter(_) => Handler::Other,
    }
}

fn clauses<'a>(m: &'a Module, func: &'a Function) -> impl Iterator<Item = Handler> + 'a {
    let pads = func.inst_order().filter_map(|(_, inst)| match &func.insts[inst].kind {
        InstKind::LandingPad { clauses, .. } => Some(clauses),
        _ => None,
    });
    pads.flatten().map(|clause| handler(m, clause))
}

/// The types that a call may throw, and what destroys objects of them; none if it does not throw, or what is not known.
fn thrown_by(m: &Module, func: &Function, call: &Call) -> Vec<Thrown> {
    let Some(callee) = m.as_function(call.callee) else { return Vec::new() };
    let name = &m.functions[callee].name;
    if name == THROW && call.args.len() == 3 {
        let mut found = Vec::new();
        let all = types_thrown(m, func, (call.args[1], call.args[2]), &mut BTreeSet::new(), &mut found);
        return if all.is_some() { found } else { Vec::new() };
    }
    let class = ir::exceptions::thrown_by_library(name);
    class
        .map(|class| Thrown { name: class.to_owned(), destructor: m.function(&destructor_of(class)) })
        .into_iter()
        .collect()
}

/// The types that a `std::type_info` object may tell of, each with its destructor: optimisers unite calls that throw.
fn types_thrown(
    m: &Module,
    func: &Function,
    (info, destructor): (Operand, Operand),
    seen: &mut BTreeSet<ir::ValueId>,
    found: &mut Vec<Thrown>,
) -> Option<()> {
    let defined = |operand: Operand| operand.local().and_then(|v| func.def_inst(v));
    let Some(def) = defined(info) else {
        let destructor = match m.as_constant(destructor)?.kind {
            ConstKind::Null => None,
            _ => Some(m.as_function(destructor)?),
        };
        found.push(Thrown { name: types::type_name(m, info)?, destructor });
        return Some(());
    };
    if !info.local().is_some_and(|v| seen.insert(v)) {
        return Some(());
    }
    let block_of = |inst: InstId| func.layout.iter().find(|b| func.blocks[**b].insts.contains(&inst));
    let beside = defined(destructor).map(|other| (other, &func.insts[other].kind));
    match &func.insts[def].kind {
        InstKind::Phi { incoming, .. } => {
            for (value, from) in incoming {
                let other = match beside {
                    Some((other, InstKind::Phi { incoming, .. })) if block_of(other) == block_of(def) => {
                        incoming.iter().find(|(_, pred)| pred == from)?.0
                    }
                    _ => destructor,
                };
                types_thrown(m, func, (*value, other), seen, found)?;
            }
            Some(())
        }
        InstKind::Select { cond, if_true, if_false, .. } => {
            let others = match beside {
                Some((_, InstKind::Select { cond: same, if_true, if_false, .. })) if same == cond => {
                    [*if_true, *if_false]
                }
                _ => [destructor; 2],
            };
            types_thrown(m, func, (*if_true, others[0]), seen, found)?;
            types_thrown(m, func, (*if_false, others[1]), seen, found)
        }
        _ => None,
    }
}

/// The destructor of a class of the library.
fn destructor_of(class: &str) -> String {
    format!("_ZN{class}D1Ev")
}

/// Is it written out from a template of the library (in `std` or `__gnu_cxx`)?
fn is_of_library(name: &str) -> bool {
    ["_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"].iter().any(|prefix| name.starts_with(prefix))
}

impl Plan {
    /// What is thrown and caught in some functions; none if nothing is.
    fn find(m: &Module, reached: &BTreeSet<FuncId>) -> Option<Plan> {
        let functions = || reached.iter().map(|id| &m.functions[*id]);
        let called =
            |name: &str| functions().any(|f| calls(m, f).any(|(_, c)| c.is_ok_and(|c| m.functions[c].name == name)));
        let mut handled: Vec<String> = Vec::new();
        let mut takes_all = false;
        for func in functions() {
            for handler in clauses(m, func) {
                match handler {
                    Handler::Of(name) if !handled.contains(&name) => handled.push(name),
                    Handler::Of(_) => {}
                    // What the library's containers do where a constructor throws is to clean up.
                    Handler::All => takes_all |= !is_of_library(&func.name),
                    Handler::Other => return None,
                }
            }
        }
        let mut thrown: BTreeMap<String, Thrown> = BTreeMap::new();
        for func in functions() {
            for (_, inst) in func.inst_order() {
                let Some(call) = func.insts[inst].kind.as_call() else { continue };
                let by_library = m.as_function(call.callee).is_none_or(|f| m.functions[f].name != THROW);
                let all = thrown_by(m, func, call);
                let ways = |found: &Thrown| {
                    let each = handled.iter().map(|wanted| types::taken(m, &found.name, wanted));
                    each.filter(|way| *way != Taken::No).collect::<Vec<Taken>>()
                };
                if all.iter().any(|found| ways(found).contains(&Taken::Otherwise)) {
                    continue;
                }
                if all.iter().any(|found| !ways(found).is_empty()) || takes_all && !by_library {
                    thrown.extend(all.into_iter().map(|found| (found.name.clone(), found)));
                }
            }
        }
        let thrown: Vec<Thrown> = thrown.into_values().collect();
        (!thrown.is_empty()).then(|| Plan {
            thrown,
            handled,
            rethrows: called(RETHROW),
            lowered: BTreeMap::new(),
            pointed_to: BTreeMap::new(),
        })
    }

    /// What a call may throw, by index and name; none if it does not throw what is caught.
    fn thrown_by(&self, m: &Module, func: &Function, call: &Call) -> Vec<(usize, String)> {
        let index = |name: &str| self.thrown.iter().position(|known| known.name == name);
        let all = thrown_by(m, func, call).into_iter().map(|thrown| Some((index(&thrown.name)?, thrown.name)));
        all.collect::<Option<_>>().unwrap_or_default()
    }

    /// The number of a type that a handler takes.
    fn number_handled(&self, name: &str) -> u64 {
        self.handled.iter().position(|known| known == name).map_or(0, |at| at as u64 + 1)
    }

    /// What a handler of a type takes, by index, and how.
    fn taken_by(&self, m: &Module, wanted: &str) -> Vec<(usize, Taken)> {
        let ways = self.thrown.iter().map(|thrown| types::taken(m, &thrown.name, wanted));
        ways.enumerate().filter(|(_, way)| *way != Taken::No).collect()
    }

    /// What a handler of everything sees.
    fn taken_by_all(&self) -> Vec<(usize, Taken)> {
        let way = |thrown: &Thrown| if thrown.name.starts_with('P') { Taken::Pointer } else { Taken::Object(0) };
        self.thrown.iter().map(way).enumerate().collect()
    }

    /// The functions out of which an exception may come.
    fn throwing(&self, m: &Module, reached: &BTreeSet<FuncId>) -> BTreeSet<FuncId> {
        let mut found: BTreeSet<FuncId> = BTreeSet::new();
        loop {
            let before = found.len();
            for id in reached {
                let func = &m.functions[*id];
                let throws = calls(m, func).any(|(inst, callee)| match callee {
                    Ok(callee) if found.contains(&callee) => true,
                    Ok(_) => func.insts[inst].kind.as_call().is_some_and(|c| !self.thrown_by(m, func, c).is_empty()),
                    Err(ty) => self.pointed_to.get(&ty).into_iter().flatten().any(|f| found.contains(f)),
                });
                if throws {
                    found.insert(*id);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// The functions that may throw of those that a call through a pointer may lead to, and what stands for them.
    fn candidates(&self, call: &Call) -> Vec<(FuncId, FuncId)> {
        let of_type = self.pointed_to.get(&call.fn_ty).filter(|_| !call.fn_attrs.has("nounwind"));
        of_type.into_iter().flatten().filter_map(|id| Some((*id, *self.lowered.get(id)?))).collect()
    }
}

fn without(attrs: &Attrs, names: &[&str]) -> Attrs {
    Attrs(attrs.0.iter().filter(|attr: &&Attr| !names.contains(&attr.name.as_str())).cloned().collect())
}

/// What says something of how a function ends that is no longer so.
const ENDINGS: [&str; 4] = ["noreturn", "nounwind", "willreturn", "mustprogress"];

/// The head of the function that takes the place of another one.
fn signature(m: &mut Module, id: FuncId) -> Function {
    let func = &m.functions[id];
    let mut head = names::copied(m, func, &format!("{}{WITHOUT_EXCEPTIONS}", func.name));
    head.attrs = without(&head.attrs, &ENDINGS);
    // Where an exception comes out, the result is anything.
    head.ret_attrs = Attrs::default();
    for param in &mut head.params {
        param.attrs = without(&param.attrs, &["returned"]);
    }
    let ptr = m.types.ptr();
    head.add_param(ptr, Attrs::default(), "thrown");
    head
}

/// `root` by what takes its place: an exception that leaves it ends the program with a message.
fn whole(m: &mut Module, root: FuncId, lowered: FuncId, thrown: usize) -> FuncId {
    let func = m.functions[root].clone();
    let types: Vec<TypeId> = func.params.iter().map(|p| p.ty).collect();
    let mut f = Function::new(&names::unique(m, &format!("{}{WHOLE}", func.name)), func.ret, &types);
    f.flags.linkage = "internal".to_owned();
    (f.cc, f.ret_attrs, f.attrs) = (func.cc.clone(), func.ret_attrs.clone(), func.attrs.clone());
    for (param, like) in f.params.iter_mut().zip(&func.params) {
        param.attrs = like.attrs.clone();
    }
    let ptr = m.types.ptr();
    let fn_ty = refuse::function_type(m, lowered);
    let mut b = Builder::new(m, f);
    b.loc = func.inst_order().find_map(|(_, inst)| func.insts[inst].loc);
    let (elem_ty, null) = (b.m.types.array(thrown as u64, ptr), b.m.zero(ptr));
    let out = b.value(InstKind::Alloca { elem_ty, count: None, align: 8, addr_space: 0, inalloca: false }, ptr);
    let slots: Vec<Operand> = (0..thrown as u64).map(|index| b.offset(out, 8 * index)).collect();
    slots.iter().for_each(|slot| b.store(null, *slot, 8));
    let mut args: Vec<Operand> = (0..types.len()).map(|i| b.f.param(i)).collect();
    args.push(out);
    let callee = b.m.function_address(lowered);
    let mut call = plain_call(callee, fn_ty, args, func.cc.clone());
    call.arg_attrs = b.m.functions[lowered].params.iter().map(|p| p.attrs.clone()).collect();
    let call = b.push(InstKind::Call(Box::new(call)), func.ret);
    let result = b.f.insts[call].result.map(Operand::Local);
    let mut leaves = b.m.int(1, 0);
    for slot in slots {
        let exception = b.load(ptr, slot, 8);
        let is_it = b.icmp(IntPred::Ne, exception, null);
        leaves = b.binary(BinOp::Or, leaves, is_it);
    }
    let [left, done] = ["leaves", "done"].map(|name| b.f.add_block(name));
    b.cond_br(leaves, left, done);
    b.at = left;
    let refusal = refuse::refusal(b.m, "an exception leaves the differentiated function\n");
    b.effect(refusal);
    b.effect(InstKind::Unreachable);
    b.at = done;
    b.effect(InstKind::Ret(result));
    let f = b.f;
    m.functions.push(f)
}
