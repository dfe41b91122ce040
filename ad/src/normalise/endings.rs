//! Where a function ends otherwise than by returning.

use crate::base::blocks::{self, drop_unreachable};
use crate::base::names::INACTIVE;
use crate::program::externals::{self, External};
use ir::inst::Clause;
use ir::{Attr, AttrValue, FuncId, Function, Inst, InstId, InstKind, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Where an exception begins (it is allocated, thrown, or thrown by the library), the differentiated function ends with
/// a message.
pub fn end_at_throws(m: &mut Module, func: &mut Function) {
    let void = m.types.void();
    for block in func.layout.clone() {
        let throws = |i: &InstId| {
            let callee = func.insts[*i].kind.as_call().and_then(|c| m.as_function(c.callee));
            callee.is_some_and(|f| m.functions[f].is_declaration() && externals::throws(&m.functions[f].name))
        };
        let Some(at) = func.blocks[block].insts.iter().position(throws) else { continue };
        let loc = func.insts[func.blocks[block].insts[at]].loc;
        blocks::truncate(func, block, at, InstKind::Unreachable, void);
        let refuse = crate::runtime::refuse::refusal(m, "an exception is thrown in a differentiated function\n");
        let mut refuse = Inst::new(refuse, void);
        refuse.loc = loc;
        let id = func.create_inst(refuse, false);
        func.blocks[block].insts.insert(at, id);
    }
}

/// What ends a thread alone: the others go on, and so does the differentiated function.
const END_THREADS: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// What is elsewhere and never returns (LangRef, `noreturn`: an assertion that has failed, a panic) needs no
/// derivative, and behind it nothing is executed. If it throws, that leaves the differentiated function; so what would
/// catch it here keeps it.
pub fn end_at_others(m: &mut Module, func: &mut Function) {
    let void = m.types.void();
    for block in func.layout.clone() {
        let ends = |inst: &InstId| {
            let Some(call) = func.insts[*inst].kind.as_call() else { return false };
            let Some(callee) = m.as_function(call.callee).map(|f| &m.functions[f]) else { return false };
            let unknown = matches!(externals::classify(m, callee), External::Unknown);
            let ends_thread = END_THREADS.contains(&callee.name.as_str());
            callee.is_declaration()
                && !is_caught(func, *inst)
                && unknown
                && !ends_thread
                && (callee.attrs.has("noreturn") || call.fn_attrs.has("noreturn"))
        };
        let Some(at) = func.blocks[block].insts.iter().position(ends) else { continue };
        let inst = func.blocks[block].insts[at];
        blocks::truncate(func, block, at, InstKind::Unreachable, void);
        if let InstKind::Invoke { call, .. } = func.insts[inst].kind.clone() {
            func.insts[inst].kind = InstKind::Call(call);
        }
        if let Some(call) = func.insts[inst].kind.as_call_mut()
            && !call.fn_attrs.has(INACTIVE)
        {
            call.fn_attrs.0.push(Attr { name: INACTIVE.to_owned(), value: AttrValue::Str(None) });
        }
        func.blocks[block].insts.insert(at, inst);
    }
}

/// Is what a call may throw caught where it is called, and not only cleaned up after?
fn is_caught(func: &Function, call: InstId) -> bool {
    let InstKind::Invoke { unwind, .. } = func.insts[call].kind else { return false };
    func.blocks[unwind].insts.iter().any(|inst| match &func.insts[*inst].kind {
        InstKind::LandingPad { clauses, .. } => clauses.iter().any(|clause| matches!(clause, Clause::Catch(_))),
        _ => false,
    })
}

/// Behind a call of a function that never returns nothing is executed.
pub fn end_behind_endless(m: &mut Module, sources: &mut BTreeMap<FuncId, Function>) {
    let void = m.types.void();
    let returns =
        |func: &Function| func.inst_order().any(|(_, inst)| matches!(func.insts[inst].kind, InstKind::Ret(_)));
    loop {
        let endless: BTreeSet<FuncId> = sources.iter().filter(|(_, func)| !returns(func)).map(|(id, _)| *id).collect();
        if endless.is_empty() {
            return;
        }
        let mut ended = false;
        for func in sources.values_mut() {
            let mut here = false;
            for block in func.layout.clone() {
                let insts = &func.blocks[block].insts;
                let calls = |inst: &InstId| {
                    let callee = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
                    callee.is_some_and(|f| endless.contains(&f))
                };
                let Some(at) = insts.iter().position(calls) else { continue };
                let next = insts.get(at + 1).map(|next| &func.insts[*next].kind);
                if !matches!(next, Some(InstKind::Unreachable)) {
                    blocks::truncate(func, block, at + 1, InstKind::Unreachable, void);
                    here = true;
                }
            }
            if here {
                drop_unreachable(func);
                ended = true;
            }
        }
        if !ended {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::normalise::collect::collect;
    use ir::InstKind;

    /// Instructions of `f` that are stores, where it calls `g` first.
    fn stores_behind(g: &str) -> usize {
        let text = format!(
            "declare void @_ZSt17__throw_bad_allocv()\ndefine void @fails() {{\n  \
             call void @_ZSt17__throw_bad_allocv()\n  ret void\n}}\n{g}\
             define void @f(ptr %p, i1 %c) {{\n  call void @g(i1 %c)\n  store i32 1, ptr %p, align 4\n  ret void\n}}\n"
        );
        let mut m = ir::parse::parse(&text, "endings").unwrap();
        let f = m.function("f").unwrap();
        let sources = collect(&mut m, f).unwrap();
        let func = &sources[&f];
        func.inst_order().filter(|(_, inst)| matches!(func.insts[*inst].kind, InstKind::Store { .. })).count()
    }

    #[test]
    fn nothing_is_executed_behind_what_never_returns() {
        let always = "define void @g(i1 %c) {\n  call void @fails()\n  ret void\n}\n";
        let sometimes = "define void @g(i1 %c) {\n  br i1 %c, label %then, label %end\nthen:\n  call void @fails()\n  \
                         br label %end\nend:\n  ret void\n}\n";
        assert_eq!(stores_behind("declare void @g(i1) noreturn\n"), 0);
        assert_eq!(stores_behind("declare void @g(i1)\n"), 1);
        assert_eq!(stores_behind(always), 0);
        assert_eq!(stores_behind(sometimes), 1);
    }
}
