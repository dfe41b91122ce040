//! Names of the calling convention that are not known: a located error, where a linker would speak of an undefined
//! symbol.
//!
//! What asks for derivatives, or tells of them, has a name of its own ([`crate::request::autodiff`]), and is declared
//! only. So a function without a body whose name contains `__enzyme_` is one of those that are known, or a mistake, and
//! so is a variable without a definition. An entry point is also called by its name: its address leads nowhere. A
//! variable that is defined, has such a name and holds addresses is a registration ([`ir::hint`]); one of an unknown
//! name would tell of a rule that is then never used.
//!
//! What a program defines under such a name is its own, and left alone. The name that is nearest by the distance of
//! Levenshtein (1966) is suggested.

use crate::error::{Diagnostic, Reason, Refused};
use crate::program::annotations;
use crate::request::{checkpoint_for, entry_points};
use ir::hint::REGISTRATIONS;
use ir::{ConstExpr, ConstId, ConstKind, FuncId, Function, GlobalId, InstId, Module};

/// How the names of the convention start.
const PREFIXES: [&str; 2] = ["__enzyme_", "__adj_check_"];

/// Functions that can be called.
const CALLS: [&str; 22] = [
    "__enzyme_autodiff",
    "__enzyme_fwddiff",
    "__enzyme_fwdsplit",
    "__enzyme_augmentfwd",
    "__enzyme_reverse",
    "__enzyme_augmentsize",
    "__enzyme_batch",
    "__enzyme_virtualreverse",
    entry_points::TRUNCATIONS[0],
    entry_points::TRUNCATIONS[1],
    entry_points::TRUNCATIONS[2],
    entry_points::TRUNCATIONS[3],
    entry_points::DENSE,
    "__enzyme_call_inactive",
    "__enzyme_float",
    "__enzyme_double",
    "__enzyme_integer",
    "__enzyme_pointer",
    annotations::ITER,
    checkpoint_for::LOOP,
    "__adj_check_gradient",
    "__adj_check_tangent",
];

/// Variables without a definition that a program may have meant.
const MARKERS: [&str; 5] = ["enzyme_const", "enzyme_dup", "enzyme_dupnoneed", "enzyme_out", "enzyme_width"];

/// Uses of names that are not known, or not known as what they are used for. To be asked when [`annotations`] has given
/// bodies to those that have some.
pub fn refused(m: &Module) -> Vec<Refused> {
    let mut out = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let kind = &func.insts[site].kind;
            let called = kind.as_call().and_then(|call| Some((call.callee.constant()?, m.as_function(call.callee)?)));
            let message = called.and_then(|(_, f)| unknown(&m.functions[f])).or_else(|| {
                let callee = called.map(|(constant, _)| constant);
                let mut constants: Vec<ConstId> = kind.operands().into_iter().filter_map(|o| o.constant()).collect();
                // The callee stands among the operands once more.
                if let Some(at) = constants.iter().position(|c| Some(*c) == callee) {
                    constants.remove(at);
                }
                constants.into_iter().find_map(|constant| in_constant(m, constant))
            });
            if let Some(message) = message {
                out.push((caller, site, Diagnostic::at(m, func, site, Reason::Misuse, message)));
            }
        }
    }
    out.extend(in_variables(m));
    out
}

/// Registrations whose name is not known.
pub fn registrations(m: &Module) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (id, global) in m.globals.iter() {
        let known = REGISTRATIONS.iter().any(|known| global.name.contains(known));
        // Tables that a compiler makes have a function's name, too: those of virtual functions, of a `switch`.
        let made = ["_ZT", "_ZG", "llvm."].iter().any(|start| global.name.starts_with(start));
        let Some(init) = global.init.filter(|_| !known && !made && global.flags.linkage != "private") else { continue };
        let Some(name) = reserved(&global.name) else { continue };
        let tells = any(m, init, &mut |kind| matches!(kind, ConstKind::Function(_) | ConstKind::Global(_)));
        if tells {
            out.push(of_variable(
                m,
                id,
                format!("`{name}` is no registration that is known: {}", near(name, &REGISTRATIONS)),
            ));
        }
    }
    out
}

fn of_variable(m: &Module, global: GlobalId, message: String) -> Diagnostic {
    let function = m.globals[global].name.clone();
    Diagnostic { reason: Reason::Misuse, message, function, instruction: None, loc: m.global_loc(global) }
}

/// Addresses in the initial values of variables; each is refused where the program mentions the variable.
fn in_variables(m: &Module) -> Vec<Refused> {
    let mut out = Vec::new();
    for (id, global) in m.globals.iter().filter(|(_, g)| !g.name.starts_with("llvm.")) {
        let Some(message) = global.init.or(global.alias_of).and_then(|init| in_constant(m, init)) else { continue };
        // An alias of an entry point is another name for it, by which it can be called.
        let called =
            |init: ConstId| m.as_function(ir::Operand::Const(init)).is_some_and(|f| unknown(&m.functions[f]).is_none());
        if global.alias_of.is_some_and(called) {
            continue;
        }
        let Some((caller, site)) = mention(m, id) else { continue };
        out.push((caller, site, of_variable(m, id, message)));
    }
    out
}

/// An instruction that names a variable, or the first of the module.
fn mention(m: &Module, global: GlobalId) -> Option<(FuncId, InstId)> {
    let all = || m.functions.iter().flat_map(|(f, func)| func.inst_order().map(move |(_, inst)| (f, inst)));
    let names = |(f, inst): &(FuncId, InstId)| {
        let operands = m.functions[*f].insts[*inst].kind.operands();
        let constants = operands.into_iter().filter_map(|o| o.constant());
        constants.into_iter().any(|c| any(m, c, &mut |kind| matches!(kind, ConstKind::Global(g) if *g == global)))
    };
    all().find(names).or_else(|| all().next())
}

/// What is wrong with what a constant holds the address of.
fn in_constant(m: &Module, constant: ConstId) -> Option<String> {
    let mut message = None;
    any(m, constant, &mut |kind| {
        message = match kind {
            ConstKind::Function(f) => address(&m.functions[*f]),
            ConstKind::Global(g) => variable(m, *g),
            _ => None,
        };
        message.is_some()
    });
    message
}

/// Does some part of a constant have a property? Not what the variables hold that it names.
fn any(m: &Module, constant: ConstId, holds: &mut dyn FnMut(&ConstKind) -> bool) -> bool {
    let mut work = vec![constant];
    while let Some(next) = work.pop() {
        let kind = &m.constants.get(next).kind;
        if holds(kind) {
            return true;
        }
        match kind {
            ConstKind::Aggregate(elements) => work.extend(elements.iter().rev()),
            ConstKind::Expr(ConstExpr::Cast(_, inner) | ConstExpr::Gep { base: inner, .. }) => work.push(*inner),
            ConstKind::Expr(ConstExpr::Binary { lhs, rhs, .. }) => work.extend([lhs, rhs]),
            _ => {}
        }
    }
    false
}

/// What is wrong with a call of the function.
fn unknown(f: &Function) -> Option<String> {
    let name = reserved(&f.name).filter(|_| f.is_declaration())?;
    if name.starts_with(checkpoint_for::LOOP) && f.name != checkpoint_for::LOOP {
        return Some(format!("`{}` needs the definition that `adj.h` gives", checkpoint_for::LOOP));
    }
    if name.contains(annotations::ITER) {
        return Some(format!(
            "`{name}` returns its first argument, but is declared to return something of another type"
        ));
    }
    let known =
        entry_points::is_entry_point(&f.name) || annotations::is_known(&f.name) || f.name == checkpoint_for::LOOP;
    (!known).then(|| format!("`{name}` is no function that is known: {}", near(name, &CALLS)))
}

/// What is wrong with the address of the function.
fn address(f: &Function) -> Option<String> {
    let name = reserved(&f.name).filter(|_| f.is_declaration())?;
    let taken =
        "has its address taken here, so that it is called through a pointer: only calls that name it are carried out";
    unknown(f).or_else(|| Some(format!("`{name}` {taken}")))
}

/// What is wrong with the use of a variable.
fn variable(m: &Module, id: GlobalId) -> Option<String> {
    let global = &m.globals[id];
    let name = reserved(&global.name).filter(|_| global.init.is_none() && global.alias_of.is_none())?;
    Some(format!("`{name}` is no variable that is known: {}", near(name, &MARKERS)))
}

/// The name of the convention in a name, which C++ may have mangled: `_Z17__enzyme_autodiffIdJ…` (Itanium C++ ABI,
/// 5.1.2).
fn reserved(name: &str) -> Option<&str> {
    let start = PREFIXES.iter().filter_map(|prefix| name.find(prefix)).min()?;
    let digits = name[..start].len() - name[..start].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let told = name[start - digits..start].parse::<usize>().ok().and_then(|length| name.get(start..start + length));
    let rest = &name[start..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(told.filter(|_| name.starts_with("_Z")).unwrap_or(&rest[..end]))
}

/// The nearest of some names, or if none is near, all of them.
fn near(name: &str, known: &[&str]) -> String {
    // A name may go on behind the one that is meant: `__enzyme_autodiff_void`.
    let ends = name.char_indices().filter(|(at, c)| *c == '_' && *at > 0).map(|(at, _)| at).chain([name.len()]);
    let starts: Vec<&str> = ends.map(|at| &name[..at]).collect();
    let measured = |known: &&str| starts.iter().map(|start| distance(start, known)).min().unwrap_or(usize::MAX);
    match known.iter().min_by_key(|known| (measured(known), std::cmp::Reverse(known.len()))) {
        Some(found) if measured(found) <= 1 + found.len() / 8 => format!("did you mean `{found}`?"),
        _ => {
            let all: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            format!("there are {}", all.join(", "))
        }
    }
}

/// How many characters are to be put in, taken out or changed to make one name of the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let changed = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::entry_points::NOT_IMPLEMENTED;

    #[test]
    fn every_name_that_is_suggested_is_known() {
        let known = |name: &str| {
            entry_points::is_entry_point(name) || annotations::is_known(name) || name == checkpoint_for::LOOP
        };
        for name in CALLS.iter().chain(NOT_IMPLEMENTED) {
            assert!(known(name) && reserved(name) == Some(name), "{name}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let suggested =
            |name: &str, known: &[&str], meant: &str| assert_eq!(near(name, known), format!("did you mean `{meant}`?"));
        suggested("__enzyme_autodif", &CALLS, "__enzyme_autodiff");
        suggested("__enzyme_autodif_void", &CALLS, "__enzyme_autodiff");
        suggested("__enzyme_fwdiff", &CALLS, "__enzyme_fwddiff");
        suggested("__enzyme_augmentfward", &CALLS, "__enzyme_augmentfwd");
        suggested("__enzyme_register_gradent_f", &REGISTRATIONS, "__enzyme_register_gradient");
        suggested("__enzyme_dup", &MARKERS, "enzyme_dup");
        assert!(near("__enzyme_no_such_thing", &CALLS).starts_with("there are `__enzyme_autodiff`, "));
    }

    #[test]
    fn mangled_names_are_read() {
        assert_eq!(reserved("_Z16__enzyme_autodifIdJdEET_PvDpT0_"), Some("__enzyme_autodif"));
        assert_eq!(reserved("_ZN3adj16__enzyme_autodifEPv"), Some("__enzyme_autodif"));
        assert_eq!(reserved("f.__enzyme_x"), Some("__enzyme_x"));
        assert_eq!(reserved("enzyme_dup"), None);
    }
}
