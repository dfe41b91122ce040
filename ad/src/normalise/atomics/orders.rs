//! One order of memory where a program chooses among several at run time.
//!
//! An order that is a variable (the parameter of a member function of `std::atomic` that is not written out) makes of
//! an access a `switch` whose arms are alike but for the order, up to fifteen of an exchange. Any of them may be in the
//! place of the others if its order is the strongest (LangRef, "Atomic Memory Ordering Constraints"), and one access is
//! seen for what it is by whatever looks at a variable or a loop.

use crate::base::blocks;
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, Function, InstId, InstKind, Operand, Ordering, ValueId};

/// Puts one arm in the place of all where the arms of a choice are alike but for the order of their accesses.
pub(crate) fn unite(func: &mut Function) {
    while let Some((block, arm, ordered)) = choice(func) {
        for inst in ordered {
            strengthen(&mut func.insts[inst].kind);
        }
        for other in func.successors(block).into_iter().filter(|other| *other != arm).collect::<HashSet<_>>() {
            blocks::remove_pred(func, other, block);
        }
        if let Some(last) = func.terminator(block) {
            func.insts[last].kind = InstKind::Br(arm);
        }
        // Several cases may have led there.
        for phi in blocks::phis(func, arm) {
            if let InstKind::Phi { incoming, .. } = &mut func.insts[phi].kind {
                let mut known = false;
                incoming.retain(|(_, from)| *from != block || !std::mem::replace(&mut known, true));
            }
        }
        blocks::drop_unreachable(func);
    }
}

/// The end of a block, one of the arms that are alike, and its accesses.
fn choice(func: &Function) -> Option<(BlockId, BlockId, Vec<InstId>)> {
    func.layout.iter().find_map(|block| {
        let InstKind::Switch { default, cases, .. } = &func.insts[func.terminator(*block)?].kind else { return None };
        let others: HashSet<BlockId> = cases.iter().map(|(_, arm)| *arm).filter(|arm| arm != default).collect();
        let mut ordered = Vec::new();
        for other in &others {
            ordered.extend(alike(func, ahead(func, *default), ahead(func, *other))?);
        }
        (!ordered.is_empty()).then_some((*block, *default, ordered))
    })
}

/// Where one comes from a block that does nothing.
fn ahead(func: &Function, block: BlockId) -> BlockId {
    match func.terminator(block).map(|last| &func.insts[last].kind) {
        Some(InstKind::Br(next)) if func.blocks[block].insts.len() == 1 && blocks::phis(func, *next).is_empty() => {
            *next
        }
        _ => block,
    }
}

/// The accesses behind `one`, if those behind `other` differ in their orders alone.
fn alike(func: &Function, one: BlockId, other: BlockId) -> Option<Vec<InstId>> {
    // Blocks, instructions and values behind `other`, and those in their place behind `one`.
    let (mut blocks, mut values): (HashMap<BlockId, BlockId>, HashMap<ValueId, ValueId>) = Default::default();
    let (mut pairs, mut work) = (Vec::new(), vec![(one, other)]);
    while let Some((x, y)) = work.pop() {
        if x == y {
            continue;
        }
        if let Some(known) = blocks.insert(y, x) {
            if known != x {
                return None;
            }
            continue;
        }
        let (of_x, of_y) = (&func.blocks[x].insts, &func.blocks[y].insts);
        let (to_x, to_y) = (func.successors(x), func.successors(y));
        if of_x.len() != of_y.len() || to_x.len() != to_y.len() {
            return None;
        }
        pairs.extend(of_x.iter().copied().zip(of_y.iter().copied()));
        work.extend(to_x.into_iter().zip(to_y));
    }
    if blocks.values().any(|x| blocks.contains_key(x)) {
        return None;
    }
    for (x, y) in &pairs {
        match (func.insts[*x].result, func.insts[*y].result) {
            (Some(x), Some(y)) => _ = values.insert(y, x),
            (None, None) => {}
            _ => return None,
        }
    }
    let value = |operand: Operand| match operand {
        Operand::Local(v) => Operand::Local(values.get(&v).copied().unwrap_or(v)),
        constant => constant,
    };
    let block = |b: BlockId| blocks.get(&b).copied().unwrap_or(b);
    let mut ordered = Vec::new();
    for (x, y) in pairs {
        let (kind, mut in_its_place) = (func.insts[x].kind.clone(), func.insts[y].kind.clone());
        in_its_place.for_each_operand_mut(|o| *o = value(*o));
        in_its_place.map_successors(block);
        if let InstKind::Phi { incoming, .. } = &mut in_its_place {
            incoming.iter_mut().for_each(|(_, from)| *from = block(*from));
        }
        if func.insts[x].ty != func.insts[y].ty {
            return None;
        }
        let [mut strong, mut as_strong] = [kind, in_its_place];
        let is_ordered = strengthen(&mut strong);
        strengthen(&mut as_strong);
        if strong != as_strong {
            return None;
        }
        ordered.extend(is_ordered.then_some(x));
    }
    // Where both come to the same block, they bring the same there.
    let agree = |x: BlockId, y: BlockId, at: BlockId| {
        blocks::phis(func, at).into_iter().all(|phi| {
            let InstKind::Phi { incoming, .. } = &func.insts[phi].kind else { return true };
            let from = |pred| incoming.iter().find(|(_, from)| *from == pred).map(|(value, _)| *value);
            from(x) == from(y).map(value)
        })
    };
    let ends = |(y, x): (&BlockId, &BlockId)| {
        func.successors(*y).into_iter().filter(|at| !blocks.contains_key(at)).all(|at| agree(*x, *y, at))
    };
    blocks.iter().all(ends).then_some(ordered)
}

/// Gives an access the strongest order. Has it any?
fn strengthen(kind: &mut InstKind) -> bool {
    match kind {
        InstKind::Load { atomic: Some(atomic), .. }
        | InstKind::Store { atomic: Some(atomic), .. }
        | InstKind::Fence(atomic) => atomic.ordering = Ordering::SeqCst,
        InstKind::AtomicRmw { ordering, .. } => *ordering = Ordering::SeqCst,
        InstKind::CmpXchg { success, failure, .. } => (*success, *failure) = (Ordering::SeqCst, Ordering::SeqCst),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::unite;

    /// What is left of a function in which the order of an exchange is a variable.
    fn united(weakest: &str, word: &str) -> String {
        let arm = |name: &str, order: &str, word: &str| {
            format!(
                "{name}:\n  %e{name} = load i64, ptr %e, align 8\n  \
                 %c{name} = cmpxchg weak ptr %p, i64 %e{name}, i64 {word} {order}, align 8\n  \
                 %f{name} = extractvalue {{ i64, i1 }} %c{name}, 0\n  %s{name} = extractvalue {{ i64, i1 }} %c{name}, 1\n  \
                 br i1 %s{name}, label %done{name}, label %store{name}\n\
                 store{name}:\n  store i64 %f{name}, ptr %e, align 8\n  br label %done{name}\n\
                 done{name}:\n  br label %end\n"
            )
        };
        let text = format!(
            "define i1 @f(ptr %p, ptr %e, i32 %order, i32 %fail) {{\n  \
             switch i32 %order, label %a [\n    i32 1, label %inner\n    i32 2, label %inner\n  ]\n\
             inner:\n  switch i32 %fail, label %b [\n    i32 5, label %c\n  ]\n{}{}{}\
             end:\n  %r = phi i1 [ %sa, %donea ], [ %sb, %doneb ], [ %sc, %donec ]\n  ret i1 %r\n}}\n",
            arm("a", weakest, "7"),
            arm("b", "acquire monotonic", "7"),
            arm("c", "acquire seq_cst", word),
        );
        let mut m = ir::parse(&text, "test").expect("the test's IR parses");
        let id = m.function("f").expect("it is there");
        let mut func = m.functions[id].clone();
        unite(&mut func);
        m.functions[id] = func;
        ir::verify(&m).expect("it is valid");
        m.to_string()
    }

    #[test]
    fn of_a_choice_of_orders_the_strongest_remains() {
        let text = united("monotonic monotonic", "7");
        assert_eq!(text.matches("cmpxchg").count(), 1, "{text}");
        assert_eq!(text.matches("seq_cst seq_cst").count(), 1, "{text}");
        assert_eq!(text.matches("switch").count(), 0, "{text}");
    }

    #[test]
    fn other_differences_are_kept() {
        let text = united("monotonic monotonic", "8");
        assert_eq!(text.matches("cmpxchg").count(), 3, "{text}");
        assert_eq!(text.matches("seq_cst seq_cst").count(), 0, "{text}");
    }
}
