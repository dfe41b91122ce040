//! Memory that is two functions: `p = __enzyme_todense(load, store, extra…)`.
//!
//! A load of the bytes at offset `i` of `p` is `load(i, extra…)`, a store of `v` there is `store(v, i, extra…)`; there
//! is no other memory. Passed as shadows, such pointers make a Jacobian or Hessian row by row: what the derivative
//! reads is, say, a unit vector that nobody has built, and what it writes goes to the storage of a sparse matrix.
//!
//! Accesses are known only where it is known what a pointer is. So the function that makes the pointer is followed from
//! there ([`lower`]), without variables in memory; a function that gets it is copied for it, with an offset in the
//! place of the pointer and the further arguments behind all others. What cannot be followed (the address in memory,
//! or turned into an integer) is refused at the instruction.
//!
//! What a loop stores at one place is stored once, behind it ([`sink`]).
//!
//! A store that begins with `if (v == 0) return;` asks which entries the matrix has. Asked of the number, the answer
//! would depend on the point: entries vanish where a factor happens to be zero. What is asked is taken to be whether
//! the number is zero whatever the inputs are ([`structure`]).

mod lower;
mod sink;
mod structure;

use crate::base::blocks;
use crate::base::builder::Builder;
use crate::base::names;
use crate::error::{Diagnostic, Reason, Refused};
use crate::normalise::promote::promote;
use crate::request::entry_points::DENSE;
use crate::request::outcome::Dense;
use ir::{Call, FuncId, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};
use std::collections::BTreeMap;

/// The functions that stand for memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Accessors {
    load: FuncId,
    store: FuncId,
    /// Types of the further arguments.
    extra: Vec<TypeId>,
}

/// A function, and which of its parameters are such pointers.
type Key = (FuncId, Vec<(usize, Accessors)>);

/// What was made.
#[derive(Default)]
struct Made {
    /// Copies of functions that get such pointers.
    copies: BTreeMap<Key, FuncId>,
    /// Copies of `store` that are told whether the number is zero.
    structural: BTreeMap<FuncId, Option<FuncId>>,
    /// Calls that were changed.
    changed: Vec<Changed>,
}

impl Made {
    /// Notes what was changed in a function: each call, what it called, and what stands for that.
    fn add(&mut self, caller: FuncId, changed: Vec<(InstId, FuncId, Dense)>) {
        let of = |(site, callee, dense)| Changed { caller, site, callee, dense };
        self.changed.extend(changed.into_iter().map(of));
    }
}

/// What became of the calls.
#[derive(Default)]
pub struct Lowered {
    /// Calls that are refused, and what a pointer is used for that cannot be followed.
    pub refused: Vec<Refused>,
    /// Calls that get such a pointer and call a copy now.
    pub changed: Vec<Changed>,
}

/// A call of a function that was copied for it.
pub struct Changed {
    /// Where the call is.
    pub caller: FuncId,
    /// The call.
    pub site: InstId,
    /// What it called.
    pub callee: FuncId,
    /// What it calls.
    pub dense: Dense,
}

/// Follows the pointers that a module makes so.
pub fn lower(m: &mut Module) -> Lowered {
    let (mut out, mut made) = (Lowered::default(), Made::default());
    for id in m.functions.keys().collect::<Vec<_>>() {
        let calls: Vec<(InstId, Call)> = calls(m, id).collect();
        let Some((first, _)) = calls.first() else { continue };
        let first = *first;
        let mut func = m.functions[id].clone();
        blocks::drop_unreachable(&mut func);
        promote(m, &mut func);
        let roots: Vec<ValueId> = calls.iter().filter_map(|(inst, _)| func.insts[*inst].result).collect();
        sink::sink(m, &mut func, &roots);
        let result = lower::Lowering::new(m, &mut made, &mut func, Vec::new()).and_then(|lowering| lowering.run());
        match result {
            Ok(changed) => {
                m.functions[id] = func;
                made.add(id, changed);
            }
            Err(diagnostic) => out.refused.push((id, first, diagnostic)),
        }
    }
    out.changed = made.changed;
    out
}

/// The calls of a function that make such pointers.
fn calls(m: &Module, id: FuncId) -> impl Iterator<Item = (InstId, Call)> + '_ {
    let func = &m.functions[id];
    func.inst_order().filter_map(|(_, inst)| {
        let call = func.insts[inst].kind.as_call()?;
        is_dense(m, call).then(|| (inst, call.clone()))
    })
}

fn is_dense(m: &Module, call: &Call) -> bool {
    m.as_function(call.callee).is_some_and(|f| m.functions[f].name.contains(DENSE))
}

fn misuse(m: &Module, func: &Function, inst: InstId, message: String) -> Diagnostic {
    Diagnostic::at(m, func, inst, Reason::Misuse, message)
}

fn unsupported(m: &Module, func: &Function, inst: InstId, message: String) -> Diagnostic {
    Diagnostic::at(m, func, inst, Reason::Unsupported, message)
}

/// The functions that a call names, and the further arguments.
fn accessors(m: &Module, func: &Function, inst: InstId, call: &Call) -> Result<(Accessors, Vec<Operand>), Diagnostic> {
    let function = |n: usize, what: &str| {
        let id = call.args.get(n).and_then(|arg| m.as_function(*arg)).filter(|f| !m.functions[*f].is_declaration());
        id.ok_or_else(|| misuse(m, func, inst, format!("argument {} has to be the function that {what}", n + 1)))
    };
    let (load, store) = (function(0, "loads")?, function(1, "stores")?);
    let extra: Vec<Operand> = call.args.iter().skip(2).copied().collect();
    let types = extra.iter().map(|arg| m.operand_ty(func, *arg)).collect();
    let in_memory = |f: FuncId| m.functions[f].params.iter().any(|p| p.attrs.has("byval") || p.attrs.has("sret"));
    if in_memory(load) || in_memory(store) {
        let message = "a function that loads or stores takes structures by their addresses".to_owned();
        return Err(unsupported(m, func, inst, message));
    }
    for (f, others, what) in [(load, 1, "loads gets the offset"), (store, 2, "stores gets the number, the offset")] {
        let params = &m.functions[f].params;
        let is_offset = params.get(others - 1).is_some_and(|p| m.types.is_int(p.ty));
        if !is_offset || params.len() > others + extra.len() {
            let message = format!(
                "`{}` takes something else than what it gets: what {what}, and then as many as it takes of the arguments \
                 that follow the two functions (here {})",
                m.functions[f].name,
                extra.len()
            );
            return Err(misuse(m, func, inst, message));
        }
    }
    Ok((Accessors { load, store, extra: types }, extra))
}

/// `for (i = 0; i < bytes; i += size) to[i] = from[i]`, or zero without `from`: what such memory is copied and cleared
/// by.
fn by_elements(m: &mut Module, element: TypeId, copies: bool) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let kind = m.types.float_kind(element).map_or("", |kind| kind.suffix());
    let (name, params) = match copies {
        true => (format!("__adj_copy_{kind}"), vec![ptr, ptr, i64t]),
        false => (format!("__adj_clear_{kind}"), vec![ptr, i64t]),
    };
    let f = match names::internal(m, &name, void, &params) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let size = m.size_of(element);
    let mut b = Builder::new(m, f);
    let (to, from, bytes) = (b.f.param(0), b.f.param(1), b.f.param(params.len() - 1));
    let (zero, step) = (b.m.int(64, 0), b.m.int(64, u128::from(size)));
    b.repeat(
        &[zero],
        |b, at| b.icmp(ir::IntPred::Ult, at[0], bytes),
        |b, at| {
            let value = match copies {
                true => {
                    let from = b.offset_by(from, at[0]);
                    b.load(element, from, size)
                }
                false => b.m.zero(element),
            };
            let to = b.offset_by(to, at[0]);
            b.store(value, to, size);
            vec![b.binary(ir::BinOp::Add, at[0], step)]
        },
    );
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
