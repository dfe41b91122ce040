//! `__enzyme_truncate_op_func` and `__enzyme_truncate_mem_func`: a function, carried out in another precision.
//!
//! `__enzyme_truncate_op_func(f, from, to)` gives the address of a copy of `f`, in which operations on numbers of
//! `from` bits are carried out in the format of `to` bits; with four arguments, `(f, from, exponent, significand)`, in
//! one of that many bits of exponent and of significand (without the leading one). What `f` calls is copied likewise.
//! Numbers are rounded before each operation, and its result is kept in the type of the program, so that memory,
//! arguments and results look as before.
//!
//! `__enzyme_truncate_mem_func` says, besides, that memory holds numbers of that format:
//! `__enzyme_truncate_mem_value(x, from, to)` makes one, `__enzyme_expand_mem_value(x, from, to)` gives it back. Here a
//! number of the smaller format is kept as the same number in the larger one. So both functions do the same, and so do
//! both values.
//!
//! A function that asks for derivatives is copied when these are there: operations of the derivative are then carried
//! out in that precision, too.

mod format;
mod operations;

use crate::base::builder::Builder;
use crate::base::{blocks, names};
use crate::error::{Diagnostic, Reason, Refused};
use crate::request::call_site::{self, Site};
use crate::request::entry_points::{is_entry_point, is_truncation};
use format::Format;
use ir::{Call, FloatKind, FuncId, InstId, InstKind, Module, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// When calls are replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before derivatives are made: those of functions that ask for none.
    Before,
    /// Afterwards: the others.
    After,
}

/// From which type to which format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Change {
    from: FloatKind,
    to: Format,
}

/// Copies of functions that were made, by what they copy.
type Copies = BTreeMap<(FuncId, Change), FuncId>;

/// Replaces the calls of a module; returns those that are refused.
pub fn apply(m: &mut Module, moment: Moment) -> Vec<Refused> {
    let (mut refused, mut copies) = (Vec::new(), Copies::new());
    loop {
        let mut sites = sites(m);
        sites.retain(|(caller, site, _)| !refused.iter().any(|(c, s, _)| (c, s) == (caller, site)));
        let before = sites.len();
        // A function in which others are put into another precision comes after these.
        sites.retain(|(_, _, call)| !call.args.first().is_some_and(|arg| waits(m, *arg, moment)));
        for (caller, site, call) in &sites {
            let made = match is_of_function(m, call) {
                true => function(m, &mut copies, (*caller, *site), call),
                false => value(m, (*caller, *site), call),
            };
            refused.extend(made.err().map(|diagnostic| (*caller, *site, diagnostic)));
        }
        if sites.is_empty() {
            if before > 0 && moment == Moment::After {
                refused.extend(self::sites(m).into_iter().map(|(caller, site, _)| {
                    let message = "the function is put into another precision by itself, without end";
                    (caller, site, misuse(m, (caller, site), message))
                }));
            }
            return refused;
        }
    }
}

/// The calls.
fn sites(m: &Module) -> Vec<(FuncId, InstId, Call)> {
    let mut sites = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            if m.as_function(call.callee).is_some_and(|f| is_truncation(&m.functions[f].name)) {
                sites.push((caller, site, call.clone()));
            }
        }
    }
    sites
}

/// Does a call ask for a function, rather than for a value?
fn is_of_function(m: &Module, call: &Call) -> bool {
    m.as_function(call.callee).is_some_and(|f| m.functions[f].name.contains("_func"))
}

/// A call of something that a caller passes: where it stands.
type Place = (FuncId, InstId);

fn misuse(m: &Module, (caller, site): Place, message: impl Into<String>) -> Diagnostic {
    Diagnostic::at(m, &m.functions[caller], site, Reason::Misuse, message.into())
}

/// Reads `from, to` or `from, exponent, significand`.
fn change(m: &Module, call: &Call) -> Result<Change, String> {
    let mut numbers = Vec::new();
    for arg in call.args.iter().skip(1) {
        numbers.push(m.as_int(*arg).ok_or("the widths of a change of precision have to be constants")?);
    }
    let kind = |bits: u128| format::of_width(bits).ok_or(format!("there is no type of {bits} bits for numbers"));
    let (from, to) = match numbers[..] {
        [from, to] => (kind(from)?, Format::of(kind(to)?)),
        [from, exponent, significand] => {
            let from = kind(from)?;
            let own = Format::of(from);
            if !(2..=u128::from(own.exponent)).contains(&exponent)
                || !(1..=u128::from(own.significand)).contains(&significand)
            {
                return Err(format!(
                    "a format has between 2 and {} bits of exponent and between 1 and {} of significand here",
                    own.exponent, own.significand
                ));
            }
            (from, Format { exponent: exponent as u32, significand: significand as u32 })
        }
        _ => {
            let message = "what is given is the function or value, the width of its type, and either a width or bits of \
                           exponent and significand";
            return Err(message.to_owned());
        }
    };
    if !to.is_within(Format::of(from)) {
        return Err("the format is not smaller than the type whose numbers it is to hold".to_owned());
    }
    if to.kind().is_none() && !matches!(from, FloatKind::Float | FloatKind::Double) {
        return Err("unsupported: only `float` and `double` are rounded to a format that no type has".to_owned());
    }
    Ok(Change { from, to })
}

/// Puts the address of a copy in the place of a call.
fn function(m: &mut Module, copies: &mut Copies, (caller, site): Place, call: &Call) -> Result<(), Diagnostic> {
    let given = call.args.first().and_then(|arg| m.as_function(*arg));
    let given =
        given.ok_or_else(|| misuse(m, (caller, site), "the first argument has to be the name of a function"))?;
    let change = change(m, call).map_err(|message| refusal(m, (caller, site), message))?;
    if m.functions[given].is_declaration() {
        let message = format!("`{}` has no body here", m.functions[given].name);
        return Err(Diagnostic::at(m, &m.functions[caller], site, Reason::Incomplete, message));
    }
    let copy = operations::copy(m, copies, given, change)?;
    let address = m.function_address(copy);
    let func = &mut m.functions[caller];
    if let Some(result) = func.insts[site].result {
        blocks::replace_uses(func, result, address);
    }
    remove(m, (caller, site));
    Ok(())
}

/// What a message is about.
fn refusal(m: &Module, (caller, site): Place, message: String) -> Diagnostic {
    let reason = if message.starts_with("unsupported") { Reason::Unsupported } else { Reason::Misuse };
    Diagnostic::at(m, &m.functions[caller], site, reason, message)
}

/// Does a function, or what it calls, ask for a derivative, or for another precision, that is not there yet?
fn waits(m: &Module, given: Operand, moment: Moment) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), Vec::from_iter(m.as_function(given)));
    while let Some(id) = work.pop() {
        let func = &m.functions[id];
        let asks = match moment {
            Moment::Before => is_entry_point(&func.name),
            Moment::After => is_truncation(&func.name),
        };
        if asks && func.is_declaration() {
            return true;
        }
        if seen.insert(id) {
            let operands = func.inst_order().flat_map(|(_, inst)| func.insts[inst].kind.operands());
            work.extend(operands.filter_map(|operand| m.as_function(operand)));
        }
    }
    false
}

/// Takes a call away whose result nobody uses; one that might have thrown goes on where it would have returned.
fn remove(m: &mut Module, (caller, site): Place) {
    let void = m.types.void();
    let func = &mut m.functions[caller];
    let Some(block) = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&site)) else { return };
    func.blocks[block].insts.retain(|inst| *inst != site);
    if let InstKind::Invoke { normal, unwind, .. } = func.insts[site].kind {
        blocks::remove_pred(func, unwind, block);
        func.append(block, ir::Inst::new(InstKind::Br(normal), void), false);
        blocks::drop_unreachable(func);
    }
}

/// Puts a call of a function that rounds in the place of a call. What comes out of memory is rounded, too: a constant
/// that was put there by no operation is not a number of the format yet.
fn value(m: &mut Module, (caller, site): Place, call: &Call) -> Result<(), Diagnostic> {
    let change = change(m, call).map_err(|message| refusal(m, (caller, site), message))?;
    let float = m.types.float(change.from);
    let func = &m.functions[caller];
    let given = call.args.first().copied().filter(|arg| m.operand_ty(func, *arg) == float);
    let given = given.ok_or_else(|| {
        let message = format!("the value has to be a number of {} bits", change.from.bits());
        misuse(m, (caller, site), message)
    })?;
    let Change { from, to } = change;
    let name = format!("__adj_number_{}_as_{}_{}", from.suffix(), to.exponent, to.significand);
    let function = match names::internal(m, &name, float, &[float]) {
        Ok(f) => {
            let mut b = Builder::new(m, f);
            let param = b.f.param(0);
            let result = operations::rounded(&mut b, param, change);
            b.effect(InstKind::Ret(Some(result)));
            let f = b.f;
            m.functions.push(f)
        }
        Err(known) => known,
    };
    call_site::call(m, Site { caller, inst: site, result: None }, function, vec![given])
}
