//! Modules made smaller while something stays true of them: delta debugging (Zeller & Hildebrandt, IEEE TSE 28(2),
//! 2002) over branches and instructions.
//!
//! A branch becomes a jump, and what cannot be reached any more is dropped; an instruction is dropped, its uses
//! replaced by an operand of the same type or by zero. A candidate need not make sense: what is asked of it includes
//! that it is well formed, and that its finding is still of the same kind.

use ir::cfg::Cfg;
use ir::{BlockId, FuncId, Function, InstId, InstKind, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The smallest module that was found within so many questions.
pub fn reduce(module: Module, questions: usize, keeps: &dyn Fn(&Module) -> bool) -> Module {
    let mut it = Reducer { module, left: questions, keeps };
    loop {
        let before = size(&it.module);
        it.branches();
        it.instructions();
        let mut straight = it.module.clone();
        straight.functions.values_mut().for_each(straighten);
        it.offer(straight);
        let mut without = it.module.clone();
        forget_unnamed(&mut without);
        it.offer(without);
        if it.left == 0 || size(&it.module) >= before {
            return it.module;
        }
    }
}

/// Functions that no instruction names lose their bodies.
fn forget_unnamed(module: &mut Module) {
    let mut named = BTreeSet::new();
    for function in module.functions.values() {
        for (_, inst) in function.inst_order() {
            function.insts[inst].kind.for_each_operand(|o| named.extend(module.as_function(*o)));
        }
    }
    for (_, function) in module.functions.iter_mut().filter(|(id, f)| may_change(f) && !named.contains(id)) {
        function.layout.clear();
        function.flags.linkage.clear();
    }
}

/// Joins blocks that follow each other and nothing else.
fn straighten(function: &mut Function) {
    loop {
        let cfg = Cfg::new(function);
        let joins = |block: &&BlockId| {
            let next = match function.successors(**block).as_slice() {
                [next] => *next,
                _ => return false,
            };
            let head = function.blocks[next].insts.first();
            let phi = head.is_some_and(|i| matches!(function.insts[*i].kind, InstKind::Phi { .. }));
            next != **block && cfg.single_pred(next) == Some(**block) && !phi
        };
        let Some(block) = function.layout.iter().find(joins).copied() else { return };
        let next = function.successors(block)[0];
        function.blocks[block].insts.pop();
        let moved = std::mem::take(&mut function.blocks[next].insts);
        function.blocks[block].insts.extend(moved);
        function.layout.retain(|b| *b != next);
        let insts: Vec<InstId> = function.inst_order().map(|(_, i)| i).collect();
        for inst in insts {
            if let InstKind::Phi { incoming, .. } = &mut function.insts[inst].kind {
                incoming.iter_mut().filter(|(_, from)| *from == next).for_each(|(_, from)| *from = block);
            }
        }
    }
}

/// The module as text, without declarations and constants of its own that nothing refers to.
pub fn text(module: &Module) -> String {
    let mut out = module.to_string();
    // What is left out may be all that has referred to something else.
    loop {
        let shorter: String = out.lines().filter(|l| !is_unused(&out, l)).map(|line| format!("{line}\n")).collect();
        if shorter.len() == out.len() {
            break;
        }
        out = shorter;
    }
    while out.contains("\n\n\n") {
        out = out.replace("\n\n\n", "\n\n");
    }
    out
}

/// Is a line of a module a declaration, or a variable of the module alone, that no other line names?
fn is_unused(whole: &str, line: &str) -> bool {
    let alone = line.starts_with("declare ") || line.starts_with('@') && line.contains(" = internal ");
    let names = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let Some(name) = line.split('@').nth(1).filter(|_| alone).and_then(|rest| rest.split(|c| !names(c)).next()) else {
        return false;
    };
    let name = format!("@{name}");
    whole.match_indices(&name).filter(|(at, _)| !whole[at + name.len()..].starts_with(names)).count() == 1
}

struct Reducer<'a> {
    module: Module,
    left: usize,
    keeps: &'a dyn Fn(&Module) -> bool,
}

/// `main` stays as it is: it shows the results of programs that are only executed.
fn may_change(function: &Function) -> bool {
    function.name != "main"
}

/// Instructions in use.
fn size(module: &Module) -> usize {
    module.functions.values().map(|f| f.inst_order().count()).sum()
}

impl Reducer<'_> {
    /// Takes the candidate if it will do.
    fn offer(&mut self, candidate: Module) -> bool {
        if self.left == 0 || candidate.functions.values().any(reads_what_nobody_writes) {
            return false;
        }
        self.left -= 1;
        let taken = (self.keeps)(&candidate);
        if taken {
            self.module = candidate;
        }
        taken
    }

    /// Each branch as a jump to one of its successors.
    fn branches(&mut self) {
        let all = self.module.functions.iter().filter(|(_, f)| may_change(f));
        let places: Vec<(FuncId, BlockId)> = all.flat_map(|(id, f)| f.layout.iter().map(move |b| (id, *b))).collect();
        for (func, block) in places {
            let function = &self.module.functions[func];
            if !function.layout.contains(&block) {
                continue;
            }
            let to: BTreeSet<BlockId> = function.successors(block).into_iter().collect();
            if to.len() < 2 {
                continue;
            }
            for target in to {
                let mut candidate = self.module.clone();
                jump(&mut candidate.functions[func], block, target);
                if self.offer(candidate) {
                    break;
                }
            }
        }
    }

    /// Runs of instructions, long ones first.
    fn instructions(&mut self) {
        let mut length = size(&self.module).next_power_of_two();
        while length > 0 && self.left > 0 {
            let places = self.droppable();
            for run in places.chunks(length) {
                let mut candidate = self.module.clone();
                if drop_all(&mut candidate, run) {
                    self.offer(candidate);
                }
            }
            length /= 2;
        }
    }

    fn droppable(&self) -> Vec<(FuncId, InstId)> {
        let all = self.module.functions.iter().filter(|(_, f)| may_change(f));
        let insts = all.flat_map(|(id, f)| f.inst_order().map(move |(_, inst)| (id, f, inst)));
        // Last ones first: what they use can go next.
        let mut places: Vec<(FuncId, InstId)> =
            insts.filter(|(_, f, inst)| !f.insts[*inst].kind.is_terminator()).map(|(id, _, inst)| (id, inst)).collect();
        places.reverse();
        places
    }
}

/// Turns the end of a block into a jump to one of its successors, and drops what cannot be reached any more.
fn jump(function: &mut Function, block: BlockId, target: BlockId) {
    let Some(end) = function.terminator(block) else { return };
    function.insts[end].kind = InstKind::Br(target);
    let cfg = Cfg::new(function);
    let reached: BTreeSet<BlockId> = function.layout.iter().copied().filter(|b| cfg.is_reachable(*b)).collect();
    function.layout.retain(|b| reached.contains(b));
    for to in function.layout.clone() {
        let mut from: BTreeMap<BlockId, usize> = BTreeMap::new();
        for pred in function.layout.clone() {
            for _ in function.successors(pred).iter().filter(|s| **s == to) {
                *from.entry(pred).or_default() += 1;
            }
        }
        for inst in function.blocks[to].insts.clone() {
            if let InstKind::Phi { incoming, .. } = &mut function.insts[inst].kind {
                let mut left = from.clone();
                incoming.retain(|(_, pred)| match left.get_mut(pred) {
                    Some(n) if *n > 0 => {
                        *n -= 1;
                        true
                    }
                    _ => false,
                });
            }
        }
    }
}

/// Drops instructions; false if none of them can go.
fn drop_all(module: &mut Module, run: &[(FuncId, InstId)]) -> bool {
    let mut dropped = false;
    for (func, inst) in run {
        let it = &module.functions[*func].insts[*inst];
        let (ty, result, operands) = (it.ty, it.result, it.kind.operands());
        if let Some(result) = result {
            let function = &module.functions[*func];
            let same = |o: &Operand| *o != Operand::Local(result) && module.operand_ty(function, *o) == ty;
            let other = operands.into_iter().find(same);
            let with = match other {
                Some(operand) => operand,
                None if module.types.is_ptr(ty) && is_used(function, result) => continue,
                None => module.zero(ty),
            };
            replace(&mut module.functions[*func], result, with);
        }
        let function = &mut module.functions[*func];
        for block in function.layout.clone() {
            function.blocks[block].insts.retain(|i| i != inst);
        }
        dropped = true;
    }
    dropped
}

/// Is there memory on the stack that is read, and that nothing in the function writes or hands on? A program that was
/// defined has none.
fn reads_what_nobody_writes(function: &Function) -> bool {
    let insts: Vec<InstId> = function.inst_order().map(|(_, inst)| inst).collect();
    let mut root: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    for inst in insts {
        let it = &function.insts[inst];
        let of = |operand: &Operand| operand.local().and_then(|v| root.get(&v)).copied();
        match &it.kind {
            InstKind::Alloca { .. } => {
                root.extend(it.result.map(|v| (v, v)));
            }
            InstKind::Gep { base, .. } => {
                let derived = of(base).zip(it.result).map(|(base, result)| (result, base));
                root.extend(derived);
            }
            InstKind::Load { ptr, .. } => read.extend(of(ptr)),
            // Whatever else has the address may write there.
            kind => written.extend(kind.operands().iter().filter_map(of)),
        }
    }
    read.difference(&written).next().is_some()
}

fn is_used(function: &Function, value: ValueId) -> bool {
    function.inst_order().any(|(_, i)| function.insts[i].kind.operands().contains(&Operand::Local(value)))
}

fn replace(function: &mut Function, value: ValueId, with: Operand) {
    let insts: Vec<InstId> = function.inst_order().map(|(_, i)| i).collect();
    for inst in insts {
        function.insts[inst].kind.for_each_operand_mut(|operand| {
            if *operand == Operand::Local(value) {
                *operand = with;
            }
        });
    }
}
