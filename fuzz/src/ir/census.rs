//! What a program contains: instructions with their flags, intrinsics, shapes of control flow.

use ir::{FuncId, Function, InstKind, Module, Type};
use std::collections::BTreeSet;

/// The constructs of all functions that a function reaches, by name.
pub fn of(module: &Module, root: FuncId) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut seen, mut work) = (BTreeSet::new(), vec![root]);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = &module.functions[id];
        if function.is_declaration() {
            declared(&function.name, &mut found);
            continue;
        }
        for (_, inst) in function.inst_order() {
            let kind = &function.insts[inst].kind;
            instruction(module, function, inst, &mut found);
            work.extend(kind.operands().into_iter().filter_map(|o| module.as_function(o)));
        }
        shapes(function, &mut found);
        if function
            .inst_order()
            .any(|(_, i)| function.insts[i].kind.as_call().is_some_and(|c| module.as_function(c.callee) == Some(id)))
        {
            found.insert("recursion".to_owned());
        }
    }
    found
}

/// An intrinsic without its types, or a function of the library.
fn declared(name: &str, found: &mut BTreeSet<String>) {
    match name.strip_prefix("llvm.") {
        Some(rest) => {
            let typed = |part: &&str| {
                let letters: String = part.chars().filter(|c| !c.is_ascii_digit()).collect();
                part.len() > letters.len() && matches!(letters.as_str(), "i" | "f" | "vi" | "vf" | "p" | "vp")
            };
            let parts: Vec<&str> = rest.split('.').take_while(|part| !typed(part)).collect();
            found.insert(format!("llvm.{}", parts.join(".")));
        }
        None if name.starts_with("__enzyme_fwd") => drop(found.insert("mode: forward".to_owned())),
        None if name.starts_with("__enzyme") => drop(found.insert("mode: reverse".to_owned())),
        None => drop(found.insert(format!("rule: {name}"))),
    }
}

fn instruction(module: &Module, function: &Function, inst: ir::InstId, found: &mut BTreeSet<String>) {
    let it = &function.insts[inst];
    let mut note = |text: &str| _ = found.insert(text.to_owned());
    let vector = |ty| matches!(module.types.get(ty), Type::Vector { .. });
    if vector(it.ty) {
        note("vector");
    }
    if let Type::Int(bits) = module.types.get(it.ty)
        && !matches!(bits, 1 | 8 | 16 | 32 | 64 | 128)
    {
        note("integer of an odd width");
    }
    if let Some(kind) = module.types.float_kind(module.types.scalar(it.ty)) {
        note(kind.keyword());
    }
    match &it.kind {
        InstKind::Binary { op, flags, .. } => {
            note(op.name());
            for (set, name) in
                [(flags.nuw, "nuw"), (flags.nsw, "nsw"), (flags.exact, "exact"), (flags.disjoint, "disjoint")]
            {
                if set {
                    note(name);
                }
            }
        }
        InstKind::Cast { op, flags, .. } => {
            note(op.name());
            if flags.nneg {
                note("nneg");
            }
        }
        InstKind::Phi { .. } if module.types.is_ptr(it.ty) => note("phi of pointers"),
        InstKind::Phi { .. } => note("phi"),
        InstKind::Select { .. } if module.types.is_ptr(it.ty) => note("select of pointers"),
        InstKind::Select { .. } => note("select"),
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            note("atomic load or store")
        }
        InstKind::Load { .. } if module.types.is_ptr(it.ty) => note("load of a pointer"),
        InstKind::AtomicRmw { op, .. } => note(&format!("atomicrmw {}", op.name())),
        InstKind::CmpXchg { .. } => note("cmpxchg"),
        InstKind::Switch { .. } => note("switch"),
        InstKind::FNeg { .. } => note("fneg"),
        InstKind::ICmp { .. } => note("icmp"),
        InstKind::FCmp { .. } => note("fcmp"),
        InstKind::Freeze(_) => note("freeze"),
        InstKind::ExtractElement { .. } => note("extractelement"),
        InstKind::InsertElement { .. } => note("insertelement"),
        InstKind::ShuffleVector { .. } => note("shufflevector"),
        InstKind::ExtractValue { .. } => note("extractvalue"),
        InstKind::InsertValue { .. } => note("insertvalue"),
        InstKind::Call(call) if module.as_function(call.callee).is_none() => note("call through a pointer"),
        _ => {}
    }
}

/// Loops, loops with several ways out, cycles with several entries, early returns.
fn shapes(function: &Function, found: &mut BTreeSet<String>) {
    let returns = function
        .layout
        .iter()
        .filter(|b| function.terminator(**b).is_some_and(|t| matches!(function.insts[t].kind, InstKind::Ret(_))));
    if returns.count() > 1 {
        found.insert("early return".to_owned());
    }
    let cfg = ir::cfg::Cfg::new(function);
    let dom = ir::dom::DomTree::new(function, &cfg);
    let loops = ir::loops::Loops::new(function, &cfg, &dom);
    let mut note = |yes: bool, text: &str| {
        if yes {
            found.insert(text.to_owned());
        }
    };
    note(!loops.loops.is_empty(), "loop");
    note(loops.loops.values().any(|l| l.parent.is_some()), "loop in a loop");
    note(loops.loops.values().any(|l| l.exits.len() > 1), "loop with several ways out");
    note(loops.irreducible.is_some(), "cycle with several entries");
}
