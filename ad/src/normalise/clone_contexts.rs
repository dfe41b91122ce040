//! Calling contexts kept apart: every call gets a copy of the function it calls.
//!
//! The analyses take all calls of a function together. A helper that copies doubles here and pairs of floats there, or
//! is given active memory in one call and constant memory in another, then works on data of no one type. Where a
//! gradient is refused, it is tried again on sources in which the tree of calls is written out (call strings of
//! unlimited length, Sharir & Pnueli 1981; a recursive call goes to the copy that is being made, so that each way into
//! a recursion has a recursion of its own). Programs that need no such copies do not pay for them.

use crate::base::names;
use crate::error::{COPIED_FOR_A_CALL, Diagnostic, Reason};
use crate::normalise::fork::is_fork;
use crate::normalise::indirect::Indirect;
use crate::normalise::inline;
use crate::normalise::sources::Sources;
use crate::program::call_graph;
use ir::{FuncId, Module, Operand};
use std::collections::BTreeSet;

/// Instructions after which no more copies are made.
const MAX_INSTRUCTIONS: usize = 40_000;

/// What becomes of calls before the analyses: what one way refuses, the next is tried on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calls {
    /// Those of functions that are called at few places are written out ([`crate::normalise::inline`]).
    FewWrittenOut,
    /// They stay; stack slots are promoted ([`crate::normalise::promote`]), as in all ways, unless that lever is left
    /// out.
    AsTheyAre,
    /// Small functions are written out ([`crate::normalise::inline`]).
    WrittenOut,
    /// And every other call gets a function of its own ([`separate`]).
    Apart,
}

impl Calls {
    /// Functions from which on the analyses of all of them, most of which are of one line, take longer than writing
    /// those out.
    const MANY: usize = 256;

    /// What `make` makes of the first way of taking calls that it does not refuse; else its first refusal. What calls
    /// taken together do not give, calls kept apart may.
    pub fn try_each<T>(
        m: &Module,
        primal: FuncId,
        make: impl Fn(Calls) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let ways = match call_graph::reachable(m, primal).len() < Calls::MANY {
            true => [Calls::FewWrittenOut, Calls::AsTheyAre, Calls::WrittenOut, Calls::Apart],
            false => [Calls::WrittenOut, Calls::Apart, Calls::FewWrittenOut, Calls::AsTheyAre],
        };
        let again = |refusal: &Diagnostic| matches!(refusal.reason, Reason::Unsupported | Reason::Incomplete);
        let [first, others @ ..] = ways;
        others.into_iter().fold(make(first), |made, calls| match made {
            Err(refusal) if again(&refusal) => make(calls).map_err(|_| refusal),
            made => made,
        })
    }
}

/// The copies made, so that what is not needed after synthesis can be stripped.
#[derive(Default)]
pub struct Copies {
    made: Vec<FuncId>,
    left: usize,
}

/// Writes out the calls below `root`.
pub fn separate(m: &mut Module, sources: &mut Sources, root: FuncId, indirect: &mut Indirect, made: &mut Copies) {
    let mut copies = Copies { made: Vec::new(), left: MAX_INSTRUCTIONS };
    copies.own_calls(m, sources, root, &mut vec![(root, root)], indirect);
    made.made.append(&mut copies.made);
    inline::retain_reached(m, sources, root);
}

impl Copies {
    /// Another function that was made for the analyses.
    pub fn add(&mut self, id: FuncId) {
        self.made.push(id);
    }

    /// Has every call in a function go to a copy of what it calls; `path` holds the functions that are being copied,
    /// with their copies.
    fn own_calls(
        &mut self,
        m: &mut Module,
        sources: &mut Sources,
        id: FuncId,
        path: &mut Vec<(FuncId, FuncId)>,
        indirect: &mut Indirect,
    ) {
        let insts: Vec<_> = sources[&id].inst_order().map(|(_, i)| i).collect();
        for inst in insts {
            let callee = sources[&id].insts[inst].kind.as_call().and_then(|c| m.as_function(c.callee));
            // What forks a team is not what the analyses read of it: a copy of that would fork none.
            let copied = |f: &FuncId| sources.get(f).is_some_and(|s| !s.vararg && !is_fork(s));
            let Some(callee) = callee.filter(copied) else { continue };
            let own = match path.iter().rev().find(|(from, _)| *from == callee) {
                Some((_, copy)) => *copy,
                None => match self.copy(m, sources, callee, indirect) {
                    None => continue,
                    Some(copy) => {
                        path.push((callee, copy));
                        self.own_calls(m, sources, copy, path, indirect);
                        path.pop();
                        m.functions[copy] = sources[&copy].clone();
                        copy
                    }
                },
            };
            let address: Operand = m.function_address(own);
            if let Some(call) = sources.get_mut(&id).and_then(|f| f.insts[inst].kind.as_call_mut()) {
                call.callee = address;
            }
        }
    }

    /// A copy of a function that still calls what the function calls.
    fn copy(&mut self, m: &mut Module, sources: &mut Sources, id: FuncId, indirect: &mut Indirect) -> Option<FuncId> {
        let mut func = sources[&id].clone();
        self.left = self.left.checked_sub(func.inst_order().count())?;
        func.name = names::unique(m, &format!("{COPIED_FOR_A_CALL}{}", func.name));
        func.flags = ir::Function::new("", func.ret, &[]).flags;
        func.flags.linkage = "internal".to_owned();
        func.clauses.retain(|clause| !clause.starts_with("comdat"));
        let new = m.functions.push(func.clone());
        sources.insert(new, func);
        self.made.push(new);
        let chosen: Vec<_> = indirect
            .chosen
            .range((id, ir::InstId::from_u32(0))..)
            .take_while(|((f, _), _)| *f == id)
            .map(|((_, i), p)| (*i, *p))
            .collect();
        indirect.chosen.extend(chosen.into_iter().map(|(inst, chosen)| ((new, inst), chosen)));
        if let Some(declared) = indirect.declared.get(&id).cloned() {
            indirect.declared.insert(new, declared);
        }
        Some(new)
    }

    /// Takes the debug information off the copies, since a subprogram belongs to one function, and the bodies off those
    /// that nothing calls: of them only the gradient was wanted.
    pub fn strip(&self, m: &mut Module) {
        if self.made.is_empty() {
            return;
        }
        let made: BTreeSet<FuncId> = self.made.iter().copied().collect();
        let mut work: Vec<FuncId> = m.functions.keys().filter(|f| !made.contains(f)).collect();
        let mut reached: BTreeSet<FuncId> = BTreeSet::new();
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                let func = &m.functions[id];
                let operands = func.inst_order().flat_map(|(_, i)| func.insts[i].kind.operands());
                work.extend(operands.filter_map(|o| m.as_function(o)).filter(|f| made.contains(f)));
            }
        }
        for id in made {
            let func = &mut m.functions[id];
            func.metadata.retain(|(key, _)| key != "dbg");
            for inst in func.insts.values_mut() {
                inst.debug_records.clear();
                inst.origin = None;
            }
            if !reached.contains(&id) {
                func.layout.clear();
                func.flags.linkage.clear();
                func.personality = None;
            }
        }
    }
}
