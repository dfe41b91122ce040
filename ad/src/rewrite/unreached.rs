//! What functions would do for numbers that nobody gives them.
//!
//! Once all calls are known, that is dropped from the copies of which gradients are made: what is known of the rest is
//! then known of all ([`crate::analysis::memory::reached`] says what is executed).

use crate::analysis::memory::Facts;
use crate::base::blocks::drop_unreachable;
use crate::normalise::sources::Sources;
use crate::runtime::refuse::refusal;
use ir::{BlockId, Function, Inst, InstKind, Module};

/// Drops what is never executed: functions that nobody calls, and blocks.
pub fn drop_unreached(m: &mut Module, facts: &Facts, sources: &mut Sources) {
    sources.retain(|id, _| facts.is_reached_function(*id));
    for (id, func) in sources {
        let Some(live) = facts.reached_blocks(m, *id, func).filter(|live| live.len() < func.layout.len()) else {
            continue;
        };
        let mut unasked: Option<BlockId> = None;
        for block in func.layout.clone().into_iter().filter(|block| live.contains(block)) {
            let Some(term) = func.terminator(block) else { continue };
            if func.successors(block).iter().any(|to| !live.contains(to)) {
                let end = *unasked.get_or_insert_with(|| end(m, func));
                func.insts[term].kind.map_successors(|to| if live.contains(&to) { to } else { end });
            }
        }
        drop_unreachable(func);
    }
}

/// A block that ends the program: a number came that nobody was known to give.
fn end(m: &mut Module, func: &mut Function) -> BlockId {
    let void = m.types.void();
    let block = func.add_block("unasked");
    let refuse = refusal(m, "a function is called with a number that the differentiated code does not know\n");
    func.append(block, Inst::new(refuse, void), false);
    func.append(block, Inst::new(InstKind::Unreachable, void), false);
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::Activity;
    use crate::normalise::collect::collect;
    use crate::normalise::indirect::Indirect;
    use ir::FuncId;

    /// A function that does one of three things as it is asked; `f` asks it to do these.
    fn dropped(asked: &[&str]) -> (Module, Sources, FuncId) {
        let calls: String = asked.iter().map(|n| format!("  call void @manage(ptr %p, i32 {n})\n")).collect();
        let text = format!(
            "define void @other() {{\n  ret void\n}}\n\
             define void @manage(ptr %p, i32 %what) {{\n  switch i32 %what, label %rest [ i32 0, label %zero\n    \
             i32 1, label %one ]\nzero:\n  store i32 5, ptr %p, align 4\n  ret void\none:\n  \
             store i32 6, ptr %p, align 4\n  call void @other()\n  ret void\nrest:\n  \
             store i32 7, ptr %p, align 4\n  ret void\n}}\n\
             define void @f(ptr %p, i32 %n) {{\n{calls}  ret void\n}}\n"
        );
        let mut m = ir::parse::parse(&text, "reached").unwrap();
        let [f, manage] = ["f", "manage"].map(|name| m.function(name).unwrap());
        let mut sources = collect(&mut m, f).unwrap();
        let activities = [Activity::Const, Activity::Const];
        let facts = Facts::analyse_reached(&m, &sources, f, &activities, &Indirect::default()).unwrap();
        drop_unreached(&mut m, &facts, &mut sources);
        (m, sources, manage)
    }

    fn stored(asked: &[&str]) -> Vec<u128> {
        let (m, sources, manage) = dropped(asked);
        let func = &sources[&manage];
        let value = |(_, inst): (BlockId, ir::InstId)| match func.insts[inst].kind {
            InstKind::Store { value, .. } => m.as_int(value),
            _ => None,
        };
        func.inst_order().filter_map(value).collect()
    }

    #[test]
    fn what_nobody_asks_for_is_dropped() {
        assert_eq!(stored(&["0"]), [5]);
        assert_eq!(stored(&["1", "0"]), [5, 6]);
        assert_eq!(stored(&["9"]), [7]);
        // Any number may come.
        assert_eq!(stored(&["0", "%n"]), [5, 6, 7]);
    }

    #[test]
    fn a_function_that_nobody_calls_is_dropped() {
        let is_there = |asked| {
            let (m, sources, _) = dropped(asked);
            sources.contains_key(&m.function("other").unwrap())
        };
        assert_eq!([is_there(&["0"]), is_there(&["1"])], [false, true]);
    }

    /// One that has a case of its own, too.
    #[test]
    fn a_number_that_was_not_told_ends_the_program() {
        let (m, sources, manage) = dropped(&["0", "9"]);
        let func = &sources[&manage];
        let Some(InstKind::Switch { default, cases, .. }) = func.terminator(func.entry()).map(|t| &func.insts[t].kind)
        else {
            panic!("no switch");
        };
        let refuses = |to: BlockId| {
            let called =
                func.blocks[to].insts.iter().find_map(|i| m.as_function(func.insts[*i].kind.as_call()?.callee));
            called.is_some_and(|f| m.functions[f].name == crate::runtime::refuse::REFUSE)
        };
        let told: Vec<(Option<u128>, bool)> =
            cases.iter().map(|(case, to)| (m.as_int(ir::Operand::Const(*case)), refuses(*to))).collect();
        assert_eq!(told, [(Some(0), false), (Some(1), true)]);
        assert!(!refuses(*default));
    }

    /// `manage` asks whether it is one, and what is done in the end has a phi.
    #[test]
    fn so_it_does_at_a_comparison() {
        let text = "define i32 @manage(i32 %what) {\n  %is = icmp eq i32 %what, 1\n  \
                    br i1 %is, label %one, label %other\none:\n  br label %end\nother:\n  br label %end\n\
                    end:\n  %v = phi i32 [ 2, %other ], [ 3, %one ]\n  ret i32 %v\n}\n\
                    define void @f() {\n  %v = call i32 @manage(i32 1)\n  ret void\n}\n";
        let mut m = ir::parse::parse(text, "compared").unwrap();
        let [f, manage] = ["f", "manage"].map(|name| m.function(name).unwrap());
        let mut sources = collect(&mut m, f).unwrap();
        let facts = Facts::analyse_reached(&m, &sources, f, &[], &Indirect::default()).unwrap();
        drop_unreached(&mut m, &facts, &mut sources);
        let text = ir::print::print_function(&m, &sources[&manage]);
        assert!(text.contains("label %unasked") && text.contains("phi i32 [ 3, %one ]"), "{text}");
    }
}
